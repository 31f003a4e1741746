"""YAML as Go's programs write it, letter for letter: what helm's `toYaml` gives, which checksums are made of.

The value is what JSON would make of it, so keys are texts and whole numbers have no point. Keys are sorted as go-yaml
sorts them (`a2` before `a10`), lists are not set off from their key, long lines are not broken, and a text is quoted
where go-yaml, which reads much of YAML 1.1, would take it for something else.
"""

from __future__ import annotations

import re
from functools import cmp_to_key, lru_cache

from plait.core.floats import shortest
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.values import FIRST_PARTS, MISSING, Object, Traced, is_nil, parts_left, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

WORDS = frozenset(
    word
    for base in ("y", "yes", "n", "no", "true", "false", "on", "off", "null")
    for word in (base, base.capitalize(), base.upper())
) | {"", "~", ".nan", ".NaN", ".NAN", *(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF"))}
"""Plain words that go-yaml reads as something else than text."""
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)\Z")
_SIXTIES = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2}))"
    r"|(?: [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?))?\Z"
)
_STARTS = frozenset("#,[]{}&*!|>'\"%@`")
"""With these no plain text can begin; with `-`, `?` and `:` none where a space follows."""
_WHOLE = 1 << 64
_DIGITS = len(str(_WHOLE))
SHORT = 100
"""Texts up to this length are remembered as they were written: charts repeat their labels in every resource."""
AS_IT_IS = -1
"""The column of what is not folded, and did not come through JSON: what Go's programs write without helm."""
WIDTH = 80
"""Lines that are longer are broken at the next space."""


def resolves(text: str) -> bool:
    """Whether go-yaml reads a plain text as something else than text."""
    if text in WORDS:
        return True
    if text[0] not in "0123456789+-.":
        return False
    digits = text.replace("_", "")
    if _INTEGER.match(digits) or _FLOAT.match(digits) or _SIXTIES.match(text):
        return True
    return bool(_TIME.match(text)) and _is_date(text)


def _is_date(text: str) -> bool:
    year, month, day = (int(part) for part in re.split("[^0-9]", text)[:3])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    times = [int(part) for part in re.split("[^0-9]", text)[3:6] if part]
    return (
        1 <= month <= 12
        and 1 <= day <= days[month - 1]
        and all(value < limit for value, limit in zip(times, (24, 60, 60), strict=False))
    )


_SPECIAL = re.compile("[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]")
"""The characters that can only be written as escapes."""


_BREAKS = "\n\x85\u2028\u2029\r"
_SPACED = re.compile("[ ][\n\x85\u2028\u2029\r]")


class TextShape:
    """What a text that is not empty allows: which styles can hold it."""

    __slots__ = ("block", "plain", "several", "single")

    def __init__(self, text: str) -> None:
        special = _SPECIAL.search(text) is not None
        self.several = any(letter in text for letter in _BREAKS)
        spaced = bool(_SPACED.search(text))  # a space that a line would end with
        ends_space = text[-1] == " "
        self.plain = not (special or self.several or text[0] == " " or ends_space or _has_indicator(text))
        self.single = not special and not spaced
        self.block = self.single and not ends_space


def _has_indicator(text: str) -> bool:
    if text[0] in _STARTS or text.startswith(("---", "...")):
        return True
    if text[0] in "-?:" and (len(text) == 1 or text[1] in " \t"):
        return True
    return ": " in text or text[-1] == ":" or " #" in text or ":\t" in text or "\t#" in text


_ESCAPED = {
    0x00: "0", 0x07: "a", 0x08: "b", 0x09: "t", 0x0A: "n", 0x0B: "v", 0x0C: "f", 0x0D: "r", 0x1B: "e", 0x22: '"',
    0x5C: "\\", 0x85: "N", 0xA0: "_", 0x2028: "L", 0x2029: "P",
}  # fmt: skip


