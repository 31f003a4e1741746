"""One component of one stack: its sections, merged from its layers, and the facts about it.

A component is a root of its own: what is written in a catalog is evaluated once for each component that inherits it,
and sees that component's sections. A section with functions or templates stays a tree that waits; only words that
decide how the component is put together are asked for here, and asking may have to wait for them (`Blocked`).
"""

from __future__ import annotations

from plait.core.diagnostic import Label, NotKnown
from plait.core.find import entry
from plait.core.node import COMPUTED, Deferred, Key, MapNode, Mark, Node, Scalar
from plait.core.scope import Place
from plait.core.unknown import unknown_of
from plait.fronts.stacks.assemble.backend import WORKSPACES, Backend, has_default_workspace, workspace
from plait.fronts.stacks.assemble.bases import is_abstract
from plait.fronts.stacks.assemble.framed import FramedComponent, framed_member, metadata_parts
from plait.fronts.stacks.assemble.integrations import tool_names
from plait.fronts.stacks.assemble.layers import ComponentFrame, ComponentLayers
from plait.fronts.stacks.assemble.section_layers import (
    BACKENDS,
    NO_SECTIONS,
    OTHER_KEYS,
    WORDS,
    layers_of,
    may_name_spacelift,
    sections_among,
)
from plait.fronts.stacks.assemble.shared import EMPTY
from plait.fronts.stacks.session.secrets import public_value
from plait.report.catalog import BAD_METADATA
from plait.report.unknown import UnknownValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import TypeAlias

    from plait.fronts.stacks.assemble.layers import Siblings
    from plait.fronts.stacks.assemble.section_layers import Plain, WrittenLayers

    Member: TypeAlias = "Component | FramedComponent"
    """A component of a stack, however it is put together."""

ALWAYS = ("vars", "settings", "env")
"""Sections that a component has even if no layer defines them."""
ROOT_METADATA = ("labels", "tags", "custom", "enabled", "locked", "terraform_workspace_pattern")
"""The keys that `metadata` at the root of a manifest may set for all components."""
DECIDING = frozenset(("settings", "component", *WORDS, *BACKENDS))
"""Keys of a component that affect more than their own section."""


ASSEMBLING = 150
"""The steps counted for assembling one component of one stack: a few small files can give every stack every
component."""


