"""What `describe` shows: a component, all stacks, the effective configuration, who depends on whom."""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar, Sequence, plain_value
from plait.core.plain import from_plain
from plait.fronts.stacks.answers.origins import parts_of, tree_of
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.ground.nodes import DERIVED, entry, source_text
from plait.fronts.stacks.read.imports import files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.merging.account import Account

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
"""The sections that are shown unless all of them are asked for."""
Row = dict[str, object]
CONFIGURATION = "configuration"
TRACED = ("vars", "env", "settings", "backend")
"""The sections for which `sources` lists every file."""


def described(
    component: Component, everything: bool = False, include_empty: bool = False, reveal: bool = False
) -> Mapping:
    """A component, evaluated: its sections, or all there is to know."""
    root = component.root
    names = list(root.entries) if everything else [name for name in SCHEMA if name in root.entries]
    wanted = Mapping({name: root.entries[name] for name in names}, root.source, root.at, None, root.live)
    made = component.shared.ground.complete(wanted, component.place)
    assert isinstance(made, Mapping)
    entries: dict[Key, Node] = {name: shown(str(name), node) for name, node in made.entries.items()}
    if everything:
        entries.update(sources(component, entries, reveal))
    kept = {name: node for name, node in entries.items() if include_empty or not is_empty(node)}
    return Mapping(kept, root.source, root.at)


def shown(name: str, node: Node) -> Node:
    """A section as it is printed: a variable of the environment that is null is not set."""
    if name != "env" or not isinstance(node, Mapping):
        return node
    kept = {
        key: child for key, child in node.entries.items() if not (isinstance(child, Scalar) and child.value is None)
    }
    return Mapping(kept, node.source, node.at, None, False, parts=node.parts)


def is_empty(node: Node) -> bool:
    if isinstance(node, Mapping):
        return not node.entries
    return not node.items if isinstance(node, Sequence) else isinstance(node, Scalar) and node.value in (None, "")


def sources(component: Component, entries: dict[Key, Node], reveal: bool = False) -> dict[Key, Node]:
    """For each value of some sections, every file that says something about it; and the files themselves."""
    account = tree_of(component).account()
    names = {file.scope.file: file.name for file in files_of(component.manifest)}
    found: dict[str, object] = {}
    winners: set[str] = set()
    everyone: set[str] = {component.manifest.name}
    for section in TRACED:
        rows: dict[str, Row] = {}
        for key, value in _entries(entries.get(section)).items():
            place = account.find((section, str(key)))
            parts = _dependencies(section, place, names, component.manifest.name, reveal) if place is not None else []
            files = [str(part["stack_file"]) for part in parts if part["dependency_type"] != CONFIGURATION]
            winners.update(files[:1])
            everyone.update(files)
            final = plain_value(value, reveal)
            rows[str(key)] = {"name": str(key), "final_value": final, "stack_dependencies": parts}
        if rows:
            found[section] = rows
    return {
        "sources": from_plain(found, DERIVED),
        "deps": from_plain(sorted(winners), DERIVED),
        "deps_all": from_plain(sorted(everyone), DERIVED),
    }


def _entries(node: Node | None) -> dict[Key, Node]:
    return node.entries if isinstance(node, Mapping) else {}


def _dependencies(section: str, account: Account, names: dict[str, str], own: str, reveal: bool) -> list[Row]:
    """The parts of one value, the highest first; what no file holds is left out."""
    rows: list[Row] = []
    for part in parts_of(account):
        origin = part.node.origin
        if origin.source.given:
            continue
        file = names.get(origin.file)
        kind = CONFIGURATION if file is None else "inline" if file == own else "import"
        value = source_text(part.node) if part.node.live else plain_value(part.node, reveal)
        rows.append(
            {
                "stack_file": file or origin.file,
                "stack_file_section": section,
                "variable_value": value,
                "dependency_type": kind,
            }
        )
    return rows


class DescribeFilter:
    """Which components `describe stacks` shows, and what of them."""

    def __init__(
        self,
        stack: str = "",
        components: Iterable[str] = (),
        types: Iterable[str] = (),
        sections: Iterable[str] = (),
        empty_stacks: bool = False,
    ) -> None:
        self.stack = stack
        self.components = frozenset(components)
        self.types = frozenset(types)
        self.sections = frozenset(sections)
        self.empty_stacks = empty_stacks

    def words(self) -> dict[str, object]:
        """The arguments that make the same filter, as plain data."""
        return {
            "stack": self.stack,
            "components": sorted(self.components),
            "types": sorted(self.types),
            "sections": sorted(self.sections),
            "empty_stacks": self.empty_stacks,
        }

    def takes(self, component: Component) -> bool:
        return (not self.components or component.name in self.components) and (
            not self.types or component.type in self.types
        )


def depends_on(component: Component) -> list[tuple[str, str]]:
    """The components that one names in `dependencies.components` or `settings.depends_on`, each with its stack, or
    none."""
    found: list[tuple[str, str]] = []
    wanted = entry(component.root.entries.get("dependencies"), "components")
    older = entry(component.root.entries.get("settings"), "depends_on")
    items = list(wanted.items) if isinstance(wanted, Sequence) else []
    items += list(older.entries.values()) if isinstance(older, Mapping) else []
    for item in items:
        name, stack = entry(item, "component"), entry(item, "stack")
        if isinstance(name, Scalar):
            found.append((str(name.value), str(stack.value) if isinstance(stack, Scalar) and stack.value else ""))
    return found
