"""The law of regeneration over random histories; `histories.py` says what it is, and runs any number of them by
hand."""

from __future__ import annotations

import pytest

from tests.patterns.histories import run_history


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_no_history_breaks_the_law(first: int) -> None:
    """Ten runs each, with edits, pattern changes and input changes between them."""
    for seed in range(first, first + 10):
        run_history(seed)
