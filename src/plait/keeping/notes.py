"""What a run may take from an earlier run of the same question, and what it leaves for the next one."""

from __future__ import annotations

from plait.access.trace import TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.access.trace import AccessTrace, Input
    from plait.keeping.store import KeptAnswer

NEVER = "there is no answer of an earlier run with the same words, folder, settings and permissions"


class EarlierAnswer:
    """An answer that may not be true any more, because something changed that it read."""

    def __init__(self, answer: KeptAnswer, changed: list[str], others: frozenset[Input], trace: AccessTrace) -> None:
        self.changed = frozenset(changed)
        """The names of the files that changed."""
        self.others = others
        """What else changed that it read."""
        self.trace = trace
        """What it depends on."""
        self.more: dict[str, Any] = answer.record
        self.slice = answer.slice

    def lasting(self, besides: frozenset[Input] = frozenset()) -> AccessTrace:
        """What it depends on besides the files that changed, and besides some inputs that this run asked for itself."""
        self.trace.drop({*besides, *((TEXT, name) for name in self.changed)})
        return self.trace


class RunNotes:
    """What a run may take from an earlier run of the same question, and what it leaves for the next one."""

    __slots__ = ("earlier", "left", "reused", "reused_of", "why")

    def __init__(self) -> None:
        self.earlier: EarlierAnswer | None = None
        """An answer that is not true any more as it is, because some files changed."""
        self.left: dict[str, object] = {}
        self.why: str | None = NEVER
        """Why the answer is computed; None where it is not."""
        self.reused = 0
        """How many answers are those of the earlier run."""
        self.reused_of = "component"
        """What these are about."""
