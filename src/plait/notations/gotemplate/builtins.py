"""The functions of text/template itself: logic, comparison, indexing, printing, escaping."""

from __future__ import annotations

from plait.core.quoting import to_bytes
from plait.core.urls import escaped_for_query
from plait.notations.gotemplate.compile import call_value, logical_and, logical_or
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.format import VerbFlags, display, formatted, sprint, sprintf, sprintln
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.positions import INTEGERS, basic_kind, no_value, part, position
from plait.notations.gotemplate.values import (
    MISSING,
    StringMap,
    Uint8,
    is_list,
    is_map,
    is_nil,
    is_true,
    kind_name,
    lookup,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BUILTINS = FunctionGroup("builtins", "Built in")
function = BUILTINS.function

function("and", "func(reflect.Value, ...reflect.Value) reflect.Value",
         "The first argument that is empty, else the last; later ones are not looked at.",
         '{{ and 1 "b" }}', "b", lazy=True)(logical_and)  # fmt: skip
function("or", "func(reflect.Value, ...reflect.Value) reflect.Value",
         "The first argument that is not empty, else the last; later ones are not looked at.",
         '{{ or "" "b" }}', "b", lazy=True)(logical_or)  # fmt: skip


@function("not", "func(reflect.Value) bool", "Whether a value is empty.", "{{ not 0 }}", "true", lazy=True)
def negate(value: Any) -> bool:
    return not is_true(value)


# -- comparison


def _comparable(left: Any, right: Any) -> bool:
    a, b = basic_kind(left), basic_kind(right)
    return a == b or (a in INTEGERS and b in INTEGERS)


def _verb_s(value: Any) -> str:
    return formatted(value, "s", VerbFlags())


def _unmade(value: Any) -> bool:
    """Whether a value is nil, or a list or map that nobody made."""
    return no_value(value) or is_nil(value)


def _same(left: Any, right: Any) -> bool:
    """Whether two values are equal, by Go's `eq` for one pair."""
    if not _comparable(left, right):
        if no_value(left) or no_value(right):
            return False
        raise CallError(f"incompatible types for comparison: {type_name(left)} and {type_name(right)}")
    if basic_kind(left):
        return bool(left == right)
    if no_value(left) or no_value(right):
        return _unmade(left) and _unmade(right)
    if kind_name(left) != kind_name(right):
        raise CallError(
            f"non-comparable types {_verb_s(left)}: {type_name(left)}, {type_name(right)}: {display(right)}"
        )
    if is_nil(left) or is_nil(right):
        return is_nil(left) and is_nil(right)
    if is_map(right) or is_list(right):
        raise CallError(f"non-comparable type {_verb_s(right)}: {type_name(right)}")
    return bool(left == right)


def _less(left: Any, right: Any) -> bool:
    for value in (left, right):
        if not basic_kind(value):
            raise CallError("invalid type for comparison")
    if not _comparable(left, right):
        raise CallError(f"incompatible types for comparison: {type_name(left)} and {type_name(right)}")
    if basic_kind(left) in ("bool", "complex"):
        raise CallError("invalid type for comparison")
    if basic_kind(left) == "string":
        return to_bytes(left) < to_bytes(right)
    return bool(left < right)


@function("eq", "func(reflect.Value, ...reflect.Value) bool", "Whether the first argument equals any of the others.",
          '{{ eq "b" "a" "b" }}', "true", lazy=True)  # fmt: skip
def equal(left: Any, *others: Any) -> bool:
    if not others:
        raise CallError("missing argument for comparison")
    return any(_same(left, right) for right in others)


@function(
    "ne", "func(reflect.Value, reflect.Value) bool", "Whether two values differ.", "{{ ne 1 2 }}", "true", lazy=True
)
def unequal(left: Any, right: Any) -> bool:
    return not _same(left, right)


@function("lt", "func(reflect.Value, reflect.Value) bool", "Less than.", "{{ lt 1 2 }}", "true", lazy=True)
def less(left: Any, right: Any) -> bool:
    return _less(left, right)


@function("le", "func(reflect.Value, reflect.Value) bool", "Less than or equal.", "{{ le 2 2 }}", "true", lazy=True)
def less_or_equal(left: Any, right: Any) -> bool:
    return _less(left, right) or _same(left, right)


@function("gt", "func(reflect.Value, reflect.Value) bool", "Greater than.", "{{ gt 1 2 }}", "false", lazy=True)
def greater(left: Any, right: Any) -> bool:
    return not less_or_equal(left, right)


@function("ge", "func(reflect.Value, reflect.Value) bool", "Greater than or equal.", "{{ ge 2 2 }}", "true", lazy=True)
def greater_or_equal(left: Any, right: Any) -> bool:
    return not _less(left, right)


# -- looking inside


def _item(value: Any, index: Any) -> Any:
    if value is None or value is MISSING:
        raise CallError("index of nil pointer")
    if is_map(value):
        return _entry(value, index)
    if value.__class__ is str:
        raw = to_bytes(value)
    elif is_list(value):
        raw = value
    else:
        raise CallError(f"can't index item of type {type_name(value)}")
    at = position(index, len(raw))
    if at == len(raw):
        raise CallError("reflect: slice index out of range")
    return Uint8(raw[at]) if raw.__class__ is bytes else raw[at]


def _entry(value: Any, key: Any) -> Any:
    if no_value(key):
        raise CallError("value is nil; should be of type string")
    hashable = not is_list(key) and not is_map(key)
    if key.__class__ is not str and not (value.__class__ is dict and hashable and key in value):
        raise CallError(f"value has type {type_name(key)}; should be string")
    found = lookup(value, key)
    if found is MISSING:
        return "" if value.__class__ is StringMap else None
    return found


@function("index", "func(reflect.Value, ...reflect.Value) reflect.Value", "An item of a list, a map or a string.",
          '{{ index (list "a" "b") 1 }}', "b", lazy=True, context=True)  # fmt: skip
def index(frame: Any, value: Any, *indexes: Any) -> Any:
    if no_value(value):
        raise CallError("index of untyped nil")
    for step in indexes:
        value = frame.open(_item(value, step))
    return value


function("slice", "func(reflect.Value, ...reflect.Value) reflect.Value", "A part of a list or a string.",
         '{{ slice "abcd" 1 3 }}', "bc")(part)  # fmt: skip


@function("len", "func(reflect.Value) (int, error)", "How many items, keys or bytes a value has.",
          '{{ len "ab" }}', "2", lazy=True)  # fmt: skip
def length(value: Any) -> int:
    if value is MISSING:
        raise CallError("reflect: call of reflect.Value.Type on zero Value")
    if value is None:
        raise CallError("len of nil pointer")
    if value.__class__ is str:
        return len(value) if value.isascii() else len(to_bytes(value))
    if is_list(value) or is_map(value) or value.__class__ is bytes:
        return len(value)
    raise CallError(f"len of type {type_name(value)}")


function(
    "call",
    "func(reflect.Value, ...reflect.Value) reflect.Value",
    "Call a value that is a function. Data contain no functions, so this is always an error.",
    "",
    "",
)(call_value)


# -- printing


@function(
    "print",
    "func(...interface {}) string",
    "The arguments as text, with spaces between those that are not strings.",
    '{{ print "a" 1 2 }}',
    "a1 2",
)
def print_(*values: Any) -> str:
    return sprint(values)


@function("println", "func(...interface {}) string", "The arguments as text, with spaces between, and a newline.",
          '{{ println "a" 1 }}', "a 1\n")  # fmt: skip
def println(*values: Any) -> str:
    return sprintln(values)


@function("printf", "func(string, ...interface {}) string", "The arguments formatted.",
          '{{ printf "%s-%03d" "a" 7 }}', "a-007", context=True)  # fmt: skip
def printf(frame: Any, format: str, *values: Any) -> str:
    return sprintf(format, values, frame.make)


# -- escaping


def _joined(values: tuple[Any, ...]) -> str:
    if len(values) == 1 and values[0].__class__ is str:
        return values[0]
    return sprint(tuple("<no value>" if value is None else value for value in values))


_HTML = str.maketrans({"\0": "\ufffd", '"': "&#34;", "'": "&#39;", "&": "&amp;", "<": "&lt;", ">": "&gt;"})


@function("html", "func(...interface {}) string", "Text escaped for HTML.", '{{ html "<b>" }}', "&lt;b&gt;")
def html(*values: Any) -> str:
    return _joined(values).translate(_HTML)


_JS = {"\\": "\\\\", "'": "\\'", '"': '\\"', "<": "\\u003C", ">": "\\u003E", "&": "\\u0026", "=": "\\u003D"}
_AS_THEY_ARE = frozenset(("\x7f", *map(chr, range(0xDC80, 0xDD00))))
"""Characters that `js` leaves though they do not print: DEL, and bytes that are not UTF-8."""


def _js(character: str) -> str:
    if character in _JS:
        return _JS[character]
    if character < " " or not (character.isprintable() or character in _AS_THEY_ARE):
        return f"\\u{ord(character):04X}"
    return character


@function("js", "func(...interface {}) string", "Text escaped for a JavaScript string.", '{{ js "it\'s" }}', "it\\'s")
def js(*values: Any) -> str:
    return "".join(map(_js, _joined(values)))


@function("urlquery", "func(...interface {}) string", "Text escaped for a URL query.",
          '{{ urlquery "a b&c" }}', "a+b%26c")  # fmt: skip
def urlquery(*values: Any) -> str:
    return escaped_for_query(_joined(values))
