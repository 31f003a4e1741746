"""Which findings a review leaves for the next one, as a table: what follows from files that a target reads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plait.core.node import MapNode, Node, Scalar
from plait.fronts.front import DocumentId
from plait.merging.diff import ValueDifference
from plait.review.causes import ALONE, BROKEN, FIXED, Cause
from plait.review.finding import Effect, TargetFinding
from plait.review.hunks import Hunk
from plait.review.kept import lasts

HUNK = Hunk("a.yaml", 1, ("x: 1\n",), 1, ("x: 2\n",))
PLAIN, SECRET = Scalar(1, "1"), Scalar("hush", "hush", secret=True)
INSIDE = MapNode({"k": SECRET})


def finding(*effects: tuple[str, Node | None, Node | None]) -> TargetFinding:
    found, document = TargetFinding("a", [HUNK], [HUNK]), DocumentId("layers:a", "", "", "")
    found.effects = [
        Effect("a", "", document, ("x",), ("x",), ValueDifference(kind, ("x",), *sides), Cause((HUNK,), ALONE))
        for kind, *sides in effects
    ]
    return found


EFFECTS: dict[str, tuple[list[tuple[str, Node | None, Node | None]], bool]] = {
    "none": ([], True),
    "a value": ([("changed", PLAIN, PLAIN)], True),
    "a value that comes, and one that goes": ([("added", None, PLAIN), ("removed", PLAIN, None)], True),
    "a secret before": ([("changed", SECRET, PLAIN)], False),
    "a secret after": ([("changed", PLAIN, SECRET)], False),
    "a secret that comes": ([("added", None, SECRET)], False),
    "a secret inside, beside a value": ([("changed", PLAIN, PLAIN), ("removed", INSIDE, None)], False),
    "a new error": ([(BROKEN, None, PLAIN)], False),
    "an error that is gone": ([(FIXED, PLAIN, None)], False),
}


@pytest.mark.parametrize("name", EFFECTS)
def test_what_an_effect_says(name: str) -> None:
    effects, expected = EFFECTS[name]
    assert lasts(finding(*effects)) == expected


OTHERS: dict[str, Callable[[TargetFinding], object]] = {
    "something was proved by undoing": lambda found: setattr(found, "proofs", 1),
    "it failed before": lambda found: setattr(found, "failed", (True, False)),
    "it fails": lambda found: setattr(found, "failed", (False, True)),
    "something was not compared": lambda found: found.not_compared.append(("", "why", "where")),
    "something was not told": lambda found: found.incomplete.append("a"),
    "no line is known that it sees": lambda found: found.seen.clear(),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_else_is_found_anew(name: str) -> None:
    found = finding(("changed", PLAIN, PLAIN))
    OTHERS[name](found)
    assert not lasts(found)
