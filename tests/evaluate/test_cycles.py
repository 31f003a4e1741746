"""Values that contain themselves through a merge: each level is made again, and again, until that is noticed."""

from __future__ import annotations

import pytest

from plait.core.diagnostic import Fault
from plait.core.node import Overlay
from plait.core.policy import MergePolicy
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.cycles import DeepMerges
from tests.yaml.nodes import core

SOURCE = Source("a.yaml", "\n" * 99)
ENOUGH = DeepMerges.ROUNDS + 2
"""The first time counts for nothing, and so many more are allowed."""


def overlay(line: int) -> Overlay:
    made = Overlay((core("{a: 1}"), core("{b: 1}")), MergePolicy())
    made.source, made.at = SOURCE, line
    return made


def below(place: Place, levels: int) -> Place:
    for _ in range(levels):
        place = place.child("in")
    return place


def noticed(levels: int, lines: int = 1, again: int = 0) -> int:
    """At which merge it is noticed, each so many levels below the last, of values that take turns; 0 for never. After
    `again` merges, it begins somewhere else."""
    deep, place = DeepMerges(), Place()
    for number in range(200):
        place = Place() if number == again else below(place, levels)
        try:
            deep.check(overlay(number % lines), place)
        except Fault:
            return number + 1
    return 0


ROWS = {
    (1, 1, 0): ENOUGH,
    (DeepMerges.STRIDE, 1, 0): ENOUGH,
    (DeepMerges.STRIDE + 1, 1, 0): 0,
    (1, 2, 0): 2 * ENOUGH - 1,
    (DeepMerges.STRIDE // 2, 2, 0): 2 * ENOUGH - 1,
    (DeepMerges.STRIDE // 2 + 1, 2, 0): 0,
    (1, 1, 20): 20 + ENOUGH,
    (1, 1, ENOUGH - 1): ENOUGH - 1 + ENOUGH,
}


@pytest.mark.parametrize("row", ROWS)
def test_when_it_is_noticed(row: tuple[int, int, int]) -> None:
    assert noticed(*row) == ROWS[row]