def _double(text: str) -> str:
    """A text between double quotes, on one line."""
    out = ['"']
    every = text[:1] == "\ufeff"  # go-yaml then looks at the first character each time
    for character in text:
        code = ord(character)
        if not every and (code == 0xA0 or (code not in _ESCAPED and not _SPECIAL.match(character))):
            out.append(character)
        elif code in _ESCAPED:
            out.append("\\" + _ESCAPED[code])
        elif code <= 0xFF:
            out.append(f"\\x{code:02X}")
        elif code <= 0xFFFF:
            out.append(f"\\u{code:04X}")
        else:
            out.append(f"\\U{code:08X}")
    return "".join([*out, '"'])


def _literal(text: str, indent: int) -> str:
    """A text of several lines, after `|`; an empty line is not indented."""
    hint = "2" if text[0] in (" ", *_BREAKS) else ""
    body = text.rstrip("\n")
    breaks = len(text) - len(body)
    chomp = "-" if not breaks else "" if breaks == 1 and body else "+"
    space = " " * indent
    lines = (body if chomp == "-" else text[:-1] if breaks else text).split("\n")
    return f"|{hint}{chomp}\n" + "\n".join(space + line if line else "" for line in lines)


def _folded(text: str, column: int, indent: int, mark: str = "") -> str:
    """A text broken at single spaces once a line is longer than 80 characters. `column` is where it begins, `mark`
    what a continued line needs before a space."""
    if column + len(text) <= WIDTH or " " not in text:
        return text
    out: list[str] = []
    edge = int(text[0] in "'\"")  # neither the first nor the last character between quotes may be a break
    last = len(text) - 1 - edge
    for at, letter in enumerate(text):
        alone = letter == " " and edge < at < last and text[at - 1] != " "
        if alone and column > WIDTH and (mark or text[at + 1] != " "):
            start = " " * indent + (mark if text[at + 1] == " " else "")
            out.append("\n" + start)
            column = len(start)
            continue
        out.append(letter)
        column += 1
    return "".join(out)


def text_of(text: str, indent: int, column: int = -1) -> str:
    """A text in the style that go-yaml chooses. `indent` is that of its lines, where it needs several; `column` is
    where it begins, where it may be broken at all."""
    if column < 0:
        return _styled(text, indent)
    written = _styled(text, indent)
    if written[0] == "|" and "\n" in written:
        return written
    return _folded(written, column, indent, "\\" if written[0] == '"' else "")


def _styled(text: str, indent: int) -> str:
    return _short(text, indent) if len(text) <= SHORT else _chosen(text, indent)


def _chosen(text: str, indent: int) -> str:
    if resolves(text):
        return _double(text)
    shape = TextShape(text)
    if "\n" in text:
        return _literal(text, indent) if shape.block else _double(text)
    if shape.plain:
        return text
    return "'" + text.replace("'", "''") + "'" if shape.single and not shape.several else _double(text)


_short = lru_cache(maxsize=4096)(_chosen)


def number_of(value: float) -> str:
    """A number as it comes out of JSON: whole ones without a point."""
    if not isinstance(value, int | float):
        raise CallError(f"yaml: unsupported type: {type_name(value)}")
    if value != value or value in (float("inf"), float("-inf")):
        raise CallError(f"json: unsupported value: {value}")
    whole = shortest(value, high=_DIGITS) if isinstance(value, float) else str(int(value))
    if whole.lstrip("-").isdecimal() and -(_WHOLE >> 1) <= int(whole) < _WHOLE:
        return whole
    return shortest(float(value))


def scalar_of(value: Any, indent: int, column: int) -> str:
    """A value that is no list or map."""
    if value.__class__ is Traced:
        value = value.value
    if value is None or value is MISSING:
        return "null"
    if value.__class__ is bool:
        return "true" if value else "false"
    if isinstance(value, str):
        return text_of(value, indent, column)
    if isinstance(value, bytes):
        from base64 import b64encode

        return text_of(b64encode(value).decode(), indent, column)
    return number_of(value)


def _compared(first: str, second: str) -> int:
    """The order of keys: letters before digits are compared as letters, runs of digits as numbers."""
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one == other:
            continue
        letters = one.isalpha(), other.isalpha()
        if all(letters):
            return -1 if one < other else 1
        if any(letters):
            return -1 if letters[1] else 1
        numbers = _digits(first, at, one, other), _digits(second, at, one, other)
        if numbers[0] != numbers[1]:
            return -1 if numbers[0] < numbers[1] else 1
        return -1 if one < other else 1
    return len(first) - len(second)


