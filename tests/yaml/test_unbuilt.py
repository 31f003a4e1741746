"""Parts of a tree that are made when somebody looks at them, and parts of a document that are built together."""

from __future__ import annotations

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.node import ListNode, MapNode, Node, Scalar, plain_value
from plait.core.source import Source
from plait.yaml.build import Reading
from plait.yaml.emit import Style, emit_styled
from plait.yaml.outline import Outline
from plait.yaml.scan import scan
from plait.yaml.unbuilt import UnbuiltList

STYLE = Style(indent=2, dash=2)


def words() -> list[Node]:
    return [Scalar(word, word) for word in ("a", "b")]


def test_a_list_is_made_once_and_only_when_it_is_looked_at() -> None:
    made: list[int] = []

    def make() -> list[Node]:
        made.append(1)
        return words()

    node = UnbuiltList(make, Source("x"))
    assert isinstance(node, ListNode)
    assert (node.rule, node.live, made) == (None, False, [])
    assert node == ListNode(words())
    assert plain_value(node) == ["a", "b"]
    assert (type(node), node.rule, made) == (ListNode, None, [1])


def test_a_list_that_nobody_looked_at_is_printed_like_any_other() -> None:
    known = emit_styled(MapNode({"k": ListNode(words()), "l": ListNode([])}), STYLE)
    later = MapNode({"k": UnbuiltList(words, Source("x")), "l": UnbuiltList(list, Source("x"))})
    assert emit_styled(later, STYLE) == known


def outline(text: str) -> Outline:
    source = Source("x", text)
    found = Outline.of(scan(source)[0], source, Reading())
    assert isinstance(found, Outline)
    return found


def test_parts_that_are_built_together_are_those_that_are_built_alone() -> None:
    text = "a: {x: [1, two]}\nb:\n  c: 3\nd: null\n"
    together, alone = outline(text), outline(text)
    first = together.get("b")
    together.build_all()
    assert together.get("b") is first
    for key in "abd":
        here, there = together.get(key), alone.get(key)
        assert here is not None
        assert there is not None
        assert (plain_value(here), here.at) == (plain_value(there), there.at)
    assert together.get("e") is None


def test_what_is_wrong_with_one_part_is_found_when_that_part_is_asked_for() -> None:
    found = outline("a: {x: 1}\nb: {y: 1, y: 2}\n")
    found.build_all()
    here = found.get("a")
    assert here is not None
    assert plain_value(here) == {"x": 1}
    with pytest.raises(PlaitError, match="duplicate"):
        found.get("b")
