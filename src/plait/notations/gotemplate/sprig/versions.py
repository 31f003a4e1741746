"""Semantic versions, and the constraints they may meet."""

from __future__ import annotations

import re

from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.functions import Function, FunctionGroup
from plait.notations.gotemplate.values import Object, Uint64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

VERSIONS = FunctionGroup("versions", "Versions")
function = VERSIONS.function

_TAIL = r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
_VERSION = re.compile(r"v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?" + _TAIL, re.ASCII)
_WILD = r"[0-9xX*]+"
_CONSTRAINT = re.compile(
    rf"(!=|>=|=>|<=|=<|~>|~|\^|>|<|=|)\s*v?({_WILD})(?:\.({_WILD}))?(?:\.({_WILD}))?" + _TAIL, re.ASCII
)
_HYPHEN = re.compile(rf"\s*(v?{_WILD}[0-9A-Za-z.+*-]*)\s+-\s+(v?{_WILD}[0-9A-Za-z.+*-]*)\s*")


class Version(Object):
    """A version: three numbers, and what comes before and beside its release."""

    __slots__ = ("build", "numbers", "original", "prerelease")
    go_type = "*semver.Version"
    go_kind = "ptr"

    def __init__(
        self, numbers: tuple[int, int, int], prerelease: str = "", build: str = "", original: str = ""
    ) -> None:
        self.numbers = numbers
        self.prerelease = prerelease
        self.build = build
        self.original = original

    def go_string(self) -> str:
        text = ".".join(map(str, self.numbers))
        text += f"-{self.prerelease}" if self.prerelease else ""
        return text + (f"+{self.build}" if self.build else "")

    def order(self) -> tuple[Any, ...]:
        """By this, versions are in order: a release after everything that came before it."""
        parts = tuple(
            (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in self.prerelease.split(".") if part
        )
        return (self.numbers, not self.prerelease, parts)


def version(text: str) -> Version:
    """A version, also one written short (1.2) or with a v."""
    match = _VERSION.fullmatch(text)
    if match is None:
        raise CallError("Invalid Semantic Version")
    major, minor, patch, prerelease, build = match.groups()
    if any(len(part) > 1 and part.isdecimal() and part[0] == "0" for part in (prerelease or "").split(".")):
        raise CallError("Version segment starts with 0")
    return Version((int(major), int(minor or 0), int(patch or 0)), prerelease or "", build or "", text)


class Constraint:
    """One condition. `open_at` is the first number that is left open (1.x: 1); 3 where none is."""

    __slots__ = ("open_at", "operator", "target")

    def __init__(self, operator: str, target: Version, open_at: int) -> None:
        self.operator = operator
        self.target = target
        self.open_at = open_at

    def holds(self, candidate: Version) -> bool:
        exact = self.operator in ("", "=") and self.open_at == 3
        if candidate.prerelease and not self.target.prerelease and not exact:
            return False
        return _CHECKS[self.operator](self, candidate)


def _equal(c: Constraint, v: Version) -> bool:
    return v.order() == c.target.order() if c.open_at == 3 else _tilde(c, v)


def _unequal(c: Constraint, v: Version) -> bool:
    if c.open_at == 3:
        return v.order() != c.target.order()
    return c.open_at == 0 or v.numbers[: c.open_at] != c.target.numbers[: c.open_at]


def _greater(c: Constraint, v: Version) -> bool:
    if c.open_at == 3:
        return v.order() > c.target.order()
    return v.numbers[: max(c.open_at, 1)] > c.target.numbers[: max(c.open_at, 1)]


def _less(c: Constraint, v: Version) -> bool:
    return v.order() < c.target.order()


def _at_least(c: Constraint, v: Version) -> bool:
    return v.order() >= c.target.order()


def _at_most(c: Constraint, v: Version) -> bool:
    if c.open_at == 3:
        return v.order() <= c.target.order()
    return c.open_at == 0 or v.numbers[: c.open_at] <= c.target.numbers[: c.open_at]


def _tilde(c: Constraint, v: Version) -> bool:
    """The same minor version, at least this."""
    if v.order() < c.target.order():
        return False
    if c.target.numbers == (0, 0, 0) and c.open_at in (0, 3):
        return True
    fixed = min(c.open_at, 2)
    return v.numbers[:fixed] == c.target.numbers[:fixed]


def _caret(c: Constraint, v: Version) -> bool:
    """Nothing that breaks: the first number that is not 0 stays."""
    if v.order() < c.target.order():
        return False
    if c.open_at == 0:
        return True
    leading = next((place for place in range(3) if c.target.numbers[place] or c.open_at == place + 1), 2)
    return v.numbers[: leading + 1] == c.target.numbers[: leading + 1]


_CHECKS: dict[str, Callable[[Constraint, Version], bool]] = {
    "": _equal, "=": _equal, "!=": _unequal, ">": _greater, "<": _less, ">=": _at_least, "=>": _at_least,
    "<=": _at_most, "=<": _at_most, "~": _tilde, "~>": _tilde, "^": _caret,
}  # fmt: skip


def _constraint(match: re.Match[str]) -> Constraint:
    operator, *numbers, prerelease, build = match.groups()
    open_at = next((i for i, number in enumerate(numbers) if number is None or not number.isdecimal()), 3)
    fixed = [int(number) if i < open_at else 0 for i, number in enumerate(numbers)]
    return Constraint(operator, Version((fixed[0], fixed[1], fixed[2]), prerelease or "", build or ""), open_at)


def _all_of(text: str) -> list[Constraint]:
    """Conditions, separated by commas or spaces."""
    hyphen = _HYPHEN.fullmatch(text)
    if hyphen is not None:
        text = f">={hyphen[1]} <={hyphen[2]}"
    out: list[Constraint] = []
    at = 0
    body = text.strip()
    while at < len(body) or not out:
        match = _CONSTRAINT.match(body, at)
        following = body[match.end() : match.end() + 1] if match else "?"
        if match is None or (following and following not in ", "):
            raise CallError(f"improper constraint: {text}")
        out.append(_constraint(match))
        at = match.end()
        while body[at : at + 1] in (",", " "):
            at += 1
    return out


@function(
    "semver",
    "func(string) (*semver.Version, error)",
    "The parts of a version.",
    '{{ (semver "1.2.3-beta").Minor }}',
    "2",
)
def semver(text: str) -> Version:
    return version(text)


@function("semverCompare", "func(string, string) (bool, error)", "Whether a version meets a constraint.",
          '{{ semverCompare "^1.2.0" "1.3.0" }}', "true")  # fmt: skip
def semver_compare(constraint: str, text: str) -> bool:
    alternatives = [_all_of(part) for part in constraint.split("||")]
    candidate = version(text)
    return any(all(c.holds(candidate) for c in group) for group in alternatives)


def _compare(left: Version, right: Version) -> int:
    return (left.order() > right.order()) - (left.order() < right.order())


def _next(left: Version, place: int) -> Version:
    numbers = [*left.numbers[:place], left.numbers[place] + 1, *(0 for _ in left.numbers[place + 1 :])]
    if place == 2 and left.prerelease:
        return Version(left.numbers)
    return Version((numbers[0], numbers[1], numbers[2]))


def _declared(name: str, signature: str, description: str, call: Callable[..., Any]) -> Function:
    made = Function(name, signature, description, "", "", call)
    made.group = "method"
    return made


_ONE = "func(*semver.Version) bool"
Version.methods = {
    made.name: made
    for made in (
        _declared("Major", "func() uint64", "The first number.", lambda v: Uint64(v.numbers[0])),
        _declared("Minor", "func() uint64", "The second number.", lambda v: Uint64(v.numbers[1])),
        _declared("Patch", "func() uint64", "The third number.", lambda v: Uint64(v.numbers[2])),
        _declared("Prerelease", "func() string", "What came before the release.", lambda v: v.prerelease),
        _declared("Metadata", "func() string", "The build metadata.", lambda v: v.build),
        _declared("Original", "func() string", "The version as it was written.", lambda v: v.original),
        _declared("String", "func() string", "The version in full.", lambda v: v.go_string()),
        _declared("Compare", "func(*semver.Version) int", "-1, 0 or 1: before, same, after.", _compare),
        _declared("Equal", _ONE, "Whether it is the same version.", lambda v, o: _compare(v, o) == 0),
        _declared("LessThan", _ONE, "Whether it comes before.", lambda v, o: _compare(v, o) < 0),
        _declared("GreaterThan", _ONE, "Whether it comes after.", lambda v, o: _compare(v, o) > 0),
        _declared("IncMajor", "func() semver.Version", "The next major version.", lambda v: _next(v, 0)),
        _declared("IncMinor", "func() semver.Version", "The next minor version.", lambda v: _next(v, 1)),
        _declared("IncPatch", "func() semver.Version", "The next patch version.", lambda v: _next(v, 2)),
    )
}
