"""Where values are written is known without building a file: the same as in the built one."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.node import MapNode, Node, key_text
from plait.core.source import Source
from plait.tidy.proof import climbed
from plait.tidy.tidy import _replaced
from plait.tidy.written import WrittenFile
from plait.yaml.edits import Delete
from tests.examples import examples

KEYS = st.sampled_from(["a", "b", "c", "'x y'", "1"])
LEAVES = st.sampled_from(["1", "one", "''", "null", "&n two", "*n", "!t three", '"q"', "{}", "[]"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3), st.tuples(st.just("? [k]\n:"), inner)
    ),
    max_leaves=12,
)


def block(value: Any, indent: str = "") -> str:
    """A value as it is written after its key, or after the dash of an item."""
    if isinstance(value, str) or not value:
        return f" {value or '{}'}\n"
    if isinstance(value, tuple):
        return f"\n{indent}? [k]\n{indent}:{block(value[1], indent + '  ')}"
    rows = value.items() if isinstance(value, dict) else [(None, item) for item in value]
    heads = [(f"{indent}-" if key is None else f"{indent}{key}:", inner) for key, inner in rows]
    return "\n" + "".join(f"{head}{block(inner, indent + '  ')}" for head, inner in heads)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.dictionaries(KEYS, VALUES, max_size=3), min_size=1, max_size=2))
def test_where_values_are(documents: list[dict[str, Any]]) -> None:
    text = "".join(f"---\nanchored: &n 0\n{block(one).removeprefix(chr(10))}" for one in documents)
    text = text.replace("---\nanchored: &n 0\n {}\n", "---\n{}\n")
    file, built = (WrittenFile("f.yaml", "/f.yaml", Source("f.yaml", text), text.encode) for _ in range(2))
    wanted = {at: tuple(map(_written, one.steps)) for at, one in built.at.items()}
    assert {at: tuple(map(_written, steps)) for at, steps in file.paths(built.at).items()} == wanted, text
    paths = sorted(set(file.paths(built.at).values()), key=str)
    for at, steps in file.paths(built.at).items():
        assert [path for path in paths if file.has_at(path, at)] == [steps], (text, at)
    first = [one for one in built.at.values() if not one.number]
    maps = {one.steps for one in first if isinstance(one.node, MapNode) and all(isinstance(s, str) for s in one.steps)}
    inside = [at for at, one in built.at.items() if one in first and one.steps and one.steps[:-1] in maps]
    assert set(inside) <= set(file.values_in(maps)), text


def _written(step: object) -> object:
    """A step with a key as it is written."""
    return key_text(step) if isinstance(step, Node) else str(step)


TEXTS = [
    "".join(lines) + end for count in range(4) for lines in product(("a\n", "b\n"), repeat=count) for end in ("", "a")
]


def test_the_lines_that_differ_are_replaced_and_no_others() -> None:
    """What an editor is told: the text before, with these lines replaced, is the text after."""
    for before, after in product(TEXTS, repeat=2):
        (start, end), lines = _replaced(before, after)
        assert before[:start] + lines + before[end:] == after
        old, new = before[start:end].splitlines(keepends=True), lines.splitlines(keepends=True)
        if old and new:
            assert old[0] != new[0]
            assert old[-1] != new[-1]
        assert (old or new) or before == after


def test_what_is_in_a_value_that_goes_goes_with_it() -> None:
    """Two proposals may remove a map and something in it: a part of a plan may have both, and not what is beside."""
    text = "a: {b: {c: 1, d: 2}, e: 3}\nf: 4\n"
    file = WrittenFile("f.yaml", "/f.yaml", Source("f.yaml", text), text.encode)
    leaves = {("a", "b", "c"), ("a", "b", "d"), ("a", "e")}
    values = [("a",), ("a", "b"), *leaves]
    for chosen in product((False, True), repeat=len(values)):
        asked = {path for path, is_asked in zip(values, chosen, strict=True) if is_asked}
        kept = {leaf for leaf in leaves if asked.isdisjoint(leaf[:end] for end in range(1, 4))}
        gone = {path for path in values if all(leaf[: len(path)] != path for leaf in kept)}
        largest = {path for path in gone if path[:-1] not in gone}
        assert {edit.path for edit in climbed(file, [Delete(path) for path in asked])} == largest, asked
