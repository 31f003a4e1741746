"""The law of explanations, with edits of the text: the value follows the scalar that is named, and no other; without
the winner, the first value that it overrides wins; every reference and alias on the way is named."""

from __future__ import annotations

from itertools import count
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait.core.node import Scalar
from plait.core.path import Path, format_path
from tests.core.test_paths import every
from tests.examples import examples

FEW = settings(max_examples=examples(25), deadline=None)
KEYS = st.sampled_from(["a", "b", "c"])
TREES: st.SearchStrategy[Any] = st.recursive(
    st.just("leaf"), lambda inner: st.dictionaries(KEYS, inner, min_size=1, max_size=3), max_leaves=6
)
LAYERS = st.lists(st.dictionaries(st.sampled_from(["p", "q"]), TREES, min_size=1, max_size=2), min_size=1, max_size=3)


def named(data: Any, numbers: Any) -> Any:
    """The same tree in which every leaf is a word of its own."""
    if isinstance(data, dict):
        return {key: named(child, numbers) for key, child in data.items()}
    return f"w{next(numbers)}w"


def text(data: Any) -> str:
    return "{" + ", ".join(f"{k}: {text(v)}" for k, v in data.items()) + "}" if isinstance(data, dict) else str(data)


def written(layers: list[Any]) -> list[str]:
    """The layers, the lowest with a reference to what the others merge into, and with an alias."""
    first = "".join(f"{key}: &{key} {text(value)}\n" for key, value in layers[0].items())
    head = f"{first}alias: *{next(iter(layers[0]))}\nref: !ref p\nagain: !ref ref\n"
    return [head, *(text(layer) + "\n" for layer in layers[1:])]


def value(texts: list[str], path: str) -> Any:
    """What is at a path, None where nothing is."""
    try:
        return plait.merge(texts).value(path)
    except plait.PlaitError:
        return None


def without(data: Any, word: str) -> Any:
    """A tree without one leaf; what is empty then stays."""
    if not isinstance(data, dict):
        return data
    return {key: without(child, word) for key, child in data.items() if child != word}


def through(path: Path) -> list[str]:
    """What a value of these layers must have come through."""
    return {"ref": ["!ref p"], "again": ["!ref ref", "!ref p"]}.get(str(path[0]), [])


@FEW
@given(LAYERS, st.data())
def test_the_value_follows_what_is_named_and_nothing_else(drawn: list[Any], data: st.DataObject) -> None:
    numbers = count()
    layers = [named(layer, numbers) for layer in drawn]
    layers[0].setdefault("p", f"w{next(numbers)}w")
    texts = written(layers)
    result = plait.merge(texts).to_dict()
    leaves = [(path, found) for path, found in every(result) if isinstance(found, str)]
    path, found = data.draw(st.sampled_from(leaves))
    name = format_path(path)
    (leaf,) = plait.merge(texts).explain(name).leaves
    parts = chain(leaf.winner)
    assert parts[-1].result.text == found
    hops = [part.expression for part in parts if part.expression]
    hops += [hop.text for hop in leaf.hops if hop.word == "through"]
    assert hops == through(path) if path[0] != "alias" else hops[0].startswith("*")
    for number in range(next(numbers)):
        word = f"w{number}w"
        changed = value([one.replace(word, f"{word}new") for one in texts], name)
        assert changed == (f"{found}new" if word == found else found), (texts, name, word)
    first = leaf.losers[0][0].result if leaf.losers and path[0] != "alias" else None
    if isinstance(first, Scalar) and not leaf.winner.expression:
        assert value(written([without(layer, found) for layer in layers]), name) == first.text, (texts, name)


def chain(part: Any) -> list[Any]:
    """A part, what its expression read, and so on."""
    parts = [part]
    while parts[-1].reads:
        parts.append(parts[-1].reads[0])
    return parts
