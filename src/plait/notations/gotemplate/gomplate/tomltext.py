"""A value as TOML: the keys of a table first, then the tables in it, each indented below its own; without recursion."""

from __future__ import annotations

import math

from plait.core.floats import shortest
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.values import MAX_PARTS, MISSING, Object, endless, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[str, ...]

DEEPEST = 500
"""How deep tables may nest: the indentation grows with the depth."""
_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_ESCAPES = str.maketrans({
    **{chr(code): f"\\u{code:04x}" for code in (*range(32), 127)},
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r",
})  # fmt: skip


def encode(value: Any) -> str:
    """A map as TOML."""
    if not isinstance(value, dict):
        raise CallError("toml: top-level values must be Go maps or structs")
    out: list[str] = []
    todo: list[tuple[Path, dict[str, Any], str]] = [((), value, "")]
    left = MAX_PARTS
    while todo:
        path, table, head = todo.pop()
        left -= 1 + len(table)
        if left < 0 or len(path) > DEEPEST:
            raise endless()
        if head:
            out.append(_heading(path, head, first=not out))
        inner = [key for key in sorted(table, key=str) if _is_table(table[key])]
        for key in sorted(table.keys() - set(inner), key=str):
            if table[key] is not None and table[key] is not MISSING:
                out.append(f"{'  ' * len(path)}{_name(key)} = {_written(table[key])}\n")
        for key in reversed(inner):
            todo += reversed(_tables((*path, str(key)), table[key]))
    return "".join(out)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _tables(path: Path, value: Any) -> list[tuple[Path, dict[str, Any], str]]:
    """A table, or those of a list."""
    if isinstance(value, dict):
        return [(path, value, "[{}]")]
    if not all(isinstance(item, dict) for item in value):
        raise CallError(f"toml: the list at {'.'.join(path)} has tables and other values")
    return [(path, item, "[[{}]]") for item in value]


def _heading(path: Path, head: str, first: bool) -> str:
    gap = "" if first or (len(path) > 1 and head == "[{}]") else "\n"
    return f"{gap}{'  ' * (len(path) - 1)}{head.format('.'.join(map(_name, path)))}\n"


def _name(key: Any) -> str:
    text = str(key)
    return text if text and _BARE.issuperset(text) else _quoted(text)


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def _written(value: Any) -> str:
    """A value that is no table, on one line."""
    out: list[str] = []
    todo: list[Any] = [(value,)]
    while todo:
        part = todo.pop()
        if part.__class__ is str:
            out.append(part)
            continue
        if len(out) > MAX_PARTS or len(todo) > MAX_PARTS:
            raise endless()
        item = part[0]
        if isinstance(item, dict):
            todo += reversed(_inline(item))
        elif isinstance(item, list):
            todo += reversed(_array(item))
        else:
            out.append(_scalar(item))
    return "".join(out)


def _array(items: list[Any]) -> list[Any]:
    if any(item is None or item is MISSING for item in items):
        raise CallError("toml: cannot encode array with nil element")
    out: list[Any] = ["["]
    for number, item in enumerate(items):
        out += [", ", (item,)] if number else [(item,)]
    return [*out, "]"]


def _inline(table: dict[str, Any]) -> list[Any]:
    out: list[Any] = ["{"]
    for key in sorted(table, key=lambda name: (_is_table(table[name]), str(name))):
        if table[key] is not None:
            out += [", " if len(out) > 1 else "", f"{_name(key)} = ", (table[key],)]
    return [*out, "}"]


def _scalar(value: Any) -> str:
    if value.__class__ is bool:
        return "true" if value else "false"
    if value.__class__ is str:
        return _quoted(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Object):
        return _quoted(value.go_string())
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, bytes):
        return f"[{', '.join(map(str, value))}]"
    raise CallError(f"toml: unsupported type: {type_name(value)}")


def _float(value: float) -> str:
    if value != value:
        return "nan"
    if math.isinf(value):
        return "+inf" if value > 0 else "-inf"
    text = shortest(value, low=-400, high=400)
    return text if "." in text else f"{text}.0"
