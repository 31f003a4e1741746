"""Origins of many values, natively: the same runs and steps, the same places and the same text as in Python."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core import native
from plait.core.meter import Meter
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.places import file_lines
from plait.core.policy import MergePolicy
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator
from plait.merging.account import Tracer, written_values
from plait.merging.combine import combine
from plait.merging.runs import Run, told
from plait.report.margin import longest, with_notes
from tests.core.test_places import many
from tests.examples import examples
from tests.laws.trees import POLICIES, SPOKEN, hide
from tests.merging.test_account import PLAIN
from tests.merging.test_laws import layers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

built = pytest.mark.skipif(native.origins is None, reason="the native reader was not built, or is turned off")
NAMES = ("written", "plain_rows", "origins", "longest", "beside")


@contextmanager
def in_python() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in NAMES:
            patch.setattr(native, name, None)
        yield


def both(answer: Callable[[], object]) -> tuple[object, object]:
    """What is said natively, and what is said in Python."""
    natively = answer()
    with in_python():
        return natively, answer()


def rows(root: Node, parts: list[Node], policy: MergePolicy, keys: dict[str, Any]) -> tuple[int, list[object]]:
    """What is told of a merge, and the steps that this took."""
    meter = Meter()
    account = Tracer(Evaluator().force, meter=meter).merge(parts, policy, root, Place(node=root), keys)
    found: list[object] = []
    for one in told(account) if not account.gone else ():
        if isinstance(one, Run):
            found.append((list(map(id, one.values)), {at: list(map(id, lost)) for at, lost in one.lost.items()}))
        else:
            found.append((one[0], id(one[1].node)))
    return meter.steps, found


@pytest.mark.long
@built
@given(st.one_of(PLAIN, PLAIN, SPOKEN), st.one_of(st.just(MergePolicy()), POLICIES), st.booleans(), st.data())
@settings(max_examples=examples(54))
def test_runs_are_the_same(data: list[Any], policy: MergePolicy, keyed: bool, draw: st.DataObject) -> None:
    parts = [hide(part, lambda: draw.draw(st.integers(0, 19)) == 19) for part in layers(data)]
    parts *= draw.draw(st.sampled_from([1, 1, 1, 3]))  # more than are compared natively, some of them twice
    root = combine(parts, policy)
    natively, theirs = both(lambda: rows(root, parts, policy, {"a": {}} if keyed else {}))
    assert natively == theirs


@built
@given(st.one_of(PLAIN, SPOKEN), st.data())
@settings(max_examples=examples(36))
def test_written_values_are_the_same(data: list[Any], draw: st.DataObject) -> None:
    """Whatever is in a tree: values of other files, what is merged, and what is not known."""
    parts = [hide(part, lambda: draw.draw(st.integers(0, 19)) == 19) for part in layers(data)]
    merged = combine(parts, MergePolicy())
    for root in (merged, *parts, ListNode([*parts, Scalar(1, "1")], parts[0].source), MapNode({"a": merged})):
        natively, theirs = both(lambda: written_values(root))  # noqa: B023
        assert [list(map(id, natively[0])), natively[1]] == [list(map(id, theirs[0])), theirs[1]]  # type: ignore[index]


@built
@given(many())
@settings(max_examples=examples(36))
def test_places_are_the_same(nodes: list[Node]) -> None:
    natively, theirs = both(lambda: file_lines(nodes, lambda node: f"other {id(node)}"))
    assert natively == theirs


LINES = st.text("ab \n\t\xa0\u2003\N{GRINNING FACE}", max_size=40)
NOTES = st.text("x \u2003\xe9\N{GRINNING FACE}", max_size=4)


@built
@given(LINES, NOTES, st.integers(0, 9), st.data())
@settings(max_examples=examples(72))
def test_notes_are_the_same(text: str, before: str, width: int, draw: st.DataObject) -> None:
    """Characters of every width, space at the end of everything, lines in any order and more than once."""
    count = text.count("\n") + 1
    lines = draw.draw(st.lists(st.integers(1, count), max_size=6))
    lines = draw.draw(st.sampled_from([lines, sorted(set(lines)), sorted(set(lines))]))
    notes = draw.draw(st.lists(NOTES, min_size=len(lines), max_size=len(lines)))
    natively, theirs = both(lambda: (longest(text, lines), with_notes(text, lines, notes, width, before)))
    assert natively == theirs
    assert hash(natively) == hash(theirs)


@built
def test_lines_that_are_not_there_are_left_to_python() -> None:
    assert native.beside is not None
    assert native.longest is not None
    assert native.beside("a\nb", [3], ["x"], 2, " ") is None
    assert native.beside("a\nb", [2, 1], ["x", "y"], 2, " ") is None
    assert native.longest("a\nb", [3]) is None
    with pytest.raises(IndexError):
        with_notes("a\nb", [3], ["x"], 2, " ")


@built
def test_what_is_wrong_is_an_exception() -> None:
    assert native.plain_rows is not None
    assert native.written is not None
    assert native.origins is not None
    assert native.beside is not None
    unset = Scalar.__new__(Scalar)
    source = Source("x", "a")
    wrong: list[tuple[Callable[..., object], tuple[object, ...]]] = [
        (native.written, (MapNode({"a": unset}, source), source)),
        (native.written, (MapNode([1], source), source)),  # type: ignore[arg-type]
        (native.written, (MapNode.__new__(MapNode), source)),
        (native.plain_rows, ({"a": unset}, 0, {}, set(), (), {source}, {}, [], {})),
        (native.plain_rows, ({"a": Scalar(1, "1", source)}, 0, {}, {"a"}, (1,), {source}, {}, [], {})),
        (native.plain_rows, ({}, -1, {}, set(), (), set(), {}, [], {})),
        (native.plain_rows, ({}, 0, {}, set(), [], set(), {}, [], {})),
        (native.origins, ([unset], lambda source: None, str)),
        (native.origins, ([Scalar(1, "1")], lambda source: 1, str)),
        (native.origins, ([Scalar(1, "1")], lambda source: ("a", 1), str)),
        (native.origins, ([Scalar(1, "1", at=None)], lambda source: ("a", "b"), str)),  # type: ignore[arg-type]
        (native.origins, ((), None, None)),
        (native.beside, ("a", [1], [], 1, "")),
        (native.beside, ("a", [1], [1], 1, "")),
        (native.beside, ("a", [-1], ["x"], 1, "")),
        (native.beside, ("a", ["1"], ["x"], 1, "")),
        (native.beside, ("a", [1], ["x"], 2**62, "")),
        (native.longest, ("a", [None])),  # type: ignore[list-item]
    ]
    for function, arguments in wrong:
        with pytest.raises((TypeError, AttributeError, ValueError, MemoryError)):
            function(*arguments)


@built
def test_depth_does_not_touch_the_stack() -> None:
    source = Source("x", "")
    node: Node = Scalar(1, "1", source)
    for _ in range(100_000):
        node = ListNode([node], source)
    natively = written_values(node)
    assert len(natively[0]) == 1
    assert natively[1] == 100_001
    while isinstance(node, ListNode):  # an end without recursion
        node = node.items.pop()
