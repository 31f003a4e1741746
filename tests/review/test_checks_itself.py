"""A review checks itself: a comparison that loses a difference gives no false zero, but status 70 and the document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.apps.cli import main
from plait.core.node import MapNode, Node
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


@settings(max_examples=examples(80), deadline=None)
@given(VALUES, VALUES)
def test_what_the_comparison_finds_accounts_for_everything(old: object, new: object) -> None:
    before, after = from_plain(old), from_plain(new)
    found = TargetResult({HERE: before}).differences(TargetResult({HERE: after}))
    assert unexplained(before, after, found.values(), set()) is None
    assert unexplained(from_plain(old), from_plain(new), found.values(), set()) is None, "equal values are enough"


@settings(max_examples=examples(80), deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcdef"), LEAVES), st.dictionaries(st.sampled_from("abcdef"), LEAVES), st.data()
)
def test_a_lost_difference_is_found(old: dict[str, int], new: dict[str, int], data: st.DataObject) -> None:
    before, after = from_plain({"m": old}), from_plain({"m": new})
    found = compare(before, after)
    if found:
        lost = data.draw(st.sampled_from(range(len(found))))
        assert unexplained(before, after, [row for at, row in enumerate(found) if at != lost], set()) is not None


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
