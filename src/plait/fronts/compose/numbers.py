"""Numbers and sizes as Compose reads them: whole ones of 64 bits, floats of 32 bits, and `64m` or `1.5 GiB` in bytes by
the rules of docker/go-units."""

from __future__ import annotations

from math import isfinite
from struct import pack, unpack

from plait.core.floats import shortest
from plait.notations.gotemplate.literals import INT_MAX, INT_MIN, parse_float, parse_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 3.4028234663852886e38
"""The largest float of 32 bits."""
UNITS = {letter: 1 << 10 * power for power, letter in enumerate("bkmgtp")}


def whole(value: object, cut: bool = False) -> int | None:
    """A whole number; None for what is none. `cut` takes a float without its fraction."""
    if isinstance(value, float):
        value = int(value) if isfinite(value) and (cut or value.is_integer()) else None
    found = parse_int(value, 10) if isinstance(value, str) else value
    return found if isinstance(found, int) and INT_MIN <= found <= INT_MAX else None


def real(value: object) -> str | None:
    """A number as Go prints a float of 32 bits; None for what is none."""
    found = parse_float(value) if isinstance(value, str) else value
    if not isinstance(found, int | float) or not isfinite(found) or abs(found) > LARGEST:
        return None
    small = unpack("f", pack("f", found))[0]
    return shortest(next(near for near in _nearby(small) if unpack("f", pack("f", near))[0] == small))


def _nearby(value: float) -> Iterator[float]:
    """A number with more and more of its digits."""
    return (float(f"{value:.{digits}g}") for digits in range(1, 18))


def size(words: str) -> int | None:
    """The bytes that a text says; None where it is no size. One that no integer has a place for is what a processor
    makes of it, as in Compose."""
    whole = parse_int(words, 10)
    if whole is not None and INT_MIN <= whole <= INT_MAX:
        return whole
    end = max(words.rfind(sign) for sign in "0123456789. ")
    number, unit = words[: end + 1].removesuffix(" "), words[end + 1 :].lower()
    found = parse_float(number) if end >= 0 else None
    if found is None or found < 0 or not _is_unit(unit):
        return None
    bytes_ = found * UNITS[unit[:1] or "b"]
    return int(bytes_) if bytes_ <= INT_MAX else INT_MIN


def _is_unit(words: str) -> bool:
    return words in ("", "b") or (words[0] in UNITS and words[0] != "b" and words[1:] in ("", "b", "ib"))
