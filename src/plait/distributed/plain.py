"""What travels between machines: JSON, in which bytes, tuples and maps with other keys than texts have a form of their
own. Nothing that is read here can run code, whoever sent it.
"""

from __future__ import annotations

import json
from binascii import a2b_base64, b2a_base64

KIND, DATA = "\0kind", "\0data"
"""The keys of a map that stands for something that JSON does not have."""


def packed(data: object) -> bytes:
    """Plain data as bytes."""
    return json.dumps(_written(data), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def unpacked(data: object) -> object:
    """The same data again. Raises `ValueError` for anything else than what `packed` makes."""
    if not isinstance(data, bytes):
        raise ValueError("the answer is not made of bytes")
    try:
        return _read(json.loads(data.decode("utf-8", "surrogatepass")))
    except (ValueError, RecursionError, KeyError, TypeError):
        raise ValueError("the answer has another form") from None


def _written(data: object) -> object:
    if isinstance(data, bytes):
        return {KIND: "bytes", DATA: b2a_base64(data, newline=False).decode("ascii")}
    if isinstance(data, tuple):
        return {KIND: "tuple", DATA: [_written(one) for one in data]}
    if isinstance(data, list):
        return [_written(one) for one in data]
    if not isinstance(data, dict):
        return data
    if all(isinstance(key, str) for key in data) and KIND not in data:
        return {key: _written(value) for key, value in data.items()}
    return {KIND: "map", DATA: [[_written(key), _written(value)] for key, value in data.items()]}


def _read(data: object) -> object:
    if isinstance(data, list):
        return [_read(one) for one in data]
    if not isinstance(data, dict):
        return data
    kind, inner = data.get(KIND), data.get(DATA)
    if kind is None:
        return {key: _read(value) for key, value in data.items()}
    if kind == "bytes":
        return a2b_base64(str(inner))
    if not isinstance(inner, list):
        raise ValueError(kind)
    if kind == "tuple":
        return tuple(_read(one) for one in inner)
    return {_read(key): _read(value) for key, value in inner}
