"""The one object that answers questions about stacks.

    stacks = Repository(Run(Project("."), "."))
    stacks.names()                                   the names of all stacks
    stacks.component("vpc", "plat-ue1-prod").root    one component, not yet evaluated

A manifest that cannot be read does not stop a question about another stack: it is kept in `broken`, and told when it matters.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Diagnostic, Label, PlaitError
from plait.core.node import Mapping, Node, equal
from plait.fronts.stacks.components import Component
from plait.fronts.stacks.discovery import stack_files
from plait.fronts.stacks.imports import Loader, Manifest
from plait.fronts.stacks.names import Namer, is_nameless
from plait.fronts.stacks.scope import TYPES
from plait.report.catalog import BAD_CONFIG, INVALID_STACK, NO_COMPONENT, NO_STACK, STACK_REQUIRED, TOO_EARLY, TWICE
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.stacks.describe import Filter
    from plait.fronts.stacks.run import Run

PER_MANIFEST = ("atmos_stack_file", "atmos_manifest", "imports", "atmos_stack", "stack")
"""Facts in which a component may differ between the manifests of one stack."""


class Repository:
    """All stacks of one configuration, read when they are needed."""

    def __init__(self, run: Run) -> None:
        self.run = run
        run.repository = self
        self.loader = Loader(run)
        run.loader = self.loader
        self.namer = Namer(run)
        self.broken: dict[str, PlaitError] = {}
        """Manifests that could not be read, by the names of their files."""
        self._manifests: list[Manifest] | None = None
        self._reading = False
        self._components: dict[tuple[str, str, str], Component] = {}
        self._found: dict[tuple[str, str, str], Component] = {}
        self._by_name: dict[str, list[Manifest]] | None = None
        self._finding: set[tuple[str, str, str]] = set()
        self._twice: list[tuple[Component, Component]] | None = None
        """Components that have to be compared once the comparison that is under way is done; None where none is."""

    def manifests(self) -> list[Manifest]:
        """Every top-level manifest that can be read."""
        if self._reading:
            raise self._too_early("which files there are, and what is in them,")
        if self._manifests is None:
            files = stack_files(self.run.config)
            if not files and not os.path.isdir(self.run.config.stacks_path):
                raise BAD_CONFIG.error(
                    why=f"there is no folder `{self.run.shown(self.run.config.stacks_path)}` with stacks",
                    hint="see stacks.base_path in atmos.yaml",
                )
            self._reading = True
            try:
                self._manifests = [found for path in files if (found := self._load(path)) is not None]
            finally:
                self._reading = False
        return self._manifests

    @staticmethod
    def _too_early(what: str) -> PlaitError:
        """A component is found by the name of its stack, among all stacks: nothing of that can depend on a component."""
        return TOO_EARLY.error(what=what, hint="use values that need no other component")

    def _load(self, path: str) -> Manifest | None:
        try:
            return self.loader.load(path)
        except PlaitError as error:
            self.broken[self.loader.name_of(path)] = error
            return None

    def problems(self) -> list[Diagnostic]:
        """What is wrong with the manifests that could not be read."""
        self.manifests()
        return list(dict.fromkeys(d for error in self.broken.values() for d in error.diagnostics))

    # Names

    def names(self) -> list[str]:
        """The names of all stacks that have components, sorted."""
        return sorted({name for manifest in self.manifests() for name in self.names_of(manifest)})

    def names_of(self, manifest: Manifest) -> list[str]:
        """The names of the stacks that a manifest takes part in."""
        types = manifest.types()
        if self.namer.uniform(manifest):
            return list(dict.fromkeys(name for type in types if (name := self._shared(manifest, type))))
        return list(dict.fromkeys(component.stack for component in self.components_of(manifest)))

    def _shared(self, manifest: Manifest, type: str) -> str:
        """The name that all components of a type have; empty where what it is made of is broken."""
        try:
            return self.namer.shared(manifest, type)
        except PlaitError as error:
            if is_nameless(error):
                return manifest.name
            self.broken.setdefault(manifest.name, error)
            return ""

    def name_of_empty(self, manifest: Manifest) -> str:
        """What a manifest without components would be called."""
        return self._shared(manifest, TYPES[0]) or manifest.name

    def stack_of_file(self, path: str) -> str:
        """The stack that a file is the manifest of; the name of the file where it is none."""
        if self.namer.busy:
            raise self._too_early("the name of a stack")
        name = self.loader.name_of(path)
        for manifest in self.manifests():
            if manifest.name == name:
                return next(iter(self.names_of(manifest)), name)
        return name

    # Components

    def components_of(self, manifest: Manifest, only: str = "") -> Iterator[Component]:
        """The components of a manifest, each with the name of its stack. One that is broken is told of and left out."""
        for type in manifest.types():
            for name in manifest.names(type):
                if only and name != only:
                    continue
                try:
                    yield self.in_manifest(manifest, type, name)
                except PlaitError as error:
                    self._tell(manifest, name, error)

    def _tell(self, manifest: Manifest, name: str, error: PlaitError) -> None:
        """Remember what is wrong with a component; the first thing that was found."""
        self.broken.setdefault(f"{manifest.name}: {name}", error)

    def in_manifest(self, manifest: Manifest, type: str, name: str) -> Component:
        key = (manifest.name, type, name)
        component = self._components.get(key)
        if component is None:
            component = Component(manifest, type, name)
            component.stack = self.namer.tolerant(component)
            self._components[key] = component
        return component

    def components(self, stack: str = "") -> Iterator[Component]:
        """All components of all stacks, or of one; of manifests that make one stack, each component once."""
        seen: dict[tuple[str, str, str], Component] = {}
        for manifest in self.manifests():
            if (
                stack
                and self.namer.uniform(manifest)
                and stack not in self.names_of(manifest)
                and stack != manifest.name
            ):
                continue
            for component in self.components_of(manifest):
                key = (component.stack, component.type, component.name)
                if stack and stack not in (component.stack, manifest.name):
                    continue
                if key in seen:
                    self.check_twice(seen[key], component)
                    continue
                seen[key] = component
                yield component

    def chosen_names(self, chosen: Filter) -> list[str]:
        """The names of the stacks that a filter may show, sorted; a stack may be named by its file."""
        names: dict[str, None] = {}
        for manifest in self.manifests():
            found = self.names_of(manifest) or ([self.name_of_empty(manifest)] if chosen.empty_stacks else [])
            names.update(dict.fromkeys(name for name in found if chosen.stack in ("", name, manifest.name)))
        return sorted(names)

    def components_named(self, stack: str) -> Iterator[Component]:
        """The components of one stack, each once. They are not kept; one that is broken is told of and left out."""
        seen: dict[tuple[str, str], Component] = {}
        for manifest in self._named(stack):
            for type in manifest.types():
                shared = self._shared(manifest, type) if self.namer.uniform(manifest) else ""
                for name in manifest.names(type):
                    try:
                        component = Component(manifest, type, name)
                        component.stack = shared or self.namer.tolerant(component)
                    except PlaitError as error:
                        self._tell(manifest, name, error)
                        continue
                    if component.stack != stack:
                        continue
                    first = seen.setdefault((type, name), component)
                    if first is not component:
                        self.check_twice(first, component)
                        continue
                    yield component

    def _named(self, stack: str) -> list[Manifest]:
        """The manifests that take part in a stack."""
        if self._by_name is None:
            self._by_name = {}
            for manifest in self.manifests():
                for name in self.names_of(manifest):
                    self._by_name.setdefault(name, []).append(manifest)
        return self._by_name.get(stack, [])

    def check_twice(self, first: Component, second: Component) -> None:
        """That a component which two manifests of one stack have is the same in both.

        Comparing them evaluates them, which may lead to another pair: that one has its turn later.
        """
        if self._twice is not None:
            self._twice.append((first, second))
            return
        self._twice = [(first, second)]
        try:
            for pair in self._twice:  # grows while it is walked
                self._check_pair(*pair)
        finally:
            self._twice = None

    def _check_pair(self, first: Component, second: Component) -> None:
        a, b = (self._comparable(component) for component in (first, second))
        if first.manifest is not second.manifest and not equal(a, b):
            labels = [Label.of(component.own, f"as {component.manifest.name} has it") for component in (first, second)]
            raise TWICE.error(
                *labels, component=second.name, stack=second.stack, hint="define it in one of these manifests"
            )

    def _comparable(self, component: Component) -> Node:
        made, _ = self.run.evaluator.finish(component.root, component.place)
        assert isinstance(made, Mapping)
        return Mapping({key: child for key, child in made.entries.items() if key not in PER_MANIFEST})

    def component(self, name: str, stack: str, type: str = "") -> Component:
        """A component of a stack, by its name or by the folder of its code; PlaitError says what there is instead."""
        if not stack:
            why = "stack is required; specify it on the command line using the flag `--stack <stack>` (shorthand `-s`)"
            raise STACK_REQUIRED.error(why=why, hint="plait list stacks names them")
        if self.namer.busy:
            raise self._too_early("the name of a stack")
        key = (stack, type, name)
        if key not in self._found:
            if key in self._finding:
                raise self._too_early(f"where `{name}` is written, and what it consists of,")
            self._finding.add(key)
            try:
                found = self._find(name, stack, type)
            finally:
                self._finding.discard(key)
            for other in found[1:]:
                if other.type == found[0].type:
                    self.check_twice(found[0], other)
            self._found[key] = found[0]
        return self._found[key]

    def _find(self, name: str, stack: str, type: str) -> list[Component]:
        """A component in every manifest of a stack that has it."""
        name = self._by_path(name, stack) if self._is_path(name) else name
        found: list[Component] = []
        for manifest in self.manifests():
            surely = self.namer.uniform(manifest)
            if surely and stack not in self.names_of(manifest):
                continue
            for kind in manifest.types():
                if name not in manifest.names(kind) or type not in ("", kind):
                    continue
                try:
                    component = self.in_manifest(manifest, kind, name)
                except PlaitError as error:
                    if surely:
                        raise
                    self._tell(manifest, name, error)  # whose stack it is, nobody knows
                    continue
                if component.stack == stack:
                    found.append(component)
        if not found:
            raise self._not_found(name, stack)
        return found

    def _is_path(self, name: str) -> bool:
        return name == "." or name.startswith(("./", "../", "/")) or os.path.isdir(os.path.join(self.run.folder, name))

    def _by_path(self, name: str, stack: str) -> str:
        """The one component of a stack whose code lies in a folder; the name itself where none does."""
        folder = os.path.realpath(os.path.join(self.run.folder, name))
        users = sorted(
            {
                component.name
                for component in self.components(stack)
                if os.path.realpath(component.path) == folder and not component.abstract
            }
        )
        if len(users) > 1:
            raise NO_COMPONENT.error(
                component=name,
                stack=stack,
                notes=("several components use this folder:", *(f"  - {user}" for user in users)),
                hint="name one of them",
            )
        return users[0] if users else name

    def _not_found(self, name: str, stack: str) -> PlaitError:
        """Why there is no such component: the stack is called otherwise, is not there, or does not have it."""
        broken = tuple(self.problems())
        mine = [
            error
            for name, error in self.broken.items()
            if stack in (name, name.rpartition("/")[2], name.partition(":")[0])
        ]
        if mine:
            return PlaitError(*(d for error in mine for d in error.diagnostics))
        for manifest in self.manifests():
            if manifest.name == stack and (names := self.names_of(manifest)) and stack not in names:
                hint = f"Did you mean `{names[0]}`?\n'plait list stacks' shows all stacks, as 'atmos list stacks' does"
                return INVALID_STACK.error(name=stack, hint=hint)
        names = self.names()
        error: PlaitError
        if stack not in names:
            near = nearest(stack, names, 1)
            hint = f"Did you mean `{near[0]}`?" if near else "plait list stacks names them"
            facts = NO_COMPONENT(component=name, stack=stack, notes=(f"there is no stack `{stack}`",), hint=hint)
            error = PlaitError(facts, *broken)
        else:
            there = sorted({component.name for component in self.components(stack)})
            near = nearest(name, there, 1)
            hint = (
                f"Did you mean `{near[0]}`?"
                if near
                else f"`{stack}` has: {', '.join(there[:8])}{', ...' if len(there) > 8 else ''}"
            )
            error = PlaitError(NO_COMPONENT(component=name, stack=stack, hint=hint), *broken)
        return error

    def manifest_of(self, stack: str) -> Manifest:
        """The first manifest that a stack, or a file, is called after."""
        for manifest in self.manifests():
            if (
                stack in (manifest.name, manifest.file.scope.file)
                or stack in self.names_of(manifest)
                or (not manifest.types() and stack == self.name_of_empty(manifest))
            ):
                return manifest
        for path in stack_files(self.run.config):
            name = self.loader.name_of(path)
            if name in self.broken and stack in (name, self.run.shown(path)):
                raise self.broken[name]
        near = nearest(stack, self.names(), 1)
        hint = f"Did you mean `{near[0]}`?" if near else "plait list stacks names them"
        raise PlaitError(NO_STACK(name=stack, hint=hint), *self.problems())
