"""Plain Python data as a tree: the one way from dicts and lists to nodes. The way back is `core.node.plain_value`."""

from __future__ import annotations

from plait.core.node import Key, ListNode, MapNode, Node, Scalar, Value
from plait.core.source import UNKNOWN, Computed, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Leaf = Callable[[object, Source | Computed, int], Scalar]

CHUNK = 10**4000
"""Python writes no whole number of more than 4,300 digits at once."""


def from_plain(value: object, source: Source | Computed = UNKNOWN, at: int = 0, leaf: Leaf | None = None) -> Node:
    """Plain data as nodes of one origin.

    A node in it stays as it is; `leaf` makes the scalars, else what is not data becomes text. Without recursion.
    """
    leaf = leaf or scalar_of
    if value.__class__ is str:
        return leaf(value, source, at)  # as most are
    nothing = Scalar(None, "null", source, at)
    holder: list[Node] = [nothing]
    work: list[tuple[object, list[Node] | dict[Key, Node], Key | int]] = [(value, holder, 0)]
    live: list[MapNode | ListNode] = []
    while work:
        item, target, key = work.pop()
        node: Node
        if isinstance(item, Node):
            node = item
        elif isinstance(item, dict):
            entries: dict[Key, Node] = {key_of(name): nothing for name in item}
            node = MapNode(entries, source, at)
            live.append(node)
            work.extend((child, entries, name) for name, child in zip(entries, item.values(), strict=True))
        elif isinstance(item, list | tuple | set | frozenset):
            items: list[Node] = [nothing] * len(item)
            node = ListNode(items, source, at)
            live.append(node)
            work.extend((child, items, index) for index, child in enumerate(item))
        else:
            node = leaf(item, source, at)
        target[key] = node  # type: ignore[index]
    for container in reversed(live):  # inner ones were made later
        below = container.entries.values() if isinstance(container, MapNode) else container.items
        container.live = any(child.live for child in below)
    return holder[0]


def scalar_of(value: object, source: Source | Computed = UNKNOWN, at: int = 0) -> Scalar:
    if value.__class__ is str:
        return Scalar(value, value, source, at)
    known: Value = value if value is None or isinstance(value, str | int | float | bool | bytes) else str(value)
    return Scalar(known, written(known), source, at)


def key_of(value: object) -> Key:
    """A key of a dict as one of a mapping."""
    return value if isinstance(value, str) else scalar_of(value)


def written(value: Value) -> str:
    """How a single value is written."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return decimal(value)
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def decimal(value: int) -> str:
    """A whole number in decimal digits, however many.

    >>> decimal(-(10**9000) - 7) == "-1" + "0" * 8999 + "7"
    True
    """
    if -CHUNK < value < CHUNK:
        return str(value)
    pieces: list[str] = []
    rest = abs(value)
    while rest >= CHUNK:
        rest, low = divmod(rest, CHUNK)
        pieces.append(f"{low:04000}")
    return ("-" if value < 0 else "") + str(rest) + "".join(reversed(pieces))
