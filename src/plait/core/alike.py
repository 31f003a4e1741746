"""Whether values are equal, where a look at a few levels of them tells it: a walk may ask it of every container that it
comes to."""

from __future__ import annotations

from plait.core import native
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, same_scalar

LEVELS = 3
"""How many containers deep a value is looked at."""


def soon_equal(a: Node | None, b: Node | None) -> bool:
    """Whether two nodes are equal and of few levels; what is deeper counts as different."""
    return native.soon_equal(a, b, LEVELS) if native.soon_equal is not None else _soon_equal(a, b)


def unlike(entries: dict[Key, Node], others: dict[Key, Node]) -> list[Key]:
    """The keys of some entries, without those for which others have a value that is soon found to be equal."""
    if native.unlike is not None:
        return native.unlike(entries, others, LEVELS)
    return [key for key, node in entries.items() if not _soon_equal(node, others.get(key))]


def _soon_equal(a: Node | None, b: Node | None) -> bool:
    pairs = [(a, b)]
    for _ in range(LEVELS):
        below: list[tuple[Node | None, Node | None]]
        deeper: list[tuple[Node | None, Node | None]] = []
        for left, right in pairs:
            if isinstance(left, MapNode) and isinstance(right, MapNode):
                if left.is_unbuilt and right.is_unbuilt:  # whoever walks compares them by what is written
                    return False
                if len(left.entries) != len(right.entries) or left.tag != right.tag:
                    return False
                below = [(child, right.entries.get(key)) for key, child in left.entries.items()]
            elif isinstance(left, ListNode) and isinstance(right, ListNode):
                if len(left.items) != len(right.items) or left.tag != right.tag:
                    return False
                below = [*zip(left.items, right.items, strict=True)]
            else:
                below = [(left, right)]
            for one, other in below:
                if one.__class__ is not Scalar:
                    deeper.append((one, other))
                elif not same_scalar(one, other):
                    return False
        if not deeper:
            return True
        pairs = deeper
    return False
