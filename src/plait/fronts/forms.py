"""Values that may be written in several forms, brought into one where layers meet, so that they can be merged.

Each form takes a node and gives it in that form; what has it already, or is not understood, stays as it is.
Every value keeps the place where it was written.
"""

from __future__ import annotations

from plait.core.find import entry, word
from plait.core.floats import shortest
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, is_null, key_text, text, with_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def pairs(node: Node) -> Node:
    """`{NAME: value, OTHER: null}` as `[NAME=value, OTHER]`, in the order of these texts; a single value as a list of
    one, null as an empty list."""
    if is_null(node):
        return ListNode([], node.source, node.at)
    if isinstance(node, MapNode) and all(map(_is_plain, node.entries.values())):
        items: list[Scalar] = [pair for key, value in node.entries.items() for pair in _pairs(key_text(key), value)]
        return ListNode([*sorted(items, key=lambda item: item.text)], node.source, node.at)
    return as_list(node)


def _pairs(name: str, value: Node) -> list[Scalar]:
    if isinstance(value, ListNode):
        return [pair for item in value.items for pair in _pairs(name, item)]
    assert isinstance(value, Scalar)
    made = name if value.value is None else f"{name}={written(value)}"
    return [Scalar(made, made, value.source, value.at, None, value.secret)]


def _is_plain(node: Node) -> bool:
    if isinstance(node, ListNode):
        return all(isinstance(item, Scalar) for item in node.items)
    return isinstance(node, Scalar)


def written(node: Scalar) -> str:
    """A value as Go writes it into a text."""
    value = node.value
    if isinstance(value, bool):
        return "true" if value else "false"
    return shortest(value) if isinstance(value, float) else str(value)


def names(node: Node) -> Node:
    """`[a, b]` as `{a: null, b: null}`; null as an empty map."""
    return _named(node, lambda item: Scalar(None, "", item.source, item.at))


def started(node: Node) -> Node:
    """`[db]` as `{db: {condition: service_started, required: true}}`."""
    return _named(node, lambda item: _map(item, {"condition": _like(item, "service_started"), "required": _true(item)}))


def as_list(node: Node) -> Node:
    """A single value as a list of one."""
    return ListNode([node], node.source, node.at) if _is_text(node) else node


def context(node: Node) -> Node:
    """`build: ./folder` as `build: {context: ./folder}`."""
    return _map(node, {"context": node}) if _is_text(node) else node


def external(node: Node) -> Node:
    """`{external: {name: x}}` as `{external: true, name: x}`; a map that has another name of its own stays."""
    asked = node.entries.get("external") if isinstance(node, MapNode) else None
    if not isinstance(node, MapNode) or not isinstance(asked, MapNode) or _has_two_names(node):
        return node
    named = {key: value for key, value in asked.entries.items() if key == "name"}
    return with_changes(node, {**named, "external": _true(asked)})


def _has_two_names(node: MapNode) -> bool:
    """Whether `name` and `external.name` differ."""
    own, other = entry(node, "name"), entry(node, "external", "name")
    return own is not None and other is not None and word(own) != word(other)


def _true(item: Node) -> Scalar:
    return Scalar(True, "true", item.source, item.at)


def _is_text(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is not None and node.tag is None


def _like(item: Node, value: str) -> Scalar:
    return text(value, item.source, item.at)


def _map(node: Node, entries: dict[Key, Node]) -> MapNode:
    return MapNode(entries, node.source, node.at, live=any(child.live for child in entries.values()))


def _named(node: Node, value: Callable[[Scalar], Node]) -> Node:
    if is_null(node):
        return _map(node, {})
    if not isinstance(node, ListNode) or not all(_is_text(item) for item in node.items):
        return node
    return _map(node, {item.text: value(item) for item in node.items if isinstance(item, Scalar)})


FORMS: dict[str, Callable[[Node], Node]] = {
    "pairs": pairs,
    "names": names,
    "started": started,
    "context": context,
    "external": external,
}
"""The forms that a profile may name."""
