"""Small changes of trees that keep where values come from."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Mark, Node, Parts, Scalar, with_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from plait.core.node import Key

    Change = Callable[[Node], Node]
    Seen = dict[tuple[int, int], tuple[Node, Node]]


WORDS = {True: "true", False: "false", None: "null"}


def entries(node: Node | None) -> dict[Key, Node]:
    """The entries of a map that are in the result; none for anything else."""
    if not isinstance(node, MapNode):
        return {}
    return {key: child for key, child in node.entries.items() if not isinstance(child, Mark)}


def is_text(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is not None


def like(node: Node, value: object) -> Scalar:
    """Another value that comes from the same place."""
    words = WORDS[value] if value is None or isinstance(value, bool) else str(value)
    secret = isinstance(node, Scalar) and node.secret
    return Scalar(value, words, node.source, node.at, None, secret)  # type: ignore[arg-type]


def map_of(node: Node, values: Mapping[Any, Node]) -> MapNode:
    """A map that comes from the place of a node."""
    return MapNode({**values}, node.source, node.at)


def list_of(node: Node, values: Iterable[Node]) -> ListNode:
    return ListNode(list(values), node.source, node.at)


def changed_at(node: Node, path: tuple[str, ...], change: Change) -> Node:
    """A tree with the values at a path exchanged; `*` is every key or item."""
    return _changed_at(node, path, change, {})


def _changed_at(node: Node, path: tuple[str, ...], change: Change, seen: Seen) -> Node:
    """Each node once: a part of a merge is met again inside the merged map."""
    key = (id(node), len(path))
    if key not in seen:
        seen[key] = (node, _changed(node, path, change, seen))
    return seen[key][1]


def _changed(node: Node, path: tuple[str, ...], change: Change, seen: Seen) -> Node:
    if not path:
        return change(node)
    if path[0] == "*" and isinstance(node, ListNode):
        items = [_changed_at(item, path[1:], change, seen) for item in node.items]
        same = all(new is old for new, old in zip(items, node.items, strict=True))
        return node if same else list_of(node, items)
    if not isinstance(node, MapNode):
        return node
    keys = list(node.entries) if path[0] == "*" else [path[0]] if path[0] in node.entries else []
    made = {key: _changed_at(node.entries[key], path[1:], change, seen) for key in keys}
    made = {key: new for key, new in made.items() if new is not node.entries[key]}
    if not made or not node.parts or any(isinstance(new, ListNode) for new in made.values()):
        return with_changes(node, made)
    return _with_history(node, made, path, change, seen)


def _with_history(node: MapNode, made: dict[Any, Node], path: tuple[str, ...], change: Change, seen: Seen) -> MapNode:
    """A merged map with some values changed, in each part that has them: what was overridden stays known."""
    parts: tuple[Node, ...] = tuple(_changed_part(part, path, change, seen) for part in node.parts)
    if isinstance(node.parts, Parts):
        parts = Parts(parts)
        parts.policy = node.parts.policy
    kept = {key: child for key, child in node.entries.items() if key not in made}
    return node.but(entries={**kept, **made}, marks=(), parts=parts)


def _changed_part(part: Node, path: tuple[str, ...], change: Change, seen: Seen) -> Node:
    try:
        return _changed_at(part, path, change, seen)
    except Fault:
        return part  # a value that is overridden may be wrong
