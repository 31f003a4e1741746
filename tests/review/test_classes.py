"""Why a value differs from that of another tool, as a table: documented decisions, options that were tried, unknown."""

from __future__ import annotations

import pytest

from plait.core.node import MapNode, Node
from plait.core.path import Path
from plait.fronts.front import DocumentId
from plait.review.causes import TargetResult
from plait.review.classes import OptionTrial, classify
from tests.yaml.nodes import of

HERE, OTHER = DocumentId("layers:a", "", "", "doc"), DocumentId("layers:a", "", "", "other")
DIGITS, SPACES, HAS_A_VALUE = (
    "a large number keeps its digits",
    "a string is read as it was written",
    "an expression that spiff leaves has a value",
)
REPLACED, NULL, EXPANDED = (
    "lists are replaced, not appended",
    "null overrides what is included",
    "a directive that Unfurl leaves is expanded",
)
IS_TEXT = "in layers an operator of spruce is text; write `!ref` or a tag in its place"
RENDERED = "a template is rendered with what functions give"
ROWS: list[tuple[str, object, object, str]] = [
    ("spiff", 1e20, 10**20, DIGITS),
    ("spiff", 1.5, 2.5, ""),
    ("spiff", 10**20, 10**20 + 1, ""),
    ("spiff", 1e20, "100000000000000000000", ""),
    ("spiff", 1.0, True, ""),
    ("layers", 1e20, 10**20, ""),
    ("spiff", "a b\n", "a b", SPACES),
    ("spiff", "a b", "a  b", ""),
    ("spiff", " ", "", SPACES),
    ("spiff", " ", 1, ""),
    ("spiff", None, " ", ""),
    ("spiff", "(( a.b ))", "x", HAS_A_VALUE),
    ("spiff", "(( a.b ))", 1, HAS_A_VALUE),
    ("spiff", "(( a.b ))", "(( a.c ))", ""),
    ("spiff", "x", "(( a.b ))", ""),
    ("unfurl", [1, 2], [2], REPLACED),
    ("unfurl", [1, 2], [], REPLACED),
    ("unfurl", [1, 2], [1], ""),
    ("unfurl", [2], [1, 2], ""),
    ("unfurl", [1, 2], 2, ""),
    ("unfurl", {"a": 1}, None, NULL),
    ("unfurl", {"a": 1}, 1, ""),
    ("unfurl", [1], None, ""),
    ("unfurl", {"+/a": 1}, {"b": 1}, EXPANDED),
    ("unfurl", {"a": 1}, {"b": 1}, ""),
    ("layers", "x", "(( grab a.b ))", IS_TEXT),
    ("layers", "(( grab a.b ))", "(( grab a.c ))", ""),
    ("layers", "(( grab a.b ))", "x", ""),
    ("stacks", "{{ .a }}", "x", RENDERED),
    ("stacks", "{{ .a }}", "{{ .b }}", ""),
    ("stacks", "x", "{{ .b }}", ""),
]
"""The front, theirs, ours, and the decision that tells them apart; empty where nobody knows."""


def class_of(front: str, theirs: Node, ours: Node, place: Path, *options: OptionTrial) -> tuple[str, str, bool]:
    found = classify(HERE, place, {HERE: theirs}, {HERE: ours}, front, options)
    return found.kind, found.text, bool(found.see)


@pytest.mark.parametrize(("front", "theirs", "ours", "expected"), ROWS)
def test_decisions(front: str, theirs: object, ours: object, expected: str) -> None:
    told = class_of(front, of({"k": theirs}), of({"k": ours}), ("k",))
    assert told == (("decision", expected, True) if expected else ("unknown", "", False))


def test_a_list_is_looked_at_as_a_whole() -> None:
    told = class_of("unfurl", of({"k": [1, 2]}), of({"k": [2]}), ("k", 0))
    assert told == ("decision", REPLACED, True)


def option(value: object, document: DocumentId = HERE) -> OptionTrial:
    return OptionTrial("`append` at {path}", TargetResult({document: MapNode({"k": of(value)})}))


OPTIONS: list[tuple[list[OptionTrial], str]] = [
    ([option([1, 2])], "option"),
    ([option([2, 1]), option([1, 2])], "option"),
    ([option([2])], "decision"),
    ([option([1, 2], OTHER)], "decision"),
    ([], "decision"),
]


@pytest.mark.parametrize(("options", "expected"), OPTIONS)
def test_an_option_is_named_where_it_gives_what_they_have(options: list[OptionTrial], expected: str) -> None:
    kind, text, _ = class_of("unfurl", of({"k": [1, 2]}), of({"k": [2]}), ("k", 0), *options)
    assert kind == expected
    assert text == ("`append` at k" if kind == "option" else REPLACED)


def test_an_option_that_leaves_a_value_out_as_they_do() -> None:
    trial = OptionTrial("`--nulls` at {path}", TargetResult({HERE: of({})}))
    assert class_of("layers", of({}), of({"k": None}), ("k",), trial) == ("option", "`--nulls` at k", False)