def _digits(text: str, at: int, one: str, other: str) -> tuple[int, int]:
    """The number that a run of digits from here on is, and where it ends. A zero after other digits counts as part of
    a longer number."""
    start = 0
    if "0" in (one, other):
        before = at - 1
        while before >= 0 and text[before].isdecimal():
            if text[before] != "0":
                start = 1
                break
            before -= 1
    end = at
    while end < len(text) and text[end].isdecimal():
        start = start * 10 + int(text[end])
        end += 1
    return start, end


_KEY = cmp_to_key(_compared)


def sorted_keys(mapping: dict[str, Any]) -> list[str]:
    """The keys of a map in the order that go-yaml writes them."""
    return sorted(mapping, key=_KEY)


def pieces(value: Any, set_off: bool = False, folds: bool = True) -> Iterator[tuple[str, Any]]:
    """The text of a value in pieces, each with the leaf that it is the text of, or None. No line break ends it."""
    value = _data(value)
    if not isinstance(value, dict | list) or not value:
        yield _flat(value, 2, 0 if folds else AS_IT_IS), value
        return
    todo: list[tuple[Any, int, str]] = [(value, 0, "")]
    left, first = FIRST_PARTS, True
    while todo:
        item, indent, lead = todo.pop()
        left -= 1
        if left < 0:
            left = parts_left(value)
        if isinstance(item, dict | list) and item:
            todo.extend(reversed(list(_members(item, indent, lead, 2 if set_off else 0))))
            continue
        lead = lead.removeprefix("\n") if first else lead
        first = False
        yield lead, None
        yield _flat(item, indent, len(lead) - lead.rfind("\n") - 1 if folds else AS_IT_IS), item


def _data(value: Any) -> Any:
    return value.data() if isinstance(value, Object) else value


def _flat(value: Any, indent: int, column: int) -> str:
    if isinstance(value, dict | list):
        return "null" if is_nil(value) else "{}" if isinstance(value, dict) else "[]"
    if column == AS_IT_IS and isinstance(value, float):
        return _real(value)
    return scalar_of(value, indent, column)


def _real(value: float) -> str:
    """A float that did not come through JSON: with an exponent from a million on."""
    if value != value:
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    return shortest(value)


def _members(item: dict[str, Any] | list[Any], indent: int, lead: str, off: int) -> Iterator[tuple[Any, int, str]]:
    """The members of a list or map, each with its indentation and the text before it.

    `lead` is what stands before the item: it ends with `- ` where the item is in a list, and the first member goes on
    in that line.
    """
    inline = lead.endswith(("- ", "\n" + " " * (indent - 2) + ": "))
    space = "\n" + " " * indent
    if isinstance(item, list):
        for number, child in enumerate(map(_data, item)):
            start = lead + "- " if inline and not number else (lead if not number else "") + space + "- "
            yield child, indent + 2, start
        return
    for number, key in enumerate(sorted_keys(item)):
        child = _data(item[key])
        simple = _is_simple(str(key))
        name = text_of(str(key), indent + 2) if simple else f"? {text_of(str(key), indent + 2, indent + 2)}{space}"
        start = lead + name + ":" if inline and not number else (lead if not number else "") + space + name + ":"
        if not simple:
            yield child, indent + 2, start + " "
        elif isinstance(child, dict) and child:
            yield child, indent + 2, start
        elif isinstance(child, list) and child:
            yield child, indent + off, start
        else:
            yield child, indent + 2, start + " "


def _is_simple(key: str) -> bool:
    """Whether a key goes before a colon; one that is long or has several lines is written after `?`."""
    return len(key.encode()) <= 128 and not any(letter in key for letter in _BREAKS)


def encode(value: Any, set_off: bool = False, folds: bool = True) -> str:
    """The whole text, without a line break at its end. Lists may be set off from their keys, and long lines stay as
    they are where nothing folds them."""
    return "".join(text for text, _ in pieces(value, set_off, folds))
