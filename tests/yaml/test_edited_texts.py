"""Where a place of a text is after an edit: what two texts have in common at their ends, beside the plain way."""

from __future__ import annotations

from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.yaml.places import common_ends, moved

TEXTS = st.text("ab\n", max_size=6)


def alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_what_texts_have_in_common_at_their_ends(start: str, old: str, new: str, end: str) -> None:
    before, after = start + old + end, start + new + end
    first = alike(before, after)
    last = alike(before[first:][::-1], after[first:][::-1])
    assert common_ends(before, after) == (first, last)


MOVED = [
    ("a: 1\n", "a: 1\n", [0, 2, 5], [0, 2, 5]),
    ("a: 1\nb: 2\n", "a: 100\nb: 2\n", [0, 4, 5, 10], [0, 4, 7, 12]),  # longer before it: a later place moves
    ("a: 100\nb: 2\n", "a: 1\nb: 2\n", [3, 5, 6, 7, 12], [3, 4, 4, 5, 10]),  # what is gone is where it was
    ("b: 2\n", "a: 1\nb: 2\n", [0, 1, 5], [0, 6, 10]),  # the very beginning stays
    ("a: 1\nb: 2\n", "xyz", [0, 4, 10], [0, 3, 3]),
]


@pytest.mark.parametrize(("before", "after", "places", "there"), MOVED)
def test_where_a_place_is_after_an_edit(before: str, after: str, places: list[int], there: list[int]) -> None:
    assert [moved(place, before, after) for place in places] == there
