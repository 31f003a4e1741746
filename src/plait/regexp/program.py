"""A pattern as instructions, and the places of its groups in a match.

All ways to match are followed at once, one character at a time, those of higher priority first. The time is at most
text times pattern.
"""

from __future__ import annotations

from plait.regexp.tree import (
    BEGIN_LINE,
    BEGIN_TEXT,
    BOUNDARY,
    END_LINE,
    END_TEXT,
    Alternatives,
    Assertion,
    Capture,
    Character,
    PartSequence,
    PatternPart,
    Repeat,
    may_be_empty,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.meter import Meter

    Spans = list[tuple[int, int]]
    Saved = tuple[int, ...]
    """Where each group of a thread begins and ends; -1 for one that took no part yet."""
    Thread = tuple[int, Saved]

TAKE, CHECK, SPLIT, JUMP, SAVE, DONE = range(6)
LARGEST = 50_000
"""How many instructions a pattern may have."""
EDGE, NEWLINE, WORD, OTHER = range(4)
"""What is beside a place: the end of the text, or a character of some kind."""
_WORDS = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")


def kind_of(character: str) -> int:
    """What kind of neighbour a character is; the empty text is the end of the text."""
    if not character:
        return EDGE
    return NEWLINE if character == "\n" else WORD if character in _WORDS else OTHER


def holds(what: int, before: int, after: int) -> bool:
    """Whether an assertion holds between two neighbours."""
    if what == BEGIN_TEXT:
        return before == EDGE
    if what == END_TEXT:
        return after == EDGE
    if what == BEGIN_LINE:
        return before <= NEWLINE
    if what == END_LINE:
        return after <= NEWLINE
    return ((before == WORD) != (after == WORD)) == (what == BOUNDARY)


class TooLarge(Exception):
    """A pattern has more instructions than allowed."""


class PatternProgram:
    """Instructions: (what to do, with what, where else to go). Backwards, it reads a text from its end."""

    __slots__ = ("anchored", "asserts", "backwards", "code", "groups")

    def __init__(self, part: PatternPart, groups: int, *, backwards: bool = False) -> None:
        self.groups = groups
        self.backwards = backwards
        self.code: list[tuple[int, Any, int]] = []
        self._emit(part)
        self._add(DONE)
        self.asserts = any(kind == CHECK for kind, _, _ in self.code)
        """Whether it matters what is beside a place."""
        first = next((one for one in self.code if one[0] != SAVE), self.code[0])
        self.anchored = not backwards and first[:2] == (CHECK, BEGIN_TEXT)
        """Whether it can match only where the text begins."""

    def _add(self, kind: int, what: Any = None, other: int = 0) -> None:
        if len(self.code) >= LARGEST:
            raise TooLarge
        self.code.append((kind, what, other))

    def _emit(self, part: PatternPart) -> None:
        if isinstance(part, Character):
            self._add(TAKE, part.set)
        elif isinstance(part, Assertion):
            self._add(CHECK, part.what)
        elif isinstance(part, PartSequence):
            for item in reversed(part.items) if self.backwards else part.items:
                self._emit(item)
        elif isinstance(part, Alternatives):
            self._branches(part.branches)
        elif isinstance(part, Capture):
            self._add(SAVE, 2 * part.number + 2)
            self._emit(part.body)
            self._add(SAVE, 2 * part.number + 3)
        elif isinstance(part, Repeat):
            self._repeat(part)

    def _branches(self, branches: list[PatternPart]) -> None:
        ends: list[int] = []
        for branch in branches[:-1]:
            split = len(self.code)
            self._add(SPLIT)
            self._emit(branch)
            ends.append(len(self.code))
            self._add(JUMP)
            self.code[split] = (SPLIT, True, len(self.code))
        self._emit(branches[-1])
        for end in ends:
            self.code[end] = (JUMP, None, len(self.code))

    def _repeat(self, part: Repeat) -> None:
        if part.high is None:
            self._endless(part)
            return
        for _ in range(part.low):
            self._emit(part.body)
        splits: list[int] = []
        for _ in range(part.high - part.low):
            splits.append(len(self.code))
            self._add(SPLIT)
            self._emit(part.body)
        for split in splits:
            self.code[split] = (SPLIT, part.greedy, len(self.code))

    def _endless(self, part: Repeat) -> None:
        """Repetition without bound.

        Of something that may match nothing, `x*` is `(x+)?`, as in RE2: priorities differ.
        """
        if part.low == 0 and not may_be_empty(part.body):
            start = len(self.code)
            self._add(SPLIT)
            self._emit(part.body)
            self._add(JUMP, None, start)
            self.code[start] = (SPLIT, part.greedy, len(self.code))
            return
        skip = len(self.code)
        if part.low == 0:
            self._add(SPLIT)
        for _ in range(part.low - 1):
            self._emit(part.body)
        start = len(self.code)
        self._emit(part.body)
        self._add(SPLIT, not part.greedy, start)
        if part.low == 0:
            self.code[skip] = (SPLIT, part.greedy, len(self.code))

    def spans(self, text: str, start: int, end: int, meter: Meter) -> Spans:
        """The places of the groups in the match that begins and ends here."""
        blank = (-1,) * (2 * self.groups + 2)
        threads: list[Thread] = [(0, (start, *blank[1:]))]
        best: Saved = (start, end, *blank[2:])
        for at in range(start, end + 1):
            meter.step((len(threads) + 1) * (4 + self.groups))
            threads, ended = self._step(text, at, threads)
            best = ended if ended is not None else best
            if not threads:
                break
        return list(zip(best[::2], best[1::2], strict=True))

    def _step(self, text: str, at: int, threads: list[Thread]) -> tuple[list[Thread], Saved | None]:
        """All threads by one character: those that live on, and what the best finished one saved."""
        following: list[Thread] = []
        seen: set[int] = set()
        stack = list(reversed(threads))
        before, after = kind_of(text[at - 1 : at] if at else ""), kind_of(text[at : at + 1])
        while stack:
            place, saved = stack.pop()
            if place in seen:
                continue
            seen.add(place)
            kind, what, other = self.code[place]
            if kind == TAKE:
                if at < len(text) and what.holds(text[at]):
                    following.append((place + 1, saved))
            elif kind == DONE:
                return following, (saved[0], at, *saved[2:])
            elif kind == SAVE:
                stack.append((place + 1, (*saved[:what], at, *saved[what + 1 :])))
            elif kind == CHECK:
                if holds(what, before, after):
                    stack.append((place + 1, saved))
            else:
                stack.extend((target, saved) for target in reversed(targets(kind, what, other, place)))
        return following, None


def targets(kind: int, what: object, other: int, place: int) -> tuple[int, ...]:
    """Where a jump or a split leads, the preferred first."""
    if kind == JUMP:
        return (other,)
    return (place + 1, other) if what else (other, place + 1)
