"""How large a result will be, worked out before it is made, and arithmetic that asks the meter first."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence

from plait.core.meter import ITEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.meter import Meter


FORMATTING = 24
"""Steps for filling a format, besides reading its text."""


def size(value: object) -> int:
    """The size of a text or list itself, without what is in it; 0 for anything else."""
    if isinstance(value, str | bytes):
        return len(value)
    return len(value) * ITEM if isinstance(value, Mapping | Sequence) else 0


def printed(value: object) -> int:
    """How long a value is as text, at most. Shared parts are counted wherever they occur, and visited once."""
    if not isinstance(value, dict | list | tuple):
        return _leaf(value)
    sizes: dict[int, int] = {}
    stack: list[Any] = [value]
    while stack:
        at = stack[-1]
        if id(at) in sizes:
            stack.pop()
            continue
        inner = [*at.keys(), *at.values()] if isinstance(at, dict) else at
        waiting = [part for part in inner if isinstance(part, dict | list | tuple) and id(part) not in sizes]
        if waiting:
            stack.extend(waiting)
            continue
        sizes[id(at)] = 2 + sum(
            2 + (sizes[id(part)] if isinstance(part, dict | list | tuple) else _leaf(part)) for part in inner
        )
    return sizes[id(value)]


def _leaf(value: object) -> int:
    if isinstance(value, str | bytes):
        return len(value) * 2 + 2
    return value.bit_length() // 3 + 4 if isinstance(value, int) else 24


def numbers_in(text: str) -> int:
    """The sum of the numbers written in a format: no width in it can be larger."""
    total, digits = 0, ""
    for letter in f"{text} ":
        if letter.isdecimal():
            digits += letter
        elif digits:
            total += int(digits) if len(digits) < 12 else 10**12
            digits = ""
    return total


# Arithmetic


def add(left: Any, right: Any, meter: Meter) -> Any:
    meter.make(size(left) + size(right))
    return left + right


def multiply(left: Any, right: Any, meter: Meter) -> Any:
    for sized, count in ((left, right), (right, left)):
        if isinstance(count, int) and isinstance(sized, str | bytes | list | tuple):
            meter.make(max(count, 0) * max(size(sized), 1))
    if isinstance(left, int) and isinstance(right, int):
        meter.number(left.bit_length() + right.bit_length())
    return left * right


def power(left: Any, right: Any, meter: Meter) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        meter.number(left.bit_length() * max(right, 0))
    return left**right


def remainder(left: Any, right: Any, meter: Meter) -> Any:
    """The remainder; of a text, printf's formatting."""
    if isinstance(left, str | bytes):
        return formatted(left, right, meter)
    return left % right


def formatted(text: Any, values: Any, meter: Meter) -> Any:
    """`text % values`. No width or precision may come from the values."""
    if not isinstance(text, str) or "*" in text:
        raise ValueError("a format must be a string with its widths written in it")
    meter.step(FORMATTING + (len(text) >> 1))
    meter.make(len(text) + numbers_in(text) + text.count("%") * (1 + printed(values)))
    return text % values


ARITHMETIC: dict[str, Callable[[Any, Any, Meter], Any]] = {
    "+": add,
    "-": lambda left, right, meter: left - right,
    "*": multiply,
    "/": lambda left, right, meter: operator.truediv(left, right),
    "//": lambda left, right, meter: left // right,
    "%": remainder,
    "**": power,
}
"""The operators, each with what it charges the meter beforehand."""
