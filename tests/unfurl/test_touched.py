"""The lines that differ: putting the new ones in the place of the old gives the new text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plait.fronts.touched import stretches, touched_lines

lines = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", ""]), max_size=12)


@given(before=lines, after=lines)
def test_what_differs_and_what_stays_make_the_new_text(before: list[str], after: list[str]) -> None:
    made: list[str] = []
    at = 0
    for a, b, c, d in stretches(before, after):
        assert (a, c) != (b, d)
        made += before[at:a] + after[c:d]
        at = b
    assert made + before[at:] == after


def test_small_changes_are_told_as_such() -> None:
    before = [f"line {n}" if n % 3 else "the same" for n in range(30)]
    after = [*before[:10], "new", *before[10:20], *before[22:]]
    assert stretches(before, after) == [(10, 10, 10, 11), (20, 22, 21, 21)]
    assert [touched.line for touched in touched_lines("x", "a\nb\n", "a\nc\n")] == [2]
