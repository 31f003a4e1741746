"""`conv`: values of one type as values of another."""

from __future__ import annotations

from plait.notations.gotemplate.casts import is_empty
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate.casts import items, real, text, truth, whole
from plait.notations.gotemplate.gomplate.urls import GoUrl
from plait.notations.gotemplate.literals import INT_MAX, INT_MIN, parse_float, parse_int
from plait.notations.gotemplate.values import Bools, Floats, Int64, Int64s, Ints, Strings, Uint64, is_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONVERSIONS = FunctionGroup("gomplate conversions", "gomplate: conv")
function = CONVERSIONS.function
BITS = 64


# -- truth


@function("conv.ToBool", "func(interface {}) bool", "Whether a value says yes: true, t, yes, or a number that is 1.",
          '{{ conv.ToBool "0x01" }}', "true")  # fmt: skip
def to_bool(value: Any) -> bool:
    return truth(value)


@function("conv.ToBools", "func(...interface {}) []bool", "Whether each value says yes.",
          '{{ conv.ToBools "yes" 0 "T" }}', "[true false true]")  # fmt: skip
def to_bools(*values: Any) -> Bools:
    return Bools(map(truth, values))


@function("conv.Bool bool", "func(interface {}) bool", "Whether a value is the text of Go's true: 1, t, true.",
          '{{ conv.Bool "yes" }} {{ conv.Bool "T" }}', "false true")  # fmt: skip
def go_bool(value: Any) -> bool:
    return text(value) in ("1", "t", "T", "true", "TRUE", "True")


@function("conv.Default", "func(interface {}, interface {}) interface {}", "A value, or a default where it is empty.",
          '{{ conv.Default "foo" "" }}', "foo", lazy=True)  # fmt: skip
def default(otherwise: Any, value: Any) -> Any:
    return otherwise if is_empty(value) else value


# -- numbers


@function("conv.ToInt", "func(interface {}) int", "Any value as an integer; 0 where it is none.",
          '{{ conv.ToInt "0x1F" }} {{ conv.ToInt "9,000.9" }} {{ conv.ToInt true }}', "31 9000 1")  # fmt: skip
def to_int(value: Any) -> int:
    return whole(value)


@function("conv.ToInt64", "func(interface {}) int64", "Any value as a 64-bit integer; 0 where it is none.",
          '{{ conv.ToInt64 "1e3" }}', "1000")  # fmt: skip
def to_int64(value: Any) -> Int64:
    return Int64(whole(value))


@function("conv.ToInts", "func(...interface {}) []int", "Values as integers.", '{{ conv.ToInts "1" 2.9 "x" }}',
          "[1 2 0]")  # fmt: skip
def to_ints(*values: Any) -> Ints:
    return Ints(map(whole, values))


@function("conv.ToInt64s", "func(...interface {}) []int64", "Values as 64-bit integers.",
          '{{ conv.ToInt64s "1" 2.9 }}', "[1 2]")  # fmt: skip
def to_int64s(*values: Any) -> Int64s:
    return Int64s(Int64(whole(value)) for value in values)


@function("conv.ToFloat64", "func(interface {}) float64", "Any value as a float; 0 where it is none.",
          '{{ conv.ToFloat64 "9,000.09" }}', "9000.09")  # fmt: skip
def to_float64(value: Any) -> float:
    return real(value)


@function("conv.ToFloat64s", "func(...interface {}) []float64", "Values as floats.",
          '{{ conv.ToFloat64s "1.5" true }}', "[1.5 1]")  # fmt: skip
def to_float64s(*values: Any) -> Floats:
    return Floats(map(real, values))


@function("conv.ParseInt", "func(interface {}, int, int) int64",
          "A text as an integer of a base and of so many bits; 0 where it is none.",
          '{{ conv.ParseInt "ff" 16 64 }}', "255")  # fmt: skip
def parse_int_of(value: Any, base: int, bits: int) -> Int64:
    top = 1 << (_checked(base, bits) - 1)
    return Int64(max(min(parse_int(text(value), base) or 0, top - 1), -top))


@function("conv.ParseUint", "func(interface {}, int, int) uint64",
          "The same for an integer without a sign.", '{{ conv.ParseUint "ff" 16 8 }}', "255")  # fmt: skip
def parse_uint_of(value: Any, base: int, bits: int) -> Uint64:
    written = text(value)
    found = None if written[:1] in ("+", "-") else parse_int(written, base)
    return Uint64(min(found or 0, (1 << _checked(base, bits)) - 1))


def _checked(base: int, bits: int) -> int:
    """The number of bits, where it and the base can be."""
    if base != 0 and not 2 <= base <= 36:
        raise CallError(f"invalid base {base}")
    if not 0 <= bits <= BITS:
        raise CallError(f"invalid bit size {bits}")
    return bits or BITS


@function("conv.ParseFloat", "func(interface {}, int) float64", "A text as a float; 0 where it is none.",
          '{{ conv.ParseFloat "1.5" 64 }}', "1.5")  # fmt: skip
def parse_float_of(value: Any, bits: int) -> float:
    written = text(value)
    found = parse_float(written)
    if found is None:
        return _beyond(written)
    return _single(found) if bits == 32 else found


def _beyond(written: str) -> float:
    """Infinity where a text is a number that no float holds; else 0."""
    mantissa = written.lower().partition("e")[0]
    if not written[-1:].isdigit() or parse_float(mantissa) is None:
        return 0.0
    return float("-inf" if written[0] == "-" else "inf")


def _single(value: float) -> float:
    """The nearest float of 32 bits."""
    from struct import pack, unpack

    try:
        return float(unpack("f", pack("f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


@function("conv.Atoi", "func(interface {}) int", "A text as a decimal integer; 0 where it is none.",
          '{{ conv.Atoi "010" }} {{ conv.Atoi "x" }}', "10 0")  # fmt: skip
def atoi(value: Any) -> int:
    return max(min(parse_int(text(value), 10) or 0, INT_MAX), INT_MIN)


# -- texts


@function("conv.ToString", "func(interface {}) string", "Any value as a text.",
          '{{ conv.ToString nil }} {{ conv.ToString 1.5 }}', "nil 1.5")  # fmt: skip
def to_string(value: Any) -> str:
    return text(value)


@function("conv.ToStrings", "func(...interface {}) []string", "Values as texts.",
          '{{ conv.ToStrings nil 42 true }}', "[nil 42 true]")  # fmt: skip
def to_strings(*values: Any) -> Strings:
    return Strings(map(text, values))


@function("conv.Join", "func(interface {}, string) (string, error)", "The items of a list as one text.",
          '{{ conv.Join (list 1 nil) "-" }}', "1-nil", context=True)  # fmt: skip
def join(frame: Any, value: Any, separator: str) -> str:
    if not is_list(value) and value.__class__ is not bytes:
        raise CallError("input to Join must be an array")
    texts = [text(item) for item in items(value)]
    frame.make(len(texts) * len(separator) + sum(map(len, texts)))
    return separator.join(texts)


@function("conv.URL", "func(interface {}) (*url.URL, error)", "A URL, with its parts as fields.",
          '{{ $u := conv.URL "https://u@h:80/p?q=1#f" }}{{ $u.Scheme }} {{ $u.Host }} {{ $u.Port }} {{ $u.RawQuery }}',
          "https h:80 80 q=1")  # fmt: skip
def url(value: Any) -> GoUrl:
    return GoUrl.parsed(text(value))
