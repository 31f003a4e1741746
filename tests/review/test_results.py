"""What differs in two results of a target, as tables: values, errors instead of values, and what is not known."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import Diagnostic
from plait.core.node import Failure, ListNode, MapNode, Node, Unknown, plain_value
from plait.core.path import Path, format_path
from plait.core.unknown import failed_values
from plait.fronts.front import DocumentId
from plait.review.causes import BROKEN, ERRORS, ResultDifferences, TargetResult
from plait.review.checking import unexplained
from plait.review.guards import by_position
from plait.review.messages import ErrorLine
from tests.examples import examples
from tests.yaml.nodes import of

HERE = DocumentId("layers:app", "", "", "doc")
OTHER = DocumentId("layers:app", "", "", "other")
FAILED = "(error)"
X, Y = "PL2101 `x` is not defined", "PL2101 `y` is not defined"


def wrong(name: str) -> Failure:
    return Failure((Diagnostic("PL2101", f"`{name}` is not defined"),))


def unknown(expression: str) -> Unknown:
    return Unknown((), why="not asked", expression=expression)


def doc(tag: str = "", **values: object) -> Node:
    return MapNode({key: one if isinstance(one, Node) else of(one) for key, one in values.items()}, tag=tag or None)


def named(items: dict[str, Node]) -> Node:
    """A list of items with names."""
    return ListNode([doc(name=name, v=item) for name, item in items.items()])


class Fails(str):
    """A document that fails as a whole, with this error."""


class NotKnown(str):
    """A document that is not known as a whole, for this reason."""


Made = Node | Fails | NotKnown | None


def result_of(made: Made, document: DocumentId = HERE, tree: str = "/old") -> TargetResult:
    result = TargetResult({}, tree=tree)
    if isinstance(made, Node):
        result.documents[document] = made
    elif isinstance(made, Fails):
        result.errors[document] = (ErrorLine(made),)
    elif isinstance(made, NotKnown):
        result.unknown[document] = (made, made)
    return result


Row = tuple[str, str, object, object]
ROWS: dict[str, tuple[Made, Made, list[Row]]] = {
    "nothing": (doc(x=1), doc(x=1), []),
    "a value": (doc(x=1, y=0), doc(x=2, y=0), [("x", "changed", 1, 2)]),
    "another type": (doc(x=1), doc(x="1"), [("x", "changed", 1, "1")]),
    "a value that comes": (doc(), doc(x={"a": 1}), [("x", "added", None, {"a": 1})]),
    "a value that goes": (doc(x=None), doc(), [("x", "removed", None, None)]),
    "a document that comes": (None, doc(x=1), [("", "added", None, {"x": 1})]),
    "a document that goes": (doc(x=1), None, [("", "removed", {"x": 1}, None)]),
    "a document of another kind": (doc(x=1), doc("!t", x=1), [("", "changed", {"x": 1}, {"x": 1})]),
    "a document that is a list": (of([1, 2]), of([1, 3]), [("[1]", "changed", 2, 3)]),
    "an item goes, and another comes at its place": (
        doc(l=[1, 2, "a", "b"]),
        doc(l=["a", 9, "b"]),
        [("l[0]", "removed", 1, None), ("l[1]", "changed", 2, 9)],
    ),
    "a value fails now": (doc(x=1), doc(x=wrong("x")), [("x", "broken", None, [X])]),
    "a new value fails": (doc(), doc(x=wrong("x")), [("x", "broken", None, [X])]),
    "a value fails no more": (doc(x=wrong("x")), doc(x=1), [("x", "fixed", [X], None)]),
    "a value that failed goes": (doc(x=wrong("x")), doc(), [("x", "fixed", [X], None)]),
    "another error of a value": (doc(x=wrong("x")), doc(x=wrong("y")), [("x", "broken", [X], [Y])]),
    "the same error of a value": (doc(x=wrong("x")), doc(x=wrong("x")), []),
    "the same error in each tree": (doc(x=wrong("/old/f")), doc(x=wrong("/new/f")), []),
    "a new map has an error inside": (
        doc(),
        doc(x=doc(a=wrong("x"), b=1)),
        [("x", "added", None, {"a": FAILED, "b": 1}), ("x.a", "broken", None, [X])],
    ),
    "a map that goes had an error inside": (
        doc(x=doc(a=wrong("x"))),
        doc(),
        [("x", "removed", {"a": FAILED}, None), ("x.a", "fixed", [X], None)],
    ),
    "a new document has an error inside": (
        None,
        doc(x=wrong("x")),
        [("", "added", None, {"x": FAILED}), ("x", "broken", None, [X])],
    ),
    "another kind of value has another error inside": (
        doc(x=doc(a=wrong("x"))),
        doc(x=ListNode([wrong("y")])),
        [("x", "changed", {"a": FAILED}, [FAILED]), ("x.a", "fixed", [X], None), ("x[0]", "broken", None, [Y])],
    ),
    "another kind of value has the same error inside": (
        doc(x=doc(a=wrong("x"))),
        doc(x=ListNode([wrong("x")])),
        [("x", "changed", {"a": FAILED}, [FAILED])],
    ),
    "a map with an error inside instead of one": (
        doc(x=wrong("x")),
        doc(x=doc(a=wrong("y"))),
        [("x", "fixed", [X], None), ("x.a", "broken", None, [Y])],
    ),
    "the error is inside now": (doc(x=wrong("x")), doc(x=doc(a=wrong("x"))), [("x", "fixed", [X], None)]),
    "the error was inside": (doc(x=doc(a=wrong("x"))), doc(x=wrong("x")), [("x", "broken", None, [X])]),
    "an item that fails comes, and another goes at its place": (
        doc(l=[1, 2, "a", "b"]),
        doc(l=ListNode([of("a"), wrong("x"), of("b")])),
        [("l[0]", "removed", 1, None), ("l[1]", "broken", 2, [X])],
    ),
    "an item that moves with its error": (
        doc(l=ListNode([doc(name="a", v=wrong("x")), doc(name="b")])),
        doc(l=ListNode([doc(name="b"), doc(name="a", v=wrong("x"))])),
        [("l[name=a]", "moved", {"name": "a", "v": FAILED}, {"name": "a", "v": FAILED})],
    ),
    "a document fails now": (doc(x=1), Fails("bad"), [("(errors)", "broken", None, ["bad"])]),
    "a new document fails": (None, Fails("bad"), [("(errors)", "broken", None, ["bad"])]),
    "a document fails no more": (Fails("bad"), doc(x=1), [("(errors)", "fixed", ["bad"], None)]),
    "a value of a document fails that failed": (
        Fails("bad"),
        doc(x=wrong("x"), y=1),
        [("(errors)", "fixed", ["bad"], None), ("x", "broken", None, [X])],
    ),
    "a document that failed goes": (Fails("bad"), None, [("(errors)", "fixed", ["bad"], None)]),
    "another error of a document": (Fails("bad"), Fails("worse"), [("(errors)", "broken", ["bad"], ["worse"])]),
    "the same error of a document": (Fails("bad"), Fails("bad"), []),
    "a document that is known no more": (doc(x=1), NotKnown("not asked"), []),
    "a document that is known now": (NotKnown("not asked"), doc(x=1), []),
    "a document that failed is not known": (Fails("bad"), NotKnown("not asked"), []),
}
"""Before, after, and what differs: its path, its kind, and what is shown of each side."""
BREAKING = {
    "a value fails now",
    "a new value fails",
    "a new map has an error inside",
    "a new document has an error inside",
    "another kind of value has another error inside",
    "a map with an error inside instead of one",
    "the error was inside",
    "a value of a document fails that failed",
    "a document fails now",
    "a new document fails",
}
"""The rows in which something fails that did not before."""


def shown(path: Path) -> str:
    return "(errors)" if path == ERRORS else format_path(path)


@pytest.mark.parametrize("name", ROWS)
def test_what_differs(name: str) -> None:
    before, after, expected = ROWS[name]
    found = ResultDifferences(result_of(before), result_of(after, tree="/new"))
    rows = [
        (shown(path), row.kind, *(None if side is None else plain_value(side) for side in (row.before, row.after)))
        for (_, path), row in found.all().items()
    ]
    assert rows == expected
    assert found.break_something() == (name in BREAKING)


FAILING: dict[str, tuple[Made, Node, list[str]]] = {
    "one value": (doc(x=wrong("x"), y=1), doc(x=wrong("x"), y=2), ["x " + X]),
    "another error": (doc(x=wrong("x")), doc(x=wrong("y")), []),
    "the error is at another place": (doc(x=wrong("x"), y=1), doc(x=1, y=wrong("x")), []),
    "an item that moved": (doc(l=ListNode([wrong("x")])), doc(l=ListNode([of(0), wrong("x")])), ["l[1] " + X]),
    "the same error in each tree": (doc(x=wrong("/old/f")), doc(x=wrong("/new/f")), ["x PL2101 `f` is not defined"]),
    "another kind of value with the same error": (
        doc(x=doc(a=wrong("x"))),
        doc(x=ListNode([wrong("x")])),
        ["x[0] " + X],
    ),
    "an item before it goes": (doc(l=ListNode([of(0), wrong("x")])), doc(l=ListNode([wrong("x")])), ["l[0] " + X]),
    "an item with a name": (
        doc(l=ListNode([doc(name="a", v=wrong("x")), doc(name="b", v=1)])),
        doc(l=ListNode([doc(name="a", v=wrong("x")), doc(name="b", v=wrong("x"))])),
        ["l[0].v " + X],
    ),
    "two values": (doc(x=wrong("x"), y=wrong("y")), doc(x=wrong("x"), y=wrong("y")), ["x " + X, "y " + Y]),
    "one that is not known": (doc(x=unknown("!env A")), doc(x=unknown("!env A")), []),
    "a new document": (None, doc(x=wrong("x")), []),
    "the document was not known": (NotKnown("not asked"), doc(x=wrong("x")), []),
    "the document failed": (Fails("bad"), doc(x=wrong("x")), []),
    "no value failed before": (doc(x=1), doc(x=wrong("x")), []),
}
"""Before, after, and the values that fail on both sides with the same error."""


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside another document that fails"])
def test_values_that_fail_on_both_sides(name: str, beside: bool) -> None:
    before, after, expected = FAILING[name]
    sides = result_of(before), result_of(after, tree="/new")
    for side in sides if beside else ():
        side.documents[OTHER] = doc(z=wrong("z"))
    found = sides[0].same_errors(sides[1], sides[0].differences(sides[1]))
    assert sorted(f"{format_path(path)} {text}" for document, path, text in found if document == HERE) == expected


LEAVES = st.integers(0, 2).map(of) | st.sampled_from("xy").map(wrong) | st.sampled_from("xy").map(unknown)
VALUES: st.SearchStrategy[Node] = st.recursive(
    LEAVES,
    lambda inner: (
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(MapNode)
        | st.lists(inner, max_size=3).map(ListNode)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(named)
    ),
    max_leaves=10,
)


@settings(max_examples=examples(60), deadline=None)
@given(VALUES, VALUES)
def test_every_value_that_fails_is_a_new_error_or_not_compared(before: Node, after: Node) -> None:
    sides = result_of(doc(k=before)), result_of(doc(k=after))
    found = sides[0].differences(sides[1])
    documents = [side.documents[HERE] for side in sides]
    assert unexplained(*documents, found.values(), set()) is None
    new = {by_position(path, *reversed(documents)) for (_, path), row in found.items() if row.kind == BROKEN}
    same = {path for _, path, _ in sides[0].same_errors(sides[1], found)}
    failing = {path for path, value in failed_values(documents[1]) if not isinstance(value, Unknown)}
    assert same == failing - new
    said = {repr(value) for _, value in failed_values(documents[0])}
    assert {repr(value) for path, value in failed_values(documents[1]) if path in same} <= said


TOUCHED = {
    "a": True,
    "a.b": True,
    "a.b.c": True,
    "a.b.c.d": True,
    "a.x": False,
    "x": False,
    "x.b": False,
    "z": True,
    "z.y": True,
}


@pytest.mark.parametrize("asked", TOUCHED)
def test_a_place_is_touched_by_what_is_at_it_above_and_below(asked: str) -> None:
    before, after = (doc(a={"b": {"c": number}, "x": 1}, x={"b": 1}, z=number) for number in (1, 2))
    found, path = ResultDifferences(result_of(before), result_of(after)), tuple(asked.split("."))
    assert found.touch((HERE, path)) == TOUCHED[asked]
    assert not found.touch((OTHER, path))
    assert ResultDifferences(result_of(before), result_of(Fails("bad"))).touch((HERE, path)), "it has no value"


def test_an_error_instead_of_a_value_is_no_sound_difference() -> None:
    found = ResultDifferences(result_of(doc(x=1, y=1)), result_of(doc(x=wrong("x"), y=2)))
    assert [found.touch((HERE, (key,)), sound) for key in "xy" for sound in (False, True)] == [True, False, True, True]
