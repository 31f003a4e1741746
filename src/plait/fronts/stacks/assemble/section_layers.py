"""The values of a component's layers, by section."""

from __future__ import annotations

from functools import lru_cache

from plait.core.node import Key, ListNode, MapNode, Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Parts = dict[Key, list[tuple[str, Node]]]
"""The written values by section, each part with its layer, the lowest first."""
Plain = list[tuple[str, list[Node]]]
"""Sections with their values, the lowest first."""
ROOT, TYPE, BASE, OWN, OVERRIDES = "root", "type", "base", "own", "overrides"
BACKENDS = ("backend", "backend_type", "remote_state_backend", "remote_state_backend_type")
"""The sections that configure where state is stored."""
EVERYWHERE = (ROOT, TYPE, BASE, OWN, OVERRIDES)
PLAIN = ("vars", "settings", "env")
"""The sections whose values depend on the same places of their layers and on nothing else."""
USUAL = (TYPE, BASE, OWN)
"""The layers of a section that Atmos says nothing else about."""
SECTIONS: dict[str, tuple[str, ...]] = {
    "vars": EVERYWHERE,
    "settings": EVERYWHERE,
    "env": EVERYWHERE,
    "auth": EVERYWHERE,
    "hooks": EVERYWHERE,
    "generate": EVERYWHERE,
    "secrets": EVERYWHERE,
    "providers": EVERYWHERE[1:],
    "required_providers": EVERYWHERE[1:],
    "dependencies": EVERYWHERE[:-1],
    "retry": EVERYWHERE[1:],
}
"""Which layers make a section, the lowest first; any other section is made by the usual ones."""
OF_TYPES: dict[str, tuple[str, ...]] = {
    "providers": ("terraform",),
    "required_providers": ("terraform",),
    "required_version": ("terraform",),
    "generate": ("terraform", "kubernetes", "helm"),
}
"""Sections that are for components of some types alone: a layer for all components does not give them to others."""
FOR_ALL = (ROOT, OVERRIDES)
"""The layers for components of all types."""
WORDS = ("command", "required_version")
"""Single values, which any layer but the root of a manifest may have."""
OF_THE_NEAREST = ("command", "backend_type", "remote_state_backend_type")
"""Words that heirs get from the nearest base alone: where it does not say one, that of the type counts."""
FACTS = frozenset(
    (
        *("atmos_component", "atmos_stack", "stack", "atmos_stack_file", "atmos_manifest", "component_type"),
        *("component_info", "imports", "inheritance", "workspace", "spacelift_stack", "atlantis_project"),
        *("sources", "deps", "deps_all", "atmos_cli_config", "cli_args"),
    )
)
"""What plait says about a component; a section of the same name would not be seen."""
WRITTEN_FACTS = ("atmos_component", "metadata", "component", "component_info", "inheritance")
"""What is known of a component from what is written about it."""
NO_SECTIONS = FACTS | {"metadata", "component", "locals", "overrides", *WORDS}
"""Keys of a component that are not merged as sections of their own."""
STATED = NO_SECTIONS | {*BACKENDS}
"""The same for terraform, whose backend is chosen by its type."""
OTHER_KEYS = {"terraform": STATED}
"""The same by type, as far as it is not what all have: a table, because `describe component` asks from many files."""


def is_section(name: Key, type: str) -> bool:
    """Whether a key of a component of a type is a section, merged from its layers."""
    return name not in OTHER_KEYS.get(type, NO_SECTIONS)


def sections_among(names: Iterable[Key], type: str) -> list[str]:
    """Those of some keys of a component that are sections."""
    others = OTHER_KEYS.get(type, NO_SECTIONS)
    return [str(name) for name in names if name not in others]


@lru_cache(maxsize=1_000)
def layers_of(section: Key, type: str) -> tuple[str, ...]:
    """The layers that make a section of components of a type, the lowest first."""
    return among(SECTIONS, section, type)


def among(table: Mapping[str, tuple[str, ...]], section: Key, type: str) -> tuple[str, ...]:
    """The layers that a table has for a section, as far as they are for components of a type, the lowest first."""
    wanted = table.get(str(section), USUAL)
    return wanted if is_for(section, type) else tuple([layer for layer in wanted if layer not in FOR_ALL])


def may_name_spacelift(parts: Iterable[Node]) -> bool:
    """Whether parts of the settings may say something to Spacelift, which makes no stack of an abstract component."""
    return any(not isinstance(part, MapNode) or "spacelift" in part.entries for part in parts)


def is_for(section: Key, type: str) -> bool:
    """Whether what is set for all components is also for those of a type."""
    types = OF_TYPES.get(str(section))
    return types is None or type in types


