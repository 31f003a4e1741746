"""A tree with nothing left to compute: every deferred node exchanged for its value.

Without recursion, each shared part once. What is unknown is collected and asked for together. A container that a
reference leads back into would never end; that is found here and reported as a failure.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import (
    Container,
    Deferred,
    Failure,
    Key,
    Mapping,
    Mark,
    Node,
    Scalar,
    Sequence,
    Unknown,
    unbound,
)
from plait.core.scope import Blocked, Place
from plait.evaluate.cycles import PART_OF_IT, cycle_failure
from plait.evaluate.seen import Views
from plait.report.catalog import TOO_DEEP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.evaluate.clashes import Clashes

Task = tuple[Node, Place]
LARGE = 1000
"""Computed texts from this length on may be many times the size of what was read."""


class Finisher:
    def __init__(
        self, memo: dict[Task, Node], views: Views, depth: int, known: dict[Task, Node], clashes: Clashes
    ) -> None:
        self.clashes = clashes
        self.memo = memo
        self.views = views
        self.depth = depth
        self.known = known
        """What earlier runs have finished without a failure: many references may lead to one large container."""
        self.below: dict[Task, list[tuple[Key | int, Task]]] = {}
        """The children of each container that are not finished by themselves, looked at once."""
        self.done: dict[Task, Node] = {}
        self.open: set[Task] = set()
        self.failures: list[Failure] = []
        self.shared = False
        """Whether several places lead to one container: written out, the tree may be far larger than it is."""

    def run(self, node: Node, place: Place) -> tuple[Node, tuple[Failure, ...]]:
        """The finished tree and the failures in it; `Blocked` with everything that is still unknown."""
        if not node.live:
            return node, ()
        task = unbound(node, place)
        self._ask(task)
        finished = self._assemble(task)
        if not self.failures:
            self.known.update(self.done)
        return finished, tuple(self.failures)

    def _finished(self, task: Task) -> Node | None:
        return self.done.get(task) or self.known.get(task)

    def _value(self, task: Task) -> Node | None:
        """What a node is, seen from its place; None while it is unknown."""
        node = task[0]
        value = self.memo.get(task) if isinstance(node, Deferred) and not isinstance(node, Mark) else node
        return self.views.of(value, task[1]) if value is not None else None

    def _ask(self, root: Task) -> None:
        """Every container in reach, and what is unknown in them."""
        wanted: dict[Task, None] = {}
        stack: list[Task] = [root]
        while stack:
            task = stack.pop()
            if task in self.below or task in self.known:
                self.shared = True
                continue
            value = self._value(task)
            if value is None:
                wanted[task] = None
                continue
            self.below[task] = below = _live_children(value, task[1])
            for _, child in below:
                inner = self._value(child)
                if inner is None:
                    wanted[child] = None
                elif inner.live:
                    stack.append(child)
        if wanted:
            raise Blocked(*reversed(wanted))

    def _assemble(self, root: Task) -> Node:
        stack: list[Task] = [root]
        while stack:
            task = stack[-1]
            if self._finished(task) is not None:
                stack.pop()
                continue
            value = self._value(task)
            assert value is not None
            if isinstance(value, Failure) and not self.below[task]:
                self._fail(task, value)
                continue
            if task not in self.open:
                self.open.add(task)
                todo = [child for _, child in self.below[task] if self._final(child) is None]
                if len(self.open) > self.depth:
                    self._fail(
                        task,
                        Failure(
                            (TOO_DEEP(Label(value.origin), limit=self.depth, hint="--max-depth raises the limit"),)
                        ),
                    )
                elif any(child in self.open for child in todo):
                    self._endless(task, stack)
                else:
                    stack.extend(todo)
                continue
            self.open.discard(task)
            self._complete(task, value)
        finished = self._finished(root)
        assert finished is not None
        return finished

    def _final(self, task: Task) -> Node | None:
        """What a child is in the end; None while that is not known. Most need nothing but their value."""
        value = self._value(task)
        return value if value is not None and not value.live else self._finished(task)

    def _fail(self, task: Task, failure: Failure) -> None:
        self.open.discard(task)
        failure = self.clashes.met(failure, task[1])
        self.failures.append(failure)
        self.done[task] = failure

    def _endless(self, task: Task, stack: list[Task]) -> None:
        """A container that is inside itself: the references on the way from it to itself are a cycle."""
        path = [above for above in stack if above in self.open]
        start = min(path.index(child) for _, child in self.below[task] if child in self.open)
        self._fail(task, cycle_failure(path[start:], PART_OF_IT))

    def _complete(self, task: Task, value: Node) -> None:
        """Remember a container whose children are finished; one that is partly known is also one of the failures."""
        if not isinstance(value, Unknown):
            self.done[task] = self._rebuilt(value, task)
            return
        assert value.known is not None
        known = self._rebuilt(value.known, task)
        assert isinstance(known, Container)
        self._fail(task, value.over(known))

    def _rebuilt(self, value: Node, task: Task) -> Node:
        below = {step: final for step, child in self.below[task] if (final := self._final(child)) is not None}
        if any(isinstance(child, Scalar) and len(child.text) > LARGE for child in below.values()):
            self.shared = True
        gone = any(isinstance(child, Mark) for child in below.values())  # an expression may give a mark
        if isinstance(value, Sequence):
            items = [below.get(index, item) for index, item in enumerate(value.items)]
            kept = [item for item in items if not isinstance(item, Mark)] if gone else items
            return Sequence(kept, value.source, value.at, value.tag, False, value.parts, value.rule)
        if isinstance(value, Mapping):
            entries: dict[Key, Node] = dict(value.entries)
            entries.update(below)  # type: ignore[arg-type]
            if gone:
                entries = {key: child for key, child in entries.items() if not isinstance(child, Mark)}
            return Mapping(entries, value.source, value.at, value.tag, False, value.marks, value.parts)
        return value


def _live_children(value: Node, place: Place) -> list[tuple[Key | int, Task]]:
    """The children that are not finished, each with the task of knowing it."""
    if isinstance(value, Unknown) and value.known is not None:
        value = value.known
    if not value.live:
        return []
    if isinstance(value, Mapping):
        if place.node is None:
            place.node = value
        return [(key, unbound(child, place.child(key))) for key, child in value.entries.items() if child.live]
    if isinstance(value, Sequence):
        if place.node is None:
            place.node = value
        return [(index, unbound(child, place.child(index))) for index, child in enumerate(value.items) if child.live]
    return []
