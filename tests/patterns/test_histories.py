"""The law of regeneration over random histories; `histories.py` says what it is, and runs any number of them by
hand."""

from __future__ import annotations

import pytest

from tests.patterns import written
from tests.patterns.histories import run_history


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_no_history_breaks_the_law(first: int) -> None:
    """Ten runs each, with edits, pattern changes and input changes between them."""
    for seed in range(first, first + 10):
        run_history(seed)


def test_no_history_of_texts_breaks_the_law() -> None:
    """Lists without keys, comments and texts; `written.py` says what git must agree with."""
    for seed in range(12):
        written.run_history(seed)
