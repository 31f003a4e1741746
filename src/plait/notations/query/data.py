"""Between nodes and Python's own values, without recursion: functions and templates work on the latter."""

from __future__ import annotations

from plait.core.node import Bound, Key, Mapping, Node, Scalar, Sequence
from plait.core.node import Value as Plain
from plait.core.scope import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.source import Computed, Source


Value = tuple[Node, Place | None]
"""A node whose outermost kind is known, and where it was found; None for one that was computed."""


def plain(node: Node) -> object:
    """A finished node as Python's own data."""
    holder: dict[object, object] = {}
    work: list[tuple[Node, Any, object]] = [(node, holder, 0)]
    while work:
        node, target, key = work.pop()
        if isinstance(node, Mapping):
            made: dict[object, object] = {}
            for name in node.entries:
                made[plain_key(name)] = None
            target[key] = made
            work.extend((child, made, plain_key(name)) for name, child in node.entries.items())
        elif isinstance(node, Sequence):
            items: list[object] = [None] * len(node.items)
            target[key] = items
            work.extend((child, items, index) for index, child in enumerate(node.items))
        else:
            target[key] = node.value if isinstance(node, Scalar) else None
    return holder[0]


def plain_key(key: Key) -> object:
    """A key as Python's own value."""
    if isinstance(key, str):
        return key
    return key.value if isinstance(key, Scalar) else repr(key)


def node_key(key: object) -> Key:
    return key if isinstance(key, str) else key_of_value(key)


def key_of_value(key: object) -> Node:
    value: Plain = key if isinstance(key, str | int | float | bool | bytes | None) else str(key)
    return Scalar(value, text_of(value))


def text_of(value: Plain) -> str:
    """How a value is written."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return decimal(value)
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


CHUNK = 10**4000
"""Python writes no whole number of more than 4,300 digits at once."""


def decimal(value: int) -> str:
    """A whole number in decimal digits, however many."""
    if -CHUNK < value < CHUNK:
        return str(value)
    pieces: list[str] = []
    rest = abs(value)
    while rest >= CHUNK:
        rest, low = divmod(rest, CHUNK)
        pieces.append(f"{low:04000}")
    return ("-" if value < 0 else "") + str(rest) + "".join(reversed(pieces))


def node_of(value: object, source: Source | Computed, at: int) -> Node:
    """Python's own data as nodes. A node stays what it is; what is not data becomes text."""
    holder: list[Node] = [Scalar(None, "null", source, at)]
    work: list[tuple[object, list[Node] | dict[Key, Node], Key | int]] = [(value, holder, 0)]
    made: list[Mapping | Sequence] = []
    while work:
        value, target, key = work.pop()
        node: Node
        if isinstance(value, Node):
            node = value
        elif isinstance(value, dict):
            entries: dict[Key, Node] = {node_key(name): holder[0] for name in value}
            node = Mapping(entries, source, at)
            made.append(node)
            work.extend((child, entries, name) for name, child in zip(entries, value.values(), strict=True))
        elif isinstance(value, list | tuple | set | frozenset):
            items = [holder[0]] * len(value)
            node = Sequence(items, source, at)
            made.append(node)
            work.extend((child, items, index) for index, child in enumerate(value))
        elif value is None or isinstance(value, str | int | float | bool | bytes):
            node = Scalar(value, text_of(value), source, at)
        else:
            node = Scalar(str(value), str(value), source, at)
        target[key] = node  # type: ignore[index]
    for container in reversed(made):  # inner ones were made later
        below = container.entries.values() if isinstance(container, Mapping) else container.items
        container.live = any(child.live for child in below)
    return holder[0]


def bound(node: Node, place: object) -> Node:
    """A value that keeps the place it was found at."""
    return node if place is None else Bound(node, place)  # type: ignore[arg-type]
