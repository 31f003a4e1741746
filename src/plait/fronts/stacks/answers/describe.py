"""What `describe` shows: a component, all stacks, the effective configuration, who depends on whom."""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar, Sequence, plain_value
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.layers import EVERYWHERE
from plait.fronts.stacks.ground.nodes import entry, node_of, source_text
from plait.fronts.stacks.read.imports import files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
TRACED = ("vars", "env", "settings", "backend")
"""The sections for which `sources` tells every file."""


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
    told: dict[str, object] = {}
    winners: set[str] = set()
    everyone: set[str] = {component.manifest.name}
    names = {file.scope.file: file.name for file in files_of(component.manifest)}
    for section in TRACED:
        node = entries.get(section)
        rows = (
            {str(key): _source(component, section, key, child, names, reveal) for key, child in node.entries.items()}
            if isinstance(node, Mapping)
            else {}
        )
        for row in rows.values():
            files = [str(dependency["stack_file"]) for dependency in row["stack_dependencies"]]  # type: ignore[attr-defined]
            winners.update(files[:1])
            everyone.update(files)
        if rows:
            told[section] = rows
    lists = {"deps": sorted(winners), "deps_all": sorted(everyone)}
    return {"sources": node_of(told), **{name: node_of(files) for name, files in lists.items()}}


def _source(
    component: Component, section: str, key: Key, value: Node, names: dict[str, str], reveal: bool
) -> dict[str, object]:
    rows: list[dict[str, object]] = []
    layers = component.layers.parts(section, EVERYWHERE, component.layers.strategy())
    for layer in reversed(layers):
        for part in reversed(_parts(layer)):
            node = entry(part, key)
            file = names.get(node.origin.file) if node is not None else None
            if node is not None and file is not None:
                kind = "inline" if file == component.manifest.name else "import"
                said = plain_value(node, reveal) if not node.live else source_text(node)
                rows.append(
                    {"stack_file": file, "stack_file_section": section, "variable_value": said, "dependency_type": kind}
                )
    return {"name": str(key), "final_value": plain_value(value, reveal), "stack_dependencies": rows}


def _parts(node: Node) -> list[Node]:
    """The mappings that a node was merged from, as they were written, the lowest first; each once, where it counts last."""
    found: dict[int, Node] = {}
    seen: set[int] = set()
    stack = [node]
    while stack:  # the highest first
        part = stack.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        inner = getattr(part, "parts", ())
        if inner:
            stack.extend(inner)
        else:
            found[id(part)] = part
    return list(found.values())[::-1]


class Filter:
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

    def takes(self, component: Component) -> bool:
        return (not self.components or component.name in self.components) and (
            not self.types or component.type in self.types
        )


def depends_on(component: Component) -> list[tuple[str, str]]:
    """The components that one names in `dependencies.components` or `settings.depends_on`, each with its stack, or none."""
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