def by_section(nodes: Iterable[tuple[str, Node | None]]) -> Parts:
    """The values of each section in some maps of sections, with their layers; null counts as absent."""
    found: Parts = {}
    for layer, node in nodes:
        for name, part in node.entries.items() if isinstance(node, MapNode) else ():
            if part.__class__ is Scalar and part.value is None:
                continue
            if name in found:
                found[name].append((layer, part))
            else:
                found[name] = [(layer, part)]
    return found


def over(low: Parts, high: Parts) -> Parts:
    """The values of some layers and of higher ones, by section."""
    both = dict(low)
    for name, parts in high.items():
        both[name] = [*low[name], *parts] if name in low else parts
    return both


class WrittenLayers:
    """The values of a component, its bases and its overrides, by section; several stacks may share one such object."""

    __slots__ = (
        "_inherited",
        "base",
        "chain",
        "facts",
        "fixed_bases",
        "folder",
        "heirs_metadata",
        "known_sections",
        "metadata",
        "names",
        "nearest",
        "nodes",
        "plain",
        "state",
        "twin",
    )

    def __init__(
        self,
        chain: list[str],
        nodes: tuple[Node | None, ...],
        nearest: WrittenLayers | None = None,
        twin: WrittenLayers | None = None,
    ) -> None:
        """`nearest`: the same of the nearest base, if everything else that it inherits from is a base of that one.
        `twin`: what was written before with the same nearest base, the same keys and metadata of the same values, so
        that all that follows from these is the same."""
        self.chain = chain
        self.nearest = nearest
        self.nodes = nodes
        """The bases, the lowest first, the component itself, and its overrides."""
        self.twin = twin
        self.known_sections = _sections(nodes, nearest) if twin is None else None
        """`sections`, once they are known."""
        self.names: tuple[Key, ...] = twin.names if twin is not None else tuple(self.sections())
        self.fixed_bases: bool = twin.fixed_bases if twin is not None else not _name_bases_otherwise(nodes, nearest)
        """Whether its bases are the same wherever their names lead to the same nodes."""
        self._inherited: Parts | None = None
        self.metadata: MapNode | None = None
        """The metadata of the component over those of its bases, once they are known."""
        self.heirs_metadata: list[Node] | None = None
        """The metadata of the component and its bases, as heirs get them, once one asked."""
        self.base: str | None = None
        """What the `component` of the component is, once it is known to be the same everywhere."""
        self.folder: str | None = None
        """The same of the folder of its code."""
        self.plain: Plain | None = None
        """Its sections, if they do not affect others; empty if they do; None before it was computed."""
        self.facts: dict[Key, Node] = {}
        """What is known of such a component from what is written (`WRITTEN_FACTS`), once it was asked for."""
        self.state = ""
        """What the state of such a component is called."""

    def sections(self) -> Parts:
        """The values by section, each part with its layer, the lowest first."""
        if self.known_sections is None:
            self.known_sections = _sections(self.nodes, self.nearest)
        return self.known_sections

    def inherited(self) -> Parts:
        """The values of the component and its bases by section, as heirs get them: without its overrides."""
        if self._inherited is None:
            self._inherited = by_section((BASE, node) for node in self.nodes[:-1])
        return self._inherited

    def parts(self, name: str) -> list[Node]:
        """The values of a section in the component and its bases, the lowest first."""
        own, nearest = self.nodes[-2], self.nearest
        if nearest is None or self.twin is None:
            return [part for _, part in self.sections()[name]]
        found = [part for _, part in nearest.inherited().get(name, ())]
        if isinstance(own, MapNode) and name in own.entries:
            found.append(own.entries[name])
        return found


def _sections(nodes: tuple[Node | None, ...], nearest: WrittenLayers | None) -> Parts:
    own = by_section(((OWN, nodes[-2]), (OVERRIDES, nodes[-1])))
    return over(nearest.inherited() if nearest is not None else by_section((BASE, node) for node in nodes[:-2]), own)


def _name_bases_otherwise(nodes: tuple[Node | None, ...], nearest: WrittenLayers | None) -> bool:
    return any(map(_names_bases_otherwise, nodes[-2:] if nearest is not None and nearest.fixed_bases else nodes))


def _names_bases_otherwise(node: Node | None) -> bool:
    """Whether a component names its bases in the older form, one of them twice, or by a value that has to be
    computed: then it may have others for itself than for its heirs."""
    if not isinstance(node, MapNode):
        return False
    metadata = node.entries.get("metadata")
    if "component" in node.entries or (metadata is not None and metadata.live):
        return True
    given = metadata.entries.get("inherits") if isinstance(metadata, MapNode) else None
    items = given.items if isinstance(given, ListNode) else ()
    return len(items) > 1 and len({item.value for item in items if isinstance(item, Scalar)}) < len(items)
