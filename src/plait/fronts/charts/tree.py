"""A rendered resource as a tree that can tell how each of its values came: template, includes, values, conditions."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.evaluate.explain import explain
from plait.evaluate.hops import BECAUSE, READS, Hop
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
    from plait.core.source import Origin
    from plait.evaluate.engine import Evaluator
    from plait.fronts.charts.installation import Installation
    from plait.fronts.charts.manifests import RenderedResource
    from plait.fronts.charts.origins import Condition, Read

RENDERED = "rendered by"


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
        if origin is None:
            return []
        rendered = [Hop(RENDERED, "template", (), place, _line(place)) for place in origin.places]
        return [*rendered, *map(self._read, origin.reads), *map(self._condition, origin.conditions)]

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

    def _condition(self, condition: Condition) -> Hop:
        said = "true" if condition.outcome else "false"
        return Hop(
            BECAUSE, said, (), condition.origin, _line(condition.origin), None, [*map(self._read, condition.reads)]
        )


def _line(place: Origin) -> str:
    return place.source.line(place.line).strip()
