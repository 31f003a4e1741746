"""A part of the comparison with brute force in every run of the tests: see `brute.py`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.examples import examples
from tests.review import brute
from tests.review.brute import faults_of, known_faults
from tests.review.repositories import Repository, changed

SEEDS = range(examples(60))


@pytest.mark.parametrize("first", range(0, len(SEEDS), 10))
def test_verdicts_are_those_of_brute_force(first: int, tmp_path: Path) -> None:
    seeds = [seed for seed in SEEDS[first : first + 10] if seed not in known_faults()]
    assert {seed: faults for seed in seeds if (faults := faults_of(seed, tmp_path))} == {}


def test_known_faults_only_shrink(tmp_path: Path) -> None:
    assert [seed for seed in known_faults() if not faults_of(seed, tmp_path)] == [], "take it out of known-faults.txt"


def test_the_check_finds_a_wrong_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself can fail: a review whose unknown part is told to have no effect."""
    seed = next(seed for seed in range(200) if _meets(seed))
    real = brute.reviewed

    def deaf(folder: Path) -> tuple[int, dict[str, object]]:
        _, report = real(folder)
        return 0, {**report, "no_effect": [*report["no_effect"], *report["effect_unknown"]], "effect_unknown": []}

    monkeypatch.setattr(brute, "reviewed", deaf)
    assert faults_of(seed, tmp_path)


def _meets(seed: int) -> bool:
    chance = random.Random(seed)
    repository = Repository(chance)
    return changed(repository, chance)[1]
