"""Between nodes and Python's own values, without recursion: functions and templates work on the latter."""

from __future__ import annotations

from plait.core.node import Bound, Key, ListNode, MapNode, Node, Scalar
from plait.core.scope import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.meter import Meter
    from plait.core.source import Computed, Source

CONVERTED = 4
"""Steps for each item of a container that becomes data."""
Value = tuple[Node, Place | None]
"""A node whose outermost kind is known, and where it was found; None for one that was computed."""


def value_of(node: Scalar) -> object:
    return node.value


def plain(node: Node, leaf: Callable[[Scalar], object] = value_of, meter: Meter | None = None) -> object:
    """A finished node as Python's own data. The meter of a run is charged for it."""
    holder: dict[object, object] = {}
    work: list[tuple[Node, Any, object]] = [(node, holder, 0)]
    while work:
        node, target, key = work.pop()
        if meter is not None and isinstance(node, MapNode | ListNode):
            meter.step(CONVERTED * node.size)
        if isinstance(node, MapNode):
            made: dict[object, object] = {}
            for name in node.entries:
                made[plain_key(name)] = None
            target[key] = made
            work.extend((child, made, plain_key(name)) for name, child in node.entries.items())
        elif isinstance(node, ListNode):
            items: list[object] = [None] * len(node.items)
            target[key] = items
            work.extend((child, items, index) for index, child in enumerate(node.items))
        else:
            target[key] = leaf(node) if isinstance(node, Scalar) else None
    return holder[0]


def plain_key(key: Key) -> object:
    """A key as Python's own value."""
    if isinstance(key, str):
        return key
    return key.value if isinstance(key, Scalar) else repr(key)


def bound(node: Node, place: object) -> Node:
    """A value that keeps the place it was found at."""
    return node if place is None else Bound(node, place)  # type: ignore[arg-type]


class External(Scalar):
    """A value that stands for something outside: a file's path, with more to be had by `select`."""

    __slots__ = ("parts",)

    def __init__(self, value: str, parts: dict[str, Node], source: Source | Computed, at: int) -> None:
        super().__init__(value, value, source, at)
        self.parts = parts


class TemplateValue:
    """Something that a template may give although it is not data: it has a text of its own, or may still be asked
    about."""

    __slots__ = ()


class KeptText(str):
    """A text that stays a text, although it reads like a number or a list: what a filter made that writes texts."""

    __slots__ = ()
