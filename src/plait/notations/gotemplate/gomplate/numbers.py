"""`math`: whole numbers where all are whole, floats where one is a float."""

from __future__ import annotations

import math

from plait.notations.gotemplate.casts import wrap
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate.casts import is_float, is_int, real, whole
from plait.notations.gotemplate.values import MAX_PARTS, Int64, Int64s, endless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NUMBERS = FunctionGroup("gomplate numbers", "gomplate: math")
function = NUMBERS.function
_ANY = "interface {}"


# -- questions


@function("math.IsInt", "func(interface {}) bool", "Whether a value is a whole number, or a text that is one.",
          '{{ math.IsInt "0x1f" }} {{ math.IsInt 1.0 }}', "true false")  # fmt: skip
def math_is_int(value: Any) -> bool:
    return is_int(value)


@function("math.IsFloat", "func(interface {}) bool", "Whether a value is a float, or a text that is one.",
          '{{ math.IsFloat "1e3" }} {{ math.IsFloat "7" }}', "true false")  # fmt: skip
def math_is_float(value: Any) -> bool:
    return is_float(value)


@function("math.IsNum", "func(interface {}) bool", "Whether a value is a number, or a text that is one.",
          '{{ math.IsNum "1.5" }} {{ math.IsNum "x" }}', "true false")  # fmt: skip
def math_is_num(value: Any) -> bool:
    return is_int(value) or is_float(value)


# -- arithmetic


@function("math.Add", f"func(...{_ANY}) {_ANY}", "The sum.", '{{ math.Add 1 2.5 "0x10" }}', "19.5")
def add(*values: Any) -> Any:
    if any(map(is_float, values)):
        return sum(map(real, values), 0.0)
    return Int64(wrap(sum(map(whole, values))))


@function("math.Mul", f"func(...{_ANY}) {_ANY}", "The product.", "{{ math.Mul 2 3 4 }}", "24")
def mul(*values: Any) -> Any:
    if any(map(is_float, values)):
        product = 1.0
        for value in values:
            product *= real(value)
        return product
    result = 1
    for value in values:
        result = wrap(result * whole(value))
    return Int64(result)


@function("math.Sub", f"func({_ANY}, {_ANY}) {_ANY}", "The difference.", '{{ math.Sub "3" 1 }}', "2")
def sub(left: Any, right: Any) -> Any:
    if is_float(left) or is_float(right):
        return real(left) - real(right)
    return Int64(wrap(whole(left) - whole(right)))


@function("math.Div", f"func({_ANY}, {_ANY}) ({_ANY}, error)", "The quotient, as a float.", "{{ math.Div 7 2 }}",
          "3.5")  # fmt: skip
def div(left: Any, right: Any) -> float:
    if real(right) == 0:
        raise CallError("error: division by 0")
    return real(left) / real(right)


@function("math.Rem", f"func({_ANY}, {_ANY}) {_ANY}", "The remainder, with the sign of the first number.",
          "{{ math.Rem -7 3 }}", "-1")  # fmt: skip
def rem(left: Any, right: Any) -> Int64:
    number, by = whole(left), whole(right)
    if by == 0:
        raise CallError("runtime error: integer divide by zero")
    rest = abs(number) % abs(by)
    return Int64(rest if number > 0 else -rest)


@function("math.Pow pow", f"func({_ANY}, {_ANY}) {_ANY}", "A power; a float where the first number is one.",
          "{{ math.Pow 10 2 }} {{ math.Pow 1.5 2 }}", "100 2.25")  # fmt: skip
def power(base: Any, exponent: Any) -> Any:
    result = _power(real(base), real(exponent))
    return result if is_float(base) else Int64(whole(result))


def _power(base: float, exponent: float) -> float:
    """A power as IEEE 754 has it, where Python raises an error."""
    odd = exponent % 2 == 1 if math.isfinite(exponent) else False
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and odd else math.inf
    except ValueError:
        return math.copysign(math.inf, base if odd else 1.0) if base == 0 else math.nan


@function("math.Abs", f"func({_ANY}) {_ANY}", "A number without its sign.", "{{ math.Abs -3 }} {{ math.Abs -3.5 }}",
          "3 3.5")  # fmt: skip
def absolute(value: Any) -> Any:
    size = abs(real(value))
    return Int64(whole(size)) if is_int(value) else size


@function("math.Max", f"func({_ANY}, ...{_ANY}) ({_ANY}, error)", "The largest number.", "{{ math.Max 1 3 2 }}", "3")
def largest(first: Any, *others: Any) -> Any:
    values = (first, *others)
    if any(map(is_float, values)):
        return _first_of(sorted(map(real, values), reverse=True), math.inf)
    return Int64(max(map(whole, values)))


@function("math.Min", f"func({_ANY}, ...{_ANY}) ({_ANY}, error)", "The smallest number.", "{{ math.Min 3 1.5 2 }}",
          "1.5")  # fmt: skip
def smallest(first: Any, *others: Any) -> Any:
    values = (first, *others)
    if any(map(is_float, values)):
        return _first_of(sorted(map(real, values)), -math.inf)
    return Int64(min(map(whole, values)))


def _first_of(ordered: list[float], end: float) -> float:
    """The first number; the end of all numbers wins over NaN, and NaN over all else."""
    if end in ordered:
        return end
    return next((number for number in ordered if number != number), ordered[0])


# -- rounding


@function("math.Ceil", f"func({_ANY}) {_ANY}", "The next whole number above.", '{{ math.Ceil "1.2" }}', "2")
def ceil(value: Any) -> float:
    return _rounded(math.ceil, real(value))


@function("math.Floor", f"func({_ANY}) {_ANY}", "The next whole number below.", '{{ math.Floor "NaN" }}', "NaN")
def floor(value: Any) -> float:
    return _rounded(math.floor, real(value))


@function("math.Round", f"func({_ANY}) {_ANY}", "The nearest whole number; halves away from 0.",
          "{{ math.Round -1.5 }}", "-2")  # fmt: skip
def nearest(value: Any) -> float:
    return _rounded(_half_away, real(value))


def _half_away(number: float) -> int:
    low = math.floor(abs(number))
    return low + (abs(number) - low >= 0.5)


def _rounded(by: Any, number: float) -> float:
    return math.copysign(float(by(number)), number) if math.isfinite(number) else number


# -- sequences


@function("math.Seq", "func(...interface {}) ([]int64, error)", "The numbers of 1 to N, or of START to END in steps.",
          "{{ math.Seq 2 9 3 }} {{ math.Seq 2 0 }}", "[2 5 8] [2 1 0]", context=True)  # fmt: skip
def sequence(frame: Any, *values: Any) -> Int64s:
    if not values:
        raise CallError("math.Seq must be given at least an 'end' value")
    start, end, step = _range(values)
    if step == 0:
        return Int64s()
    step = abs(step) if end >= start else -abs(step)
    numbers = range(start, end + (1 if step > 0 else -1), step)
    if abs(end - start) // abs(step) > MAX_PARTS:
        raise endless()
    frame.make(len(numbers) * 36)
    return Int64s(map(Int64, numbers))


def _range(values: tuple[Any, ...]) -> tuple[int, int, int]:
    numbers = [whole(value) for value in values]
    if len(numbers) == 1:
        return 1, numbers[0], 1
    if len(numbers) == 2:
        return numbers[0], numbers[1], 1
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else (1, 0, 1)
