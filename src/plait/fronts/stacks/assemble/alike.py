"""Compares two components as they are written, before anything in them is computed."""

from __future__ import annotations

from plait.core.node import Bound, ListNode, MapNode, Mark, Node, Overlay, Scalar, Suspension, equal, key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from plait.core.path import Path

    Difference = tuple[Path, Node | None, Node | None]
    """A path, and the value on each side."""

PER_MANIFEST = ("atmos_stack_file", "atmos_manifest", "imports", "atmos_stack", "stack")
"""Facts in which a component may differ between the manifests of one stack."""


def differing(first: MapNode, second: MapNode) -> Iterator[Difference]:
    """The differences between two roots, apart from facts about their manifests: each with its path and both values.

    Without recursion.
    """
    pairs: list[Difference] = [((), _comparable(first), _comparable(second))]
    while pairs:
        path, a, b = pairs.pop()
        if a is b:
            continue
        below = _pairs(a, b) if a is not None and b is not None else None
        if below is None:
            yield path, a, b
        else:
            pairs += [((*path, *step), x, y) for step, x, y in reversed(below)]


def _comparable(root: MapNode) -> MapNode:
    return MapNode({key: child for key, child in root.entries.items() if key not in PER_MANIFEST})


def _pairs(a: Node, b: Node) -> list[Difference] | None:
    """The pairs of nodes that remain to be compared below two nodes; None if the two differ."""
    if a.__class__ is not b.__class__:
        return None
    if isinstance(a, MapNode) and isinstance(b, MapNode):
        keys = dict.fromkeys((*a.entries, *b.entries))
        return [((key_text(key),), a.entries.get(key), b.entries.get(key)) for key in keys]
    if isinstance(a, ListNode) and isinstance(b, ListNode):
        return _side_by_side(a.items, b.items, True)
    if isinstance(a, Overlay) and isinstance(b, Overlay):
        return _side_by_side(a.parts, b.parts, False)
    if isinstance(a, Suspension) and isinstance(b, Suspension):
        return [] if a.expression.text == b.expression.text else None
    if isinstance(a, Bound) and isinstance(b, Bound):
        return [((), a.node, b.node)]
    if isinstance(a, Mark) and isinstance(b, Mark):
        return []
    return [] if isinstance(a, Scalar) and equal(a, b) else None


def _side_by_side(a: Sequence[Node], b: Sequence[Node], items: bool) -> list[Difference] | None:
    """Lists of one length, item by item; layers of one value have no step of their own."""
    if len(a) != len(b):
        return None
    return [((at,) if items else (), x, y) for at, (x, y) in enumerate(zip(a, b, strict=True))]
