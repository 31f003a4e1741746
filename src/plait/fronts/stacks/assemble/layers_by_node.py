"""What was made of nodes that many stacks have: found again by the identity of these nodes, which it keeps."""

from __future__ import annotations

from plait.core.node import Key, ListNode, MapNode, Node, Scalar
from plait.fronts.stacks.assemble.section_layers import WrittenLayers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.read.manifest import Manifest

MANY = 8192
"""How many components are remembered by what is written about them, for stacks that have the same."""
NOT_INHERITED = ("inherits", "type")
"""Metadata that a component does not get from its bases."""


class LayersByNode:
    """Parts of components that several stacks share."""

    def __init__(self) -> None:
        self._backends: dict[tuple[int, ...], tuple[list[Node], dict[str, dict[Key, Node]]]] = {}
        self.bases: dict[Manifest, tuple[dict[tuple[str, str], list[str]], set[tuple[str, str]]]] = {}
        """For the components of a manifest, by type and name: themselves and their bases, the nearest first, as heirs
        get them; and those that may have others for themselves, since they name a base in the older form."""
        self.written: dict[tuple[str, str, int], WrittenLayers] = {}
        """What is written about components, by type, name and the identity of the node."""
        self._inherited: dict[int, tuple[MapNode, MapNode]] = {}
        self._twins: dict[tuple[object, ...], WrittenLayers] = {}

    def forget(self) -> None:
        """Drop what was made of manifests."""
        self.bases.clear()
        self.written.clear()
        self._backends.clear()
        self._inherited.clear()
        self._twins.clear()

    def remember(self, key: tuple[str, str, int], written: WrittenLayers) -> WrittenLayers:
        """Keep what is written about a component for other stacks that have the same. It keeps its nodes, and so their
        identities."""
        if len(self.written) == MANY:
            self.written.clear()
        self.written[key] = written
        return written

    def heir(
        self, entry: tuple[str, str], own: MapNode, overrides: MapNode | None, base: str, nearest: WrittenLayers
    ) -> WrittenLayers:
        """What is written about a component, by type and name, that has one base. What follows from its keys and
        metadata is taken from the one before it of which the same is written."""
        chain = [*nearest.chain, base]
        nodes = (*nearest.nodes[:-1], own, overrides)
        said = values_of(own.entries.get("metadata")) if overrides is None else None
        if said is None or {part.__class__ for part in own.entries.values()} != {MapNode}:
            return WrittenLayers(chain, nodes, nearest)
        key = (*entry, nearest, *own.entries, said)
        first = self._twins.get(key)
        made = WrittenLayers(chain, nodes, nearest, first)
        if first is None:
            if len(self._twins) == MANY:
                self._twins.clear()
            self._twins[key] = made
        return made

    def backends(self, nodes: list[Node]) -> dict[str, dict[Key, Node]]:
        """The backends of components that say nothing about theirs, by the name of their state; the same for all
        manifests in which the type has the same nodes, none of which has to be computed."""
        if any(node.live for node in nodes):
            return {}
        key = tuple(map(id, nodes))
        if key not in self._backends:
            self._backends[key] = (nodes, {})  # which keeps them, and so their identities
        return self._backends[key][1]

    def inherited(self, metadata: MapNode) -> MapNode:
        """Metadata of a base as its heirs get it."""
        known = self._inherited.get(id(metadata))
        if known is None:
            kept = {key: child for key, child in metadata.entries.items() if key not in NOT_INHERITED}
            heirs = MapNode(kept, metadata.source, metadata.at, None, metadata.live)
            known = self._inherited[id(metadata)] = (metadata, heirs)  # which keeps it, and so its identity
        return known[1]


def values_of(node: Node | None) -> tuple[object, ...] | None:
    """What a map of words and of lists of words says, wherever it is written; None for any other node."""
    if not isinstance(node, MapNode) or node.tag is not None or node.alone:
        return None
    said: list[object] = []
    for key, child in node.entries.items():
        is_list = isinstance(child, ListNode) and child.tag is None and child.rule is None
        said += (key, is_list)
        for word in child.items if isinstance(child, ListNode) and is_list else (child,):
            if not isinstance(word, Scalar) or word.secret or word.tag is not None:
                return None
            said.append(word.value if word.value.__class__ is str else (word.value.__class__, word.text))
    return tuple(said)
