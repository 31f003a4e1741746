"""Values of components that need not be computed again, because another component has the same."""

from __future__ import annotations

from plait.core.node import Node, Overlay, Suspension
from plait.evaluate.engine import MERGE
from plait.fronts.stacks.language.manifest_functions import ManifestCall
from plait.fronts.stacks.language.view import Rendering
from plait.merging.combine import combine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.session.session import StackSession

SHARING = (Rendering, ManifestCall)
"""The expressions that know values which other components have, too."""


def known_value(session: StackSession, node: Node, root: Node | None) -> Node | None:
    """A value that need not be computed again: the value of a local is the same for all components, that of a template
    is the same for all components from which it reads the same nodes, and so is a merge of such values."""
    if isinstance(node, Suspension):
        expression = node.expression
        return expression.value_from(root, node.written) if isinstance(expression, SHARING) else None
    return _overlaid(session, node, root) if isinstance(node, Overlay) else None


def _overlaid(session: StackSession, node: Overlay, root: Node | None) -> Node | None:
    """A merge of values that need not be computed again."""
    parts: list[Node] = []
    for part in node.parts:
        known = known_value(session, part, root) if part.live else part
        if known is None or known.live:
            return None
        parts.append(known)
    session.evaluator.meter.make(MERGE)
    return combine(parts, node.policy)
