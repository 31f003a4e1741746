"""A pattern as a tree of parts."""

from __future__ import annotations

from plait.regexp.characters import Characters

BEGIN_TEXT, END_TEXT, BEGIN_LINE, END_LINE, BOUNDARY, NO_BOUNDARY = range(6)
"""What a pattern can say about the place between two characters."""


class PatternPart:
    """A part of a pattern."""

    __slots__ = ()

    def parts(self) -> list[PatternPart]:
        return []


class Character(PatternPart):
    """Exactly one character of a set."""

    __slots__ = ("set",)

    def __init__(self, of: Characters) -> None:
        self.set = of


class Assertion(PatternPart):
    """Something about the place between two characters."""

    __slots__ = ("what",)

    def __init__(self, what: int) -> None:
        self.what = what


class PartSequence(PatternPart):
    """Parts, one after the other."""

    __slots__ = ("items",)

    def __init__(self, items: list[PatternPart]) -> None:
        self.items = items

    def parts(self) -> list[PatternPart]:
        return self.items


class Alternatives(PatternPart):
    """One of several parts; the earlier is preferred."""

    __slots__ = ("branches",)

    def __init__(self, branches: list[PatternPart]) -> None:
        self.branches = branches

    def parts(self) -> list[PatternPart]:
        return self.branches


class Repeat(PatternPart):
    """A part, several times; `high` is None where there is no bound."""

    __slots__ = ("body", "greedy", "high", "low")

    def __init__(self, body: PatternPart, low: int, high: int | None, greedy: bool) -> None:
        self.body = body
        self.low = low
        self.high = high
        self.greedy = greedy

    def parts(self) -> list[PatternPart]:
        return [self.body]


class Capture(PatternPart):
    """A part whose place is remembered. `number` counts from 0."""

    __slots__ = ("body", "number")

    def __init__(self, body: PatternPart, number: int) -> None:
        self.body = body
        self.number = number

    def parts(self) -> list[PatternPart]:
        return [self.body]


def may_be_empty(part: PatternPart) -> bool:
    """Whether a part can match nothing. Nesting is bounded where patterns are parsed."""
    if isinstance(part, Character):
        return False
    if isinstance(part, Alternatives):
        return any(map(may_be_empty, part.branches))
    if isinstance(part, Repeat) and part.low == 0:
        return True
    return all(map(may_be_empty, part.parts()))
