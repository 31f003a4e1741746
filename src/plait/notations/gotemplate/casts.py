"""How Sprig makes a number or a text of anything, and Go's integers, which wrap around."""

from __future__ import annotations

from plait.core.quoting import from_bytes
from plait.notations.gotemplate.format import display
from plait.notations.gotemplate.literals import INT_MAX, INT_MIN, parse_float, parse_int
from plait.notations.gotemplate.values import is_list, is_true

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPACES = (
    "\t\n\v\f\r "
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What Go calls space."""


def wrap(value: int) -> int:
    """An integer as 64 bits hold it."""
    return value if INT_MIN <= value <= INT_MAX else (value + 2**63) % 2**64 - 2**63


def truncated(value: float) -> int:
    """A float as an integer: one that does not fit is the nearest that does, and NaN is 0."""
    if value != value:
        return 0
    return INT_MIN if value < -(2.0**63) else INT_MAX if value >= 2.0**63 else int(value)


def to_int(value: Any) -> int:
    """Any value as an integer; 0 where it is none."""
    if value.__class__ is str:
        found = parse_int(_without_zero_decimals(value))
        return found if found is not None and INT_MIN <= found <= INT_MAX else 0
    if isinstance(value, float):
        return truncated(value)
    return wrap(int(value)) if isinstance(value, int) else 0


def _without_zero_decimals(text: str) -> str:
    whole, point, fraction = text.partition(".")
    return whole if point and fraction and not fraction.strip("0") else text


def to_float(value: Any) -> float:
    """Any value as a float; 0 where it is none."""
    if value.__class__ is str:
        found = parse_float(value)
        return 0.0 if found is None else found
    return float(value) if isinstance(value, int | float) else 0.0


def to_text(value: Any) -> str:
    """Any value as a text."""
    if value.__class__ is str:
        return value
    return from_bytes(value) if value.__class__ is bytes else display(value)


def to_texts(value: Any) -> list[str]:
    """Any value as a list of texts; nothing stays of nil."""
    if is_list(value):
        return [to_text(item) for item in value if item is not None]
    return [] if value is None else [to_text(value)]


def is_empty(value: Any) -> bool:
    """What Sprig calls empty: exactly what is not true."""
    return not is_true(value)
