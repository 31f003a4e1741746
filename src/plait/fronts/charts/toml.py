"""TOML as helm's `toToml` writes it: plain values first, then tables, each with its keys sorted."""

from __future__ import annotations

import re

from plait.core.floats import shortest
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.values import type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_TABLE = str.maketrans({**{chr(code): f"\\u{code:04x}" for code in (*range(32), 127)}, **_ESCAPES})
DEPTH = 500


def encode(value: Any) -> str:
    """A map as a TOML document."""
    if not isinstance(value, dict):
        raise CallError(f"toml: top-level values must be Go maps or structs; cannot encode {type_name(value)}")
    out: list[str] = []
    _table(value, (), out)
    return "".join(out)


def _table(table: dict[str, Any], path: tuple[str, ...], out: list[str]) -> None:
    if len(path) > DEPTH:
        raise CallError("toml: the value nests too deeply")
    plain = {key: value for key, value in table.items() if not _is_table(value) and value is not None}
    for key in sorted(plain):
        out.append(f"{'  ' * len(path)}{_key(key)} = {_value(plain[key])}\n")
    for key in sorted(set(table) - set(plain)):
        value = table[key]
        for one in value if isinstance(value, list) else [value] if value is not None else []:
            inner = (*path, key)
            name = ".".join(map(_key, inner))
            space = "  " * len(path)
            out.append(
                ("\n" if out else "") + (f"{space}[[{name}]]\n" if isinstance(value, list) else f"{space}[{name}]\n")
            )
            _table(one, inner, out)


def _is_table(value: Any) -> bool:
    """Whether a value is written as a table of its own, or as several."""
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def _key(key: str) -> str:
    return key if _BARE.match(key) else _text(key)


def _text(text: str) -> str:
    return f'"{text.translate(_TABLE)}"'


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        text = shortest(value, high=21)
        return text if any(letter in text for letter in ".eN") else f"{text}.0"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(key)} = {_value(value[key])}' for key in sorted(value))}}}"
    raise CallError(f"toml: cannot encode {type_name(value)}")
