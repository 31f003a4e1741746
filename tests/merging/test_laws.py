"""Each law of the design as a property."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import plait
from plait.core.expression import Expression
from plait.core.node import ListNode, MapNode, Node, Scalar, Suspension, children
from plait.core.path import ANY, DEEP
from plait.core.policy import ListRule, MergePolicy
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator
from plait.merging.combine import combine
from plait.yaml.emit import emit
from tests.examples import examples
from tests.frames import few_frames
from tests.laws.trees import (
    BY_NAME,
    DATA,
    DOCUMENTS,
    FEW,
    KEYS,
    NAMED_X,
    PLAIN_RULES,
    POLICIES,
    RULES,
    SPOKEN,
    Asked,
    Clash,
    Hidden,
    Ruled,
    finished,
    hide,
    merged_plainly,
    plain,
    policy,
    tree,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Scope

MANY = settings(max_examples=examples(35))
LAYERS = st.lists(DATA, min_size=1, max_size=4)


def layers(data: list[Any]) -> list[Node]:
    return [tree(part, Source(f"layer{rank}")) for rank, part in enumerate(data)]


def same(left: Any, right: Any) -> bool:
    """Equal, types and key order included."""
    return repr(left) == repr(right)


def outcome(make: Callable[[], Any]) -> str:
    """What comes out, types and key order included, or that the parts must not be merged."""
    try:
        return repr(make())
    except Clash:
        return "clash"


def merged(parts: list[Node], policy: MergePolicy) -> Any:
    return plain(finished(combine(parts, policy)))


@MANY
@given(SPOKEN, POLICIES)
def test_merging_all_at_once_is_merging_two_by_two(data: list[Any], policy: Ruled) -> None:
    assert outcome(lambda: merged(layers(data), policy)) == outcome(lambda: merged_plainly(data, policy))


@st.composite
def ruled_place(draw: st.DrawFn) -> tuple[list[str], Ruled]:
    """A path of keys, and a policy with several patterns that are made for it."""
    path = draw(st.lists(KEYS, min_size=1, max_size=3))
    steps = st.one_of(st.sampled_from([*path, ANY, DEEP]), st.sampled_from(path))
    patterns = st.tuples(st.integers(0, 1), st.lists(steps, min_size=1, max_size=len(path) + 1).map(tuple), RULES)
    return path, Ruled(draw(RULES), "replace", "low", draw(st.lists(patterns, min_size=2, max_size=5)))


@given(ruled_place(), st.booleans())
def test_of_several_patterns_the_more_specific_one_decides(drawn: tuple[list[str], Ruled], deferred: bool) -> None:
    path, rules = drawn
    data: list[Any] = [[{"name": "x", "a": 1}, {"name": "y"}], [{"name": "y", "b": 2}, {"name": "z"}]]
    for key in reversed(path):
        data = [{key: part} for part in data]
    parts = [hide(part, iter([True, False] * 50).__next__) if deferred else part for part in layers(data)]
    assert same(merged(parts, rules), merged_plainly(data, rules))


ITEMS = st.lists(st.sampled_from(["x", "y", "z"]), max_size=3, unique=True)
NAMING = st.tuples(st.integers(0, 1), st.sampled_from([(item, "l") for item in (0, 1, NAMED_X, ANY)]), RULES)


@MANY
@given(
    st.lists(ITEMS, min_size=2, max_size=4),
    st.sampled_from(["key", "index", "prepend", "mixed"]),
    st.lists(NAMING, min_size=1, max_size=4),
    st.booleans(),
)
def test_a_pattern_that_names_an_item(names: list[list[str]], how: str, rules: Any, deferred: bool) -> None:
    cycle = [BY_NAME, ListRule("index"), ListRule("prepend")]
    rule = {"key": BY_NAME, "index": ListRule("index"), "prepend": ListRule("prepend")}.get(how, BY_NAME)
    data: list[Any] = [[{"name": name, "l": [rank]} for name in part] for rank, part in enumerate(names)]
    if how == "mixed":
        data = [Asked(part, cycle[rank % 3], head=False) for rank, part in enumerate(data)]
    ruled = Ruled(ListRule("replace"), "replace", "low", [(2, (), rule), *rules])
    parts = [hide(part, iter([True, False] * 50).__next__) if deferred else part for part in layers(data)]
    assert outcome(lambda: merged(parts, ruled)) == outcome(lambda: merged_plainly(data, ruled))


@given(st.lists(st.lists(FEW, max_size=3), min_size=2, max_size=3), RULES, st.data())
def test_deferring_an_item_of_a_list_is_invisible(data: list[Any], rule: ListRule, draw: st.DataObject) -> None:
    named = [[{"name": item, "rank": rank} for item in dict.fromkeys(part)] for rank, part in enumerate(data)]
    for lists in (data, named):
        parts = layers(lists)
        deferred = [
            ListNode(
                [hide(item, lambda: draw.draw(st.integers(0, 2)) == 2) for item in part.items], part.source, live=True
            )
            for part in parts
            if isinstance(part, ListNode)
        ]
        assert outcome(lambda: merged(deferred, policy(rule))) == outcome(lambda: merged(parts, policy(rule)))  # noqa: B023


@MANY
@given(SPOKEN, POLICIES, st.data())
def test_deferring_is_invisible(data: list[Any], policy: Ruled, draw: st.DataObject) -> None:
    hidden = [hide(part, lambda: draw.draw(st.integers(0, 2)) == 2) for part in layers(data)]
    assert outcome(lambda: merged(hidden, policy)) == outcome(lambda: merged(layers(data), policy))


@given(SPOKEN, POLICIES, st.integers(1, 3))
def test_a_known_prefix_may_be_merged_early(data: list[Any], policy: Ruled, cut: int) -> None:
    parts = layers(data)
    early = [combine(parts[:cut], policy), *parts[cut:]]
    assume(outcome(lambda: merged(parts[:cut], policy)) != "clash")
    assert outcome(lambda: merged(early, policy)) == outcome(lambda: merged(parts, policy))


@given(LAYERS, DATA.filter(lambda data: not isinstance(data, dict)))
def test_a_decisive_higher_part_leaves_lower_parts_unevaluated(data: list[Any], top: Any) -> None:
    lower = [Hidden(part) for part in layers(data)]
    parts: list[Node] = [Suspension(expression, Source("low"), 0) for expression in lower]
    top_expression = Hidden(tree(top, Source("top")))
    merged = combine([*parts, Suspension(top_expression, Source("top"), 0)], policy(ListRule("replace")))
    assert same(plain(finished(merged)), top)
    assert [expression.asked for expression in lower] == [0] * len(lower)
    assert top_expression.asked == 1


class Here(Expression):
    """An expression that tells the path it is seen from."""

    text = "here"

    def evaluate(self, scope: Scope) -> Node:
        return Scalar(str(scope.place.path), str(scope.place.path))


@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=4, unique=True))
def test_memoise_by_node_and_scope(keys: list[str]) -> None:
    shared = Suspension(Here(), Source("base"), 0)
    root = MapNode(dict.fromkeys(keys, shared), live=True)
    assert plain(finished(root)) == {key: str((key,)) for key in keys}


@given(DOCUMENTS, PLAIN_RULES)
def test_the_empty_mapping_is_neutral(data: dict[str, Any], rule: ListRule) -> None:
    empty = MapNode({})
    document = tree(data, Source("one"))
    for parts in ([empty, document], [document, empty], [empty, document, empty]):
        assert same(plain(combine(parts, policy(rule))), data)


@given(st.lists(DOCUMENTS, min_size=1, max_size=4), PLAIN_RULES)
def test_key_order_is_low_layer_first_then_new_keys(data: list[dict[str, Any]], rule: ListRule) -> None:
    merged = combine(layers(list(data)), policy(rule))
    assert isinstance(merged, MapNode)
    assert list(merged.entries) == list(dict.fromkeys(key for layer in data for key in layer))


@given(LAYERS, PLAIN_RULES)
def test_each_leafs_origin_is_among_the_inputs(data: list[Any], rule: ListRule) -> None:
    parts = layers(data)
    inputs = {id(node) for part in parts for node in every(part) if isinstance(node, Scalar)}
    assert {id(node) for node in every(combine(parts, policy(rule))) if isinstance(node, Scalar)} <= inputs


@given(LAYERS, PLAIN_RULES)
def test_the_same_input_gives_the_same_bytes(data: list[Any], rule: ListRule) -> None:
    first, second = (emit(combine(layers(data), policy(rule))) for _ in range(2))
    assert first == second


@given(LAYERS, PLAIN_RULES)
def test_merging_changes_no_input(data: list[Any], rule: ListRule) -> None:
    parts = layers(data)
    before = [repr(plain(part)) for part in parts]
    combine(parts, policy(rule))
    assert [repr(plain(part)) for part in parts] == before


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 9)), max_size=6),
    st.lists(st.sampled_from("abcdef"), max_size=6, unique=True),
)
def test_lists_by_key_keep_order_and_lose_nothing(low: list[tuple[str, int]], high: list[str]) -> None:
    low = list(dict(low).items())
    one = [{"name": name, "low": value} for name, value in low]
    two = [{"name": name, "high": True} for name in high]
    merged = plain(combine(layers([one, two]), policy(ListRule("key", ("name",)))))
    names = [name for name, _ in low]
    assert [item["name"] for item in merged] == names + [name for name in high if name not in names]
    for item in merged:
        assert item.get("low") == dict(low).get(item["name"])
        assert item.get("high", False) == (item["name"] in high)


def test_each_node_is_forced_once() -> None:
    expression = Hidden(Scalar(1, "1"))
    shared = Suspension(expression, Source("x"), 0)
    root = MapNode({"a": ListNode([shared], live=True), "b": MapNode({"c": shared}, live=True)}, live=True)
    evaluator = Evaluator()
    place = Place(node=root)
    for _ in range(3):
        evaluator.finish(root, place)
    assert expression.asked == 2  # once from each of its two places


def every(root: Node) -> list[Node]:
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(child for _, child in children(node))
    return found


def test_one_written_merge_at_many_places_far_down_is_no_ring(tmp_path: Path) -> None:
    """Only what is merged again below itself, again and again, contains itself."""

    def far_down(value: str) -> str:
        inner = ", ".join(["{first: &one " + value, *(f"again{number}: *one" for number in range(40))])
        return f"base: {{x: 1}}\ndeep: {'{a: ' * 70}{inner}}}{'}' * 70}\n"

    (tmp_path / "low.yaml").write_text(far_down("!ref base"))
    (tmp_path / "high.yaml").write_text(far_down("{y: 2}"))
    merged = plait.merge([str(tmp_path / name) for name in ("low.yaml", "high.yaml")], folder=str(tmp_path))
    found = merged.value("deep" + ".a" * 70)
    assert len(found) == 41
    assert all(each == {"x": 1, "y": 2} for each in found.values())


def test_a_merge_of_many_layers_that_compare_whole_items_needs_no_python_stack() -> None:
    """Each layer merges by name what the next one compares as a whole, one level deeper each time."""
    count = 100
    by_name, as_set = ListRule("key", ("name",)), ListRule("set")
    parts: list[Node] = []
    for rank in range(count):
        source = Source(f"layer{rank}")
        node: Node = ListNode([], source)
        for level in range(count - rank, -1, -1):
            name = Scalar("x", "x", source)
            rule = as_set if rank + level == count - 1 else by_name
            node = ListNode([MapNode({"name": name, "l": node}, source)], source, rule=rule)
        parts.append(node)
    with few_frames():
        merged = combine(parts, MergePolicy())
    assert isinstance(merged, ListNode)
    assert len(merged.items) == 2
