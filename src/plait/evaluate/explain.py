"""Where a value comes from, as every surface shows it: a rendering of the account, with values worked out and reads
followed.

`merging.account` says what took part and what was decided; the evaluator knows what each expression read. This module
makes no decisions of its own.
"""

from __future__ import annotations

from itertools import islice, zip_longest

from plait.core.diagnostic import Fault
from plait.core.find import without_marks
from plait.core.node import (
    Container,
    Deferred,
    Failure,
    Key,
    ListNode,
    MapNode,
    Mark,
    Node,
    Scalar,
    Suspension,
    Unknown,
    plain_value,
    secrets_in,
)
from plait.core.path import ANY, DEEP, Keyed, Path, Step, Wildcard, format_path
from plait.core.role import BASE, DEFAULT, DIRECTIVE, ENVIRONMENT, FLAG, OVERRIDE, STUB, Role
from plait.core.scope import Place
from plait.core.source import MASK
from plait.core.unknown import MAYBE, mistakes_in, overriding
from plait.evaluate.engine import Task
from plait.evaluate.hops import BECAUSE, IMPORTED, INHERITED, READS, THROUGH, WRITTEN, Hop, is_aliased, passed
from plait.evaluate.nowhere import NotThere
from plait.evaluate.tree import Tree
from plait.merging.account import ACCOUNT, DELETED, DUPLICATE, LEFT_OUT, MATCHED, Account, Dropped
from plait.merging.combine import NOT_KNOWN, OTHER_KIND, UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.source import Origin

INCLUDE = "include"
"""The kind of an expression whose value is a whole file."""
MOST_INSIDE = 100
"""So many values of a map or a list that an expression read as a whole are followed."""
LATER, SAME_FILE = "later layer", "later in the same file"
WORDS = {
    UNSET: "removed",
    OTHER_KIND: "another kind of value",
    DUPLICATE: "duplicate",
    DELETED: "removed",
    LEFT_OUT: "the template does not have it",
}
HOW_REMOVED = {UNSET: "", DELETED: "", OTHER_KIND: "another kind of value"}
"""How something removed a value that is not the value in its place; anything else replaced it."""
BY_ROLE = {
    FLAG: "flag",
    ENVIRONMENT: "environment variable",
    OVERRIDE: "override",
    BASE: "a base component overrides the stack",
}
"""Why a part of an ordinary role lost to one of another."""
AFTER_THE_EXPRESSION = (WRITTEN, BECAUSE, IMPORTED, INHERITED)
"""What comes after the expression that gives a value, on the way down."""


class Contribution:
    """What one part has at a place. `reads` are the values that its expression looked at, each with its own reads;
    `hops` are what a value that was read came through itself, `inside` the expressions in a map or list that was read
    as a whole."""

    __slots__ = ("expression", "hops", "inside", "node", "path", "place", "reads", "result", "role")

    def __init__(
        self, node: Node, result: Node, path: Path, expression: str, role: Role, place: Place | None = None
    ) -> None:
        self.node = node
        self.result = result
        self.path = path
        self.expression = expression
        self.role = role
        self.place = place
        self.reads: list[Contribution] = []
        self.hops: list[Hop] = []
        self.inside: list[Contribution] = []

    def __repr__(self) -> str:
        return f"<{self.node.origin} {self.expression or plain_value(self.result)!r}>"


class RemovedBefore:
    """A value that was gone before the value came that is in its place: what it was, what removed it, and how that did
    so, where it is no `!unset`."""

    __slots__ = ("by", "how", "was")

    def __init__(self, was: Contribution, by: Contribution, how: str) -> None:
        self.was = was
        self.by = by
        self.how = how

    @property
    def why(self) -> str:
        return f"removed by {self.by.node.origin}" + (f": {self.how}" if self.how else "")


