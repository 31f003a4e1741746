"""Differences by structure: none between equal trees, and making them turns one tree into the other."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.meter import Overrun
from plait.core.node import MapNode, Node, Scalar, equal
from plait.core.path import format_path
from plait.core.policy import ListRule, MergePolicy
from plait.core.source import Source
from plait.fronts.editing import Editor
from plait.fronts.project import Project
from plait.merging import compare as compare_module
from plait.merging import diff
from plait.merging.diff import ValueDifference, compare
from plait.yaml.edits import Delete
from plait.yaml.emit import emit
from plait.yaml.patch import apply
from tests.examples import examples
from tests.yaml.nodes import core, of

names = st.sampled_from(["a", "b", "c", "with space", "x.y"])
scalars = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "1", "", "two\nlines\n"])
named = st.lists(st.tuples(names, scalars), max_size=4, unique_by=lambda item: item[0]).map(
    lambda items: [{"name": name, "v": value} for name, value in items]
)
values = st.recursive(
    scalars | named,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=10,
)
documents = st.dictionaries(names, values, max_size=4).map(of)


@given(documents, documents)
@settings(max_examples=examples(40))
def test_equal_trees_have_no_difference(a: Node, b: Node) -> None:
    assert compare(a, a) == []
    assert (compare(a, b) == []) == equal(a, b)


@given(documents, documents)
@settings(max_examples=examples(30))
def test_passing_over_equal_values_changes_nothing(a: Node, b: Node) -> None:
    with patch.object(diff, "same_scalar", lambda *_: False):
        expected = compare(a, b)
    assert [repr(one) for one in compare(a, b)] == [repr(one) for one in expected]


@given(documents, documents)
def test_the_other_way_round_is_the_opposite(a: Node, b: Node) -> None:
    opposite = {"added": "removed", "removed": "added"}
    there = sorted(str(opposite.get(d.kind, d.kind)) for d in compare(a, b) if d.kind != "moved")
    assert there == sorted(d.kind for d in compare(b, a) if d.kind != "moved")


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Editor:
    return Editor(Project(str(tmp_path_factory.mktemp("project"))))


@given(documents, documents)
@settings(max_examples=examples(40))
def test_making_the_differences_gives_the_other(editor: Editor, a: Node, b: Node) -> None:
    source = Source("a.yaml", emit(a))
    found = compare(core(source.text), b, whole=True)
    for difference in sorted(found, key=lambda one: one.kind == "removed"):
        if difference.kind == "removed":
            text = apply(source, [Delete(difference.path)])
        else:
            assert difference.after is not None
            text = editor.set(source, [(format_path(difference.path), difference.after)], create=True)
        source = Source("a.yaml", text)
    assert equal(core(source.text), b)


def test_moved_items_are_the_fewest() -> None:
    def jobs(*letters: str) -> Node:
        return of([{"name": letter} for letter in letters])

    moved = compare(jobs("a", "b", "c", "d"), jobs("b", "c", "d", "a"))
    assert [(d.kind, repr(d.path)) for d in moved] == [("moved", "([name=a],)")]


def test_a_rule_pairs_as_the_merge_does() -> None:
    a, b = of([{"id": 1, "v": 1}, {"id": 2}]), of([{"id": 2}, {"id": 1, "v": 2}])
    found = compare(a, b, MergePolicy(ListRule("key", ("id",))))
    assert [(d.kind, repr(d.path)) for d in found] == [("moved", "([id=1],)"), ("changed", "([id=1], 'v')")]
    members = compare(of(["x", "y"]), of(["y", "z"]), MergePolicy(ListRule("set")))
    assert [(d.kind, repr(d.path)) for d in members] == [("removed", "([=x],)"), ("added", "([=z],)")]


LISTS = {
    ("[1, 2, 3]", "[1, 3]"): ["removed [1]"],
    ("[1, 3]", "[1, 2, 3]"): ["added [1]"],
    ("[1, 2]", "[1, 5, 3]"): ["changed [1]", "added [2]"],
    ("[1, 5, 3]", "[1, 2]"): ["changed [1]", "removed [2]"],
    ("[1, 2, 3]", "[2, 3, 4]"): ["changed [0]", "changed [1]", "changed [2]"],
    ("[]", "[1]"): ["added [0]"],
    ("[1, x]", "['1', 1, x]"): ["added [0]"],
    ("[1, x]", "[true, 1, x]"): ["added [0]"],
    ("[.nan, x]", "[y, .nan, x]"): ["added [0]"],
    ("[!a 1, x]", "[1, !a 1, x]"): ["added [0]"],
    ("[[1], x]", "[[2], [1], x]"): ["added [0]"],
    ("[{a: 1, b: 2}, x]", "[{}, {b: 2, a: 1}, x]"): ["added [0]"],
    ("[{a: [1]}, x]", "[{a: [2]}, {a: [1]}, x]"): ["added [0]"],
    ("[{name: a}, {name: b}]", "[{name: b}, {name: a}]"): ["moved [name=a]"],
    ("[{name: a, v: 1}, {name: b}]", "[{name: b}, {name: a, v: 2}]"): ["moved [name=a]", "changed [name=a].v"],
    ("[{name: a}]", "[{name: b}, {name: a}]"): ["added [name=b]"],
    ("[{name: a}, {name: b}]", "[{name: b}]"): ["removed [name=a]"],
    ("[{name: a, v: 1}, x]", "[{name: b}, {name: a, v: 1}, x]"): ["added [0]"],
    ("[{name: a}]", "[]"): ["removed [0]"],
    ("!a [1]", "!b [1]"): ["changed "],
    ("{a: 1}", "!b {a: 1}"): ["changed "],
    ("{a: 1}", "[1]"): ["changed "],
    ("{a: 1, b: 2, c: 3}", "{c: 4, b: 2, d: 5}"): ["removed a", "changed c", "added d"],
    ("{a: null}", "{}"): ["removed a"],
    ("{}", "{a: null}"): ["added a"],
    ("{a: 1}", "{a: 1.0}"): ["changed a"],
}


@pytest.mark.parametrize(("before", "after"), LISTS)
def test_what_differs(before: str, after: str) -> None:
    found = compare(core(before), core(after))
    assert [f"{each.kind} {format_path(each.path)}" for each in found] == LISTS[before, after]


def test_long_lists_are_compared_by_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "LONG", 3)
    assert len(compare(of([1, 2, 3]), of([2, 3]))) == 1
    found = compare(of([1, 2, 3, 4]), of([2, 3, 4]))
    assert [f"{each.kind} {format_path(each.path)}" for each in found] == [
        "changed [0]", "changed [1]", "changed [2]", "removed [3]",
    ]  # fmt: skip
    assert [each.kind for each in compare(of([2, 3, 4]), of([1, 2, 3, 4]))] == ["changed"] * 3 + ["added"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("[1, 2]", "[1, 3]", ["changed [1]"]),
        ("[1, 2]", "[1, 2, 3]", ["changed "]),
        ("[{name: a}]", "[{name: a}, {name: b}]", ["added [name=b]"]),
        ("[{name: a}]", "[{name: b}, {name: a}]", ["changed "]),
        ("[{name: a}, {name: b}]", "[{name: b}, {name: a}]", ["changed "]),
        ("[{name: a}, {name: b}]", "[{name: a}, {name: c}]", ["removed [name=b]", "added [name=c]"]),
    ],
)
def test_what_an_edit_cannot_do_item_by_item_is_one_difference(before: str, after: str, expected: list[str]) -> None:
    found = compare(core(before), core(after), whole=True)
    assert [f"{each.kind} {format_path(each.path)}" for each in found] == expected


def test_a_difference_as_data() -> None:
    changed, removed = compare(of({"a": 1, "b": 2}), of({"a": 3}))
    assert changed.as_data() == {"kind": "changed", "before": 1, "after": 3}
    assert removed.as_data() == {"kind": "removed", "before": 2}
    secret = ValueDifference("added", (), None, Scalar("hush", "hush", secret=True))
    assert (secret.as_data()["after"], secret.as_data(reveal=True)["after"]) == ("<sensitive>", "hush")


def test_paths_far_inside_are_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of many values far inside has a long path; one value there, or many further up, cost nothing more."""
    monkeypatch.setattr(compare_module, "PATH", 1 << 50)

    def nested(levels: int, *values: int) -> Node:
        node = of({str(number): value for number, value in enumerate(values)})
        for _ in range(levels):
            node = MapNode({"k": node})
        return node

    assert len(compare(nested(40, 1, 2), nested(40, 3, 4))) == 2
    assert len(compare(nested(60, 1), nested(60, 2))) == 1
    with pytest.raises(Overrun):
        compare(nested(41, 1, 2), nested(41, 3, 4))


def test_depth_needs_no_python_stack() -> None:
    a: Node = of(1)
    b: Node = of(2)
    for level in range(5_000):
        a, b = _in(a, level), _in(b, level)
    assert [d.kind for d in compare(a, b)] == ["changed"]


def _in(node: Node, level: int) -> Node:
    from plait.core.node import ListNode, MapNode

    return ListNode([node]) if level % 2 else MapNode({"k": node})


def test_git_revisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    git = ["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("a: 1\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True, cwd=tmp_path)
    (tmp_path / "a.yaml").write_text("a: 2\n")
    found = Editor(Project(".")).diff("HEAD:a.yaml", "a.yaml", MergePolicy())
    difference = found[0].differences[0]
    assert difference.before is not None
    assert (difference.kind, str(difference.before.origin)) == ("changed", "HEAD:a.yaml:1:4")
