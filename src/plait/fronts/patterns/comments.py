"""Texts merged by lines, so that comments, quotes, brackets and blank lines arrive as they were generated.

The file, what was generated last and what is generated now are merged by lines. Where that gives just what was decided
field by field, it is the text of the file; where it gives some of it, the other fields are edited in it. Else every
field is edited by itself. Changed comments of the generator that are not there then are merged by lines into that, if
nothing but comments differs; where that cannot be had, the report says that comments were left as they are.
"""

from __future__ import annotations

import re
from itertools import takewhile

from plait.core.diagnostic import Fault
from plait.core.node import Node, Scalar, equal, secrets_in, text
from plait.core.source import Source
from plait.core.visible import counted
from plait.fronts.patterns.plan import Plan, PlanLine, ResourceChange
from plait.fronts.patterns.record import Remembered
from plait.fronts.patterns.resources import ResourceDocument, only_document
from plait.fronts.patterns.texts import as_patch, leave_what_cannot_be_edited, only_words, text_after
from plait.merging.items import alike
from plait.merging.lines import merge_lines
from plait.merging.threeway import DecisionRow, MergeSettings, ReportEntry, threeway

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

COMMENTED, NOT_COMMENTED = DecisionRow(5, "fresh", "comments"), DecisionRow(9, "existing", "comments kept")
GONE = DecisionRow(6, "fresh", "comments gone")
"""Comments that somebody wrote beside what is not generated any more: they went with it."""
_ANCHOR = re.compile(r"(?:^|(?<=\s))[&*][^\s,\]}]+")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*$", re.M)


def merge_comments(plan: Plan) -> None:
    """Bring the changed comments of all resources, and say so. What cannot be edited stays as it is."""
    leave_what_cannot_be_edited(plan)
    plan.lines = plan.all_lines()
    for change in plan.changes:
        plan.instructions.glance()
        before = plan.record.find(change.fresh)
        if plan.instructions.overwrite and _may_become_fresh(change, before):
            change.become_fresh()
        if change.existing is not None and before is not None and change.edits:
            _name_comments(change, change.existing, before.written)
        if before is None or change.existing is None or change.fresh.text.lines or not plan.record.known:
            continue
        here, commented = change.existing, _comments(before.written) != _comments(change.fresh.written)
        if change.is_fresh:
            plan.lines += [PlanLine(here, ReportEntry((), COMMENTED))] if commented and not change.edits else []
            continue
        if plan.instructions.overwrite and change.edits and not change.is_fresh:
            gone = _gone(change, here, before.written)
            plan.lines += [gone] if gone is not None else []
        if plan.instructions.overwrite or not (commented or (change.edits and not only_words(here, change.edits))):
            continue
        merged = _by_lines(change, here, before.written)
        change.text = merged if merged is None else here.head + merged
        plan.lines += _merge(change, here, before.written) if commented else ()
        gone = _gone(change, here, before.written)
        plan.lines += [gone] if gone is not None else []


def _may_become_fresh(change: ResourceChange, before: Remembered | None) -> bool:
    """Whether a resource has the data that is generated, and no comments of somebody else."""
    here = change.existing
    if here is None or here.text.lines or here.written.rstrip() == change.fresh.written.rstrip():
        return False
    if not equal(change.node, change.fresh.node):
        return False
    known = {*_comments(change.fresh.written), *_comments(before.written if before is not None else "")}
    return known.issuperset(_comments(here.written))


MOVED = ("updated", "set", "taken", "overwritten")
"""The kinds of lines that tell of another value in the place of one that is here."""


def _name_comments(change: ResourceChange, here: ResourceDocument, base: str) -> None:
    """Name the comments of others that are beside or right above values that become other ones."""
    known = {*_comments(base), *_comments(change.fresh.written)}
    if known.issuperset(_comments(here.written)):
        return
    rows = here.text.source.text.split("\n")
    for line in change.lines:
        node = line.entry.existing
        if line.kind in MOVED and isinstance(node, Scalar) and node.source is here.text.source and not line.entry.note:
            at = node.origin.line - 1
            above = takewhile(lambda row: row.lstrip().startswith("#"), reversed(rows[:at]))
            found = [one for row in (*reversed([*above]), rows[at]) for one in _comments(row) if one not in known]
            line.entry.note = _told(found, here) if found else ""


def _gone(change: ResourceChange, here: ResourceDocument, base: str) -> PlanLine | None:
    """What there is to say about comments of somebody that are not in the result."""
    own = [comment for comment in dict.fromkeys(_comments(here.written)) if comment not in set(_comments(base))]
    left = set(_comments(_body(change, here))) if own else set()
    lost = [comment for comment in own if comment not in left]
    return PlanLine(here, ReportEntry((), GONE, note=_told(lost, here))) if lost else None


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
    from plait.yaml.patch import apply

    try:
        return apply(Source("", text), [as_patch(edit, found) for edit in edits])
    except (Fault, ValueError):
        return None


def _edited(change: ResourceChange, here: ResourceDocument) -> str:
    return text_after(change) if change.edits else here.head + here.written


