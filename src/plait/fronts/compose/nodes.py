"""Small changes of trees that keep where values come from."""

from __future__ import annotations

from plait.core.find import word
from plait.core.node import (
    ListNode,
    MapNode,
    Mark,
    Node,
    Scalar,
    children,
    remade_list,
    remade_map,
    with_changes,
    with_entries,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from plait.core.node import Key

    Change = Callable[[Node], Node]


WORDS = {True: "true", False: "false", None: "null"}


def entries(node: Node | None) -> dict[Key, Node]:
    """The entries of a map that are in the result; none for anything else."""
    if not isinstance(node, MapNode):
        return {}
    return {key: child for key, child in node.entries.items() if not isinstance(child, Mark)}


def is_text(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is not None


def has_variable(words: str) -> bool:
    """Whether a text waits for the value of a variable; `$$` is a dollar sign."""
    return "$" in words.replace("$$", "")


def like(node: Node, value: object, words: str = "") -> Scalar:
    """Another value that comes from the same place, written in its own words or in those that are given."""
    words = words or (WORDS[value] if value is None or isinstance(value, bool) else str(value))
    secret = isinstance(node, Scalar) and node.secret
    return Scalar(value, words, node.source, node.at, None, secret)  # type: ignore[arg-type]


def map_of(node: Node, values: Mapping[Any, Node]) -> MapNode:
    """A map that comes from the place of a node."""
    return MapNode({**values}, node.source, node.at)


def with_defaults(node: Node, values: dict[str, object]) -> Node:
    """A map with values for the keys that it does not have."""
    if not isinstance(node, MapNode):
        return node
    return with_changes(node, {key: like(node, value) for key, value in values.items() if key not in entries(node)})


def list_of(node: Node, values: Iterable[Node]) -> ListNode:
    """A list that comes from the place of a node."""
    return ListNode(list(values), node.source, node.at)


def unmarked(root: Node) -> Node:
    """A tree that removes and replaces nothing of what is below it."""
    made: dict[int, Node] = {}
    for node in _inner_first(root):
        if isinstance(node, MapNode):
            kept = {key: made.get(id(child)) for key, child in node.entries.items()}
            new = with_changes(node, kept)
            made[id(node)] = with_entries(new, new.entries, alone=False) if new.alone else new
        elif isinstance(node, ListNode):
            rows = [(made[id(item)], step, None) for step, item in enumerate(node.items) if id(item) in made]
            same = len(rows) == node.size and all(new is node.items[step] for new, step, _ in rows)
            one = node if same else remade_list(node, rows)
            made[id(node)] = ListNode(one.items, one.source, one.at, one.tag, one.live, one.parts) if one.rule else one
        elif not isinstance(node, Mark):
            made[id(node)] = node
    return made[id(root)]


def _inner_first(root: Node) -> Iterator[Node]:
    """Every node of a tree once, behind what is in it: anchors make one node a part of many."""
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack += [(child, False) for _, child in children(node)]


def items_changed(node: ListNode, change: Change) -> Node:
    """A list with each of its items in another form."""
    items = list(map(change, node.items))
    same = all(new is old for new, old in zip(items, node.items, strict=True))
    return node if same else remade_list(node, ((item, index, change) for index, item in enumerate(items)))


def as_map(node: ListNode) -> MapNode:
    """`[NAME=value, OTHER]` as `{NAME: value, OTHER: null}`."""
    names = {word(item).partition("=")[0]: index for index, item in enumerate(node.items)}
    made: dict[Key, Node] = {name: _pair_value(node.items[index]) for name, index in names.items()}
    return remade_map(node, made, {name: (index, _pair_value) for name, index in names.items()})


def _pair_value(node: Node) -> Node:
    _, equals, value = word(node).partition("=")
    return like(node, value if equals else None)


def changed_at(node: Node, path: tuple[str, ...], change: Change) -> Node:
    """A tree with the values at a path exchanged; `*` is every key or item."""
    if not path:
        return change(node)

    def inner(child: Node) -> Node:
        return changed_at(child, path[1:], change)

    if isinstance(node, MapNode):
        keys = list(node.entries) if path[0] == "*" else [path[0]] if path[0] in node.entries else []
        return with_changes(node, {key: inner(node.entries[key]) for key in keys}, inner)
    return items_changed(node, inner) if path[0] == "*" and isinstance(node, ListNode) else node
