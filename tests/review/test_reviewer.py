"""How a review goes about its work: what it looks at, what it evaluates for proofs, what it says meanwhile and what it
forgets."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.fronts.project import Project
from plait.review.causes import ALONE, ProofBudget
from plait.review.review import Review, Reviewer, review
from plait.review.sides import Side
from tests.review.laws import Files, change_of, opened

LAYERS = (
    "targets:\n- {name: a, layers: [base.yaml, a.yaml]}\n- {name: b, layers: [base.yaml, b.yaml]}\n"
    "- {name: c, layers: [c.yaml]}\n"
)
OLD = {"plait.yaml": LAYERS, "base.yaml": "x: 1\ny: 1\n", "a.yaml": "a: 1\n", "b.yaml": "b: 1\n", "c.yaml": "c: 1\n"}


def changed(**texts: str) -> tuple[Files, Files]:
    """A change of some layers; a text that is empty is a file that goes."""
    files = {**OLD, **{f"{name}.yaml": text for name, text in texts.items()}}
    return OLD, {name: text for name, text in files.items() if text}


def reviewed(sides: tuple[Files, Files], folder: Path, proofs: int = 100) -> tuple[Review, int, ProofBudget]:
    """A review, how many states were opened beside both sides, and what is left of its proofs."""
    change, states = change_of(*sides, folder), list[Side]()
    undo, budget = change.partly, ProofBudget(proofs)
    change.partly = lambda reverted: states.append(undo(reverted)) or states[-1]  # type: ignore[method-assign]
    found = Reviewer(change, opened, set(), budget).review()
    change.close()
    return found, len(states), budget


WORLDS: dict[str, tuple[tuple[Files, Files], int, int, int]] = {
    "one line": (changed(base="x: 2\ny: 1\n"), 100, 0, 0),
    "one line of each target": (changed(a="a: 2\n", b="b: 2\n"), 100, 0, 0),
    "two lines of one target": (changed(a="a: 2\nd: 2\n"), 100, 2, 2),
    "two lines of two targets": (changed(base="x: 2\ny: 2\n"), 100, 2, 4),
    "no more proofs than that": (changed(base="x: 2\ny: 2\n"), 4, 2, 4),
    "too few for both targets": (changed(base="x: 2\ny: 2\n"), 3, 3, 3),
    "none": (changed(base="x: 2\ny: 2\n"), 0, 0, 0),
}
"""A change, how many proofs a review may make; how many states it opens, all targets of one in one go, and how many
proofs it makes."""


@pytest.mark.parametrize("name", WORLDS)
def test_states_that_are_opened_for_proofs(name: str, tmp_path: Path) -> None:
    sides, proofs, states, made = WORLDS[name]
    found, opened_states, budget = reviewed(sides, tmp_path, proofs)
    assert (opened_states, proofs - max(budget.left, 0)) == (states, made)
    if proofs == 100:
        assert {effect.cause.proof for effect in found.effects} == {ALONE}
        assert all(len(effect.cause.hunks) == 1 for effect in found.effects)


TOUCHED: dict[str, tuple[tuple[Files, Files], str]] = {
    "a layer of one": (changed(a="a: 2\n"), "a"),
    "a layer of two": (changed(base="x: 2\n"), "a b"),
    "the settings": (changed(plait=LAYERS + "review: {widest: 9}\n"), "a b c"),
    "a file that nobody reads": (changed(d="d: 1\n"), ""),
    "a layer that goes": (changed(c=""), "c"),
    "a layer that goes, and another": (changed(c="", a="a: 2\n"), "a c"),
}
"""A change, and the targets that it may affect."""


@pytest.mark.parametrize("name", TOUCHED)
def test_targets_that_a_change_may_affect(name: str, tmp_path: Path) -> None:
    sides, expected = TOUCHED[name]
    change = change_of(*sides, tmp_path)
    assert " ".join(Reviewer(change, opened, set(), ProofBudget(0)).touched(["a", "b", "c"])) == expected
    change.close()


def test_a_review_says_how_far_it_is(tmp_path: Path) -> None:
    said: list[str] = []

    def told(folder: str, altered: dict[str, bytes | None] | None, beside: Project | None) -> Project:
        project = opened(folder, altered, beside)
        project.progress = said.append
        return project

    review(change_of(*changed(base="x: 2\ny: 2\n"), tmp_path), told)
    assert [text for text in said if not text.startswith("reading")] == [
        "comparing 0 of 2 targets",
        "comparing 1 of 2 targets",
        "proving 0 of 2 causes",
        "proving 1 of 2 causes",
    ]


@pytest.mark.parametrize("sides", [changed(base="x: 2\n"), changed(base="x: 2\ny: 2\n")], ids=["follows", "proved"])
def test_nothing_is_kept_of_a_target_that_was_reviewed(sides: tuple[Files, Files], tmp_path: Path) -> None:
    reviewer = Reviewer(change_of(*sides, tmp_path), opened, set(), ProofBudget(100))
    assert reviewer.review().values
    assert [*reviewer.answers, *reviewer.known, *reviewer.following] == []