class Leaf:
    """One value of the result: what it is, where it comes from, how it came there, each value it overrides with the
    reason, and those that were gone before it came."""

    __slots__ = ("account", "hops", "how", "losers", "path", "removed", "value", "winner")

    def __init__(
        self,
        path: Path,
        value: Node,
        winner: Contribution,
        losers: list[tuple[Contribution, str]],
        how: str = "",
        account: Account | None = None,
        hops: list[Hop] | None = None,
        removed: list[RemovedBefore] | None = None,
    ) -> None:
        self.removed = removed or []
        self.hops = hops or []
        """The way that it came, from where it is seen to where it is written; empty for one that is written where it
        is seen."""
        self.path = path
        self.value = value
        self.winner = winner
        self.losers = losers
        """What it overrides: without it, the first of them is the value."""
        self.how = how
        """For an item of a merged list: `appended`, `by key`, ..."""
        self.account = account

    def __repr__(self) -> str:
        return f"<{format_path(self.path)}: {plain_value(self.value)!r} from {self.winner.node.origin}>"

    @property
    def way(self) -> list[Hop]:
        """The whole way: of a value that an expression gives, also that expression, with what it read."""
        node, by = self.winner.node, self.winner.expression
        if not by or not isinstance(node, Suspension) or not node.expression.way:
            return self.hops
        own = Hop(
            THROUGH, node.expression.way, self.path, node.origin, by, None, list(map(_read_hop, self.winner.reads))
        )
        hops = [hop for hop in self.hops if hop.word != WRITTEN or str(hop.origin) != str(node.origin)]
        before = next((at for at, hop in enumerate(hops) if hop.word in AFTER_THE_EXPRESSION), len(hops))
        return [*hops[:before], own, *hops[before:]]

    @property
    def verb(self) -> str:
        """What it does to the values of `losers`: it overrides them, or it may; empty where there are none."""
        reasons = [why for _, why in self.losers]
        return overriding(MAYBE if MAYBE in reasons else reasons[0]) if reasons else ""

    @property
    def also(self) -> list[Account]:
        """The lower parts that have the same value because items were matched by it."""
        matched = self.account is not None and self.account.decision == MATCHED
        return self.account.written[:-1][::-1] if matched and self.account is not None else []

    @property
    def lost(self) -> list[Contribution]:
        """Everything that lost, to the value or before it came."""
        return [*(lost for lost, _ in self.losers), *(one.was for one in self.removed)]

    @property
    def values(self) -> list[Node]:
        """The value, and everything that lost."""
        return [self.value, *(lost.result for lost in self.lost)]

    def told(self, hop: Hop) -> str:
        """What is written at a hop, with the secrets masked that the value is or overrides."""
        secrets = {secret.text for value in self.values for secret in secrets_in(value)} - {""}
        text = hop.text
        for secret in sorted(secrets, key=len, reverse=True):
            text = text.replace(secret, MASK)
        return text


class Explanation:
    """The whole answer. `parts` are lowest first; `leaves` in the order of the value.

    `value` is None for a value that is not in the result: `losers` then are what was there, `removed_by` what
    removed it. Of a pattern, `leaves` are the values that it matches, and `removed` the places that it matches and that
    are not in the result.
    """

    __slots__ = ("decision", "ends", "leaves", "losers", "parts", "path", "removed", "removed_by", "value")

    def __init__(
        self,
        path: Path,
        value: Node | None,
        parts: list[Contribution],
        leaves: list[Leaf],
        decision: str = "",
        losers: list[tuple[Contribution, str]] | None = None,
        removed_by: Contribution | None = None,
        removed: list[Explanation] | None = None,
        ends: list[Origin | None] | None = None,
    ) -> None:
        self.ends = ends or [None] * len(losers or ())
        """What ended each value of `losers`, where that is not `removed_by`."""
        self.path = path
        self.value = value
        self.parts = parts
        self.leaves = leaves
        self.decision = decision
        self.losers = losers or []
        self.removed_by = removed_by
        self.removed = removed or []

    @property
    def gone(self) -> bool:
        return self.removed_by is not None or (self.value is None and bool(self.losers))


