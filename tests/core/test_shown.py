"""What somebody who debugs sees of a value: one short line, and never a secret."""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic
from plait.core.node import Bound, Failure, ListNode, MapNode, Mark, Overlay, Scalar, Unknown
from plait.core.path import DEEP
from plait.core.policy import ListRule, MergePolicy
from plait.core.resource import Identity
from plait.core.role import Role
from plait.core.scope import Patience, Place
from plait.core.source import Computed, Origin, Source
from plait.evaluate.calls import Underway
from plait.evaluate.hops import Hop
from plait.merging.diff import ValueDifference
from plait.merging.items import ItemRun
from plait.merging.threeway import DecisionRow, ReportEntry, TextEdit
from plait.yaml.edits import Raw, Replace

PLAIN, SECRET = Scalar(1, "1"), Scalar("hush", "hush", secret=True)
WRONG = Failure((Diagnostic("PL2101", "`x` is not defined"),))
FILE = Source("a.yaml", "x: 1\ny: 2\n")
SHOWN = {
    "Scalar(1)": PLAIN,
    "Scalar(<secret>)": SECRET,
    "ListNode(2 items)": ListNode([PLAIN, SECRET]),
    "MapNode(a, b)": MapNode({"a": PLAIN, "b": SECRET}),
    "Overlay(Scalar(1), Scalar(<secret>))": Overlay((PLAIN, SECRET), MergePolicy()),
    "Mark(unset)": Mark(FILE, 0),
    "Mark(key:name)": Mark(FILE, 0, ListRule("key", ("name",))),
    "Bound(Scalar(<secret>))": Bound(SECRET, Place()),
    "Failure('`x` is not defined')": WRONG,
    "Failure()": Failure(()),
    "Diagnostic(PL2101 '`x` is not defined')": WRONG.diagnostics[0],
    "Source('a.yaml')": FILE,
    "Place('a', 0)": Place().child("a").child(0),
    "Origin(a.yaml:2:1)": Origin(FILE, 5),
    "Replace('a', 0)": Replace(("a", 0), SECRET),
    "Raw('x: 1')": Raw("x: 1"),
    "Unknown('!env HOME')": Unknown((), why="not asked", expression="!env HOME"),
    "Computed('the result')": Computed("the result", FILE, 0),
    "Identity(Deployment/prod/web)": Identity("apps/v1", "Deployment", "prod", "web"),
    "**": DEEP,
    "Underway('the store')": Underway(lambda: PLAIN, Patience("the store"), 1),
    "Entry(a[0] updated)": ReportEntry(("a", 0), DecisionRow(5, "fresh", "updated")),
    "Edit(a[0] = Scalar(<secret>))": TextEdit(("a", 0), SECRET),
    "Difference(added ('a',))": ValueDifference("added", ("a",), None, SECRET),
    "ItemRun(base=(0, 1), here=(1, 2), fresh=(2, 3))": ItemRun((0, 1), (1, 2), (2, 3)),
    "Hop(through ref a.yaml:1:1 '!ref a')": Hop("through", "ref", ("b",), Origin(FILE, 0), "!ref a"),
    "Role(layer 'base' a -> b)": Role("layer", "base", ("a", "b")),
}


def test_values_are_shown_on_one_line_without_secrets() -> None:
    assert {text: repr(value) for text, value in SHOWN.items()} == {text: text for text in SHOWN}
