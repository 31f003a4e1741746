"""How gomplate makes a text, a number, a truth value, a list or bytes of anything. Sprig does it otherwise."""

from __future__ import annotations

from plait.core.quoting import from_bytes, to_bytes
from plait.notations.gotemplate.casts import truncated
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.format import display
from plait.notations.gotemplate.literals import INT_MAX, INT_MIN, parse_float, parse_int
from plait.notations.gotemplate.values import GoText, Uint8, is_list, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

YES = frozenset(("1", "t", "true", "yes"))
"""What says yes, in any case of its letters; a number says yes where it is 1."""


def text(value: Any) -> str:
    """Any value as a text; nil is the word."""
    if value.__class__ is str:
        return value
    if value is None:
        return "nil"
    return from_bytes(value) if value.__class__ is bytes else display(value)


def raw(value: Any) -> bytes:
    """Any value as bytes; nothing of nil."""
    if value is None:
        return b""
    return value if value.__class__ is bytes else to_bytes(text(value))


def read_int(written: str) -> int | None:
    """The integer of 64 bits that a text is, in any of Go's bases."""
    found = parse_int(written)
    return found if found is not None and INT_MIN <= found <= INT_MAX else None


def _number_in(written: str) -> int | float:
    """The number that a text is; commas do not count. 0 where it is none."""
    plain = written.replace(",", "")
    found: int | float | None = read_int(plain)
    if found is None:
        found = parse_float(plain)
    return 0 if found is None else found


def _number(value: Any) -> int | float:
    if value.__class__ is str:
        return _number_in(value)
    return value if isinstance(value, int | float) else 0


def whole(value: Any) -> int:
    """Any value as an integer of 64 bits; 0 where it is none."""
    found = _number(value)
    return truncated(found) if isinstance(found, float) else (int(found) + 2**63) % 2**64 - 2**63


def real(value: Any) -> float:
    """Any value as a float; 0 where it is none."""
    return float(_number(value))


def truth(value: Any) -> bool:
    """Whether a value says yes."""
    if value.__class__ is bool:
        return bool(value)
    if value.__class__ is str:
        return value.lower() in YES or _number_in(value.lower()) == 1
    return isinstance(value, int | float) and value == 1


def items(value: Any) -> list[Any]:
    """The items of any list."""
    if value.__class__ is bytes:
        return [Uint8(byte) for byte in value]
    if not is_list(value):
        raise CallError(f"expected an array or slice, but got a {type_name(value)}")
    return list(value)


def is_int(value: Any) -> bool:
    """Whether a value is an integer, or a text that is one."""
    if value.__class__ is str:
        return read_int(value) is not None
    return isinstance(value, int) and value.__class__ is not bool and not isinstance(value, GoText)


def is_float(value: Any) -> bool:
    """Whether a value is a float, or a text that is one and no integer."""
    if value.__class__ is str:
        return parse_float(value) is not None and not is_int(value)
    return isinstance(value, float)


def wrong_count(wanted: str, values: tuple[Any, ...]) -> CallError:
    """The error of a number of arguments that does not fit."""
    return CallError(f"wrong number of args: want {wanted}, got {len(values)}")
