"""Evaluation: plait computes only requested values, each once, and never recurses on Python's stack.

An expression that asks for something unknown raises `Blocked`. Its task then waits, what it wants becomes a task,
and it is started again when that is known. If no task can run, the remaining tasks wait for each other: the cycle is
reported once, with its chain, and everything outside it continues.

A value is remembered by (node, place): an expression that a component inherits must not give its base's answer.
"""

from __future__ import annotations

from plait.access.door import Door
from plait.access.guard import LeftUndone
from plait.core.diagnostic import Fault, Label, NotKnown, PlaitError, concealed, placed
from plait.core.find import entry_key, numbers, position
from plait.core.meter import Meter, Overrun
from plait.core.node import (
    Bound,
    Container,
    Deferred,
    Failure,
    Inherited,
    ListNode,
    MapNode,
    Mark,
    Node,
    Overlay,
    Scalar,
    Suspension,
    Unknown,
    hidden,
    mask_of,
    secrets_in,
    text,
    unbound,
)
from plait.core.path import Keyed, Path, Step
from plait.core.scope import Blocked, Place
from plait.core.source import MASK, Source
from plait.evaluate.calls import Pool, Underway, at_once
from plait.evaluate.clashes import Clashes
from plait.evaluate.cycles import DeepMerges, cycle_failure
from plait.evaluate.limits import Counters
from plait.evaluate.nowhere import NotThere
from plait.evaluate.seen import Views
from plait.merging.combine import combine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.scope import Patience, Permit
    from plait.evaluate.finish import Children, Finisher

Task = tuple[Node, Place]
SHORT = 3
"""How long a chain of waiting values may be before tasks are recorded in tables."""
MERGE = 4 * 1024
"""What a merge while values are computed costs, in bytes: its result, its parts, and what is known about it."""
MANY_KEPT = 16
"""So many items of a long list may stay as they are before it counts how many others do not."""
ANYWHERE = Place()
"""A call is the same from wherever it is made."""


