"""The rows of a list about all components, each computed, or taken from an earlier run: see `kept_components`."""

from __future__ import annotations

from plait.fronts.stacks.answers import usable
from plait.fronts.stacks.answers.kept_components import KeptComponents
from plait.fronts.stacks.answers.repository import no_stacks
from plait.fronts.stacks.session.globs import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.fronts.stacks.answers.kept_components import Bases, Reused
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.repository import Repository, Wanted
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.manifest import Manifest

    Item = tuple[str, str, str, Any]
    """The path of a manifest, the type and the name of one of its components, and its row; None if it is not in the
    list."""
    Compute = Callable[[Iterable[Component]], Iterator[tuple[Component, Any]]]
    """Computes the rows of some components; a component with errors has none, and is recorded."""
    Made = dict[str, dict[Entry, Item]]
    Limits = dict[Manifest, frozenset[Entry]]
    """The components of some manifests whose rows are computed; all of them for other manifests."""

ROWS = "rows"


class Rows:
    """The rows of one list: which components it contains, and how each row is computed."""

    def __init__(
        self,
        repository: Repository,
        wanted: Wanted,
        takes: Callable[[Component], bool],
        compute: Compute,
        only: str = "",
    ) -> None:
        """`wanted` decides by the component's own entry, `takes` by the assembled component. A list about one name is
        not cached by rows."""
        self.repository = repository
        self._wanted = wanted
        self._takes = takes
        self._compute = compute
        self._only = only
        is_kept = repository.session.project.notes is not None and not only
        self.kept = KeptComponents(repository, ROWS, wanted) if is_kept else None
        self._bases: dict[str, dict[Entry, Bases]] = {}
        """The bases of the components whose rows are computed, by stack."""

    def all(self) -> list[Item]:
        """Every row, in the order of the manifests and of the components in them."""
        kept = self.kept
        names = kept.names(self.repository.named) if kept is not None else []
        named = kept.named if kept is not None else self.repository.named()
        if not names and not any(named.values()) and not self.repository.broken:
            raise no_stacks(self.repository)
        if kept is None or any(len(found) > 1 for found in named.values()):  # names depend on components
            self.start_over()
            return _listed(self._made({}))
        reused = {name: self._good(name) for name in names}
        limits = {one: found.touched for one, of in named.items() if of and (found := reused[of[0]]) is not None}
        made = self._made(limits)
        by_stack = {name: _renewed(found, made.get(name, {})) for name, found in reused.items()}
        self._leave(by_stack, reused)
        return _listed({name: {(one[1], one[2]): one for one in items} for name, items in by_stack.items()})

    @property
    def is_narrowed(self) -> bool:
        """Whether manifests were left out that no change can reach."""
        return self.kept is not None and self.kept.is_narrowed

    def start_over(self) -> None:
        """Take nothing more from an earlier run, and read all manifests."""
        if self.kept is not None:
            self.kept.start_over()

    def _good(self, stack: str) -> Reused | None:
        """The cached rows of a stack that can be reused, if it has the same components as before."""
        assert self.kept is not None
        found = self.kept.find(stack)
        if found is None or not found.touched:
            return found
        manifests = self.repository.manifests_of(stack)
        same = len(manifests) == 1 and self.kept.shows_the_same(manifests[0], found.rows or (), found.touched)
        return found if same else None

    def _made(self, limits: Limits) -> Made:
        """Rows that are computed now, by stack. A component that is not in the list has none."""
        made: Made = {}

        def wanted(manifest: Manifest, type: str, name: str) -> bool:
            limit = limits.get(manifest)
            return (limit is None or (type, name) in limit) and self._wanted(manifest, type, name)

        def put(component: Component, row: Any) -> None:
            entry = (component.type, component.name)
            made.setdefault(component.stack, {})[entry] = (component.manifest.file.path, *entry, row)

        def takes(component: Component) -> bool:
            taken = self._takes(component)
            put(component, None)
            own = self._bases.setdefault(component.stack, {})
            own[component.type, component.name] = tuple(component.layers.chain)
            return taken

        components = self.repository.components(self._only, wanted)
        for component, row in self._compute(usable.chosen(self.repository, components, takes)):
            put(component, row)
        return made

    def _leave(self, by_stack: dict[str, list[Item]], reused: dict[str, Reused | None]) -> None:
        """Store the rows for the next run, except those of stacks with errors or warnings."""
        assert self.kept is not None
        if self.repository.session.trace.reports:
            return
        broken = {owner[0] for owner in self.repository.broken}
        wrong = {
            stack
            for stack in (by_stack if broken else ())
            if any(one.name in broken for one in self.repository.manifests_of(stack))
        }
        if wrong:
            self.kept.leave_out()
        items = {stack: own for stack, own in by_stack.items() if stack not in wrong}
        self.kept.keep_items(items, {stack: self._bases.get(stack, {}) for stack in items}, reused)


def _renewed(reused: Reused | None, made: dict[Entry, Item]) -> list[Item]:
    """The rows of a stack: the cached ones, with recomputed rows in their places."""
    if reused is None:
        return list(made.values())
    kept: list[Item] = reused.pieces()
    if not reused.touched:
        return kept
    renewed = (made.get((one[1], one[2])) if (one[1], one[2]) in reused.touched else one for one in kept)
    return [one for one in renewed if one is not None]


def _listed(made: Made) -> list[Item]:
    """The rows that are listed, in the order of the manifests."""
    stems: dict[str, str] = {}
    items = [item for items in made.values() for item in items.values() if item[3] is not None]
    for path, *_ in items:
        if path not in stems:
            stems[path] = stem(path)
    return sorted(items, key=lambda item: stems[item[0]])
