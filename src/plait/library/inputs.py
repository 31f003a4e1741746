"""What a layer may be in a program: a path, a YAML text, a dict or list, an open file, or one of these with a name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from plait.core.node import Node
from plait.core.plain import from_plain
from plait.workspace import as_text

Layer = Any
"""A path (str or os.PathLike), a YAML text (a str with a line break), a dict or list, an open file, or (name, one of
these)."""


class GivenLayer:
    """A layer by name; `text` is None for a file that is still to be read."""

    __slots__ = ("name", "text")

    def __init__(self, name: str, text: str | None) -> None:
        self.name = name
        self.text = text


def given_layers(layers: Layer | Iterable[Layer]) -> list[GivenLayer]:
    """The layers that were passed: one of them, or several."""
    single = isinstance(layers, str | os.PathLike | Mapping) or hasattr(layers, "read") or _is_named(layers)
    return [_given(layer, number) for number, layer in enumerate([layers] if single else list(layers), 1)]


def _is_named(layer: object) -> bool:
    """Whether this is (name, layer), and not two layers: a name has no line break, and what follows is not a path."""
    if not isinstance(layer, tuple) or len(layer) != 2 or not isinstance(layer[0], str) or "\n" in layer[0]:
        return False
    body = layer[1]
    return isinstance(body, Mapping | list) or hasattr(body, "read") or (isinstance(body, str) and "\n" in body)


def _given(layer: Layer, number: int) -> GivenLayer:
    if _is_named(layer):
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


def _node(value: object) -> Node:
    """Plain data as a tree, so that its values have lines to point at."""
    return from_plain(_plain(value))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(child) for child in value]
    if value is None or isinstance(value, str | int | float | bool | bytes):
        return value
    raise TypeError(f"a layer holds plain data, not {type(value).__name__}: {value!r}")
