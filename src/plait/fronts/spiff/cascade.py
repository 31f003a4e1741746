"""A template with its stubs as one tree, for questions about where its values come from.

Stages are finished one after the other and record nothing. A stub's value is the same node wherever it ends up: so the
part of a stub in a value is found by looking where else the node is. That is all this file finds out: which parts a
place has, and what an expression took from stubs. What became of the parts is the account's business
(`merging.account`).
"""

from __future__ import annotations

from plait.core.find import entry_key, step_into
from plait.core.node import Bound, ListNode, MapNode, Mark, Node, Scalar, Suspension, untagged
from plait.core.policy import MergePolicy
from plait.core.role import STUB, TEMPLATE, Role, Roles
from plait.core.scope import Place
from plait.core.unknown import failures_in, fault_of
from plait.core.walk import places_of
from plait.evaluate.tree import Tree
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.positions import Plain, StagedExpression, content
from plait.fronts.spiff.result import as_printed
from plait.fronts.spiff.stage import Stage
from plait.merging.account import LEFT_OUT, SAME, Account, Dropped, Tracer
from plait.merging.align import names_in
from plait.merging.combine import REPLACED
from plait.notations.dynaml.items import text_of
from plait.notations.dynaml.lookup import marks_of
from plait.notations.dynaml.taking import is_insertion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Diagnostic
    from plait.core.path import Keyed, Path, Step
    from plait.evaluate.engine import Evaluator, Task
    from plait.fronts.project import Project
    from plait.fronts.spiff.options import SpiffOptions

POLICY = MergePolicy()
LEFT_OUT_MARKS = frozenset({"temporary", "local"})
"""The marks of what is not in the result."""


def cascade(project: Project, names: list[str], options: SpiffOptions | None = None) -> Cascade:
    """A template, named first, and its stubs as one tree. A value that cannot be computed does not hide the others."""
    front = Spiff(project, options=options)
    front.complete = False
    result = front.merge(names)[0]
    made = Cascade(front.evaluator, front.stages[: len(names)], result)
    made.warnings = front.warnings
    return made


