"""The account of a merge is true."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from plait.core.meter import Budgets, Meter
from plait.core.node import MapNode, Node, Scalar, Suspension, children
from plait.core.path import Path, format_path, parse_path
from plait.core.policy import LIST_STRATEGIES, MergePolicy
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator
from plait.merging.account import MATCHED, Account, Dropped, Tracer
from plait.merging.align import ARRANGEMENTS
from plait.merging.combine import combine
from plait.merging.runs import Run, told
from tests.frames import few_frames
from tests.laws.trees import POLICIES, SPOKEN, Clash, Hidden, finished, hide, plain, replay
from tests.merging.test_laws import MANY, layers


def account(parts: list[Node], policy: MergePolicy) -> tuple[Account, Node]:
    """The account of a merge, and its result."""
    root = combine(parts, policy)
    try:
        result = finished(root)
    except Clash:
        assume(False)
    return Tracer(Evaluator().force).merge(parts, policy, root, Place(node=root)), result


def whole(found: Account) -> list[Account]:
    """The account of every place, those that are gone too."""
    made, stack = [], [found]
    while stack:
        top = stack.pop()
        made.append(top)
        stack.extend(top.children.values())
    return made


def scalars(root: Node) -> set[int]:
    """The scalars in a tree, by identity, through expressions that hide one."""
    found, stack = set(), [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Suspension) and isinstance(node.expression, Hidden):
            stack.append(node.expression.node)
        elif isinstance(node, Scalar):
            found.add(id(node))
        stack.extend(child for _, child in children(node))
    return found


@MANY
@given(SPOKEN, POLICIES)
def test_replaying_the_account_gives_the_result(data: list[Any], policy: MergePolicy) -> None:
    found, result = account(layers(data), policy)
    assume(not found.gone)
    assert repr(plain(replay(found))) == repr(plain(result))


@MANY
@given(SPOKEN, POLICIES, st.data())
def test_the_account_does_not_see_what_was_deferred(data: list[Any], policy: MergePolicy, draw: st.DataObject) -> None:
    hidden = [hide(part, lambda: draw.draw(st.integers(0, 2)) == 2) for part in layers(data)]
    found, result = account(hidden, policy)
    assume(not found.gone)
    assert repr(plain(replay(found))) == repr(plain(result))


@MANY
@given(SPOKEN, POLICIES)
def test_each_leaf_of_the_result_has_exactly_one_account(data: list[Any], policy: MergePolicy) -> None:
    found, result = account(layers(data), policy)
    assume(not found.gone)
    assert [path for path, _ in found.leaves(named=False)] == paths(result)
    for path, leaf in found.leaves():
        assert found.find(parse_path(format_path(path))) is leaf, "a place is found by what it is called"


@MANY
@given(SPOKEN, POLICIES, st.data())
def test_values_that_are_told_together_were_written_where_they_are(
    data: list[Any], policy: MergePolicy, draw: st.DataObject
) -> None:
    """What stands for several values says of each what its own account says: who wrote it, and that nothing lost."""
    parts = [hide(part, lambda: draw.draw(st.integers(0, 9)) == 9) for part in layers(data)]
    found, _ = account(parts, policy)
    assume(not found.gone)
    together: list[Node] = []
    for _, one in found.leaves(together=True):
        together += one.values or [one.winner.node]
        within = whole(one) if one.values else []
        assert not [drop for place in within for drop in (*place.losers, *place.lost.values())]
        assert not [place for place in within if place.gone or place.parts]
    assert list(map(id, together)) == [id(leaf.winner.node) for _, leaf in found.leaves()]


LEAVES = st.one_of(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2), st.just({}), st.just([1]))
NESTED = st.recursive(LEAVES, lambda below: st.dictionaries(st.sampled_from("ab"), below, min_size=1), max_leaves=6)
PLAIN = st.lists(st.dictionaries(st.sampled_from("ab"), NESTED, min_size=1), min_size=3, max_size=4)
"""Layers that have little but maps and single values at the same places."""


@MANY
@given(st.one_of(PLAIN, SPOKEN), st.one_of(st.just(MergePolicy()), POLICIES), st.data())
def test_a_run_says_what_the_accounts_of_its_values_say(
    data: list[Any], policy: MergePolicy, draw: st.DataObject
) -> None:
    """Who wrote each value, what lost to it and in which order; and what is gone is gone where there is no run."""
    parts = [hide(part, lambda: draw.draw(st.integers(0, 19)) == 19) for part in layers(data)]
    parts += parts[:1] * draw.draw(st.sampled_from([0, 0, 0, 1]))  # a file can be named twice
    found, _ = account(parts, policy)
    assume(not found.gone)
    rows: list[tuple[int, list[int]]] = []
    gone: list[tuple[Path, list[int]]] = []
    for one in told(found):
        if isinstance(one, Run):
            rows += [(id(node), list(map(id, one.lost.get(at, ())))) for at, node in enumerate(one.values)]
            continue
        rows += [_who(leaf) for _, leaf in one[1].leaves(one[0])]
        gone += [(at, _lost(drops)) for at, drops in one[1].removed(one[0])]
    assert rows == [_who(leaf) for _, leaf in found.leaves()]
    assert gone == [(at, _lost(drops)) for at, drops in found.removed()]


def _who(leaf: Account) -> tuple[int, list[int]]:
    return id(leaf.winner.node), _lost(leaf.losers)


def _lost(drops: list[Dropped]) -> list[int]:
    return [id(drop.part.node) for drop in drops]


@MANY
@given(SPOKEN, POLICIES)
def test_what_is_in_no_account_is_in_no_input(data: list[Any], policy: MergePolicy) -> None:
    parts = layers(data)
    found, _ = account(parts, policy)
    told: set[int] = set()
    for place in whole(found):
        told |= scalars(place.winner.node) if not place.children else set()
        for part in place.parts if place.decision == MATCHED else ():  # items were matched by it: all have it
            told |= scalars(part.winner.node)
        for drop in [*place.dropped, *(drop for drops in place.lost.values() for drop in drops)]:
            told |= scalars(drop.part.node)
    everything = set().union(*map(scalars, parts))
    assert told == everything


def test_every_strategy_says_what_it_does_with_items() -> None:
    assert set(ARRANGEMENTS) == set(LIST_STRATEGIES)


def paths(root: Node) -> list[Path]:
    """Where the leaves of a finished tree are."""
    found: list[Path] = []
    stack: list[tuple[Path, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        below = list(children(node))
        stack.extend(((*path, step), child) for step, child in reversed(below))
        if not below:
            found.append(path)
    return found


@MANY
@given(SPOKEN, POLICIES)
def test_the_winner_is_the_highest_of_the_parts_that_count(data: list[Any], policy: MergePolicy) -> None:
    found, _ = account(layers(data), policy)
    for place in whole(found):
        ranks = [rank_of(part) for part in place.written]
        assert rank_of(place.winner) == ranks[-1]
        assert ranks == sorted(ranks)
        assert all(drop.by is None or rank_of(drop.by) >= rank_of(drop.part) for drop in place.losers)


def rank_of(part: Account) -> int:
    return int(part.node.origin.file.removeprefix("layer"))


def nested(depth: int, source: Source, bottom: Node) -> Node:
    node = bottom
    for _ in range(depth):
        node = MapNode({"a": node, "own": Scalar(source.name, source.name, source)}, source, live=bottom.live)
    return node


def test_a_tree_of_many_levels_needs_no_python_stack() -> None:
    depth = 600
    low, high = Source("layer0"), Source("layer1")
    bottom = Suspension(Hidden(Scalar(2, "2", high)), high, 0)
    parts = [nested(depth, low, Scalar(1, "1", low)), nested(depth, high, bottom)]
    evaluator = Evaluator(meter=Meter(Budgets(depth=depth + 1)))
    with few_frames():
        root = combine(parts, MergePolicy())
        result, failures = evaluator.finish(root, Place(node=root))
        found = Tracer(evaluator.force).merge(parts, MergePolicy(), root, Place(node=root))
        for _ in range(depth):
            assert isinstance(result, MapNode)
            assert result.entries["own"] == found.children["own"].winner.known == Scalar("layer1", "layer1")
            result, found = result.entries["a"], found.children["a"]
        assert result == found.winner.known == Scalar(2, "2")
    assert not failures
