"""Reuses the rows of a list about all components if a change cannot affect them.

A row is plain data about one component and depends on the same files. So the rule for the texts of stacks applies (see
`earlier_texts`): if two texts of a manifest differ only inside the entries of some components, only the rows of these
components and of those that inherit from them can differ.
"""

from __future__ import annotations

import marshal
from contextlib import suppress
from functools import cached_property

from plait.fronts.stacks.answers import usable
from plait.fronts.stacks.answers.earlier_texts import EarlierTexts
from plait.fronts.stacks.session.globs import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.fronts.stacks.answers.earlier_texts import Reused, Wanted
    from plait.fronts.stacks.answers.earlier_texts import Row as Numbered
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.manifest import Manifest

    Item = tuple[str, str, str, Any]
    """The path of a manifest, the type and the name of one of its components, and its row; None if it is not in the
    list."""
    Taken = Callable[[Component], bool]
    Compute = Callable[[Iterable[Component]], Iterator[tuple[Component, Any]]]
    """Computes the rows of some components; a component with errors has none, and is recorded."""
    Made = dict[str, dict[Entry, Item]]
    Limits = dict[Manifest, frozenset[Entry] | None]
    """The components of each manifest whose rows are computed; None for all of them."""


class EarlierRows(EarlierTexts):
    """The rows of a cached list that are still valid. They are stored with it."""

    KEY = "rows"

    def __init__(self, repository: Repository, shown: Wanted) -> None:
        self._shown = shown
        self.items: list[Item] = []
        """The rows to cache for the next run."""
        super().__init__(repository)

    def _is_numbered(self) -> bool:
        return True

    @cached_property
    def _earlier_items(self) -> list[Item]:
        found: list[Item] = marshal.loads(self._data["items"])
        return found

    def _slice(self, start: int, end: int) -> list[Item]:
        return self._earlier_items[start:end]

    def _is_shown(self, manifest: Manifest, type: str, name: str) -> bool:
        return self._shown(manifest, type, name)

    def _pieces(self) -> dict[str, object]:
        return {"items": marshal.dumps(self.items)}

    def start_over(self) -> None:
        """Take nothing from the earlier answer."""
        manifests = self.repository.index.manifests
        self._data, self._untouched, self._is_same = {}, {}, False
        self.repository.index.forget({one.file.path for one in manifests.known or ()})
        manifests.loader.leave_empty({})
        manifests.narrow(None)

    @property
    def about(self) -> object:
        """The name and the stack of the component that the earlier answer was about."""
        return self._data.get("about")

    def knows(self, stack: str) -> bool:
        """Whether a stack has the components that it had for the earlier answer."""
        return self._is_same or stack in self._untouched

    def has(self, name: str, stack: str) -> bool:
        """Whether a component of a known stack has no errors."""
        touched = () if stack in self._untouched else self._touched.get(stack) or ()
        return name not in {entry[1] for entry in touched} or self._lists(name, stack)

    def _lists(self, name: str, stack: str) -> bool:
        _, start, end, _ = self._stacks.get(stack, ((), 0, 0, None))
        return any(item[2] == name and item[3] is not None for item in self.items[start:end])

    def leave_out(self) -> None:
        """Do not cache a stack, so that the next run reads all manifests."""
        self._complete = False


