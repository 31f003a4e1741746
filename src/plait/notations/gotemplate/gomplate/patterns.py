"""`regexp`: regular expressions. Patterns and texts may be values of any type."""

from __future__ import annotations

from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate.casts import text, whole, wrong_count
from plait.notations.gotemplate.sprig.patterns import compiled
from plait.notations.gotemplate.values import Strings
from plait.regexp import BadPattern, Regexp, expand, quote_meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PATTERNS = FunctionGroup("gomplate patterns", "gomplate: regexp")
function = PATTERNS.function


def _pattern(value: Any) -> Regexp:
    try:
        return compiled(text(value))
    except BadPattern as problem:
        raise CallError(str(problem)) from None


def _counted(values: tuple[Any, ...]) -> tuple[Regexp, int, str]:
    """A pattern, how many are wanted at most, and the text: PATTERN [MOST] TEXT."""
    if not 2 <= len(values) <= 3:
        raise wrong_count("2 or 3", values)
    return _pattern(values[0]), whole(values[1]) if len(values) == 3 else -1, text(values[-1])


@function("regexp.Match", "func(interface {}, interface {}) bool", "Whether a pattern matches a text.",
          '{{ regexp.Match "^[0-9]+$" 123 }}', "true", context=True)  # fmt: skip
def match(frame: Any, pattern: Any, value: Any) -> bool:
    return _pattern(pattern).found_in(text(value), frame.meter)


@function("regexp.Find", "func(interface {}, interface {}) (string, error)", "The first match.",
          '{{ regexp.Find "b." "abc" }}', "bc", context=True)  # fmt: skip
def find(frame: Any, pattern: Any, value: Any) -> str:
    found = _pattern(pattern).search(text(value), 0, frame.meter)
    return found.whole() if found else ""


@function("regexp.FindAll", "func(...interface {}) ([]string, error)", "Matches: PATTERN [MOST] TEXT.",
          '{{ regexp.FindAll "[a-z]" 2 "a1b2c" }}', "[a b]", context=True)  # fmt: skip
def find_all(frame: Any, *values: Any) -> Strings:
    pattern, most, given = _counted(values)
    return Strings(found.whole() for found in pattern.find_all(given, most, frame.meter))


@function("regexp.Split", "func(...interface {}) ([]string, error)", "The pieces between matches: PATTERN [MOST] TEXT.",
          '{{ index (regexp.Split ", *" 2 "a, b,c") 1 }}', "b,c", context=True)  # fmt: skip
def split(frame: Any, *values: Any) -> Strings:
    pattern, most, given = _counted(values)
    return Strings(pattern.split(given, most, frame.meter))


@function("regexp.Replace", "func(interface {}, interface {}, interface {}) string",
          "Matches replaced: pattern, replacement, text; ${1} is the first group.",
          '{{ regexp.Replace "(b)" "<$1>" "abc" }}', "a<b>c", context=True)  # fmt: skip
def replace(frame: Any, pattern: Any, replacement: Any, value: Any) -> str:
    by = text(replacement)
    return _pattern(pattern).replace(text(value), lambda found: expand(by, found, frame.meter), frame.meter)


@function("regexp.ReplaceLiteral", "func(interface {}, interface {}, interface {}) (string, error)",
          "Matches replaced by a text as it is.", '{{ regexp.ReplaceLiteral "b" "$" "abc" }}', "a$c",
          context=True)  # fmt: skip
def replace_literal(frame: Any, pattern: Any, replacement: Any, value: Any) -> str:
    by = text(replacement)
    return _pattern(pattern).replace(text(value), lambda found: by, frame.meter)


@function("regexp.QuoteMeta", "func(interface {}) string", "A text as a pattern that matches just it.",
          '{{ regexp.QuoteMeta "1.2" }}', "1\\.2")  # fmt: skip
def quoted(value: Any) -> str:
    return quote_meta(text(value))
