"""Random trees with everything a merge can be told, their deferred twins, and a second, simpler merge to hold the
real one against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from plait.core.expression import Expression
from plait.core.node import ListNode, MapNode, Mark, Node, Scalar, Suspension, key_text
from plait.core.path import ANY, DEEP, Keyed, Path, Wildcard
from plait.core.plain import written
from plait.core.policy import STRATEGIES, ListRule, MergePolicy, PlaceRule
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator

if TYPE_CHECKING:
    from plait.core.scope import Scope
    from plait.merging.account import Account


class Unset:
    """`!unset`."""

    def __repr__(self) -> str:
        return "!unset"


UNSET = Unset()


class Alone(dict[str, Any]):
    """`!replace {...}`."""


class Asked(list[Any]):
    """A list that says itself how it is merged: by a tag, or by its first item."""

    def __init__(self, items: list[Any], rule: ListRule, head: bool) -> None:
        super().__init__(items)
        self.rule = rule
        self.head = head

    def __repr__(self) -> str:
        return f"{self.rule} {list(self)!r}"


class Clash(Exception):
    """The parts must not be merged."""


class Failed(list[Any]):
    """What a merge that failed leaves: lists whose items cannot be told apart, or kinds that must not differ."""

    def __init__(self, kinds: bool) -> None:
        super().__init__()
        self.kinds = kinds


KEYS = st.sampled_from(["a", "b", "c", "name"])
NAMES = st.sampled_from(["x", "y", "z"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.sampled_from(["", "x", "y"]))
BY_NAME = ListRule("key", ("name",))
RULES = st.sampled_from(
    [BY_NAME if name == "key" else ListRule(name) for name in STRATEGIES]
    + [ListRule("index", inside=ListRule("replace"))]
)
PLAIN_RULES = st.sampled_from(["replace", "append", "prepend", "index"]).map(ListRule)


def _named(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists of maps with names of their own."""
    names = st.lists(NAMES, max_size=3, unique=True)
    return names.flatmap(
        lambda names: st.tuples(
            *(
                st.dictionaries(KEYS, inner, max_size=2).map(lambda item, name=name: {**item, "name": name})
                for name in names
            )
        ).map(list)
    )


DATA: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
"""Plain data."""
DOCUMENTS = st.dictionaries(KEYS, DATA, max_size=4)


