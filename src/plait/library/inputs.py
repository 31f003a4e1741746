"""What a layer may be in a program: a path, a YAML text, a dict or list, an open file, or one of these with a name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias, cast

from plait.core.node import Node
from plait.core.plain import from_plain
from plait.core.struct import struct
from plait.yaml.printing import as_text


class Readable(Protocol):
    """An open file."""

    def read(self) -> str | bytes: ...


Plain: TypeAlias = "str | os.PathLike[str] | Mapping[str, object] | Sequence[object] | Readable"
"""A layer without a name: a path, a YAML text, a dict or list, or an open file."""
Layer: TypeAlias = "Plain | tuple[str, Plain]"
"""A path (str or os.PathLike), a YAML text (a str with a line break), a dict or list, an open file, or (name, one of
these)."""


@struct
class GivenLayer:
    """A layer by name; `text` is None for a file that is still to be read."""

    name: str
    text: str | None


def given_layers(layers: Layer | Iterable[Layer]) -> list[GivenLayer]:
    """The layers that were passed: one of them, or several."""
    single = isinstance(layers, str | os.PathLike | Mapping) or hasattr(layers, "read") or _is_named(layers)
    each = [layers] if single else list(cast("Iterable[object]", layers))
    return [_given(layer, number) for number, layer in enumerate(each, 1)]


def _is_named(layer: object) -> bool:
    """Whether this is (name, layer), and not two layers: a name has no line break, and what follows is not a path."""
    if not isinstance(layer, tuple) or len(layer) != 2 or not isinstance(layer[0], str) or "\n" in layer[0]:
        return False
    body = layer[1]
    return isinstance(body, Mapping | list) or hasattr(body, "read") or (isinstance(body, str) and "\n" in body)


def _given(layer: object, number: int) -> GivenLayer:
    if isinstance(layer, tuple) and _is_named(layer):
        inner = _given(layer[1], number)
        return GivenLayer(layer[0], inner.text)
    if isinstance(layer, str) and "\n" in layer:
        return GivenLayer(f"<text {number}>", layer)
    if isinstance(layer, str | os.PathLike):
        return GivenLayer(os.fspath(layer), None)
    if hasattr(layer, "read"):
        read = layer.read()
        name = getattr(layer, "name", None)
        text = read.decode("utf-8") if isinstance(read, bytes) else read
        return GivenLayer(name if isinstance(name, str) else f"<file {number}>", text)
    if isinstance(layer, Mapping | list):
        kind = "dict" if isinstance(layer, Mapping) else "list"
        return GivenLayer(f"<{kind} {number}>", as_text(_node(layer)))
    raise TypeError(f"a layer is a path, a YAML text, a dict, a list or an open file, not {type(layer).__name__}")


DEEPEST = 10_000
"""Levels of a layer that is a dict or a list; more of them mean that it contains itself."""


def _node(value: object) -> Node:
    """Plain data as a tree, so that its values have lines to point at. Without recursion."""
    holder: list[object] = [value]
    work: list[tuple[dict[str, object] | list[object], str | int, int]] = [(holder, 0, 0)]
    while work:
        target, key, depth = work.pop()
        inner = target[key] = _copied(target[key])  # type: ignore[index]
        if depth > DEEPEST:
            raise ValueError(f"a layer contains itself, or is nested deeper than {DEEPEST:,} levels")
        if isinstance(inner, dict):
            work.extend((inner, name, depth + 1) for name in inner)
        elif isinstance(inner, list):
            work.extend((inner, index, depth + 1) for index in range(len(inner)))
    return from_plain(holder[0])


def _copied(value: object) -> object:
    """A value of its own that may be changed: any kind of map as a dict with text keys, any list as a list."""
    if isinstance(value, Mapping):
        return {str(key): child for key, child in value.items()}
    if isinstance(value, list | tuple):
        return list(value)
    if value is None or isinstance(value, str | int | float | bool | bytes):
        return value
    raise TypeError(f"a layer holds plain data, not {type(value).__name__}: {value!r}")