def explain(tree: Tree, path: Path) -> Explanation:
    """Why the value at a path, or each value that a pattern matches, is what it is.

    Raises `NotThere` where no part ever had a value there, and `PlaitError` where mistakes in the files keep the value
    from being computed. What is not known here is part of the answer.
    """
    teller = Teller(tree)
    if any(isinstance(step, Wildcard) for step in path):
        present, gone = matching(teller.root, path)
        leaves = [leaf for at, account in present for leaf in teller.leaves(at, account)]
        removed = [teller.missing(at) for at in gone]
        if not leaves and not removed:
            raise NotThere(_names(teller.root), path, len(path) - 1)
        return Explanation(path, None, [], leaves, removed=removed)
    found = teller.root.find(path)
    if found is None and (hidden := teller.unknown_above(path)) is not None:
        return Explanation(path, hidden.value, [hidden.winner], [hidden])
    if found is None or found.gone:
        return teller.missing(path)
    value = tree.partial(path)
    wrong = mistakes_in(value)
    if wrong:
        raise Fault(*wrong)
    leaves = teller.leaves(path, found)
    known = {id(leaf.winner.node): leaf.winner for leaf in leaves if leaf.path == path}
    parts = [known.get(id(part.node)) or teller.contribution(part, path) for part in found.written]
    return Explanation(path, value, parts, leaves, found.decision)


def matching(root: Account, pattern: Path) -> tuple[list[tuple[Path, Account]], list[Path]]:
    """The places that a pattern matches, in order: those of the result, and those where only dropped parts have a
    value, each once. Nothing below a place that matches already."""
    present: list[tuple[Path, Account]] = []
    removed: dict[Path, None] = {}
    stack: list[tuple[Path, Account, list[Path], bool]] = [((), root, _unfolded(pattern), False)]
    while stack:
        path, account, states, dropped = stack.pop()
        root.tracer.meter.step(ACCOUNT + len(path))
        gone = dropped or account.gone
        if any(not state for state in states):
            if gone:
                removed.setdefault(path)
            else:
                present.append((path, account))
            continue
        whole = account.losers if account.gone else [] if dropped else account.replaced_whole
        below = [(path, drop.part, states, True) for drop in whole]
        for step, child in account.children.items() if not account.gone else ():
            left = _all_after(states, step, account, child)
            below.append(((*path, account.named(step)), child, left, dropped))
        for step, drops in account.lost.items() if not gone else ():
            left = _all_after(states, step)
            below += [((*path, step), drop.part, left, True) for drop in drops]
        stack.extend(row for row in reversed(below) if row[2])
    return present, list(removed)


def _all_keys(account: Account) -> Node:
    """The value of a place, with the keys that some part has and the result does not."""
    known = account.known
    if not isinstance(known, MapNode):
        return known
    drops = {key: drops[0].part for key, drops in account.lost.items()}
    parts = {
        **{
            key: child.losers[0].part if child.gone and child.losers else child
            for key, child in account.children.items()
        },
        **drops,
    }
    entries = {key: part.node for key, part in parts.items() if not isinstance(key, int)}
    return MapNode(entries, known.source, known.at)  # type: ignore[arg-type]


def _names(root: Account) -> Node:
    """Every key of a tree, as one map, for suggestions."""
    entries: dict[Key, Node] = {}
    stack = [root]
    while stack:
        account = stack.pop()
        known = account.known
        if isinstance(known, MapNode):
            entries.update((key, known) for key in known.entries)
        stack.extend(account.children.values())
    return MapNode(entries)


def _unfolded(pattern: Path) -> list[Path]:
    """A pattern, and what is left of it where a leading `**` stands for nothing."""
    states = [pattern]
    while pattern and pattern[0] is DEEP:
        pattern = pattern[1:]
        states.append(pattern)
    return states


def _all_after(
    states: list[Path], step: Step, account: Account | None = None, child: Account | None = None
) -> list[Path]:
    """What is left of a pattern, of which these parts were left, one step further down; each part once."""
    return list({len(rest): rest for state in states for rest in _after(state, step, account, child)}.values())


def _after(pattern: Path, step: Step, account: Account | None = None, child: Account | None = None) -> list[Path]:
    """What is left of a pattern one step further down; an item can also be named by its key, as the account knows."""
    if pattern[0] is DEEP:
        return _unfolded(pattern)
    named = account is not None and account.step(pattern[0]) is child
    if pattern[0] is ANY or pattern[0] == step or named:
        return _unfolded(pattern[1:])
    return []


