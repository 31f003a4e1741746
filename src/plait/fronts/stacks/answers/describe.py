"""The content of `describe`: a component, all stacks, the effective configuration, dependents."""

from __future__ import annotations

from plait.core.find import entry
from plait.core.node import Key, ListNode, MapNode, Node, Scalar
from plait.core.plain import from_plain
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.context import ValueSources
from plait.fronts.stacks.assemble.section_layers import NO_SECTIONS, OTHER_KEYS
from plait.fronts.stacks.session.nodes import DERIVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from plait.fronts.stacks.assemble.components import Member

    M = TypeVar("M", bound=Member)

SCHEMA = (
    "vars",
    "settings",
    "env",
    "backend",
    "metadata",
    "overrides",
    "providers",
    "imports",
    "dependencies",
    "component",
    "hooks",
)
"""The sections that Atmos shows by default."""
HIDDEN = ("auth", "generate", "secrets", "required_providers", "retry", "source", "provision", "test", "mocks")
"""The sections of terraform components that it leaves out by default. All others are shown: those of other types, and
those that plait does not know."""


def shown_usually(names: Iterable[Key], type: str) -> list[Key]:
    """Those of the sections of a component that are shown unless everything is asked for."""
    others = OTHER_KEYS.get(type, NO_SECTIONS)
    return [name for name in names if name in SCHEMA or (name not in others and name not in HIDDEN)]


def described(
    component: Component, everything: bool = False, include_empty: bool = False, reveal: bool = False
) -> MapNode:
    """A component, evaluated: its sections, or its sections and all facts about it."""
    root = component.root
    names = list(root.entries) if everything else shown_usually(root.entries, component.type)
    wanted = MapNode({name: root.entries[name] for name in names}, root.source, root.at, None, root.live)
    made = component.shared.session.complete(wanted, component.place)
    assert isinstance(made, MapNode)
    entries: dict[Key, Node] = {name: printed_section(str(name), node) for name, node in made.entries.items()}
    if everything:
        entries.update(sources(component, entries, reveal))
    kept = {name: node for name, node in entries.items() if include_empty or not is_empty(node)}
    return MapNode(kept, root.source, root.at)


def printed_section(name: str, node: Node) -> Node:
    """A section as it is printed. An environment variable that is null is left out."""
    if name != "env" or not isinstance(node, MapNode):
        return node
    kept = {
        key: child for key, child in node.entries.items() if not (isinstance(child, Scalar) and child.value is None)
    }
    return MapNode(kept, node.source, node.at, None, False, parts=node.parts)


def is_empty(node: Node) -> bool:
    if isinstance(node, MapNode):
        return not node.entries
    return not node.items if isinstance(node, ListNode) else isinstance(node, Scalar) and node.value in (None, "")


def sources(component: Component, entries: dict[Key, Node], reveal: bool = False) -> dict[Key, Node]:
    """For each value of some sections, the files that mention it; and the list of these files."""
    table = ValueSources(component, tree_of(component).account(), entries, reveal).table()
    return {name: from_plain(value, DERIVED) for name, value in table.items()}


ONLY_BY_ITSELF = ("imports", "spacelift_stack", "atlantis_project")
"""What is shown of a component that is described by itself, and not among others. The imports belong to the
manifest."""


class DescribeFilter:
    """The filter of `describe stacks`: components and sections to show."""

    def __init__(
        self,
        stack: str = "",
        components: Iterable[str] = (),
        types: Iterable[str] = (),
        sections: Iterable[str] = (),
        empty_stacks: bool = False,
        has_names: bool = False,
    ) -> None:
        """`has_names`: whether the names that other tools give to a component are shown, too."""
        self.stack = stack
        self.components = frozenset(components)
        self.types = frozenset(types)
        self.sections = frozenset(sections)
        self.empty_stacks = empty_stacks
        self.has_names = has_names
        self._left_out = ONLY_BY_ITSELF[:1] if has_names else ONLY_BY_ITSELF

    def words(self) -> dict[str, object]:
        """The arguments that create the same filter, as plain data."""
        return {
            "stack": self.stack,
            "components": sorted(self.components),
            "types": sorted(self.types),
            "sections": sorted(self.sections),
            "empty_stacks": self.empty_stacks,
            "has_names": self.has_names,
        }

    def among(self, components: Iterable[M]) -> Iterable[M]:
        """Those of some components that are shown."""
        return filter(self.takes, components) if self.components or self.types else components

    def takes(self, component: Member) -> bool:
        return self.takes_named(component.type, component.name)

    def takes_named(self, type: str, name: str) -> bool:
        return (not self.components or name in self.components) and (not self.types or type in self.types)

    def shows(self, section: Key, type: str) -> bool:
        """Whether a section of components of a type is shown. Only those of terraform have workspaces."""
        if section in self._left_out or (section == "workspace" and type != "terraform"):
            return False
        return not self.sections or section in self.sections


def depends_on(component: Component) -> list[tuple[str, str]]:
    """The components that a component names in `dependencies.components` or `settings.depends_on`, each with its stack,
    if it names one."""
    dependencies: list[tuple[str, str]] = []
    wanted = entry(component.root.entries.get("dependencies"), "components")
    older = entry(component.root.entries.get("settings"), "depends_on")
    items = list(wanted.items) if isinstance(wanted, ListNode) else []
    items += list(older.entries.values()) if isinstance(older, MapNode) else []
    for item in items:
        name, stack = entry(item, "component"), entry(item, "stack")
        if isinstance(name, Scalar):
            dependencies.append(
                (str(name.value), str(stack.value) if isinstance(stack, Scalar) and stack.value else "")
            )
    return dependencies
