"""The law of regeneration over random histories; `histories.py` says what it is, and runs any number of them by
hand."""

from __future__ import annotations

import pytest

from tests.patterns import written
from tests.patterns.histories import run_history

pytestmark = pytest.mark.long


@pytest.mark.parametrize("first", range(0, 20, 5))
def test_no_history_breaks_the_law(first: int) -> None:
    """Five runs each, with edits, pattern changes and input changes between them."""
    for seed in range(first, first + 5):
        run_history(seed)


def test_no_history_of_texts_breaks_the_law() -> None:
    """Lists without keys, comments and texts; `written.py` says what git must agree with."""
    for seed in range(12):
        written.run_history(seed)


def test_items_that_are_there_twice_stay_what_they_were() -> None:
    """Here the next run took an item for another one that is equal, and forgot a conflict or wrote the list anew."""
    for seed in (2773, 7893, 8288):
        written.run_history(seed)


def test_a_list_in_conflict_that_is_left_with_one_map_is_in_conflict_as_before() -> None:
    written.run_history(3656)


def test_what_is_deleted_here_and_emptied_by_the_generator_is_no_conflict() -> None:
    for seed in (286, 989):
        run_history(seed)
