"""Counters of the work done. What a run may do is in `access/guard.py`, how much of it in `core/meter.py`."""

from __future__ import annotations


class Counters:
    """The work that was done. It does not vary with the machine, as time does."""

    __slots__ = ("calls", "files", "forced", "steps")

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Count from zero."""
        self.files = self.forced = self.steps = self.calls = 0

    def as_dict(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}
