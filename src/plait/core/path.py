"""Paths, read and printed the same way everywhere: `a.b`, `a["x.y/z"]`, `a[0]`, `a[name=web].port`, `a[=x]`.

In a pattern `*` stands for one step and `**` for any number of steps.
"""

from __future__ import annotations

from plait.core.base import Node
from plait.core.visible import code_escapes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Keyed:
    """A step to the list item whose fields have these values (`[name=web]`), or, without a name, to a member
    (`[=x]`)."""

    __slots__ = ("names", "values")

    def __init__(self, names: tuple[str, ...], values: tuple[str, ...]) -> None:
        self.names = names
        self.values = values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keyed) and self.names == other.names and self.values == other.values

    def __hash__(self) -> int:
        return hash((self.names, self.values))

    def __repr__(self) -> str:
        pairs = zip(self.names, self.values, strict=True)
        return "[" + ",".join(f"{name}={_bare_or_quoted(value)}" for name, value in pairs) + "]"


class WrittenItem(int):
    """A step to an item of a list by its place among all that is written there: marks of the merge are counted."""


class Wildcard:
    """`*` (one step) or `**` (any number) in a pattern."""

    __slots__ = ("sign",)

    def __init__(self, sign: str) -> None:
        self.sign = sign

    def __repr__(self) -> str:
        return self.sign


ANY, DEEP = Wildcard("*"), Wildcard("**")
WILDCARDS = {"*": ANY, "**": DEEP}
Step = str | int | Keyed | Wildcard | Node
Path = tuple[Step, ...]
Places = tuple[Path, ...]
"""Parts of a tree, each with everything above and below it."""
NOWHERE: Places = ()
ANYWHERE: Places = ((),)
"""All of a tree."""


