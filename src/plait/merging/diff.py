"""What differs between two trees, by structure: the order of keys does not count, types do.

Lists are paired as the merge pairs them: by key where a rule or every item's `name` says so, and then an item that
only changed its position is reported as moved. Other lists are compared item by item, with what was added and
removed.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from plait.core.node import ListNode, MapNode, Node, Scalar, children, differing_entries, plain_value, same_scalar
from plait.core.policy import MergePolicy
from plait.merging.align import INFER, pair
from plait.merging.compare import differences
from plait.merging.differing import rising

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Step
    from plait.merging.align import Row

    Rows = list[tuple[Step, Node | None, Node | None]]

ADDED, REMOVED, CHANGED, MOVED = "added", "removed", "changed", "moved"
PAIRED = ("key", "set", "index", "patch", "patch-set")
"""The strategies by which items of two lists are known to be the same item."""
USUAL = MergePolicy()
LONG = 2000
"""Lists longer than this are compared by position."""


class ValueDifference:
    """One place where two trees differ: its path (in the second tree where it is there), and the value on each side."""

    __slots__ = ("after", "before", "kind", "path")

    def __init__(self, kind: str, path: tuple[Step, ...], before: Node | None, after: Node | None) -> None:
        self.kind = kind
        self.path = path
        self.before = before
        self.after = after

    def __repr__(self) -> str:
        return f"Difference({self.kind} {self.path!r})"

    def as_data(self, reveal: bool = False) -> dict[str, object]:
        """The kind and the values as plain data."""
        row: dict[str, object] = {"kind": self.kind}
        for side, node in (("before", self.before), ("after", self.after)):
            if node is not None:
                row[side] = plain_value(node, reveal)
        return row


def compare(
    before: Node | None, after: Node | None, policy: MergePolicy | None = None, *, whole: bool = False
) -> list[ValueDifference]:
    """All differences, in the order of the first tree.

    With `whole`, a list that cannot be edited item by item is one.
    """
    return _Comparison(whole, policy or USUAL).compare(before, after)


class _Comparison:
    """Pairs children as the merge pairs them, place by place."""

    def __init__(self, whole: bool, policy: MergePolicy) -> None:
        self.whole = whole
        self.policy = policy
        self.differences: list[ValueDifference] = []
        self.policies: dict[tuple[Step, ...], MergePolicy] = {}
        """Those of places that have another one."""
        self.places: dict[tuple[Step, ...], dict[Step, int]] = {}
        """Where the items are of a list whose items have keys: a pattern may name them by position, too."""

    def compare(self, before: Node | None, after: Node | None) -> list[ValueDifference]:
        for path, a, b in differences(before, after, self.pairs):
            self.differences.append(
                ValueDifference(ADDED if a is None else REMOVED if b is None else CHANGED, path, a, b)
            )
        return self.differences

    def pairs(self, path: tuple[Step, ...], a: Node, b: Node) -> Rows | None:
        """The children that belong together; None for two values that are compared as they are."""
        policy = self.policies.pop(path, self.policy)
        rows: Rows | None = None
        if isinstance(a, MapNode) and isinstance(b, MapNode) and a.tag == b.tag:
            rows = [row for row in differing_entries(a, b) if not same_scalar(row[1], row[2])]
        elif isinstance(a, ListNode) and isinstance(b, ListNode) and a.tag == b.tag:
            rows = self.lists(path, a, b, policy)
        places = self.places.pop(path, {})
        has_own = policy is not self.policy or not policy.uniform
        for step, _, _ in rows or () if has_own else ():
            self.policies[(*path, step)] = policy.child(step, places.get(step))
        return rows

    def lists(self, path: tuple[Step, ...], a: ListNode, b: ListNode, policy: MergePolicy) -> Rows | None:
        rule = policy.lists if policy.lists.strategy in PAIRED else INFER
        rows = pair((a, b), rule) if rule is not INFER or _named(a, b) else None
        if rows is None:
            return self.by_position(a, b)
        both = [(x, y) for _, (x, y) in rows if x is not None and y is not None]
        moved = set() if rule.strategy in ("set", "patch-set", "index") else _moved(both)
        if self.whole and (moved or _put_between(rows)):
            return None
        pairs: Rows = []
        for step, (x, y) in rows:
            left, right = None if x is None else a.items[x], None if y is None else b.items[y]
            if x in moved and x is not None:
                self.differences.append(ValueDifference(MOVED, (*path, step), left, right))
            pairs.append((step, left, right))
        if not policy.uniform:
            at = {step: y if y is not None else x for step, (x, y) in rows}
            self.places[path] = {step: index for step, index in at.items() if index is not None}
        return pairs

    def by_position(self, a: ListNode, b: ListNode) -> Rows | None:
        if self.whole and len(a.items) != len(b.items):
            return None
        rows: Rows = []
        for i, j in _aligned(a.items, b.items):
            at = j if j is not None else i
            assert at is not None
            rows.append((at, None if i is None else a.items[i], None if j is None else b.items[j]))
        return rows


def _named(a: ListNode, b: ListNode) -> bool:
    """Whether two lists hold items with names of their own: nothing else is inferred."""
    return bool(a.items and b.items) and all(
        isinstance(item, MapNode) and "name" in item.entries for item in (*a.items, *b.items)
    )


def _put_between(rows: list[Row]) -> bool:
    """Whether a new item comes before an old one: more than an edit at the end can do."""
    last = max((y for _, (x, y) in rows if x is not None and y is not None), default=-1)
    return any(x is None and y is not None and y < last for _, (x, y) in rows)


def _moved(pairs: list[tuple[int, int]]) -> set[int]:
    """The fewest items, by their first index, that changed their place among the others."""
    return {x for x, _ in pairs} - {x for x, _ in rising(pairs)}


def _aligned(a: list[Node], b: list[Node]) -> list[tuple[int | None, int | None]]:
    """Which item of one list corresponds to which of the other: equal ones, then those between them in order."""
    if len(a) == len(b) or max(len(a), len(b)) > LONG:
        longest = max(len(a), len(b))
        return [(at if at < len(a) else None, at if at < len(b) else None) for at in range(longest)]
    rows: list[tuple[int | None, int | None]] = []
    matcher = SequenceMatcher(None, [_print(item) for item in a], [_print(item) for item in b], autojunk=False)
    for _, i, i_end, j, j_end in matcher.get_opcodes():
        shared = min(i_end - i, j_end - j)
        rows += [(i + at, j + at) for at in range(shared)]
        rows += [(at, None) for at in range(i + shared, i_end)]
        rows += [(None, at) for at in range(j + shared, j_end)]
    return rows


def _print(node: Node) -> int:
    """A number that equal trees share."""
    prints: dict[int, int] = {}
    stack = [node]
    while stack:
        top = stack[-1]
        missing = [child for _, child in children(top) if id(child) not in prints]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if isinstance(top, Scalar):
            prints[id(top)] = hash((top.value.__class__, top.value if top.value == top.value else None, top.tag))
        elif isinstance(top, MapNode):
            prints[id(top)] = hash(frozenset((key, prints[id(child)]) for key, child in top.entries.items()))
        else:
            prints[id(top)] = hash((ListNode, tuple(prints[id(child)] for _, child in children(top))))
    return prints[id(node)]
