"""Whether two components are written alike, before anything in them is computed."""

from __future__ import annotations

from plait.core.node import Bound, Mapping, Mark, Node, Overlay, Scalar, Sequence, Suspension, equal

PER_MANIFEST = ("atmos_stack_file", "atmos_manifest", "imports", "atmos_stack", "stack")
"""Facts in which a component may differ between the manifests of one stack."""


def alike(first: Mapping, second: Mapping) -> bool:
    """Whether two roots are the same, facts about their manifests aside. Without recursion."""
    pairs: list[tuple[Node, Node]] = [(_comparable(first), _comparable(second))]
    while pairs:
        a, b = pairs.pop()
        if a is b:
            continue
        below = _pairs(a, b)
        if below is None:
            return False
        pairs += below
    return True


def _comparable(root: Mapping) -> Mapping:
    return Mapping({key: child for key, child in root.entries.items() if key not in PER_MANIFEST})


def _pairs(a: Node, b: Node) -> list[tuple[Node, Node]] | None:
    """What remains to be compared below two nodes; None where they differ."""
    if a.__class__ is not b.__class__:
        return None
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if a.entries.keys() != b.entries.keys():
            return None
        return [(child, b.entries[key]) for key, child in a.entries.items()]
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        return list(zip(a.items, b.items, strict=True)) if len(a.items) == len(b.items) else None
    if isinstance(a, Overlay) and isinstance(b, Overlay):
        return list(zip(a.parts, b.parts, strict=True)) if len(a.parts) == len(b.parts) else None
    if isinstance(a, Suspension) and isinstance(b, Suspension):
        return [] if a.expression.text == b.expression.text else None
    if isinstance(a, Bound) and isinstance(b, Bound):
        return [(a.node, b.node)]
    if isinstance(a, Mark) and isinstance(b, Mark):
        return []
    return [] if isinstance(a, Scalar) and equal(a, b) else None
