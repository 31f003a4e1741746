"""Small changes of trees that keep where values come from."""

from __future__ import annotations

from plait.core.node import Mapping, Mark, Node, Scalar, Sequence, with_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Mapping as Map
    from typing import Any

    from plait.core.node import Key

    Change = Callable[[Node], Node]


WORDS = {True: "true", False: "false", None: "null"}


def entries(node: Node | None) -> dict[Key, Node]:
    """The entries of a map that are in the result; none for anything else."""
    if not isinstance(node, Mapping):
        return {}
    return {key: child for key, child in node.entries.items() if not isinstance(child, Mark)}


def is_text(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is not None


def like(node: Node, value: object) -> Scalar:
    """Another value that comes from the same place."""
    words = WORDS[value] if value is None or isinstance(value, bool) else str(value)
    secret = isinstance(node, Scalar) and node.secret
    return Scalar(value, words, node.source, node.at, None, secret)  # type: ignore[arg-type]


def map_of(node: Node, values: Map[Any, Node]) -> Mapping:
    """A map that comes from the place of a node."""
    return Mapping({**values}, node.source, node.at)


def list_of(node: Node, values: Iterable[Node]) -> Sequence:
    return Sequence(list(values), node.source, node.at)


def changed_at(node: Node, path: tuple[str, ...], change: Change) -> Node:
    """A tree with the values at a path exchanged; `*` is every key or item."""
    if not path:
        return change(node)
    if path[0] == "*" and isinstance(node, Sequence):
        made = [changed_at(item, path[1:], change) for item in node.items]
        same = all(new is old for new, old in zip(made, node.items, strict=True))
        return node if same else list_of(node, made)
    if not isinstance(node, Mapping):
        return node
    keys = list(node.entries) if path[0] == "*" else [path[0]] if path[0] in node.entries else []
    return with_changes(node, {key: changed_at(node.entries[key], path[1:], change) for key in keys})
