"""Expressions that differ only in literals and names are read once, and mean what each says by itself."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.node import MapNode, Node, Scalar
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.notations.dynaml import Dynaml, read, shapes
from plait.notations.dynaml.parse import NotDynaml, parse
from plait.notations.dynaml.tree import walk

NUMBERS = st.integers(0, 10**19).map(str) | st.sampled_from(["2.5", "0.25", "-7", "1_000", "007", "1e3"])
NAMES = st.sampled_from(["a", "m.k", "l.[1]", "l.two.v", ".a", "missing", "nil", "true", "m.n-o", "l.1"])
TEXTS = st.sampled_from(['"a"', '"two words"', r'"q\"q"', '""', '"(( a ))"'])
LEAVES = NUMBERS | NAMES | TEXTS


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from([" + ", " - ", " * ", " / ", " % ", " ", " == ", " < ", " -and ", " || ", "+", "-", "*"])
    return st.one_of(
        st.tuples(inner, signs, inner).map("".join),
        inner.map("({})".format),
        inner.map("!{}".format),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: f'join("-", {", ".join(items)})'),
        st.tuples(inner, inner, inner).map("({0[0]} ? {0[1]} :{0[2]})".format),
        inner.map("merge || {}".format),
        inner.map("sum[l|0|s,x|->s + {}]".format),
        inner.map("length({}...)".format),
    )


EXPRESSIONS = st.recursive(LEAVES, combined, max_leaves=8)


@given(st.lists(EXPRESSIONS, min_size=1, max_size=4), st.booleans())
def test_a_shape_stands_for_each_of_its_texts(texts: list[str], successor: bool) -> None:
    """What is read with the shape of another text is what the text says."""
    for text in [*texts, *texts]:
        try:
            alone = parse(text, successor)[0]
        except NotDynaml:
            continue
        made = read(f"(({text}))", successor)
        assert isinstance(made, Dynaml)
        for piece, own in zip(walk(made.pattern), walk(alone), strict=True):
            assert type(piece) is type(own)
            slot = getattr(piece, "slot", -1)
            if made.slots and slot >= 0:
                assert made.slots[slot] == getattr(own, "steps", getattr(own, "value", None))
        assert str(made.tree) == str(alone)


def results(folder: Path, texts: list[str], without_shapes: bool) -> list[object]:
    """The values and the mistakes of expressions, each with its place."""
    lines = "".join(f"  e{number}: (( {text} ))\n" for number, text in enumerate(texts))
    name = folder / "t.yml"
    name.write_text(f"a: 5\nm: {{k: 3, n-o: x}}\nl: [7, {{name: two, v: 2}}]\ne:\n{lines}")
    with patch.object(shapes, "LONGEST", -1 if without_shapes else shapes.LONGEST):
        front = Spiff(Project(str(folder)))
        front.complete = False
        try:
            made = front.merge([str(name)])[0]
        except PlaitError as error:
            return [told(error.diagnostics)]
    assert isinstance(made, MapNode)
    values = made.entries["e"]
    assert isinstance(values, MapNode)
    return [shown(node) for node in values.entries.values()]


def shown(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.text, type(node.value), node.origin.line
    return told(getattr(node, "diagnostics", ())) or node.kind


def told(diagnostics: object) -> object:
    return [
        (each.code, each.message, [(label.origin.at, label.length) for label in each.labels], each.hint)
        for each in diagnostics  # type: ignore[attr-defined]
    ]


@given(st.lists(EXPRESSIONS, min_size=2, max_size=6))
def test_values_and_mistakes_are_those_of_the_text_at_hand(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("shapes")
    assert results(folder, texts, False) == results(folder, texts, True)


@pytest.mark.parametrize(
    "form",
    ["a + {0}", "(a - {0}) * {1} + m.k", '"n" a "-" {0}', "m.k % {0} > {1}", "[{0}, a, {1}]", 'join("{0}", a, {1})'],
)
def test_many_texts_of_a_shape_are_parsed_once(tmp_path: Path, form: str) -> None:
    texts = [form.format(number, number * 7 + 1) for number in range(300)]
    shapes._SHAPES.clear()
    with patch.object(shapes, "parse", wraps=parse) as parser:
        assert len(results(tmp_path, texts, False)) == 300
    assert parser.call_count == 1


def test_a_million_shapes_hold_no_memory() -> None:
    for number in range(shapes.MOST + 50):
        read(f"(( a{' + 1' * (number % 40)}{' * b' * (number // 40)} ))")
    assert len(shapes._SHAPES) <= shapes.MOST
    assert len(shapes._STEPS) <= shapes.MOST


def test_a_word_after_a_sign_is_no_number() -> None:
    assert str(parse("(a) -float(2)")[0]) == "(a) - float(2)"
