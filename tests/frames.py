"""A stack of Python with few frames left: what recurses over its input fails at a small one, and a test of depth needs
no large one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import stack

LEFT = 300


@contextmanager
def few_frames() -> Iterator[None]:
    """At most `LEFT` calls inside each other from here on."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(stack(0)) + LEFT)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
