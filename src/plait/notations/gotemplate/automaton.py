"""Matching in one reading of the text, whatever the pattern: all ways to match are followed at once.

A pattern is a tree of parts. It can be written as a Python pattern, or run here: as instructions that threads follow,
one character at a time, threads of higher priority first. The time is at most text times pattern.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Spans = list[tuple[int, int]]
    Saved = tuple[int, ...]
    """Where each group of a thread begins and ends; -1 for one that took no part yet."""


class Part:
    """A part of a pattern."""

    __slots__ = ()

    def parts(self) -> list[Part]:
        return []


class Character(Part):
    """Exactly one character, as Python writes what it may be."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Assertion(Part):
    """Something about the place between two characters, as Python writes it."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Row(Part):
    """Parts, one after the other."""

    __slots__ = ("items",)

    def __init__(self, items: list[Part]) -> None:
        self.items = items

    def parts(self) -> list[Part]:
        return self.items


class Alternatives(Part):
    """One of several parts; the earlier is preferred."""

    __slots__ = ("branches",)

    def __init__(self, branches: list[Part]) -> None:
        self.branches = branches

    def parts(self) -> list[Part]:
        return self.branches


class Repeat(Part):
    """A part, several times; `high` is None where there is no bound."""

    __slots__ = ("body", "greedy", "high", "low")

    def __init__(self, body: Part, low: int, high: int | None, greedy: bool) -> None:
        self.body = body
        self.low = low
        self.high = high
        self.greedy = greedy

    def parts(self) -> list[Part]:
        return [self.body]


class Group(Part):
    """A part whose place is remembered. `number` counts from 0."""

    __slots__ = ("body", "number")

    def __init__(self, body: Part, number: int) -> None:
        self.body = body
        self.number = number

    def parts(self) -> list[Part]:
        return [self.body]


_HOPELESS = 64


def ambiguity(part: Part) -> int:
    """The power of the text's length that going back may cost: 0 for a pattern without choices that grow with it.

    A repetition of something that has choices of its own has no bound at all.
    """
    power = 0
    todo = [part]
    while todo:
        item = todo.pop()
        todo.extend(item.parts())
        if isinstance(item, Repeat) and item.high != 1:
            if _has_choices(item.body):
                return _HOPELESS
            power += item.high is None or item.high > 10
    return power + 1 if power > 1 else power


def _has_choices(part: Part) -> bool:
    todo = [part]
    while todo:
        item = todo.pop()
        if isinstance(item, Alternatives | Repeat):
            return True
        todo.extend(item.parts())
    return False


def may_be_empty(part: Part) -> bool:
    """Whether a part can match nothing."""
    if isinstance(part, Character):
        return False
    if isinstance(part, Alternatives):
        return any(map(may_be_empty, part.branches))
    if isinstance(part, Repeat) and part.low == 0:
        return True
    return all(map(may_be_empty, part.parts()))


def repeats_nothing(part: Part) -> bool:
    """Whether something that can match nothing is repeated without bound: engines differ in what they try then."""
    todo = [part]
    while todo:
        item = todo.pop()
        if isinstance(item, Repeat) and item.high is None and may_be_empty(item.body):
            return True
        todo.extend(item.parts())
    return False


def written(part: Part) -> str:
    """The part as a Python pattern. Nesting is bounded where patterns are parsed."""
    if isinstance(part, Character | Assertion):
        return part.text
    if isinstance(part, Row):
        return "".join(
            f"(?:{written(item)})" if isinstance(item, Alternatives) else written(item) for item in part.items
        )
    if isinstance(part, Alternatives):
        return "|".join(map(written, part.branches))
    if isinstance(part, Group):
        return f"({written(part.body)})"
    assert isinstance(part, Repeat)
    count = f"{{{part.low},{'' if part.high is None else part.high}}}"
    return f"(?:{written(part.body)}){count}{'' if part.greedy else '?'}"


TAKE, CHECK, SPLIT, JUMP, SAVE, DONE = range(6)


class Automaton:
    """A pattern as instructions: (what to do, with what, where else to go)."""

    __slots__ = ("code", "groups")

    def __init__(self, part: Part, groups: int) -> None:
        self.groups = groups
        self.code: list[tuple[int, object, int]] = []
        self._emit(part)
        self.code.append((DONE, None, 0))

    def _emit(self, part: Part) -> None:
        if isinstance(part, Character | Assertion):
            kind = TAKE if isinstance(part, Character) else CHECK
            self.code.append((kind, re.compile(part.text).match, 0))
        elif isinstance(part, Row):
            for item in part.items:
                self._emit(item)
        elif isinstance(part, Alternatives):
            self._branches(part.branches)
        elif isinstance(part, Group):
            self.code.append((SAVE, 2 * part.number + 2, 0))
            self._emit(part.body)
            self.code.append((SAVE, 2 * part.number + 3, 0))
        elif isinstance(part, Repeat):
            self._repeat(part)

    def _branches(self, branches: list[Part]) -> None:
        ends: list[int] = []
        for branch in branches[:-1]:
            split = len(self.code)
            self.code.append((SPLIT, True, 0))
            self._emit(branch)
            ends.append(len(self.code))
            self.code.append((JUMP, None, 0))
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
            self.code.append((SPLIT, part.greedy, 0))
            self._emit(part.body)
        for split in splits:
            self.code[split] = (SPLIT, part.greedy, len(self.code))

    def _endless(self, part: Repeat) -> None:
        """Repetition without bound. Of something that may match nothing, `x*` is `(x+)?`, as in RE2: priorities differ."""
        if part.low == 0 and not may_be_empty(part.body):
            start = len(self.code)
            self.code.append((SPLIT, part.greedy, 0))
            self._emit(part.body)
            self.code.append((JUMP, None, start))
            self.code[start] = (SPLIT, part.greedy, len(self.code))
            return
        skip = len(self.code)
        if part.low == 0:
            self.code.append((SPLIT, part.greedy, 0))
        for _ in range(part.low - 1):
            self._emit(part.body)
        start = len(self.code)
        self._emit(part.body)
        self.code.append((SPLIT, not part.greedy, start))
        if part.low == 0:
            self.code[skip] = (SPLIT, part.greedy, len(self.code))

    def search(self, text: str, start: int) -> Spans | None:
        """The leftmost match, by the priorities of the pattern."""
        best: Saved | None = None
        threads: list[tuple[int, Saved]] = []
        blank = (-1,) * (2 * self.groups + 2)
        for at in range(start, len(text) + 1):
            if best is None:
                threads = [*threads, (0, (at, *blank[1:]))]
            if not threads:
                break
            threads, ended = self._step(text, at, threads)
            best = ended if ended is not None else best
        if best is None:
            return None
        return list(zip(best[::2], best[1::2], strict=True))

    def _step(
        self, text: str, at: int, threads: list[tuple[int, Saved]]
    ) -> tuple[list[tuple[int, Saved]], Saved | None]:
        """All threads by one character: those that live on, and what the best finished one saved."""
        following: list[tuple[int, Saved]] = []
        seen: set[int] = set()
        stack = list(reversed(threads))
        while stack:
            place, saved = stack.pop()
            if place in seen:
                continue
            seen.add(place)
            kind, what, other = self.code[place]
            if kind == TAKE:
                match: Callable[[str, int], object] = what  # type: ignore[assignment]
                if at < len(text) and match(text, at):
                    following.append((place + 1, saved))
            elif kind == DONE:
                return following, (saved[0], at, *saved[2:])
            else:
                stack.extend(self._moves(kind, what, other, place, saved, text, at))
        return following, None

    def _moves(
        self, kind: int, what: object, other: int, place: int, saved: Saved, text: str, at: int
    ) -> list[tuple[int, Saved]]:
        """Where a thread goes without taking a character; the last is the first to go."""
        if kind == JUMP:
            return [(other, saved)]
        if kind == SPLIT:
            return [(other, saved), (place + 1, saved)] if what else [(place + 1, saved), (other, saved)]
        if kind == SAVE:
            assert isinstance(what, int)
            return [(place + 1, (*saved[:what], at, *saved[what + 1 :]))]
        holds: Callable[[str, int], object] = what  # type: ignore[assignment]
        return [(place + 1, saved)] if holds(text, at) else []
