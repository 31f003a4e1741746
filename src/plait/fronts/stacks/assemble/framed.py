"""A component that writes the same sections as another one of its stack, and has all other sections from that one."""

from __future__ import annotations

from plait.core.node import Key, MapNode, Node, text
from plait.core.scope import Place
from plait.fronts.stacks.assemble.shared import EMPTY
from plait.fronts.stacks.session.nodes import DERIVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.stacks.assemble.layers import ComponentFrame, Siblings
    from plait.fronts.stacks.assemble.section_layers import WrittenLayers
    from plait.fronts.stacks.assemble.shared import Shared
    from plait.fronts.stacks.read.manifest import Manifest


class FramedComponent:
    """A component of which only the sections that it writes are merged; its stack has the other ones already."""

    __slots__ = ("_place", "_root", "frame", "name", "siblings", "stack", "type", "written")

    def __init__(
        self, siblings: Siblings, frame: ComponentFrame, written: WrittenLayers, stack: str, name: str
    ) -> None:
        self.siblings = siblings
        self.frame = frame
        self.written = written
        self.stack = stack
        self.type = siblings.type
        self.name = name
        self._root: MapNode | None = None
        self._place: Place | None = None

    @property
    def shared(self) -> Shared:
        return self.siblings.shared

    @property
    def manifest(self) -> Manifest:
        return self.siblings.manifest

    @property
    def root(self) -> MapNode:
        """All sections, not yet evaluated."""
        if self._root is None:
            self._root = self._merged()
        return self._root

    @property
    def place(self) -> Place:
        """The place from which the component's expressions are evaluated."""
        if self._place is None:
            self._place = Place(node=self.root)
        return self._place

    def _merged(self) -> MapNode:
        """Merge the sections that the component writes, and add those of its stack."""
        siblings, written, live = self.siblings, self.written, self.frame.live
        entries = dict(self.frame.entries)
        entries.update(written_facts(written, siblings.shared, self.type, self.name))
        merge = siblings.shared.policies.merge
        for name, parts in written.plain or ():
            node = merge([*siblings.below(name), *parts], name)
            assert node is not None
            entries[name] = node
            live = live or node.live
        if self.type == "terraform":
            entries.update(siblings.backends()[written.state])
        entries["workspace"] = text(self._workspace(), DERIVED)
        own = written.nodes[-2]
        assert isinstance(own, MapNode)
        return MapNode(entries, own.source, own.at, None, live, own.marks)

    def _workspace(self) -> str:
        """The name of its workspace."""
        if self.frame.default:
            return "default"
        plainly = self.stack if self.written.folder == self.name else f"{self.stack}-{self.name}"
        return plainly.replace("/", "-")


def framed_member(
    siblings: Siblings, stack: str, name: str, written: WrittenLayers | None = None
) -> FramedComponent | None:
    """Return a component in the frame of another one of its stack; None if more has to be looked at than what is
    `written` about it."""
    if not siblings.frames:
        return None
    written = written or siblings.members.written(name)
    first = written.twin
    if written.plain is None and first is not None and first.plain:
        written.plain = [(section, written.parts(section)) for section, _ in first.plain]
        written.state, written.base, written.folder = first.state, first.base, first.folder
    frame = siblings.frames.get((stack, written.names)) if written.plain else None
    if frame is None or (siblings.type == "terraform" and written.state not in siblings.backends()):
        return None
    return FramedComponent(siblings, frame, written, stack, name)


def metadata_parts(shared: Shared, written: WrittenLayers) -> list[Node]:
    """The metadata of a component and what it inherits of those of its bases, the lowest first."""
    nearest, own = written.nearest, _metadata_of(written.nodes[-2])
    if not shared.inherits_metadata:
        parts: list[Node] = []
    elif nearest is None:
        parts = _inherited_metadata(shared, written.nodes[:-2])
    else:
        if nearest.heirs_metadata is None:
            nearest.heirs_metadata = _inherited_metadata(shared, nearest.nodes[:-1])
        parts = nearest.heirs_metadata
    return [*parts, own] if own is not None else list(parts)


def _inherited_metadata(shared: Shared, bases: Iterable[Node | None]) -> list[Node]:
    """What some bases say about themselves, as heirs get it."""
    found = [shared.known.inherited(one) for one in map(_metadata_of, bases) if one is not None]
    return [one for one in found if one.entries]


def _metadata_of(node: Node | None) -> MapNode | None:
    found = node.entries.get("metadata") if isinstance(node, MapNode) else None
    return found if isinstance(found, MapNode) else None


def written_facts(written: WrittenLayers, shared: Shared, type: str, name: str) -> dict[Key, Node]:
    """What is known of a plain component from what is written about it (`WRITTEN_FACTS`)."""
    if not written.facts:
        if written.metadata is None:
            merged = shared.policies.merge(metadata_parts(shared, written), "metadata", "")
            written.metadata = merged if isinstance(merged, MapNode) else EMPTY
        assert written.base is not None
        assert written.folder is not None
        code = shared.facts_of_code(type, written.base, written.folder, written.chain)
        written.facts = {"atmos_component": shared.fact(name), "metadata": written.metadata, **code}
    return written.facts
