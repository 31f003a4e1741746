"""One component of one stack: its layers, from the root section up to its overrides, merged section by section.

A component is a root of its own: what is written in a catalog is evaluated once for each component that inherits it, and sees
that component's sections. Nothing here evaluates; a section with functions or templates stays a tree that waits.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Key, Mapping, Node, Scalar, Sequence, text
from plait.core.scope import Place
from plait.core.source import Source
from plait.fronts.stacks.backend import backend_sections, workspace
from plait.fronts.stacks.config import list_rule
from plait.fronts.stacks.functions import node_of
from plait.fronts.stacks.imports import Manifest, entry, merged
from plait.report.catalog import BAD_METADATA, INHERITANCE_CYCLE, NO_BASE
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.policy import MergePolicy
    from plait.fronts.stacks.run import Run

EMPTY = Mapping({})
DERIVED = Source("plait", given=True)
"""The origin of facts that no file holds: the name of the stack, the component's folder."""

ROOT, TYPE, BASE, OWN, OVERRIDES = "root", "type", "base", "own", "overrides"
EVERYWHERE = (ROOT, TYPE, BASE, OWN, OVERRIDES)
SECTIONS: dict[str, tuple[str, ...]] = {
    "vars": EVERYWHERE,
    "settings": EVERYWHERE,
    "env": EVERYWHERE,
    "auth": EVERYWHERE,
    "hooks": EVERYWHERE,
    "generate": EVERYWHERE,
    "secrets": (ROOT, BASE, OWN, OVERRIDES),
    "providers": (TYPE, BASE, OWN, OVERRIDES),
    "required_providers": (TYPE, BASE, OWN, OVERRIDES),
    "dependencies": (ROOT, TYPE, BASE, OWN),
    "retry": (BASE, OWN, OVERRIDES),
    "source": (BASE, OWN),
    "provision": (BASE, OWN),
    "test": (BASE, OWN),
    "mocks": (BASE, OWN),
}
"""Which layers make a section, the lowest first."""
ALWAYS = ("vars", "settings", "env")
"""Sections that a component has also where no layer says anything."""
WORDS = {"command": EVERYWHERE[1:], "required_version": EVERYWHERE[1:]}
"""Single values, by the layers that may say them."""
ROOT_METADATA = ("labels", "tags", "custom", "enabled", "locked", "terraform_workspace_pattern")
"""What `metadata` at the root of a manifest may say about all components."""
NOT_INHERITED = ("inherits", "type")


