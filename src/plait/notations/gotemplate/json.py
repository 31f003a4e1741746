"""JSON as Go writes and reads it: sorted keys, HTML characters escaped, numbers read as floats; without recursion."""

from __future__ import annotations

import re
from math import isinf

from plait.core.floats import shortest
from plait.core.quoting import quote, to_bytes
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.format import display
from plait.notations.gotemplate.values import (
    FIRST_PARTS,
    MISSING,
    Object,
    StructFields,
    endless,
    is_nil,
    parts_left,
    sorted_keys,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
    **{chr(c): f"\\u{c:04x}" for c in range(32) if chr(c) not in "\b\f\n\r\t"},
    **{chr(c): "\\ufffd" for c in range(0xD800, 0xE000)},
}
MAX_DEPTH = 10_000
_PLAIN = str.maketrans(_ESCAPES)
_HTML = str.maketrans({**_ESCAPES, "<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def float_text(value: float) -> str:
    """A float in as few digits as say it; with an exponent only where it is very large or small."""
    text = shortest(value, low=-6, high=21)
    if text[-1] in "fN":
        raise CallError(f"json: unsupported value: {text}")
    return text


def _number(value: float) -> str:
    text = float_text(value)
    if text[-4:-2] == "e-" and text[-2] == "0":
        text = text[:-2] + text[-1]
    return text


def _scalar(value: Any, table: dict[int, str]) -> str:
    if value is None or value is MISSING:
        return "null"
    if value.__class__ is str:
        return f'"{value.translate(table)}"'
    if value.__class__ is bool:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, bytes):
        from base64 import b64encode

        return f'"{b64encode(value).decode()}"'
    raise CallError(f"json: unsupported type: {type_name(value)}")


def encode(
    value: Any,
    indent: str = "",
    escape_html: bool = True,
    floats: Callable[[float], str] = _number,
    make: Callable[[int], None] | None = None,
) -> str:
    """A value as JSON; with `indent`, one item a line. `floats` writes a float; `make` is told how much indentation
    there will be."""
    table = _HTML if escape_html else _PLAIN
    out: list[str] = []
    stack: list[Any] = [(value, 0)]
    left = FIRST_PARTS
    while stack:
        part = stack.pop()
        if part.__class__ is str:
            out.append(part)
            continue
        left -= 1
        if left < 0:
            left = parts_left(value)
        if part[1] > MAX_DEPTH:  # indentation grows with depth
            raise endless()
        item, depth = part
        if isinstance(item, Object):
            item = item.data()
        if make is not None and isinstance(item, dict | list):
            make(len(indent) * (depth + 1) * (len(item) + 1))
        if isinstance(item, dict) and item:
            stack.extend(reversed(_object(item, depth, indent, table)))
        elif isinstance(item, list) and item:
            stack.extend(reversed(_array(item, depth, indent)))
        elif isinstance(item, dict | list):
            out.append("null" if is_nil(item) else "{}" if isinstance(item, dict) else "[]")
        else:
            out.append(floats(item) if isinstance(item, float) else _scalar(item, table))
    return "".join(out)


def _array(items: list[Any], depth: int, indent: str) -> list[Any]:
    gap = "\n" + indent * (depth + 1) if indent else ""
    out: list[Any] = ["["]
    for index, item in enumerate(items):
        out.append(f",{gap}" if index else gap)
        out.append((item, depth + 1))
    out.append(f"\n{indent * depth}]" if indent else "]")
    return out


def _object(mapping: dict[Any, Any], depth: int, indent: str, table: dict[int, str]) -> list[Any]:
    gap = "\n" + indent * (depth + 1) if indent else ""
    colon = '": ' if indent else '":'
    out: list[Any] = ["{"]
    for index, key in enumerate(mapping if isinstance(mapping, StructFields) else sorted_keys(mapping)):
        out.append(f'{"," if index else ""}{gap}"{display(key).translate(table)}{colon}')
        out.append((mapping[key], depth + 1))
    out.append(f"\n{indent * depth}}}" if indent else "}")
    return out


def decode(text: str) -> Any:
    """A JSON text as data; all numbers are floats. Raises CallError with Go's complaint."""
    import json

    try:
        return json.loads(
            _HALVES.sub(_whole, text), parse_int=_read_number, parse_float=_read_number, parse_constant=_refuse
        )
    except ValueError as problem:
        raise CallError(_complaint(text) or str(problem)) from None
    except RecursionError:
        raise CallError("exceeded max depth") from None


_HALVES = re.compile(r"(\\[^u]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|[\ud800-\udfff]")


def _whole(found: re.Match[str]) -> str:
    """A character that is half of a pair, or a byte that is not UTF-8, is not known."""
    return found[1] or "\ufffd"


def _read_number(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"json: cannot unmarshal number {text} into Go value of type float64")
    return value


def _refuse(name: str) -> Any:
    raise ValueError(name)


_SPACES = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_DIGITS = re.compile("[0-9]*")
_HEXADECIMAL = re.compile("[0-9a-fA-F]*")
_WORDS = {"t": "true", "f": "false", "n": "null"}
_AFTER = {"": "after top-level value", "[": "after array element", "{": "after object key:value pair"}
_BEFORE_VALUE, _BEFORE_KEY, _AFTER_KEY = (
    "looking for beginning of value",
    "looking for beginning of object key string",
    "after object key",
)


def _complaint(text: str) -> str:
    """What Go says about a text that is not JSON: it stops at the first character that cannot follow. Empty for a text
    that is JSON."""
    text += " "  # so Go finds out whether a number or a word at the end is whole
    opened: list[str] = []
    at, doing, may_close = 0, _BEFORE_VALUE, False
    while True:
        at = _end(_SPACES, text, at)
        if at == len(text):
            return "" if doing == _AFTER[""] else "unexpected end of JSON input"
        sign, inside = text[at], opened[-1] if opened else ""
        wrong = ""
        if inside and sign == ("]" if inside == "[" else "}") and (may_close or doing == _AFTER[inside]):
            opened.pop()
            at, doing = at + 1, _AFTER[opened[-1] if opened else ""]
        elif doing == _BEFORE_VALUE and sign in "[{":
            opened.append(sign)
            if len(opened) > MAX_DEPTH:
                return "exceeded max depth"
            at, doing, may_close = at + 1, _BEFORE_VALUE if sign == "[" else _BEFORE_KEY, True
            continue
        elif doing == _BEFORE_VALUE or (doing == _BEFORE_KEY and sign == '"'):
            at, wrong = _past(text, at)
            doing = _AFTER_KEY if doing == _BEFORE_KEY else _AFTER[inside]
        elif doing == _AFTER_KEY and sign == ":":
            at, doing = at + 1, _BEFORE_VALUE
        elif inside and doing == _AFTER[inside] and sign == ",":
            at, doing = at + 1, _BEFORE_VALUE if inside == "[" else _BEFORE_KEY
        else:
            wrong = doing
        may_close = False
        if wrong:
            return f"invalid character {_shown(text[at])} {wrong}" if at < len(text) else "unexpected end of JSON input"


def _past(text: str, at: int) -> tuple[int, str]:
    """Where a string, a number or a word ends; or the first character that it cannot have, and what is wrong."""
    word = _WORDS.get(text[at])
    if word is not None:
        for letter in word:
            if text[at : at + 1] != letter:
                return at, f"in literal {word} (expecting {letter!r})"
            at += 1
        return at, ""
    if text[at] == '"':
        return _past_string(text, at)
    return _past_number(text, at) if text[at] in "-0123456789" else (at, _BEFORE_VALUE)


def _past_string(text: str, at: int) -> tuple[int, str]:
    at = _end(_STRING, text, at)
    sign = text[at : at + 1]
    if sign == '"':
        return at + 1, ""
    if sign != "\\":
        return at, "in string literal"
    if text[at + 1] != "u":
        return at + 1, "in string escape code"
    return _end(_HEXADECIMAL, text, at + 2), "in \\u hexadecimal character escape"


def _past_number(text: str, at: int) -> tuple[int, str]:
    at += text[at] == "-"
    if text[at] not in "0123456789":
        return at, "in numeric literal"
    at = at + 1 if text[at] == "0" else _end(_DIGITS, text, at)
    if text[at] == ".":
        at += 1
        if text[at] not in "0123456789":
            return at, "after decimal point in numeric literal"
        at = _end(_DIGITS, text, at)
    if text[at] in "eE":
        at += 1 + (text[at + 1] in "+-")
        if text[at] not in "0123456789":
            return at, "in exponent of numeric literal"
        at = _end(_DIGITS, text, at)
    return at, ""


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    assert found is not None
    return found.end()


def _shown(character: str) -> str:
    """The byte that a character begins with, which is what Go shows, between quotes."""
    byte = to_bytes(character)[0]
    return "'\"'" if byte == 34 else quote(chr(byte), "'")
