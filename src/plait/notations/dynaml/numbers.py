"""Functions on numbers, and conversions between kinds of values."""

from __future__ import annotations

import math

from plait.core.node import Node, Scalar
from plait.notations.dynaml.declared import FunctionTable, integer_in, wrong
from plait.notations.dynaml.operators import LARGEST, truth
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.node import Value
    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm

TABLE = FunctionTable("Numbers and conversions")
function = TABLE.function


def _number(tree: CallTerm, env: Env, node: Node) -> int | float:
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise wrong(tree, env, f"argument of {tree.name} must be a number", node)


def _rounding(name: str, about: str, example: str, make: Callable[[float], int]) -> None:
    @function(name, "number", about, example, 1, 1)
    def evaluate(tree: CallTerm, env: Env, value: Node) -> Node:
        boolean = isinstance(value, Scalar) and isinstance(value.value, bool)
        number = int(truth(value)) if boolean else _number(tree, env, value)
        try:
            made = number if isinstance(number, int) else make(number)
        except (ValueError, OverflowError):
            raise wrong(tree, env, f"{name} needs a number that is finite", value) from None
        return env.made(_fits(tree, env, made))


def _fits(tree: CallTerm, env: Env, number: int) -> int:
    if not -LARGEST <= number < LARGEST:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"the result of {tree.name} does not fit in 64 bits")
    return number


def _half_away(number: float) -> int:
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


_rounding("ceil", "The next integer above.", "ceil(1.2)", math.ceil)
_rounding("floor", "The next integer below.", "floor(1.8)", math.floor)
_rounding("round", "The nearest integer; halves go away from 0.", "round(2.5)", _half_away)
_rounding("roundtoeven", "The nearest integer; halves go to the even one.", "roundtoeven(2.5)", round)


@function("abs", "number", "A number without its sign.", "abs(-2)", 1, 1)
def absolute(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made(abs(_number(tree, env, value)))


def _curve(name: str, about: str, example: str, make: Callable[[float], float]) -> None:
    @function(name, "number", about, example, 1, 1)
    def evaluate(tree: CallTerm, env: Env, value: Node) -> Node:
        try:
            number = float(_number(tree, env, value))
            made = -math.inf if not number and name.startswith("log") else make(number)
        except (ValueError, OverflowError):
            made = math.nan
        if math.isnan(made):
            raise wrong(tree, env, f"{name} has no value here", value)
        return env.made(made)


for _name, _about, _example in (
    ("sin", "The sine.", "sin(0)"),
    ("cos", "The cosine.", "cos(0)"),
    ("sinh", "The hyperbolic sine.", "sinh(0)"),
    ("cosh", "The hyperbolic cosine.", "cosh(0)"),
    ("asin", "The inverse of the sine.", "asin(0)"),
    ("acos", "The inverse of the cosine.", "acos(1)"),
    ("asinh", "The inverse of the hyperbolic sine.", "asinh(0)"),
    ("acosh", "The inverse of the hyperbolic cosine.", "acosh(1)"),
    ("sqrt", "The square root.", "sqrt(9)"),
    ("exp", "The power of e.", "exp(0)"),
    ("log", "The natural logarithm.", "log(1)"),
    ("log10", "The logarithm to base 10.", "log10(100)"),
):
    _curve(_name, _about, _example, getattr(math, _name))


# Conversions


@function("string", "value [, base]", "A value as text; an integer to a base from 2 to 36.", "string(10, 2)", 1, 2)
def string(tree: CallTerm, env: Env, value: Node, base: Node | None = None) -> Node:
    if base is not None:
        radix = integer_in(tree, env, base, "second argument of string")
        if not 2 <= radix <= 36:
            raise env.failure(WRONG_ARGUMENT, tree, issue="the base of string is a number from 2 to 36")
        return env.made(_digits(_fits(tree, env, integer_in(tree, env, value, "first argument of string")), radix))
    if not isinstance(value, Scalar) or value.value is None or isinstance(value, LambdaValue | TemplateBody):
        raise wrong(tree, env, "first argument of string must be a simple value", value)
    if isinstance(value.value, float) and value.value.is_integer() and abs(value.value) < LARGEST:
        return env.made(str(int(value.value)))
    return env.made(value.text)


def _digits(number: int, radix: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    left, made = abs(number), ""
    while left or not made:
        made = digits[left % radix] + made
        left //= radix
    return ("-" if number < 0 else "") + made


def _converted(tree: CallTerm, env: Env, value: Node, kind: str, make: Callable[[Value], Value]) -> Node:
    plain = isinstance(value, Scalar) and not isinstance(value, LambdaValue | TemplateBody)
    try:
        if not plain or not isinstance(value, Scalar):
            raise ValueError
        return env.made(make(value.value))
    except (ValueError, OverflowError, TypeError):
        raise wrong(tree, env, f"this is not {kind}", value) from None


@function("integer", "value", "A text, number or boolean as an integer.", 'integer("12")', 1, 1)
def integer(tree: CallTerm, env: Env, value: Node) -> Node:
    made = _converted(tree, env, value, "an integer", _integer)
    assert isinstance(made, Scalar)
    assert isinstance(made.value, int)
    return env.made(_fits(tree, env, made.value))


def _integer(value: Value) -> int:
    if isinstance(value, str) and len(value) < 40 and value.lstrip("+-").isdecimal():
        return int(value, 10)
    if isinstance(value, int | float):
        return int(value)
    raise ValueError


@function("float", "value", "A text, number or boolean as a number with a fraction.", 'float("1.5")', 1, 1)
def floating(tree: CallTerm, env: Env, value: Node) -> Node:
    return _converted(tree, env, value, "a number", _float)


def _float(value: Value) -> float:
    if isinstance(value, str) and len(value) < 400:
        return float(value)
    if isinstance(value, int | float):
        return float(value)
    raise ValueError


@function("bool", "value", "A text or number as a boolean.", 'bool("true")', 1, 1)
def boolean(tree: CallTerm, env: Env, value: Node) -> Node:
    return _converted(tree, env, value, "a boolean", _bool)


def _bool(value: Value) -> bool:
    words = {
        "true": True,
        "1": True,
        "t": True,
        "false": False,
        "0": False,
        "f": False,
        "": False,
    }
    if isinstance(value, str):
        if value.lower() not in words:
            raise ValueError
        return words[value.lower()]
    if value is None or isinstance(value, int | float):
        return bool(value)
    raise ValueError
