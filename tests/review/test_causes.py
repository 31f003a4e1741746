"""How causes are found, as a table: what a target gives with some of its changed lines, and which lines are named."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature

import pytest

from plait.core.node import MapNode, Node, Scalar, Unknown
from plait.core.path import ANYWHERE, NOWHERE, Path, Places
from plait.core.source import Source
from plait.fronts.front import DocumentId
from plait.merging.diff import ValueDifference
from plait.review.causes import (
    ALONE,
    ERRORS,
    OUTSIDE,
    TOGETHER,
    TRACED,
    Cause,
    ProofBudget,
    TargetCauses,
    TargetResult,
    investigate,
    is_unknown,
)
from plait.review.hunks import Hunk
from plait.review.messages import ErrorLine
from tests.yaml.nodes import of

HERE, WHOLE = DocumentId("layers:app", "", "", "doc"), DocumentId("layers:app", "", "", "")
FILE = Source("f.yaml", "\n" * 9)
HUNKS = {name: Hunk("f.yaml", line, ("old\n",), line + 3, ("new\n",)) for line, name in enumerate("abc", 1)}
OTHER = DocumentId("layers:app", "", "", "other")
Target = Callable[..., "Made"]
Made = dict[str, object] | str | tuple[dict[str, object], str] | None
"""What a target has where some hunks are there: the values of a document; the error of that one, or of all (`!`); the
values, and the error of the target or of another document; or nothing. A value can be a pair: with the name of the
hunk that writes it, 0 in the old text and any other in the new one."""


def _node(value: object) -> Node:
    if isinstance(value, tuple):
        hunk = HUNKS[value[1]]
        line = hunk.new_line if value[0] else hunk.old_line
        return Scalar(value[0], str(value[0]), FILE, FILE.starts[line - 1])
    return of(value)


def as_named(file: str, _: bool) -> str:
    return file


def result_of(made: Made) -> TargetResult:
    if isinstance(made, tuple):
        result = result_of(made[0])
        result.errors[WHOLE if made[1][0] == "!" else OTHER] = (ErrorLine(made[1]),)
        return result
    if isinstance(made, str):
        return TargetResult({}, {WHOLE if made[0] == "!" else HERE: (ErrorLine(made),)})
    return TargetResult({} if made is None else {HERE: MapNode({key: _node(value) for key, value in made.items()})})


def found(
    target: Target, proofs: int = 100, known: Callable[[TargetCauses], object] = lambda _: None, worlds: int = -1
) -> TargetCauses:
    """The causes of what differs between a target without all of its hunks, and with them; `known` is told before, and
    it takes so many evaluations."""
    hunks, budget = [HUNKS[name] for name in signature(target).parameters], ProofBudget(proofs)
    asked: list[frozenset[Hunk]] = []

    def evaluate(reverted: frozenset[Hunk]) -> TargetResult | None:
        asked.append(reverted)
        return result_of(target(*(hunk not in reverted for hunk in hunks))) if budget.take() else None

    causes = TargetCauses(*(result_of(target(*[has] * len(hunks))) for has in (False, True)), as_named)
    causes.open = hunks
    known(causes)
    causes = investigate(causes, hunks, evaluate, budget)
    answered = asked[:proofs]
    assert worlds in (-1, len(asked))
    assert len(set(answered)) == len(answered), "each is evaluated once"
    assert {frozenset(), frozenset(hunks)}.isdisjoint(asked), "both sides are known"
    return causes


def named(hunks: object) -> str:
    return "".join(name for name, hunk in HUNKS.items() if hunk in hunks)  # type: ignore[operator]


Causes = dict[str, tuple[str, str]]
Reached = tuple[Places, Places, bool]
ROWS: dict[str, tuple[Target, Causes, str, str]] = {
    "one hunk": (lambda a: {"x": int(a)}, {"x": ("a", ALONE)}, "", ""),
    "each its own": (lambda a, b: {"x": int(a), "y": int(b)}, {"x": ("a", ALONE), "y": ("b", ALONE)}, "", ""),
    "either is enough": (lambda a, b: {"x": a or b}, {"x": ("ab", TOGETHER)}, "", ""),
    "only both": (lambda a, b: {"x": a and b}, {"x": ("ab", ALONE)}, "", ""),
    "a sum": (lambda a, b: {"x": a + b}, {"x": ("ab", TOGETHER)}, "", ""),
    "one over the other": (lambda a, b: {"x": 2 if b else int(a)}, {"x": ("ab", TOGETHER)}, "", ""),
    "two of three": (
        lambda a, b, c: {"x": a or b, "y": int(c)},
        {"x": ("ab", TOGETHER), "y": ("c", ALONE)},
        "",
        "",
    ),
    "any two of three": (lambda a, b, c: {"x": a + b + c > 1}, {"x": ("bc", TOGETHER)}, "", ""),
    "two that cancel out": (lambda a, b, c: {"x": a != b, "y": int(c)}, {"y": ("c", ALONE)}, "ab", ""),
    "without one, the other fails": (lambda a, b: "bad" if b and not a else {"y": b}, {"y": ("b", ALONE)}, "", "a"),
    "without one, the target fails": (lambda a, b: "!bad" if a and not b else {"y": a}, {"y": ("a", ALONE)}, "", "b"),
    "and that one wrote the value": (
        lambda a, b: "!bad" if a and not b else {"y": (int(a), "b")},
        {"y": ("ab", ALONE)},
        "",
        "",
    ),
    "a new error": (lambda a, b: "bad" if a else {"y": b}, {"(errors)": ("a", ALONE)}, "", ""),
    "an error that is gone": (lambda a, b: {"y": b} if a else "bad", {"(errors)": ("a", ALONE)}, "b", ""),
    "another error": (lambda a, b: "bad" if a else "worse" if b else "good", {"(errors)": ("ab", TOGETHER)}, "", ""),
    "a new document": (lambda a, b: {"y": 1} if a else None, {"": ("a", ALONE)}, "", ""),
    "a document that is gone": (lambda a, b: None if b else {"y": 1}, {"": ("b", ALONE)}, "", ""),
    "it would be another": (lambda a, b: None if b else {"y": a}, {"": ("ab", TOGETHER)}, "", ""),
    "one brings what another fills": (lambda a, b: {"x": {"v": b}} if a else {}, {"x": ("ab", TOGETHER)}, "", ""),
    "written beside it": (lambda a, b: {"y": (int(a), "b")}, {"y": ("a", ALONE)}, "", ""),
    "gone, but then another": (
        lambda a, b: "bad" if not a else {"y": 1} if b else "!worse",
        {"(errors)": ("ab", TOGETHER)},
        "",
        "",
    ),
    "an error of the target beside it": (
        lambda a, b: {"y": 1} if a else ({"y": 0}, "!bad"),
        {"y": ("a", ALONE), "(errors)": ("a", ALONE)},
        "",
        "",
    ),
    "an error of another document beside it": (
        lambda a, b: {"y": 1 + b} if a else ({"y": 0}, "bad"),
        {"y": ("ab", TOGETHER), "(errors)": ("a", ALONE)},
        "",
        "",
    ),
    "two items": (lambda a, b: {"l": [a, b]}, {"l.0": ("a", ALONE), "l.1": ("b", ALONE)}, "", ""),
    "an item before it": (
        lambda a, b: {"l": [9] * b + [int(a)]},
        {"l.0": ("ab", TOGETHER), "l.1": ("ab", TOGETHER)},
        "",
        "",
    ),
    "an item that has a name": (
        lambda a, b: {"l": [{"name": "z"}] * b + [{"name": "y", "v": int(a)}]},
        {"l.[name=y].v": ("a", ALONE), "l.[name=z]": ("b", ALONE)},
        "",
        "",
    ),
    "nothing differs": (lambda a, b: {"x": 1}, {}, "", ""),
}
"""What a target has, the causes of what differs, the hunks that cancel out, and those that others need."""


@pytest.mark.parametrize("row", ROWS)
def test_which_lines_are_named(row: str) -> None:
    target, expected, cancelling, needed = ROWS[row]
    causes = found(target)
    told = {".".join(map(str, path)): (named(one.hunks), one.proof) for (_, path), one in causes.causes.items()}
    assert told == expected
    assert all(path == ERRORS for _, path in causes.causes if "(errors)" in path)
    if len(signature(target).parameters) > 1:
        assert (named(causes.cancelling), named(causes.needed)) == (cancelling, needed)


BUDGETS: dict[tuple[str, int], Causes] = {
    ("either", 2): {"x": ("ab", TOGETHER)},
    ("either", 1): {"x": ("ab", TRACED)},
    ("written", 0): {"x": ("a", TRACED), "y": ("b", TRACED)},
    ("come", 0): {"x": ("a", TRACED)},
    ("gone", 0): {"x": ("a", TRACED)},
    ("third", 6): {"x": ("ab", TOGETHER), "y": ("c", ALONE)},
    ("third", 3): {"x": ("abc", TRACED), "y": ("c", ALONE)},
    ("third", 2): {"x": ("abc", TRACED), "y": ("abc", TRACED)},
    ("sum", 1): {"x": ("a", TRACED)},
}
"""What is said where the proofs may take so many evaluations: what was written, or reaches a value; else all lines."""
TARGETS: dict[str, Target] = {
    "either": lambda a, b: {"x": a or b},
    "written": lambda a, b: {"x": (int(a), "a"), "y": (int(b), "b")},
    "come": lambda a, b: {"x": (1, "a")} if a else {},
    "gone": lambda a, b: {} if a else {"x": (0, "a")},
    "third": lambda a, b, c: {"x": a or b, "y": int(c)},
    "sum": lambda a, b: {"x": a + b},
}


@pytest.mark.parametrize(("name", "proofs"), BUDGETS)
def test_what_is_named_where_not_all_can_be_proved(name: str, proofs: int) -> None:
    causes = found(TARGETS[name], proofs)
    told = {str(path[0]): (named(one.hunks), one.proof) for (_, path), one in causes.causes.items()}
    assert told == BUDGETS[name, proofs]


def test_what_differs_without_any_changed_line_comes_from_outside() -> None:
    causes = TargetCauses(result_of({"x": 1}), result_of({"x": 2}), as_named)
    causes = investigate(causes, [], lambda _: pytest.fail("nothing can be undone"), ProofBudget(0))
    assert [(one.hunks, one.proof) for one in causes.causes.values()] == [((), OUTSIDE)]


def follows(*names: str) -> Callable[[TargetCauses], None]:
    """The causes of `x` and `y` are known without undoing anything; some hunks have to be undone for other reasons."""

    def known(causes: TargetCauses) -> None:
        causes.causes = {(HERE, (key,)): Cause((HUNKS[by],), ALONE) for key, by in (("x", "a"), ("y", "b"))}
        causes.open = [HUNKS[name] for name in names]

    return known


def test_what_follows_is_not_proved_again() -> None:
    causes = found(lambda a, b, c: {"x": int(a), "y": int(b)}, known=follows(), worlds=0)
    assert [named(one.hunks) for one in causes.causes.values()] == ["a", "b"]
    causes = found(lambda a, b, c: {"x": int(a), "y": int(b), "z": c != b}, known=follows("c"), worlds=1)
    assert [named(one.hunks) for one in causes.causes.values()] == ["a", "b"]
    assert named(causes.cancelling) == "c", "it was undone to find that"


def test_what_no_line_is_known_to_reach_is_proved_with_all_of_them() -> None:
    def closed(causes: TargetCauses) -> None:
        causes.open = []

    causes = found(TARGETS["third"], known=closed)
    assert {path: named(one.hunks) for (_, path), one in causes.causes.items()} == {("x",): "ab", ("y",): "c"}


X, Y = ("x",), ("y",)
REACHED: dict[str, tuple[dict[str, Reached], dict[Path, str], str]] = {
    "each its own value": ({"a": ((X,), (Y,), False), "b": ((Y,), (X,), False)}, {X: "a", Y: "b"}, ""),
    "one reaches both": ({"a": (ANYWHERE, NOWHERE, False)}, {X: "a", Y: "a"}, ""),
    "two reach one value alone": (
        {"a": ((X,), (Y,), False), "b": ((X, Y), NOWHERE, False)},
        {X: "ab", Y: "b"},
        "",
    ),
    "the others reach it, too": ({"a": ((X,), (X,), True), "b": ((Y, X), (X,), True)}, {Y: "b"}, "ab"),
    "no line reaches it": ({"a": ((X,), (Y,), False)}, {X: "a"}, "abc"),
    "its effect may cancel out": (
        {"a": ((X,), (Y,), False), "b": ((Y,), (X,), False), "c": ((("z",),), (("z",),), True)},
        {X: "a", Y: "b"},
        "c",
    ),
    "what it meets, another value is caused by": (
        {"a": ((X, ("z",)), (("z",),), True), "b": ((Y,), (X,), False)},
        {X: "a", Y: "b"},
        "",
    ),
}
"""What each hunk reaches beside the new side and beside the old one, and whether both meet; the causes that follow from
that; and the hunks that have to be undone."""


@pytest.mark.parametrize("name", REACHED)
def test_causes_that_follow_from_what_each_line_reaches(name: str) -> None:
    reached, expected, undone = REACHED[name]
    for here in (HERE, OTHER):  # what one document reaches is told of another one that is alike
        causes = TargetCauses(result_of({"x": 1, "y": 1}), result_of({"x": 2, "y": 2}), as_named)
        places = {HUNKS[hunk]: {here: one} for hunk, one in reached.items()}
        causes.follow([*HUNKS.values()], lambda hunk, places=places: places.get(hunk, {}), {HERE: here})  # type: ignore[misc]
        assert {path: named(one.hunks) for (_, path), one in causes.causes.items()} == expected
        assert {one.proof for one in causes.causes.values()} <= {ALONE}
        assert named(causes.open) == undone


def test_only_hunks_that_reach_a_value_are_tried() -> None:
    def reached(causes: TargetCauses) -> None:
        causes.reaching = {(HERE, ("x",)): (HUNKS["a"], HUNKS["b"])}

    for known, worlds in ((reached, 4), (lambda _: None, 6)):
        causes = found(TARGETS["third"], known=known, worlds=worlds)
        assert named(causes.causes[HERE, ("x",)].hunks) == "ab"


def test_a_value_that_is_not_known_on_a_side_is_not_compared() -> None:
    unknown = Unknown((), why="not asked", expression="!env A")
    sides = [(before, after) for before in (unknown, of(1), None) for after in (unknown, of(2), None)]
    told = [is_unknown(ValueDifference("changed", ("x",), before, after)) for before, after in sides]
    assert told == [True, True, True, True, False, False, True, False, False]
