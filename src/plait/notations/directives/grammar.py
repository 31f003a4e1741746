"""Which keys are directives: `+?include*anchor./path`, every part optional, at least one present.

    +/a/b       the value at a path from the root, as a JSON pointer (`~1` is `/`, `~0` is `~`)
    +../b       one dot is the map that holds the directive, each further dot one level up; a path may follow
    +*name      what an anchor or `+&: name` names
    +include    a file; what follows the word only tells several of them apart
    +?...       what may be missing

`+%` says how a map is merged and `+&` names one; other keys that begin with `+` are data.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Label
from plait.core.struct import struct
from plait.report.catalog import BAD_DIRECTIVE

STRATEGY, NAME = "+%", "+&"
RAW = "raw"

_HEAD = re.compile(r"(\?)?(include[\w-]*)?(?:\*(\S+))?(\.+\Z)?")


@struct
class Directive:
    """A directive's key, taken apart. `up` is the number of dots, 0 for a path from the root."""

    key: str
    optional: bool
    include: bool
    anchor: str | None
    up: int
    path: tuple[str, ...] | None

    def __repr__(self) -> str:
        return f"Directive({self.key})"


def parse_directive(key: str, label: Label | None = None) -> Directive | None:
    """A key as a directive; None for one that is data."""
    if not key.startswith("+") or key in (STRATEGY, NAME):
        return None
    head, *rest = key[1:].split("/")
    match = _HEAD.match(head)
    assert match is not None  # everything in it is optional
    optional, include, anchor, dots = match.groups()
    present = include or anchor or dots
    if not present and not (rest and head in ("", "?")):
        return None
    path = tuple(_unescaped(part, key, label) for part in rest) if rest else None
    return Directive(key, bool(optional), bool(include), anchor, len(dots or ""), path)


def _unescaped(part: str, key: str, label: Label | None) -> str:
    if re.search(r"~(?![01])", part):
        hint = "`~` is written `~0`, and `/` in a key `~1`"
        raise BAD_DIRECTIVE.error(
            *([label] if label else []), key=key, why="a `~` must be followed by 0 or 1", hint=hint
        )
    return part.replace("~1", "/").replace("~0", "~")


def pointer(text: str) -> tuple[str, ...]:
    """The steps of a JSON pointer such as a fragment has (`/a/b`); empty for the whole."""
    steps = text.removeprefix("/")
    return tuple(_unescaped(part, text, None) for part in steps.split("/")) if text else ()


def reads_as_directive(key: str) -> bool:
    """Whether a key would be taken for a directive, or for a merge instruction."""
    if key in (STRATEGY, NAME):
        return True
    try:
        return parse_directive(key) is not None
    except Exception as trouble:
        return bool(trouble)
