"""Counters of the work done. What a run may do is in `access/guard.py`, how much of it in `core/meter.py`."""

from __future__ import annotations


class Counters:
    """The work that was done. It does not vary with the machine, as time does."""

    __slots__ = ("calls", "files", "forced", "steps")

    def __init__(self) -> None:
        self.files = 0
        self.forced = 0
        self.steps = 0
        self.calls = 0

    def as_dict(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}
