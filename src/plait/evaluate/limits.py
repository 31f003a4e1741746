"""How much work an evaluation may do: budgets, and counters of the work done. What it may do is in `access/guard.py`."""

from __future__ import annotations

BUDGETS = {
    "depth": (1_000, "levels of nesting"),
    "nodes": (1_000_000, "values after aliases are written out"),
    "size": (64_000_000, "bytes of one document"),
    "steps": (10_000_000, "steps of evaluation"),
    "seconds": (60, "seconds for one command"),
    "call": (30, "seconds for one call to the outside"),
}


class Budgets:
    """How much a run may use; each has a default, a flag (`--max-NAME`) and a key of plait.yaml."""

    __slots__ = tuple(BUDGETS)
    depth: int
    nodes: int
    size: int
    steps: int
    seconds: int
    call: int

    def __init__(self, **limits: int) -> None:
        for name, (default, _) in BUDGETS.items():
            setattr(self, name, limits.get(name, default))


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
