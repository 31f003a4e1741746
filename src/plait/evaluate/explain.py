"""Where a value comes from: who won, who lost and why, and through which expressions, down to what was written.

Nothing is recorded for this while merging. The contributions to a place are found by walking the parts of the merged tree
down to it, through references where a part is one.
"""

from __future__ import annotations

from plait.core.node import Deferred, Mapping, Mark, Node, Overlay, Sequence, Suspension, children, in_place_of
from plait.core.path import Path, Step, step_into
from plait.core.scope import Place, unbound
from plait.evaluate.engine import Task
from plait.evaluate.tree import Tree

REPLACED = "another kind of value above replaces it"
LATER = "a later layer"
SAME_FILE = "a later part of the same file"
GIVEN = "a flag"
OWN = "what is brought in gives way to the map's own"
LATER_BROUGHT = "what is brought in later"
REMOVED = "`!unset` removes it"


class Contribution:
    """What one layer says about a place. `reads` are the values its expression looked at, each explained the same way.

    `via` is what brought it in, where it was not written there.
    """

    __slots__ = ("expression", "node", "path", "reads", "result", "via")

    def __init__(self, node: Node, result: Node, path: Path, expression: str = "", via: str = "") -> None:
        self.via = via
        self.node = node
        self.result = result
        self.path = path
        self.expression = expression
        self.reads: list[Contribution] = []


class Leaf:
    """One value below the place that was asked about: the winner, and each loser with the reason."""

    __slots__ = ("losers", "path", "winner")

    def __init__(self, path: Path, winner: Contribution, losers: list[tuple[Contribution, str]]) -> None:
        self.path = path
        self.winner = winner
        self.losers = losers


class Explanation:
    """The whole answer. `parts` are lowest first; `leaves` in the order of the value."""

    __slots__ = ("leaves", "parts", "path", "value")

    def __init__(self, path: Path, value: Node, parts: list[Contribution], leaves: list[Leaf]) -> None:
        self.path = path
        self.value = value
        self.parts = parts
        self.leaves = leaves


def explain(tree: Tree, path: Path) -> Explanation:
    """Why the value at a path is what it is. Raises like `Tree.value`."""
    value = tree.value(path)
    teller = _Teller(tree)
    parts = teller.contributions(path)
    return Explanation(path, value, _secret_upward([teller.told(*task) for task in parts]), teller.leaves(path, value))


class _Teller:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.evaluator = tree.evaluator
        self.via: dict[Task, str] = {}

    def contributions(self, path: Path) -> list[Task]:
        """What every layer says at a path, lowest first."""
        whole: Task = (self.tree.root, self.tree.top)
        said = self.parts(whole)
        for step in path:
            merged = self.evaluator.force(*whole)
            whole = self.step(whole, step)[0]
            # The parts of a merged list have other items, in another order: its item tells its own story.
            said = self.parts(whole) if isinstance(merged, Sequence) else self.below(said, step)
        return said

    def below(self, said: list[Task], step: Step) -> list[Task]:
        """What contributions say one step further down."""
        return [part for task in said for child in self.step(task, step) for part in self.parts(child)]

    def step(self, task: Task, step: Step) -> list[Task]:
        node, place = unbound(*task)
        child = step_into(self.evaluator.force(node, place), step)
        if child is None:
            return []
        below = (child, place.child(step))
        if task in self.via:
            self.via[below] = self.via[task]
        return [below]

    def parts(self, task: Task) -> list[Task]:
        """A merged or waiting node taken apart into what the layers wrote."""
        found: list[Task] = []
        stack = [task]
        while stack:
            now = stack.pop()
            node, place = unbound(*now)
            for part, via in self._braided(node, place, self.via.get(now, "")):
                if part is node:
                    found.append((node, place))
                    continue
                if via:
                    self.via[(part, place)] = via
                stack.append((part, place))
        return found

    def _braided(self, node: Node, place: Place, via: str) -> list[tuple[Node, str]]:
        """What a node was made of, highest first, each with what brought it in; the node itself, if it was written."""
        parts = node.parts if isinstance(node, Overlay | Mapping | Sequence) else ()
        if parts:
            return [(part, via) for part in reversed(parts)]
        merged = node.expression.merged_from(self.evaluator.force(node, place)) if isinstance(node, Suspension) else []
        return [(part, role.name if role else via) for part, role in reversed(merged)] or [(node, via)]

    def told(self, node: Node, place: Place) -> Contribution:
        """One contribution with its result and what it read, and so on down to literals."""
        first = self._told(node, place)
        todo = [((node, place), first)]
        seen = {(node, place)}
        while todo:
            task, contribution = todo.pop()
            for read in self.evaluator.reads.get(task, ()):
                read = unbound(*read)
                inner = self._told(*read)
                contribution.reads.append(inner)
                again = self._origin_task(read)
                if again not in seen:
                    seen.add(again)
                    todo.append((again, inner))
        return first

    def _origin_task(self, task: Task) -> Task:
        """What stands at the place that was read, before it was evaluated."""
        place = task[1]
        parent = place.parent
        written = step_into(parent.node, place.step) if parent is not None and parent.node is not None else None
        return unbound(written, place) if written is not None else task

    def _told(self, node: Node, place: Place) -> Contribution:
        written = self._origin_task((node, place))[0] if not isinstance(node, Deferred) else node
        shown = written if isinstance(written, Suspension) else node
        result, _ = self.evaluator.finish(node, place) if not isinstance(node, Mark) else (node, ())
        expression = shown.expression.text if isinstance(shown, Suspension) else ""
        return Contribution(shown, result, place.path, expression, self.via.get((node, place), ""))

    def leaves(self, path: Path, value: Node) -> list[Leaf]:
        """Every value at or below a path, with its winner and losers."""
        found: list[Leaf] = []
        stack: list[tuple[Path, Node, list[Task]]] = [(path, value, self.contributions(path))]
        while stack:
            at, node, tasks = stack.pop()
            below = list(children(node)) if isinstance(node, Mapping) else []
            if below:
                for step, child in reversed(below):
                    stack.append(((*at, step), child, self.below(tasks, step)))
            elif tasks:
                found.append(self._leaf(at, tasks))
        return found

    def _leaf(self, path: Path, tasks: list[Task]) -> Leaf:
        told = _secret_upward([self.told(*task) for task in tasks])
        winner = told[-1]
        return Leaf(path, winner, [(loser, reason(loser, told[i + 1 :])) for i, loser in enumerate(told[:-1])][::-1])


def _secret_upward(told: list[Contribution]) -> list[Contribution]:
    """What overrides a secret is secret too."""
    for at, contribution in enumerate(told):
        contribution.result = in_place_of(contribution.result, *(lower.result for lower in told[:at]))
    return told


def reason(loser: Contribution, above: list[Contribution]) -> str:
    """Why a contribution lost: what the ones above it are."""
    if any(isinstance(other.node, Mark) for other in above):
        return REMOVED
    if loser.via:
        return LATER_BROUGHT if above[-1].via else OWN
    if above[-1].node.origin.kind == "given":
        return GIVEN
    if loser.result.kind != above[-1].result.kind:
        return REPLACED
    return LATER if loser.node.origin.source is not above[-1].node.origin.source else SAME_FILE
