"""Independent work, done by several processes of this machine at once.

A worker is a copy of this process: it has everything that was read and computed so far, and sends back plain data.
Whatever it cannot finish or would have to report, it leaves to the process that started it: errors, warnings and
questions to the outside come from one place, and results come in the order in which they would come from one process.
"""

from __future__ import annotations

import os
import sys

from plait.access.guard import LeftUndone
from plait.access.trace import AccessTrace
from plait.core.diagnostic import PlaitError
from plait.core.packing import NotFinished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from plait.access.guard import Guard
    from plait.core.diagnostic import Diagnostic

FEW = 8
"""With fewer units than this, workers cost about as much as they save, unless a question knows better: see
docs/large.md."""
CHUNKS = 16
"""Into how many chunks a worker's share is cut: small enough that all of them end at about the same time."""
MOST_JOBS = 64
"""How many workers there can be."""


class Elsewhere:
    """Other machines that answer parts of a question."""

    problems: list[Diagnostic]
    """What they could not do."""

    def answers(self, project: Any, question: dict[str, object], names: list[str]) -> Iterator[Any]:
        """For each of some names the answer and the work it took, in order; None for what is left to this process."""
        raise NotImplementedError


QUOTA = "/sys/fs/cgroup/cpu.max"
"""Where Linux says how much CPU time a container gets in a period: two numbers, or `max` and a number."""


def usable_cores() -> int:
    """How many processes can compute at the same time here."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _quota() or cores)


def free_cores() -> int:
    """How many of these other programs leave to us now: where all are busy, more processes gain only what they take
    from those programs."""
    try:
        idle = (os.cpu_count() or 1) - os.getloadavg()[0]  # of the whole machine, as the load is
    except (AttributeError, OSError):
        return usable_cores()
    return max(1, min(usable_cores(), round(idle)))


def _quota() -> int:
    """How many cores a container gets; 0 where there is no limit."""
    try:
        with open(QUOTA, encoding="ascii") as file:
            given, period = file.read().split()
        return max(1, round(int(given) / int(period))) if given != "max" else 0
    except (OSError, ValueError, ZeroDivisionError):
        return 0


def forked(
    work: Callable[[Any], object],
    units: Sequence[Any],
    jobs: int,
    guard: Guard,
    least: int = FEW,
    trace: AccessTrace | None = None,
) -> Iterator[Any]:
    """The result of each unit, in order; None for what a worker left undone, or where there are no workers.

    `work` gives data that `marshal` understands. With fewer units than `least` there are no workers. `guard` is that of
    the run: what a worker computes does not ask the outside. `trace` is what the run depends on: what workers look at
    is added to it.
    """
    if jobs < 2 or len(units) < max(2, least) or not hasattr(os, "fork") or _has_threads():
        yield from (None for _ in units)
        return
    jobs = min(jobs, MOST_JOBS)
    size = max(1, len(units) // (jobs * CHUNKS))
    chunks = [units[at : at + size] for at in range(0, len(units), size)]
    from plait.access.process_pool import ProcessPool  # few runs have workers

    trace = trace or AccessTrace()
    trace.is_shared = True
    before = trace.size()
    pool = ProcessPool(lambda unit: (attempted(work, unit, guard), trace.since(before)), chunks, jobs)
    try:
        for number, chunk in enumerate(chunks):
            done: list[Any] = pool.result(number) or [(None, None)] * len(chunk)
            for result, looked in done:
                if looked is not None:
                    trace.depend_on(*looked)
                yield result
    finally:
        pool.dismiss()


def not_fine(
    fine: Callable[[Any], bool], units: Sequence[Any], jobs: int, guard: Guard, trace: AccessTrace | None = None
) -> Iterator[Any]:
    """The units that workers did not find to be fine, in order: all of them where there are no workers."""
    found = forked(fine, units, jobs, guard, trace=trace)
    return (unit for unit, passed in zip(units, found, strict=True) if not passed)


def _has_threads() -> bool:
    """Whether other threads run: a copy of this process would not have them."""
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1


def attempted(work: Callable[[Any], object], unit: Any, guard: Guard) -> object:
    """A unit of work in a worker; None where it fails: who started the worker finds out why, and reports it.

    This is the one place where a process learns that it is a worker, which does not ask the outside.
    """
    guard.apart = True
    try:
        return work(unit)
    except (LeftUndone, NotFinished, PlaitError):
        return None
