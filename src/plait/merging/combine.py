"""Merging: all layers of a path in one pass, lowest first.

The laws (tests/laws has a property of each name):

* Fold from the low end. A value of another kind replaces what is below it and the fold goes on from there.
* So only the parts above the last change of kind matter. They are gathered from the top down, and gathering stops at a
  part that decides alone: a scalar, a list that replaces, a mapping that asks to. What is below is never looked at.
* Among mappings the empty mapping is neutral. Key order is low layer first, then new keys.
* A part that is not known yet makes the merge a node of its own, an `Overlay`, which merges on demand.
* Nothing is copied that one part alone has, and nothing is recorded per value: a merged container keeps its parts and
  policy.

What is decided at one place is decided by `gather` (which parts matter, and why the others do not) and by
`align.arranged` (which items of lists become one). `merging.account` asks the same two functions when asked.
"""

from __future__ import annotations

from plait.core import native
from plait.core.diagnostic import Diagnostic, Label
from plait.core.node import (
    Clash,
    Container,
    Deferred,
    Failure,
    Key,
    ListNode,
    MapNode,
    Mark,
    Node,
    Overlay,
    Parts,
    Scalar,
    Suspension,
    Unknown,
    in_place_of,
)
from plait.core.policy import REPLACE, ListRule, MergePolicy
from plait.report.catalog import BAD_MARK, KEY_MISSING, KEY_TWICE, KINDS_DIFFER, MERGE_FORBIDDEN, NULL_OVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    from plait.core.node import Report
    from plait.merging.align import Reveal

    P = TypeVar("P")
    Target = dict[Key, Node] | list[Node]
    Work = list[tuple[Target, Key | int, list[Node], MergePolicy]]

REPLACED, UNSET, OTHER_KIND, FAILED, NOT_KNOWN = "replaced", "unset", "another kind", "failed", "not known"
"""Why parts that are below others do not matter."""


class Wait(Exception):
    """These nodes must be known before the parts can be merged."""

    def __init__(self, *nodes: Node) -> None:
        self.nodes = nodes


class Conflict(Exception):
    """Parts that must not be merged, and the part that the error is reported for. `report` makes the error, for words
    that say where it is."""

    def __init__(self, report: Report, node: Node) -> None:
        self.report = report
        self.node = node


