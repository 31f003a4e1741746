"""How long something may take, in tests: CPU seconds, of the cheapest of a few runs, on a machine that others use too.

Seconds are those of a usual machine with nothing beside. Neighbours on the same core make the same work cost up to
twice as much CPU time, so a test fails only where every one of `TRIES` runs took more than `BUSY` times its limit as
this machine counts it at that moment. What is meant to be caught (work that doubles, a limit that does not stop it)
misses its limit by far more than that.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

USUAL = 0.023
"""CPU seconds of `_loop` on the machine that limits are meant for."""
BUSY = 1.5
TRIES = 3


def slowness() -> float:
    """How many times slower this machine is just now than the usual one; 1 where it is faster."""
    return max(1.0, min(_loop() for _ in range(3)) / USUAL)


def _loop() -> float:
    begun = process_time()
    kept: dict[int, str] = {}
    for number in range(100_000):
        kept[number % 1000] = str(number)
    return process_time() - begun


def within(limit: float, measure: Callable[[], float]) -> None:
    """Fail if what `measure` returns, the seconds of one run, is above a limit each time."""
    seen: list[float] = []
    for _ in range(TRIES):
        seen.append(measure())
        if seen[-1] < limit or seen[-1] < limit * BUSY * slowness():
            return
    raise AssertionError(
        f"{min(seen):.2f} s of CPU time, where {limit:.2f} s are allowed ({slowness():.1f} times slower)"
    )


def taking(work: Callable[[], object]) -> float:
    """CPU seconds of this process for some work."""
    begun = process_time()
    work()
    return process_time() - begun
