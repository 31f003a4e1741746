"""Small steps on nodes that every floor takes: plain data as nodes, the entry of a map, a merge of the parts that
exist."""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar, Sequence
from plait.core.source import Computed, Source
from plait.merging.combine import combine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.policy import MergePolicy

DERIVED = Source("plait", given=True)
"""The origin of facts that no file holds: the name of the stack, the component's folder."""


def entry(node: Node | None, *path: Key) -> Node | None:
    """The node at a path of keys, where every step is a map that is known; None otherwise."""
    for key in path:
        node = node.entries.get(key) if isinstance(node, Mapping) else None
    return node


def items_of(node: Node | None) -> list[Node]:
    """The items of a list; none for anything else."""
    return list(node.items) if isinstance(node, Sequence) else []


def merged(parts: list[Node], policy: MergePolicy) -> Node | None:
    """The merge of the parts; None where there are none."""
    if len(parts) < 2:
        return parts[0] if parts else None
    return combine(parts, policy)


def node_of(value: object, source: Source | Computed = DERIVED, at: int = 0) -> Node:
    """Plain data as nodes with one origin. Without recursion."""
    made: list[Node] = [Scalar(None, "null", source, at)]
    work: list[tuple[list[Node] | dict[Key, Node], int | str, object]] = [(made, 0, value)]
    while work:
        target, key, item = work.pop()
        node: Node
        if isinstance(item, dict):
            entries: dict[Key, Node] = dict.fromkeys(map(str, item), made[0])
            node = Mapping(entries, source, at)
            work.extend((entries, str(name), child) for name, child in item.items())
        elif isinstance(item, list | tuple):
            items = [made[0]] * len(item)
            node = Sequence(items, source, at)
            work.extend((items, index, child) for index, child in enumerate(item))
        else:
            node = scalar_of(item, source, at)
        target[key] = node  # type: ignore[index]
    return made[0]


def scalar_of(value: object, source: Source | Computed = DERIVED, at: int = 0) -> Scalar:
    if value is None or isinstance(value, bool):
        return Scalar(value, {None: "null", True: "true", False: "false"}[value], source, at)
    if isinstance(value, int | float):
        return Scalar(value, repr(value), source, at)
    return Scalar(str(value), str(value), source, at)


def leaf_texts(value: object) -> list[str]:
    """The texts of all single values in plain data."""
    found: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif item is not None and not isinstance(item, bool):
            found.append(str(item))
    return found


def source_text(node: Node) -> str:
    """What was written, on one line."""
    expression = getattr(node, "expression", None)
    if expression is not None:
        return str(expression.text)
    if isinstance(node, Scalar):
        return node.text
    return "{...}" if isinstance(node, Mapping) else "[...]"
