"""A tree with nothing left to compute: every deferred node exchanged for its value, marks dropped.

Without recursion, each shared part once. What is unknown is collected and asked for together. A container that a
reference leads back into would never end; that is found here and reported as a failure.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Deferred, Failure, Key, Mapping, Mark, Node, Sequence
from plait.core.scope import Blocked, Place, unbound
from plait.merging.combine import misplaced
from plait.report.catalog import ENDLESS, TOO_DEEP

Task = tuple[Node, Place]


class Finisher:
    def __init__(self, memo: dict[Task, Node], depth: int) -> None:
        self.memo = memo
        self.depth = depth
        self.done: dict[Task, Node] = {}
        self.open: set[Task] = set()
        self.failures: list[Failure] = []

    def run(self, node: Node, place: Place) -> tuple[Node, tuple[Failure, ...]]:
        """The finished tree and the failures in it; `Blocked` with everything that is still unknown."""
        if not node.live:
            return node, ()
        self._ask(node, place)
        return self._assemble(node, place), tuple(self.failures)

    def _value(self, node: Node, place: Place) -> Node | None:
        """What a node is, seen from its place; None while it is unknown."""
        node, place = unbound(node, place)
        return self.memo.get((node, place)) if isinstance(node, Deferred) and not isinstance(node, Mark) else node

    def _ask(self, node: Node, place: Place) -> None:
        wanted: dict[Task, None] = {}
        seen: set[Task] = set()
        stack: list[Task] = [(node, place)]
        while stack:
            task = unbound(*stack.pop())
            if task in seen:
                continue
            seen.add(task)
            value = self._value(*task)
            if value is None:
                wanted[task] = None
            else:
                stack.extend((child, place) for _, child, place in _live_children(value, task[1]))
        if wanted:
            raise Blocked(*wanted)

    def _assemble(self, node: Node, place: Place) -> Node:
        stack: list[Task] = [unbound(node, place)]
        while stack:
            task = stack[-1]
            if task in self.done:
                stack.pop()
                continue
            value = self._value(*task)
            assert value is not None
            if isinstance(value, Failure):
                self._fail(task, value)
                continue
            below = [unbound(child, inner) for _, child, inner in _live_children(value, task[1])]
            if task not in self.open:
                self.open.add(task)
                todo = [child for child in below if child not in self.done]
                if len(self.open) > self.depth:
                    self._fail(task, Failure((TOO_DEEP(Label.of(value), limit=self.depth, hint="--max-depth raises it"),)))
                elif any(child in self.open for child in todo):
                    self._endless(task, value)
                else:
                    stack.extend(todo)
                continue
            self.open.discard(task)
            self.done[task] = self._rebuilt(value, task[1])
        return self.done[unbound(node, place)]

    def _fail(self, task: Task, failure: Failure) -> None:
        self.open.discard(task)
        self.failures.append(failure)
        self.done[task] = failure

    def _endless(self, task: Task, value: Node) -> None:
        labels = [Label.of(task[0]), Label.of(value, "is this, which contains it")]
        self._fail(task, Failure((ENDLESS(*labels, hint="refer to a part of it instead"),), task[0].source, task[0].at))

    def _rebuilt(self, value: Node, place: Place) -> Node:
        if isinstance(value, Sequence):
            items = [self._child(item, place, index) for index, item in enumerate(value.items)]
            kept = [item for item in items if not isinstance(item, Mark)]
            return Sequence(kept, value.source, value.at, value.tag, False, value.parts)
        if isinstance(value, Mapping):
            entries = {key: self._child(child, place, key) for key, child in value.entries.items()}
            self.failures += [Failure((misplaced(m),)) for m in entries.values() if isinstance(m, Mark) and m.rule]
            kept_entries: dict[Key, Node] = {k: child for k, child in entries.items() if not isinstance(child, Mark)}
            return Mapping(kept_entries, value.source, value.at, value.tag, False, value.marks, value.parts)
        return value

    def _child(self, child: Node, place: Place, step: Key | int) -> Node:
        return self.done[unbound(child, place.child(step))] if child.live else child


def _live_children(value: Node, place: Place) -> list[tuple[Key | int, Node, Place]]:
    """The children that are not finished, with their places."""
    if not value.live:
        return []
    if isinstance(value, Mapping):
        if place.node is None:
            place.node = value
        return [(key, child, place.child(key)) for key, child in value.entries.items() if child.live]
    if isinstance(value, Sequence):
        if place.node is None:
            place.node = value
        return [(index, child, place.child(index)) for index, child in enumerate(value.items) if child.live]
    return []
