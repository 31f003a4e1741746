"""The account of a merge: for any place of a merged tree, what took part, in which role, what was decided, and what was
dropped and why.

    account = Tracer(force, roles).account(tree, place)
    account.children["env"].children["DEBUG"].decision     # 'replaced'
    for path, leaf in account.leaves(): leaf.winner, leaf.losers

`combine` stores no history. An account is worked out on demand, from the parts that merged containers keep,
by the same two functions that decide a merge: `combine.gather` and `align.arranged`. Every answer to "where does
this come from" is a rendering of it; a rendering may leave things out, but determines nothing itself.

Law: the result of a merge can be rebuilt from its account alone (tests/merging/test_account.py).
"""

from __future__ import annotations

from plait.core import native
from plait.core.diagnostic import Fault
from plait.core.find import entry_key, is_meant, item_index, numbers
from plait.core.meter import Meter
from plait.core.node import (
    Bound,
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
    Remade,
    Scalar,
    Suspension,
    Unknown,
    before_forms,
    unbound,
)
from plait.core.path import Keyed, Path, Step
from plait.core.policy import LIST_STRATEGIES, MergePolicy
from plait.core.role import ANY_LAYER, NO_ROLES, Role, Roles
from plait.core.scope import Place
from plait.core.source import Computed, Source
from plait.merging.align import ARRANGEMENTS, own_names, shown_step
from plait.merging.combine import (
    NOT_KNOWN,
    OTHER_KIND,
    REPLACED,
    UNSET,
    Conflict,
    combine,
    gather,
    item_policy,
    items_of,
    list_rule,
    matched,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from plait.core.node import Change
    from plait.core.policy import ListRule
    from plait.core.resource import Fields

ACCOUNT = 24
"""Steps for the account of one value; each step of its path is one more. References are followed, and may multiply."""
ONLY, DEEP, FAILED, MATCHED = "only", "deep", "failed", "matched"
DUPLICATE, DELETED, LEFT_OUT = "duplicate", "deleted", "left out"
WINS = MergePolicy()
"""For a key of a shallow merge: the highest part wins, whatever it is."""
SAME = MergePolicy()
"""For a field that items or documents were matched by: all parts have the same value, and none of them lost."""
NO_FIELDS: Fields = {}


class Dropped:
    """A part, or what one says of a place, that is not in the result: why, and which part decided that.

    `above` is set where it was decided further up: the container that held it was dropped. `before` is set where it was
    gone before the winner came: without that, it is still not there.
    """

    __slots__ = ("above", "before", "by", "part", "reason")

    def __init__(
        self, part: Account, reason: str, by: Account | None, above: bool = False, before: bool = False
    ) -> None:
        self.part = part
        self.reason = reason
        self.by = by
        self.above = above
        self.before = before

    def __repr__(self) -> str:
        return f"Dropped({self.part!r}: {self.reason})"

    def was_removed_before(self, winner: Account) -> bool:
        """Whether something else than the winner removed it, or what it was in."""
        if self.by is None or self.by.node is winner.node or self.reason == NOT_KNOWN:
            return False
        return self.above or self.reason == UNSET

    def inside(self, removed: Dropped) -> Dropped:
        """The same where it lost inside of a part that was removed: what removed that, removed it, too."""
        return self if self.above or self.reason == UNSET else Dropped(self.part, removed.reason, removed.by, True)


class Tracer:
    """What accounts are worked out with: the value of a deferred node, the roles of parts, and what an expression
    merged."""

    def __init__(
        self, force: Callable[[Node, Place], Node], roles: Roles = NO_ROLES, meter: Meter | None = None
    ) -> None:
        self.force = force
        self.meter = meter or Meter()
        self.roles = roles
        self._accounts: dict[tuple[int, Place, str, str, tuple[str, ...]], Account] = {}
        """A part that many merges share has one account."""

    def account(self, node: Node, place: Place, role: Role = ANY_LAYER) -> Account:
        """The account of a tree, seen from a place."""
        if isinstance(node, Bound):
            node, place = unbound(node, place)
        role = self.roles.of(node, role)
        key = (id(node), place, role.kind, role.name, role.chain)
        if key not in self._accounts:
            self._accounts[key] = Account(self, node, place, role)
        return self._accounts[key]

    def merge(
        self, parts: Iterable[Node], policy: MergePolicy, node: Node, place: Place, keys: Fields = NO_FIELDS
    ) -> Account:
        """The account of a merge whose result, seen from a place, is `node`; `keys` are the fields that the parts were
        matched by."""
        each = tuple(self.account(part, place) for part in parts)
        if len(each) < 2:
            return self.account(node, place)
        return Account(self, node, place, each[-1].role, each, policy, keys=keys)

    def opened(self, node: Node, place: Place) -> tuple[list[tuple[Node, Role | None]], MergePolicy | None] | None:
        """What a node was merged from, lowest first, and with which policy; None for one that was written."""
        if isinstance(node, Suspension):
            if node.expression.like_scalar:
                return None
            parts = node.expression.merged_from(self.force(node, place), place)
            return (parts, policy_of(self.force(node, place))) if parts else None
        nodes: tuple[Node, ...] = node.parts if isinstance(node, Overlay | MapNode | ListNode) else ()
        if isinstance(nodes, Remade):
            return self.opened(nodes[0], place)
        policy = policy_of(node)
        if not nodes or (policy is None and isinstance(node, ListNode)):
            return None
        while (low := _continued(nodes[0], policy)) is not None:
            nodes = (*low, *nodes[1:])
        return [(part, None) for part in nodes], policy

    def left_out(self, account: Account) -> dict[Step, list[Dropped]]:
        """The keys of a map that parts have which do not take part in a merge, for a front that has such parts."""
        return {}

    # How `align` looks at nodes: they come bound to their places

    def known(self, node: Node) -> Node:
        task = unbound(node, _NOWHERE)
        return _spread(self.force(*task), task[1])

    def whole(self, node: Node) -> Node:
        """A copy with everything in it known."""
        made: list[Node] = [node]
        work: list[tuple[dict[Key, Node] | list[Node], Key | int]] = [(made, 0)]
        while work:
            target, key = work.pop()
            known = self.known(target[key])  # type: ignore[index]
            if isinstance(known, MapNode):
                entries = {name: child for name, child in known.entries.items() if not isinstance(child, Mark)}
                work.extend((entries, name) for name in entries)
                known = MapNode(entries, known.source, known.at, known.tag)
            elif isinstance(known, ListNode):
                items = [item for item in known.items if not isinstance(item, Mark)]
                work.extend((items, index) for index in range(len(items)))
                known = ListNode(items, known.source, known.at, known.tag)
            target[key] = known  # type: ignore[index]
        return made[0]


_NOWHERE = Place()


def policy_of(node: Node) -> MergePolicy | None:
    """The policy that a node was merged with; None for a shallow merge."""
    if isinstance(node, Overlay):
        return node.policy
    parts = node.parts if isinstance(node, MapNode | ListNode) else ()
    return parts.policy if isinstance(parts, Parts) else None


def written_values(root: Node) -> tuple[list[Node], int]:
    """The values of a node, if it and everything in it is just written in one source; else none. And how many steps
    their paths have, all together: lines of a deep text have long paths."""
    source, values, steps = root.source, list[Node](), 0
    if root.live or not isinstance(source, Source) or source.aliases or source.secrets:
        return [], 0
    if native.written is not None:
        return native.written(root, source) or ([], 0)
    stack: list[Iterator[Node]] = [iter((root,))]
    while stack:
        depth = len(stack)
        for node in stack[-1]:
            if node.source is not source:
                return [], 0
            if node.__class__ is Scalar:
                values.append(node)
                steps += depth
                continue
            if not isinstance(node, MapNode | ListNode) or node.parts:
                return [], 0
            below = node.entries.values() if isinstance(node, MapNode) else node.items
            if below:
                stack.append(iter(below))
                break
            values.append(node)
        else:
            stack.pop()
    return values, steps


def _continued(node: Node, policy: MergePolicy | None) -> tuple[Node, ...] | None:
    """The parts of a known prefix that was merged early, with the same policy: they are parts of the whole."""
    if policy is None or not isinstance(node, Overlay | MapNode | ListNode) or not node.parts:
        return None
    return node.parts if policy_of(node) is policy else None


def _spread(node: Node, place: Place) -> Node:
    """A container whose deferred children are bound to their places."""
    if not node.live or place is _NOWHERE:
        return node
    if isinstance(node, MapNode):
        entries = {key: _bound(child, place, key) for key, child in node.entries.items()}
        return MapNode(entries, node.source, node.at, node.tag, True)
    if isinstance(node, ListNode):
        items = [_bound(child, place, number) for number, child in zip(numbers(node.items), node.items, strict=True)]
        return ListNode(items, node.source, node.at, node.tag, True, rule=node.rule)
    return node


def _bound(node: Node, place: Place, step: Step) -> Node:
    return Bound(node, place.child(step)) if node.live and not isinstance(node, Bound | Mark | Failure) else node


class Slot:
    """An item of a merged list: what it is made of so far, lowest first, how it came there, how its parts are
    merged, and the fields that they were matched by."""

    __slots__ = ("how", "keys", "parts", "policy")

    def __init__(
        self, parts: list[Account], how: str = "", policy: MergePolicy = WINS, keys: Fields = NO_FIELDS
    ) -> None:
        self.parts = parts
        self.how = how
        self.policy = policy
        self.keys = keys


KNOWN = {Scalar, MapNode, ListNode}
"""What is no mark, and cannot become one."""


class Account:
    """The account of one place. `node` is what is there before anything is evaluated."""

    __slots__ = (
        "_children",
        "_decided",
        "_lost",
        "_names",
        "_parts",
        "_role",
        "_steps",
        "_straight",
        "_there",
        "_values",
        "above",
        "before",
        "how",
        "keys",
        "node",
        "place",
        "policy",
        "tracer",
        "up",
    )

    def __init__(
        self,
        tracer: Tracer,
        node: Node,
        place: Place,
        role: Role | Account,
        parts: tuple[Account, ...] | None = None,
        policy: MergePolicy | None = None,
        above: tuple[Dropped, ...] = (),
        how: str = "",
        keys: Fields = NO_FIELDS,
        up: Account | None = None,
    ) -> None:
        self.up = up
        """What it is in: the container that one part wrote, or the merge that it is a part of."""
        self.tracer = tracer
        self.node = node
        self.place = place
        self._role = role
        """In which role it takes part; the account that it is below until its role is asked for."""
        self.policy = policy
        self.above = above
        """What parts that were dropped further up say of this place."""
        self.how = how
        """For an item of a merged list: how it came there (`appended`, `by key`, ...)."""
        self.keys = keys
        """The fields that parts were matched by, here and below."""
        self._parts = parts
        self._decided: tuple[tuple[Account, ...], tuple[Dropped, ...], str] | None = None
        self._children: dict[Step, Account] | None = None
        self._there: list[Account] | None = None
        """Of a list: the children that the result has."""
        self._names: Mapping[Step, Step] | None = None
        self._lost: dict[Step, list[Dropped]] = {}
        self._values: list[Node] | None = None
        self._steps = 0
        self.before: Account | None = None
        """The account of the value as it was merged, where a front gave it another form afterwards."""
        self._straight: Account | bool | None = None
        """The outermost account, where nothing on the way to it is merged, computed or named by an alias."""

    def __repr__(self) -> str:
        return f"Account({self.node.origin}, {self.role.kind})"

    @property
    def role(self) -> Role:
        """In which role it takes part in a merge."""
        waiting, role = [self], self._role
        while isinstance(role, Account):  # without recursion: data may be deep
            waiting.append(role)
            role = role._role
        waiting.pop()
        for account in reversed(waiting):
            role = account._role = self.tracer.roles.of(account.node, role)
        return role

    @property
    def known(self) -> Node:
        """The value here, known at its outermost; a mark where it is gone."""
        return self.tracer.force(self.node, self.place) if isinstance(self.node, Deferred) else self.node

    @property
    def shape(self) -> Node:
        """The same; of what is partly known the map or list that is known."""
        known = self.known
        return known.known if isinstance(known, Unknown) and known.known is not None else known

    @property
    def gone(self) -> bool:
        return isinstance(self.known, Mark)

    @property
    def parts(self) -> tuple[Account, ...]:
        """What was merged here, lowest first; empty for what one part wrote."""
        if self._parts is None:
            opened = self.tracer.opened(self.node, self.place)
            made: list[Account] = []
            if opened is not None:
                pairs, self.policy = opened
                made = [self._part(node, role) for node, role in pairs]
            if made and isinstance(self.node, Suspension) and isinstance(self.known, Failure):
                made = [part for part in made if not self._is_below(part)]
            self._parts = tuple(made)
        return self._parts

    def _is_below(self, other: Account) -> bool:
        """Whether another one is merged from this one, as far as that was asked: so it is where values wait for each
        other in a ring, which is an error. Who walks through parts must come to an end."""
        stack, seen = [other], {id(other)}
        for top in stack:  # grows while it is walked
            if top is self:
                return True
            fresh = [part for part in top._parts or () if id(part) not in seen]
            seen.update(map(id, fresh))
            stack += fresh
        return False

    def _part(self, node: Node, role: Role | None) -> Account:
        made = self.tracer.account(node, self.place, self.role if role is None else role.inside(self.role))
        made.up = made.up or self
        return made

    @property
    def is_straight(self) -> bool:
        """Whether what is in here came through nothing: one part wrote it, and everything that it is in, in place."""
        waiting: list[Account] = []
        account: Account = self
        while True:
            top = account._straight
            if top is False or (isinstance(top, Account) and top.up is None):
                break
            waiting.append(account)
            source = account.node.source
            aliased = not isinstance(source, Computed) and bool(source.aliases)
            if aliased or isinstance(account.node, Suspension) or account.parts:
                top = False
                break
            if account.up is None:
                top = account
                break
            account = account.up
        for one in waiting:
            one._straight = top
        return top is not False

    @property
    def values(self) -> list[Node]:
        """The values of what one part wrote in one piece, in place, and of which no other part says anything, in order.
        Empty for everything else."""
        if self._values is None:
            alone = self.is_straight and not self.above and self.tracer.__class__ is Tracer
            self._values, self._steps = written_values(self.node) if alone else ([], 0)
        return self._values

    # The decision

    @property
    def kept(self) -> tuple[Account, ...]:
        """The parts that the result is made of, lowest first."""
        return self._decide()[0]

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What is not in the result, highest first: parts of this place, and what dropped containers say of it."""
        return self._decide()[1]

    @property
    def decision(self) -> str:
        """`only`, `deep`, `replaced`, `appended`, `prepended`, `by key`, `by index`, `as set`, `matched`, `unset`,
        `another kind`, `failed`, `not known`."""
        return self._decide()[2]

    def _decide(self) -> tuple[tuple[Account, ...], tuple[Dropped, ...], str]:
        if self._decided is None:
            self._decided = self._decision() if self.parts else ((self,), self.above, self._alone())
        return self._decided

    def _alone(self) -> str:
        """What is decided where there is one part."""
        if isinstance(self.node, Mark) and self.node.rule is None:
            return UNSET
        return REPLACED if self.above else ONLY

    def _decision(self) -> tuple[tuple[Account, ...], tuple[Dropped, ...], str]:
        parts = self.parts
        if self.policy is SAME:
            return parts, self.above, MATCHED
        if self.policy is None or self.policy is WINS:
            low = len(parts) - 1 if self.policy is WINS else 0
            group, reason = [part.known for part in parts[low:]], REPLACED
        else:
            try:
                group, low, reason = gather(parts, [part.node for part in parts], self.policy, _known)
            except Conflict:
                return parts, self.above, FAILED
        kept = parts[low:] if reason != FAILED else parts[low : low + 1]
        dropped = [*self._story(parts[:low], kept[0], reason), *self.above]
        if isinstance(group[-1], Mark):
            return kept, tuple(dropped), UNSET
        if len(kept) == 1:
            return kept, tuple(dropped), (reason or REPLACED) if dropped else ONLY
        top = group[-1]
        if isinstance(top, ListNode) and self.policy is not None:
            return kept, tuple(dropped), LIST_STRATEGIES[list_rule(top, self.policy).strategy].decided
        return kept, tuple(dropped), DEEP

    @property
    def list_rules(self) -> list[ListRule]:
        """Of a list: how each part was merged with what is below it, or that it replaced that."""
        policy = self.policy
        if policy is None or not isinstance(self.known, ListNode):
            return []
        replaced = any(isinstance(drop.part.node, ListNode) and drop.by is self.kept[0] for drop in self.dropped)
        return [list_rule(_list(part), policy) for part in self.kept[0 if replaced else 1 :]]

    def _story(self, below: tuple[Account, ...], by: Account, reason: str) -> Iterator[Dropped]:
        """Why each of the parts that do not matter was dropped, highest first: by which of those above it."""
        above: Account | None = None
        for number, part in enumerate(reversed(below)):
            if isinstance(part.node, Mark):
                by, reason, above = part, UNSET, None
                yield from part.dropped  # items that were merged in another way before
                continue
            written = not isinstance(part.node, Deferred) or (reason == OTHER_KIND and not number)
            if above is not None and written and part.known.kind != above.known.kind:
                by, reason = above, OTHER_KIND  # whatever came later: this one had replaced it already
            if reason == REPLACED and written and part.known.kind != by.known.kind:
                yield Dropped(part, OTHER_KIND, by)
            else:
                yield Dropped(part, reason, by)
            above = part if written else None

    # One step down

    @property
    def children(self) -> dict[Step, Account]:
        """The keys or items here, each with its account, in order; those that are `gone` too."""
        if self._children is None:
            stack = [self]
            while stack:  # accounts of parts first: a merge of merges of merges is not walked on Python's stack
                top = stack[-1]
                waiting = [part for part in top.parts if part._children is None]
                if top._children is None and waiting:
                    stack.extend(waiting)
                    continue
                stack.pop()
                if top._children is None:
                    top._children = top._below()
        assert self._children is not None
        return self._children

    @property
    def lost(self) -> dict[Step, list[Dropped]]:
        """The keys that only dropped parts have, and the items that a merge of lists left out, by their index there."""
        return self._lost if self.children is not None else {}

    def _is_ring(self, known: Node) -> bool:
        """Whether it is an expression that gives something that it is in itself: that has no end."""
        if not isinstance(self.node, Deferred) or not isinstance(known, MapNode | ListNode) or not known.live:
            return False
        below = known.entries.values() if isinstance(known, MapNode) else known.items
        holder = next((child.place.parent for child in below if isinstance(child, Bound)), None)
        if holder is None:
            return False
        outer: Account | None = self
        while outer is not None:
            above = outer.place.parent
            while above is not None and above.depth > holder.depth:
                above = above.parent
            if above is holder:
                return True
            outer = outer.up
        return False

    def _below(self) -> dict[Step, Account]:
        known = self.shape
        if self._is_ring(known):
            return {}
        if isinstance(known, MapNode | ListNode) and isinstance(known.parts, Remade):
            return self._remade(known, known.parts)
        if isinstance(known, MapNode):
            return self._keys(known)
        self._lost = self._only_above({})
        if not isinstance(known, ListNode):
            return {}
        if len(self.kept) > 1:
            return self._items(known)
        if not self.parts:
            return self._written_items(known)
        below = self.kept[0].children
        if len(below) != len(known.items):
            return below
        return {step: child._shown_as(node) for (step, child), node in zip(below.items(), known.items, strict=True)}

    def _remade(self, known: MapNode | ListNode, forms: Remade) -> dict[Step, Account]:
        """The keys or items of a container that has another form now: each as it was merged before."""
        before = self.before or self.tracer.account(forms[0], self.place)
        below, self._lost = before.children, before.lost
        items = enumerate(known.items) if isinstance(known, ListNode) else ()
        rows = dict(self._alone_below(known.entries if isinstance(known, MapNode) else dict[Step, Node](items)))
        for step, new in rows.items():
            was = forms.steps.get(step)  # type: ignore[arg-type]
            if was is not None and was[0] in below:
                rows[step] = below[was[0]]._now(new.node, new.place, was[1])
        return rows

    def _now(self, node: Node, place: Place, change: Change | None) -> Account:
        """The same, in the form that a front gave it after the merge: what it overrides gets that form, too."""
        if isinstance(node, Deferred) or (node is self.node and (change is None or not self.dropped)):
            return self
        parts, above = self.parts, self.above
        forms = node.parts if isinstance(node, Container) and node.kind == self.known.kind else ()
        merged = before_forms(node)
        is_other = merged is not self.node and isinstance(merged, Container) and bool(merged.parts)
        if is_other and change is None and not (parts or above):
            return self.tracer.account(node, place)  # what was written is a part of a merge now
        if parts and (self.dropped or not isinstance(forms, Remade)):
            last = parts[-1]._now(node, place, None) if change is None else parts[-1]._changed(change)
            parts = (*(part._changed(change) for part in parts[:-1]), last)
        if change is not None:
            above = tuple(Dropped(drop.part._changed(change), drop.reason, drop.by, drop.above) for drop in above)
        made = Account(self.tracer, node, place, self.role, parts, self.policy, above, self.how, self.keys, self.up)
        made.before = self
        return made

    def _changed(self, change: Change | None) -> Account:
        try:
            return self if change is None else self._now(change(self.node), self.place, change)
        except Fault:
            return self  # a value that is overridden may be wrong

    def _shown_as(self, node: Node) -> Account:
        """The same where the result has another node for it: what is in place of a secret is secret, too."""
        if isinstance(node, Bound):
            node = unbound(node, self.place)[0]
        if node is self.node or node.kind != self.node.kind or not isinstance(node.source, Source):
            return self
        if not node.source.secrets or isinstance(node, Deferred | Mark):
            return self
        more = (self._parts, self.policy, self.above, self.how, self.keys, self.up)
        return Account(self.tracer, node, self.place, self.role, *more)

    def _keys(self, known: MapNode) -> dict[Step, Account]:
        """The keys of a map, each with what the parts say of it."""
        rows: dict[Step, list[Account]] = {}
        simple = not self.dropped
        if self.parts:
            for number, part in enumerate(self.kept):
                for key, child in part.children.items():
                    taken = child._taken() if number and child.node.__class__ is Mark else child
                    if key in rows:
                        rows[key].append(taken)
                    else:
                        rows[key] = [taken]
        elif simple:
            self._lost = self.tracer.left_out(self)
            return dict(self._alone_below(known.entries))
        else:
            rows = {key: [child] for key, child in self._alone_below(known.entries)}
        policy = self.policy
        if policy is not None and self.parts:
            rows.pop(policy.word, None)  # type: ignore[arg-type]
            if policy.order == "high":
                rows = {key: rows[key] for part in reversed(self.kept) for key in part.children if key in rows}
        self._lost = {**self.tracer.left_out(self), **self._only_above(rows)}
        for key in [key for key in rows if key not in known.entries]:
            self._lost[key] = [Dropped(part, DELETED, None) for part in rows.pop(key)]
        others: dict[Step, Node] = {key: node for key, node in known.entries.items() if key not in rows}
        if others:
            rows.update((key, [child]) for key, child in self._alone_below(others))
        made: dict[Step, Account] = {}
        for key, found in rows.items():
            node = known.entries[key]  # type: ignore[index]
            alone = simple and len(found) == 1 and found[0].node is node  # as most are
            made[key] = found[0] if alone else self._merged(node, key, found)
        return made

    def _taken(self) -> Account:
        """A mark as a merge sees it that has something below it."""
        node = self.node
        if isinstance(node, Mark) and node.taken is not None:
            return Account(self.tracer, node.taken, self.place, self.role, up=self.up)
        return self

    def _merged(self, node: Node, step: Step, accounts: list[Account]) -> Account:
        """The account of a key, of what the parts say of it."""
        above = self._above(step, accounts[-1])
        if len(accounts) == 1 and not above:
            return accounts[0]._shown_as(node)
        policy = WINS if self.policy is None else self.policy if self.policy.uniform else self.policy.child(step)
        keys = self.keys.get(step) if self.keys and isinstance(step, str) else None
        if keys is not None and not keys and _all_equal(accounts):
            policy = SAME
        made = Account(self.tracer, *self._seen(node, step), accounts[-1].role, tuple(accounts), policy, above)
        made.keys = keys or NO_FIELDS
        return made

    def _alone_below(self, nodes: Mapping[Step, Node] | Mapping[Key, Node]) -> list[tuple[Step, Account]]:
        """The accounts of keys of what one part wrote."""
        places = self.place.children(nodes)
        seen = [unbound(*one) if isinstance(one[0], Bound) else one for one in zip(nodes.values(), places, strict=True)]
        rows = zip(nodes, seen, strict=True)
        return [(step, Account(self.tracer, node, place, self, up=self)) for step, (node, place) in rows]

    def _seen(self, node: Node, step: Step) -> tuple[Node, Place]:
        return unbound(node, self.place.child(step))

    def _above(self, step: Step, top: Account) -> tuple[Dropped, ...]:
        """What dropped containers say of a key, of which `top` is the highest part. A single value replaces what is
        below one that is not known."""
        if not self.dropped:
            return ()
        found = ((drop, drop.part.children.get(step)) for drop in self.dropped if drop.part.looked_at)
        rows = [(part, drop.reason, drop.by) for drop, part in found if part and part.says_something]
        if any(reason == NOT_KNOWN for _, reason, _ in rows) and isinstance(top.known, Scalar):
            return tuple(Dropped(part, REPLACED, top) for part, _, _ in rows)
        return tuple(Dropped(*row, True) for row in rows)

    def _only_above(self, rows: dict[Step, list[Account]]) -> dict[Step, list[Dropped]]:
        """What only dropped containers have. Of those below a value that is not known nobody can tell."""
        lost: dict[Step, list[Dropped]] = {}
        for drop in (drop for drop in self.dropped if drop.reason != NOT_KNOWN):
            for key, part in drop.part.children.items() if drop.part.looked_at else ():
                if key not in rows and part.says_something:
                    lost.setdefault(key, []).append(Dropped(part, drop.reason, drop.by, True))
        return lost

    @property
    def says_something(self) -> bool:
        """Whether there is a value to lose: `!unset` inside something that was dropped removes nothing."""
        return not isinstance(self.node, Mark) or self.node.taken is not None

    @property
    def looked_at(self) -> bool:
        """Whether it is a map that can be looked into without evaluating what is not needed."""
        return not isinstance(self.node, Suspension) and isinstance(self.known, MapNode)

    def _written_items(self, known: ListNode) -> dict[Step, Account]:
        items = items_of(known)
        places = [self.place.child(number) for number in numbers(items)]
        seen = [unbound(*one) for one in zip(items, places, strict=True)]
        return {index: Account(self.tracer, *one, self, up=self) for index, one in enumerate(seen)}

    def _items(self, known: ListNode) -> dict[Step, Account]:
        """The items of a merged list, by the same pairing that merged it."""
        if self.policy is None:  # a front made a list of what was a map with a merge key
            return self._written_items(known)
        slots = [Slot([item]) for item in self.kept[0].children.values()]
        for part in self.kept[1:]:
            slots = self._merged_slots(slots, part, list_rule(_list(part), self.policy))
        if len(slots) != len(known.items):  # a front changed the list after it was merged
            return self._written_items(known)
        rows = zip(known.items, numbers(known.items), slots, strict=True)
        return {index: self._item(node, number, slot) for index, (node, number, slot) in enumerate(rows)}

    def _merged_slots(self, slots: list[Slot], part: Account, rule: ListRule) -> list[Slot]:
        items = list(part.children.values())
        assert self.policy is not None
        lower = [[item.bound for item in slot.parts] for slot in slots]
        rows = matched(lower, [item.bound for item in items], rule, self.policy, self.tracer)
        low, high = {i for i, _ in rows}, {j for _, j in rows}
        for index, slot in enumerate(slots):
            if index not in low:
                self._lost.setdefault(index, []).append(Dropped(slot.parts[-1], REPLACED, part))
        for index, item in enumerate(items):
            if index not in high:
                self._lost.setdefault(index, []).append(Dropped(item, DUPLICATE, part))
        return [
            slots[i]
            if j is None and i is not None
            else self._over(slots[i] if i is not None else None, at, items[j or 0], rule)
            for at, (i, j) in enumerate(rows)
        ]

    def _over(self, slot: Slot | None, index: int, item: Account, rule: ListRule) -> Slot:
        """An item of a higher list in its slot: alone, or over what is there."""
        assert self.policy is not None
        if slot is None:
            return Slot([item], LIST_STRATEGIES[rule.strategy].decided)
        parts = slot.parts
        if ARRANGEMENTS[rule.strategy].whole:
            return Slot([*parts, item], LIST_STRATEGIES[rule.strategy].decided)
        policy = item_policy(item.bound, index, rule, self.policy, self.tracer)
        if len(parts) > 1 and policy is not slot.policy:  # what is there was merged in another way
            parts = [self._item(combine([part.bound for part in parts], slot.policy), index, slot)]
        return Slot([*parts, item], LIST_STRATEGIES[rule.strategy].decided, policy, dict.fromkeys(rule.keys, NO_FIELDS))

    def _item(self, node: Node, index: int, slot: Slot) -> Account:
        """The account of an item: as it is seen in the merged list."""
        node, place = self._seen(node, index)
        if len(slot.parts) > 1:
            parts, role = tuple(slot.parts), slot.parts[-1].role
            return Account(self.tracer, node, place, role, parts, slot.policy, how=slot.how, keys=slot.keys)
        (one,) = slot.parts
        above = (one._parts or None, one.policy, one.above, slot.how)
        return Account(self.tracer, node, place, one.role, *above, up=one.up)

    @property
    def bound(self) -> Node:
        """The node, bound to the place it is seen from."""
        return (
            Bound(self.node, self.place) if self.node.live and not isinstance(self.node, Mark | Failure) else self.node
        )

    # Answers

    @property
    def winner(self) -> Account:
        """The part that decided: the highest of those that the result is made of, as it was written."""
        account = self
        while account.parts:
            account = account.kept[-1]
        return account

    @property
    def losers(self) -> list[Dropped]:
        """Everything that lost here, as it was written, highest first: what the winner overrides, and what was gone
        before it came.

        What the winner itself says twice did not lose.
        """
        drops: list[Dropped] = []
        winner = self.winner
        seen = {id(winner.node)}
        account: Account | None = self
        chain: list[Account] = []
        while account is not None:
            chain.append(account)
            account = account.kept[-1] if account.parts else None
        stack = [drop for step in chain for drop in reversed(step.dropped)]
        visited: set[int] = set()
        before = False
        while stack:
            drop = stack.pop()
            if id(drop.part) in visited:
                continue
            visited.add(id(drop.part))
            part = drop.part.winner
            before = before or drop.was_removed_before(winner)  # then everything below it was removed, too
            if id(part.node) not in seen:
                seen.add(id(part.node))
                by = drop.by.winner if drop.by is not None else None
                drops.append(Dropped(part, drop.reason, by, drop.above, before))
            if drop.part.parts:
                inner = drop.part.losing_parts
                stack += [one.inside(drop) for one in reversed(inner)] if before else inner[::-1]
        return drops

    @property
    def losing_parts(self) -> list[Dropped]:
        """What lost inside a part, and inside what it is made of."""
        drops: list[Dropped] = []
        account = self
        while True:
            drops[:0] = account.dropped
            if not account.parts:
                return drops
            account = account.kept[-1]

    @property
    def written(self) -> list[Account]:
        """The parts that the result is made of, as they were written, lowest first; each once, where it counts last."""
        accounts: dict[int, Account] = {}
        seen: set[int] = set()
        stack = [self]
        while stack:  # the highest first
            account = stack.pop()
            if id(account) in seen:
                continue
            seen.add(id(account))
            if account.parts:
                stack.extend(account.kept)
            else:
                accounts.setdefault(id(account.node), account)
        return list(accounts.values())[::-1]

    def made_of(self, places: Iterable[tuple[Path, bool]]) -> dict[Path, list[Account]]:
        """What some places at or below this one were made of, as it was written: of a leaf the part that decided, of a
        container every part of it."""
        known: dict[Path, Account | None] = {(): self}
        found: dict[Path, list[Account]] = {}
        for path, leaf in places:
            depth = next(depth for depth in range(len(path), -1, -1) if path[:depth] in known)
            account = known[path[:depth]]
            for end in range(depth, len(path)):
                account = known[path[: end + 1]] = account.child(path[end]) if account is not None else None
            if account is not None:
                found[path] = [account.winner] if leaf else account.written
        return found

    def everything_written(self) -> list[Account]:
        """All parts written for this place, the highest first: those in the result, then those that lost."""
        parts: dict[int, Account] = {}
        for part in (*reversed(self.written), *(drop.part for drop in self.losers)):
            parts.setdefault(id(part.node), part)
        return list(parts.values())

    def leaves(self, path: Path = (), named: bool = True, together: bool = False) -> Iterator[tuple[Path, Account]]:
        """Every value of the result at or below this place that has nothing below it, with its path, in order. With
        `together`, what has `values` stands for these."""
        stack: list[tuple[Path, Account]] = [(path, self)]
        while stack:
            at, account = stack.pop()
            self.tracer.meter.step(ACCOUNT + len(at))
            if together and (values := account.values):
                self.tracer.meter.step(len(values) + account._steps // 4)
                yield at, account
                continue
            below = [
                (step, child)
                for step, child in account.children.items()
                if child.node.__class__ in KNOWN or not child.gone
            ]
            if below:
                steps = [step for step, _ in below]
                if not isinstance(account.shape, MapNode):
                    steps = [account.named(step) for step in steps] if named else list(range(len(below)))
                stack += [((*at, step), child) for step, (_, child) in zip(steps, below, strict=True)][::-1]
            elif not account.gone:
                yield at, account

    def removed(self, path: Path = ()) -> Iterator[tuple[Path, list[Dropped]]]:
        """Everything at or below this place that some part says and the result does not have, with why."""
        stack: list[tuple[Path, Account]] = [(path, self)]
        while stack:
            at, account = stack.pop()
            self.tracer.meter.step(ACCOUNT + len(at))
            if account.gone:
                yield at, account.losers
                continue
            if account.values:
                continue
            whole = account.replaced_whole
            if whole:
                yield at, whole
            for step, drops in account.lost.items():
                yield (*at, step), drops
            stack.extend(((*at, account.named(step)), child) for step, child in reversed(account.children.items()))

    @property
    def replaced_whole(self) -> list[Dropped]:
        """What lost as a whole to the keys or items here: a list to a list that replaces it, a single value to a map.

        What a map loses to a map is in the accounts of its keys.
        """
        drops = self.losers if self.children else ()
        return [drop for drop in drops if not drop.part.looked_at and drop.reason != NOT_KNOWN]

    def named(self, step: Step) -> Step:
        """A step as people name it: an item that was merged by key is called by that key, one that was merged by its
        position by that, any other by its name where each has one of its own."""
        child = self.children.get(step)
        mark = child.node if child is not None else None
        if isinstance(mark, Mark) and mark.item is not None and self.policy is not None:
            return removed_step(mark.item, list_rule(_list(self.kept[-1]), self.policy), step)
        if self.decision != LIST_STRATEGIES["key"].decided or self.policy is None:
            return step if self.decision == LIST_STRATEGIES["index"].decided else self.own_names.get(step, step)
        item = self.tracer.whole(self.children[step].bound)
        keys = list_rule(_list(self.kept[-1]), self.policy).keys
        return shown_step(item, keys, step) if isinstance(item, MapNode) else step

    @property
    def own_names(self) -> Mapping[Step, Step]:
        """What the items of a list are called that no rule tells apart."""
        if self._names is None:
            items = self.children.items() if isinstance(self.shape, ListNode) else ()
            there = [(step, child) for step, child in items if not child.gone]
            names = own_names(child.name for _, child in there)
            self._names = dict(zip([step for step, _ in there], names, strict=True)) if names else {}
        return self._names

    @property
    def name(self) -> Node | None:
        """The `name` of an item; None where it has none."""
        field = self.children.get("name") if isinstance(self.shape, MapNode) else None
        return field.known if field is not None else None

    def child(self, step: Step) -> Account | None:
        """One step down, as the result has it: a key, or the index of an item; None where there is nothing."""
        child = self.children.get(step) if not isinstance(step, int) else None
        return self.step(step) if child is None else child

    def step(self, step: Step) -> Account | None:
        """One step down, as people write it; None where there is nothing."""
        known = self.shape
        if isinstance(known, MapNode):
            key = entry_key(known, step)
            return self.children.get(key) if key is not None else None
        if not isinstance(known, ListNode) or known is not self.known:  # of one partly known, no position is
            return None
        items = self._there
        if items is None:
            items = self._there = [child for child in self.children.values() if not child.gone]
        if isinstance(step, int) and 0 <= step < len(items):
            return items[step]
        shown = ListNode([self.tracer.whole(child.bound) for child in items]) if isinstance(step, Keyed) else known
        index = item_index(shown, step)
        return items[index] if index is not None and -len(items) <= index < len(items) else None

    def find(self, path: Path) -> Account | None:
        """The account of a place below; None where nothing of the result is there."""
        account: Account | None = self
        for step in path:
            account = account.step(step) if account is not None and not account.gone else None
        return account

    def removed_item(self, step: Step) -> Account | None:
        """The item that a mark removed which names it by its key."""
        if not isinstance(step, Keyed) or not isinstance(self.known, ListNode):
            return None
        for child in self.children.values():
            mark = child.known
            if isinstance(mark, Mark) and mark.item is not None and is_meant(mark.item, step):
                return child
        return None

    def missing(self, path: Path) -> tuple[list[Dropped], Account | None]:
        """What was dropped at a path that is not in the result, and the mark that removed it, where one did."""
        holders = [self]
        for step in path:
            here = holders[-1]
            child = (here.step(step) or here.removed_item(step)) if not here.gone else None
            if child is None:
                break
            holders.append(child)
        by = holders[-1].winner if holders[-1].gone else None
        for depth in reversed(range(len(holders))):  # an item of a list that was replaced is reported with the list
            drops = _inside(holders[depth], path[depth:])
            if drops:
                return drops, by
        return [], by


def removed_step(item: Node, rule: ListRule, step: Step) -> Step:
    """The step to an item that a mark removed."""
    if isinstance(item, MapNode):
        return shown_step(item, rule.keys, step) if rule.keys else step
    return Keyed(("",), (item.text,)) if isinstance(item, Scalar) and not item.secret else step


def _inside(account: Account, path: Path) -> list[Dropped]:
    """What the dropped parts of a place say at a path below it, each once."""
    lost = account.lost.get(path[0], ()) if path and not account.gone else ()
    drops: dict[int, Dropped] = {}
    for drop, rest in [*((drop, path[1:]) for drop in lost), *((drop, path) for drop in account.losing_parts)]:
        part = drop.part.find(rest)
        if part is not None and not part.gone:
            by = drop.by.winner if drop.by is not None else None
            drops.setdefault(id(part.winner.node), Dropped(part.winner, drop.reason, by, drop.above))
    return list(drops.values())


def _all_equal(accounts: list[Account]) -> bool:
    first = accounts[0].known
    return first.kind == "scalar" and all(account.known == first for account in accounts[1:])


def _known(account: Account) -> Node:
    return account.known


def _list(account: Account) -> ListNode:
    known = account.known
    assert isinstance(known, ListNode)
    return known
