"""Defaults and types: what a value is, and what to take instead of an empty one."""

from __future__ import annotations

from plait.notations.gotemplate.casts import is_empty
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.sprig.equality import deep_equal
from plait.notations.gotemplate.values import kind_name, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REFLECTION = FunctionGroup("reflection", "Defaults and types")
function = REFLECTION.function


@function("default", "func(interface {}, ...interface {}) interface {}", "A value, or a default where it is empty.",
          '{{ "" | default "foo" }}', "foo", lazy=True)  # fmt: skip
def default(otherwise: Any, *given: Any) -> Any:
    return given[0] if given and not is_empty(given[0]) else otherwise


@function("empty", "func(interface {}) bool", "Whether a value is empty.", '{{ empty "" }}', "true", lazy=True)
def empty(value: Any) -> bool:
    return is_empty(value)


@function(
    "coalesce",
    "func(...interface {}) interface {}",
    "The first argument that is not empty.",
    '{{ coalesce 0 "" "a" }}',
    "a",
    lazy=True,
)
def coalesce(*values: Any) -> Any:
    return next((value for value in values if not is_empty(value)), None)


@function(
    "ternary",
    "func(interface {}, interface {}, bool) interface {}",
    "One value where a condition holds, another where not.",
    '{{ ternary "yes" "no" true }}',
    "yes",
    lazy=True,
)
def ternary(yes: Any, no: Any, condition: bool) -> Any:
    return yes if condition else no


@function("typeOf", "func(interface {}) string", "The name of a value's type.", '{{ typeOf "a" }}', "string", lazy=True)
def type_of(value: Any) -> str:
    return type_name(value)


@function(
    "typeIs",
    "func(string, interface {}) bool",
    "Whether a value is of a type.",
    '{{ typeIs "int" 1 }}',
    "true",
    lazy=True,
)
def type_is(name: str, value: Any) -> bool:
    return name == type_name(value)


@function("typeIsLike", "func(string, interface {}) bool", "Whether a value is of a type, or points to one.",
          '{{ typeIsLike "int" 1 }}', "true", lazy=True)  # fmt: skip
def type_is_like(name: str, value: Any) -> bool:
    return type_name(value) in (name, f"*{name}")


@function(
    "kindOf",
    "func(interface {}) string",
    "What a value's type is made of.",
    "{{ kindOf (list 1) }}",
    "slice",
    lazy=True,
)
def kind_of(value: Any) -> str:
    return kind_name(value)


@function(
    "kindIs",
    "func(string, interface {}) bool",
    "Whether a value is of a kind.",
    '{{ kindIs "map" (dict) }}',
    "true",
    lazy=True,
)
def kind_is(name: str, value: Any) -> bool:
    return name == kind_name(value)


@function("deepEqual", "func(interface {}, interface {}) bool", "Whether two values are the same all the way down.",
          "{{ deepEqual (list 1) (list 1) }}", "true")  # fmt: skip
def equal(left: Any, right: Any) -> bool:
    return deep_equal(left, right)


@function("fail", "func(string) (string, error)", "Stop with a message.", "", "")
def fail(message: str) -> str:
    raise CallError(message)
