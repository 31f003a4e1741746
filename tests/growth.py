"""What work costs that grows: the steps and bytes that 64 more of something take."""

from __future__ import annotations

from collections.abc import Callable

from plait.core.meter import Meter


def for_64_more(work: Callable[[int], Meter], count: int) -> list[float]:
    """Steps and bytes, from what so many take and twice as many; `work` gives the meter of a run."""
    some, more = work(count), work(2 * count)
    pairs = ((some.steps, more.steps), (some.made, more.made))
    return [(after - before) * 64 / count for before, after in pairs]
