"""What is unresolved in a stage, in the layout that spiff's users know: one line for each node, tab separated.

(( min_ip("10") ))	in source.yml	node.a.[0]	()	CIDR argument required
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault
from plait.core.node import Failure, Suspension
from plait.core.scope import Place
from plait.fronts.spiff.positions import StagedExpression
from plait.notations.dynaml.env import Trouble
from plait.report.catalog import CYCLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.evaluate.engine import Evaluator

HEADING = "error generating manifest: unresolved nodes:"


class UnresolvedNode:
    """One unresolved node."""

    __slots__ = ("expression", "file", "issue", "path", "place", "referred")

    def __init__(self, node: Suspension, place: Place, referred: str = "", issue: str = "") -> None:
        assert isinstance(node.expression, StagedExpression)
        self.expression = str(node.expression.dynaml)
        self.file = node.origin.file
        self.place = (node.origin.file, node.at)
        self.path = shown(place)
        self.referred = referred
        self.issue = issue

    def __str__(self) -> str:
        return f"\t{self.expression}\tin {self.file}\t{self.path}\t({self.referred})\t{self.issue}".rstrip("\t")


class Unresolved(Fault):
    """A stage that does not resolve: the lines of the report, and the same as diagnostics."""

    def __init__(self, lines: list[UnresolvedNode], diagnostics: list[Diagnostic]) -> None:
        super().__init__(*diagnostics)
        self.lines = lines

    def __str__(self) -> str:
        return "\n".join([HEADING, *map(str, self.lines)])


def shown(place: Place) -> str:
    """A path as spiff writes it: list items as `[0]`."""
    return ".".join(f"[{step}]" if isinstance(step, int) else str(step) for step in place.path)


def unresolved(evaluator: Evaluator, top: Place, failures: tuple[Failure, ...]) -> Unresolved:
    """Every node of a stage that failed or waits for one that did, sorted by file and position."""
    failed = [
        (node, place, value)
        for (node, place), value in evaluator.memo.items()
        if isinstance(value, Failure)
        and isinstance(node, Suspension)
        and isinstance(node.expression, StagedExpression)
        and place.root is top
    ]
    paths: dict[int, list[str]] = {}
    for _, place, failure in failed:
        if not failure.inherited:
            for diagnostic in failure.diagnostics:
                paths.setdefault(id(diagnostic), []).append(shown(place))
    lines = [UnresolvedNode(node, place, *_problem(shown(place), failure, paths)) for node, place, failure in failed]
    diagnostics = [diagnostic for failure in failures for diagnostic in failure.diagnostics]
    diagnostics += [diagnostic for _, _, failure in failed for diagnostic in failure.diagnostics]
    return Unresolved(sorted(lines, key=lambda line: (line.place, line.path)), list(dict.fromkeys(diagnostics)))


def _problem(path: str, failure: Failure, paths: dict[int, list[str]]) -> tuple[str, str]:
    """The path that a failure is about, and what is wrong."""
    first = failure.diagnostics[0] if failure.diagnostics else None
    if first is None:
        return "", ""
    origins = paths.get(id(first), [])
    if failure.inherited:
        return "", f"'{origins[0]}' unresolved" if origins else "depends on an unresolved node"
    if first.code == CYCLE.code:
        start = origins.index(path)
        return "", "cycle: " + " -> ".join([*origins[start:], *origins[:start], path])
    return first.referred if isinstance(first, Trouble) else "", first.message
