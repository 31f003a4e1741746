"""The error for values that depend on each other or contain themselves, through references, templates and so on."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.node import Failure, Node, Overlay, Suspension
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
    written = node.told if isinstance(node, Suspension) else ""
    return f"{format_path(place.path)}: {written}" if place.path else written


class DeepMerges:
    """Finds values that contain themselves through a merge: each level is made again, so no value waits for itself.

    Where the same written values are merged again and again, each time below the last, there is no end.
    """

    FROM, ROUNDS, STRIDE = 64, 32, 16
    """The depth at which watching begins; how often something may come again, and how many levels further down."""

    def __init__(self) -> None:
        self._last: dict[tuple[object, int], tuple[Place, int]] = {}

    def check(self, node: Overlay, place: Place) -> None:
        last = self._last.get((node.source, node.at))
        rounds = last[1] + 1 if last is not None and self._is_below(place, last[0]) else 0
        self._last[node.source, node.at] = (place, rounds)
        if rounds > self.ROUNDS:
            raise Fault(CYCLE(*(Label(part.origin) for part in written(node)), hint=PART_OF_IT))

    def _is_below(self, place: Place, other: Place) -> bool:
        at: Place | None = place
        for _ in range(self.STRIDE):
            at = at.parent if at is not None else None
            if at is other:
                return True
        return False


def written(node: Overlay) -> list[Node]:
    """The values that a merge is made of, each line once."""
    return list({(part.source, part.at): part for part in node.parts}.values())