class Component:
    """A component in a manifest. `chain` are the bases it inherits from, the lowest first."""

    __slots__ = ("_metadata", "_overrides", "_place", "_root", "_sections", "_strategy", "chain", "manifest", "name", "own", "run", "stack", "type", "type_section")

    def __init__(self, manifest: Manifest, type: str, name: str, stack: str = "") -> None:
        self.run: Run = manifest.run
        self.manifest = manifest
        self.type = type
        self.name = name
        self.stack = stack
        """The name of the stack, once it is known."""
        self._sections: dict[str, Node] = {}
        self._metadata: Mapping | None = None
        self._root: Mapping | None = None
        self._place: Place | None = None
        self._strategy: str | None = None
        own = self._written(name)
        assert own is not None
        self.own = own
        self.chain = Bases(self).chain(name)
        self.type_section = self._known_section(type)
        found = manifest.overrides(type, name)
        self._overrides = found if isinstance(found, Mapping) else None

    def _written(self, name: str) -> Mapping | None:
        """A component of this manifest as the files write it."""
        node = self.manifest.component(self.type, name)
        return node if isinstance(node, Mapping) else None

    def _known_section(self, name: str) -> Mapping:
        node = self.manifest.section(name)
        return node if isinstance(node, Mapping) else EMPTY

    # Layers

    def layers(self, section: str, wanted: tuple[str, ...], strategy: str = "") -> list[Node]:
        """What each layer says of a section, the lowest first."""
        parts: list[Node | None] = []
        if ROOT in wanted:
            parts.append(self.manifest.section(section, strategy))
        if TYPE in wanted:
            above = self.type_section if not strategy else self.manifest.section(self.type, strategy)
            parts.append(entry(above, section))
        if BASE in wanted:
            parts += [entry(self._base(name, strategy), section) for name in self.chain]
        if OWN in wanted:
            own = self.own if not strategy else self.manifest.component(self.type, self.name, strategy)
            parts.append(entry(own, section))
        if OVERRIDES in wanted and self._overrides is not None:
            parts.append(self._overrides.entries.get(section))
        return [part for part in parts if part is not None and not (isinstance(part, Scalar) and part.value is None)]

    def _base(self, name: str, strategy: str) -> Node | None:
        return self.manifest.component(self.type, name, strategy)

    @property
    def strategy(self) -> str:
        """How this component's lists are merged: the highest layer of its settings that says so; empty for the usual way."""
        if self._strategy is None:
            self._strategy = ""
            for part in self.layers("settings", EVERYWHERE):
                said = entry(part, "list_merge_strategy")
                if isinstance(said, Scalar) and said.value:
                    self._strategy = self._checked(said)
            if self._strategy == self.run.config.strategy:
                self._strategy = ""
        return self._strategy

    @staticmethod
    def _checked(said: Scalar) -> str:
        list_rule(str(said.value), Label.of(said))
        return str(said.value)

    def policy(self, section: str) -> MergePolicy:
        return self.run.policy(self.strategy, section)

    def section(self, name: str) -> Node:
        """A section, merged; an empty map where nothing says anything."""
        found = self._sections.get(name)
        if found is None:
            parts = self.layers(name, SECTIONS[name], self.strategy)
            if name == "env" and (env := self.run.config.tree.entries.get("env")) is not None:
                parts.insert(0, env)
            found = self._sections[name] = merged(parts, self.policy(name)) or EMPTY
        return found

    # Metadata

    @property
    def metadata(self) -> Mapping:
        """The component's metadata, over that of its bases and the manifest's."""
        if self._metadata is None:
            parts: list[Node] = []
            root = self.manifest.section("metadata")
            if isinstance(root, Mapping):
                parts.append(self._checked_metadata(root))
            if self.run.config.truth("stacks", "inherit", "metadata", default=True):
                parts += [inherited(found) for name in self.chain if isinstance(found := entry(self._base(name, ""), "metadata"), Mapping)]
            own = self.own.entries.get("metadata")
            parts += [own] if isinstance(own, Mapping) else []
            found = merged(parts, self.run.policy("", "metadata"))
            self._metadata = found if isinstance(found, Mapping) else EMPTY
        return self._metadata

    @staticmethod
    def _checked_metadata(node: Mapping) -> Mapping:
        for key in node.entries:
            if key not in ROOT_METADATA:
                hint = f"there are: {', '.join(ROOT_METADATA)}"
                raise BAD_METADATA.error(Label(node.key_origin(key), length=len(str(key))), name=str(key), hint=hint)
        return node

    def fact(self, name: str) -> object:
        """A plain word of the metadata."""
        node = self.metadata.entries.get(name)
        return node.value if isinstance(node, Scalar) else None

    @property
    def abstract(self) -> bool:
        own = entry(self.own.entries.get("metadata"), "type")
        return isinstance(own, Scalar) and own.value == "abstract"

    @property
    def enabled(self) -> bool:
        return self.fact("enabled") is not False

    @property
    def folder_name(self) -> str:
        """The folder of the component's code: what it says, what a base that it stands for is called, or its own name."""
        said = entry(self.own.entries.get("metadata"), "component") or self.metadata.entries.get("component") or self.own.entries.get("component")
        return str(said.value) if isinstance(said, Scalar) and said.value else self.name

    @property
    def path(self) -> str:
        return os.path.normpath(os.path.join(self.run.config.component_path(self.type), self.folder_name))

    # The whole

    @property
    def place(self) -> Place:
        """Where the component's expressions are seen from."""
        if self._place is None:
            self._place = Place(node=self.root)
        return self._place

    @property
    def root(self) -> Mapping:
        """All sections, not yet evaluated."""
        if self._root is None:
            entries = self._layered()
            entries.update(self._facts())
            entries.update(backend_sections(self))
            entries["workspace"] = fact(workspace(self))
            live = any(child.live for child in entries.values())
            self._root = Mapping(entries, self.own.source, self.own.at, None, live, self.own.marks)
        return self._root

    def named_root(self) -> Mapping:
        """The sections that a stack's name can be made of."""
        entries = self._layered()
        entries.update(component=fact(self.folder_name), atmos_component=fact(self.name), metadata=self.metadata)
        return Mapping(entries, self.own.source, self.own.at, None, True)

    def _layered(self) -> dict[Key, Node]:
        entries: dict[Key, Node] = {}
        for name in SECTIONS:
            node = self.section(name)
            if node is not EMPTY or name in ALWAYS:
                entries[name] = node
        return entries

    def _facts(self) -> dict[Key, Node]:
        """What is known about the component without any of its values."""
        entries: dict[Key, Node] = {
            "atmos_component": fact(self.name),
            "atmos_stack": fact(self.stack),
            "stack": fact(self.stack),
            "atmos_stack_file": fact(self.manifest.name),
            "atmos_manifest": fact(self.manifest.name),
            "component": fact(self.folder_name),
            "component_type": fact(self.type),
            "component_info": node_of({"component_path": self.run.shown(self.path), "component_type": self.type}, DERIVED, 0),
            "metadata": self.metadata,
            "imports": self.run.imports_node(self.manifest),
            "inheritance": node_of(list(reversed(list(dict.fromkeys(self.chain)))), DERIVED, 0),
        }
        if self._overrides is not None:
            entries["overrides"] = self._overrides
        for name, layers in WORDS.items():
            said = self.word(name, layers)
            if said is not None:
                entries[name] = said
        return entries

    def word(self, name: str, layers: tuple[str, ...]) -> Node | None:
        """A single value: the highest layer that says something."""
        said = [part for part in self.layers(name, layers) if not (isinstance(part, Scalar) and part.value == "")]
        if said:
            return said[-1]
        if name != "command":
            return None
        return fact(self.run.config.text("components", self.type, "command") or self.type)


