"""What stubs have that no node takes: most of it is a name that is misspelt, or left over from an older template."""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label
from plait.core.node import ListNode, MapNode, Node, Scalar, children
from plait.notations.dynaml.items import text_of
from plait.notations.dynaml.lookup import marks_of
from plait.report.catalog import UNUSED_STUB
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Step
    from plait.evaluate.engine import Evaluator
    from plait.fronts.spiff.stage import Stage

    Names = tuple[Step, ...]

INNER = frozenset({"local", "temporary"})
"""Marks of values that are there for other values of the same stub."""


def unused_values(evaluator: Evaluator, stages: list[Stage]) -> Iterator[Diagnostic]:
    """A finding for each part of a stub that is in no document on its left, and that no expression has read.

    `stages` are the rightmost stub first, the template last. A value of a stub is the same node wherever it ends up.
    """
    read: set[int] = set()
    for tasks in evaluator.reads.values():
        for task in tasks:
            read |= {id(task[0]), id(evaluator.memo.get(task, task[0]))}
    for at, stub in enumerate(stages[:-1]):
        left = [stage.finished for stage in stages[at + 1 :] if stage.finished is not None]
        taken = read | {id(node) for root in left for _, node in _nodes(root)}
        for path, parent, node in _untaken(stub, taken, left):
            hint = did_you_mean(str(path[-1]), _names(left, path[:-1]))
            key = path[-1]
            origin = parent.key_origin(key) if isinstance(parent, MapNode) and isinstance(key, str) else node.origin
            yield UNUSED_STUB(Label(origin), path=".".join(map(str, path)), hint=hint)


def _nodes(root: Node) -> Iterator[tuple[Names, Node]]:
    """Every part of a document, each before what is in it, with the names that lead there."""
    stack: list[tuple[Names, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        yield path, node
        stack.extend(((*path, _name(step, child)), child) for step, child in children(node))


def _name(step: Step, node: Node) -> Step:
    """How people call a part: an item of a list by its name, where it has one."""
    name = text_of(node.entries.get("name")) if isinstance(step, int) and isinstance(node, MapNode) else None
    return step if name is None else name


def _untaken(stub: Stage, taken: set[int], left: list[Node]) -> Iterator[tuple[Names, Node, Node]]:
    """The highest parts of a stub's own text of which nothing is taken, each with what holds it."""
    assert stub.finished is not None
    source = stub.document.origin.source
    parts = list(_nodes(stub.finished))
    used: set[int] = set()
    for path, node in reversed(parts):
        below = any(id(child) in used for _, child in children(node))
        if below or id(node) in taken or node.origin.source is not source or _same_there(left, path, node):
            used.add(id(node))
    stack: list[tuple[Names, Node]] = [((), stub.finished)]
    while stack:
        path, node = stack.pop()
        for step, child in children(node):
            there = (*path, _name(step, child))
            if not INNER.isdisjoint(marks_of(child)):
                continue
            if id(child) in used or _has_container(left, there, child):
                stack.append((there, child))
            else:
                yield there, node, child


def _has_container(left: list[Node], path: Names, node: Node) -> bool:
    """Whether a document on the left has a map or a list where a part is one, so that something in it is meant."""
    return isinstance(node, MapNode | ListNode) and any(isinstance(_at(root, path), type(node)) for root in left)


def _same_there(left: list[Node], path: Names, node: Node) -> bool:
    """Whether a document on the left has the same value in the same place."""
    return isinstance(node, Scalar) and any(_at(root, path) == node for root in left)


def _at(root: Node, path: Names) -> Node | None:
    node: Node | None = root
    for name in path:
        below = () if node is None else children(node)
        node = next((child for step, child in below if _name(step, child) == name), None)
    return node


def _names(left: list[Node], path: Names) -> list[str]:
    """The names that documents on the left have beside a part."""
    beside = [node for root in left if (node := _at(root, path)) is not None]
    return list(dict.fromkeys(str(_name(step, child)) for node in beside for step, child in children(node)))
