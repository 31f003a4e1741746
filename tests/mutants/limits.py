"""How long work may take: CPU time decides, so that what else the machine does decides nothing; the clock ends what
waits for ever."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")
LONG = 86_400.0
"""Seconds that are as good as no limit."""


class Overdue(Exception):
    """The work was ended because it took too long."""


class Limit(NamedTuple):
    """Seconds of CPU time, of a process and of what it starts, and seconds of the clock."""

    cpu: float = LONG
    clock: float = LONG

    @property
    def is_over(self) -> bool:
        return min(self) <= 0

    def within(self, other: Limit) -> bool:
        return self.cpu <= other.cpu and self.clock <= other.clock

    def cut(self, other: Limit) -> Limit:
        """What both allow."""
        return Limit(min(self.cpu, other.cpu), min(self.clock, other.clock))


class Budget:
    """A limit that runs since it was made."""

    def __init__(self, limit: Limit) -> None:
        self._ends = Limit(spent() + limit.cpu, time.monotonic() + limit.clock)

    @property
    def left(self) -> Limit:
        return Limit(self._ends.cpu - spent(), self._ends.clock - time.monotonic())

    def share(self, count: int) -> Budget:
        """One of so many equal parts of what is left."""
        left = self.left
        return Budget(Limit(left.cpu / count, left.clock / count))


def spent() -> float:
    """The CPU time of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


def spent_by(child: int) -> float:
    """The same of a child; 0 where the system does not tell."""
    try:
        told = Path(f"/proc/{child}/stat").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    return sum(map(int, told.rpartition(")")[2].split()[11:15])) / TICKS