def inherited(node: Mapping) -> Mapping:
    """Metadata of a base as its heirs get it."""
    kept: dict[Key, Node] = {key: child for key, child in node.entries.items() if key not in NOT_INHERITED and key != "component"}
    return Mapping(kept, node.source, node.at, None, node.live)


def fact(value: str) -> Scalar:
    return text(value, DERIVED, 0)


class Bases:
    """The components that one inherits from, in the order in which they apply."""

    def __init__(self, component: Component) -> None:
        self.manifest = component.manifest
        self.type = component.type
        self.component = component.name

    def chain(self, start: str) -> list[str]:
        """All bases, the lowest first; one that is reached twice applies twice. Without recursion."""
        order: list[str] = []
        path: list[str] = [start]
        stack = [iter(self.direct(start, start))]
        while stack:
            base = next(stack[-1], None)
            if base is None:
                stack.pop()
                done = path.pop()
                if path:
                    order.append(done)
            elif base in path:
                ring = [*path[path.index(base) :], base]
                raise INHERITANCE_CYCLE.error(*self._labels(ring), chain=" → ".join(ring), hint="remove one of these bases")
            else:
                path.append(base)
                stack.append(iter(self.direct(base, start)))
        return order

    def direct(self, name: str, start: str) -> list[str]:
        """The bases that a component names itself."""
        node = self.manifest.component(self.type, name)
        found: list[str] = []
        legacy = entry(node, "component")
        metadata = entry(node, "metadata")
        kind = entry(metadata, "type")
        abstract = isinstance(kind, Scalar) and kind.value == "abstract"
        if isinstance(legacy, Scalar) and isinstance(legacy.value, str) and not (abstract and name != start):
            if legacy.value in self.manifest.names(self.type) and legacy.value != name:
                found.append(legacy.value)
        inherits = entry(metadata, "inherits")
        items = inherits.items if isinstance(inherits, Sequence) else []
        for item in items:
            base = str(item.value) if isinstance(item, Scalar) else ""
            if base not in self.manifest.names(self.type):
                raise self._unknown(name, base, item)
            found.append(base)
        return found

    def _unknown(self, name: str, base: str, item: Node) -> PlaitError:
        near = nearest(base, self.manifest.names(self.type), 1)
        hint = f"did you mean `{near[0]}`?" if near else "did you forget an import?"
        return NO_BASE.error(Label.of(item, length=len(base)), component=name, manifest=self.manifest.name, base=base, hint=hint)

    def _labels(self, ring: list[str]) -> list[Label]:
        nodes = [self.manifest.component(self.type, name) for name in ring[:-1]]
        return [Label.of(node, f"{name} inherits") for name, node in zip(ring, nodes, strict=False) if node is not None]