class Cascade(Tree):
    """The template's stage, seen together with the stages of its stubs.

    `stages` are the rightmost stub first, the template last.
    """

    tells_more = True

    def __init__(self, evaluator: Evaluator, stages: list[Stage], result: Node) -> None:
        template = stages[-1]
        roles = [(stage.document.origin.source, Role(TEMPLATE if stage is template else STUB)) for stage in stages]
        assert template.top.node is not None
        root = template.top.node
        if any(stage.marked for stage in stages) or template.dialect.successor:
            unescape = template.dialect.successor
            evaluator.revise(template.top, lambda node: as_printed(node, unescape))
            root = as_printed(root, unescape)
        super().__init__(root, evaluator, roles=Roles(sources=roles), top=template.top)
        self.result = result
        self.stages = stages
        self.names = ItemNames()
        self.warnings: list[Diagnostic] = []
        """What was noticed when the files were read."""
        self._by_top = {stage.top: stage for stage in stages}
        self._homes: dict[int, dict[int, Path]] = {}

    def account(self) -> Account:
        return StageTracer(self).account(self.root, self.top)

    def value(self, path: Path = ()) -> Node:
        """The result: what is temporary is not in it."""
        found = _walk(self.result, path)
        failures = failures_in(found) if found is not None else []
        if failures:
            raise fault_of(failures)
        return found or super().value(path)

    def content(self, node: Node) -> Node:
        return content(node)[0]

    def named(self, place: Place) -> Path:
        stage, path = self.stage_of(place), place.path
        return path if stage is None or stage.finished is None else self.names.path(stage.finished, path)

    def stage_of(self, place: Place) -> Stage | None:
        return self._by_top.get(place.root)

    def reads(self, task: Task) -> list[Task]:
        """What an expression read in any of the stages, or the stub that it took its value from."""
        stage = self.stage_of(task[1])
        tasks = [read for read in super().reads(task) if self.stage_of(read[1]) is not None]
        if tasks or stage is None:
            return tasks
        home = self.home(stage, task[1].path, self.finished(stage, task[1].path, task[0]))
        return [] if home is None else [*self.overridden(*home), self.seen(*home)]

    def taken(self, leaf: Account) -> list[tuple[Node, Dropped | None]]:
        """What stubs have in the place of an expression that takes it from there: the last one decides."""
        winner = leaf.winner
        if not isinstance(winner.node, Suspension):
            return []
        reads = [read for read in self.reads((winner.node, winner.place)) if read[1].path == winner.place.path]
        parts = [leaf.tracer.account(*read) for read in reads if read[1].root is not self.top]
        return [(part.node, None if part is parts[-1] else Dropped(part, REPLACED, parts[-1])) for part in parts]

    def overridden(self, stage: Stage, path: Path) -> list[Task]:
        """What a stub says at a path where stubs on its right decide: it would be there without them."""
        value, written = _walk(stage.finished, path), _in_document(stage, path)
        own = stage.document.origin.source
        if value is None or not isinstance(written, Scalar | Suspension) or value.origin.source is own:
            return []
        return [(_as_text(written), self.place(stage, path))]

    def written(self, task: Task) -> Task:
        """What is at a place before it is evaluated; of a value that a stub brought, what is there in the stub."""
        stage, place = self.stage_of(task[1]), task[1]
        node: Node = task[0]
        if isinstance(node, Suspension) and isinstance(node.expression, StagedExpression):
            return task
        while stage is not None:
            reached = self._reached(stage, place.path)
            if reached is None:
                break
            node, place = reached
            if isinstance(node, Suspension) and isinstance(node.expression, StagedExpression):
                break
            home = self.home(stage, place.path, self.finished(stage, place.path, node))
            if home is None:
                break
            stage, place = home[0], self.place(*home)
        return node, place

    def place(self, stage: Stage, path: Path) -> Place:
        place = stage.top
        for step in path:
            place = place.child(step)
        return place

    def seen(self, stage: Stage, path: Path) -> Task:
        """The node at a path that a stage has, before it is evaluated where it can be reached; else its value."""
        reached = self._reached(stage, path)
        assert reached is not None
        return reached

    def _reached(self, stage: Stage, path: Path) -> Task | None:
        """The same for any path. None for an item that only says where other items go: neither the list of the
        template nor the result has it any more."""
        node, place = stage.top.node, stage.top
        for step in path:
            node = None if node is None else _child(self.evaluator.force(node, place), step)
            place = place.child(step)
        if node is None:
            node = _walk(stage.finished, path)
        return (node, place) if node is not None else None

    def brought(self, place: Place, written: Node | None) -> list[Node | None]:
        """What the `<<` of a map has for one of its keys, and what is written there where that only gives way."""
        above = self._reached(self.stages[-1], place.path[:-1]) if place.path else None
        if above is None or not isinstance(above[0], Suspension) or above[1].root is not place.root:
            return [written]
        force = self.evaluator.force
        brought = above[0].expression.brings(place.step, above[1], force)
        if brought is None:
            return [written]
        value = step_into(content(force(brought.node, brought.place))[0], brought.step)
        return [value, written] if brought.instead else [value]

    def finished(self, stage: Stage, path: Path, node: Node) -> Node:
        return (_walk(stage.finished, path) or node) if node.live else node

    def home(self, stage: Stage, path: Path, value: Node) -> tuple[Stage, Path] | None:
        """The nearest stub on the right of a stage that has this very node, and where; at the same path if possible."""
        for stub in reversed(self.stages[: self.stages.index(stage)]):
            if _walk(stub.finished, path) is value:
                return stub, path
            if id(stub) not in self._homes:
                self._homes[id(stub)] = _paths(stub.finished)
            elsewhere = self._homes[id(stub)].get(id(value))
            if elsewhere is not None:
                return stub, elsewhere
        return None


