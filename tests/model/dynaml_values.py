"""What the operators and functions of dynaml make of values, for its model."""

from __future__ import annotations

import re
from typing import Any

Data = Any


class Failed(Exception):
    """The expression itself cannot be computed; `||` goes on with its other side."""


def truth(value: Data) -> bool:
    return value not in (False, 0, "", None) and value != [] and value != {}


def is_number(value: Data) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_simple(value: Data) -> bool:
    return isinstance(value, str | int)


def text_of(value: Data) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def concat(left: Data, right: Data) -> Data:
    if isinstance(left, list):
        return left if right is None else [*left, *(right if isinstance(right, list) else [right])]
    if isinstance(left, dict) and (right is None or isinstance(right, dict)):
        return {**left, **(right or {})}
    if is_simple(left) and is_simple(right):
        return text_of(left) + text_of(right)
    raise Failed("concatenation")


def arithmetic(sign: str, left: Data, right: Data) -> int:
    """On integers; nil on the right counts as 0."""
    right = 0 if right is None else right
    left = 0 if left is None and sign not in "+-" else left
    if not is_number(left) or not is_number(right):
        raise Failed("integer operand required")
    if sign in "/%":
        if right == 0:
            raise Failed("division by zero")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)  # toward zero
        return quotient if sign == "/" else left - quotient * right
    return left + right if sign == "+" else left - right if sign == "-" else left * right


def equal(left: Data, right: Data) -> bool:
    """The left side decides how the right one is read."""
    if isinstance(left, str) and isinstance(right, int):
        return left == text_of(right)
    if is_number(left) and isinstance(right, str) and re.fullmatch(r"-?\d+", right):
        return bool(left == int(right))
    if is_number(left) and isinstance(right, bool):
        return bool(left == int(right))
    if isinstance(left, bool) and isinstance(right, str):
        return text_of(left) == right
    return type(left) is type(right) and bool(left == right)


def ordered(sign: str, left: Data, right: Data) -> bool:
    if not (is_number(left) and is_number(right)) and not (isinstance(left, str) and isinstance(right, str)):
        raise Failed("comparison")
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[sign]


OPERATORS: dict[str, Any] = {
    "concat": concat,
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    **{sign: (lambda left, right, sign=sign: arithmetic(sign, left, right)) for sign in "+-*/%"},
    **{sign: (lambda left, right, sign=sign: ordered(sign, left, right)) for sign in ("<", "<=", ">", ">=")},
}


def join(separator: Data, *values: Data) -> str:
    """Simple values and lists of them; nil is skipped."""
    flat = [
        one for value in values for one in (value if isinstance(value, list) else [value] if value is not None else [])
    ]
    if not isinstance(separator, str) or not all(map(is_simple, flat)):
        raise Failed("join")
    return separator.join(map(text_of, flat))


def length(value: Data) -> int:
    if not isinstance(value, str | list | dict):
        raise Failed("length")
    return len(value)


def keys(value: Data) -> list[str]:
    if not isinstance(value, dict):
        raise Failed("keys")
    return sorted(value)


def reverse(value: Data) -> list[Data]:
    if not isinstance(value, list):
        raise Failed("reverse")
    return value[::-1]


FUNCTIONS: dict[str, Any] = {"join": join, "length": length, "keys": keys, "reverse": reverse}
