"""A merged tree and the run that evaluates it: the answers to "what is the value" and "where does it come from"."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.find import step_into
from plait.core.node import Failure, Inherited, Node, Unknown, unbound
from plait.core.path import Path
from plait.core.policy import MergePolicy
from plait.core.role import NO_ROLES, Roles
from plait.core.scope import Blocked, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.resource import Fields
    from plait.core.role import Role
    from plait.evaluate.engine import Evaluator
    from plait.evaluate.hops import Hop
    from plait.merging.account import Account, Dropped


NOWHERE = Place()


class Tree:
    """Values are computed when they are asked for, each once."""

    tells_more = False
    """Whether its account has more than the merges that its nodes keep: a front has other ways to make values."""

    def __init__(
        self,
        root: Node,
        evaluator: Evaluator | Callable[[], Evaluator],
        layers: list[Node] | None = None,
        policy: MergePolicy | None = None,
        roles: Roles | Callable[[], Roles] = NO_ROLES,
        top: Place | None = None,
        matched: Fields | None = None,
    ) -> None:
        self.root = root
        self._evaluator = evaluator
        self.layers = layers or [root]
        """What the root was merged from, and with which policy, where a front merged it of whole layers."""
        self.policy = policy
        self._roles = roles
        self.top = top or Place(node=self.evaluator.views.of(root, NOWHERE) if root.live else root)
        self.matched = matched or {}
        """The fields by which the layers were found to be about the same thing."""

    @property
    def evaluator(self) -> Evaluator:
        """The run that computes its values. Where nothing has to be computed, it may never be made."""
        if callable(self._evaluator):
            self._evaluator = self._evaluator()
        return self._evaluator

    @property
    def roles(self) -> Roles:
        """The roles in which parts took part."""
        if not isinstance(self._roles, Roles):
            self._roles = self._roles()
        return self._roles

    def account(self) -> Account:
        """What took part in the tree and what became of it; worked out place by place, on demand."""
        from plait.merging.account import Tracer

        tracer = Tracer(self.evaluator.force, self.roles, self.evaluator.meter)
        if self.policy is None or len(self.layers) < 2:
            return tracer.account(self.root, self.top)
        return tracer.merge(self.layers, self.policy, self.root, self.top, self.matched)

    def force(self, node: Node, place: Place) -> Node:
        """A node of it, known at its outermost. A front may know it from elsewhere."""
        return self.evaluator.force(node, place)

    def hops(self, path: Path, node: Node) -> list[Hop]:
        """What a front knows of the way to the value at a path that `node` decided, beside what the merge and its
        expressions know: a subclass of `Tree` answers it."""
        return []

    @property
    def knows_ways(self) -> bool:
        """Whether a front knows more of the ways of values than the merge."""
        return self.__class__.hops is not Tree.hops

    def content(self, node: Node) -> Node:
        """What an expression gives, as people know it, where a front wraps it."""
        return node

    def named(self, place: Place) -> Path:
        """A place as people name it."""
        return place.path

    def list_rule(self) -> Node | None:
        """What says how lists are merged that have no rule of their own, where a front has such a word."""
        return None

    def arrivals(self, role: Role, node: Node) -> list[Hop]:
        """How the part that `node` is written in came to take part, where a front has a way for that: imports,
        inheritance. A subclass of `Tree` answers it."""
        return []

    def taken(self, leaf: Account) -> list[tuple[Node, Dropped | None]]:
        """What other parts have in the place of a value whose expression takes it from there, where a front has such
        expressions: the part that it took (None), and those that lost to that one."""
        return []

    def reads(self, task: tuple[Node, Place]) -> list[tuple[Node, Place]]:
        """What an expression read."""
        return [unbound(*read) for read in self.evaluator.reads.get(task, ())]

    def written(self, task: tuple[Node, Place]) -> tuple[Node, Place]:
        """What is at a place before it is evaluated."""
        place = task[1]
        parent = place.parent
        found = step_into(parent.node, place.step) if parent is not None and parent.node is not None else None
        return unbound(found, place) if found is not None else task

    def find(self, path: Path) -> tuple[Node, Place]:
        """The node at a path, known at its outermost, and its place. Raises `NotThere`, `PlaitError`."""
        return self._asked(self.evaluator.find, path)

    def locate(self, path: Path) -> tuple[Node, Place]:
        """The same, where the node itself may still be unknown."""
        return self._asked(self.evaluator.locate, path)

    def _asked(self, question: Callable[[Path, Place], tuple[Node, Place]], path: Path) -> tuple[Node, Place]:
        while True:
            try:
                return question(path, self.top)
            except Blocked as blocked:
                self.evaluator.run(blocked.wanted)
            except Inherited as inherited:
                raise self.fault([inherited.failure]) from None

    def value(self, path: Path = ()) -> Node:
        """The finished value at a path. All errors in it come at once."""
        node, place = self.find(path) if path else (self.root, self.top)
        if not node.live:
            return node
        finished, failures = self.evaluator.finish(node, place)
        if failures:
            from plait.report.unknown import unknown_in

            error = self.fault(failures)
            error.unknown = tuple(unknown_in(finished, path))
            raise error
        return finished

    def fault(self, failures: Iterable[Failure]) -> Fault:
        """The error of values that could not be computed, with everything that led there."""
        from plait.core.unknown import fault_of

        return fault_of(self.evaluator.clashes.told(failures, self.account))

    def with_failures(self, path: Path = ()) -> Node:
        """The finished value at a path, with what could not be computed in its place."""
        return self.evaluator.finish(*self.locate(path))[0]

    def partial(self, path: Path = ()) -> Node:
        """The same; where a mistake in the files is the whole value, it is raised."""
        try:
            return self.value(path)  # a front may have another way to finish a value
        except Fault:
            finished = self.with_failures(path)
            if isinstance(finished, Failure) and not isinstance(finished, Unknown):
                raise self.fault([finished]) from None
            return finished
