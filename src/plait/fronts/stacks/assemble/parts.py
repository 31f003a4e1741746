"""What layers say about a component, by section."""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Parts = dict[Key, list[tuple[str, Node]]]
"""What is written, by section, each part with its layer, the lowest first."""
Plain = list[tuple[str, list[Node]]]
"""Sections, and what there is of each, the lowest first."""
ROOT, TYPE, BASE, OWN, OVERRIDES = "root", "type", "base", "own", "overrides"
BACKENDS = ("backend", "backend_type", "remote_state_backend", "remote_state_backend_type")
"""The sections that say where state is kept."""
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


def by_section(nodes: Iterable[tuple[str, Node | None]]) -> Parts:
    """What maps of sections have of each, with their layers; null counts as absent."""
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


class WrittenLayers:
    """What a component, its bases and its overrides say, by section; many stacks may have one of them."""

    __slots__ = ("chain", "facts", "fixed_bases", "folder", "metadata", "names", "nodes", "plain", "sections", "state")

    def __init__(self, chain: list[str], nodes: tuple[Node | None, ...]) -> None:
        self.chain = chain
        self.nodes = nodes
        """The bases, the lowest first, the component itself, and its overrides."""
        layers = [*[BASE] * len(chain), OWN, OVERRIDES]
        self.sections = by_section(zip(layers, nodes, strict=True))
        self.names = tuple(self.sections)
        self.fixed_bases = not any(_names_bases_otherwise(node) for node in nodes)
        """Whether its bases are the same wherever their names lead to the same nodes."""
        self.metadata: Mapping | None = None
        """The metadata of the component over those of its bases, once they are known."""
        self.folder: str | None = None
        """The folder of the component's code, once it is known to be the same everywhere."""
        self.plain: Plain | None = None
        """Its sections, if they do not affect others; empty if they do; None before it was computed."""
        self.facts: dict[Key, Node] = {}
        """What is known of such a component from what is written, and what its state is called."""
        self.state = ""


def _names_bases_otherwise(node: Node | None) -> bool:
    """Whether a component names its bases in the older form, or by a value that has to be computed."""
    if not isinstance(node, Mapping):
        return False
    metadata = node.entries.get("metadata")
    return "component" in node.entries or (metadata is not None and metadata.live)
