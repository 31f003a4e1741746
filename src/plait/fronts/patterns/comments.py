"""Texts merged by lines, so that comments, quotes, brackets and blank lines arrive as they were generated.

The file, what was generated last and what is generated now are merged by lines. Where that is clean and gives just what
was decided field by field, it is the text of the file. Else the fields are edited one by one, and changed comments of
the generator are merged by lines into that, if nothing but comments differs; where that cannot be had, the report says
that comments were left as they are.
"""

from __future__ import annotations

import re

from plait.core.node import Node, equal
from plait.fronts.patterns.plan import Plan, PlanLine, ResourceChange
from plait.fronts.patterns.resources import ResourceDocument, only_document
from plait.fronts.patterns.texts import edited, only_words
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
        here, commented = change.existing, _comments(before.written) != _comments(change.fresh.written)
        if plan.instructions.overwrite or not (commented or (change.edits and not only_words(here, change.edits))):
            continue
        line = _merge(change, here, before.written) if commented else None
        merged = _by_lines(change, here, before.written)
        if merged is not None:
            change.text = merged
            line = PlanLine(here, ReportEntry((), COMMENTED)) if line is not None else None
        plan.lines += [line] if line is not None else []


def _by_lines(change: ResourceChange, here: ResourceDocument, base: str) -> str | None:
    """The text of a resource merged by lines, if it says what was decided; anchors stay as they are here."""
    if not change.edits or ("&" in here.written and "*" in here.written):
        return None
    merged = merge_lines(base, here.written, change.fresh.written)
    return here.head + merged.text if not merged.conflicts and _says(merged.text, change.node) else None


def _says(text: str, node: Node) -> bool:
    found = only_document(text)
    return found is not None and equal(found, node)


def _comments(text: str) -> list[str]:
    return _COMMENT.findall(text) if "#" in text else []


def _merge(change: ResourceChange, here: ResourceDocument, base: str) -> PlanLine | None:
    now = edited(here, change.edits, change.node) if change.edits else here.text.source.text[here.start : here.end]
    head, body, fresh = here.head, now.removeprefix(here.head), change.fresh.written
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
    found = only_document(before)
    return found is not None and _says(after, found)
