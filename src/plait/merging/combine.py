"""Merging: all layers of a path in one pass, lowest first.

The laws (tests/laws has a property of each name):

* Fold from the low end. A value of another kind replaces what lies below it and the fold goes on from there.
* So only the parts above the last change of kind matter. They are gathered from the top down, and gathering stops at a
  part that decides alone: a scalar, a list that replaces, a mapping that asks to. What lies below is never looked at.
* Among mappings the empty mapping is neutral. Key order is low layer first, then new keys.
* A part that is not known yet makes the merge a node of its own, an `Overlay`, which merges when somebody asks.
* Nothing is copied that one part alone has, and nothing is recorded per value: a merged container keeps its parts.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label
from plait.core.node import (
    Deferred,
    Failure,
    Key,
    Mapping,
    Mark,
    Node,
    Overlay,
    Scalar,
    Sequence,
    Suspension,
    in_place_of,
)
from plait.core.path import Keyed
from plait.core.policy import ListRule, MergePolicy
from plait.merging.align import key_of
from plait.report.catalog import BAD_MARK, KEY_MISSING, KEY_TWICE, KINDS_DIFFER, MERGE_FORBIDDEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Target = dict[Key, Node] | list[Node]
    Work = list[tuple[Target, Key | int, list[Node], MergePolicy]]


class Wait(Exception):
    """These nodes must be known before the parts can be merged."""

    def __init__(self, *nodes: Node) -> None:
        super().__init__()
        self.nodes = nodes


def at_rest(node: Node) -> Node:
    """How a merge looks at its parts before anything is evaluated: a deferred one has to wait."""
    if isinstance(node, Deferred) and not isinstance(node, Mark):
        raise Wait(node)
    return node


def combine(parts: Iterable[Node], policy: MergePolicy, reveal: Callable[[Node], Node] | None = None) -> Node:
    """The parts, lowest first, as one node.

    Without `reveal` a part that is not known yet leads to an `Overlay`; with it, it is asked for the parts that matter and may raise.
    """
    given = list(parts)
    return given[0] if len(given) == 1 and reveal is None else _Combiner(reveal).run(given, policy)


class _Combiner:
    def __init__(self, reveal: Callable[[Node], Node] | None) -> None:
        self.reveal = reveal
        self.work: Work = []
        self.made: list[Mapping | Sequence] = []
        self.failed = False

    def run(self, parts: list[Node], policy: MergePolicy) -> Node:
        top = self.fold(parts, policy, self.reveal)
        while self.work:
            target, key, below, inner = self.work.pop()
            node = self.fold(below, inner, None)
            target[key] = node  # type: ignore[index]
        if self.failed:
            for container in self.made:
                container.live = True  # so that the failure below is found
        return top

    def fold(self, parts: list[Node], policy: MergePolicy, reveal: Callable[[Node], Node] | None) -> Node:
        """One place: the parts that matter, merged; what lies deeper is put on the list of work."""
        if policy.word is None and len(parts) > 1 and _all_plain(parts):
            return self.mappings(parts, policy)  # type: ignore[arg-type]
        if (
            reveal is None
            and policy.word is None
            and len(parts) == 2
            and isinstance(parts[0], Suspension)
            and _all_plain(parts[1:])
        ):
            return overlay(parts, policy)  # the commonest of those that wait
        try:
            group = self.gather(parts, policy, reveal or at_rest)
            if len(group) < len(parts):
                overridden = parts[: len(parts) - len(group)]
                group = [in_place_of(part, *overridden) for part in group]
            top = group[-1]
            if len(group) == 1:
                return top
            if isinstance(top, Mapping):
                return self.mappings(group, policy)  # type: ignore[arg-type]
            return self.sequences(group, policy, reveal or at_rest)  # type: ignore[arg-type]
        except Wait:
            if reveal is not None:
                raise
            return overlay(parts, policy)

    def gather(self, parts: list[Node], policy: MergePolicy, reveal: Callable[[Node], Node]) -> list[Node]:
        """The parts that matter, lowest first; the mark alone where the highest word is `!unset`."""
        group: list[Node] = []
        for part in reversed(parts):
            node = reveal(part)
            if isinstance(node, Failure):
                return [node]
            if isinstance(node, Mark):
                if node.rule is not None:
                    return [self.fail(misplaced(node), node)]
                if not group:
                    return [node]
                break
            if group and not alike(node, group[-1]):
                if policy.kinds == "error":
                    return [self.fail(_kinds_differ(group[-1], node), group[-1])]
                break
            if policy.word is not None and group and isinstance(node, Mapping):
                said = _said(group[-1], policy.word) or _said(node, policy.word) or "merge"
                if said == "error":
                    return [self.fail(MERGE_FORBIDDEN(Label.of(group[-1]), Label.of(node)), group[-1])]
                if said != "merge":
                    break
            group.append(node)
            if decides(node, policy):
                if policy.kinds == "error":
                    return self.agreed(group, parts)
                break
        group.reverse()
        return group

    def agreed(self, group: list[Node], parts: list[Node]) -> list[Node]:
        """The group, unless the known part right below the one that decides is of another kind. Null is of every kind."""
        lowest = group[-1]
        below = parts[len(parts) - len(group) - 1] if len(group) < len(parts) else lowest
        group.reverse()
        if isinstance(below, Deferred) or below.kind == lowest.kind or _is_null(below) or _is_null(lowest):
            return group
        return [self.fail(_kinds_differ(lowest, below), lowest)]

    def mappings(self, group: list[Mapping], policy: MergePolicy) -> Mapping:
        low, high = group[0], group[-1]
        merged = dict(low.entries)
        clashes: dict[Key, list[Node]] = {}
        strict = policy.kinds == "error"
        for part in group[1:]:
            for key, node in part.entries.items():
                if node.__class__ is not Scalar or strict:
                    if isinstance(node, Mark) and node.taken is not None:
                        node = node.taken
                    before = merged.get(key)
                    if before is not None:
                        clashes.setdefault(key, [before]).append(node)
                else:
                    before = merged.get(key)
                    if before is not None and (before.__class__ is not Scalar or before.secret):
                        node = in_place_of(node, before, *clashes.pop(key, ()))
                merged[key] = node
        if policy.word is not None:
            merged.pop(policy.word, None)
            clashes.pop(policy.word, None)
        if policy.order == "high":
            ordered = dict.fromkeys(key for part in reversed(group) for key in part.entries if key in merged)
            merged = {key: merged[key] for key in ordered}
        live = any(part.live for part in group)
        result = Mapping(merged, high.source, high.at, high.tag, live, parts=tuple(group), alone=low.alone)
        self.made.append(result)
        same = policy.uniform
        for key, nodes in clashes.items():
            self.work.append((merged, key, nodes, policy if same else policy.child(key)))
        return result

    def sequences(self, group: list[Sequence], policy: MergePolicy, reveal: Callable[[Node], Node]) -> Node:
        """Lists, folded by the rule that each higher one asks for, or the policy of the place."""
        slots = _items(group[0])
        for part in group[1:]:
            rule = list_rule(part, policy)
            try:
                slots = STRATEGIES[rule.strategy](slots, part, rule, reveal)
            except _BadKeys as trouble:
                return self.fail(trouble.diagnostic, part)
        items: list[Node] = [slot[-1] for slot in slots]
        live = any(part.live for part in group)
        high = group[-1]
        result = Sequence(items, high.source, high.at, high.tag, live, tuple(group), group[0].rule)
        self.made.append(result)
        names = list_rule(high, policy).keys
        for index, slot in enumerate(slots):
            if len(slot) > 1:
                inner = policy if policy.uniform else policy.child(_item_step(slot[-1], names, index))
                self.work.append((items, index, slot, inner))
        return result

    def fail(self, diagnostic: Diagnostic, node: Node) -> Failure:
        self.failed = True
        return Failure((diagnostic,), node.source, node.at)


def _all_plain(parts: list[Node]) -> bool:
    """Whether these are mappings that all matter and say nothing about how they are merged, as they nearly always are."""
    for part in parts:  # noqa: SIM110  every merge asks, and a loop is quicker
        if part.__class__ is not Mapping or part.tag is not None or part.alone:
            return False
    return True


def misplaced(mark: Mark) -> Diagnostic:
    """A word to the merge of lists that stands where no list is."""
    hint = "head the list with `- !merge-by name`, or tag it `!merge-by:name`"
    return BAD_MARK(Label.of(mark), tag="!merge-by", why="belongs at the head of a list", hint=hint)


def overlay(parts: list[Node], policy: MergePolicy) -> Overlay:
    """A merge that waits. A waiting merge at the low end is continued rather than nested."""
    low = parts[0]
    if isinstance(low, Overlay) and low.policy is policy:
        return Overlay((*low.parts, *parts[1:]), policy)
    return Overlay(tuple(parts), policy)


def _said(node: Node, word: str) -> str | None:
    """How a mapping itself asks to be merged."""
    said = node.entries.get(word) if isinstance(node, Mapping) else None
    return said.text if isinstance(said, Scalar) else None


def alike(a: Node, b: Node) -> bool:
    """Whether two known nodes can be merged into one."""
    return a.__class__ is b.__class__ and not isinstance(a, Scalar) and a.tag == b.tag  # type: ignore[attr-defined]


def decides(node: Node, policy: MergePolicy) -> bool:
    """Whether nothing below a known node matters."""
    if isinstance(node, Mapping):
        return node.alone
    return not isinstance(node, Sequence) or list_rule(node, policy).strategy == "replace"


def list_rule(node: Sequence, policy: MergePolicy) -> ListRule:
    """What a list itself says (by a tag, or by its first item), else the policy of the place."""
    if node.rule is not None:
        return node.rule
    head = node.items[0] if node.items else None
    return head.rule if isinstance(head, Mark) and head.rule is not None else policy.lists


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _item_step(item: Node, names: tuple[str, ...], index: int) -> Keyed | int:
    if not names or not isinstance(item, Mapping):
        return index
    fields = [item.entries.get(name) for name in names]
    return Keyed(names, tuple(field.text if isinstance(field, Scalar) else "" for field in fields))


# The strategies: slots of contributions, lowest first, and the next higher list.

Slots = list[list[Node]]


class _BadKeys(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__()
        self.diagnostic = diagnostic


def _items(part: Sequence) -> Slots:
    """The items of a list, without the mark that heads it."""
    return [[item] for item in part.items if not (isinstance(item, Mark) and item.rule)]


def _replace(slots: Slots, part: Sequence, rule: ListRule, reveal: Callable[[Node], Node]) -> Slots:
    return _items(part)


def _append(slots: Slots, part: Sequence, rule: ListRule, reveal: Callable[[Node], Node]) -> Slots:
    return slots + _items(part)


def _prepend(slots: Slots, part: Sequence, rule: ListRule, reveal: Callable[[Node], Node]) -> Slots:
    return _items(part) + slots


def _by_index(slots: Slots, part: Sequence, rule: ListRule, reveal: Callable[[Node], Node]) -> Slots:
    higher = _items(part)
    paired = [low + high for low, high in zip(slots, higher, strict=False)]
    return paired + slots[len(paired) :] + higher[len(paired) :]


def _as_set(slots: Slots, part: Sequence, rule: ListRule, reveal: Callable[[Node], Node]) -> Slots:
    seen = {reveal(slot[-1]) for slot in slots}
    new = dict.fromkeys(reveal(item) for (item,) in _items(part))
    return slots + [[item] for item in new if item not in seen]


def _where_asked(slots: Slots, part: Sequence, rule: ListRule, reveal: Callable[[Node], Node]) -> Slots:
    """The higher list; its items that ask to be merged (under the key that the rule names) lie over those at the same position."""
    higher = _items(part)
    for index, slot in enumerate(higher):
        if index < len(slots) and _said(slot[0], rule.keys[0]) == "merge":
            slot[:0] = slots[index]
    return higher


def _by_key(slots: Slots, part: Sequence, rule: ListRule, reveal: Callable[[Node], Node]) -> Slots:
    index: dict[object, list[Node]] = {}
    for slot in slots:
        index[_unique_key(slot[0], rule, index, reveal)] = slot
    added: Slots = []
    seen: dict[object, list[Node]] = {}
    for (item,) in _items(part):
        key = _unique_key(item, rule, seen, reveal)
        seen[key] = [item]
        if key in index:
            index[key].append(item)
        else:
            added.append([item])
    return slots + added


def _unique_key(item: Node, rule: ListRule, seen: dict[object, list[Node]], reveal: Callable[[Node], Node]) -> object:
    names = rule.keys
    key = key_of(item, names, reveal, rule.defaults)
    if key is None:
        missing = ", ".join(names)
        raise _BadKeys(KEY_MISSING(Label.of(item), key=missing, hint="every item needs it to be merged by key"))
    if key in seen:
        shown = ", ".join(f"{name}={value[1]}" for name, value in zip(names, key, strict=True))
        raise _BadKeys(
            KEY_TWICE(Label.of(seen[key][0]), Label.of(item), key=shown, hint="rename or remove one of them")
        )
    return key


STRATEGIES: dict[str, Callable[[Slots, Sequence, ListRule, Callable[[Node], Node]], Slots]] = {
    "replace": _replace,
    "append": _append,
    "prepend": _prepend,
    "index": _by_index,
    "set": _as_set,
    "key": _by_key,
    "where asked": _where_asked,
}


def _kinds_differ(high: Node, low: Node) -> Diagnostic:
    return KINDS_DIFFER(
        Label.of(low, f"a {low.kind}"),
        Label.of(high, f"a {high.kind}"),
        high=high.kind,
        low=low.kind,
        hint="`!replace`, or `kinds: replace` in plait.yaml, lets the higher one win",
    )
