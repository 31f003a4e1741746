"""Texts merged by lines, so that comments, quotes, brackets and blank lines arrive as they were generated.

The file, what was generated last and what is generated now are merged by lines. Where that gives just what was decided
field by field, it is the text of the file; where it gives some of it, the other fields are edited in it. Else every
field is edited by itself. Changed comments of the generator that are not there then are merged by lines into that, if
nothing but comments differs; where that cannot be had, the report says that comments were left as they are.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Fault
from plait.core.node import Node, equal, secrets_in
from plait.core.source import Source
from plait.core.visible import counted
from plait.fronts.patterns.plan import Plan, PlanLine, ResourceChange
from plait.fronts.patterns.resources import ResourceDocument, only_document
from plait.fronts.patterns.texts import as_patch, edited, only_words
from plait.merging.lines import merge_lines
from plait.merging.threeway import DecisionRow, MergeSettings, ReportEntry, threeway
from plait.yaml.patch import apply

COMMENTED, NOT_COMMENTED = DecisionRow(5, "fresh", "comments"), DecisionRow(9, "existing", "comments kept")
GONE = DecisionRow(6, "fresh", "comments gone")
"""Comments that somebody wrote beside what is not generated any more: they went with it."""
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
        merged = _by_lines(change, here, before.written)
        change.text = merged if merged is None else here.head + merged
        line = _merge(change, here, before.written) if commented else None
        plan.lines += [each for each in (line, _gone(change, here, before.written)) if each is not None]


def _gone(change: ResourceChange, here: ResourceDocument, base: str) -> PlanLine | None:
    """What there is to say about comments of somebody that are not in the result."""
    own = [comment for comment in dict.fromkeys(_comments(here.written)) if comment not in set(_comments(base))]
    left = set(_comments(_body(change, here))) if own else set()
    lost = [comment for comment in own if comment not in left]
    told = counted(len(lost), "comment") if any(secrets_in(here.node)) else ", ".join(lost)
    return PlanLine(here, ReportEntry((), GONE, note=told)) if lost else None


def _by_lines(change: ResourceChange, here: ResourceDocument, base: str) -> str | None:
    """The text of a resource merged by lines, and what it does not say of what was decided written into that; anchors
    stay as they are here."""
    if not change.edits or ("&" in here.written and "*" in here.written):
        return None
    merged = merge_lines(base, here.written, change.fresh.written)
    found = only_document(merged.text)
    if found is None or equal(found, change.node):
        return None if found is None else merged.text
    return _completed(merged.text, found, change) if merged.conflicts and merged.text != here.written else None


def _completed(text: str, found: Node, change: ResourceChange) -> str | None:
    """A text that says some of what was decided, with the rest; None where the file as it is says more of it."""
    edits = threeway(found, found, change.node, MergeSettings(exact=True)).edits
    if len(edits) >= len(change.edits) or any(not edit.path for edit in edits):
        return None
    try:
        return apply(Source("", text), [as_patch(edit, found) for edit in edits])
    except (Fault, ValueError):
        return None


def _says(text: str, node: Node) -> bool:
    found = only_document(text)
    return found is not None and equal(found, node)


def _comments(text: str) -> list[str]:
    return _COMMENT.findall(text) if "#" in text else []


def _merge(change: ResourceChange, here: ResourceDocument, base: str) -> PlanLine | None:
    """What there is to say about changed comments, after those that are not there yet are brought.

    A comment that comes with a new field needs no words.
    """
    plain = edited(here, change.edits, change.node).removeprefix(here.head)
    body = plain if change.text is None else change.text.removeprefix(here.head)
    wanted, before, there = (set(_comments(text)) for text in (change.fresh.written, base, body))
    if not wanted <= there or (before - wanted) & there:
        merged = merge_lines(base, body, change.fresh.written, neighbours=False).text
        if merged != body and _only_comments_differ(body, merged):
            body, change.text, change.state = merged, here.head + merged, "updated"
    arrived = set(_comments(body))
    if wanted - before - arrived:
        return PlanLine(here, ReportEntry((), NOT_COMMENTED))
    return None if arrived == set(_comments(plain)) else PlanLine(here, ReportEntry((), COMMENTED))


def _body(change: ResourceChange, here: ResourceDocument) -> str:
    """The text of a resource as it will be written."""
    return (change.text or edited(here, change.edits, change.node)).removeprefix(here.head)


def _only_comments_differ(before: str, after: str) -> bool:
    lines = [[line for line in _COMMENT.sub("", text).splitlines() if line.strip()] for text in (before, after)]
    if [line.rstrip() for line in lines[0]] != [line.rstrip() for line in lines[1]]:
        return False
    found = only_document(before)
    return found is not None and _says(after, found)
