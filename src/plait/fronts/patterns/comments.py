"""Comments that a generator changed: merged by lines, like values, where nobody changed them here.

The file as the run leaves it, what was generated last and what is generated now are merged by lines. The result is
taken only if nothing but comments differs; where that cannot be had, the report says that comments were left as they
are.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Fault
from plait.core.node import equal
from plait.core.source import Source
from plait.fronts.patterns.plan import Plan, PlanLine, ResourceChange
from plait.fronts.patterns.resources import ResourceDocument, TextFile
from plait.fronts.patterns.texts import edited
from plait.merging.lines import merge_lines
from plait.merging.threeway import DecisionRow, ReportEntry

COMMENTED, NOT_COMMENTED = DecisionRow(5, "fresh", "comments"), DecisionRow(9, "existing", "comments kept")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*$", re.M)


def merge_comments(plan: Plan) -> None:
    """Bring the changed comments of all resources, and say so."""
    for change in plan.changes:
        before = plan.record.find(change.fresh)
        if before is None or change.existing is None or change.fresh.text.lines or not plan.record.known:
            continue
        if not plan.instructions.overwrite and _comments(before.written) != _comments(change.fresh.written):
            line = _merge(change, change.existing, before.written)
            plan.lines += [line] if line is not None else []


def _comments(text: str) -> list[str]:
    return _COMMENT.findall(text) if "#" in text else []


def _merge(change: ResourceChange, here: ResourceDocument, base: str) -> PlanLine | None:
    now = edited(here, change.edits, change.node) if change.edits else here.text.source.text[here.start : here.end]
    head = now[: len(now) - len(now.removeprefix("---\n"))]
    body, fresh = now.removeprefix(head), change.fresh.written
    if set(_comments(fresh)) <= set(_comments(body)):
        return None
    merged = merge_lines(base, body, fresh)
    if merged.text != body and _only_comments_differ(body, merged.text):
        change.text, change.state = head + merged.text, "updated"
        return PlanLine(here, ReportEntry((), COMMENTED))
    return PlanLine(here, ReportEntry((), NOT_COMMENTED))


def _only_comments_differ(before: str, after: str) -> bool:
    lines = [[line for line in _COMMENT.sub("", text).splitlines() if line.strip()] for text in (before, after)]
    if [line.rstrip() for line in lines[0]] != [line.rstrip() for line in lines[1]]:
        return False
    try:
        sides = [TextFile("", Source("", text)).documents for text in (before, after)]
    except Fault:
        return False
    return len(sides[0]) == len(sides[1]) == 1 and equal(sides[0][0].node, sides[1][0].node)