class Unclear(Exception):
    """Lists whose items cannot be told apart, because a value that does so could not be computed."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure


class AtRest:
    """How a merge looks at its parts before anything is evaluated: a deferred one has to wait."""

    def known(self, node: Node) -> Node:
        if isinstance(node, Deferred) and not isinstance(node, Mark) and not is_scalar(node):
            raise Wait(node)
        return node

    def whole(self, node: Node) -> Node:
        if node.live:
            raise Wait(node)
        return node


AT_REST = AtRest()
LOWER = Failure(())
"""Stands for what is at a place already, where the merge of a place goes on."""


def combine(
    parts: Iterable[Node],
    policy: MergePolicy,
    reveal: Reveal | None = None,
    failing: Callable[[Node], object] | None = None,
) -> Node:
    """The parts, lowest first, as one node.

    Without `reveal` a part that is not known yet leads to an `Overlay`; with it, it is asked for the parts that
    matter and may raise. `failing` is handed a result that has failures in it.
    """
    given = list(parts)
    if len(given) == 1 and reveal is None:
        return given[0]
    begun = native.merge(given, policy, in_place_of, Mark, Parts) if policy.usual and native.merge is not None else None
    if begun is not None and not begun[1]:
        return begun[0]
    combiner = _Combiner(reveal)
    merged = combiner.merge(given, policy) if begun is None else combiner.go_on([begun[0]], begun[1])
    if combiner.failed:
        merged = _Combiner(reveal, live=True).merge(given, policy)
        if failing is not None:
            failing(merged)
    return merged


class _Combiner:
    """One merge. `live`: every container says that something in it is left to do, so that a failure below it is
    found."""

    def __init__(self, reveal: Reveal | None, live: bool = False) -> None:
        self.reveal = reveal
        self.live = live
        self.work: Work = []
        self.later: list[Node] = []
        """The highest lists of the place that was just folded: they compare whole items, which must be merged first."""
        self.failed = False

    def merge(self, parts: list[Node], policy: MergePolicy) -> Node:
        holder = [self.fold(parts, policy, self.reveal)]
        if self.later:
            self.postpone(holder, 0, 0, policy)
        return self.go_on(holder, self.work)

    def go_on(self, holder: list[Node], work: Work) -> Node:
        """What is at the top, once all that is left inside is merged."""
        self.work = work
        while work:
            target, key, below, inner = work.pop()
            if below[0] is LOWER:
                below[0] = target[key]  # type: ignore[index]
            before = len(work)
            node = self.fold(below, inner, self.reveal if target is holder else None)
            target[key] = node  # type: ignore[index]
            if self.later:
                self.postpone(target, key, before, inner)
        return holder[0]

    def postpone(self, target: Target, key: Key | int, before: int, policy: MergePolicy) -> None:
        """Lay the lists that are left over a place when everything in it is merged."""
        self.work.insert(before, (target, key, [LOWER, *self.later], policy))
        self.later = []

    def fold(self, parts: list[Node], policy: MergePolicy, reveal: Reveal | None) -> Node:
        """One place: the parts that matter, merged; what is deeper is put on the list of work."""
        if policy.word is None and len(parts) > 1 and _all_plain(parts):
            return self.mappings(parts, policy)  # type: ignore[arg-type]
        if (
            reveal is None
            and policy.word is None
            and len(parts) == 2
            and isinstance(parts[0], Suspension)
            and not parts[0].expression.like_scalar
            and _all_plain(parts[1:])
        ):
            return overlay(parts, policy)  # the commonest of those that wait
        look = reveal or AT_REST
        try:
            group = gather(parts, parts, policy, look.known)[0]
            if len(group) < len(parts):
                overridden = parts[: len(parts) - len(group)]
                group = [in_place_of(part, *overridden) for part in group]
            if isinstance(group[0], Unknown):
                return self.partly(group[0], group[1:], parts, policy, look)
            return group[0] if len(group) == 1 else self.alike(group, policy, look)
        except Conflict as conflict:
            self.failed = True
            return Clash(conflict.report, conflict.node.source, conflict.node.at)
        except Unclear as unclear:
            self.failed = True
            failure = unclear.failure
            if not isinstance(failure, Unknown):
                return failure
            return failure.with_inputs((failure, *map(look.whole, parts)), None)
        except Wait:
            if reveal is not None:
                raise
            return overlay(parts, policy)

    def partly(self, low: Unknown, over: list[Node], parts: list[Node], policy: MergePolicy, reveal: Reveal) -> Unknown:
        """Something that is not known: with what is known over it, and with what is below it as its input."""
        at = len(parts) - len(over) - 1
        below = [node for part in parts[:at] if isinstance(node := reveal.whole(part), Container)]
        group = [low.known, *over] if low.known is not None and over and alike(low.known, over[0]) else over
        if not group:
            return low.over(low.known, *below) if below else low
        known = group[0] if len(group) == 1 else self.alike(group, policy, reveal)
        assert isinstance(known, Container)
        return low.over(known, *below)

    def alike(self, group: list[Node], policy: MergePolicy, reveal: Reveal) -> Node:
        """Maps or lists, merged."""
        if isinstance(group[-1], MapNode):
            return self.mappings(group, policy)  # type: ignore[arg-type]
        return self.sequences(group, policy, reveal)  # type: ignore[arg-type]

    def mappings(self, group: list[MapNode], policy: MergePolicy) -> MapNode:
        low, high = group[0], group[-1]
        strict, union = policy.strict, native.union
        merged, clashes = _union(group, strict) if strict or union is None else union(group, in_place_of, Mark)
        if policy.word is not None:
            merged.pop(policy.word, None)
            clashes.pop(policy.word, None)
        if policy.order == "high":
            ordered = dict.fromkeys(key for part in reversed(group) for key in part.entries if key in merged)
            merged = {key: merged[key] for key in ordered}
        live = self.live
        for part in group:
            live = live or part.live
        parts = Parts(group)
        parts.policy = policy
        result = MapNode(merged, high.source, high.at, high.tag, live, parts=parts, alone=low.alone)
        same = policy.uniform
        for key, nodes in clashes.items():
            self.work.append((merged, key, nodes, policy if same else policy.child(key)))
        return result

    def sequences(self, group: list[ListNode], policy: MergePolicy, reveal: Reveal) -> Node:
        """Lists, folded by the rule that each higher one asks for, or the policy of the place."""
        from plait.merging.align import ARRANGEMENTS

        slots = [[item] for item in items_of(group[0])]
        same = policy.uniform and policy.default.inside is None
        inner: list[MergePolicy | None] = [None] * len(slots)
        for number, part in enumerate(group[1:], 1):
            items = items_of(part)
            rule = list_rule(part, policy)
            strategy = ARRANGEMENTS[rule.strategy]
            if strategy.joins:  # what is there stays as it is, so that a thousand lists are not copied a thousand times
                at = len(slots) if strategy.joins == "end" else 0
                slots[at:at] = [[item] for item in items]
                inner[at:at] = [None] * len(items)
                continue
            if rule.strategy == "set" and any(len(slot) > 1 for slot in slots):
                self.later, group = list(group[number:]), group[:number]
                break
            rows = matched(slots, items, rule, policy, reveal)
            if not same:
                merged = merged_rows(inner, rows, items, rule, policy, reveal)
                if merged is None:
                    self.later, group = list(group[number:]), group[:number]
                    break
                inner = merged
            slots = [
                [in_place_of(items[j], *slots[i])]
                if strategy.whole and i is not None and j is not None
                else [*(slots[i] if i is not None else ()), *(items[j : j + 1] if j is not None else ())]
                for i, j in rows
            ]
        items = [slot[-1] for slot in slots]
        live = self.live or any(part.live for part in group)
        high = group[-1]
        parts = Parts(group)
        parts.policy = policy
        result = ListNode(items, high.source, high.at, high.tag, live, parts, own_rule(group[0]))
        for index, slot in enumerate(slots):
            if len(slot) > 1:
                self.work.append((items, index, slot, policy if same else inner[index] or policy))
        return result


def _union(group: list[MapNode], strict: bool = False) -> tuple[dict[Key, Node], dict[Key, list[Node]]]:
    """The entries of some mappings, those of higher ones over those of lower ones; and for each key at which something
    has to be merged, what. With `strict` a single value is no exception: its kind matters."""
    merged = dict(group[0].entries)
    clashes: dict[Key, list[Node]] = {}
    for part in group[1:]:
        for key, node in part.entries.items():
            before = merged.get(key)
            if node.__class__ is not Scalar or strict:
                if isinstance(node, Mark) and node.taken is not None:
                    node = node.taken
                if before is not None:
                    clashes.setdefault(key, [before]).append(node)
            elif before is not None and (before.__class__ is not Scalar or before.secret):
                node = in_place_of(node, before, *clashes.pop(key, ()))
            merged[key] = node
    return merged, clashes


def is_scalar(node: Node) -> bool:
    """Whether an expression counts as a scalar in every merge."""
    return isinstance(node, Suspension) and node.expression.like_scalar


def gather(
    parts: Sequence[P], nodes: Sequence[Node], policy: MergePolicy, known: Callable[[P], Node]
) -> tuple[list[Node], int, str]:
    """The parts that matter, lowest first; the index of the lowest of them; and why those below it do not matter, where
    there are any. `nodes` are the parts as they are before anything is evaluated.

    The mark alone where the highest word is `!unset`. Raises `Conflict` where the parts must not be merged.
    """
    group: list[Node] = []
    reason = ""
    for part, deferred in zip(reversed(parts), reversed(nodes), strict=True):
        alone = is_scalar(deferred)
        if group and alone:  # it is replaced, and never evaluated
            reason = OTHER_KIND
            break
        node = known(part)
        if isinstance(node, Unknown):  # what is over it is known all the same
            group.append(node)
            reason = NOT_KNOWN
            break
        if isinstance(node, Failure):
            return [node], len(parts) - len(group) - 1, FAILED
        if isinstance(node, Mark):
            if node.rule is not None:
                raise Conflict(_anywhere(misplaced(node)), node)
            reason = UNSET
            if not group:
                group.append(node)
            break
        if group and not alike(node, group[-1]):
            reason = OTHER_KIND
            break
        if policy.word is not None and group and isinstance(node, MapNode):
            from plait.merging.align import word_of

            word = word_of(group[-1], policy.word) or word_of(node, policy.word) or "merge"
            if word == "error":
                raise Conflict(_forbidden(group[-1], node), group[-1])
            if word != "merge":
                reason = REPLACED
                break
        group.append(node)
        if alone or decides(node, policy):
            reason = REPLACED
            break
    if policy.kinds == "error":
        _check_kinds(parts, known)
    if policy.nulls == "error":
        _check_null(nodes)
    group.reverse()
    return group, len(parts) - len(group), reason


def _check_kinds(parts: Sequence[P], known: Callable[[P], Node]) -> None:
    """That no part is of another kind than the one below it.

    Null is of every kind, and so is what failed or was removed.
    """
    low: Node | None = None
    for part in parts:
        high = known(part)
        if isinstance(high, Failure) and high.diagnostics and high.diagnostics[0].code == KINDS_DIFFER.code:
            raise Conflict(high.report if isinstance(high, Clash) else _anywhere(high.diagnostics[0]), high)
        if low is not None and not _same_kind(low, high) and not asks_to_replace(high):
            raise Conflict(_kinds_differ(high, low), high)
        low = None if isinstance(high, Failure | Mark) or _is_null(high) else high


def _check_null(nodes: Sequence[Node]) -> None:
    """That the highest part is not a null, as it is written, over another value."""
    if _is_null(nodes[-1]):
        below = next((node for node in reversed(nodes) if not _is_null(node)), None)
        if below is not None and not isinstance(below, Mark):
            raise Conflict(_null_over(nodes[-1], below), nodes[-1])


def _same_kind(low: Node, high: Node) -> bool:
    return (
        isinstance(high, Failure | Mark)
        or _is_null(high)
        or (low.kind == high.kind and (isinstance(low, Scalar) or alike(low, high)))
    )


def asks_to_replace(node: Node) -> bool:
    """Whether a container is tagged `!replace`."""
    if isinstance(node, ListNode):
        return node.rule is not None and node.rule.strategy == "replace"
    return isinstance(node, MapNode) and node.alone


def replacing(node: Node) -> Node:
    """A container that asks to replace what is below it; any other node does so anyway."""
    if isinstance(node, ListNode):
        return ListNode(node.items, node.source, node.at, node.tag, node.live, node.parts, REPLACE)
    if isinstance(node, MapNode):
        return MapNode(node.entries, node.source, node.at, node.tag, node.live, node.marks, node.parts, alone=True)
    return node


def matched(
    slots: list[list[Node]], high: list[Node], rule: ListRule, policy: MergePolicy, reveal: Reveal
) -> list[tuple[int | None, int | None]]:
    """Which item of a list becomes one with which item of a higher list; a list of parts stands for an item that is
    merged already.

    Items that lack their key, or share it, are a conflict.
    """
    from plait.merging.align import KeyMissing, KeyTwice, arranged

    low = [slot[0] if len(slot) == 1 else _as_one(slot, rule, policy, reveal) for slot in slots]
    try:
        return arranged(low, high, rule, reveal)
    except KeyMissing as missing:
        if missing.failure is not None:
            raise Unclear(missing.failure) from None
        hint = "every item of a list that is merged by key needs it; add it to this item"
        label = Label(missing.item.origin)
        key = ", ".join(rule.keys)
        raise Conflict(lambda at: KEY_MISSING(label, key=key, hint=hint, at=at), missing.item) from None
    except KeyTwice as twice:
        shown = ", ".join(f"{name}={value[1]}" for name, value in zip(rule.keys, twice.key, strict=True))
        labels = (Label(twice.first.origin), Label(twice.second.origin))
        hint = "rename or remove one of them"
        raise Conflict(lambda at: KEY_TWICE(*labels, key=shown, hint=hint, at=at), twice.second) from None


def _as_one(slot: list[Node], rule: ListRule, policy: MergePolicy, reveal: Reveal) -> Node:
    """As much of a merged item as is needed to tell which one it is."""
    if rule.strategy == "set":
        return combine(slot, policy)
    group = gather(slot, slot, policy, reveal.known)[0]
    if not rule.keyed or not isinstance(group[-1], MapNode):
        return group[-1]
    entries: dict[Key, Node] = {}
    for part in (part for part in group if isinstance(part, MapNode)):
        entries.update({name: part.entries[name] for name in rule.keys if name in part.entries})
    return MapNode(entries, group[-1].source, group[-1].at)


def items_of(part: ListNode) -> list[Node]:
    """The items of a list, without the mark that heads it."""
    items = part.items
    return items[1:] if items and isinstance(items[0], Mark) and items[0].rule else items


def merged_rows(
    inner: list[MergePolicy | None],
    rows: list[tuple[int | None, int | None]],
    items: list[Node],
    rule: ListRule,
    policy: MergePolicy,
    reveal: Reveal,
) -> list[MergePolicy | None] | None:
    """The policies of the items of a merged list, once a higher list is over it; None for an item of one part.

    None altogether where an item that is merged already would be merged further by another policy: what is merged so
    far must be known first.
    """
    from plait.merging.align import ARRANGEMENTS

    made: list[MergePolicy | None] = []
    for at, (i, j) in enumerate(rows):
        before = inner[i] if i is not None else None
        if i is None or j is None or ARRANGEMENTS[rule.strategy].whole:
            made.append(None if j is not None else before)
            continue
        made.append(item_policy(items[j], at, rule, policy, reveal))
        if before is not None and before is not made[-1]:
            return None
    return made


def item_policy(item: Node, index: int, rule: ListRule, policy: MergePolicy, reveal: Reveal) -> MergePolicy:
    """The policy for an item of a merged list; a pattern names the item by its position or by its key."""
    if policy.uniform:
        return policy.items(rule)
    from plait.merging.align import item_name

    return policy.child(item_name(item, index, rule, reveal), index).items(rule)


def _all_plain(parts: list[Node]) -> bool:
    """Whether these are mappings that all matter and say nothing about how they are merged, as they nearly always
    are."""
    for part in parts:  # noqa: SIM110  every merge asks, and a loop is quicker
        if part.__class__ is not MapNode or part.tag is not None or part.alone:
            return False
    return True


def misplaced(mark: Mark) -> Diagnostic:
    """A `!merge-by` that is not the first item of a list, or an `!unset` of an item that is none."""
    if mark.rule is None:
        hint = "write `key: !unset`; `- !unset {name: web}` removes an item of a list that is merged by `name`"
        return BAD_MARK(Label(mark.origin), tag="!unset", why="takes no value here", hint=hint)
    hint = "head the list with `- !merge-by name`, or tag it `!merge-by:name`"
    return BAD_MARK(Label(mark.origin), tag="!merge-by", why="must be the first item of a list", hint=hint)


def overlay(parts: list[Node], policy: MergePolicy) -> Overlay:
    """A merge that waits. A waiting merge at the low end is continued rather than nested."""
    low = parts[0]
    if isinstance(low, Overlay) and low.policy is policy:
        return Overlay((*low.parts, *parts[1:]), policy)
    return Overlay(tuple(parts), policy)


def alike(a: Node, b: Node) -> bool:
    """Whether two known nodes can be merged into one."""
    return a.__class__ is b.__class__ and isinstance(a, Container) and isinstance(b, Container) and a.tag == b.tag


def decides(node: Node, policy: MergePolicy) -> bool:
    """Whether nothing below a known node matters."""
    if isinstance(node, MapNode):
        return node.alone
    return not isinstance(node, ListNode) or list_rule(node, policy).strategy == "replace"


def list_rule(node: ListNode, policy: MergePolicy) -> ListRule:
    """What a list itself says (by a tag, or by its first item), else the policy of the place."""
    return own_rule(node) or policy.lists


def own_rule(node: ListNode) -> ListRule | None:
    """What a list itself says about how it is merged with what is below it."""
    if node.rule is not None:
        return node.rule
    head = node.items[0] if node.items else None
    return head.rule if isinstance(head, Mark) else None


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _null_over(high: Node, low: Node) -> Report:
    kind = "value" if isinstance(low, Deferred) else low.kind
    hint = "`nulls: delete` lets null remove a key, `nulls: keep` takes it as a value; `!unset` removes a key"
    return lambda at: NULL_OVER(Label(low.origin), Label(high.origin), kind=kind, at=at, hint=hint)


def _anywhere(diagnostic: Diagnostic) -> Report:
    """A report that says the same wherever it is."""
    return lambda at: diagnostic


def _forbidden(high: Node, low: Node) -> Report:
    return lambda at: MERGE_FORBIDDEN(Label(high.origin), Label(low.origin), at=at or " here")


def _kinds_differ(high: Node, low: Node) -> Report:
    return lambda at: KINDS_DIFFER(
        Label(low.origin, f"a {low.kind}"),
        Label(high.origin, f"a {high.kind}"),
        high=high.kind,
        low=low.kind,
        at=at,
        hint="to let the higher layer win, tag the value `!replace` or set `kinds: replace` in plait.yaml",
    )