def _with_words(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.one_of(st.lists(inner, max_size=3), _named(inner))
    maps = st.dictionaries(KEYS, st.one_of(inner, inner, st.just(UNSET)), max_size=3)
    return st.one_of(
        lists,
        maps,
        maps,
        maps.map(Alone),
        st.tuples(lists, RULES, st.just(False)).map(lambda drawn: Asked(*drawn)),
        st.tuples(_named(inner), st.just(BY_NAME), st.just(True)).map(lambda drawn: Asked(*drawn)),
    )


WORDS: st.SearchStrategy[Any] = st.recursive(SCALARS, _with_words, max_leaves=8)
"""Data with words to the merge in it: `!unset`, `!replace`, `!append`, `!merge-by`, ..."""
FEW = st.sampled_from([1, "x", "y"])
LISTS = st.one_of(
    _named(FEW),
    st.lists(FEW, max_size=3),
    st.lists(FEW, max_size=3),
    st.tuples(_named(FEW), RULES, st.just(False)).map(lambda drawn: Asked(*drawn)),
)
VALUES = st.one_of(WORDS, LISTS, LISTS, st.just(UNSET))
MAPS = st.dictionaries(KEYS, st.one_of(VALUES, st.dictionaries(KEYS, VALUES, max_size=3)), min_size=1, max_size=3)
SPOKEN = st.lists(st.one_of(MAPS, MAPS, MAPS, MAPS.map(Alone), WORDS), min_size=2, max_size=4)
"""Layers that nearly always meet somewhere: most of them are maps with few names, and lists of named items."""


class Ruled(MergePolicy):
    """A policy that remembers what was declared: for each pattern its level, its path and its rule, in order."""

    def __init__(self, default: ListRule, kinds: str, order: str, declared: list[tuple[int, Path, ListRule]]) -> None:
        rules = [PlaceRule.at_level(level, at, path, rule) for at, (level, path, rule) in enumerate(declared)]
        super().__init__(default, kinds, rules, order=order)
        self.declared = declared

    def __repr__(self) -> str:
        return f"Ruled({self.default}, {self.kinds}, {self.order}, {self.declared})"


NAMED_X = Keyed(("name",), ("x",))
PATTERNS = st.tuples(
    st.integers(0, 2),
    st.lists(st.one_of(KEYS, st.sampled_from([ANY, DEEP, 0, 1, NAMED_X])), min_size=1, max_size=4).map(tuple),
    RULES,
)
"""A level (plait.yaml, a policy file, a flag), a path with wildcards and items, and a rule."""
POLICIES = st.builds(
    Ruled,
    default=RULES,
    kinds=st.sampled_from(["replace", "replace", "error"]),
    order=st.sampled_from(["low", "high"]),
    declared=st.lists(PATTERNS, max_size=4),
)


def policy(rule: ListRule) -> MergePolicy:
    return MergePolicy(default=rule)


def tree(data: Any, source: Source) -> Node:
    """Plain data, and words to the merge, as nodes of one source."""
    if isinstance(data, Unset):
        return Mark(source, 0)
    if isinstance(data, dict):
        entries = {key: tree(value, source) for key, value in data.items()}
        return MapNode(entries, source, live=_live(entries.values()), alone=isinstance(data, Alone))  # type: ignore[arg-type]
    if isinstance(data, list):
        items = [tree(value, source) for value in data]
        rule = data.rule if isinstance(data, Asked) else None
        if isinstance(data, Asked) and data.head:
            items.insert(0, Mark(source, 0, rule))
            rule = None
        return ListNode(items, source, live=_live(items), rule=rule)
    return Scalar(data, "" if data is None else str(data), source)


def _live(nodes: Any) -> bool:
    return any(node.live for node in nodes)


def plain(node: Node) -> Any:
    """Nodes as plain data, in key order."""
    if isinstance(node, MapNode):
        return {key_text(key): plain(child) for key, child in node.entries.items()}
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    if isinstance(node, Mark):
        return UNSET
    assert isinstance(node, Scalar), node
    return node.value


class Hidden(Expression):
    """An expression whose value is known all along."""

    text = "hidden"

    def __init__(self, node: Node) -> None:
        self.node = node
        self.asked = 0

    def evaluate(self, scope: Scope) -> Node:
        self.asked += 1
        return self.node


def hide(node: Node, choose: Any) -> Node:
    """The same tree with some nodes, as `choose` says, behind suspensions, and some of those behind further ones."""
    if isinstance(node, Mark):
        return node
    if isinstance(node, MapNode):
        entries = {key: hide(child, choose) for key, child in node.entries.items()}
        made: Node = MapNode(entries, node.source, live=_live(entries.values()), alone=node.alone)
    elif isinstance(node, ListNode):
        items = [hide(item, choose) for item in node.items]
        made = ListNode(items, node.source, live=_live(items), rule=node.rule)
    else:
        made = node
    while choose():
        made = Suspension(Hidden(made), node.source, 0)
    return made


def finished(node: Node) -> Node:
    """A tree with nothing left to compute; `Clash` where something in it failed."""
    value, failures = Evaluator().finish(node, Place(node=node))
    if failures:
        raise Clash
    return value


# The oracle


def merged_plainly(parts: list[Any], policy: Ruled) -> Any:
    """Merging two by two on plain data."""
    result = parts[0]
    for part in parts[1:]:
        result = _two(result, part, policy, ())
    return stripped(result)


def rule_at(policy: Ruled, path: tuple[Any, ...]) -> ListRule:
    """The rule for a place: of those that match, the one of the highest level, then the longest,
    then the one with fewer wildcards, then the last."""
    found = policy.default
    best: tuple[int, ...] = ()
    for number, (level, pattern, rule) in enumerate(policy.declared):
        rank = (level, len(pattern), -sum(isinstance(step, Wildcard) for step in pattern), number)
        if rank > best and _matches(pattern, path):
            found, best = rule, rank
    return found


def _matches(pattern: tuple[Any, ...], path: tuple[Any, ...]) -> bool:
    if not pattern:
        return not path
    if pattern[0] is DEEP:
        return any(_matches(pattern[1:], path[cut:]) for cut in range(len(path) + 1))
    return bool(path) and _matches_step(pattern[0], path[0]) and _matches(pattern[1:], path[1:])


def _matches_step(head: Any, step: Any) -> bool:
    """Whether a step of a pattern means a key, or an item: its position, and its name where it was merged by name."""
    return head is ANY or (head in step if isinstance(step, tuple) else head == step)


def stripped(data: Any) -> Any:
    """Without the words to the merge; `Clash` where one failed."""
    if isinstance(data, Failed):
        raise Clash
    if isinstance(data, dict):
        return {key: stripped(value) for key, value in data.items() if value is not UNSET}
    if isinstance(data, list):
        return [stripped(value) for value in data if value is not UNSET]
    return data


def _kind(data: Any) -> str:
    return "map" if isinstance(data, dict) else "list" if isinstance(data, list) else "scalar"


def _two(low: Any, high: Any, policy: Ruled, path: tuple[Any, ...]) -> Any:
    if isinstance(low, Failed) and low.kinds:
        return low
    if high is UNSET or low is UNSET:
        return high
    asks = isinstance(high, Alone) or (isinstance(high, Asked) and not high.head and high.rule.strategy == "replace")
    if policy.kinds == "error" and not asks and None not in (_value(low), _value(high)) and _kind(low) != _kind(high):
        return Failed(kinds=True)
    if isinstance(low, dict) and isinstance(high, dict) and not isinstance(high, Alone):
        first, second = (high, low) if policy.order == "high" else (low, high)
        made = dict.fromkeys([*first, *second])
        for key in made:
            both = key in low and key in high
            made[key] = _two(low[key], high[key], policy, (*path, key)) if both else high.get(key, low.get(key))
        return Alone(made) if isinstance(low, Alone) else made
    if isinstance(low, list) and isinstance(high, list):
        rule = high.rule if isinstance(high, Asked) else rule_at(policy, path)
        try:
            made_list = _lists(low, high, rule, policy, path) if rule.strategy != "replace" else None
        except Clash:
            return Failed(kinds=False)
        if made_list is not None:
            return Asked(made_list, low.rule, low.head) if isinstance(low, Asked) else made_list
    return high


def _value(data: Any) -> Any:
    return data if not isinstance(data, dict | list) else "container"


def _lists(low: list[Any], high: list[Any], rule: ListRule, policy: Ruled, path: tuple[Any, ...]) -> list[Any]:
    if isinstance(low, Failed):
        raise Clash
    low, high = list(low), list(high)
    if rule.strategy == "append":
        return low + high
    if rule.strategy == "prepend":
        return high + low
    if rule.strategy == "index":
        both = enumerate(zip(low, high, strict=False))
        paired = [_two(a, b, policy, (*path, (at,))) for at, (a, b) in both]
        return paired + low[len(paired) :] + high[len(paired) :]
    if rule.strategy == "set":
        made = list(low)
        for item in high:
            if not any(_same(item, other) for other in made):
                made.append(item)
        return made
    names = [[_name(item) for item in side] for side in (low, high)]
    if any(len(set(map(repr, side))) < len(side) for side in names):
        raise Clash
    above = dict(zip(map(repr, names[1]), high, strict=True))
    made = [
        _two(item, above.pop(repr(name)), policy, (*path, (at, Keyed(("name",), (written(name),)))))
        if repr(name) in above
        else item
        for at, (name, item) in enumerate(zip(names[0], low, strict=True))
    ]
    return made + list(above.values())


def _same(a: Any, b: Any) -> bool:
    """Equal data: types too, order of keys aside."""
    a, b = stripped(a), stripped(b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return type(a) is type(b) and bool(a == b)


def _name(item: Any) -> Any:
    if not isinstance(item, dict) or isinstance(item.get("name", {}), dict | list | Unset):
        raise Clash
    return item["name"]


def replay(found: Account) -> Node:
    """The result of a merge, rebuilt from its account alone."""
    top = found.winner.known
    below = {step: replay(child) for step, child in found.children.items() if not child.winner.gone}
    if isinstance(top, MapNode):
        return MapNode(below)  # type: ignore[arg-type]
    return ListNode(list(below.values())) if isinstance(top, ListNode) else top
