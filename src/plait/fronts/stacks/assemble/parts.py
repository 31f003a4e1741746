"""What layers say about a component, by section."""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Parts = dict[Key, list[tuple[str, Node]]]
"""What is written, by section, each part with its layer, the lowest first."""
ROOT, TYPE, BASE, OWN, OVERRIDES = "root", "type", "base", "own", "overrides"


def by_section(nodes: Iterable[tuple[str, Node | None]]) -> Parts:
    """What maps of sections have of each, with their layers; a null is as if it were not there."""
    found: Parts = {}
    for layer, node in nodes:
        for name, part in node.entries.items() if isinstance(node, Mapping) else ():
            if part.__class__ is Scalar and part.value is None:
                continue
            if name in found:
                found[name].append((layer, part))
            else:
                found[name] = [(layer, part)]
    return found


class Written:
    """What a component, its bases and its overrides say, by section; many stacks may have one of them."""

    __slots__ = ("folder", "metadata", "nodes", "sections")

    def __init__(self, nodes: tuple[Node | None, ...]) -> None:
        self.nodes = nodes
        """The bases, the lowest first, the component itself, and its overrides."""
        layers = [*[BASE] * (len(nodes) - 2), OWN, OVERRIDES]
        self.sections = by_section(zip(layers, nodes, strict=True))
        self.metadata: Mapping | None = None
        """The metadata of the component over those of its bases, once they are known."""
        self.folder: str | None = None
        """The folder of the component's code, once it is known to be the same everywhere."""
