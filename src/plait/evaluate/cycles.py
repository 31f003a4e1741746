"""The one error for values that depend on each other, or that contain themselves, over whatever they do so."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Failure, Node, Suspension
from plait.core.path import format_path
from plait.core.scope import Place
from plait.report.catalog import CYCLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OWN_VALUE = "give one of them a value of its own"
PART_OF_IT = "refer to a part that does not contain the reference"


def cycle_failure(cycle: Sequence[tuple[Node, Place]], hint: str = OWN_VALUE) -> Failure:
    """One report for a ring of values, beginning with the first one in its file."""
    members: list[tuple[Node, Place]] = [task for task in cycle if isinstance(task[0], Suspension)] or list(cycle)
    start = min(range(len(members)), key=lambda i: (members[i][0].origin.file, members[i][0].at))
    labels = [Label(node.origin, _shown(node, place)) for node, place in members[start:] + members[:start]]
    return Failure((CYCLE(*labels, hint=hint),), members[start][0].source, members[start][0].at)


def _shown(node: Node, place: Place) -> str:
    written = node.expression.text if isinstance(node, Suspension) else ""
    return f"{format_path(place.path)}: {written}" if place.path else written
