"""TOML as helm's `toToml` and gomplate's `data.ToTOML` write it: plain values, then tables, keys sorted."""

from __future__ import annotations

import re
from decimal import Decimal
from math import isfinite

from plait.notations.gotemplate.clock import Time
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.values import Object, StructFields, is_nil, parts_left, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_TABLE = str.maketrans({**{chr(code): f"\\u{code:04x}" for code in (*range(32), 127)}, **_ESCAPES})
DEPTH = 500


def encode(value: Any) -> str:
    """A map as a TOML document; anything else as TOML writes it after a key."""
    parts_left(value)
    if not isinstance(value, dict):
        return _value(value)
    out: list[str] = []
    _table(value, (), out)
    return "".join(out)


def _table(table: dict[str, Any], path: tuple[str, ...], out: list[str]) -> None:
    if len(path) > DEPTH:
        raise CallError("toml: the value nests too deeply")
    keys = table if isinstance(table, StructFields) else sorted(table, key=str)
    rows = [(key, _shown(table[key])) for key in keys if table[key] is not None and not is_nil(table[key])]
    for key, value in rows:
        if not _is_table(value):
            out.append(f"{'  ' * len(path)}{_key(key)} = {_value(value)}\n")
    for key, value in rows:
        if not _is_table(value):
            continue
        for one in value if isinstance(value, list) else [value]:
            inner = (*path, key)
            name = ".".join(map(_key, inner))
            several = isinstance(value, list)
            line = f"{'  ' * len(path)}{f'[[{name}]]' if several else f'[{name}]'}\n"
            out.append(f"\n{line}" if out and (several or not path) else line)
            _table(one, inner, out)


def _shown(value: Any) -> Any:
    """A struct as the table of its fields, anything else of Go as what it holds; a moment is one to TOML, too."""
    if not isinstance(value, Object) or isinstance(value, Time):
        return value
    fields = value.fields()
    return value.data() if fields is None else fields


def _is_table(value: Any) -> bool:
    """Whether a value is written as a table of its own, or as several."""
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def _key(key: Any) -> str:
    text = str(key)
    return text if _BARE.match(text) else _text(text)


def _text(text: str) -> str:
    return f'"{text.translate(_TABLE)}"'


def _value(value: Any) -> str:
    value = _shown(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        text = format(Decimal(repr(value)), "f") if isfinite(value) else repr(value)
        return text if "." in text or not isfinite(value) else f"{text}.0"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, list):
        if None in value:
            raise CallError("toml: cannot encode array with nil element")
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        keys = sorted(
            (key for key in value if value[key] is not None), key=lambda key: (_is_table(value[key]), str(key))
        )
        return f"{{{', '.join(f'{_key(key)} = {_value(value[key])}' for key in keys)}}}"
    if isinstance(value, Time):
        return value.data()
    raise CallError(f"toml: cannot encode {type_name(value)}")
