"""The stacks of a repository as questions see them: the index, asked from outside any evaluation.

Each step is a question of its own, so that one which has to wait for a value repeats only that step.
"""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault, PlaitError
from plait.core.node import Inherited
from plait.core.scope import Blocked
from plait.fronts.stacks.assemble.components import ASSEMBLING, Component, settle
from plait.fronts.stacks.assemble.framed import framed_member
from plait.fronts.stacks.assemble.index import check_same
from plait.fronts.stacks.read.discovery import why_no_stack
from plait.report.catalog import NO_STACK, NO_STACKS
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator
    from typing import TypeVar

    from plait.core.diagnostic import Diagnostic
    from plait.fronts.stacks.assemble.assembly import Assembly
    from plait.fronts.stacks.assemble.broken import Broken
    from plait.fronts.stacks.assemble.components import Member
    from plait.fronts.stacks.assemble.layers import Siblings
    from plait.fronts.stacks.read.manifest import Manifest

    T = TypeVar("T", bound=Member)
    Make = Callable[[Siblings, str | None, str], T]
    Wanted = Callable[[Manifest, str, str], bool]
    Named = Callable[[Manifest, str], Collection[str]]
    Entry = tuple[str, str]
    """The type and the name of a component."""


class Repository:
    """All stacks of one configuration."""

    def __init__(self, assembly: Assembly) -> None:
        self.index = assembly.index
        self.session = assembly.session
        self._by_name: dict[str, list[Manifest]] = {}
        self._named: list[Manifest] | None = None
        """The manifests that these are the names of."""

    # Manifests and names

    def manifests(self) -> list[Manifest]:
        """Every top-level manifest that can be read."""
        return self.index.manifests.all(self.session.answer)

    @property
    def broken(self) -> Broken:
        """Files with errors or put together."""
        return self.index.manifests.broken

    def problems(self, stack: str = "") -> list[Diagnostic]:
        """What is broken: anywhere, or in the manifests of one stack."""
        self.manifests()
        return self.broken.problems(owners(self, stack))

    def names(self) -> list[str]:
        """The names of all stacks that have components, sorted.

        None at all is an error that says what was looked at.
        """
        names = sorted(self.index.manifests.left_out.union(*(self.names_of(manifest) for manifest in self.manifests())))
        if not names and not self.broken:
            raise no_stacks(self)
        return names

    def named(self) -> dict[Manifest, list[str]]:
        """The names of the stacks that each manifest takes part in."""
        return {manifest: self.names_of(manifest) for manifest in self.manifests()}

    def names_of(self, manifest: Manifest) -> list[str]:
        """The names of the stacks that a manifest takes part in."""
        return self.session.answer(lambda: self.index.names_of(manifest))

    def _name_of_empty(self, manifest: Manifest) -> str:
        """What a manifest without components would be called."""
        return self.session.answer(lambda: self.index.name_of_empty(manifest))

    def manifest_of(self, stack: str) -> Manifest:
        """The first manifest that a stack, or a file, is called after."""
        for manifest in self.manifests():
            if (
                stack in (manifest.name, manifest.file.scope.file)
                or stack in self.names_of(manifest)
                or (not manifest.types() and stack == self._name_of_empty(manifest))
            ):
                return manifest
        broken = self.broken.manifests()
        for path in self.index.manifests.files():
            name = self.index.manifests.name_of(path)
            if name in broken and stack in (name, self.session.shown(path)):
                raise broken[name]
        near = nearest(stack, self.names(), 1)
        hint = f"Did you mean `{near[0]}`?" if near else "plait list stacks shows all stacks"
        raise Fault(NO_STACK(name=stack, hint=hint), *self.problems())

    # Components

    def component(self, name: str, stack: str) -> Component:
        """A component of a stack, by its name, by its type and name, or by the folder of its code; PlaitError lists
        what there is instead."""
        self.manifests()
        self.index.manifests.broken.check()
        try:
            return self.whole(self.session.answer(partial(self.index.asked, name, stack)))
        except Fault:
            check_any(self)
            raise

    def in_manifest(self, manifest: Manifest, type: str, name: str) -> Component:
        """A component of a manifest with the name of its stack; PlaitError where it is broken."""
        return self.session.answer(lambda: self.index.component_in(manifest, type, name))

    def whole(self, member: Member) -> Component:
        """A component whose sections can be read without waiting."""
        if isinstance(member, Component):
            return self.session.answer(partial(settle, member))
        return self._settled(member.siblings, member.stack, member.name)

    def components_of(self, manifest: Manifest, only: str = "", wanted: Wanted | None = None) -> Iterator[Component]:
        """The components of a manifest, each with the name of its stack; without those that are broken."""
        for type in manifest.types():
            for name in manifest.names(type):
                if not only or name == only:
                    try:
                        if wanted is None or wanted(manifest, type, name):
                            yield self.in_manifest(manifest, type, name)
                    except Fault as error:
                        self.broken.component(manifest.name, type, name, error)

    def components(self, only: str = "", wanted: Wanted | None = None) -> Iterator[Component]:
        """All components of all stacks, or those of one name; without those that are broken.

        `wanted` is asked with the manifest, the type and the name before a component is put together.
        """
        by_name: dict[tuple[str, str, str], list[Component]] = {}
        for manifest in self.manifests():
            for component in self.components_of(manifest, only, wanted):
                by_name.setdefault((component.stack, component.type, component.name), []).append(component)
        return self._agreed(by_name.values())

    def _agreed(self, groups: Iterable[list[Component]]) -> Iterator[Component]:
        """The components that all manifests of a stack write alike, each once."""
        for group in groups:
            first = group[0]
            try:
                for other in group[1:]:
                    self.session.answer(partial(check_same, first, other))
            except Fault as error:
                self.broken.component(first.manifest.name, first.type, first.name, error)
            else:
                yield first

    def components_named(
        self, stack: str, wanted: Wanted | None = None, candidates: Named | None = None
    ) -> Iterator[Component]:
        """The components of one stack, each once, not kept here; without those that are broken.

        `wanted` is asked with the manifest, the type and the name before a component is put together. `candidates` are
        the names of a type for which it is asked, where that is known of many at once.
        """
        manifests = self.manifests_of(stack)
        of_stack = partial(self._of_stack, stack, self._settled, wanted, candidates)
        made = [one for manifest in manifests for one in of_stack(manifest)]
        if len(manifests) == 1:
            return iter(made)
        by_name: dict[tuple[str, str], list[Component]] = {}
        for component in made:
            by_name.setdefault((component.type, component.name), []).append(component)
        return self._agreed(by_name.values())

    def _of_stack(
        self, stack: str, make: Make[T], wanted: Wanted | None, candidates: Named | None, manifest: Manifest
    ) -> Iterator[T]:
        """The components of a manifest that belong to a stack. `make` is given the name that the stacks of all of them
        have, if they have one."""
        answer = self.session.answer
        for type in manifest.types():
            uniform = answer(partial(self.index.namer.uniform, manifest))
            shared = self.index.name_of_type(manifest, type) if uniform else None
            siblings = self.index.siblings(manifest, type)
            names: Collection[str] = manifest.names(type) if candidates is None else candidates(manifest, type)
            siblings.started = siblings.started or (wanted is None and len(names) > 1)
            for name in names:
                try:
                    if wanted is not None and not wanted(manifest, type, name):
                        continue
                    component = make(siblings, shared, name)
                except Fault as error:
                    self.broken.component(manifest.name, type, name, error)
                    continue
                if component.stack == stack:
                    yield component

    def _settled(self, siblings: Siblings, stack: str | None, name: str) -> Component:
        answer = self.session.answer
        component = answer(partial(Component, siblings, name))
        component.stack = stack or answer(partial(self.index.namer.tolerant, component))
        return answer(partial(settle, component))

    def _member(self, siblings: Siblings, stack: str | None, name: str) -> Member:
        try:
            found = framed_member(siblings, stack, name) if stack else None
        except (Blocked, Inherited):
            found = None  # which is put together when what it waits for is known
        if found is None:
            return self._settled(siblings, stack, name)
        self.session.evaluator.meter.step(ASSEMBLING)
        return found

    def manifests_of(self, stack: str) -> list[Manifest]:
        """The manifests that take part in a stack."""
        manifests = self.manifests()
        if self._named is not manifests:
            self._named, self._by_name = manifests, {}
            for manifest in manifests:
                for name in self.names_of(manifest):
                    self._by_name.setdefault(name, []).append(manifest)
        return self._by_name.get(stack, [])


