"""Expressions in a document: maps with `eval`, calls, templates and encrypted values become suspensions.

Circular expressions do not fail: the one that closes the circle sees null, and a warning shows the chain.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic
from plait.core.node import MapNode, Node, Scalar, Suspension
from plait.evaluate.cycles import cycle_failure
from plait.evaluate.engine import Task
from plait.notations.query.context import QuerySettings
from plait.notations.query.language import Embedded, is_expression, is_template
from plait.notations.query.templates import HEADER, MARKERS
from plait.notations.query.tree import ResourceTree as DocumentTree
from plait.notations.query.vault import TAGS, Vaulted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.notations.query.tree import Tree

TEMPLATES = (*MARKERS[:2], HEADER)


class Expressions:
    """How a document with expressions is read, and the warnings of evaluating them."""

    def __init__(self, settings: QuerySettings | None = None, tree: Tree | None = None, templates: bool = True) -> None:
        self.settings = settings or QuerySettings()
        self.tree: Tree = tree or DocumentTree()
        self.templates = templates
        self.warnings: list[Diagnostic] = []

    def marked(self, written: object) -> tuple[tuple[str, ...], Callable[[Scalar], Node] | None]:
        """The signs of a template, and what a text with one becomes."""
        if not self.templates:
            return (), None

        def recognise(node: Scalar) -> Node:
            return self._suspended(node, written) if is_template(node.text) else node

        return TEMPLATES, recognise

    def closed(self, node: Node, written: object) -> Node:
        """What a container becomes."""
        return self._suspended(node, written) if isinstance(node, MapNode) and is_expression(node) else node

    def tagged(self, tag: str, node: Node, written: object) -> Node:
        """What a node with a tag becomes."""
        return (
            Suspension(Vaulted(node), node.source, node.at, written)
            if isinstance(node, Scalar) and tag in TAGS
            else node
        )

    def _suspended(self, node: Node, written: object) -> Suspension:
        return Suspension(Embedded(node, self.tree, self.settings), node.source, node.at, written)

    def placeholder(self, cycle: list[Task]) -> Node | None:
        """Null for circular expressions, which are reported as a warning."""
        if not all(isinstance(node, Suspension) and isinstance(node.expression, Embedded) for node, _ in cycle):
            return None
        (finding,) = cycle_failure(cycle).diagnostics
        hint = "the last of them sees null; give one of them a value of its own"
        self.warnings.append(Diagnostic(finding.code, finding.message, finding.labels, finding.notes, hint, "warning"))
        return Scalar(None, "null", cycle[0][0].source, cycle[0][0].at)
