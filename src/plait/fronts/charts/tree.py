"""A rendered resource as a tree that can tell how each of its values came: template, includes, values, conditions."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.evaluate.explain import explain
from plait.evaluate.hops import READS, Hop
from plait.evaluate.tree import Tree
from plait.fronts.charts.origins import field_origin
from plait.fronts.charts.rendering import ValueRead
from plait.fronts.charts.values import POLICY
from plait.fronts.inline import with_unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.evaluate.engine import Evaluator
    from plait.fronts.charts.installation import Installation
    from plait.fronts.charts.manifests import RenderedResource
    from plait.fronts.charts.origins import Read


class ChartTree(Tree):
    """One resource that a chart renders to."""

    def __init__(self, made: Installation, resource: RenderedResource, evaluator: Evaluator) -> None:
        assert resource.node is not None
        super().__init__(resource.node, evaluator)
        self._made = made
        self._resource = resource
        self._values = Tree(made.values, evaluator, made.layers, POLICY)

    def hops(self, path: Path, node: Node) -> list[Hop]:
        origin = field_origin(self._made, self._resource, node)
        return origin.hops(self._read) if origin is not None else []

    def _read(self, read: Read) -> Hop:
        if isinstance(read, ValueRead):
            return Hop(
                READS,
                "values",
                ("values", *read.path),
                read.node.origin,
                "",
                with_unknown(read.node),
                list(self._lower(read)),
            )
        return Hop(READS, "chart", (), read.node.origin, f"Chart.yaml: {read.key}", read.node)

    def _lower(self, read: ValueRead) -> Iterator[Hop]:
        """The values that it overrides."""
        try:
            leaves = explain(self._values, read.path).leaves
        except Fault:
            return
        for leaf in leaves[:1]:
            for part, why in leaf.losers:
                yield Hop("overrides", why, (), part.node.origin, "", part.result)
            for one in leaf.removed:
                yield Hop("removed", one.why, (), one.was.node.origin, "", one.was.result)
