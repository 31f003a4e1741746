"""Random trees, their deferred twins, and a second, simpler merge to hold the real one against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from plait.core.node import Mapping, Node, Scalar, Sequence, Suspension, key_text
from plait.core.policy import ListRule, MergePolicy
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator

if TYPE_CHECKING:
    from plait.core.scope import Scope

KEYS = st.sampled_from(["a", "b", "c", "d"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.sampled_from(["", "x", "y"]))
DATA: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(KEYS, DATA, max_size=4)
RULES = st.sampled_from(["replace", "append", "prepend", "index"]).map(ListRule)


def policy(rule: ListRule) -> MergePolicy:
    return MergePolicy(default=rule)


def tree(data: Any, source: Source) -> Node:
    """Plain data as nodes of one source."""
    if isinstance(data, dict):
        return Mapping({key: tree(value, source) for key, value in data.items()}, source)
    if isinstance(data, list):
        return Sequence([tree(value, source) for value in data], source)
    return Scalar(data, "" if data is None else str(data), source)


def plain(node: Node) -> Any:
    """Nodes as plain data, in key order."""
    if isinstance(node, Mapping):
        return {key_text(key): plain(child) for key, child in node.entries.items()}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    assert isinstance(node, Scalar), node
    return node.value


class Hidden:
    """An expression whose value is known all along."""

    text = "hidden"

    def __init__(self, node: Node) -> None:
        self.node = node
        self.asked = 0

    def evaluate(self, scope: Scope) -> Node:
        self.asked += 1
        return self.node


def hide(node: Node, choose: Any) -> Node:
    """The same tree with some nodes, as `choose` says, behind suspensions."""
    if isinstance(node, Mapping):
        entries = {key: hide(child, choose) for key, child in node.entries.items()}
        made: Node = Mapping(entries, node.source, live=any(child.live for child in entries.values()))
    elif isinstance(node, Sequence):
        items = [hide(item, choose) for item in node.items]
        made = Sequence(items, node.source, live=any(item.live for item in items))
    else:
        made = node
    return Suspension(Hidden(made), node.source, 0) if choose() else made


def finished(node: Node) -> Node:
    """A tree with nothing left to compute."""
    value, failures = Evaluator().finish(node, Place(node=node))
    assert not failures
    return value


def merged_plainly(parts: list[Any], rule: str) -> Any:
    """Merging two by two on plain data: the oracle."""
    result = parts[0]
    for part in parts[1:]:
        result = _two(result, part, rule)
    return result


def _two(low: Any, high: Any, rule: str) -> Any:
    if isinstance(low, dict) and isinstance(high, dict):
        return {**low, **{key: _two(low[key], high[key], rule) if key in low else high[key] for key in high}}
    if isinstance(low, list) and isinstance(high, list):
        if rule == "append":
            return low + high
        if rule == "prepend":
            return high + low
        if rule == "index":
            paired = [_two(a, b, rule) for a, b in zip(low, high, strict=False)]
            return paired + low[len(paired) :] + high[len(paired) :]
    return high
