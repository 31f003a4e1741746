"""Where the values of a component come from: its tree, with the roles of all parts and how each came to take part."""

from __future__ import annotations

from functools import cached_property, partial

from plait.core.find import entry
from plait.core.node import Scalar, Suspension
from plait.core.role import BASE
from plait.core.source import Computed
from plait.evaluate.hops import BECAUSE, IMPORTED, INHERITED, READS, Hop
from plait.evaluate.tree import Tree
from plait.fronts.stacks.answers.roles import chains, roles_of
from plait.fronts.stacks.answers.values import known_value
from plait.fronts.stacks.assemble.bases import Bases
from plait.fronts.stacks.read.imports import way_to, ways_from, word_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Node
    from plait.core.path import Path, Step
    from plait.core.role import Role
    from plait.core.scope import Place
    from plait.core.source import Source
    from plait.fronts.stacks.answers.rendered import RenderedManifest
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.read.imports import Way
    from plait.fronts.stacks.read.manifest import Manifest

ENABLED = ("templates", "settings", "enabled")
"""Whether templates are rendered, in the configuration."""
DECIDED: dict[Step, tuple[str, tuple[str, ...], bool]] = {
    "backend": (BECAUSE, ("backend_type",), False),
    "component": (READS, ("metadata", "component"), True),
}
"""Sections that a word of another one decides: what that is to them, where it is, and whether only the component
itself has a say."""
STRATEGY = "list_merge_strategy"
"""How lists are merged, in the settings."""


class ComponentTree(Tree):
    """The values of a component."""

    def __init__(self, component: Component, files: dict[Source, Role] | None = None) -> None:
        """`files` are the roles of the manifest's files, where they are known."""
        evaluator = component.shared.session.evaluator
        roles = partial(roles_of, component, files)
        super().__init__(component.root, evaluator, roles=roles, top=component.place)
        self._component = component
        self._rendered: dict[Source, RenderedManifest | None] = {}
        """The templates of the files that values of it are from."""
        self._importing: dict[Source, list[Node]] = {}
        """The words that import these files."""

    @cached_property
    def _ways(self) -> dict[Manifest, Way]:
        return ways_from(self._component.manifest)

    def force(self, node: Node, place: Place) -> Node:
        component = self._component
        known = None
        if node.live and place.root is component.place:
            known = known_value(component.shared.session, node, component.root)
        return known if known is not None and not known.live else super().force(node, place)

    def list_rule(self) -> Node | None:
        """What names the strategy for lists: of the component's settings, else of the configuration."""
        component = self._component
        given = [entry(component.shared.config.tree, "settings", STRATEGY)]
        given += [entry(part, STRATEGY) for part in component.layers.section_values("settings")]
        found = next((node for node in reversed(given) if node is not None), None)
        source = found.origin.source if found is not None else None
        return found if source is not None and not source.given and source.text else None

    def hops(self, path: Path, node: Node) -> list[Hop]:
        """What else decides a value of this name; and of one that a template of its file wrote, the lines of that, and
        what they read."""
        return [*self._deciding(path), *self._rendered_by(node)]

    def _deciding(self, path: Path) -> list[Hop]:
        """The word of another section that chooses a section, or that a fact about the component is taken from."""
        if not path or path[0] not in DECIDED:
            return []
        word, place, is_own = DECIDED[path[0]]
        node = entry(self._component.layers.own if is_own else self._component.root, *place)
        is_written = node is not None and not node.origin.source.given and bool(node.origin.source.text)
        return [Hop(word, "", place, node.origin, "", node)] if node is not None and is_written else []

    def _rendered_by(self, node: Node) -> list[Hop]:
        if isinstance(node.source, Computed) or node.source.written is None:
            return []
        from plait.fronts.stacks.answers.rendered import RenderedManifest  # few values are asked, and few rendered

        if node.source not in self._rendered:
            way = way_to(self._ways, node.source)
            self._rendered[node.source] = RenderedManifest(self, way) if way else None
        rendered = self._rendered[node.source]
        return rendered.hops(node) if rendered is not None else []

    def arrivals(self, role: Role, node: Node) -> list[Hop]:
        """The words that name the base which a value is inherited from, and those that import its file."""
        component = self._component
        hops: list[Hop] = []
        if role.kind == BASE:
            words = Bases(component.manifest, component.type, component.shared).words(component.name, role.name)
            hops += [_hop(INHERITED, "inheritance", word) for word in words]
        file = file_of(node)
        if file not in self._importing:
            way = way_to(self._ways, file)
            self._importing[file] = [word_of(item) for _, item in way if item is not None]
        hops += [_hop(IMPORTED, "import", word) for word in self._importing[file]]
        return hops + self._settings(node)

    def _settings(self, node: Node) -> list[Hop]:
        """The line of the configuration by which templates are rendered, for a value that one made. What names locals
        is rendered anyway."""
        enabled = entry(self._component.shared.config.tree, *ENABLED)
        made = node.source.text if isinstance(node.source, Computed) else ""
        made = node.expression.text if isinstance(node, Suspension) else made
        if "{{" not in made or ".locals" in made or enabled is None:
            return []
        if enabled.origin.source.given or not enabled.origin.source.text:
            return []  # nobody wrote it
        return [Hop(BECAUSE, "configuration", ENABLED, enabled.origin, "", enabled)]


def _hop(word: str, kind: str, node: Node) -> Hop:
    text = node.text if isinstance(node, Scalar) else node.expression.text if isinstance(node, Suspension) else ""
    return Hop(word, kind, (), node.origin, text)


def file_of(node: Node) -> Source:
    """The text that a node is written in, or the expression that made it."""
    source = node.source
    while isinstance(source, Computed):
        source = source.source
    return source


def file_roles(manifest: Manifest) -> dict[Source, Role]:
    """The roles of the files of a manifest, for the trees of several components."""
    return chains(manifest)


def tree_of(component: Component, files: dict[Source, Role] | None = None) -> Tree:
    """A component as a tree whose values can be read and explained. `files` are the roles of its files, where they are
    known."""
    return ComponentTree(component, files)
