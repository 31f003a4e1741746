"""One component of one stack: its layers, from the root section up to its overrides, merged section by section.

A component is a root of its own: what is written in a catalog is evaluated once for each component that inherits it, and sees
that component's sections. Nothing here evaluates; a section with functions or templates stays a tree that waits.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Key, Mapping, Node, Scalar, Sequence
from plait.core.scope import Place
from plait.fronts.stacks.backend import backend_sections, workspace
from plait.fronts.stacks.config import list_rule
from plait.fronts.stacks.hush import public_value
from plait.fronts.stacks.imports import Manifest, entry, merged
from plait.report.catalog import BAD_MANIFEST, BAD_METADATA, INHERITANCE_CYCLE, NO_BASE
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.run import Run

EMPTY = Mapping({})

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

    __slots__ = (
        "_early",
        "_folder",
        "_metadata",
        "_overrides",
        "_place",
        "_root",
        "_sections",
        "_strategy",
        "chain",
        "manifest",
        "name",
        "own",
        "run",
        "said",
        "stack",
        "type",
    )

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
        self._early: Place | None = None
        self._strategy: str | None = None
        self._folder: str | None = None
        own = manifest.component(type, name)
        assert isinstance(own, Mapping)
        self.own = own
        self.chain = Bases(self).chain(name)
        found = manifest.overrides(type, name)
        self._overrides = found if isinstance(found, Mapping) else None
        self.said = self._said("")
        """What is written about the component by section, the lowest layer first."""

    # Layers

    def _said(self, strategy: str) -> dict[Key, list[tuple[str, Node]]]:
        """The type's section, the bases, the component itself and its overrides, by section; what is null says nothing."""
        manifest, type = self.manifest, self.type
        nodes: list[tuple[str, Node | None]] = [(TYPE, manifest.section(type, strategy))]
        nodes += [(BASE, manifest.component(type, name, strategy)) for name in self.chain]
        nodes += [
            (OWN, manifest.component(type, self.name, strategy) if strategy else self.own),
            (OVERRIDES, self._overrides),
        ]
        said: dict[Key, list[tuple[str, Node]]] = {}
        for kind, node in nodes:
            if not isinstance(node, Mapping):
                continue
            for name, part in node.entries.items():
                if part.__class__ is Scalar and part.value is None:
                    continue
                if name in said:
                    said[name].append((kind, part))
                else:
                    said[name] = [(kind, part)]
        return said

    def layers(self, section: str, wanted: tuple[str, ...] = (), strategy: str = "") -> list[Node]:
        """What each layer says of a section, the lowest first."""
        wanted = wanted or SECTIONS[section]
        parts: list[Node] = []
        if ROOT in wanted and (root := self.manifest.section(section, strategy)) is not None:
            parts.append(root)
        said = self.said if not strategy else self._said(strategy)
        parts += [part for kind, part in said.get(section, ()) if kind in wanted]
        return parts

    @property
    def strategy(self) -> str:
        """How this component's lists are merged: the highest layer of its settings that says so; empty for the usual way."""
        if self._strategy is None:
            self._strategy = ""
            for part in self.layers("settings") if self.manifest.says("list_merge_strategy") else ():
                said = entry(part, "list_merge_strategy")
                if said is not None and said.live:
                    said = self.run.settled(said, self.manifest.place.child("settings").child("list_merge_strategy"))
                if isinstance(said, Scalar) and said.value:
                    list_rule(str(said.value), Label.of(said))
                    self._strategy = str(said.value)
            if self._strategy == self.run.config.strategy:
                self._strategy = ""
        return self._strategy

    def section(self, name: str) -> Node:
        """A section, merged; an empty map where nothing says anything."""
        found = self._sections.get(name)
        if found is None:
            strategy = self.strategy
            parts = self.layers(name, SECTIONS[name], strategy)
            if name == "env" and (env := self.run.config.tree.entries.get("env")) is not None:
                parts.insert(0, env)
            found = parts[0] if len(parts) == 1 else merged(parts, self.run.policy(strategy, name)) if parts else EMPTY
            assert found is not None
            self._sections[name] = found
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
            if self.run.config.inherit_metadata:
                parts += [
                    inherited(node)
                    for kind, node in self.said.get("metadata", ())
                    if kind == BASE and isinstance(node, Mapping)
                ]
            own = self.own.entries.get("metadata")
            parts = [part for part in parts if part.entries]  # type: ignore[attr-defined]
            if not parts:
                self._metadata = own if isinstance(own, Mapping) else EMPTY
                return self._metadata
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
        if node is not None and node.live:
            node = self.run.settled(node, self.early.child("metadata").child(name))
        return public_value(node, f"metadata.{name}") if isinstance(node, Scalar) else None

    @property
    def abstract(self) -> bool:
        return is_abstract(self.own.entries.get("metadata"), self.manifest)

    @property
    def enabled(self) -> bool:
        return self.fact("enabled") is not False

    @property
    def folder_name(self) -> str:
        """The folder of the component's code: what it says, what a base that it stands for is called, or its own name."""
        if self._folder is None:
            said = self.metadata.entries.get("component") or self.own.entries.get("component")
            if said is not None and said.live:
                said = self.run.settled(said, self.early.child("metadata").child("component"))
            self._folder = (
                str(public_value(said, "the name of a folder"))
                if isinstance(said, Scalar) and said.value
                else self.name
            )
        return self._folder

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
    def early(self) -> Place:
        """Where words of the component are seen from that decide how it is put together: only its layers are known there."""
        if self._early is None:
            entries = {**self._layered(), "atmos_component": self.run.fact(self.name), "metadata": self.metadata}
            self._early = Place(node=Mapping(entries, live=True))
        return self._early

    @property
    def root(self) -> Mapping:
        """All sections, not yet evaluated."""
        if self._root is None:
            entries = self._layered()
            entries.update(self._facts())
            entries.update(backend_sections(self))
            entries["workspace"] = workspace(self)
            live = any(child.live for child in entries.values())
            self._root = Mapping(entries, self.own.source, self.own.at, None, live, self.own.marks)
        return self._root

    def named_root(self) -> Mapping:
        """The sections that a stack's name can be made of."""
        entries = self._layered()
        entries.update(
            component=self.run.fact(self.folder_name), atmos_component=self.run.fact(self.name), metadata=self.metadata
        )
        return Mapping(entries, self.own.source, self.own.at, None, True)

    def _layered(self) -> dict[Key, Node]:
        """The sections that some layer says something about, and those that there always are."""
        entries: dict[Key, Node] = {name: self.section(name) for name in ALWAYS}
        for name in (*self.manifest.section_names(), *self.said):
            if name in SECTIONS and name not in entries and (node := self.section(str(name))) is not EMPTY:
                entries[name] = node
        return entries

    def _facts(self) -> dict[Key, Node]:
        """What is known about the component without any of its values."""
        fact = self.run.fact
        folder, stack, file = fact(self.folder_name), fact(self.stack), fact(self.manifest.name)
        entries: dict[Key, Node] = {
            "atmos_component": fact(self.name),
            "atmos_stack": stack,
            "stack": stack,
            "atmos_stack_file": file,
            "atmos_manifest": file,
            "component": folder,
            "component_type": fact(self.type),
            "component_info": self.run.component_info(self),
            "metadata": self.metadata,
            "imports": self.run.imports_node(self.manifest),
            "inheritance": self.run.inheritance(self.chain),
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
        for kind, part in reversed(self.said.get(name, ())):
            if kind in layers and not (isinstance(part, Scalar) and part.value == ""):
                return part
        return self.run.fact(self.run.config.command(self.type)) if name == "command" else None


def inherited(node: Mapping) -> Mapping:
    """Metadata of a base as its heirs get it."""
    if all(key in NOT_INHERITED for key in node.entries):
        return EMPTY
    kept: dict[Key, Node] = {key: child for key, child in node.entries.items() if key not in NOT_INHERITED}
    return Mapping(kept, node.source, node.at, None, node.live)


def is_abstract(metadata: Node | None, manifest: Manifest) -> bool:
    """Whether metadata say that a component is only there to be inherited from."""
    said = entry(metadata, "type")
    if said is not None and said.live:
        said = manifest.run.settled(said, manifest.place.child("metadata").child("type"))
    return isinstance(said, Scalar) and said.value == "abstract"


class Bases:
    """The components that one inherits from, in the order in which they apply."""

    def __init__(self, component: Component) -> None:
        self.manifest = component.manifest
        self.type = component.type
        self.component = component.name

    def chain(self, start: str) -> list[str]:
        """All bases, the lowest first; one that is reached twice applies twice. Without recursion."""
        known = self.manifest.chains
        order: list[str] = []
        path: list[str] = [start]
        stack = [(iter(self.direct(start, start)), 0)]
        while stack:
            base = next(stack[-1][0], None)
            if base is None:
                began = stack.pop()[1]
                done = path.pop()
                if path:
                    order.append(done)
                    known[self.type, done] = order[began:]
            elif base in path:
                ring = [*path[path.index(base) :], base]
                raise INHERITANCE_CYCLE.error(
                    *self._labels(ring), chain=" → ".join(ring), hint="remove one of these bases"
                )
            elif (self.type, base) in known:
                order += known[self.type, base]
            else:
                path.append(base)
                stack.append((iter(self.direct(base, start)), len(order)))
        return order

    def direct(self, name: str, start: str) -> list[str]:
        """The bases that a component names itself."""
        node = self.manifest.component(self.type, name)
        assert isinstance(node, Mapping)
        metadata, found = node.entries.get("metadata"), []
        if "component" in node.entries:
            found += self._stands_for(node, name, start)
        said = metadata.entries.get("inherits") if isinstance(metadata, Mapping) else None
        for item in self._inherits(said, name) if said is not None else ():
            word = self._settled(item, "inherits") if item.live else item
            base = str(word.value) if isinstance(word, Scalar) else ""
            if base not in self.manifest.names(self.type):
                raise self._unknown(name, base, item)
            found.append(base)
        return found

    def _stands_for(self, node: Mapping, name: str, start: str) -> list[str]:
        """The base that `component` names, the older way to inherit."""
        legacy = self._settled(node.entries["component"], "component")
        word = legacy.value if isinstance(legacy, Scalar) else None
        if name != start and is_abstract(node.entries.get("metadata"), self.manifest):
            return []
        return [word] if isinstance(word, str) and word != name and word in self.manifest.names(self.type) else []

    def _inherits(self, said: Node, name: str) -> list[Node]:
        """The list of bases in metadata."""
        said = self._settled(said, "inherits") if said.live else said
        if isinstance(said, Sequence):
            return said.items
        if isinstance(said, Scalar) and said.value is None:
            return []
        why = f"`metadata.inherits` of the component '{name}' must be a list, not a {said.kind}"
        raise BAD_MANIFEST.error(Label.of(said), why=why, hint="write `inherits:` with `- base` below it")

    def _settled(self, node: Node, name: str) -> Node:
        return self.manifest.run.settled(node, self.manifest.place.child("metadata").child(name))

    def _unknown(self, name: str, base: str, item: Node) -> PlaitError:
        near = nearest(base, self.manifest.names(self.type), 1)
        hint = f"did you mean `{near[0]}`?" if near else "did you forget an import?"
        return NO_BASE.error(
            Label.of(item, length=len(base)), component=name, manifest=self.manifest.name, base=base, hint=hint
        )

    def _labels(self, ring: list[str]) -> list[Label]:
        nodes = [self.manifest.component(self.type, name) for name in ring[:-1]]
        return [Label.of(node, f"{name} inherits") for name, node in zip(ring, nodes, strict=False) if node is not None]