class Component:
    """A component in a manifest."""

    __slots__ = (
        "_base",
        "_early",
        "_folder",
        "_metadata",
        "_place",
        "_root",
        "_sections",
        "_siblings",
        "framed",
        "layers",
        "manifest",
        "name",
        "shared",
        "stack",
        "type",
    )

    def __init__(self, siblings: Siblings, name: str) -> None:
        self._siblings = siblings
        self.shared = siblings.shared
        self.shared.session.evaluator.meter.step(ASSEMBLING)
        self.manifest = siblings.manifest
        self.type = siblings.type
        self.name = name
        self.stack = ""
        """The name of the stack, once it is known."""
        self.layers = ComponentLayers(siblings, name)
        self._sections: dict[str, Node] = {}
        self._metadata: MapNode | None = None
        self._root: MapNode | None = None
        self.framed: FramedComponent | None = None
        """Its place among the components of its stack that write the same sections, once it is settled."""
        self._place: Place | None = None
        self._early: Place | None = None
        self._folder: str | None = None
        self._base: str | None = None

    def section(self, name: str) -> Node:
        """A section, merged; an empty map if no layer has it."""
        if name not in self._sections:
            self._merge_sections([name])
        return self._sections[name]

    def _merge_sections(self, names: Collection[str]) -> None:
        """Merge those of some sections that were not merged before."""
        strategy = self.layers.strategy()
        written = self.layers.written
        own = [name for name in names if strategy or name in written]
        self._sections.update(self.layers.sections(own, strategy))
        self._sections.update(self._siblings.sections([name for name in names if name not in own]))
        if "settings" in names and self._is_for_heirs:
            self._sections["settings"] = self._not_deployed(self._sections["settings"])

    @property
    def _is_for_heirs(self) -> bool:
        """Whether Spacelift would have a stack of it, if it were not only inherited from."""
        return self.type == "terraform" and self.abstract

    def _not_deployed(self, settings: Node) -> Node:
        """The settings of a component that is only inherited from: Spacelift makes no stack of it."""
        why = entry(self.layers.own, "metadata", "type")
        assert why is not None
        if not isinstance(entry(settings, "spacelift"), Deferred | MapNode):
            return settings
        without = MapNode({"workspace_enabled": Mark(why.source, why.at, data=why)}, why.source, why.at, live=True)
        made = self.shared.policies.merge(
            [settings, MapNode({"spacelift": without}, why.source, why.at, live=True)], "settings"
        )
        assert made is not None
        return made

    # Metadata

    @property
    def metadata(self) -> MapNode:
        """The component's metadata, over that of its bases and the manifest's."""
        if self._metadata is None:
            root = self.manifest.section("metadata")
            below = [_checked_metadata(root)] if isinstance(root, MapNode) else []
            if below or self._siblings.strategy():
                self._metadata = self._over(below)
            else:
                written = self.layers.shared
                if written.metadata is None:
                    written.metadata = self._over([])
                self._metadata = written.metadata
        return self._metadata

    def _over(self, below: list[MapNode]) -> MapNode:
        """The component's metadata over those of its bases, over some others."""
        parts = [*(part for part in below if part.entries), *metadata_parts(self.shared, self.layers.shared)]
        strategy = self.layers.strategy() if len(parts) > 1 else ""
        whole = self.shared.policies.merge(parts, "metadata", strategy)
        return whole if isinstance(whole, MapNode) else EMPTY

    def fact(self, name: str) -> object:
        """A plain value of the metadata."""
        node = self.metadata.entries.get(name)
        if node is not None and node.live:
            node = self.shared.session.known(node, self.early.child("metadata").child(name))
        return public_value(node, f"metadata.{name}") if isinstance(node, Scalar) else None

    def flag(self, name: str, otherwise: bool) -> object:
        """Whether the metadata say so; `(computed)` where that is not known, which is noted."""
        try:
            found = self.fact(name)
        except NotKnown as error:
            owner = f" of `{self.name}` in `{self.stack}`"
            self.shared.session.trace.unknown.append(UnknownValue(("metadata", name), unknown_of(error), owner))
            return COMPUTED
        return found if isinstance(found, bool) else otherwise

    @property
    def abstract(self) -> bool:
        return is_abstract(self.layers.own.entries.get("metadata"), self.manifest, self.shared.session)

    @property
    def folder_name(self) -> str:
        """The folder of the component's code below that of its type: its `metadata.component`, which heirs get, or
        what its `component` is."""
        if self._folder is None:
            written = self.layers.shared
            given = self.metadata.entries.get("component")
            if self.metadata is not written.metadata or (given is not None and given.live):
                self._folder = self._named(given) or self._pointed()
            else:
                if written.folder is None:
                    written.folder = self._named(given) or self._pointed()
                self._folder = written.folder
        return self._folder

    def _pointed(self) -> str:
        """What the `component` of the component is: its own `metadata.component`, which heirs do not get here; the base
        that it names in the older form; or its own name."""
        if self._base is None:
            written, given = self.layers.shared, entry(self.layers.own, "metadata", "component")
            if given is not None and given.live:
                self._base = self._named(given) or self.name
            else:
                if written.base is None:
                    written.base = self._named(given) or self._siblings.members.bases.pointed(self.name)
                self._base = written.base
        return self._base

    def _named(self, given: Node | None) -> str:
        """The text of a `metadata.component`; empty where there is none."""
        if given is not None and given.live:
            given = self.shared.session.known(given, self.early.child("metadata").child("component"))
        return str(public_value(given, "the name of a folder")) if isinstance(given, Scalar) and given.value else ""

    @property
    def path(self) -> str:
        return self.shared.path(self.type, self.folder_name)

    # The whole

    @property
    def place(self) -> Place:
        """The place from which the component's expressions are evaluated."""
        if self._place is None:
            self._place = Place(node=self.root)
        return self._place

    @property
    def early(self) -> Place:
        """The place from which values are seen that decide how the component is put together: only its layers are known
        there."""
        if self._early is None:
            self._early = Place(node=MapNode(self._layered(), live=True))
        return self._early

    @property
    def root(self) -> MapNode:
        """All sections, not yet evaluated."""
        if self._root is None:
            self._settle()
            if self.framed is not None:
                self._root = self.framed.root
            assert self._root is not None
        return self._root

    def _settle(self) -> None:
        """Put the component together, as far as that may have to wait. One that writes the same sections as another of
        its stack gets the others from there, when its root is asked for."""
        if self._root is not None or self.framed is not None:
            return
        siblings, written = self._siblings, self.layers.shared
        self.framed = framed_member(siblings, self.stack, self.name, written)
        if self.framed is not None:
            return
        plain = self._plain() if siblings.started else None
        siblings.started = True
        if plain is not None and siblings.frames:
            if self.type == "terraform" and written.state not in siblings.backends():
                self._state().shared_sections(siblings.backends())
            self.framed = framed_member(siblings, self.stack, self.name, written)
            if self.framed is not None:
                return
        entries = self._layered()
        entries.update(self._facts())
        entries.update(self._backend())
        own, live = self.layers.own, [name for name, node in entries.items() if node.live]
        if plain is not None:
            others = not {name for name, _ in plain}.issuperset(live)
            siblings.frames[self.stack, written.names] = ComponentFrame(entries, self._default_workspace(), others)
        self._root = MapNode(entries, own.source, own.at, None, bool(live), own.marks)

    def _plain(self) -> Plain | None:
        """The sections that the component defines, if neither they nor its metadata affect other sections; None if they
        do."""
        if not self._siblings.are_usual():
            return None
        written = self.layers.shared
        if written.plain is None:
            written.plain = self._looked_at(written)
        if may_name_spacelift(self._siblings.below("settings")) and self._is_for_heirs:
            return None
        return written.plain or None

    def _looked_at(self, written: WrittenLayers) -> Plain:
        """The same, found out for all components of which the same is written; nothing where they decide."""
        if self.layers.overrides is not None:
            return []
        metadata, sections = self.metadata, self.layers.written
        if metadata.live or not DECIDING.isdisjoint(sections):
            return []
        if may_name_spacelift(part for _, part in sections.get("settings", ())) and self._is_for_heirs:
            return []
        if not WORKSPACES.keys().isdisjoint(metadata.entries):
            return []
        found: Plain = []
        for name in sections_among(sections, self.type):
            wanted = layers_of(name, self.type)
            found.append((name, [part for layer, part in sections[name] if layer in wanted]))
        if not all(parts for _, parts in found):
            return []
        written.state, written.base, written.folder = self._state_name(), self._pointed(), self.folder_name
        return found

    def _layered(self) -> dict[Key, Node]:
        """The sections that some layer has and those that there always are, the metadata and the name."""
        others = OTHER_KEYS.get(self.type, NO_SECTIONS)
        written = (str(name) for name in self.layers.written if name not in others)
        names = dict.fromkeys((*ALWAYS, *self._siblings.listed(), *written))
        self._merge_sections([name for name in names if name not in self._sections])
        sections = {name: self._sections[name] for name in names}
        entries: dict[Key, Node] = {
            name: node for name, node in sections.items() if name in ALWAYS or node is not EMPTY
        }
        entries["atmos_component"] = self.shared.fact(self.name)
        entries["metadata"] = self.metadata
        return entries

    def _facts(self) -> dict[Key, Node]:
        """The facts about the component that do not depend on its values."""
        shared = self.shared
        entries = dict(self._siblings.facts(self.stack))
        entries.update(shared.facts_of_code(self.type, self._pointed(), self.folder_name, self.layers.chain))
        if self.layers.overrides is not None:
            entries["overrides"] = self.layers.overrides
        entries.update(tool_names(self.section("settings"), shared.config))
        words = self.layers.words(WORDS)
        entries["command"] = words.get("command") or shared.command(self.type)
        if "required_version" in words:
            entries["required_version"] = words["required_version"]
        return entries

    def _backend(self) -> dict[Key, Node]:
        """The backend of a component and its workspace."""
        backend = self._state()
        entries = backend.shared_sections(self._siblings.backends()) if self.type == "terraform" else {}
        return {
            **entries,
            "workspace": workspace(self.shared, backend, self.metadata, self.stack, self.name, self.folder_name),
        }

    def _state(self) -> Backend:
        return Backend(self.shared, self.layers, lambda: self.early, self._state_name, self._title)

    def _default_workspace(self) -> bool:
        return has_default_workspace(self.shared, self._state())

    def _state_name(self) -> str:
        """The name of a component's state: its stable name, or what its `component` is."""
        name = str(self.fact("name") or self._pointed())
        return name.replace("/", self.shared.separator) if "/" in name else name

    def _title(self) -> str:
        return f'component "{self.name}" in stack "{self.stack or self.manifest.name}"'


def settle(component: Component) -> Component:
    """The component, whose sections can be read from now on without waiting; or `Blocked`."""
    component._settle()
    return component


def base_name(component: Component) -> str:
    """What the `component` of a component is."""
    return component._pointed()


def places_of(members: Iterable[Member]) -> set[Place]:
    """The places of those components for which something was evaluated."""
    return {member._place for member in members if member._place is not None}


def chain_of(member: Member) -> list[str]:
    """The bases that a component inherits from, the lowest first."""
    return member.layers.chain if isinstance(member, Component) else member.written.chain


def _checked_metadata(node: MapNode) -> MapNode:
    for key in node.entries:
        if key not in ROOT_METADATA:
            hint = f"available: {', '.join(ROOT_METADATA)}"
            raise BAD_METADATA.error(Label(node.key_origin(key), length=len(str(key))), name=str(key), hint=hint)
    return node
