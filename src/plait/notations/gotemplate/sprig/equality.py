"""Whether two values are the same all the way down, types included; without recursion."""

from __future__ import annotations

from plait.notations.gotemplate.values import Object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def deep_equal(left: Any, right: Any) -> bool:
    """Go's DeepEqual."""
    pairs = [(left, right)]
    seen: set[tuple[int, int]] = set()
    while pairs:
        a, b = pairs.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        if isinstance(a, dict | list):
            seen.add((id(a), id(b)))
        if a.__class__ is not b.__class__:
            return False
        if isinstance(a, dict):
            if a.keys() != b.keys():
                return False
            pairs.extend((a[key], b[key]) for key in a)
        elif isinstance(a, list):
            if len(a) != len(b):
                return False
            pairs.extend(zip(a, b, strict=True))
        elif isinstance(a, Object):
            if a.go_string() != b.go_string():
                return False
        elif a != b:
            return False
    return True
