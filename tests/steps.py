"""Work that can be counted, so that a test of growth measures no time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def steps_of(work: Callable[[], object]) -> int:
    """How many lines of plait's code are run: loops that call nothing are among them."""
    count = 0

    def line(frame: FrameType, event: str, _: object) -> Callable[..., object]:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, _: object) -> Callable[..., object] | None:
        return line if "/plait/" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