class PathError(ValueError):
    """An invalid path; `at` is the offset of the error."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


_ENDS = frozenset('.[]" \t\n=,')
_NOT_PLAIN = _ENDS | {"\\"}


def parse_path(text: str, *, pattern: bool = False) -> Path:
    """The steps of a path; wildcards count only in a pattern."""
    steps: list[Step] = []
    at = 0
    while at < len(text):
        if text[at] == "[":
            step, at = _bracket(text, at + 1, pattern)
            steps.append(step)
            continue
        if text[at] == "." and steps:
            at += 1
        step, at = _name(text, at)
        steps.append(_wildcard(step) if pattern else step)
    return tuple(steps)


def split_assignment(text: str) -> tuple[str, str, str]:
    """`path=value` at the first `=` outside brackets; the second part is empty where there is none."""
    depth = 0
    for at, letter in enumerate(text):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if letter == "=" and not depth:
            return text[:at], "=", text[at + 1 :]
    return text, "", ""


def split_prefix(text: str) -> tuple[str, str]:
    """`Deployment/web:spec.replicas` as the name of a document and a path; the name is empty where there is none."""
    name, colon, rest = text.partition(":")
    return (name, rest) if colon and not any(letter in name for letter in "[]\"'") else ("", text)


def _wildcard(step: str) -> Step:
    return WILDCARDS.get(step, step)


def _name(text: str, at: int) -> tuple[str, int]:
    if at < len(text) and text[at] == '"':
        return _quoted(text, at)
    letters: list[str] = []
    start = at
    while at < len(text) and text[at] not in ".[":
        if text[at] == "\\" and at + 1 < len(text):  # helm's way to write a dot in a key
            at += 1
        elif text[at] in '"]':
            raise PathError(f"unexpected `{text[at]}`", at)
        letters.append(text[at])
        at += 1
    if at == start:
        raise PathError("a name is missing here", at)
    return "".join(letters), at


def _quoted(text: str, at: int) -> tuple[str, int]:
    letters: list[str] = []
    start, quote = at, text[at]
    at += 1
    while at < len(text) and text[at] != quote:
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            if text[at] == "u" and (code := _code(text[at + 1 : at + 5])) is not None:
                letters.append(chr(code))
                at += 5
                continue
        letters.append(text[at])
        at += 1
    if at >= len(text):
        raise PathError("missing closing quote", start)
    return "".join(letters), at + 1


def _code(digits: str) -> int | None:
    """The character that four hexadecimal digits stand for."""
    return int(digits, 16) if len(digits) == 4 and all(digit in "0123456789abcdefABCDEF" for digit in digits) else None


def _bracket(text: str, at: int, pattern: bool) -> tuple[Step, int]:
    start = at - 1
    if at < len(text) and text[at] in "\"'":
        step, at = _quoted(text, at)
        return step, _close(text, at, start)
    end = text.find("]", at)
    if end == -1:
        raise PathError("missing closing bracket", start)
    inner = text[at:end]
    if inner.lstrip("-").isdigit():
        return int(inner), end + 1
    if inner in WILDCARDS:
        if not pattern:
            raise PathError(f"`{inner}` means several values, and one is to be named", at)
        return _wildcard(inner), end + 1
    if "=" in inner:
        return _conditions(text, at)
    raise PathError("expected an index, a quoted key or name=value", at)


def _conditions(text: str, at: int) -> tuple[Keyed, int]:
    names: list[str] = []
    values: list[str] = []
    while True:
        equals = text.find("=", at)
        if equals == -1:
            raise PathError("expected name=value", at)
        names.append(text[at:equals])
        at = equals + 1
        if at < len(text) and text[at] in "\"'":
            value, at = _quoted(text, at)
        else:
            end = at
            while end < len(text) and text[end] not in ",]":
                end += 1
            value, at = text[at:end], end
        values.append(value)
        if at < len(text) and text[at] == ",":
            at += 1
            continue
        return Keyed(tuple(names), tuple(values)), _close(text, at, at)


def _close(text: str, at: int, start: int) -> int:
    if at >= len(text) or text[at] != "]":
        raise PathError("missing closing bracket", start)
    return at + 1


def format_path(path: Iterable[Step]) -> str:
    """A path as people write it."""
    out: list[str] = []
    for step in path:
        if isinstance(step, str) and step.isascii() and step.isidentifier():  # most are
            out.append(f".{step}" if out else step)
        elif isinstance(step, int):
            out.append(f"[{step}]")
        elif isinstance(step, Keyed):
            out.append(repr(step))
        else:
            name = step if isinstance(step, str) else step.sign if isinstance(step, Wildcard) else step.as_key
            plain = isinstance(step, Wildcard) or (_plain(name) and (bool(out) or not _names_a_document(name)))
            out.append((f".{name}" if out else name) if plain else f'["{_escape(name)}"]')
    return "".join(out)


def _plain(name: str) -> bool:
    return bool(name) and name.isprintable() and _NOT_PLAIN.isdisjoint(name) and name not in WILDCARDS


def _names_a_document(name: str) -> bool:
    """Whether a key would be read as the name of a document, as `registry/app:1`."""
    return ":" in name and "/" in name.partition(":")[0]


def _escape(name: str) -> str:
    return code_escapes(name.replace("\\", "\\\\").replace('"', '\\"'))


def _bare_or_quoted(value: str) -> str:
    plain = value and value.isprintable() and not any(letter in ',]"\\' for letter in value)
    return value if plain else f'"{_escape(value)}"'


def is_near(places: Places, path: Path) -> bool:
    """Whether one of some places is at, above or below a path."""
    depth = len(path)
    for place in places:  # noqa: SIM110  many ask
        if place[:depth] == path[: len(place)]:
            return True
    return False


def path_matches(pattern: Path, path: Path) -> bool:
    """Whether a whole path matches a pattern, in which `*` is one step and `**` any number of them."""
    reached = _or_behind(pattern, {0})
    for step in path:
        reached = _or_behind(
            pattern,
            {
                at if pattern[at] is DEEP else at + 1
                for at in reached
                if at < len(pattern) and (pattern[at] in (ANY, DEEP) or pattern[at] == step)
            },
        )
    return len(pattern) in reached


def _or_behind(pattern: Path, places: set[int]) -> set[int]:
    """Places of a pattern, and those behind each `**`, which may stand for nothing."""
    for at, step in enumerate(pattern):
        if step is DEEP and at in places:
            places.add(at + 1)
    return places
