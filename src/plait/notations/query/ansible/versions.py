"""The test `version`: whether a version is older or newer than another."""

from __future__ import annotations

import operator
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.meter import Meter

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    **dict.fromkeys(("==", "=", "eq"), operator.eq),
    **dict.fromkeys(("!=", "<>", "ne"), operator.ne),
    **dict.fromkeys(("<", "lt"), operator.lt),
    **dict.fromkeys(("<=", "le"), operator.le),
    **dict.fromkeys((">", "gt"), operator.gt),
    **dict.fromkeys((">=", "ge"), operator.ge),
}
PIECES = re.compile(r"(\d+|[a-z]+|\.)")
SEMANTIC = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?", re.ASCII)


def loose(text: str) -> list[int | str]:
    """Numbers and words, one by one."""
    pieces = [piece for piece in PIECES.split(text) if piece and piece != "."]
    return [int(piece) if piece.isdecimal() else piece for piece in pieces]


def semantic(text: str) -> tuple[object, ...]:
    """A version of semver.org: one with a suffix comes before the one without."""
    match = SEMANTIC.fullmatch(text)
    if match is None:
        raise ValueError(f"version: `{text}` is not MAJOR.MINOR.PATCH")
    parts = (match[4] or "").split(".") if match[4] else []
    words = [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]
    return (int(match[1]), int(match[2]), int(match[3]), not parts, words)


def is_version(
    meter: Meter, value: Any, other: Any, operator: str = "eq", strict: bool = False, version_type: str | None = None
) -> bool:
    kind = version_type or "loose"
    if operator not in OPERATORS:
        raise ValueError(f"version: there is no operator {operator!r}; available: {', '.join(OPERATORS)}")
    if kind not in KINDS:
        raise ValueError(f"version: there is no `version_type` {kind!r}; available: {', '.join(KINDS)}")
    left, right = (KINDS[kind](str(one)) for one in (value, other))
    return OPERATORS[operator](left, right)


KINDS: dict[str, Callable[[str], Any]] = {
    "loose": loose,
    **dict.fromkeys(("semver", "semantic"), semantic),
}
"""How versions are compared."""
TESTS: dict[str, Callable[..., bool]] = dict.fromkeys(("version", "version_compare"), is_version)
