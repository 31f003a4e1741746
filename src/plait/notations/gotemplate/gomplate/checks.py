"""`test`: conditions that must hold, and what kind a value is of."""

from __future__ import annotations

from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate.casts import text, truth, wrong_count
from plait.notations.gotemplate.values import kind_name, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHECKS = FunctionGroup("gomplate checks", "gomplate: test")
function = CHECKS.function
NOT_SET = "can not render template: a required value was not set"
NUMBERS = frozenset(
    (*(f"{sign}int{bits}" for sign in ("", "u") for bits in ("", "8", "16", "32", "64")), "float64", "complex128")
)
"""The kinds that are numbers."""


def _message(values: tuple[Any, ...]) -> str:
    """The message before a value; empty where there is none."""
    if not 1 <= len(values) <= 2:
        raise wrong_count("1 or 2", values)
    if len(values) == 2 and values[0].__class__ is not str:
        raise CallError(f"at <1>: expected string; found {type_name(values[0])}")
    return values[0] if len(values) == 2 else ""


@function("assert test.Assert", "func(...interface {}) (string, error)",
          "Stop unless a value says yes: [MESSAGE] VALUE.", '{{ assert "must hold" "yes" }}', "")  # fmt: skip
def assert_true(*values: Any) -> str:
    message = _message(values)
    if not truth(values[-1]):
        raise CallError(f"assertion failed: {message}" if message else "assertion failed")
    return ""


@function("test.Fail", "func(...interface {}) (string, error)", "Stop, with a message or without.", "", "")
def fail(*values: Any) -> str:
    if len(values) > 1:
        raise wrong_count("0 or 1", values)
    message = text(values[0]) if values else ""
    raise CallError(f"template generation failed: {message}" if message else "template generation failed")


@function("required test.Required", "func(...interface {}) (interface {}, error)",
          "A value that must not be nil or an empty text: [MESSAGE] VALUE.",
          '{{ required "no name" "web" }}', "web")  # fmt: skip
def required(*values: Any) -> Any:
    message = _message(values)
    if values[-1] is None or (values[-1].__class__ is str and not values[-1]):
        raise CallError(message or NOT_SET)
    return values[-1]


@function("test.Ternary", "func(interface {}, interface {}, interface {}) interface {}",
          "One value where another says yes, a second one where not.",
          '{{ test.Ternary "yes" "no" "t" }}', "yes", lazy=True)  # fmt: skip
def ternary(yes: Any, no: Any, condition: Any) -> Any:
    return yes if truth(condition) else no


@function("test.Kind kind", "func(interface {}) string", "What a value's type is made of.",
          "{{ test.Kind (list 1) }} {{ test.Kind nil }}", "slice invalid", lazy=True)  # fmt: skip
def kind(value: Any) -> str:
    return kind_name(value)


@function("test.IsKind isKind", "func(string, interface {}) bool", "Whether a value is of a kind, or a `number`.",
          '{{ test.IsKind "number" 1.5 }} {{ test.IsKind "map" (dict) }}', "true true", lazy=True)  # fmt: skip
def is_kind(wanted: str, value: Any) -> bool:
    found = kind_name(value)
    return found == wanted or (wanted == "number" and found in NUMBERS)
