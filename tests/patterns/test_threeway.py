"""The laws of generating again, over random (base, existing, fresh)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.find import step_into
from plait.core.node import ListNode, MapNode, Node, Scalar, equal, plain_value, text
from plait.core.path import Path, parse_path
from plait.core.policy import MergePolicy
from plait.core.source import Source
from plait.fronts.patterns.resources import TextFile
from plait.fronts.patterns.texts import edited
from plait.merging import threeway as walking
from plait.merging.threeway import (
    KEPT,
    ROWS,
    FieldRule,
    MergeSettings,
    ReportEntry,
    threeway,
    value_at,
    with_value,
)
from plait.yaml.emit import emit
from tests.examples import examples

VALUES = st.sampled_from([0, 1, 2, "x", "y", "1", True, None, 1.5])
KEYS = st.sampled_from(["a", "b", "c", "d"])


def node_of(value: Any) -> Node:
    if isinstance(value, dict):
        return MapNode({key: node_of(item) for key, item in value.items()})
    if isinstance(value, list):
        return ListNode([node_of(item) for item in value])
    return Scalar(value, "" if not isinstance(value, str) else value)


NAMED = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from(["n", "m", "o"])}, optional={"v": VALUES, "w": VALUES}),
    max_size=3,
    unique_by=lambda item: item["name"],
)
TREES = st.recursive(
    VALUES | st.lists(VALUES, max_size=2) | NAMED,
    lambda inner: (
        st.dictionaries(KEYS, inner, max_size=3)
        | st.lists(st.dictionaries(KEYS, inner, max_size=2), min_size=1, max_size=1)
    ),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(KEYS, TREES, min_size=1, max_size=4)


def leaves(node: Node, path: Path = ()) -> list[tuple[Path, Node]]:
    """Fields of maps; a list is one field."""
    if isinstance(node, MapNode):
        return [found for key, child in node.entries.items() for found in leaves(child, (*path, key))]
    return [(path, node)]


def at(node: Node | None, path: Path) -> Node | None:
    for step in path:
        node = step_into(node, step) if node is not None else None
    return node


def same(a: Node | None, b: Node | None) -> bool:
    return a is b or (a is not None and b is not None and equal(a, b))


def same_items(a: Node | None, b: Node | None) -> bool:
    """Equal, where the order of items that have a name does not count: a reordered list is no difference."""
    return ordered(plain_value(a)) == ordered(plain_value(b)) if a is not None and b is not None else a is b


def ordered(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: ordered(value) for key, value in data.items()}
    if isinstance(data, list):
        items = [ordered(item) for item in data]
        named = all(isinstance(item, dict) and "name" in item for item in items)
        return sorted(items, key=repr) if named else items
    return (type(data).__name__, data)


def reported(entries: list[ReportEntry], path: Path) -> bool:
    """Whether the report has a line at a path, above it, or inside the list it leads to."""
    return any(
        entry.path[: len(path)] == path or path[: len(entry.path)] == entry.path for entry in entries if entry.kind
    )


@settings(max_examples=examples(35), deadline=None)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS, st.booleans())
def test_nothing_that_only_the_disk_has_is_lost_without_a_line(b: Any, e: Any, f: Any, record: bool) -> None:
    base, existing, fresh = node_of(b), node_of(e), node_of(f)
    outcome = threeway(base if record else None, existing, fresh, MergeSettings(record))
    for path, value in leaves(existing):
        after = at(outcome.node, path)
        if same(after, value):
            continue
        assert reported(outcome.entries, path), f"{path} is lost without a report"
        if not isinstance(value, ListNode):
            assert record, "without a record nothing on disk is changed"
            assert same(at(base, path), value), "only what the generator wrote may change"


@settings(max_examples=examples(35), deadline=None)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS, st.booleans(), st.booleans())
def test_running_twice_is_idempotent(b: Any, e: Any, f: Any, record: bool, keep: bool) -> None:
    base, existing, fresh = node_of(b), node_of(e), node_of(f)
    first = threeway(base if record else None, existing, fresh, MergeSettings(record, keep_absent=keep))
    second = threeway(fresh, first.node, fresh)
    assert not second.edits
    assert equal(second.node, first.node)
    assert not any(entry.row.conflict for entry in second.entries), "a conflict is loud once"


@settings(max_examples=examples(25), deadline=None)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS, st.booleans())
def test_overwrite_is_fresh(b: Any, e: Any, f: Any, record: bool) -> None:
    existing, fresh = node_of(e), node_of(f)
    outcome = threeway(node_of(b) if record else None, existing, fresh, MergeSettings(record, overwrite=True))
    assert same_items(outcome.node, fresh)
    for path, value in leaves(existing):
        assert same(at(fresh, path), value) or reported(outcome.entries, path)


@settings(max_examples=examples(25), deadline=None)
@given(DOCUMENTS, DOCUMENTS, KEYS, KEYS, VALUES)
def test_overwrite_is_fresh_plus_pinned_and_set(e: Any, f: Any, pinned: str, chosen: str, value: Any) -> None:
    existing, fresh = node_of(e), node_of(f)
    rules = (
        [FieldRule("pin", (pinned,)), FieldRule("set", (chosen, "deep"), node_of(value))]
        if pinned != chosen
        else [FieldRule("pin", (pinned,))]
    )
    outcome = threeway(None, existing, fresh, MergeSettings(False, overwrite=True), rules)
    assert same(at(outcome.node, (pinned,)), at(existing, (pinned,)))
    if pinned != chosen:
        assert same(at(outcome.node, (chosen, "deep")), node_of(value)) or isinstance(
            at(fresh, (chosen,)) or at(existing, (chosen,)), ListNode
        )
    for key in ("a", "b", "c", "d"):
        if key not in (pinned, chosen):
            assert same_items(at(outcome.node, (key,)), at(fresh, (key,)))


@settings(max_examples=examples(25), deadline=None)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS, st.booleans(), st.booleans())
def test_the_edits_make_the_result_out_of_the_text(b: Any, e: Any, f: Any, record: bool, overwrite: bool) -> None:
    document = TextFile("file.yaml", Source("file.yaml", emit(node_of(e)))).documents[0]
    outcome = threeway(node_of(b) if record else None, document.node, node_of(f), MergeSettings(record, overwrite))
    after = edited(document, outcome.edits, outcome.node)
    assert equal(TextFile("file.yaml", Source("file.yaml", after)).documents[0].node, outcome.node)
    assert outcome.edits or after == document.text.source.text


SET = [
    ("jobs", "jobs:\n- {name: b, size: 2}  # two\n- name: a\n  size: 1\n"),
    ("jobs[name=b].size", "jobs:\n- {name: a, size: 1}\n- {name: b, size: 5}  # two\n"),
    ("jobs[1].size", "jobs:\n- {name: a, size: 1}\n- {name: b, size: 5}  # two\n"),
    ('ports["80"]', "ports: {'80': 5, 443: b}\n"),
    ("ports[80]", "ports: {'80': 5, 443: b}\n"),
    ("ports.443", "ports: {'80': a, 443: 5}\n"),
    ("ports[443]", "ports: {'80': a, 443: 5}\n"),
]


@pytest.mark.parametrize(("path", "after"), SET)
def test_a_value_that_is_set_is_written_as_it_is_said(path: str, after: str) -> None:
    """A list in its order, whatever names its items have; an item by its name or its place; a key by its text."""
    lines = {
        "jobs": "jobs:\n- {name: a, size: 1}\n- {name: b, size: 2}  # two\n",
        "ports": "ports: {'80': a, 443: b}\n",
    }
    before = "".join(lines.values())
    document = TextFile("file.yaml", Source("file.yaml", before)).documents[0]
    value = node_of([{"name": "b", "size": 2}, {"name": "a", "size": 1}] if path == "jobs" else 5)
    settings = MergeSettings(True, policy=MergePolicy())
    outcome = threeway(
        document.node, document.node, document.node, settings, [FieldRule("set", parse_path(path), value)]
    )
    made = edited(document, outcome.edits, outcome.node)
    assert made == before.replace(lines[after.partition(":")[0]], after)


@settings(max_examples=examples(25), deadline=None)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_agreement_needs_no_words(b: Any, e: Any, f: Any) -> None:
    """Rows 4 and 5: what is the same on both sides stays; what nobody touched becomes what is generated."""
    same_on_both = threeway(node_of(b), node_of(f), node_of(f))
    assert not same_on_both.entries
    assert not same_on_both.edits
    untouched = threeway(node_of(e), node_of(e), node_of(f))
    assert not any(entry.kind in KEPT for entry in untouched.entries)


@st.composite
def akin(draw: st.DrawFn) -> list[Any]:
    """Three documents that have much in common."""
    pool = st.sampled_from(draw(st.lists(TREES, min_size=2, max_size=3)))
    inner = pool | st.dictionaries(KEYS, pool, max_size=3) | st.lists(pool, max_size=3)
    return [draw(st.dictionaries(KEYS, inner, min_size=2, max_size=4)) for _ in range(3)]


@settings(max_examples=examples(25), deadline=None)
@given(akin(), st.booleans(), st.booleans())
def test_what_is_soon_seen_to_be_equal_is_decided_as_if_each_field_were_looked_at(
    sides: list[Any], record: bool, overwrite: bool
) -> None:
    base, existing, fresh = map(node_of, sides)

    def told() -> tuple[Any, list[str], list[str]]:
        outcome = threeway(base if record else None, existing, fresh, MergeSettings(record, overwrite))
        entries = [f"{one} {one.row.number} {one.existing} {one.fresh} {one.base}" for one in outcome.entries]
        return plain_value(outcome.node), entries, [*map(repr, outcome.edits)]

    soon = told()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walking, "soon_equal", lambda a, b: False)
        patch.setattr(walking, "unlike", lambda entries, others: list(entries))
        assert soon == told()


@given(st.tuples(*[st.dictionaries(st.sampled_from("abc"), st.recursive(
    st.sampled_from([1, "1", "x", "two\nlines\n", ""]),
    lambda inner: st.dictionaries(st.sampled_from("abcd"), inner, min_size=1, max_size=4)
    | st.lists(inner, max_size=2), max_leaves=6), min_size=1)] * 3), st.booleans(), st.booleans())  # fmt: skip
@settings(max_examples=examples(60))
def test_maps_that_are_not_built_yet_are_merged_as_those_that_are(
    sides: tuple[Any, Any, Any], again: bool, overwrite: bool
) -> None:
    texts = [emit(node_of({"top": side})) for side in (sides[2] if again else sides[0], *sides[1:])]

    def told(least: int) -> tuple[Any, list[str], list[str]]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("plait.yaml.build.LEAST_STEPS", least)
            base, existing, fresh = (TextFile("f.yaml", Source("f.yaml", text)).documents[0].node for text in texts)
            outcome = threeway(fresh if again else base, existing, fresh, MergeSettings(True, overwrite))
            entries = [f"{one} {one.row.number} {one.existing} {one.fresh} {one.base}" for one in outcome.entries]
            return plain_value(outcome.node), entries, [*map(repr, outcome.edits)]

    assert told(2) == told(3000)


def test_every_row_of_the_table_is_reached() -> None:
    """One field for each row that looks at values, in one document."""
    sides = {
        "r4": ("b", "x", "x"),
        "r5": ("b", "b", "f"),
        "r6": ("b", "b", None),
        "r7": ("b", "e", "b"),
        "r8": ("b", None, "b"),
        "r9": ("b", "e", "f"),
        "r10": ("b", None, "f"),
        "r11": ("b", "e", None),
        "r12": ("b", None, None),
        "r13": (None, "e", None),
        "r14": (None, None, "f"),
        "r15": (None, "e", "f"),
    }
    documents = [
        MapNode({key: text(side[at]) for key, side in sides.items() if side[at] is not None}) for at in range(3)
    ]
    outcome = threeway(*documents)
    assert {key: value.value for key, value in outcome.node.entries.items()} == {  # type: ignore[attr-defined]
        "r4": "x", "r5": "f", "r7": "e", "r9": "e", "r11": "e", "r13": "e", "r14": "f", "r15": "e",
    }  # fmt: skip
    assert {entry.path[0]: (entry.row.number, entry.kind, entry.row.conflict) for entry in outcome.entries} == {
        "r5": (5, "updated", False),
        "r6": (6, "removed", False),
        "r7": (7, "changed", False),
        "r8": (8, "deleted", False),
        "r9": (9, "both", True),
        "r10": (10, "both", True),
        "r11": (11, "dropped", True),
        "r13": (13, "extra", False),
        "r14": (14, "added", False),
        "r15": (15, "both", True),
    }
    assert {row.number for row in ROWS.values()} == set(range(4, 19))


def test_a_thousand_levels_need_no_stack() -> None:
    """Depth is the reader's budget, not Python's."""
    deep: Node = text("e")
    other: Node = text("f")
    for _ in range(5000):
        deep, other = MapNode({"a": deep}), MapNode({"a": other})
    outcome = threeway(None, deep, other)
    assert [entry.kind for entry in outcome.entries] == ["changed"]
    assert len(outcome.entries[0].path) == 5000


@settings(max_examples=examples(25), deadline=None)
@given(DOCUMENTS, VALUES)
def test_a_value_that_is_put_somewhere_or_taken_out_changes_nothing_else(document: Any, value: Any) -> None:
    node = node_of(document)
    found = [(path, child) for path, child in leaves(node) if path]
    for path, _ in found:
        for new in (node_of(value), None):
            made = with_value(node, path, new)
            assert same(value_at(made, path), new)
            for other, child in found:
                assert other == path or same(value_at(made, other), child), (path, other)
    deep = with_value(node, ("new", "deep"), node_of(value))
    assert same(value_at(deep, ("new", "deep")), node_of(value))
    assert same(with_value(deep, ("new",), None), node)


ITEMS = [("a[0]", "x", ["x", "b"]), ("a[1]", "x", ["a", "x"]), ("a[1]", None, ["a"]), ("a[2]", "x", ["a", "b"])]


@pytest.mark.parametrize(("path", "value", "items"), ITEMS)
def test_an_item_is_put_in_the_place_of_one_that_is_there(path: str, value: str | None, items: list[str]) -> None:
    made = with_value(node_of({"a": ["a", "b"]}), parse_path(path), None if value is None else text(value))
    assert same(made, node_of({"a": items}))
