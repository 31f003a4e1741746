"""A tree with nothing left to compute: every deferred node exchanged for its value.

Without recursion, each shared part once. What is unknown is collected and asked for together. A container that a
reference leads back into would never end; that is found here and reported as a failure.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
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
    Scalar,
    Suspension,
    Unknown,
    unbound,
)
from plait.core.scope import Blocked, Place
from plait.evaluate.cycles import PART_OF_IT, cycle_failure
from plait.evaluate.seen import Views
from plait.report.catalog import TOO_DEEP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.evaluate.clashes import Clashes

Task = tuple[Node, Place]
Seen = tuple[int, Place]
"""A task by the identity of its node: to compare containers by their values is far more work."""
Children = dict[Key | int, Node]
LARGE = 1000
"""Computed texts from this length on may be many times the size of what was read."""


class Finisher:
    def __init__(
        self, memo: dict[Task, Node], views: Views, depth: int, known: dict[Seen, tuple[Node, Node]], clashes: Clashes
    ) -> None:
        self.clashes = clashes
        self.memo = memo
        self.views = views
        self.depth = depth
        self.known = known
        """What earlier runs have finished without a failure, each with what it was made of, whose identity it keeps:
        many references may lead to one large container."""
        self.at_hand: Callable[[Node, Place, Children], Children] | None = None
        """The values of those children of a container that need not be evaluated."""
        self.tasks: dict[Seen, Task] = {}
        self.below: dict[Seen, list[tuple[Key | int, Task]]] = {}
        """The children of each container that have to be finished themselves, looked at once."""
        self.ready: dict[Seen, dict[Key | int, Node]] = {}
        """The children of each container that were to be computed, and are finished as they are: nearly all."""
        self.done: dict[Seen, Node] = {}
        self.open: set[Seen] = set()
        self.failures: list[Failure] = []
        self.shared = False
        """Whether several places lead to one container: written out, the tree may be far larger than it is."""
        self.left_out = False
        """Whether something that is undefined is not in the finished tree: who asks for it finds it before alone."""

    def finish(self, node: Node, place: Place) -> tuple[Node, tuple[Failure, ...]]:
        """The finished tree and the failures in it; `Blocked` with everything that is still unknown."""
        if not node.live:
            return node, ()
        task = unbound(node, place)
        self._ask(task)
        finished = self._assemble(task)
        if not self.failures:
            self.known.update((seen, (self.tasks[seen][0], node)) for seen, node in self.done.items())
        return finished, tuple(self.failures)

    def _finished(self, seen: Seen) -> Node | None:
        done = self.done.get(seen)
        if done is None and seen in self.known:
            return self.known[seen][1]
        return done

    def _value(self, task: Task) -> Node | None:
        """What a node is, seen from its place; None while it is unknown."""
        node = task[0]
        value = self.memo.get(task) if isinstance(node, Deferred) and not isinstance(node, Mark) else node
        return self.views.of(value, task[1]) if value is not None and value.live else value

    def _ask(self, root: Task) -> None:
        """Every container in reach, and what is unknown in them."""
        wanted: dict[Task, None] = {}
        stack: list[Task] = [root]
        while stack:
            task = stack.pop()
            seen = (id(task[0]), task[1])
            if seen in self.below or seen in self.known:
                self.shared = True
                continue
            value = self._value(task)
            if value is None:
                wanted[task] = None
                continue
            self.tasks[seen] = task
            below, ready = self.below[seen], self.ready[seen] = [], {}
            memo, of = self.memo, self.views.of
            children = _live_children(value, task[1])
            if children and self.at_hand is not None:
                found = self.at_hand(value, task[1], children)
                if found:
                    ready.update(found)
                    children = {step: child for step, child in children.items() if step not in found}
            for step, child in _tasks(children, task[1]):
                if child[0].__class__ is Suspension:
                    inner = memo.get(child)
                    if inner is not None and inner.live:
                        inner = of(inner, child[1])
                else:
                    inner = self._value(child)
                if inner is None:
                    wanted[child] = None
                elif inner.live:
                    below.append((step, child))
                    stack.append(child)
                else:
                    ready[step] = inner
        if wanted:
            raise Blocked(*reversed(wanted))

    def _assemble(self, root: Task) -> Node:
        stack: list[Task] = [root]
        while stack:
            task = stack[-1]
            seen = (id(task[0]), task[1])
            if self._finished(seen) is not None:
                stack.pop()
                continue
            value = self._value(task)
            assert value is not None
            if isinstance(value, Failure) and not self.below[seen] and not self.ready[seen]:
                self._fail(task, value)
                continue
            if seen not in self.open:
                self.open.add(seen)
                todo = [child for _, child in self.below[seen] if self._finished((id(child[0]), child[1])) is None]
                if len(self.open) > self.depth:
                    self._fail(
                        task,
                        Failure(
                            (TOO_DEEP(Label(value.origin), limit=self.depth, hint="--max-depth raises the limit"),)
                        ),
                    )
                elif any((id(node), place) in self.open for node, place in todo):
                    self._endless(task, stack)
                else:
                    stack.extend(todo)
                continue
            self.open.discard(seen)
            self._complete(task, value)
        finished = self._finished((id(root[0]), root[1]))
        assert finished is not None
        return finished

    def _fail(self, task: Task, failure: Failure) -> None:
        seen = (id(task[0]), task[1])
        self.open.discard(seen)
        failure = self.clashes.met(failure, task[1])
        self.failures.append(failure)
        self.done[seen] = failure

    def _endless(self, task: Task, stack: list[Task]) -> None:
        """A container that is inside itself: the references on the way from it to itself are a cycle."""
        path = [seen for above in stack if (seen := (id(above[0]), above[1])) in self.open]
        below = [(id(node), place) for _, (node, place) in self.below[id(task[0]), task[1]]]
        start = min(path.index(child) for child in below if child in self.open)
        self._fail(task, cycle_failure([self.tasks[seen] for seen in path[start:]], PART_OF_IT))

    def _complete(self, task: Task, value: Node) -> None:
        """Remember a container whose children are finished; one that is partly known is also one of the failures."""
        if not isinstance(value, Unknown):
            self.done[id(task[0]), task[1]] = self._rebuilt(value, task)
            return
        assert value.known is not None
        known = self._rebuilt(value.known, task)
        assert isinstance(known, Container)
        self._fail(task, value.over(known))

    def _rebuilt(self, value: Node, task: Task) -> Node:
        seen = (id(task[0]), task[1])
        below = self.ready[seen]
        for step, (node, place) in self.below[seen]:
            final = self._finished((id(node), place))
            if final is not None:
                below[step] = final
        single = [child for child in below.values() if child.__class__ is Scalar]
        if [child for child in single if len(child.text) > LARGE]:
            self.shared = True
        # an expression may give a mark
        gone = len(single) < len(below) and any(isinstance(child, Mark) for child in below.values())
        self.left_out = self.left_out or gone
        if isinstance(value, ListNode):
            items = [below.get(index, item) for index, item in enumerate(value.items)]
            kept = [item for item in items if not isinstance(item, Mark)] if gone else items
            return ListNode(kept, value.source, value.at, value.tag, False, value.parts, value.rule)
        if isinstance(value, MapNode):
            entries: dict[Key, Node] = dict(value.entries)
            entries.update(below)  # type: ignore[arg-type]
            if gone:
                entries = {key: child for key, child in entries.items() if not isinstance(child, Mark)}
            return MapNode(entries, value.source, value.at, value.tag, False, value.marks, value.parts)
        return value


def _live_children(value: Node, place: Place) -> Children:
    """The children of what is at a place that are not finished."""
    if isinstance(value, Unknown) and value.known is not None:
        value = value.known
    if not value.live or not isinstance(value, Container):
        return {}
    if place.node is None:
        place.node = value
    if isinstance(value, MapNode):
        return {key: child for key, child in value.entries.items() if child.live}
    assert isinstance(value, ListNode)
    return {index: child for index, child in enumerate(value.items) if child.live}


def _tasks(nodes: Children, place: Place) -> list[tuple[Key | int, Task]]:
    """The tasks of knowing some children of a place."""
    rows = zip(nodes.items(), place.children(nodes), strict=True)
    return [(step, unbound(node, at) if node.__class__ is Bound else (node, at)) for (step, node), at in rows]
