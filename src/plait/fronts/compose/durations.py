"""Durations as Go reads and prints them: `1m30s`."""

from __future__ import annotations

from decimal import Decimal

UNITS = {
    "ns": 1,
    "us": 10**3,
    "\u00b5s": 10**3,
    "\u03bcs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
    "d": 24 * 3600 * 10**9,
    "w": 7 * 24 * 3600 * 10**9,
}
"""How many nanoseconds a unit has; the last two are Compose's own."""
SMALL = (("s", 10**9), ("ms", 10**6), ("\u00b5s", 10**3), ("ns", 1))
MINUTE = 60 * 10**9


def nanoseconds(words: str) -> int | None:
    """The length of a duration; None for what is none."""
    sign = -1 if words[:1] == "-" else 1
    rest = words[1:] if words[:1] in ("-", "+") else words
    if rest == "0":
        return 0
    total = 0
    while rest:
        number = rest[: len(rest) - len(rest.lstrip("0123456789."))]
        rest = rest[len(number) :]
        unit = rest[: len(rest) - len(rest.lstrip("".join(UNITS)))]
        rest = rest[len(unit) :]
        if unit not in UNITS or not number.replace(".", "", 1).isdecimal():
            return None
        total += int(Decimal(number) * UNITS[unit])
    return sign * total if words else None


def duration(length: int) -> str:
    """A duration in its shortest form."""
    sign, length = ("-", -length) if length < 0 else ("", length)
    if length < MINUTE:
        unit, size = next((one for one in SMALL if length >= one[1]), SMALL[0])
        return f"{sign}{_decimal(length, size)}{unit}"
    minutes, rest = divmod(length, MINUTE)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{f'{hours}h' if hours else ''}{minutes}m{_decimal(rest, 10**9)}s"


def _decimal(length: int, size: int) -> str:
    whole, rest = divmod(length, size)
    return f"{whole}.{rest:0{len(str(size)) - 1}d}".rstrip("0").rstrip(".") if rest else str(whole)