class Evaluator:
    """One run: what is known so far, what may be done, and how much of it was done."""

    def __init__(
        self,
        door: Door | None = None,
        meter: Meter | None = None,
        services: dict[str, Callable[..., Node]] | None = None,
        counters: Counters | None = None,
    ) -> None:
        self.door = door or Door()
        self.meter = meter or Meter()
        self.budgets = self.meter.budgets
        self.services = services or {}
        self.counters = counters or Counters()
        self.watch: Callable[[str], None] | None = None
        """Called now and then with what a run is waiting for."""
        self.strict: Callable[[], bool] | None = None
        """Whether a value that cannot be known is an error."""
        self.placeholder: Callable[[list[Task]], Node | None] | None = None
        """For a front in which a ring of values is not an error: what the first of them is to the last while it is
        worked out."""
        self._pool: Pool | None = None
        self._running = False
        self.restart()

    def restart(self) -> None:
        """Begin, or begin again: nothing is known, and nothing was asked."""
        self.memo: dict[Task, Node] = {}
        self._reads: dict[Task, tuple[Task, ...]] = {}
        self._found: dict[tuple[int, Place], Found] = {}
        """The values that were at hand in a container, by its identity."""
        self._unread: list[Found] = []
        """Those of which it is not in the tables yet what was read: most runs never ask that."""
        self._calls: dict[tuple[object, ...], Node | Exception] = {}
        self.source_shown: set[tuple[Task, Task]] = set()
        """Who is shown whose source text, because the other way round they would wait for each other."""
        self._early: dict[Node, Node] = {}
        """What they are shown, made once: what is in it must be the same when they are started again."""
        self._standing: set[Task] = set()
        self._deep = DeepMerges()
        self.clean: dict[int, Node] = {}
        """Containers without a secret, by identity."""
        self.views = Views()
        self.clashes = Clashes()
        self._finished: dict[tuple[int, Place], tuple[Node, Node]] = {}
        self._indexes: dict[tuple[int, Place, tuple[str, ...]], ItemIndex] = {}
        """The items of lists by their fields: many references may lead into one list."""

    def share(self, other: Evaluator) -> None:
        """Take the answers of another run: a question that both ask is asked once."""
        self._calls = other._calls
        self._pool = other._pool = other._pool or Pool()

    # Asking

    def known(self, node: Node, place: Place) -> Node:
        """A node whose outermost kind is known, or `Blocked`."""
        if not isinstance(node, Deferred) or isinstance(node, Mark):
            return node
        task = unbound(node, place)
        found = self.memo.get(task)
        if found is not None:
            return found
        if not isinstance(task[0], Deferred):
            return exposed(*task)
        found = self._found_before(task)
        if found is None:
            raise Blocked(task)
        self.memo[task] = found
        return found

    def seen(self, node: Node, place: Place) -> Node:
        """The same as everybody but a merge reads it: a container has no marks."""
        return self.views.of(self.known(node, place), place)

    def source_value(self, node: Node) -> Node:
        """What was written where a value is not known yet, for one who is shown that."""
        if node not in self._early:
            self._early[node] = source_value(node)
        return self._early[node]

    def find(self, path: Path, start: Place) -> tuple[Node, Place]:
        """The node at a path and its place; an error names what is missing and what there is instead."""
        node, place = self.locate(path, start)
        return self._sound(node, place), place

    def locate(self, path: Path, start: Place) -> tuple[Node, Place]:
        """The same, where the node itself may still be unknown."""
        place = start
        node = place.node
        assert node is not None
        for depth, step in enumerate(path):
            node = self._sound(node, place, step)
            place, node = self._step(node, place, step, path, depth)
        return node, place

    def _sound(self, node: Node, place: Place, step: Step | None = None) -> Node:
        """A known node on the way to a value; of one that is partly known, the part that has the next step."""
        node = self.seen(node, place)
        if isinstance(node, Failure):
            part = node.known if isinstance(node, Unknown) else None
            if not isinstance(part, MapNode) or step is None or entry_key(part, step) is None:
                raise Inherited(self.clashes.met(node, place))
            node = part
        if place.node is None:
            place.node = node
        return node

    def _step(self, node: Node, place: Place, step: Step, path: Path, depth: int) -> tuple[Place, Node]:
        if isinstance(node, MapNode):
            key = entry_key(node, step)
            if key is not None:
                return place.child(key), node.entries[key]
        elif isinstance(node, ListNode):
            index = self._index(node, place, step)
            if index is not None:
                return place.child(index), node.items[index]
        raise NotThere(node, path, depth)

    def _index(self, node: ListNode, place: Place, step: Step) -> int | None:
        """The item that a step means; items that a field identifies are asked for it."""
        if not isinstance(step, Keyed):
            return position(len(node.items), step)
        key = (id(node), place, step.names)
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = ItemIndex(node, place, step.names)  # which keeps the node, and so its identity
        return index.find(step.values, self)

    def force(self, node: Node, place: Place) -> Node:
        """A node whose outermost kind is known; a failure is a node too."""
        if not isinstance(node, Deferred) or isinstance(node, Mark):
            return node
        task = unbound(node, place)
        found = self.memo.get(task)
        if found is not None and task not in self._standing:
            return found
        if not isinstance(task[0], Deferred):
            return exposed(*task)
        if found is not None or not self._at_once(task):
            self.run([task])
        return self.memo[task]

    def _at_once(self, task: Task) -> bool:
        """Evaluate a value directly if possible: most values depend on known values, or on one value that depends on
        nothing."""
        assert not self._running, "an expression asked the evaluator to run: it must raise Blocked"
        self._running = True
        try:
            return self._tried([task])
        finally:
            self._running = False

    def _tried(self, chain: list[Task]) -> bool:
        while chain:
            self.counters.steps += 1
            self.meter.step()
            try:
                self.memo[chain[-1]] = self._evaluate(chain[-1])
            except Blocked as blocked:
                wanted = self._unknown(blocked)
                if len(wanted) != 1 or wanted[0] in chain or len(chain) == SHORT or isinstance(wanted[0][0], Underway):
                    return False
                chain += wanted
            else:
                self.counters.forced += 1
                chain.pop()
        return True

    def _at_hand(self, container: Node, place: Place, children: Children) -> Children:
        """The values of expressions in a container that only read a single value which is known."""
        known = self._found.get((id(container), place))
        if known is not None:
            return known.values
        values: Children = {}
        source: object = None
        secret = False
        for step, node in children.items():
            if node.__class__ is Suspension:
                assert isinstance(node, Suspension)
                there = place.held(step)
                if there is not None and (node, there) in self.memo:
                    continue
                try:
                    value = node.expression.at_hand(node, place, self.meter)
                except Overrun as overrun:
                    raise placed(overrun, Label(node.origin)) from None
                if value is not None:
                    if source is not node.source:
                        source = node.source
                        secret = isinstance(source, Source) and source.has_secret_expressions
                    if not secret or not node.secret:
                        values[step] = value
        if values:
            found = self._found[id(container), place] = Found(container, place, children, values)
            self._unread.append(found)
            self.counters.steps += len(values)
            self.counters.forced += len(values)
            self.meter.step(len(values))
        return values

    def _found_before(self, task: Task) -> Node | None:
        """A value that was at hand when its container was finished."""
        node, place = task
        around = place.parent
        found = None if around is None else self._found.get((id(around.node), around))
        return None if found is None else found.value_of(node, place.step)

    @property
    def reads(self) -> dict[Task, tuple[Task, ...]]:
        """What each expression has read that was evaluated."""
        self._catch_up()
        return self._reads

    def _catch_up(self) -> None:
        """Put what was at hand into the tables, as if it had been evaluated."""
        while self._unread:
            found = self._unread.pop()
            for step in found.values:
                task = (found.children[step], found.place.child(step))
                if task not in self._reads:
                    self.memo[task] = self._evaluate(task)

    def read(self, node: Node, place: Place) -> Node:
        """The same as everybody but a merge reads it: a container has no marks."""
        return self.views.of(self.force(node, place), place)

    def finish(self, node: Node, place: Place, is_shared: bool = False) -> tuple[Node, tuple[Failure, ...]]:
        """A node with everything below it known, and the failures in it.

        It is refused where it is too much to write out; `is_shared` says that parts of it are known to be shared.
        """
        made, failures, shared, _ = self._whole(node, place)
        if shared or is_shared:
            from plait.core.size import check_size

            check_size(made, self.meter)
        return made, failures

    def _whole(self, node: Node, place: Place, forgets: bool = False) -> tuple[Node, tuple[Failure, ...], bool, bool]:
        """The same of any size, whether parts of it are shared, and whether something in it is left out."""
        while node.live:
            finisher = self._finisher()
            finisher.at_hand = None if forgets else self._at_hand
            try:
                return *finisher.finish(node, place), finisher.shared, finisher.left_out
            except Blocked as blocked:
                self.run(blocked.wanted)
        return node, (), False, False

    def spend(self, wide: ListNode, place: Place) -> bool:
        """Finish the items of a list one after the other, put each in its place, and forget what only it needed; and
        say whether parts of an item are shared, which nobody sees any more.

        It is for a list that nobody else has, in a tree that nobody asks for more than its values: in a list of a
        hundred thousand items, what is known of each takes several times the memory of the result. An item that fails,
        or of which something is left out, stays as it is; where most items do, there is nothing to spare, and the rest
        is left to whoever finishes the whole tree.
        """
        place.node = wide
        kept, is_shared = 0, False
        for index, item in enumerate(wide.items):
            if not item.live:
                continue
            if not isinstance(item, MapNode):
                self.force(item, place.child(index))
                continue
            before, here = self.mark(), place.child(index)
            self._one_by_one(item, here)
            made, failures, shared, left_out = self._whole(item, here, forgets=True)
            is_shared = is_shared or shared
            if not failures and not left_out:
                wide.items[index] = here.node = made
                here.clear()
                self._forget_since(before, here.holds)
                place.drop(index)
                continue
            kept += 1
            if kept > MANY_KEPT and 2 * kept > index:
                break
        wide.live = any(item.live for item in wide.items)
        return is_shared

    def _one_by_one(self, item: MapNode, place: Place) -> None:
        """Evaluate the expressions of a map in their order: most need nothing that is not known by then."""
        place.node = item
        for key, node in item.entries.items():
            if node.__class__ is Suspension:
                self.force(node, place.child(key))

    def finished(self, node: Node, place: Place) -> tuple[Node, tuple[Failure, ...]]:
        """The same, or `Blocked`."""
        return self._finisher().finish(node, place)

    def _finisher(self) -> Finisher:
        from plait.evaluate.finish import Finisher

        return Finisher(self.memo, self.views, self.budgets.depth, self._finished, self.clashes)

    def asked(self, question: Callable[[], Node]) -> Node:
        """The answer to a question that may have to wait."""
        while True:
            try:
                return question()
            except Blocked as blocked:
                self.run(blocked.wanted)

    def mark(self) -> tuple[int, ...]:
        """How much is known by now; see `forget`."""
        return len(self.memo), len(self._reads), len(self._finished), self.views.mark()

    def forget(self, roots: set[Place], mark: tuple[int, ...]) -> None:
        """Drop what was computed since a mark for the places of some roots: they will not be asked for again."""
        self._forget_since(mark, lambda place: place.root in roots)
        self._indexes = {key: index for key, index in self._indexes.items() if key[1].root not in roots}
        self.views = Views()

    def _forget_since(self, mark: tuple[int, ...], are_done: Callable[[Place], bool]) -> None:
        """Drop what was computed since a mark for some places."""
        tables: tuple[dict[Task, object], ...] = (self.memo, self._reads, self._finished)  # type: ignore[assignment]
        for table, size in zip(tables, mark, strict=False):
            if len(table) == size:
                continue
            others: list[tuple[Task, object]] = []
            while len(table) > size:
                task, found = table.popitem()  # a dictionary gives back what came last
                if not are_done(task[1]):
                    others.append((task, found))
            table.update(reversed(others))
        self.views.forget(mark[-1])

    def revise(self, root: Place, change: Callable[[Node], Node]) -> None:
        """Show what is known below a root in another form, for a front whose results are not printed as they are."""
        self._catch_up()
        for task, value in self.memo.items():
            if task[1].root is root and not isinstance(value, Failure):
                self.memo[task] = change(value)
        for found in self._found.values():
            if found.place.root is root:
                found.values = {step: change(value) for step, value in found.values.items()}
        for seen, (node, made) in self._finished.items():
            if seen[1].root is root and not isinstance(made, Failure):
                self._finished[seen] = node, change(made)

    def answer(self, node: Suspension, place: Place) -> Node:
        """What an expression outside the tree gives, as it gives it: maybe bound to a place."""

        def question() -> Node:
            return node.expression.evaluate(_Scope(self, node, place))

        try:
            return self.asked(question)
        except Inherited as inherited:
            from plait.core.unknown import fault_of

            raise fault_of([inherited.failure]) from None

    # Running

    def begin(self, wanted: Iterable[Task]) -> None:
        """Make the calls that some values need, and wait for none: when the values are asked for, the calls are
        under way."""
        goals: list[Task] = []
        for node, place in wanted:
            try:
                self.finished(node, place)
            except Blocked as blocked:
                goals += blocked.wanted
        self.run(goals, wait=False)

    def run(self, goals: Iterable[Task], wait: bool = True) -> None:
        """Work until every goal is known, or without `wait`, until nothing can be done before a call is answered.

        An expression never starts a run: it raises `Blocked`. So cycles of every kind are found here, and depth is
        never Python's.
        """
        assert not self._running, "an expression asked the evaluator to run: it must raise Blocked"
        self._running = True
        try:
            self._work(list(goals), wait)
        finally:
            self._running = False

    def _work(self, ready: list[Task], wait: bool) -> None:
        waits: Waits = {}
        waiters: dict[Task, list[Task]] = {}
        underway: dict[Task, None] = {}
        while ready or waits or underway:
            if not ready and underway and not wait:
                return
            if not ready:
                ready.extend(
                    self._answered(underway, waits, waiters) if underway else self._break_cycle(waits, waiters)
                )
                continue
            task = ready.pop()
            if (task in self.memo and task not in self._standing) or task in waits:
                continue
            if isinstance(task[0], Underway):
                underway[task] = None
                continue
            self.counters.steps += 1
            self.meter.step()
            try:
                value = self._evaluate(task)
            except Blocked as blocked:
                wanted = self._unknown(blocked)
                if not wanted:
                    ready.append(task)
                    continue
                waits[task] = _Wait(wanted, blocked.lenient)
                for want in wanted:
                    waiters.setdefault(want, []).append(task)
                ready.extend([want for want in reversed(wanted) if want not in waits])
                continue
            ready.extend(self._settle(task, value, waits, waiters))

    def _answered(self, underway: dict[Task, None], waits: Waits, waiters: dict[Task, list[Task]]) -> list[Task]:
        """Nothing can run before a call is answered: the one that was made first, so that timing decides nothing."""
        task = next(iter(underway))
        del underway[task]
        call = task[0]
        assert isinstance(call, Underway)
        assert self._pool is not None
        if not self._pool.wait(call, self.meter.deadline, self.watch):
            raise self.meter.late(notes=(f"waiting for {call.patience.what}",))
        return self._settle(task, call.answered(), waits, waiters)

    def _settle(self, task: Task, value: Node, waits: Waits, waiters: dict[Task, list[Task]]) -> list[Task]:
        """Remember a value; those that wait for nothing else can go on."""
        self.memo[task] = value
        self._standing.discard(task)
        self.counters.forced += 1
        free = []
        for waiter in waiters.pop(task, ()):
            wait = waits.get(waiter)
            if wait is None:
                continue
            wait.left -= 1
            if not wait.left:
                del waits[waiter]
                free.append(waiter)
        return free

    def _unknown(self, blocked: Blocked) -> list[Task]:
        """What a task waits for, each once."""
        wanted = [unbound(*want) for want in blocked.wanted]
        if len(wanted) > 1:
            wanted = list(dict.fromkeys(wanted))
        return [want for want in wanted if want not in self.memo]

    def seconds_left(self) -> float:
        return min(self.meter.budgets.call, self.meter.seconds_left())

    def _break_cycle(self, waits: Waits, waiters: dict[Task, list[Task]]) -> list[Task]:
        """Nothing can run: follow who waits for whom until one of them comes again."""
        task = next(iter(waits))
        order: dict[Task, int] = {}
        while task not in order:
            if self._overtaken(waits[task]):
                del waits[task]
                return [task]
            order[task] = len(order)
            task = next(want for want in waits[task].wanted if want in waits)
        cycle = list(order)[order[task] :]
        after = dict(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        easy = [member for member in cycle if waits[member].lenient]
        if easy:
            member = min(easy, key=lambda member: order[after[member]])
            return self._show_source(member, after[member], waits)
        placeholder = self.placeholder(cycle) if self.placeholder is not None else None
        if placeholder is not None:
            return self._put_in(cycle, placeholder, waits, waiters)
        failure = cycle_failure(cycle)
        free: list[Task] = []
        for member in cycle:
            waits.pop(member, None)
        for member in cycle:
            free += self._settle(member, failure, waits, waiters)
        return free

    def _overtaken(self, wait: _Wait) -> bool:
        """Whether something has become known elsewhere: an expression may have asked for it by a run of its own."""
        return any(want in self.memo and want not in self._standing for want in wait.wanted)

    def _show_source(self, member: Task, wanted: Task, waits: Waits) -> list[Task]:
        """Let one of a ring go on: it can do with the source of what it waits for."""
        del waits[member]
        self.source_shown.add((member, wanted))
        return [member]

    def _put_in(self, cycle: list[Task], value: Node, waits: Waits, waiters: dict[Task, list[Task]]) -> list[Task]:
        """Let the last of a ring go on with a stand-in for the first, which is worked out after it."""
        first, last = cycle[0], cycle[-1]
        self.memo[first] = value
        self._standing.add(first)
        waiters[first].remove(last)
        wait = waits[last]
        wait.wanted.remove(first)
        wait.left -= 1
        if wait.left:
            return []
        del waits[last]
        return [last]

    def _evaluate(self, task: Task) -> Node:
        node, place = task
        try:
            if isinstance(node, Suspension):
                return self._suspension(node, place, task)
            assert isinstance(node, Overlay)
            return self._merge(node, place)
        except Inherited as inherited:
            failure = inherited.failure
            return Failure(failure.diagnostics, node.source, node.at, inherited=True)
        except Overrun as overrun:
            raise placed(overrun, Label(node.origin)) from None
        except Fault as error:
            return Failure(error.diagnostics, node.source, node.at)

    def _suspension(self, node: Suspension, place: Place, task: Task) -> Node:
        scope = _Scope(self, node, place)
        try:
            value = made = node.expression.evaluate(scope)
            if value.live:
                value = self.known(value, place)
        except Inherited as inherited:
            failure = _placed(inherited.failure, node)
            if not isinstance(failure, Unknown):
                raise Inherited(failure) from None
            return self._not_known(scope, node, failure)
        except NotKnown as error:
            reason = concealed(error, scope.shown_mask) if scope.secrets else error
            assert isinstance(reason, NotKnown)
            if self.strict is None or reason.harmless or not self.strict():
                return self._not_known(scope, node, reason)
            raise reason from None
        except PlaitError as error:
            if not scope.secrets:
                raise
            raise concealed(error, scope.shown_mask) from None
        if isinstance(value, Unknown):
            return value if made is value else self._not_known(scope, node, value)
        if isinstance(value, Failure):
            raise Inherited(value)
        reads = scope.reads
        self._reads[task] = tuple(reads if len(reads) < 2 else dict.fromkeys(reads))
        if node.secret or (scope.secrets and not scope.is_as_read(value)):
            value = hidden(value, scope.mask or True)
        return value

    def _not_known(self, scope: _Scope, node: Suspension, reason: Unknown | NotKnown) -> Unknown:
        """A value that cannot be known, because of what it reads or of a call that it makes. Its inputs are all that it
        names: what it has read so far depends on where it stopped."""
        found: tuple[Node, ...] = (reason,) if isinstance(reason, Unknown) else ()
        asked = tuple(text(part) for key in scope.asked for part in key if isinstance(part, str))
        known = reason.known if isinstance(reason, NotKnown) else None
        return Unknown(
            reason.diagnostics,
            node.source,
            node.at,
            why=reason.why or reason.diagnostics[0].message,
            expression=node.told,
            inputs=(*found, *asked, *self._inputs(scope, node), *((node.as_text(),) if node.secret else ())),
            known=known if isinstance(known, Container) else None,
        )

    def _inputs(self, scope: _Scope, node: Suspension) -> list[Node]:
        """The single values that an expression has read, and all that it names, computed."""
        named: list[Node] = [value for value in map(self._now, scope.reads) if isinstance(value, Scalar)]
        task = (node, scope.place)
        try:
            reads = node.expression.names(scope)
        except Blocked as blocked:
            self._wait_unless_source_shown(task, blocked)
            reads = []
        for read, where in reads:
            try:
                named.append(self._finisher().finish(*unbound(read, where))[0])
            except Blocked as blocked:
                self._wait_unless_source_shown(task, blocked)
        return named

    def _wait_unless_source_shown(self, task: Task, blocked: Blocked) -> None:
        """Wait for an input, unless it waits for the value that it is an input of."""
        if not any((task, unbound(*want)) in self.source_shown for want in blocked.wanted):
            raise Blocked(*blocked.wanted, lenient=True) from None

    def _now(self, task: Task) -> Node | None:
        """What is known of a node by now."""
        node, place = unbound(*task)
        return self.memo.get((node, place)) if isinstance(node, Deferred) else node

    def _merge(self, node: Overlay, place: Place) -> Node:
        if place.depth > DeepMerges.FROM:
            self._deep.check(node, place)
        self.meter.make(MERGE)
        return combine(
            node.parts, node.policy, _Parts(self, place), lambda merged: self.clashes.met_below(merged, place)
        )

    def eager(self, blocked: Blocked) -> Node:
        """An expression in the way of a merge, evaluated at once where it waits for nothing itself; an expression
        does not descend."""
        task = blocked.wanted[0]
        if task[0].__class__ is Suspension:
            try:
                self.memo[task] = self._evaluate(task)
            except Blocked:
                raise blocked from None
            self.counters.forced += 1
            self.counters.steps += 1
            return self.memo[task]
        raise blocked

    def call(
        self,
        capability: str,
        key: tuple[object, ...],
        function: Callable[[Permit], Node],
        node: Node,
        patience: Patience | None = None,
    ) -> Node:
        """A call to the outside: allowed, counted, made once for the same key; a slow one beside others."""
        if key in self._calls:
            self.door.check(capability, node)
        else:
            if self.door.trace is not None:
                self.door.trace.called(capability, key)
            permit = self.door.permit(capability, node)
            if self.door.guard.apart and patience is not None:
                raise LeftUndone
            self.counters.calls += 1

            def permitted() -> Node:
                made = function(permit)
                return hidden(made) if permit.conceals and not (isinstance(made, Scalar) and made.secret) else made

            self._calls[key] = self._started(permitted, patience) if patience is not None else at_once(permitted)
        result = self._calls[key]
        if isinstance(result, Underway):
            if result.answer is None or (result, ANYWHERE) not in self.memo:
                raise Blocked((result, ANYWHERE))
            result = self._calls[key] = result.answer
        if isinstance(result, Exception):
            raise result
        return result

    def answer_before(self, capability: str, key: tuple[object, ...], node: Node) -> Node | None:
        """The answer to a call that was made before, for a value that may make it, too; None if there is none."""
        found = self._calls.get(key)
        known = found if isinstance(found, Scalar) else None
        return known if known is not None and self.door.guard.permits(capability, node.origin.source) else None

    def _started(self, function: Callable[[], Node], patience: Patience) -> Underway:
        if self._pool is None:
            self._pool = Pool()
        call = Underway(function, patience, self.budgets.call)
        self._pool.start(call)
        return call


class Found:
    """The children of a container whose values were at hand, and these values."""

    __slots__ = ("children", "container", "place", "values")

    def __init__(self, container: Node, place: Place, children: Children, values: Children) -> None:
        self.container = container
        self.place = place
        self.children = children
        self.values = values

    def value_of(self, node: Node, step: Step) -> Node | None:
        """The value of one of the children, if it was at hand."""
        return self.values.get(step) if self.children.get(step) is node else None  # type: ignore[arg-type]


class ItemIndex:
    """The items of a list by the texts of some fields.

    It is made as far as it was looked up: what follows may not be known.
    """

    __slots__ = ("failed", "indexes", "names", "next", "node", "place")

    def __init__(self, node: ListNode, place: Place, names: tuple[str, ...]) -> None:
        self.node = node
        self.place = place
        self.names = names
        self.indexes: dict[tuple[str, ...], int] = {}
        self.next = 0
        self.failed: tuple[Failure, Place] | None = None
        """The first item or field that could not be computed: it may be the one that is looked for."""

    def find(self, values: tuple[str, ...], evaluator: Evaluator) -> int | None:
        """The first item with these values, or `Blocked` where a field that must be compared is not known. Where none
        is found and one could not be computed, the error is that one's."""
        while values not in self.indexes and self.next < len(self.node.items):
            fields = self._fields(self.next, evaluator)
            if fields is not None:
                self.indexes.setdefault(fields, self.next)
            self.next += 1
        found = self.indexes.get(values)
        if found is None and self.failed is not None:
            raise Inherited(evaluator.clashes.met(*self.failed))
        return found

    def _fields(self, index: int, evaluator: Evaluator) -> tuple[str, ...] | None:
        inner = self.place.child(index)
        item = evaluator.seen(self.node.items[index], inner)
        if isinstance(item, Failure):
            self.failed = self.failed or (item, inner)
        if self.names == ("",):
            return (item.text,) if isinstance(item, Scalar) else None
        if not isinstance(item, MapNode) or not all(name in item.entries for name in self.names):
            return None
        fields = [evaluator.known(item.entries[name], inner.child(name)) for name in self.names]
        for name, field in zip(self.names, fields, strict=True):
            if isinstance(field, Failure):
                self.failed = self.failed or (field, inner.child(name))
        texts = [field.text for field in fields if isinstance(field, Scalar)]
        return tuple(texts) if len(texts) == len(fields) else None


def _placed(failure: Failure, node: Suspension) -> Failure:
    """A failure that an expression meets, at the place of the expression where it has none of its own."""
    if all(finding.labels for finding in failure.diagnostics):
        return failure
    label = Label(node.origin, length=len(node.told.partition("\n")[0]))
    return failure.saying(
        tuple(finding if finding.labels else finding.also_at(label) for finding in failure.diagnostics)
    )


class _Wait:
    """What a task waits for, how many of them are still unknown, and whether it could do with their sources."""

    __slots__ = ("left", "lenient", "wanted")

    def __init__(self, wanted: list[Task], lenient: bool) -> None:
        self.wanted = wanted
        self.left = len(wanted)
        self.lenient = lenient


Waits = dict[Task, _Wait]


class _Scope:
    """What one expression sees, and a record of what it read."""

    __slots__ = ("asked", "evaluator", "mask", "meter", "node", "place", "reads", "secretive", "secrets", "written")

    def __init__(self, evaluator: Evaluator, node: Suspension, place: Place) -> None:
        self.asked: list[tuple[object, ...]] = []
        """The calls to the outside that it made."""
        self.evaluator = evaluator
        self.meter = evaluator.meter
        self.node: Node = node
        self.place = place
        self.written = node.written
        self.reads: list[Task] = []
        self.secretive: list[Node] = []
        """What was taken as a whole and has secrets in it."""
        self.secrets: set[str] = set()
        self.mask: bool | str = False
        """What `Scalar.secret` is of what is made of them."""

    def known(self, node: Node, place: Place) -> Node:
        return self.evaluator.views.of(self.part(node, place), place)

    def part(self, node: Node, place: Place) -> Node:
        value = self.evaluator.known(node, place)
        if isinstance(value, Failure):
            raise Inherited(self.evaluator.clashes.met(value, place))
        return self._read(value, node, place)

    def peek(self, node: Node, place: Place) -> Node:
        source_shown = self.evaluator.source_shown
        if source_shown and ((self.node, self.place), unbound(node, place)) in source_shown:
            return self.evaluator.source_value(unbound(node, place)[0])
        try:
            return self.known(node, place)
        except Blocked as blocked:
            raise Blocked(*blocked.wanted, lenient=True) from None

    def finished(self, node: Node, place: Place) -> Node:
        value, failures = self.evaluator.finished(node, place)
        if failures:
            raise Inherited(next((one for one in failures if not isinstance(one, Unknown)), failures[0]))
        if value.live:  # a mark
            raise Inherited(Failure((), value.source, value.at))
        self.reads.append((node, place))
        return self.taken(value)

    def taken(self, value: Node) -> Node:
        found = secrets_in(value, self.evaluator.clean)
        if found:
            self._note(found)
            self.secretive.append(value)
        return value

    def find(self, path: Path, start: Place | None = None) -> Node:
        try:
            value, place = self.evaluator.find(path, start or self.place.root)
        except NotThere as missing:
            raise missing.at(self.node) from None
        self._read(value, value, place)
        value = self.evaluator.views.part(value)  # a reference is merged together with what its value says about that
        return Bound(value, place) if value.live else value

    def call(
        self,
        capability: str,
        key: tuple[object, ...],
        function: Callable[[Permit], Node],
        patience: Patience | None = None,
    ) -> Node:
        self.asked.append(key)
        answer = self.evaluator.call(capability, key, function, self.node, patience)
        if isinstance(answer, Scalar):
            if answer.secret:
                self._note([answer])
        elif capability == "env":
            self._note(secrets_in(answer))
        return answer

    def seconds_left(self) -> float:
        return self.evaluator.seconds_left()

    def service(self, name: str) -> Callable[..., Node]:
        return self.evaluator.services[name]

    def is_as_read(self, value: Node) -> bool:
        """Whether it is what was taken as a whole, with all secrets that were read: they are marked in it."""
        if not any(value is node for node in self.secretive):
            return False
        return self.secrets <= {secret.text for secret in secrets_in(value)}

    def _read(self, value: Node, node: Node, place: Place) -> Node:
        self.reads.append((node, place))
        if isinstance(value, Scalar) and value.secret:
            self._note([value])
        return value

    @property
    def shown_mask(self) -> str:
        """What is shown in place of what is made of the secrets that were read."""
        return self.mask if isinstance(self.mask, str) else MASK

    def _note(self, found: list[Scalar]) -> None:
        """These secrets were read."""
        self.secrets.update(secret.text for secret in found)
        self.mask = mask_of(self.mask, *(secret.secret for secret in found))


class _Parts:
    """How a merge sees the parts of an overlay: each is asked for, and what is in a list is bound to its place."""

    __slots__ = ("evaluator", "place")

    def __init__(self, evaluator: Evaluator, place: Place) -> None:
        self.evaluator = evaluator
        self.place = place

    def known(self, node: Node) -> Node:
        task = unbound(node, self.place)
        try:
            known = self.evaluator.known(*task)
        except Blocked as blocked:
            known = self.evaluator.eager(blocked)
        return exposed(known, task[1]) if isinstance(known, ListNode) or task[1] is not self.place else known

    def whole(self, node: Node) -> Node:
        return self.evaluator.finished(node, self.place)[0]


def source_value(node: Node) -> Node:
    """What was written where a value is not known yet: the text of an expression, or what that says of itself in
    `early`."""
    if isinstance(node, Overlay):
        parts = [source_value(part) for part in node.parts]
        return combine(parts, node.policy) if isinstance(parts[-1], MapNode | ListNode) else parts[-1]
    if not isinstance(node, Suspension):
        return node
    early = node.expression.early
    if early is None:
        return node.as_text()
    return hidden(early) if node.secret else early


def exposed(node: Node, place: Place) -> Node:
    """A container that can be seen from anywhere: what is unfinished in it is bound to its own place."""
    if isinstance(node, Unknown) and node.known is not None:
        known = exposed(node.known, place)
        assert isinstance(known, Container)
        return node if known is node.known else node.over(known)
    if not node.live or not isinstance(node, MapNode | ListNode):
        return node
    if isinstance(node, ListNode):
        items = [bound(item, place, number) for number, item in zip(numbers(node.items), node.items, strict=True)]
        return ListNode(items, node.source, node.at, node.tag, True, node.parts, node.rule)
    entries = {key: bound(child, place, key) for key, child in node.entries.items()}
    return MapNode(entries, node.source, node.at, node.tag, True, node.marks, node.parts, node.alone)


def bound(node: Node, place: Place, step: Step) -> Node:
    if not node.live or isinstance(node, Bound | Mark):
        return node
    if isinstance(node, Failure):
        return exposed(node, place.child(step))
    return Bound(node, place.child(step))
