"""Laws of places: many are what each of them is, and lines begin where the line before ends."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core import source as sources
from plait.core.node import Node, Scalar
from plait.core.places import file_lines
from plait.core.source import UNKNOWN, Computed, Source
from tests.examples import examples

TEXTS = st.text(alphabet="ab\n\r", max_size=60)


@st.composite
def many(draw: st.DrawFn) -> list[Node]:
    """Values of a few files, in any order, with some that are given, computed or from nowhere."""
    files = [
        Source(f"{number}.yaml", text) for number, text in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=4)))
    ]
    rendered = Source("rendered", "x\ny\nz\n")
    rendered.written, rendered.line_map = files[0], [0, 0, 0]
    flag = Source("--set", "a\nb", given=True)
    everything: list[Source | Computed] = [*files, rendered, flag, UNKNOWN, Computed("x", files[0], 0)]
    chosen = draw(st.lists(st.tuples(st.sampled_from(everything), st.integers(0, 60)), max_size=30))
    return [Scalar(1, "1", at, min(offset, _length(at))) for at, offset in chosen]


def _length(source: Source | Computed) -> int:
    return len(source.text) if isinstance(source, Source) else 0


@settings(max_examples=examples(35))
@given(many())
def test_file_lines_of_many_values_are_those_of_each(nodes: list[Node]) -> None:
    def one(node: Node) -> str:
        source = node.source
        if not isinstance(source, Source) or source is UNKNOWN or source.given:
            return f"other {id(node)}"
        return f"{source.name}:{source.position(node.at)[0]}"

    assert file_lines(nodes, lambda node: f"other {id(node)}") == [one(node) for node in nodes]


@settings(max_examples=examples(35))
@given(TEXTS, st.integers(1, 9))
def test_lines_begin_after_each_line_end(text: str, piece: int) -> None:
    with patch.object(sources, "PIECE", piece):
        assert list(Source("a.yaml", text).starts) == [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]
