"""Marks of a merge do not exist for whoever reads its result; what has none is read as it is, and nothing is made."""

from __future__ import annotations

import pytest

import plait
from plait.core.node import Failure, ListNode, MapNode, Mark, Node, Scalar, Suspension
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.seen import Views
from plait.evaluate.tree import Tree
from tests.yaml.nodes import of

ITEM_ALONE = "(`!unset` takes no value here)"
HEAD_ALONE = "(`!merge-by` must be the first item of a list)"


def tree(text: str) -> Tree:
    document = plait.merge(f"{text}\n")
    return next(one for one in vars(document).values() if isinstance(one, Tree))


def told(node: Node) -> object:
    """A tree in plain values: an expression is its text, an error its message."""
    if isinstance(node, MapNode):
        return {key: told(child) for key, child in node.entries.items()}
    if isinstance(node, ListNode):
        return [told(child) for child in node.items]
    if isinstance(node, Failure):
        return f"({node.diagnostics[0].message})"
    assert isinstance(node, Scalar | Suspension)
    return node.value if isinstance(node, Scalar) else node.told


SEEN: dict[str, object] = {
    "{a: 1, b: !unset , c: !ref a}": {"a": 1, "c": "!ref a"},
    "{a: {b: {c: !unset }}}": {"a": {"b": {}}},
    "{a: [1, !unset , 2]}": {"a": [1, 2]},
    "{a: [[!unset , 1], [{b: !unset , c: 1}]]}": {"a": [[1], [{"c": 1}]]},
    "{a: [!merge-by n, {n: 1, v: !ref b}], b: 1}": {"a": [{"n": 1, "v": "!ref b"}], "b": 1},
    "{a: [!merge-by n, !unset {n: 1}, {n: 2}]}": {"a": [{"n": 2}]},
    "{a: [{n: 1}, !merge-by n]}": {"a": [{"n": 1}, HEAD_ALONE]},
    "{a: {b: !merge-by n}}": {"a": {"b": HEAD_ALONE}},
    "{a: !unset {n: 1}, b: 1}": {"a": ITEM_ALONE, "b": 1},
}
"""What is written, and what is read of it before anything is evaluated."""


@pytest.mark.parametrize("text", SEEN)
def test_marks_are_not_there(text: str) -> None:
    root, views = tree(text).root, Views()
    seen = views.of(root, Place())
    assert told(seen) == SEEN[text]
    assert views.of(root, Place()) is seen
    assert views.of(seen, Place()) is not root
    assert (views.part(seen), views.part(root)) == (root, root)
    assert (seen.source, seen.at, seen.live) == (root.source, root.at, "!ref" in text or "(`" in str(SEEN[text]))


PLAIN = {
    "{a: 1, b: [2, {c: 3}]}": 0,
    "{a: !ref b, b: 1}": 1,
    "{a: {b: {c: !ref d}}, d: 1}": 3,
    "{a: {b: [!ref d, 1], c: [2]}, d: 1}": 3,
    "{a: &x [!ref d], b: *x, d: 1}": 2,
}
"""Trees without a mark, and how many of their containers wait for something: of the others, nothing is asked."""


@pytest.mark.parametrize("text", PLAIN)
def test_what_has_no_mark_is_read_as_it_is(text: str) -> None:
    root, views = tree(text).root, Views()
    assert views.of(root, Place()) is root
    assert views.mark() == PLAIN[text]
    views.forget(1)
    assert views.mark() == min(PLAIN[text], 1)
    assert views.part(root) is root


def test_beside_a_mark_everything_else_is_as_it_is_and_what_is_shared_stays_so() -> None:
    root, views = tree("{a: &x {b: !unset , c: {d: !ref e}}, f: [*x], g: *x, h: {i: !ref e}, e: 1}").root, Views()
    seen = views.of(root, Place())
    assert isinstance(seen, MapNode)
    assert isinstance(root, MapNode)
    assert seen.entries["h"] is root.entries["h"]
    assert seen.entries["a"] is seen.entries["g"]
    assert told(seen.entries["a"]) == {"c": {"d": "!ref e"}}
    assert views.mark() == 2, "`c` and `h`"


SOURCE = Source("a.yaml", "")


def test_a_mark_that_was_written_as_data_is_data_in_an_item() -> None:
    """A merge takes the items of a list, and the fields of a map; it takes nothing from inside an item."""

    def data() -> Mark:
        return Mark(SOURCE, 0, data=of("-"))

    inner = MapNode({"x": data()}, live=True)
    root = MapNode({"a": data(), "b": inner, "c": ListNode([data(), inner], live=True)}, live=True)
    assert told(Views().of(root, Place())) == {"b": {}, "c": [{"x": "-"}]}
    assert told(Views().of(inner, Place().child("b"))) == {}
    for path in (("c", 1), (0,), (0, "x"), ("a", 2, "b")):
        place = Place()
        for step in path:
            place = place.child(step)
        assert told(Views().of(inner, place)) == {"x": "-"}


def test_what_could_not_be_computed_is_read_as_it_is() -> None:
    failure = Failure(())
    root = MapNode({"a": failure, "b": MapNode({"c": failure}, live=True)}, live=True)
    views = Views()
    assert views.of(failure, Place()) is failure
    assert views.of(root, Place()) is root
    assert views.mark() == 2
