"""Numbers: arithmetic on integers, which drops fractions, and on floats, which is decimal."""

from __future__ import annotations

import math

from plait.notations.gotemplate.casts import to_float, to_int, wrap
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.format import display
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.literals import INT_MAX, INT_MIN, parse_int
from plait.notations.gotemplate.values import Int64, Ints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal
    from typing import Any

NUMBERS = FunctionGroup("numbers", "Numbers")
function = NUMBERS.function
INTEGER = 36
"""What an integer in a list takes, in bytes."""


@function("atoi", "func(string) int", "A text as an integer; 0 where it is none.", '{{ atoi "42" }}', "42")
def atoi(text: str) -> int:
    found = parse_int(text, 10)
    return 0 if found is None else max(min(found, INT_MAX), INT_MIN)


@function("int", "func(interface {}) int", "Any value as an integer.", '{{ int "42" }}', "42")
def integer(value: Any) -> int:
    return to_int(value)


@function("int64", "func(interface {}) int64", "Any value as a 64-bit integer.", "{{ int64 3.9 }}", "3")
def integer64(value: Any) -> Int64:
    return Int64(to_int(value))


@function("float64", "func(interface {}) float64", "Any value as a float.", '{{ float64 "3.5" }}', "3.5")
def float64(value: Any) -> float:
    return to_float(value)


@function("toDecimal", "func(interface {}) int64", "An octal number as a decimal one.", '{{ toDecimal "777" }}', "511")
def to_decimal(value: Any) -> Int64:
    found = parse_int(display(value), 8)
    return Int64(found if found is not None and INT_MIN <= found <= INT_MAX else 0)


# -- integers


@function("add", "func(...interface {}) int64", "The sum.", "{{ add 1 2 3 }}", "6")
def add(*values: Any) -> Int64:
    return Int64(wrap(sum(map(to_int, values))))


@function("add1", "func(interface {}) int64", "One more.", "{{ add1 1 }}", "2")
def add1(value: Any) -> Int64:
    return Int64(wrap(to_int(value) + 1))


@function("sub", "func(interface {}, interface {}) int64", "The difference.", "{{ sub 5 2 }}", "3")
def sub(left: Any, right: Any) -> Int64:
    return Int64(wrap(to_int(left) - to_int(right)))


def _divide(left: Any, right: Any) -> tuple[int, int]:
    """Quotient and remainder, towards zero."""
    a, b = to_int(left), to_int(right)
    if b == 0:
        raise CallError("runtime error: integer divide by zero")
    quotient = abs(a) // abs(b)
    quotient = quotient if (a < 0) == (b < 0) else -quotient
    return quotient, a - quotient * b


@function("div", "func(interface {}, interface {}) int64", "The quotient, towards zero.", "{{ div 7 2 }}", "3")
def div(left: Any, right: Any) -> Int64:
    return Int64(wrap(_divide(left, right)[0]))


@function("mod", "func(interface {}, interface {}) int64", "The remainder.", "{{ mod 7 3 }}", "1")
def mod(left: Any, right: Any) -> Int64:
    return Int64(_divide(left, right)[1])


@function("mul", "func(interface {}, ...interface {}) int64", "The product.", "{{ mul 2 3 4 }}", "24")
def mul(first: Any, *values: Any) -> Int64:
    result = to_int(first)
    for value in values:
        result = wrap(result * to_int(value))
    return Int64(result)


@function("max biggest", "func(interface {}, ...interface {}) int64", "The largest integer.", "{{ max 1 3 2 }}", "3")
def largest(first: Any, *values: Any) -> Int64:
    return Int64(max(map(to_int, (first, *values))))


@function("min", "func(interface {}, ...interface {}) int64", "The smallest integer.", "{{ min 3 1 2 }}", "1")
def smallest(first: Any, *values: Any) -> Int64:
    return Int64(min(map(to_int, (first, *values))))


@function("randInt", "func(int, int) int", "A random integer from one number up to, not including, another.",
          "{{ randInt 5 6 }}", "5", context=True)  # fmt: skip
def rand_int(frame: Any, low: int, high: int) -> int:
    if high <= low:
        raise CallError("invalid argument to Intn")
    return low + int(frame.host.random_below(high - low))


# -- floats


def _decimal(value: Any) -> Decimal:
    from decimal import Decimal

    number = to_float(value)
    if not math.isfinite(number):
        raise CallError(f"Cannot create a Decimal from {display(number)}")
    return Decimal(repr(number))


def _decimals(first: Decimal, values: tuple[Any, ...], operation: Callable[[Decimal, Decimal], Decimal]) -> float:
    """A chain of decimal operations, with all the digits that floats can have."""
    from decimal import Context, localcontext

    with localcontext(Context(prec=800)):
        for value in values:
            first = operation(first, _decimal(value))
        return float(first) + 0.0  # a decimal zero has no sign


def _quotient(left: Decimal, right: Decimal) -> Decimal:
    from decimal import ROUND_HALF_UP, Decimal

    if right == 0:
        raise CallError("decimal division by 0")
    return (left / right).quantize(Decimal(1).scaleb(-16), ROUND_HALF_UP)


