"""Two trees side by side: every place where they differ, under a policy that says which children belong together.

The one comparison of trees, used by `plait diff` (merging/diff.py), spiff's diff, affected components, edits of an
expansion.
"""

from __future__ import annotations

from plait.core.meter import Meter
from plait.core.node import COMPUTED, ListNode, MapNode, Node, Unknown, children, differing_entries, equal, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from plait.core.node import Key

    S = TypeVar("S")
    Side = Node | None
    Pairs = Callable[[tuple[S, ...], Node, Node], Iterable[tuple[S, Side, Side]] | None]
    """The children of two nodes at a path that belong together; None where the two are compared as they are."""

DEEP = 40
"""Steps from which on paths are charged: each of many values far inside has a long one."""
PATH = 64
"""Bytes for a step of a path, which is also printed."""


def differences(before: Side, after: Side, pairs: Pairs[S]) -> Iterator[tuple[tuple[S, ...], Side, Side]]:
    """Every place where two trees differ, in order, and what each has there; None where it has nothing.

    Without recursion.
    """
    meter = Meter()
    stack: list[tuple[tuple[S, ...], Side, Side]] = [((), before, after)]
    while stack:
        path, a, b = stack.pop()
        if a is b:
            continue
        if isinstance(a, Unknown) and isinstance(b, Unknown):
            if not equal(a.over(None), b.over(None)):
                yield path, a, b
            if a.known is not None and b.known is not None:
                stack.append((path, _open(a.known), _open(b.known)))
            continue
        below = pairs(path, a, b) if a is not None and b is not None else None
        rows = list(below) if below is not None else []
        if isinstance(a, OpenList) and isinstance(b, OpenList) and any(isinstance(step, int) for step, *_ in rows):
            below = None  # where its items are in the list, nobody knows
        if below is not None:
            if len(path) > DEEP and len(rows) > 1:
                meter.make(PATH * len(path) * len(rows))
            stack += [((*path, step), left, right) for step, left, right in reversed(rows)]
        elif a is None or b is None or not equal(a, b):
            yield path, _closed(a), _closed(b)


class OpenList(ListNode):
    """The items of a list that are known, where others are not."""

    __slots__ = ()


def _open(node: Node) -> Node:
    """What is known of a value that is partly known: of a list, that something else is in it."""
    if not isinstance(node, ListNode):
        return node
    return OpenList(node.items, node.source, node.at, node.tag)


def _closed(node: Side) -> Side:
    """The same as it is shown."""
    if not isinstance(node, OpenList):
        return node
    return ListNode([text(COMPUTED, node.source, node.at), *node.items], node.source, node.at, node.tag)


def by_position(path: object, a: Node, b: Node) -> list[tuple[Key | int, Side, Side]] | None:
    """Maps by key, lists by position."""
    if a.__class__ is not b.__class__ or not isinstance(a, MapNode | ListNode):
        return None
    if isinstance(a, MapNode) and isinstance(b, MapNode):
        return list(differing_entries(a, b))
    left, right = dict(children(a)), dict(children(b))
    return [(step, left.get(step), right.get(step)) for step in dict.fromkeys([*left, *right])]
