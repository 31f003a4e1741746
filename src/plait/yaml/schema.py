"""What a plain scalar means: the schema is a parameter of reading.

YAML 1.2 core is plait's own reading (`yes` is text, `0o17` is 15). YAML 1.1 is there for fronts whose users rely on it.
Most scalars are words that no schema knows; `starts` holds the letters with which anything else can begin, so that
those cost one look-up.
"""

from __future__ import annotations

from plait.core.lazy import LazyPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.node import Value

DIGITS_AT_ONCE = 4000
"""Python refuses to read longer integers in one go."""
LONGEST = 10_000
"""How many digits an integer may have to be computed with."""
_NUMERIC = frozenset("0123456789+-.")
"""The letters with which a number can begin."""


class Digits(str):
    """An integer too long to be computed with, as it was written: it is passed on digit for digit."""

    __slots__ = ()


Number = int | float | Digits


class Schema:
    """Words with a meaning, and a reading of numbers that gives None for what is none."""

    __slots__ = ("name", "number", "starts", "words")

    def __init__(self, name: str, words: dict[str, Value], number: Callable[[str], Number | None]) -> None:
        self.name = name
        self.words = words
        self.number = number
        self.starts = frozenset(word[:1] for word in words) | _NUMERIC

    def resolve(self, text: str) -> Value:
        """The value of a plain scalar."""
        if text[:1] not in self.starts:
            return text
        if text in self.words:
            return self.words[text]
        number = self.number(text) if text[:1] in _NUMERIC else None
        return text if number is None else number


def _spellings(*words: str) -> list[str]:
    return [form for word in words for form in (word, word.capitalize(), word.upper())]


def _table(*groups: tuple[Value, list[str]]) -> dict[str, Value]:
    return {word: value for value, words in groups for word in words}


_NULLS: tuple[Value, list[str]] = (None, ["", "~", *_spellings("null")])
_INFINITIES = {sign + word: float(sign + "inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")}
_SPECIAL_FLOATS = {**_INFINITIES, **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan"))}

_PREFIXED = {"0o": (frozenset("01234567"), 8), "0x": (frozenset("0123456789abcdefABCDEF"), 16)}
_FLOAT = LazyPattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_INT_11 = (
    (LazyPattern(r"[-+]?0b[01_]+\Z"), 2),
    (LazyPattern(r"[-+]?0o?[0-7_]+\Z"), 8),
    (LazyPattern(r"[-+]?(?:0|[1-9][0-9_]*)\Z"), 10),
    (LazyPattern(r"[-+]?0x[0-9a-fA-F_]+\Z"), 16),
)
_LAST = frozenset("0123456789abcdefABCDEF._")
"""The letters with which a number of YAML 1.1 can end."""
_FLOAT_11 = LazyPattern(r"[-+]?(?:[0-9][0-9_]*)?\.[0-9_]*(?:[eE][-+]?[0-9]+)?\Z|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+\Z")

_SIXTIES = LazyPattern(r"[-+]?(?:[1-9][0-9_]*(?::[0-5]?[0-9])+|[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)\Z")


def decimal(text: str) -> int:
    """A decimal integer of any length."""
    if len(text) <= DIGITS_AT_ONCE:
        return int(text)
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text.lstrip("+"))
    value = 0
    for start in range(0, len(digits), DIGITS_AT_ONCE):
        piece = digits[start : start + DIGITS_AT_ONCE]
        value = value * 10 ** len(piece) + int(piece)
    return sign * value


def _number_12(text: str) -> Number | None:
    digits = text[1:] if text[0] in "+-" else text
    if digits.isdecimal() and digits.isascii():
        return decimal(text) if len(text) <= LONGEST else Digits(text)
    if text[:2] not in _PREFIXED:
        return float(text) if _FLOAT.match(text) else None
    letters, base = _PREFIXED[text[:2]]
    if len(text) == 2 or not letters.issuperset(text[2:]):
        return None
    return int(text[2:], base) if len(text) <= LONGEST else Digits(text)


def _number_11(text: str) -> Number | None:
    if text[0] != "0" and text.isdecimal() and text.isascii():
        return decimal(text) if len(text) <= LONGEST else Digits(text)  # nearly all of them
    if text[-1] not in _LAST:
        return None
    digits = text.replace("_", "")
    try:
        for pattern, base in _INT_11:
            if pattern.match(text):
                return (decimal(digits) if base == 10 else int(digits, base)) if len(text) <= LONGEST else Digits(text)
        return float(digits) if _FLOAT_11.match(text) else None
    except ValueError:  # underscores and signs, but no digit
        return None


def _number_60(text: str) -> Number | None:
    """The same with YAML 1.1's numbers to the base of 60: `1:30` is 90."""
    if ":" not in text:
        return _number_11(text)
    if len(text) > LONGEST or not _SIXTIES.match(text):
        return None
    sign, body = (-1, text[1:]) if text[0] == "-" else (1, text.lstrip("+"))
    *groups, last = body.replace("_", "").split(":")
    whole = 0
    for group in groups:
        whole = whole * 60 + int(group)
    return sign * (whole * 60 + (float(last) if "." in last else int(last)))


CORE = Schema(
    "core",
    {**_table(_NULLS, (True, _spellings("true")), (False, _spellings("false"))), **_SPECIAL_FLOATS},
    _number_12,
)
YAML11 = Schema(
    "yaml-1.1",
    {
        **_table(_NULLS, (True, _spellings("true", "yes", "on", "y")), (False, _spellings("false", "no", "off", "n"))),
        **_SPECIAL_FLOATS,
    },
    _number_11,
)
SIXTIES = Schema("yaml-1.1 with sixties", YAML11.words, _number_60)
