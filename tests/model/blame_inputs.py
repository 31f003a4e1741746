"""Layers that disagree, for the model of who is blamed; and what `plait explain` says of them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import count
from typing import Any

from hypothesis import strategies as st

from tests.answers import answer, project
from tests.model.blamed import UNSET, Layer, RemovedItem, Replaced, Text, written

KEYS = ("a", "b", "c")
NAMES = ("web", "db")
DEEPEST = 3
UNSET_WORDS = re.compile(r"removed( by \S+)?")
"""The reason where nothing but `!unset` ended a value."""


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
    """What is said of a value: what it is, the layers whose values it overrides, and each layer whose value was removed
    before, with the layer that is blamed, and whether that said `!unset`. Of one that is not there, all are removed."""

    value: str | None
    overridden: list[int]
    removed: list[tuple[int, int, bool]]

    @property
    def losers(self) -> list[int]:
        """Every layer whose value is not the result, the highest first."""
        return sorted([*self.overridden, *(loser for loser, _, _ in self.removed)], reverse=True)


def explained_by_plait(layers: list[Layer], path: tuple[str, ...]) -> Told:
    named = [step if at != 1 or path[0] != "jobs" else f"[name={step}]" for at, step in enumerate(path)]
    return _told(json.loads(_asked(["explain", ".".join(named).replace(".[", "[")], layers)))


def blamed_by_plait(layers: list[Layer]) -> dict[tuple[str, ...], Told]:
    """What `plait blame` says of each value of the result."""
    leaves = json.loads(_asked(["blame"], layers))["leaves"]
    named = {tuple(re.split(r"[.\[]", leaf["path"].replace("[name=", ".").replace("]", ""))): leaf for leaf in leaves}
    return {path: _told_of(leaf, leaf) for path, leaf in named.items() if path[0] != "pool"}


def _asked(words: list[str], layers: list[Layer]) -> str:
    """What a command prints as data about these layers."""
    files = {f"{number}.yaml": written(layer) + "\n" for number, layer in enumerate(layers)}
    far = sorted({text for layer in layers for text in _far(layer)})
    files["pool.yaml"] = "pool: {" + ", ".join(f"{text}: {text}" for text in far) + "}\n"
    files["plait.yaml"] = "lists: {jobs: 'key:name'}\n"
    names = ["pool.yaml", *(f"{number}.yaml" for number in range(len(layers)))]
    with project(files):
        status, out, err = answer([*words, *names, "--format", "json"])
    assert status == 0, (words, files, err)
    return out


def _far(data: Any) -> list[str]:
    data = data.data if isinstance(data, Replaced) else data
    if isinstance(data, Text):
        return [data.text] if data.far and data.text is not None else []
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [text for one in inner for text in _far(one)]


def _told(data: Any) -> Told:
    if data.get("gone"):
        by = data["removed_by"]["origin"]
        return Told(None, [], [_removed({"by": by, **row}) for row in data["was"]])
    (leaf,) = data["leaves"]
    return _told_of(leaf, leaf["winner"])


def _told_of(leaf: Any, winner: Any) -> Told:
    overridden = [_layer(row["origin"]) for row in leaf["overrides"]]
    assert overridden == sorted(overridden, reverse=True), leaf
    assert _layer(winner["origin"]) > max(overridden, default=-1), leaf
    return Told(leaf["value"], overridden, [_removed(row) for row in leaf.get("removed", ())])


def _removed(row: Any) -> tuple[int, int, bool]:
    is_unset = UNSET_WORDS.fullmatch(row["reason"]) is not None
    return _layer(row["origin"]), _layer(row["by"]), is_unset


def _layer(origin: Any) -> int:
    """The number of a layer; a value that is written elsewhere is none of them."""
    return int(origin["file"].removesuffix(".yaml"))
