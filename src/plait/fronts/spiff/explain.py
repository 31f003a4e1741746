"""Through which stub and which expressions a value came.

A stub's value is the same node wherever it ends up, so that its way is found by looking where else it is:
nothing is recorded while merging.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar, Sequence, Suspension, children
from plait.core.path import Path
from plait.core.role import STUB, TEMPLATE, Role
from plait.core.scope import Place
from plait.evaluate.engine import Evaluator
from plait.evaluate.explain import Contribution, Explanation, Leaf
from plait.fronts.spiff.stage import Stage, StagedExpression

OVERRIDDEN = "a stub has a value for it"
FROM_TEMPLATE, FROM_STUB = Role(TEMPLATE), Role(STUB)


def explain(evaluator: Evaluator, stages: list[Stage], path: Path, value: Node) -> Explanation:
    """Why the value at a path of the last stage, the template, is what it is."""
    teller = _Teller(evaluator, stages)
    return Explanation(path, value, [teller.contribution(stages[-1], path, value)], teller.leaves(path, value))


def leaves(evaluator: Evaluator, stages: list[Stage], path: Path, value: Node) -> list[Leaf]:
    """The story of every value at or below a path, items of lists too."""
    return _Teller(evaluator, stages).leaves(path, value, items=True)


class _Teller:
    def __init__(self, evaluator: Evaluator, stages: list[Stage]) -> None:
        self.evaluator = evaluator
        self.stages = {id(stage.top): stage for stage in stages}
        self.order = list(stages)
        self._homes: dict[int, dict[int, Path]] = {}

    def leaves(self, path: Path, value: Node, items: bool = False) -> list[Leaf]:
        """Every value at or below a path; lists of plain values are one, unless their items are asked for."""
        found: list[Leaf] = []
        stack: list[tuple[Path, Node]] = [(path, value)]
        while stack:
            at, node = stack.pop()
            below = list(children(node))
            plain = isinstance(node, Sequence) and all(isinstance(child, Scalar) for _, child in below)
            if below and (items or not plain):
                stack.extend(((*at, step), child) for step, child in reversed(below))
            else:
                found.append(self.leaf(at, node))
        return found

    def leaf(self, path: Path, value: Node) -> Leaf:
        template = self.order[-1]
        written = _walk(template.document, path)
        winner = self.contribution(template, path, value)
        if written is None or winner.node.source is written.source:
            return Leaf(path, value, winner, [])
        text = written.expression.text if isinstance(written, Suspension) else ""
        return Leaf(path, value, winner, [(Contribution(written, written, path, text, FROM_TEMPLATE), OVERRIDDEN)])

    def contribution(self, stage: Stage, path: Path, value: Node) -> Contribution:
        """A value of a stage, what its expression read, and so on down to literals."""
        first = self.one(stage, path, value)
        todo = [(stage, path, value, first)]
        seen = {(id(stage), path)}
        while todo:
            stage, path, value, above = todo.pop()
            for inner in self.below(stage, path, value):
                above.reads.append(self.one(*inner))
                if (id(inner[0]), inner[1]) not in seen:
                    seen.add((id(inner[0]), inner[1]))
                    todo.append((*inner, above.reads[-1]))
        return first

    def one(self, stage: Stage, path: Path, value: Node) -> Contribution:
        """What is there: an expression with its result, or the value itself, wherever it was written."""
        node, _ = self.standing(stage, path)
        if isinstance(node, Suspension) and isinstance(node.expression, StagedExpression):
            return Contribution(node, value, path, node.expression.text, self.role(stage))
        home = self.home(stage, path, value)
        if home is None:
            return Contribution(value, value, path, "", self.role(stage))
        return self.one(*home)

    def role(self, stage: Stage) -> Role:
        return FROM_TEMPLATE if stage is self.order[-1] else FROM_STUB

    def below(self, stage: Stage, path: Path, value: Node) -> list[tuple[Stage, Path, Node]]:
        """What a value was made of: the values that its expression read, and the stub it came from."""
        node, place = self.standing(stage, path)
        if not isinstance(node, Suspension):
            home = self.home(stage, path, value)
            return [] if home is None else self.below(*home)
        reads = self.evaluator.reads.get((node, place), ())
        passed = {id(above) for _, at in reads for above in _above(at)}
        found = []
        for read, at in reads:
            other = self.stages.get(id(at.root))
            if other is not None and id(at) not in passed:
                found.append((other, at.path, self.evaluator.finish(read, at)[0]))
        home = self.home(stage, path, value)
        return found if home is None or found else [home]

    def standing(self, stage: Stage, path: Path) -> tuple[Node | None, Place]:
        """The node at a path of a stage before it was evaluated."""
        node, place = stage.top.node, stage.top
        for step in path:
            node = self.evaluator.force(node, place) if node is not None else None
            node = _child(node, step)
            place = place.child(step)
        return node, place

    def home(self, stage: Stage, path: Path, value: Node) -> tuple[Stage, Path, Node] | None:
        """The nearest stub on the right of a stage that has this very node, and where: at the same path, if it has
        it there."""
        for stub in reversed(self.order[: self.order.index(stage)]):
            if stub.finished is not None and _walk(stub.finished, path) is value:
                return stub, path, value
            if id(stub) not in self._homes:
                self._homes[id(stub)] = _paths(stub.finished)
            elsewhere = self._homes[id(stub)].get(id(value))
            if elsewhere is not None:
                return stub, elsewhere, value
        return None


def _paths(root: Node | None) -> dict[int, Path]:
    """Where each node of a tree is first."""
    found: dict[int, Path] = {}
    stack: list[tuple[Path, Node]] = [] if root is None else [((), root)]
    while stack:
        path, node = stack.pop()
        if id(node) not in found:
            found[id(node)] = path
            stack.extend(((*path, step), child) for step, child in reversed(list(children(node))))
    return found


def _above(place: Place) -> list[Place]:
    """The places that a reference came through."""
    found = []
    while place.parent is not None:
        place = place.parent
        found.append(place)
    return found


def _child(node: Node | None, step: object) -> Node | None:
    if isinstance(node, Mapping):
        return node.entries.get(step)  # type: ignore[call-overload, no-any-return]
    if isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
        return node.items[step]
    return None


def _walk(root: Node, path: Path) -> Node | None:
    """What was written at a path."""
    node: Node | None = root
    for step in path:
        node = _child(node, step)
    return node