class Rows:
    """The rows of one list: which components it contains, and how each row is computed."""

    def __init__(self, repository: Repository, wanted: Wanted, takes: Taken, compute: Compute, only: str = "") -> None:
        """`wanted` decides by the component's own entry, `takes` by the assembled component. A list about one name is
        not cached by rows, but with the parts that it uses (see `parts`)."""
        self.repository = repository
        self._wanted = wanted
        self._takes = takes
        self._compute = compute
        self._only = only
        self._bases: dict[tuple[str, Entry], tuple[str, ...]] = {}
        """The bases of the components whose rows are computed, by stack."""

    def about(self, name: str, stack: str) -> list[Item] | None:
        """Every row, if the cached answer is about this component too and the component is unchanged; otherwise
        None."""
        if self._leaving is None:
            return None
        again = EarlierRows(self.repository, self._wanted)
        if again.about != (name, stack):
            return None
        names = again.names(self._named)
        items = self._kept(again, names) if again.knows(stack) else []
        if again.knows(stack) and again.has(name, stack):
            self.note(name, stack)
            return items
        again.start_over()
        return None

    def note(self, name: str, stack: str) -> None:
        """Record which component the answer is about."""
        kept = (self._leaving or {}).get(EarlierRows.KEY)
        if isinstance(kept, dict):
            kept["about"] = (name, stack)

    @property
    def _leaving(self) -> dict[str, object] | None:
        notes = self.repository.session.project.notes
        return notes.left if notes is not None and not self._only else None

    def all(self, reuse: bool = True) -> list[Item]:
        """Every row, in the order of the manifests and of the components in them."""
        if self._leaving is None:
            self._named()  # reports what is wrong with names, as a run does that caches its rows
            return _listed(self._made({}))
        again = EarlierRows(self.repository, self._wanted)
        if not reuse:
            again.start_over()
        return self._kept(again, again.names(self._named))

    def _kept(self, again: EarlierRows, names: list[str]) -> list[Item]:
        """The same, using cached rows, and storing rows for the next run."""
        if any(len(found) > 1 for found in self._named().values()):  # names depend on components: nothing is left
            again.start_over()
            return _listed(self._made({}))
        reused = {name: self._good(again, name) for name in names}
        made = self._made({one: _limit(reused, found) for one, found in self._named().items()})
        by_stack = {name: _renewed(found, made.get(name, {})) for name, found in reused.items()}
        self._leave(again, by_stack, reused)
        return _listed({name: {(one[1], one[2]): one for one in items} for name, items in by_stack.items()})

    def _named(self) -> dict[Manifest, list[str]]:
        return {manifest: self.repository.names_of(manifest) for manifest in self.repository.manifests()}

    def _good(self, again: EarlierRows, stack: str) -> Reused | None:
        """The cached rows of a stack that can be reused, if it has the same components as before."""
        found = again.find(stack)
        if found is None or not found.touched:
            return found
        manifests = self.repository.manifests_of(stack)
        same = len(manifests) == 1 and again.shows_the_same(manifests[0], found.rows or [], found.touched)
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
            self._bases[component.stack, (component.type, component.name)] = tuple(component.layers.chain)
            return taken

        components = self.repository.components(self._only, wanted)
        for component, row in self._compute(usable.chosen(self.repository, components, takes)):
            put(component, row)
        return made

    def _leave(self, again: EarlierRows, by_stack: dict[str, list[Item]], reused: dict[str, Reused | None]) -> None:
        """Store the rows for the next run, except those of stacks with errors or warnings."""
        if self.repository.session.trace.reports:
            return
        broken = {owner[0] for owner in self.repository.broken}
        for stack, items in by_stack.items():
            manifests = self.repository.manifests_of(stack)
            if broken and any(one.name in broken for one in manifests):
                again.leave_out()
                continue
            start = len(again.items)
            again.items += items
            again.keep(stack, start, len(again.items), self._numbered(stack, items, reused[stack]), reused[stack])
        with suppress(ValueError):  # a value that cannot be written
            again.finish(len(again.items))

    def _numbered(self, stack: str, items: list[Item], reused: Reused | None) -> list[Numbered] | None:
        """The components of a stack with their bases; None if they come from several manifests."""
        if reused is not None and not reused.touched:
            return reused.rows
        if len(self.repository.manifests_of(stack)) != 1:
            return None
        known = reused.bases() if reused is not None else {}
        return [
            (type, name, self._bases.get((stack, (type, name))) or known.get((type, name), ()), at, 1)
            for at, (_, type, name, _) in enumerate(items)
        ]


def _limit(reused: dict[str, Reused | None], stacks: list[str]) -> frozenset[Entry] | None:
    """The components of a manifest whose rows are computed; None for all."""
    found = reused[stacks[0]] if stacks else None
    return found.touched if found is not None else None


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