def members_named(repository: Repository, stack: str, names: Container[Entry] | None = None) -> Iterable[Member]:
    """The components of one stack, or those of some names, as `components_named` gives them; but of one that is like
    others only what is written about it is looked at."""

    def candidates(manifest: Manifest, type: str) -> Collection[str]:
        return [name for name in manifest.names(type) if names is None or (type, name) in names]

    manifests = repository.manifests_of(stack)
    if len(manifests) != 1:
        return repository.components_named(stack, None, candidates)
    return list(repository._of_stack(stack, repository._member, None, candidates, manifests[0]))


def owners(repository: Repository, stack: str) -> set[str] | None:
    """The names of the manifests of a stack; None for all."""
    if not stack:
        return None
    return {stack, *(one.name for one in repository.manifests_of(stack))}  # a stack may be named by its file


def check_any(repository: Repository) -> None:
    """That there is a stack at all: an answer about nothing is not an answer."""
    is_there = repository.index.manifests.left_out or any(map(repository.names_of, repository.manifests()))
    if not is_there and not repository.broken:
        raise no_stacks(repository)


def no_stacks(repository: Repository) -> PlaitError:
    """The error that says what was looked at, where no stack was found."""
    config, session = repository.index.shared.config, repository.session
    folder = session.shown(config.stacks_path)
    patterns = [f"{key}: {', '.join(config.texts('stacks', key))}" for key in ("included_paths", "excluded_paths")]
    reasons = why_no_stack(session.project, config)
    rows = [f"  {name}: {reason}" for name, reason in list(reasons.items())[:10]]
    more = [f"  and {len(reasons) - 10} more"] if len(reasons) > 10 else []
    found = ["manifests found:", *rows, *more] if rows else ["there are no YAML files in it"]
    hint = "see stacks.included_paths in atmos.yaml; a stack is a manifest with components"
    return NO_STACKS.error(folder=folder, notes=(*patterns, *found), hint=hint)
