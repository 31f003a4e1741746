"""Regular expressions."""

from __future__ import annotations

from functools import lru_cache

from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.values import NilStrings, Strings
from plait.regexp import BadPattern, Regexp, expand, quote_meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PATTERNS = FunctionGroup("patterns", "Regular expressions")
function = PATTERNS.function


@lru_cache(256)
def compiled(pattern: str) -> Regexp:
    return Regexp(pattern)


def _both(name: str, signature: str, description: str, example: str, output: str, call: Callable[..., Any]) -> None:
    """A function and its `must` form; the first words its complaint about the pattern differently."""

    def lenient(frame: Any, pattern: str, *rest: Any) -> Any:
        try:
            compiled(pattern)
        except BadPattern as problem:
            raise CallError(f"regexp: Compile(`{pattern}`): {problem}") from None
        return call(frame, pattern, *rest)

    must = f"must{name[0].upper()}{name[1:]}"
    function(name, signature, description, example, output, context=True)(lenient)
    function(must, signature, description, example.replace(name, must), output, context=True)(call)


@function(
    "regexMatch",
    "func(string, string) bool",
    "Whether a pattern matches a string.",
    '{{ regexMatch "^a+$" "aaa" }}',
    "true",
    context=True,
)
def regex_match(frame: Any, pattern: str, text: str) -> bool:
    try:
        return must_regex_match(frame, pattern, text)
    except BadPattern:
        return False


@function("mustRegexMatch", "func(string, string) (bool, error)", "Whether a pattern matches a string.",
          '{{ mustRegexMatch "^a+$" "aaa" }}', "true", context=True)  # fmt: skip
def must_regex_match(frame: Any, pattern: str, text: str) -> bool:
    return compiled(pattern).found_in(text, frame.meter)


def _find(frame: Any, pattern: str, text: str) -> str:
    match = compiled(pattern).search(text, 0, frame.meter)
    return match.whole() if match else ""


def _find_all(frame: Any, pattern: str, text: str, count: int) -> Strings:
    return Strings(found.whole() for found in compiled(pattern).find_all(text, count, frame.meter)) or NilStrings()


def _replace(frame: Any, pattern: str, text: str, replacement: str) -> str:
    return compiled(pattern).replace(text, lambda found: expand(replacement, found, frame.meter), frame.meter)


def _replace_literal(frame: Any, pattern: str, text: str, replacement: str) -> str:
    return compiled(pattern).replace(text, lambda found: replacement, frame.meter)


def _split(frame: Any, pattern: str, text: str, count: int) -> Strings:
    return Strings(compiled(pattern).split(text, count, frame.meter)) or NilStrings()


_both(
    "regexFind", "func(string, string) (string, error)", "The first match.", '{{ regexFind "b." "abc" }}', "bc", _find
)
_both("regexFindAll", "func(string, string, int) ([]string, error)", "At most n matches; all of them for -1.",
      '{{ regexFindAll "[a-c]" "xaybzc" 2 }}', "[a b]", _find_all)  # fmt: skip
_both("regexReplaceAll", "func(string, string, string) (string, error)", "Matches replaced; ${1} is the first group.",
      '{{ regexReplaceAll "a(x*)b" "-axxb-" "${1}W" }}', "-xxW-", _replace)  # fmt: skip
_both("regexReplaceAllLiteral", "func(string, string, string) (string, error)", "Matches replaced by a literal string.",
      '{{ regexReplaceAllLiteral "a" "banana" "$" }}', "b$n$n$", _replace_literal)  # fmt: skip
_both("regexSplit", "func(string, string, int) ([]string, error)", "The pieces between matches, at most n; all for -1.",
      '{{ regexSplit "z+" "pizza" -1 }}', "[pi a]", _split)  # fmt: skip


@function(
    "regexQuoteMeta",
    "func(string) string",
    "A text as a pattern that matches just it.",
    '{{ regexQuoteMeta "1.2" }}',
    "1\\.2",
)
def regex_quote_meta(text: str) -> str:
    return quote_meta(text)
