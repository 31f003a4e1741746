"""The model of who is blamed: which layer has the value, which others have one there, and which layer is enough to end
each of those.

A layer is blamed rightly if it is enough: that layer alone over the one whose value is missing ends the value. A map
over a map ends nothing that it does not mention, whatever a third layer did; so where `b` was a map, then a text, then
a map again, only the text ended what was in the first map.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

UNSET = object()
"""`!unset`."""
ABSENT = object()
Layer = dict[str, Any]


@dataclass
class Replaced:
    """`!replace {...}`."""

    data: dict[str, Any]


@dataclass
class RemovedItem:
    """`- !unset {name: ...}`."""

    name: str


@dataclass
class Text:
    """A value that no other place has. `far`: it is written elsewhere, and referred to."""

    text: str | None
    far: bool = False


def written(data: Any) -> str:
    """A layer as YAML."""
    if data is UNSET:
        return "!unset "
    if isinstance(data, Replaced):
        return f"!replace {written(data.data)}"
    if isinstance(data, RemovedItem):
        return f"!unset {{name: {data.name}}}"
    if isinstance(data, Text):
        return f"!ref pool.{data.text}" if data.far else data.text or "null"
    if isinstance(data, dict):
        return "{" + ", ".join(f"{key}: {written(value)}" for key, value in data.items()) + "}"
    return "[" + ", ".join(map(written, data)) + "]" if isinstance(data, list) else str(data)


def over(low: Any, high: Any) -> Any:
    """A value with a higher one over it; the keys of lists are their names."""
    if isinstance(high, Replaced):
        return over({}, high.data)
    if isinstance(low, dict) and isinstance(high, dict):
        both = {key: over(low.get(key, ABSENT), value) for key, value in high.items()}
        return {key: value for key, value in {**low, **both}.items() if value is not UNSET}
    if isinstance(high, dict):
        return over({}, high)
    if isinstance(high, list):
        return as_items(over(by_name(low) if isinstance(low, list) else {}, by_name(high)))
    return high


def by_name(items: list[Any]) -> dict[str, Any]:
    rows = [(item.name, UNSET) if isinstance(item, RemovedItem) else (item["name"], item) for item in items]
    return dict(rows)


def as_items(rows: dict[str, Any]) -> list[Any]:
    return list(rows.values())


def at(data: Any, path: tuple[str, ...]) -> Any:
    """What is at a path; a name is that of a key or of an item."""
    for step in path:
        data = data.data if isinstance(data, Replaced) else data
        data = by_name(data) if isinstance(data, list) else data
        data = data.get(step, ABSENT) if isinstance(data, dict) else ABSENT
    return data


def is_there(layer: Layer, path: tuple[str, ...]) -> bool:
    """Whether a layer has a value at a path."""
    return at(layer, path) is not UNSET and at(layer, path) is not ABSENT


def texts(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every text of a layer."""
    data = data.data if isinstance(data, Replaced) else data
    data = by_name(data) if isinstance(data, list) else data
    if isinstance(data, Text):
        yield path
    for key, value in data.items() if isinstance(data, dict) else ():
        yield from texts(value, (*path, key))


def result(layers: list[Any]) -> Any:
    merged: Any = {}
    for layer in layers:
        merged = over(merged, layer)
    return merged


def is_enough(layers: list[Any], by: int, loser: int, path: tuple[str, ...]) -> bool:
    """Whether one layer alone ends what another one has at a path."""
    return by > loser and at(result([layers[loser], layers[by]]), path) is not at(layers[loser], path)


def removes(layer: Any, path: tuple[str, ...]) -> bool:
    """Whether a layer removes what is at a path, or something that it is in."""
    return any(at(layer, path[:depth]) is UNSET for depth in range(1, len(path) + 1))


def without(data: Any, path: tuple[str, ...]) -> Any:
    """A layer whose text at a path is deleted; what it is in stays."""
    if isinstance(data, Replaced):
        return Replaced(without(data.data, path))
    if isinstance(data, list):
        own = by_name(data).get(path[0])
        return [without(item, path[1:]) if item is own else item for item in data]
    if len(path) == 1:
        return {key: value for key, value in data.items() if key != path[0]}
    return {**data, path[0]: without(data[path[0]], path[1:])}
