"""Layers that disagree, for the model of who is blamed; and what `plait explain` says of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import count
from typing import Any

from hypothesis import strategies as st

from tests.model.blamed import UNSET, Layer, RemovedItem, Replaced, Text, written
from tests.model.compared import answer, project

KEYS = ("a", "b", "c")
NAMES = ("web", "db")
DEEPEST = 3


@st.composite
def disputes(draw: st.DrawFn) -> list[Layer]:
    """Layers of the same few keys: maps, texts, nulls, `!unset`, `!replace`, references and lists with names."""
    numbers = count()

    def text() -> Text:
        kind = draw(st.sampled_from(["near", "near", "near", "far", "null"]))
        return Text(None) if kind == "null" else Text(f"v{next(numbers)}", kind == "far")

    def mapping(depth: int) -> dict[str, Any]:
        return {key: value(depth + 1) for key in draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=3))}

    def value(depth: int) -> Any:
        kinds = ["text", "text", "unset"] + ["map", "map", "map", "replace"] * (depth < DEEPEST)
        kind = draw(st.sampled_from(kinds))
        if kind == "map":
            return mapping(depth)
        return text() if kind == "text" else UNSET if kind == "unset" else Replaced(mapping(depth))

    def item(name: str) -> Any:
        return {"name": name, **mapping(DEEPEST - 1)} if draw(st.integers(0, 4)) else RemovedItem(name)

    def layer() -> Layer:
        made = mapping(0)
        names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=2))
        if names:
            made["jobs"] = [item(name) for name in names]
        return made

    return [{**layer(), "a": {"b": text()}}, *(layer() for _ in range(draw(st.integers(1, 3))))]


@dataclass
class Told:
    """What an explanation says: the value, and each value that lost with its layer, the layer that is blamed, and
    whether that removed or replaced it."""

    value: str | None
    losers: list[tuple[int, int | None, str]]


def explained_by_plait(layers: list[Layer], path: tuple[str, ...]) -> Told:
    files = {f"{number}.yaml": written(layer) + "\n" for number, layer in enumerate(layers)}
    far = sorted({text for layer in layers for text in _far(layer)})
    files["pool.yaml"] = "pool: {" + ", ".join(f"{text}: {text}" for text in far) + "}\n"
    files["plait.yaml"] = "lists: {jobs: 'key:name'}\n"
    named = [step if at != 1 or path[0] != "jobs" else f"[name={step}]" for at, step in enumerate(path)]
    asked = ".".join(named).replace(".[", "[")
    names = ["pool.yaml", *(f"{number}.yaml" for number in range(len(layers)))]
    with project(files):
        status, out, err = answer(["explain", asked, *names, "--format", "json"])
    assert status == 0, (asked, files, err)
    return _told(json.loads(out))


def _far(data: Any) -> list[str]:
    data = data.data if isinstance(data, Replaced) else data
    if isinstance(data, Text):
        return [data.text] if data.far and data.text is not None else []
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [text for one in inner for text in _far(one)]


def _told(data: Any) -> Told:
    if data.get("gone"):
        return Told(None, _losers(data["was"], data["removed_by"]))
    (leaf,) = data["leaves"]
    return Told(leaf["value"], _losers(leaf["overrides"], leaf["winner"]))


def _losers(rows: Any, decided: Any) -> list[tuple[int, int | None, str]]:
    ends = [_layer({"origin": row.get("by", decided["origin"])}) for row in rows]
    return [(_layer(row), end, _word(row["reason"])) for row, end in zip(rows, ends, strict=True)]


def _layer(part: Any) -> int:
    return int(part["origin"]["file"].removesuffix(".yaml"))


def _word(reason: str) -> str:
    return "removed" if reason.startswith("removed") else ""