class Teller:
    """Renders an account with the results of expressions and the values that they read."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.evaluator = tree.evaluator
        self.root = tree.account()

    def missing(self, path: Path) -> Explanation:
        """Why a value is not in the result; `NotThere` if no part ever had one."""
        drops, by = self.root.missing(path)
        if not drops:
            raise self._nowhere(path)
        decided = by or drops[0].by
        ends = [_end(drop, decided) for drop in drops]
        losers = [
            (self.contribution(drop.part, path), _on_the_way(drop, end)) for drop, end in zip(drops, ends, strict=True)
        ]
        removed_by = self.contribution(decided, path) if decided is not None else None
        decision = UNSET if by is not None else drops[0].reason
        return Explanation(path, None, [], [], decision, losers, removed_by, ends=ends)

    def _nowhere(self, path: Path) -> NotThere:
        """How far a path leads that no part has a value at, and what there is, or was, instead."""
        account = self.root
        for depth, step in enumerate(path):
            if isinstance(account.known, Failure):
                raise Fault(*account.known.diagnostics)  # nobody can tell what is in it
            child = account.step(step)
            if child is None or child.gone:
                return NotThere(without_marks(_all_keys(account)), path, depth)
            account = child
        return NotThere(without_marks(account.known), path, len(path) - 1)

    def leaves(self, path: Path, account: Account) -> list[Leaf]:
        """Every value at or below a place; a list, or an item of one, that one part wrote is one value."""
        leaves: list[Leaf] = []
        above = self.above(path)
        others = self.tree.list_rule()
        outer = [hop for at, holder in above[:-1] for hop in rule_hops(at, holder, others)]
        stack: list[tuple[Path, Account, bool, list[Hop]]] = [(path, account, False, outer)]
        while stack:
            at, here, inside, rules = stack.pop()
            below = [(step, child) for step, child in here.children.items() if not child.gone]
            if below and _opened(here, inside):
                leaves += [self.not_known(at, here)] if isinstance(here.known, Unknown) else ()
                listed = isinstance(here.shape, ListNode)
                rules = [*rules, *rule_hops(at, here, others)] if listed else rules
                stack.extend(((*at, here.named(step)), child, listed, rules) for step, child in reversed(below))
            else:
                leaves.append(self.leaf(at, here))
                leaves[-1].hops += [*rules, *rule_hops(at, here, others), *keys_of(above, at, leaves[-1].winner)]
        return leaves

    def unknown_above(self, path: Path) -> Leaf | None:
        """What a place is in and nobody can tell here, the innermost."""
        holders = [row for row in self.above(path) if isinstance(row[1].known, Unknown)]
        return self.not_known(*holders[-1]) if holders else None

    def not_known(self, path: Path, account: Account) -> Leaf:
        """Of a place that is not known, or in part, what is not known."""
        part = account
        while part.parts:
            part = part.kept[0]
        found = self.leaf(path, part)
        found.losers, found.removed = self.lost(account.losers, path)
        return found

    def lost(self, drops: list[Dropped], path: Path) -> tuple[list[tuple[Contribution, str]], list[RemovedBefore]]:
        """What a value overrides, with the reason, and what was gone before it came."""
        losers: list[tuple[Contribution, str]] = []
        removed: list[RemovedBefore] = []
        for drop in drops:
            was = self.contribution(drop.part, path)
            if drop.before and drop.by is not None:
                how = HOW_REMOVED.get(drop.reason, "replaced")
                removed.append(RemovedBefore(was, self.contribution(drop.by, path), how))
            else:
                losers.append((was, describe_loss(drop)))
        return losers, removed

    def leaf(self, path: Path, account: Account) -> Leaf:
        self.root.tracer.meter.step(ACCOUNT + 2 * len(path))  # the way up is walked
        value = self.evaluator.finish(account.node, account.place)[0]
        hops, dropped = self.way(path, account)
        losers, removed = self.lost(dropped, path)
        winner = self.contribution(account.winner, path)
        self._follow(winner)
        return Leaf(path, value, winner, losers, account.how, account, hops, removed)

    def _follow(self, made: Contribution) -> None:
        """The ways of the values that an expression read: what each came through, and the expressions inside of maps
        and lists that were read as a whole."""
        seen = {id(made.node)}
        todo = list(made.reads)
        while todo:
            read = todo.pop()
            account = self._at(read.place)
            inside = account.leaves(account.place.path) if account is not None else ()
            for path, leaf in islice(inside, MOST_INSIDE):
                node = leaf.winner.node
                steps, there, _ = self._followed(leaf)
                for hop in [*steps, *self._why_there(there)]:
                    read.hops += [hop] if str(hop.origin) not in _origins(read.hops) else []
                if isinstance(node, Suspension) and node is not read.node and id(node) not in seen:
                    seen.add(id(node))
                    read.inside.append(self.contribution(leaf.winner, path))
            todo += [*read.reads, *read.inside]

    def _at(self, place: Place | None) -> Account | None:
        """The account of a place that was read, where it is one of this tree."""
        if place is None or place.root is not self.tree.top.root:
            return None
        return self.root.find(place.path)

    def way(self, path: Path, account: Account) -> tuple[list[Hop], list[Dropped]]:
        """The way that a value came, and everything that lost on it: a reference is followed to what it refers to."""
        node = account.winner.node
        steps, there, known = self._followed(account, in_full=True)
        hops = [*self.tree.hops(path, node), *steps]
        dropped = {id(drop.part.node): drop for one in there for drop in one.losers}
        account = there[-1]
        if any(hop.word == THROUGH for hop in hops) and str(node.origin) != str(hops[-1].origin):
            hops.append(Hop(WRITTEN, "", account.place.path if known else (), node.origin, "", node))
        winner = account.winner
        hops += [
            Hop(WRITTEN, "", (), one.node.origin, "", one.node)
            for one in self._whole_file(winner.node, winner.place, winner.role)
        ]
        hops += self._why_there(there[1:])
        return hops + self.tree.arrivals(account.winner.role, node), [*dropped.values()]

    def _why_there(self, accounts: list[Account]) -> list[Hop]:
        """Why values are in the lists that they are in: the rules of these, and the names of the items."""
        others = self.tree.list_rule()
        found: list[Hop] = []
        for account in accounts:
            path, winner = account.place.path, account.winner
            above = self.above(path)
            found += [hop for at, holder in above[:-1] for hop in rule_hops(at, holder, others)]
            made = self._one(winner.node, winner.node, winner.place, winner.role)
            for hop in keys_of(above, path, made):
                item = above[len(hop.path) - 1][1]
                hop.path = (*self.tree.named(item.place), hop.path[-1])
                found.append(hop)
        return found

    def _followed(self, account: Account, in_full: bool = False) -> tuple[list[Hop], list[Account], bool]:
        """What a value came through, the places on the way, and whether the last of them is where it is written: an
        alias or a file says nothing of the path there. `in_full`: with the ways of what was read there."""
        node = account.winner.node
        there = [account]
        hops: list[Hop] = []
        while True:
            steps, further = self._steps(there[-1], node, in_full)
            hops += steps
            if further is None or any(further is one for one in there):
                return hops, there, not steps
            there.append(further)

    def _whole_file(self, node: Node, place: Place, role: Role) -> list[Contribution]:
        """Where a value is written that is all that a file has."""
        if not isinstance(node, Suspension) or node.expression.way != INCLUDE:
            return []
        value = self.evaluator.finish(node, place)[0]
        return [Contribution(value, value, (), "", role)] if isinstance(value, Scalar) else []

    def above(self, path: Path) -> list[tuple[Path, Account]]:
        """What a place is in, the outermost first, and the place itself."""
        found: list[tuple[Path, Account]] = []
        account: Account | None = self.root
        for depth in range(len(path) + 1):
            if account is not None:
                found.append((path[:depth], account))
                account = account.step(path[depth]) if depth < len(path) else None
        return found

    def _steps(self, account: Account, node: Node, in_full: bool) -> tuple[list[Hop], Account | None]:
        """What a value came through, up to the first reference that can be followed, and what that leads to."""
        hops: list[Hop] = []
        steps = passed(account)
        for step, inner in zip_longest(steps, steps[1:]):
            hops.append(step.hop)
            if step.account is None:
                continue
            nested = inner is not None and inner.account in step.account.parts
            ends = ends_of(self.tree, (step.account.node, step.account.place))
            there = self._target(ends, step.rest) if not nested else None
            if there is not None and there.winner.node is node:
                return hops, there
            made = self.contribution(step.account, ())
            if in_full:
                self._follow(made)
            step.hop.hops = [_read_hop(part) for part in _beyond(made, step.hop.path)]
        return hops, None

    def _target(self, ends: list[Task], rest: Path) -> Account | None:
        """The place that a reference means, for a value inside it."""
        if len(ends) != 1 or ends[0][1].root is not self.tree.top.root:
            return None
        return self.root.find((*ends[0][1].path, *rest))

    def contribution(self, part: Account, path: Path) -> Contribution:
        """One part with its result and what it read, and so on down to literals."""
        first = self._one(part.node, part.node, part.place, part.role)
        todo = [((part.node, part.place), first)]
        seen = {(part.node, part.place)}
        while todo:
            task, contribution = todo.pop()
            for read in ends_of(self.tree, task):
                node, place = read
                written = node if isinstance(node, Deferred) else self.tree.written(read)[0]
                inner = self._one(written, node, place, part.role)
                inner.reads += self._whole_file(written, place, part.role)
                contribution.reads.append(inner)
                again = self.tree.written(read)
                if again not in seen:
                    seen.add(again)
                    todo.append((again, inner))
        return first

    def _one(self, written: Node, node: Node, place: Place, role: Role) -> Contribution:
        """What is written at a place, and what that gives."""
        shown = written if isinstance(written, Suspension) else node
        result: Node = node
        if not isinstance(node, Mark):
            result, failures = self.evaluator.finish(node, place)
            result = failures[0] if failures else self.tree.content(result)
        expression = shown.told if isinstance(shown, Suspension) else ""
        return Contribution(shown, result, self.tree.named(place), expression, self.tree.roles.of(shown, role), place)


def ends_of(tree: Tree, task: Task) -> list[Task]:
    """What an expression read, without the containers that it only came through."""
    reads = tree.reads(task)
    passed = {above for _, place in [*reads, task] for above in _above(place)}
    return [read for read in reads if read[1] not in passed]


def _origins(hops: list[Hop]) -> list[str]:
    return [str(hop.origin) for hop in hops]


def _read_hop(read: Contribution) -> Hop:
    """What was read, what it came through, and what that read in turn."""
    first = Hop(READS, "", read.path, read.node.origin, read.expression, read.result)
    todo = [(first, read)]
    while todo:
        hop, part = todo.pop()
        hop.hops += part.hops
        for inner in (*part.reads, *part.inside):
            hop.hops.append(Hop(READS, "", inner.path, inner.node.origin, inner.expression, inner.result))
            todo.append((hop.hops[-1], inner))
    return first


def _beyond(contribution: Contribution, path: Path) -> list[Contribution]:
    """What an expression read elsewhere, each place once. What it made at its own place, again and again for the
    turns of a loop, is not named; what that read is."""
    found: dict[Path, Contribution] = {}
    todo = contribution.reads[::-1]
    while todo:
        part = todo.pop()
        if part.path != path:
            found.setdefault(part.path, part)
        else:
            todo.extend(reversed(part.reads))
    return list(found.values())


def _above(place: Place) -> list[Place]:
    """The places that one is in."""
    places = []
    while place.parent is not None:
        place = place.parent
        places.append(place)
    return places


def _opened(account: Account, inside: bool) -> bool:
    """Whether a container is shown child by child: a map is, and whatever several parts wrote."""
    known = account.shape
    while account.parts and len(account.kept) == 1:
        account = account.kept[0]
    return len(account.kept) > 1 or (isinstance(known, MapNode) and not inside) or _is_mixed(account)


def _is_mixed(account: Account) -> bool:
    """Whether something below a place is not just written there: merged, computed or named by an alias."""
    stack = [(account, child) for child in account.children.values()]
    while stack:
        holder, child = stack.pop()
        if child.parts or isinstance(child.node, Suspension) or is_aliased(holder, child):
            return True
        stack.extend((child, inner) for inner in child.children.values())
    return False


def rule_hops(path: Path, account: Account, others: Node | None) -> list[Hop]:
    """What says how a list is merged, each rule once; `others` says it for all lists, in words of its own."""
    rules = [(rule.origin, str(rule)) for rule in account.list_rules]
    if others is not None:
        text = others.text if isinstance(others, Scalar) else ""
        rules = [rule if rule[0] is not None else (others.origin, text or rule[1]) for rule in rules]
    places = {str(origin): (origin, text) for origin, text in rules if origin is not None}
    return [Hop(BECAUSE, "list rule", path, origin, text) for origin, text in places.values()]


def keys_of(above: list[tuple[Path, Account]], at: Path, winner: Contribution) -> Iterator[Hop]:
    """The fields by which the items that a value is in are found, or were matched with lower ones, as the part has them
    that decided the value."""
    for path, item in above:
        step = path[-1] if path else None
        for name in step.names if isinstance(step, Keyed) else _matched(item) if isinstance(step, int) else ():
            field = item.step(name)
            parts = field.written if field is not None and isinstance(field.known, Scalar) else []
            mine = [part for part in parts if part.node.source is winner.node.source]
            mine = mine or (parts[-1:] if isinstance(step, Keyed) else [])  # the item has its name from elsewhere
            if any(part.role.kind == STUB for part in parts):
                own = parts[:1] if isinstance(step, Keyed) else []
                mine = parts if _from_stub(at, winner) else own
            elif not isinstance(step, Keyed):  # it is where the lowest part has it, whatever others call their items
                mine = [parts[0], *mine] if mine and mine[0] is not parts[0] else []
            for part in mine if (*path, name) != at else ():
                yield Hop(BECAUSE, "key", (*path, name), part.node.origin, "", part.node)


def _from_stub(at: Path, winner: Contribution) -> bool:
    """Whether a value of a template is what a stub has in the same place."""
    taken = [winner, *(read for read in winner.reads if read.path[-1:] == at[-1:])]
    return any(part.role.kind == STUB for part in taken)


def _matched(item: Account) -> list[Step]:
    """The fields that the parts of an item were matched by."""
    return [name for name, child in item.children.items() if child.decision == MATCHED]


def _end(drop: Dropped, decided: Account | None) -> Origin | None:
    """What ended a value that lost, where that is not what decided in its place."""
    if drop.by is None or decided is None or drop.by.node is decided.node or drop.reason == NOT_KNOWN:
        return None
    if not drop.above and drop.reason not in (UNSET, OTHER_KIND):
        return None
    return drop.by.node.origin


def _on_the_way(drop: Dropped, end: Origin | None) -> str:
    """Why a part lost to a value that is there, and to what, where that is not the value itself."""
    if end is None:
        return describe_loss(drop)
    how = HOW_REMOVED.get(drop.reason, "replaced")
    return f"removed by {end}" + (f": {how}" if how else "")


def describe_loss(drop: Dropped) -> str:
    """Return why a part of a merge does not decide the value, in the words that all explanations use."""
    if drop.reason in WORDS:
        return WORDS[drop.reason]
    if drop.reason == NOT_KNOWN and not drop.above and isinstance(drop.part.known, Container):
        return MAYBE
    low, high = drop.part.role, drop.by.role if drop.by is not None else drop.part.role
    if low.kind == DIRECTIVE:
        return "a later directive" if high.kind == DIRECTIVE else "the map's own keys override directives"
    if high.kind in BY_ROLE and high.kind != low.kind:
        return BY_ROLE[high.kind]
    if high.kind == STUB:
        return "a stub has a value for it"
    if low.kind == DEFAULT and high.kind != DEFAULT:
        return "default"
    if low.kind == BASE and high.kind != BASE:
        return "the component overrides its base"
    same = drop.by is not None and drop.by.node.origin.source is drop.part.node.origin.source
    return SAME_FILE if same else LATER
