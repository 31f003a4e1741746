"""Where stacks and components are found: every manifest, the names of its stacks, and a component by its name and its
stack.

Expressions ask as well, through the services, so that every question here may have to wait (`Blocked`) and can be
asked again. A name that depends on the component that is looked for is then a circular reference like any other.

A manifest that cannot be read does not stop a question about another stack: it is kept among the broken ones, and
reported where it matters.
"""

from __future__ import annotations

import os
from itertools import islice

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.path import format_path
from plait.fronts.stacks.assemble.alike import differing
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.layers import Siblings
from plait.fronts.stacks.assemble.manifests import Manifests
from plait.fronts.stacks.assemble.names import Nameless, Namer
from plait.fronts.stacks.config.sections import TYPES
from plait.report.catalog import INVALID_STACK, NO_COMPONENT, NO_COMPONENT_PATH, STACK_REQUIRED, TWICE
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.shared import Shared
    from plait.fronts.stacks.read.loader import Loader
    from plait.fronts.stacks.read.manifest import Manifest

SHOWN = 5
"""How many differences between two definitions of a component are named."""
STACK_MISSING = "stack is required; specify it on the command line using the flag `--stack <stack>` (shorthand `-s`)"


class StackIndex:
    """All stacks of one configuration, read when they are needed."""

    def __init__(self, shared: Shared, loader: Loader) -> None:
        self.shared = shared
        self.manifests = Manifests(shared, loader)
        self.namer = Namer(shared)
        self._siblings: dict[tuple[Manifest, str], Siblings] = {}
        self._components: dict[tuple[str, str, str], Component] = {}
        self._found: dict[tuple[str, str, str], Component] = {}

    def restart(self) -> None:
        """Begin a new question. Errors are found again; if there were any, everything assembled so far is dropped. What
        was made of manifests that the last question did not find any more is let go."""
        if self.manifests.broken:
            self._components.clear()
            self._siblings.clear()
            self.shared.known.forget()
        elif self.manifests.known is not None:
            self._keep({*self.manifests.known})
        self._found.clear()
        self.manifests.restart()

    def _keep(self, present: set[Manifest]) -> None:
        """Keep what was made of some manifests alone."""
        bases = self.shared.known.bases
        for manifest in bases.keys() - present:
            del bases[manifest]
        self._siblings = {key: one for key, one in self._siblings.items() if key[0] in present}
        self._components = {key: one for key, one in self._components.items() if one.manifest in present}
        self.namer.keep(present)

    # Names

    def names(self) -> list[str]:
        """The names of all stacks that have components, sorted."""
        return sorted({name for manifest in self.manifests.all() for name in self.names_of(manifest)})

    def names_of(self, manifest: Manifest) -> list[str]:
        """The names of the stacks that a manifest takes part in."""
        if self.namer.uniform(manifest):
            return self._shared_names(manifest)
        components = [
            self.in_manifest(manifest, type, name) for type in manifest.types() for name in manifest.names(type)
        ]
        return list(dict.fromkeys(component.stack for component in components if component is not None))

    def _shared_names(self, manifest: Manifest) -> list[str]:
        """The names of a manifest whose components of one type all have one name."""
        names = (self.name_of_type(manifest, type) for type in manifest.types())
        return list(dict.fromkeys(name for name in names if name is not None))

    def name_of_type(self, manifest: Manifest, type: str) -> str | None:
        """The stack name of all components of a type; None if the values it depends on have errors."""
        try:
            return self.namer.of_type(manifest, type)
        except Nameless:
            return manifest.name
        except Fault as error:
            self.manifests.broken.manifest(manifest.name, error)
            return None

    def name_of_empty(self, manifest: Manifest) -> str:
        """The stack name of a manifest without components."""
        return self.name_of_type(manifest, TYPES[0]) or manifest.name

    def stack_of_file(self, path: str) -> str:
        """The stack whose manifest is this file; the name of the file if it is not a stack."""
        name = self.manifests.name_of(path)
        for manifest in self.manifests.all():
            if manifest.name == name:
                return next(iter(self.names_of(manifest)), name)
        return name

    # Components

    def siblings(self, manifest: Manifest, type: str) -> Siblings:
        """The data that the components of a type in a manifest share."""
        key = (manifest, type)
        found = self._siblings.get(key)
        if found is None:
            found = self._siblings[key] = Siblings(self.shared, manifest, type)
        return found

    def in_manifest(self, manifest: Manifest, type: str, name: str) -> Component | None:
        """A component of a manifest with the name of its stack; None if it has errors, which are recorded."""
        try:
            return self.component_in(manifest, type, name)
        except Fault as error:
            self.manifests.broken.component(manifest.name, type, name, error)
            return None

    def component_in(self, manifest: Manifest, type: str, name: str) -> Component:
        """A component of a manifest with the name of its stack; raises PlaitError if it has errors."""
        key = (manifest.name, type, name)
        component = self._components.get(key)
        if component is None or component.manifest is not manifest:
            component = self._components[key] = Component(self.siblings(manifest, type), name)
        if not component.stack:
            component.stack = self.namer.tolerant(component)
        return component

    def component(self, name: str, stack: str, type: str = "") -> Component:
        """A component of a stack, by its name or by the folder of its code; raises PlaitError with the available
        names."""
        if not stack:
            raise STACK_REQUIRED.error(why=STACK_MISSING, hint="plait list stacks shows all stacks")
        key = (stack, type, name)
        if key not in self._found:
            found = self._find(name, stack, type)
            for other in found[1:]:
                if other.type == found[0].type:
                    check_same(found[0], other)
            self._found[key] = found[0]
        return self._found[key]

    def asked(self, name: str, stack: str) -> Component:
        """A component as people ask for it: also by its type and name, as `terraform/vpc`, where none is called so."""
        type, _, inner = name.partition("/")
        by_type = inner and not self._named(name, stack, "") and self._named(inner, stack, type)
        return self.component(inner, stack, type) if by_type else self.component(name, stack)

    def _find(self, name: str, stack: str, type: str) -> list[Component]:
        """A component, by its name or by the folder of its code, in every manifest of a stack that has it."""
        components = self._named(name, stack, type)
        if not components and self._is_path(name):
            name = self._by_path(name, stack)
            components = self._named(name, stack, type)
        if not components:
            raise self._not_found(name, stack)
        return components

    def _named(self, name: str, stack: str, type: str) -> list[Component]:
        components: list[Component] = []
        for manifest in self.manifests.all():
            surely = self.namer.uniform(manifest)
            if surely and stack not in self._shared_names(manifest):
                continue
            for kind in manifest.types():
                if name not in manifest.names(kind) or type not in ("", kind):
                    continue
                # whose stack a broken one is, is known only where all have one name
                of = self.component_in if surely else self.in_manifest
                component = of(manifest, kind, name)
                if component is not None and component.stack == stack:
                    components.append(component)
        return components

    def members(self, stack: str) -> list[Component]:
        """The components of a stack, in every manifest that has them."""
        components: list[Component] = []
        for manifest in self.manifests.all():
            if self.namer.uniform(manifest) and stack not in self.names_of(manifest) and stack != manifest.name:
                continue
            for type in manifest.types():
                members = [self.in_manifest(manifest, type, name) for name in manifest.names(type)]
                components += [one for one in members if one is not None and stack in (one.stack, manifest.name)]
        return components

    def _is_path(self, name: str) -> bool:
        session = self.shared.session
        written = name == "." or name.startswith(("./", "../", "/"))
        return written or session.project.door.is_folder(os.path.join(session.folder, name))

    def _by_path(self, name: str, stack: str) -> str:
        """The one component of a stack whose code is in a folder, or around it. A name may look like a path."""
        members = self.members(stack)
        if any(one.name == name for one in members):
            return name
        self.shared.session.project.trace.unfollow("where links lead")
        folder = os.path.realpath(os.path.join(self.shared.session.folder, name))
        deployed = [(os.path.realpath(one.path), one.name) for one in members if not one.abstract]
        around = [(path, user) for path, user in deployed if folder == path or folder.startswith(path + os.sep)]
        nearest_path = max((path for path, _ in around), key=len, default="")
        users = sorted({user for path, user in around if path == nearest_path})
        if len(users) == 1:
            return users[0]
        raise self._no_path(name, stack, folder, users) if users or members else self._not_found(name, stack)

    def _no_path(self, name: str, stack: str, folder: str, users: list[str]) -> PlaitError:
        """Why a path does not name a component: several use it, none does, or it is outside of all code."""
        if users:
            why = f"ambiguous component path `{name}`: {len(users)} components of `{stack}` use it"
            return NO_COMPONENT_PATH.error(
                why=why, notes=tuple(f"  - {user}" for user in users), hint="name one of them"
            )
        shown = self.shared.session.shown
        places = {type: os.path.realpath(self.shared.config.component_path(type)) for type in self._types()}
        if not any(folder.startswith(place + os.sep) for place in places.values()):
            where = tuple(f"  {type}: {shown(place)}" for type, place in places.items())
            why = f"the path `{name}` is not in a folder of components"
            return NO_COMPONENT_PATH.error(why=why, notes=("components are below:", *where), hint="name a component")
        if not self.shared.session.project.door.is_folder(folder):
            return NO_COMPONENT_PATH.error(
                why=f"folder not found: `{name}`", hint=f"plait list instances -s {stack} shows the components"
            )
        why = f"no component of `{stack}` uses the folder `{shown(folder)}`"
        return NO_COMPONENT_PATH.error(why=why, hint=f"plait list instances -s {stack} shows the components")

    def _types(self) -> list[str]:
        return list(dict.fromkeys(type for manifest in self.manifests.all() for type in manifest.types()))

    def _not_found(self, name: str, stack: str) -> PlaitError:
        """Why a component was not found: the stack has another name, does not exist, or does not have the component.
        That comes first, so that a value which reads it fails in the same way whatever else is broken."""
        broken = tuple(self.manifests.broken.problems())
        mine = [
            error
            for owner, error in self.manifests.broken.items()
            if stack == owner[0] or (len(owner) == 1 and stack == owner[0].rpartition("/")[2])
        ]
        if mine:
            return Fault(*(d for error in mine for d in error.diagnostics))
        for manifest in self.manifests.all():
            if manifest.name == stack and (names := self.names_of(manifest)) and stack not in names:
                hint = f"Did you mean `{names[0]}`?\n'plait list stacks' shows all stacks, as 'atmos list stacks' does"
                return INVALID_STACK.error(name=stack, hint=hint)
        names = self.names()
        if stack not in names:
            near = nearest(stack, names, 1)
            hint = f"Did you mean `{near[0]}`?" if near else "plait list stacks shows all stacks"
            why = f"There is no stack `{stack}`"
            return Fault(NO_COMPONENT(component=name, stack=stack, why=why, hint=hint), *broken)
        there = sorted({component.name for component in self.members(stack)})
        near = nearest(name, there, 1)
        others = f"`{stack}` has: {', '.join(there[:8])}{', ...' if len(there) > 8 else ''}"
        hint = f"Did you mean `{near[0]}`?" if near else others
        why = f"The stack `{stack}` has no component `{name}`"
        return Fault(NO_COMPONENT(component=name, stack=stack, why=why, hint=hint), *broken)


def check_same(first: Component, second: Component) -> None:
    """That a component which two manifests of one stack have is written alike in both. Nothing is rendered for it."""
    if first.manifest is second.manifest:
        return
    differences = list(islice(differing(first.root, second.root), SHOWN + 1))
    if not differences:
        return
    labels = [
        Label((one.layers.own if node is None else node).origin, f"as {one.manifest.name} has it")
        for one, node in zip((first, second), differences[0][1:], strict=True)
    ]
    paths = [format_path(path) for path, _, _ in differences[:SHOWN]]
    more = ", ..." if len(differences) > SHOWN else ""
    raise TWICE.error(
        *labels,
        component=second.name,
        stack=second.stack,
        notes=(f"they differ in {', '.join(paths)}{more}",),
        hint="define it in one of these manifests, or write it alike in both",
    )
