"""JSON as Go writes and reads it: sorted keys, HTML characters escaped, numbers read as floats; without recursion."""

from __future__ import annotations

from plait.core.floats import shortest
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.format import display
from plait.notations.gotemplate.values import (
    MAX_PARTS,
    MISSING,
    Object,
    StructFields,
    endless,
    is_nil,
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
    while stack:
        part = stack.pop()
        if part.__class__ is str:
            out.append(part)
            continue
        if len(out) > MAX_PARTS or part[1] > MAX_DEPTH:  # indentation grows with depth
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
        return json.loads(text, parse_int=float, parse_constant=_refuse)
    except ValueError:
        raise CallError(_complaint(text)) from None
    except RecursionError:
        raise CallError("exceeded max depth") from None


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _complaint(text: str) -> str:
    """What Go says about a text that is not JSON: it stops at the first character that cannot follow."""
    body = text.lstrip(" \t\r\n")
    if not body:
        return "unexpected end of JSON input"
    if body[0] not in '{["-0123456789tfn':
        return f"invalid character {_shown(body[0])} looking for beginning of value"
    import json

    try:
        json.loads(text)
    except json.JSONDecodeError as problem:
        at = problem.pos
        if at >= len(text.rstrip()) or problem.msg.startswith("Unterminated"):
            return "unexpected end of JSON input"
        if problem.msg == "Extra data":
            return f"invalid character {_shown(text[at])} after top-level value"
        return f"invalid character {_shown(text[at])} looking for beginning of value"
    except RecursionError:
        return "exceeded max depth"
    return "invalid number"


def _shown(character: str) -> str:
    return "'\\''" if character == "'" else f"'{character}'"
