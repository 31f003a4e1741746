"""The results of targets as a review compares them: each target has budgets of its own, and what follows from the other
side is not evaluated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plait.core.node import MapNode, plain_value
from plait.fronts.catalog import world_of
from plait.fronts.front import DocumentId
from plait.fronts.project import Project
from plait.review.causes import ProofBudget, TargetResult
from plait.review.compared import ComparedTargets
from plait.review.finding import Effect
from plait.review.review import Reviewer
from tests.review.laws import change_of, opened, write
from tests.review.test_state_answers import STACK, entries, repository

BEFORE = repository(entries(c0="vars: {x: 1}, settings: {s: 1}"), entries(c1="vars: {x: [1]}, settings: {s: 1}"))
AFTER = {name: text.replace("x: 1", "x: 2").replace("[1]", "[2]") for name, text in BEFORE.items()}


@pytest.fixture
def reviewer(tmp_path: Path) -> Reviewer:
    return Reviewer(change_of(BEFORE, AFTER, tmp_path), opened, set(), ProofBudget(100))


PARTS: dict[str, tuple[Callable[[Reviewer, list[Effect]], object], list[bool]]] = {
    "its result": (lambda reviewer, _: reviewer.after.result("a"), [True, False]),
    "its result, asked once": (lambda reviewer, _: reviewer.after.finished("a", None), [True, False]),
    "both sides": (lambda reviewer, _: reviewer.both("a"), [True, True]),
    "what it is made of": (lambda reviewer, _: list(reviewer.after.trees("a", reviewer.changed)), [True, False]),
    "what each file contributes": (
        lambda reviewer, effects: list(reviewer.layers(effects, lambda _: [])),
        [True, False],
    ),
}
"""What is looked at of a target, and whether that is a part of its own on the new side and on the old one."""


@pytest.mark.parametrize("name", PARTS)
def test_each_target_has_a_budget_of_its_own(name: str, reviewer: Reviewer) -> None:
    look, is_new = PARTS[name]
    effects = reviewer.effects("a", reviewer.both("a").causes)
    meters = [reviewer.after.project.meter, reviewer.before.project.meter]
    for meter in meters:
        meter.step(100_000)
    look(reviewer, effects)
    assert [meter.steps < 100_000 for meter in meters] == is_new, "the targets before count no more"


def test_what_a_change_does_not_reach_is_that_of_the_other_side(reviewer: Reviewer) -> None:
    causes = reviewer.both("a").causes
    before, after = (side.documents[document_of(side, "c1")] for side in (causes.before, causes.after))
    assert isinstance(before, MapNode)
    assert isinstance(after, MapNode)
    assert before.entries["settings"] is after.entries["settings"]
    assert plain_value(before.entries["vars"]) == {"stage": "a", "x": [1]}
    assert [one.name for one in causes.before.documents] == ["c0", "c1"], "the first follows, the second is evaluated"


def document_of(result: TargetResult, name: str) -> DocumentId:
    return next(document for document in result.documents if document.name == name)


def test_targets_that_ask_the_outside(tmp_path: Path) -> None:
    call = STACK + entries(c0="vars: {x: !exec 'echo x'}")
    files = {**BEFORE, "stacks/orgs/b.yaml": call.replace("stage: a", "stage: b")}
    write(tmp_path, files)
    compared = ComparedTargets(world_of(Project(str(tmp_path))))
    assert compared.targets.names() == ["a", "b"]
    assert compared.asking(["a", "b", "a target of the other side"]) == {"b"}
