"""Semantic versions, and the constraints they may meet, as Masterminds/semver reads them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_TAIL = r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
_VERSION = re.compile(r"v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?" + _TAIL, re.ASCII)
_WILD = r"[0-9xX*]+"
_CONSTRAINT = re.compile(
    rf"(!=|>=|=>|<=|=<|~>|~|\^|>|<|=|)\s*v?({_WILD})(?:\.({_WILD}))?(?:\.({_WILD}))?" + _TAIL, re.ASCII
)
_HYPHEN = re.compile(rf"\s*(v?{_WILD}[0-9A-Za-z.+*-]*)\s+-\s+(v?{_WILD}[0-9A-Za-z.+*-]*)\s*")


class SemanticVersion:
    """A version: three numbers, and what comes before and beside its release."""

    __slots__ = ("build", "numbers", "original", "prerelease")

    def __init__(
        self, numbers: tuple[int, int, int], prerelease: str = "", build: str = "", original: str = ""
    ) -> None:
        self.numbers = numbers
        self.prerelease = prerelease
        self.build = build
        self.original = original

    def __str__(self) -> str:
        text = ".".join(map(str, self.numbers))
        text += f"-{self.prerelease}" if self.prerelease else ""
        return text + (f"+{self.build}" if self.build else "")

    def order(self) -> tuple[Any, ...]:
        """By this, versions are in order: a release after everything that came before it."""
        parts = tuple(
            (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in self.prerelease.split(".") if part
        )
        return (self.numbers, not self.prerelease, parts)


def version(text: str) -> SemanticVersion:
    """A version, also one written short (1.2) or with a v. ValueError for any other text."""
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ValueError("Invalid Semantic Version")
    major, minor, patch, prerelease, build = match.groups()
    if _has_zeros(prerelease or ""):
        raise ValueError("Version segment starts with 0")
    return SemanticVersion((int(major), int(minor or 0), int(patch or 0)), prerelease or "", build or "", text)


def _has_zeros(prerelease: str) -> bool:
    """Whether one of its numbers begins with a zero."""
    return any(len(part) > 1 and part.isdecimal() and part[0] == "0" for part in prerelease.split("."))


class Constraint:
    """One condition. `open_at` is the first number that is left open (1.x: 1); 3 where none is.

    `*` is compared as 0.0.0.
    """

    __slots__ = ("open_at", "operator", "target")

    def __init__(self, operator: str, target: SemanticVersion, open_at: int) -> None:
        self.operator = operator
        self.target = target
        self.open_at = open_at

    def holds(self, candidate: SemanticVersion) -> bool:
        is_another = self.operator == "!=" and self.open_at == 3
        if candidate.prerelease and not self.target.prerelease and not is_another:
            return False
        return self.fits(candidate)

    def fits(self, candidate: SemanticVersion) -> bool:
        """The same where pre-releases are versions like others."""
        return _CHECKS[self.operator](self, candidate)


def _equal(c: Constraint, v: SemanticVersion) -> bool:
    return v.order() == c.target.order() if c.open_at == 3 else _tilde(c, v)


def _unequal(c: Constraint, v: SemanticVersion) -> bool:
    if c.open_at in (0, 3):
        return v.order() != c.target.order()
    return v.numbers[: c.open_at] != c.target.numbers[: c.open_at]


def _greater(c: Constraint, v: SemanticVersion) -> bool:
    if c.open_at in (0, 3):
        return v.order() > c.target.order()
    return v.numbers[: c.open_at] > c.target.numbers[: c.open_at]


def _less(c: Constraint, v: SemanticVersion) -> bool:
    return v.order() < c.target.order()


def _at_least(c: Constraint, v: SemanticVersion) -> bool:
    return v.order() >= c.target.order()


def _at_most(c: Constraint, v: SemanticVersion) -> bool:
    if c.open_at == 3:
        return v.order() <= c.target.order()
    fixed = c.open_at or 2
    return v.numbers[:fixed] <= c.target.numbers[:fixed]


def _tilde(c: Constraint, v: SemanticVersion) -> bool:
    """The same minor version, at least this."""
    if v.order() < c.target.order():
        return False
    if c.target.numbers == (0, 0, 0) and c.open_at in (0, 3):
        return True
    fixed = min(c.open_at, 2)
    return v.numbers[:fixed] == c.target.numbers[:fixed]


def _caret(c: Constraint, v: SemanticVersion) -> bool:
    """Nothing that breaks: the first number that is not 0 stays."""
    if v.order() < c.target.order():
        return False
    leading = next((place for place in range(3) if c.target.numbers[place] or c.open_at == place + 1), 2)
    return v.numbers[: leading + 1] == c.target.numbers[: leading + 1]


_CHECKS: dict[str, Callable[[Constraint, SemanticVersion], bool]] = {
    "": _equal, "=": _equal, "!=": _unequal, ">": _greater, "<": _less, ">=": _at_least, "=>": _at_least,
    "<=": _at_most, "=<": _at_most, "~": _tilde, "~>": _tilde, "^": _caret,
}  # fmt: skip


def _constraint(match: re.Match[str]) -> Constraint:
    operator, *numbers, prerelease, _ = match.groups()  # builds are not compared
    if _has_zeros(prerelease or ""):
        raise ValueError("constraint Parser Error")
    open_at = next((i for i, number in enumerate(numbers) if number is None or not number.isdecimal()), 3)
    fixed = [int(number) if i < open_at else 0 for i, number in enumerate(numbers)]
    return Constraint(operator, SemanticVersion((fixed[0], fixed[1], fixed[2]), prerelease or ""), open_at)


def _all_of(text: str) -> list[Constraint]:
    """Conditions, separated by commas or spaces."""
    hyphen = _HYPHEN.fullmatch(text)
    if hyphen is not None:
        text = f">={hyphen[1]} <={hyphen[2]}"
    out: list[re.Match[str]] = []
    at = 0
    body = text.strip()
    while at < len(body) or not out:
        match = _CONSTRAINT.match(body, at)
        following = body[match.end() : match.end() + 1] if match else "?"
        if match is None or (following and following not in ", "):
            raise ValueError(f"improper constraint: {text}")
        out.append(match)
        at = match.end()
        while body[at : at + 1] in (",", " "):
            at += 1
    return [_constraint(match) for match in out]


def meets(candidate: SemanticVersion, constraint: str) -> bool:
    """Whether a version meets a constraint. ValueError for one that is no constraint."""
    return any_of(conditions(constraint), candidate)


def meets_together(candidate: SemanticVersion, constraint: str) -> bool:
    """The same as later versions of that library decide: a pre-release is looked at where one of the conditions that
    stand together names one, and else meets none of them."""
    return any(
        (not candidate.prerelease or any(each.target.prerelease for each in group))
        and all(each.fits(candidate) for each in group)
        for group in conditions(constraint)
    )


def conditions(constraint: str) -> list[list[Constraint]]:
    """What a constraint asks for: all conditions of one of the groups. ValueError for one that is no constraint."""
    return [_all_of(part) for part in constraint.split("||")]


def any_of(alternatives: list[list[Constraint]], candidate: SemanticVersion) -> bool:
    """Whether a version meets all conditions of one of the groups."""
    return any(all(each.holds(candidate) for each in group) for group in alternatives)


def compared(left: SemanticVersion, right: SemanticVersion) -> int:
    """-1, 0 or 1: before, same, after."""
    return (left.order() > right.order()) - (left.order() < right.order())


def following(left: SemanticVersion, place: int) -> tuple[int, int, int]:
    """The numbers of the next version at a place: 0 is the major one. The next patch of a pre-release is its
    release."""
    numbers = [*left.numbers[:place], left.numbers[place] + 1, *(0 for _ in left.numbers[place + 1 :])]
    return left.numbers if place == 2 and left.prerelease else (numbers[0], numbers[1], numbers[2])


def is_older(one: str, other: str) -> bool:
    """Whether a version comes before another one; not where one of them is no version."""
    try:
        return compared(version(one), version(other)) < 0
    except ValueError:
        return False
