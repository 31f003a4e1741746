"""Durations as Go reads and prints them: `1h15m30.5s`. They are nanoseconds."""

from __future__ import annotations

from plait.core.lazy import LazyPattern
from plait.core.quoting import to_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SECOND = 10**9
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND
UNITS = {
    "ns": 1, "us": 10**3, "\u00b5s": 10**3, "\u03bcs": 10**3, "ms": 10**6, "s": SECOND, "m": MINUTE, "h": HOUR,
}  # fmt: skip
"""How many nanoseconds a unit has."""
LONGEST = 2**63 - 1

_PART = LazyPattern(r"([0-9]*)\.?([0-9]*)([^0-9.]*)")


class BadDuration(ValueError):
    """A text that is no duration, in Go's words."""


def duration_length(text: str, units: Mapping[str, int] = UNITS) -> int:
    """The length of a duration. Raises BadDuration."""
    sign = -1 if text[:1] == "-" else 1
    body = text[1:] if text[:1] in ("-", "+") else text
    if body == "0":
        return 0
    total, at = 0, 0
    while at < len(body) or not body:
        match = _PART.match(body, at)
        assert match is not None
        whole, fraction, unit = match.groups()
        if not (whole or fraction) or len(whole.lstrip("0")) > len(str(LONGEST)):
            raise BadDuration(f"time: invalid duration {_quoted(text)}")
        if not unit:
            raise BadDuration(f"time: missing unit in duration {_quoted(text)}")
        if unit not in units:
            raise BadDuration(f"time: unknown unit {_quoted(unit)} in duration {_quoted(text)}")
        total += int(whole or 0) * units[unit] + _part_of(units[unit], fraction)
        if total > LONGEST + (sign < 0):
            raise BadDuration(f"time: invalid duration {_quoted(text)}")
        at = match.end()
    return sign * total


def _part_of(unit: int, fraction: str) -> int:
    """What the digits behind a point make of a unit, in floats as Go does it. Digits that an integer has no place for
    do not count."""
    value, scale = 0, 1.0
    for digit in fraction:
        more = value * 10 + int(digit)
        if value > LONGEST // 10 or more > LONGEST + 1:
            break
        value, scale = more, scale * 10
    return int(value * (unit / scale))


def _quoted(text: str) -> str:
    """A text between quotes, with codes for the bytes of what is not ASCII."""
    signs = ((chr(byte) if 0x20 <= byte < 0x80 else f"\\x{byte:02x}") for byte in to_bytes(text))
    return '"' + "".join(f"\\{sign}" if sign in '"\\' else sign for sign in signs) + '"'


def duration_text(length: int) -> str:
    """A duration as Go prints it."""
    sign, value = ("-", -length) if length < 0 else ("", length)
    if 0 < value < SECOND:
        unit, size = ("ns", 1) if value < 1_000 else ("µs", 1_000) if value < 1_000_000 else ("ms", 1_000_000)
        return sign + _decimal(value, size) + unit
    hours, rest = divmod(value, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    head = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{sign}{head}{_decimal(rest, SECOND)}s"


def _decimal(value: int, unit: int) -> str:
    whole, rest = divmod(value, unit)
    digits = len(str(unit)) - 1
    return f"{whole}.{str(rest).rjust(digits, '0').rstrip('0')}" if rest else str(whole)