class StageTracer(Tracer):
    """Opens what a stage has at a place into the template's part and the stub's."""

    def __init__(self, cascade: Cascade) -> None:
        super().__init__(self._without_temporary, cascade.roles)
        self.cascade = cascade

    def _without_temporary(self, node: Node, place: Place) -> Node:
        """A value as the result has it: what the template marks as temporary is removed."""
        known = self.cascade.evaluator.force(node, place)
        if place.root is not self.cascade.top:
            return known
        if not LEFT_OUT_MARKS.isdisjoint(marks_of(known)):
            return Mark(node.source, node.at, data=node)
        return known

    def opened(self, node: Node, place: Place) -> tuple[list[tuple[Node, Role | None]], MergePolicy | None] | None:
        stage = self.cascade.stage_of(place)
        if stage is None or isinstance(node, Mark):
            return super().opened(node, place)
        known = self.force(node, place)
        if isinstance(known, Mark):
            forced = self.cascade.evaluator.force(node, place)
            low = _as_text(node) if isinstance(forced, Mark) else untagged(forced)  # `~~` has no value to show
            return [(low, None), (known, None)], POLICY
        if isinstance(node, Suspension) and not isinstance(node.expression, Plain):
            return super().opened(node, place)
        value = self.cascade.finished(stage, place.path, node)
        home = self.cascade.home(stage, place.path, value)
        written = _in_document(stage, place.path)
        if home is None or written is node:
            return None
        parts: list[tuple[Node, Role | None]] = [(Bound(*self.cascade.seen(*home)), None)]
        for below in self.cascade.brought(place, written):
            if isinstance(below, Scalar | Suspension) and below is not value:
                parts.insert(0, (_as_text(below), None))
        return parts, SAME if _identifies(place.path) and written == known else POLICY

    def left_out(self, account: Account) -> dict[Step, list[Dropped]]:
        """The keys of stubs that the template has no place for."""
        dropped: dict[Step, list[Dropped]] = {}
        known = account.known
        if account.place.root is not self.cascade.top or not isinstance(known, MapNode):
            return dropped
        for stub in reversed(self.cascade.stages[:-1]):
            here = _walk(stub.finished, account.place.path)
            for key in here.entries if isinstance(here, MapNode) else ():
                if key not in known.entries:
                    part = self.account(*self.cascade.seen(stub, (*account.place.path, key)))
                    dropped.setdefault(key, []).append(Dropped(part, LEFT_OUT, None))
        return dropped


class ItemNames:
    """How items of lists are called: by their names, where each has one of its own."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[ListNode, list[Keyed]]] = {}

    def path(self, root: Node, path: Path) -> Path:
        node: Node | None = root
        named: list[Step] = []
        for step in path:
            named.append(step if node is None else self.step(node, step))
            node = None if node is None else _child(node, step)
        return tuple(named)

    def step(self, node: Node, step: Step) -> Step:
        if not isinstance(node, ListNode) or not isinstance(step, int) or step >= len(node.items):
            return step
        if id(node) not in self._names:
            self._names[id(node)] = (node, names_in(node.items))
        names = self._names[id(node)][1]
        return names[step] if names else step


def _identifies(path: Path) -> bool:
    """Whether a place is the name by which the items of a list are matched."""
    return len(path) > 1 and path[-1] == "name" and isinstance(path[-2], int)


def _in_document(stage: Stage, path: Path) -> Node | None:
    """What the text of a stage has for a place of its result: items that a `- <<` moved are known by their names."""
    written: Node | None = stage.document
    made = stage.finished
    for step in path:
        made = None if made is None else _child(made, step)
        if isinstance(written, ListNode) and any(map(is_insertion, written.items)):
            name = _name(made)
            written = next((item for item in written.items if name is not None and _name(item) == name), None)
        else:
            written = None if written is None else _child(written, step)
    return written


def _name(item: Node | None) -> str | None:
    return text_of(item.entries.get("name")) if isinstance(item, MapNode) else None


def _as_text(node: Node) -> Node:
    """What the template says in a place that a stub decided: an expression there was never evaluated."""
    return node.as_text() if isinstance(node, Suspension) else node


def _paths(root: Node | None) -> dict[int, Path]:
    """Where each node of a tree is first."""
    return {id(node): path for path, node in places_of(root, once=True)} if root is not None else {}


def _child(node: Node, step: Step) -> Node | None:
    if isinstance(node, ListNode):
        return node.items[step] if isinstance(step, int) and step < len(node.items) else None
    key = entry_key(node, step) if isinstance(node, MapNode) else None
    return step_into(node, key) if key is not None else None


def _walk(root: Node | None, path: Path) -> Node | None:
    """What a tree has at a path."""
    for step in path:
        root = None if root is None else _child(root, step)
    return root
