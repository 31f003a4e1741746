"""A built resource as a tree that can tell how each of its values came."""

from __future__ import annotations

from plait.core.node import Scalar
from plait.core.walk import places_of, text_steps
from plait.evaluate.hops import Hop
from plait.evaluate.tree import Tree
from plait.fronts.front import at
from plait.fronts.kustomize.references import REFERS
from plait.merging.account import WINS, Tracer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.policy import MergePolicy
    from plait.core.role import Role
    from plait.core.scope import Place
    from plait.evaluate.engine import Evaluator
    from plait.fronts.kustomize.history import Change, History
    from plait.fronts.kustomize.resource import BuiltResource
    from plait.merging.account import Account


class BuiltTracer(Tracer):
    """Finds what a value was before in the history of the build."""

    history: History

    def opened(self, node: Node, place: Place) -> tuple[list[tuple[Node, Role | None]], MergePolicy | None] | None:
        change = self.history.changes.get(id(node))
        if change is None:
            return super().opened(node, place)
        parts = [part for part in (change.before, change.wrote) if part is not None]
        return ([(part, None) for part in parts], WINS) if parts else None


class BuiltTree(Tree):
    """One resource of a kustomization."""

    tells_more = True

    def __init__(self, history: History, resource: BuiltResource, evaluator: Evaluator) -> None:
        super().__init__(resource.node, evaluator)
        self.history = history
        self.resource = resource

    def account(self) -> Account:
        tracer = BuiltTracer(self.evaluator.force, self.roles, self.evaluator.meter)
        tracer.history = self.history
        return tracer.account(self.root, self.top)

    def hops(self, path: Path, node: Node) -> list[Hop]:
        found = self.value_at(path)
        if found is None:
            return []
        changes = self.history.of(found)
        hops = [_hop(change) for change in changes]
        if changes and changes[-1].wrote is not None:
            return hops
        written = changes[-1].before if changes else found
        chart = self.resource.tree
        return hops if chart is None or written is None else [*hops, *chart.hops(path, written)]

    def decided(self, wrote: Callable[[Node], bool]) -> Iterator[Path]:
        """The fields that are written at a place of a kustomization, or changed by what is written there."""
        for path, node in places_of(self.root):
            if path and isinstance(node, Scalar) and any(map(wrote, self._writers(node))):
                yield text_steps(path)

    def _writers(self, node: Scalar) -> Iterator[Node]:
        """What a value was made of: itself, and what changes wrote or asked for in one word."""
        yield node
        for change in self.history.of(node):
            yield from (one for one in (change.wrote, change.asked) if isinstance(one, Scalar))

    def value_at(self, path: Path) -> Node | None:
        """The node at a path of the result."""
        return at(self.root, path)


def _hop(change: Change) -> Hop:
    if change.word == REFERS:
        return Hop(REFERS, "kustomize", (), change.reads[0].origin, "", change.reads[0])
    asked = change.asked
    origin = asked.origin if asked is not None else None
    text = origin.source.line(origin.line).strip() if origin is not None else ""
    reads = [Hop("reads", "", (), node.origin, "", node) for node in change.reads]
    return Hop(change.word, "kustomize", (), origin, text, None, reads)
