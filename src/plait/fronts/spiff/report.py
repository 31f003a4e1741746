"""What is unresolved in a stage, in the layout that spiff's users know: one line for each node, tab separated.

(( min_ip("10") ))	in source.yml	node.a.[0]	()	CIDR argument required
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault
from plait.core.node import Failure, Suspension
from plait.core.scope import Place
from plait.fronts.spiff.positions import ControlMap, Insertion, StagedExpression
from plait.notations.dynaml.env import Trouble
from plait.report.catalog import CYCLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.evaluate.engine import Evaluator

HEADING = "error generating manifest: unresolved nodes:"


class UnresolvedNode:
    """One unresolved node."""

    __slots__ = ("expression", "file", "issue", "path", "place", "referred", "sign")

    def __init__(self, node: Suspension, place: Place, referred: str = "", issue: str = "", sign: str = "") -> None:
        written = node.expression
        self.expression = (
            str(written.dynaml) if isinstance(written, StagedExpression) and not node.secret else node.told
        )
        self.sign = sign
        self.file = node.origin.file
        self.place = (node.origin.file, node.at)
        self.path = spiff_path(place)
        self.referred = referred
        self.issue = issue

    def __str__(self) -> str:
        return f"\t{self.expression}\tin {self.file}\t{self.path}\t({self.referred})\t{self.sign}{self.issue}".rstrip(
            "\t"
        )


class Unresolved(Fault):
    """A stage that does not resolve: the lines of the report, and the same as diagnostics."""

    def __init__(self, lines: list[UnresolvedNode], diagnostics: list[Diagnostic]) -> None:
        super().__init__(*diagnostics)
        self.lines = lines

    def __str__(self) -> str:
        return "\n".join([HEADING, *map(str, self.lines)])


def spiff_path(place: Place) -> str:
    """A path as spiff writes it: list items as `[0]`."""
    return ".".join(f"[{step}]" if isinstance(step, int) else str(step) for step in place.path)


def unresolved(evaluator: Evaluator, top: Place, failures: tuple[Failure, ...], signs: bool) -> Unresolved:
    """Every node of a stage that failed or waits for one that did, sorted by file and position.

    With `signs`, as the successor prints them: a sign says whether a node is wrong itself (`*`), part of a cycle (`@`),
    or depends on a failed one (`-`), and they are sorted by it.
    """
    failed = [
        (node, place, value)
        for (node, place), value in evaluator.memo.items()
        if isinstance(value, Failure)
        and isinstance(node, Suspension)
        and (isinstance(node.expression, StagedExpression) or (_is_shown(node) and not value.inherited))
        and place.root is top
    ]
    paths: dict[int, list[str]] = {}
    for _, place, failure in failed:
        if not failure.inherited:
            for diagnostic in failure.diagnostics:
                paths.setdefault(id(diagnostic), []).append(spiff_path(place))
    lines = [
        UnresolvedNode(node, place, *_problem(spiff_path(place), failure, paths), _sign(failure) if signs else "")
        for node, place, failure in failed
    ]
    diagnostics = [diagnostic for failure in failures for diagnostic in failure.diagnostics]
    diagnostics += [diagnostic for _, _, failure in failed for diagnostic in failure.diagnostics]
    lines.sort(key=lambda line: (SIGNS.index(line.sign), line.place, line.path))
    return Unresolved(lines, list(dict.fromkeys(diagnostics)))


SIGNS = ("", "*", "@", "-")


def _sign(failure: Failure) -> str:
    first = failure.diagnostics[0] if failure.diagnostics else None
    return "@" if first is not None and first.code == CYCLE.code else "-" if failure.inherited else "*"


def _is_shown(node: Suspension) -> bool:
    """Whether a container that failed by itself has a line: a control, or one that takes in another."""
    return isinstance(node.expression, ControlMap | Insertion)


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