@function("add1f", "func(interface {}) float64", "One more.", "{{ add1f 1.5 }}", "2.5")
def add1f(value: Any) -> float:
    return addf(value, 1)


@function("addf", "func(...interface {}) float64", "The sum.", "{{ addf 0.1 0.2 }}", "0.3")
def addf(*values: Any) -> float:
    return _decimals(_decimal(0), values, lambda a, b: a + b)


@function("subf", "func(interface {}, ...interface {}) float64", "The difference.", "{{ subf 7.5 2 3 }}", "2.5")
def subf(first: Any, *values: Any) -> float:
    return _decimals(_decimal(first), values, lambda a, b: a - b)


@function("mulf", "func(interface {}, ...interface {}) float64", "The product.", "{{ mulf 0.1 3 }}", "0.3")
def mulf(first: Any, *values: Any) -> float:
    return _decimals(_decimal(first), values, lambda a, b: a * b)


@function("divf", "func(interface {}, ...interface {}) float64", "The quotient.", "{{ divf 10 4 }}", "2.5")
def divf(first: Any, *values: Any) -> float:
    return _decimals(_decimal(first), values, _quotient)


def _in_order(number: float) -> tuple[float, float]:
    """By this, numbers are in order, and -0 is before 0."""
    return number, math.copysign(1, number)


def _outermost(choose: Callable[..., float], end: float, *values: Any) -> float:
    """The largest or the smallest float. No number is beyond the end; else what is not a number wins."""
    numbers = list(map(to_float, values))
    if end in numbers:
        return end
    return math.nan if any(map(math.isnan, numbers)) else choose(numbers, key=_in_order)


@function("maxf", "func(interface {}, ...interface {}) float64", "The largest float.", "{{ maxf 1 2.5 }}", "2.5")
def maxf(first: Any, *values: Any) -> float:
    return _outermost(max, math.inf, first, *values)


@function("minf", "func(interface {}, ...interface {}) float64", "The smallest float.", "{{ minf 1.5 2 }}", "1.5")
def minf(first: Any, *values: Any) -> float:
    return _outermost(min, -math.inf, first, *values)


def _whole(value: Any, rounded: Callable[[float], int]) -> float:
    number = to_float(value)
    return math.copysign(rounded(number), number) if math.isfinite(number) else number


@function("ceil", "func(interface {}) float64", "The next whole number above.", "{{ ceil 1.2 }}", "2")
def ceil(value: Any) -> float:
    return _whole(value, math.ceil)


@function("floor", "func(interface {}) float64", "The next whole number below.", "{{ floor 1.8 }}", "1")
def floor(value: Any) -> float:
    return _whole(value, math.floor)


@function("round", "func(interface {}, int, ...float64) float64", "Rounded to some decimals; halves go up.",
          "{{ round 123.5555 3 }}", "123.556")  # fmt: skip
def round_to(value: Any, places: int, *half: float) -> float:
    number = to_float(value)
    power = 10.0 ** max(min(places, 400), -400) if places < 309 else math.inf
    digits = power * number
    if not math.isfinite(digits):
        return digits / power if power else math.nan
    up = math.modf(digits)[0] >= (half[0] if half else 0.5)
    whole = math.copysign(math.ceil(digits) if up else math.floor(digits), digits)
    return whole / power if power else math.copysign(math.inf, whole) if whole else math.nan


# -- series


def _series(frame: Any, start: int, stop: int, step: int) -> Ints:
    """From a start up to, not including, a stop; nothing where the step leads away."""
    if step == 0 or (stop < start) != (step < 0):
        return Ints()
    count = max(0, -((start - stop) // step))
    frame.make(count * INTEGER)
    return Ints(range(start, stop, step))


@function("until", "func(int) []int", "The integers from 0 up to a number.", "{{ until 3 }}", "[0 1 2]", context=True)
def until(frame: Any, count: int) -> Ints:
    return _series(frame, 0, count, -1 if count < 0 else 1)


@function("untilStep", "func(int, int, int) []int", "The integers from a start up to a stop, by steps.",
          "{{ untilStep 3 9 2 }}", "[3 5 7]", context=True)  # fmt: skip
def until_step(frame: Any, start: int, stop: int, step: int) -> Ints:
    return _series(frame, start, stop, step)


@function("seq", "func(...int) string", "Integers with spaces between, as the shell's seq prints them.",
          "{{ seq 1 2 5 }}", "1 3 5", context=True)  # fmt: skip
def seq(frame: Any, *params: int) -> str:
    if not 1 <= len(params) <= 3:
        return ""
    start, end = (1, params[0]) if len(params) == 1 else (params[0], params[-1])
    step = -1 if end < start else 1
    stop = end + step
    if len(params) == 3:
        step = params[1]
        if end < start and step > 0:
            return ""
    numbers = _series(frame, start, stop, step)
    frame.make(len(numbers) * 2 * INTEGER)
    return " ".join(map(str, numbers))
