"""A review checks itself: a comparison that loses a difference gives no false zero, but status 70 and the document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.apps.cli import main
from plait.core.diagnostic import Diagnostic
from plait.core.node import Failure, ListNode, MapNode, Node, Scalar, Unknown
from plait.core.plain import from_plain
from plait.fronts.front import DocumentId
from plait.merging import diff
from plait.merging.diff import ValueDifference, compare
from plait.review import causes
from plait.review.causes import TargetResult
from plait.review.checking import unexplained
from tests.examples import examples

HERE = DocumentId("layers:app", "", "", "")
LEAVES = st.integers(0, 3)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        | st.lists(inner, max_size=3)
        | st.lists(st.fixed_dictionaries({"name": st.sampled_from("xyz"), "v": LEAVES}), max_size=3)
    ),
    max_leaves=12,
)
Compare = Callable[..., list[ValueDifference]]


@settings(max_examples=examples(50), deadline=None)
@given(VALUES, VALUES)
def test_what_the_comparison_finds_accounts_for_everything(old: object, new: object) -> None:
    before, after = from_plain(old), from_plain(new)
    found = TargetResult({HERE: before}).differences(TargetResult({HERE: after}))
    assert unexplained(before, after, found.values(), set()) is None
    assert unexplained(from_plain(old), from_plain(new), found.values(), set()) is None, "equal values are enough"


@settings(max_examples=examples(50), deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcdef"), LEAVES), st.dictionaries(st.sampled_from("abcdef"), LEAVES), st.data()
)
def test_a_lost_difference_is_found(old: dict[str, int], new: dict[str, int], data: st.DataObject) -> None:
    before, after = from_plain({"m": old}), from_plain({"m": new})
    found = compare(before, after)
    if found:
        lost = data.draw(st.sampled_from(range(len(found))))
        assert unexplained(before, after, [row for at, row in enumerate(found) if at != lost], set()) is not None


BROKEN = Failure((Diagnostic("PL2104", "a cycle"),))


def asked(text: str, **known: int) -> Unknown:
    """What an expression gives is not known; some keys of it are."""
    return Unknown((), why="not asked", expression=text, known=from_plain(known) if known else None)  # type: ignore[arg-type]


Told = tuple[object, object, str, object, object]
"""What is there before and after, and what a difference says: its kind, and what was there before and after."""
TRUE: dict[str, Told] = {
    "changed": (1, 3, "changed", 1, 3),
    "added": (None, 3, "added", None, 3),
    "removed": (1, None, "removed", 1, None),
    "now an error": (1, BROKEN, "changed", 1, None),
    "an error before": (BROKEN, 3, "changed", None, 3),
    "asks something else": (asked("x"), asked("y"), "changed", asked("x"), asked("y")),
    "asks something else for the rest": (asked("x", a=1), asked("y", a=1), "changed", asked("x", a=1), asked("y", a=1)),
    "an error that is not known now": (BROKEN, asked("x"), "changed", None, asked("x")),
    "not known before, an error now": (asked("x"), BROKEN, "changed", asked("x"), None),
}
FALSE: dict[str, Told] = {
    "another value now": (1, 3, "changed", 1, 2),
    "another value before": (1, 3, "changed", 2, 3),
    "added as something else": (None, 3, "added", None, 2),
    "removed as something else": (1, None, "removed", 2, None),
    "moved, and its value is another": (1, 3, "moved", 1, 3),
    "asks something else than it says": (asked("x"), asked("y"), "changed", asked("x"), asked("z")),
    "a key beside what is not known": (asked("x", a=1), asked("x", a=2), "changed", asked("x", a=1), asked("x", a=2)),
    "not known before, in another way": (asked("x"), 3, "changed", asked("y"), 3),
}


def node(value: object) -> Node | None:
    return value if value is None or isinstance(value, Node) else from_plain(value)


def left(old: object, new: object, told: list[ValueDifference]) -> object:
    """The place that differences leave unexplained, where two documents have one key."""
    sides = [MapNode({} if side is None else {"k": side}) for side in (node(old), node(new))]  # type: ignore[dict-item]
    return unexplained(*sides, told, set())


@pytest.mark.parametrize(("old", "new", "kind", "before", "after"), TRUE.values(), ids=TRUE)
def test_what_is_true_accounts_for_a_value(old: object, new: object, kind: str, before: object, after: object) -> None:
    assert left(old, new, [ValueDifference(kind, ("k",), node(before), node(after))]) is None
    assert left(old, new, []) == ("k",), "nothing is said"


@pytest.mark.parametrize(("old", "new", "kind", "before", "after"), FALSE.values(), ids=FALSE)
def test_what_is_not_true_accounts_for_nothing(
    old: object, new: object, kind: str, before: object, after: object
) -> None:
    assert left(old, new, [ValueDifference(kind, ("k",), node(before), node(after))]) is not None


def test_a_key_beside_what_is_not_known_has_a_difference_of_its_own() -> None:
    sides = asked("x", a=1), asked("x", a=2)
    assert left(*sides, [ValueDifference("changed", ("k", "a"), node(1), node(2))]) is None
    assert left(*sides, []) == ("k", "a")


def test_sections_that_many_documents_share_are_looked_at_once() -> None:
    before, after = from_plain({"k": {"a": 1}}), from_plain({"k": {"a": 2}})
    told = [ValueDifference("changed", ("k", "a"), node(1), node(2))]
    checked: set[tuple[object, ...]] = set()
    assert unexplained(before, after, [], checked) == ("k", "a")
    assert unexplained(before, after, [], checked) == ("k", "a"), "it is still not explained"
    assert unexplained(before, after, told, checked) is None
    told[0].path = ("k", "b")
    assert unexplained(before, after, told, checked) is None, "the same sections with the same differences"
    assert unexplained(before, after, [], checked) == ("k", "a"), "another document has other differences"


def test_an_item_in_the_place_of_one_that_was_removed() -> None:
    removed = ValueDifference("removed", ("k", 0), node(1), None)
    assert left([1, 2], [2], [removed]) is None
    assert left([1, 2], [9, 2], [removed]) == ("k",), "nothing is said of 9"
    assert left([1, 2], [9, 2], [removed, ValueDifference("added", ("k", 0), None, node(9))]) is None


def test_secrets_in_lists_are_told_apart() -> None:
    lists = [
        ListNode([Scalar(text, text, secret=True), Scalar(number, str(number))])
        for text, number in (("a", 1), ("b", 2))
    ]
    told = [ValueDifference("changed", ("k", 1), node(1), node(2))]
    assert left(*lists, told) is not None


def test_an_error_on_both_sides_is_told_by_its_messages() -> None:
    assert left(BROKEN, Failure((Diagnostic("PL2104", "another cycle"),)), []) is None


LISTS: list[tuple[list[int], list[int], list[int], bool]] = [
    ([1, 2], [1, 3], [1], True),
    ([1, 2, 3], [1, 4], [1], True),  # one was removed, one changed
    ([1, 2, 3, 5], [1, 4], [1], False),
    ([1, 2, 3, 5], [4, 6], [0, 1], True),
    ([1, 2, 3, 5, 7], [4, 6], [0, 1], False),
    ([1, 2], [1, 3, 4], [1], False),  # nothing is said of 4
    ([1, 2], [1, 3, 4], [1, 2], True),
    ([1, 2], [3, 2, 1], [0], True),  # others moved
    ([1, 2], [3, 2, 2], [0], False),
    ([1, 2], [2, 1], [], False),
]
"""Two lists, the new items that differences name, and whether that accounts for all."""


@pytest.mark.parametrize(("old", "new", "named", "is_enough"), LISTS)
def test_what_accounts_for_a_list(old: list[int], new: list[int], named: list[int], is_enough: bool) -> None:
    told = [ValueDifference("changed", ("k", at), None, from_plain(new[at])) for at in named]
    assert (left(old, new, told) is None) is is_enough


OLD = {"base.yaml": "a: 1\nlist: [1, 2]\n", "plait.yaml": "targets: [{name: app, layers: [base.yaml]}]\n"}
NEW = {**OLD, "base.yaml": "a: 2\nlist: [1, 3]\n"}


def write(folder: Path, files: dict[str, str]) -> str:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    return str(folder)


def without(step: str) -> Compare:
    """A comparison that overlooks everything below a key."""

    def blind(before: Node, after: Node, *rest: object, **more: object) -> list[ValueDifference]:
        assert isinstance(before, MapNode)
        return [row for row in diff.compare(before, after) if row.path[:1] != (step,)]

    return blind


@pytest.mark.parametrize("step", ["a", "list"])
def test_a_comparison_that_overlooks_something_ends_with_70(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [write(tmp_path / "old", OLD), write(tmp_path / "new", NEW)]
    monkeypatch.setattr(causes, "compare", without(step))
    assert main(["review", *sides, "--no-cache"]) == 70
    printed = capsys.readouterr()
    assert not printed.out
    assert "`app`" in printed.err


def test_a_review_that_finds_everything_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = [write(tmp_path / "old", OLD), write(tmp_path / "new", NEW)]
    assert main(["review", *sides, "--no-cache"]) == 0
    assert "2 values change" in capsys.readouterr().out