def _says(text: str, node: Node) -> bool:
    found = only_document(text)
    return found is not None and equal(found, node)


def _comments(text: str) -> list[str]:
    return _COMMENT.findall(text) if "#" in text else []


def _merge(change: ResourceChange, here: ResourceDocument, base: str) -> Iterator[PlanLine]:
    """What there is to say about changed comments, after those that are not there yet are brought.

    A comment that comes with a new field needs no words.
    """
    plain = _edited(change, here).removeprefix(here.head)
    body = plain if change.text is None else change.text.removeprefix(here.head)
    wanted, before, there = (set(_comments(text)) for text in (change.fresh.written, base, body))
    if not wanted <= there or (before - wanted) & there:
        merged = merge_lines(_brought_up(base, change.fresh), body, change.fresh.written, neighbours=False).text
        if merged != body and _is_the_same(body, merged) and _about_the_same(body, merged, change.fresh.written):
            body, change.text, change.state = merged, here.head + merged, "updated"
    arrived = set(_comments(body))
    missing = [one for one in dict.fromkeys(_comments(change.fresh.written)) if one in wanted - before - arrived]
    missing += [f"{one} (removed)" for one in _stale(body, (before - wanted) & arrived, change.fresh.written)]
    if arrived != set(_comments(plain)):
        yield PlanLine(here, ReportEntry((), COMMENTED))
    if missing:
        yield PlanLine(here, ReportEntry((), NOT_COMMENTED, note=_told(missing, here)))


def _stale(body: str, gone: set[str], fresh: str) -> list[str]:
    """Of comments that are not generated any more, those that are still beside or above what is generated."""
    if not gone:
        return []
    code = {_owner_name(_COMMENT.sub("", line).strip()) for line in fresh.splitlines()}
    return list(dict.fromkeys(one for one, owner in _owners(body) if one in gone and _owner_name(owner) in code))


def _told(comments: list[str], here: ResourceDocument) -> str:
    """Comments as a report names them; only how many, where they may tell a secret."""
    return counted(len(comments), "comment") if any(secrets_in(here.node)) else ", ".join(comments)


def _brought_up(base: str, fresh: ResourceDocument) -> str:
    """What was generated last with the values of now: it differs from what is generated now only in comments and in how
    things are written. As it was, where it cannot be edited."""
    node = only_document(base)
    edits = threeway(node, node, fresh.node, MergeSettings(exact=True)).edits if node is not None else []
    if node is None or any(not edit.path for edit in edits):
        return base
    from plait.yaml.patch import apply

    try:
        return apply(Source("", base), [as_patch(edit, node) for edit in edits], aliases="here")
    except (Fault, ValueError):
        return base


def _body(change: ResourceChange, here: ResourceDocument) -> str:
    """The text of a resource as it will be written."""
    return (change.text or _edited(change, here)).removeprefix(here.head)


def _is_the_same(before: str, after: str) -> bool:
    found = only_document(before)
    return found is not None and _says(after, found) and _anchors(before) == _anchors(after)


def _about_the_same(before: str, after: str, fresh: str) -> bool:
    """Whether every comment that came is beside or above what it was generated for: a field of that name, or an item
    that is alike."""
    known = set(_owners(before))
    generated: dict[str, set[str]] = {}
    for comment, owner in _owners(fresh):
        generated.setdefault(comment, set()).add(_owner_name(owner))
    came = ((comment, _owner_name(owner)) for comment, owner in _owners(after) if (comment, owner) not in known)
    return all(
        owner in generated.get(comment, ()) or any(_same_item(owner, other) for other in generated.get(comment, ()))
        for comment, owner in came
    )


def _owners(text: str) -> list[tuple[str, str]]:
    """Each comment, with the line that it is beside or above."""
    found: list[tuple[str, str]] = []
    above: list[str] = []
    for line in text.splitlines():
        comment = _COMMENT.search(line)
        rest = (line[: comment.start()] if comment is not None else line).strip()
        above += [comment[0]] if comment is not None else []
        if rest:
            found += [(one, rest) for one in above]
            above = []
    return found + [(one, "") for one in above]


def _owner_name(line: str) -> str:
    """What a comment on a line is about: a field, whatever its value is, or an item."""
    key, colon, _ = line.partition(": ")
    return key + colon if colon and not line.startswith("- ") else line


def _same_item(a: str, b: str) -> bool:
    return a.startswith("- ") and b.startswith("- ") and alike(text(a), text(b))


def _anchors(text: str) -> list[str]:
    """The anchors and aliases of a text, as far as words tell."""
    return _ANCHOR.findall(text)


def comments_of_one(text: str, *others: str) -> set[str]:
    """Return the comments of a text that none of the others has."""
    return set(_comments(text)).difference(*map(_comments, others))


def without_comments(line: str, comments: set[str]) -> str:
    """Return a line without the comment at its end, if that is one of some comments; "" if the line is nothing else."""
    found = _COMMENT.search(line)
    if found is None or found[0].rstrip("\r") not in comments:
        return line
    return f"{line[: found.start()].rstrip()}{line[found.end() :]}".lstrip("\r\n")
