"""Three versions of a YAML file merged: by lines where git would merge them cleanly, else by fields and items.

Lines come first, so that comments, blank lines and the order of keys merge as people know it. Where both sides changed
neighbouring lines, or where the lines would give something that is not YAML or has a key twice, the documents are
merged field by field. What both sides changed is a conflict: it gets markers that name the path.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from itertools import accumulate

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Node, equal, secrets_in
from plait.core.path import Path, format_path
from plait.core.source import MASK, Source
from plait.fronts.patterns.comments import comments_of_one, merge_comments, without_comments
from plait.fronts.patterns.flags import CreateFlags, instructions_of
from plait.fronts.patterns.instructions import EverywhereFlag
from plait.fronts.patterns.plan import Plan, PlanLine
from plait.fronts.patterns.record import Record
from plait.fronts.patterns.report import short_value
from plait.fronts.patterns.resources import BOM, TextFile
from plait.fronts.patterns.texts import planned_texts
from plait.merging.differing import changes
from plait.merging.lines import LineConflict, MergedText, merge_lines
from plait.yaml.files import decode, encoding_of
from plait.yaml.load import shown_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.path import Step
    from plait.fronts.project import Project

    _Begin = tuple[int, Step, Node]
    """Where an entry or item begins, the step to it, and its value."""

NAME = "merged.yaml"
SENSITIVE = "!sensitive"


class MergeConflict:
    """What both sides changed: the resource, where the file has several, the path in it, and the three versions as
    text (None: it is not there)."""

    __slots__ = ("base", "document", "ours", "path", "secret", "theirs")

    def __init__(self, document: str, path: str, base: str | None, ours: str | None, theirs: str | None) -> None:
        self.document = document
        self.path = path
        self.base = base
        self.ours = ours
        self.theirs = theirs
        self.secret = False
        """Whether one of the versions has a secret: then the others are in its place, and none is for reports."""

    @property
    def name(self) -> str:
        return ":".join(filter(None, (self.document, self.path))) or "the file"

    def __repr__(self) -> str:
        told = "" if self.secret else f": {self.ours} / {self.theirs}, was {self.base}"
        return f"MergeConflict({self.name}{told})"


class Merged3:
    """The merged text, with markers around what is in conflict; without any, the merge is clean.

    `uncommented` has, for documents, the comments that theirs changed and that could not be merged; ours stay. `gone`
    has the comments of ours that went with what theirs removed.
    """

    __slots__ = ("conflicts", "gone", "text", "uncommented")

    def __init__(self, text: str, conflicts: list[MergeConflict], lines: Iterable[PlanLine] = ()) -> None:
        self.text = text
        self.conflicts = conflicts
        told = [(line.kind, line.document.label, line.entry.note) for line in lines]
        self.uncommented = {document: note for kind, document, note in told if kind == "comments kept"}
        self.gone = {document: note for kind, document, note in told if kind == "comments gone"}

    @property
    def shown(self) -> str:
        """The text as it may be printed: secrets are masked, also on the side of a conflict that does not mark them."""
        text = shown_text(NAME, self.text)
        sides = (side or "" for one in self.conflicts if one.secret for side in (one.ours, one.theirs, one.base))
        hidden = {line.partition(": ")[2].strip() or line.strip() for side in sides for line in side.splitlines()}
        for line in sorted(hidden - {""}, key=len, reverse=True):
            text = text.replace(line, MASK)
        return text


def merge3(base: str, ours: str, theirs: str, names: tuple[str, str] = ("ours", "theirs")) -> Merged3:
    """Three versions of a text as one. `names` are what the markers call both sides."""
    merged = _merged(base, ours, theirs, names)
    if merged.conflicts:
        _mark_secrets(merged.conflicts, (base, ours, theirs))
    return merged


def merge_texts(base: str, ours: str, theirs: str) -> Merged3:
    """Merge three versions of a YAML text. A byte order mark is no part of it; that of our side stays."""
    made = merge3(base.removeprefix(BOM), ours.removeprefix(BOM), theirs.removeprefix(BOM))
    made.text = f"{BOM}{made.text}" if ours.startswith(BOM) else made.text
    return made


def merge_files(project: Project, base: str, ours: str, theirs: str) -> Merged3:
    """Merge three files."""
    here, one, other = (decode(project.admit(name), project.bytes(name)).text for name in (ours, base, theirs))
    return merge3(one, here, other)


def write_merged(project: Project, text: str, ours: str, output: str) -> None:
    """Write a merged text into a file, in the encoding that our side has."""
    before = project.bytes(ours)
    encoding, mark = encoding_of(before)
    seen = {output: before} if output == ours else None
    project.writer(os.path.dirname(output) or ".").write({output: before[:mark] + text.encode(encoding)}, seen)


def _mark_secrets(conflicts: list[MergeConflict], texts: tuple[str, str, str]) -> None:
    """Say which conflicts are about secrets; of a text that cannot be read, all may be."""
    words = {MASK, SENSITIVE}
    unread = False
    for text in texts:
        file = _read(text)
        unread = unread or (file is None and SENSITIVE in text)
        found = [secret.text for one in file.documents for secret in secrets_in(one.node)] if file is not None else []
        words.update(line.strip() for secret in found for line in secret.splitlines())
    words.discard("")
    for conflict in conflicts:
        sides = [side for side in (conflict.base, conflict.ours, conflict.theirs) if side is not None]
        conflict.secret = unread or any(word in side for side in sides for word in words)


def _merged(base: str, ours: str, theirs: str, names: tuple[str, str]) -> Merged3:
    lines = merge_lines(base, ours, theirs)
    if not lines.conflicts and (_read(lines.text) is not None or _read(ours) is None or _read(theirs) is None):
        return Merged3(lines.text, [])
    sides = [_read(side) for side in (base, ours, theirs)]
    if any(side is None for side in sides):
        return _by_lines(lines, names)
    try:
        return _by_fields((base, ours, theirs), names)
    except Fault:  # what cannot be edited in place is left to people
        return _by_lines(lines, names)


def _read(text: str) -> TextFile | None:
    """A text as YAML; None where it is not, or has a key twice."""
    try:
        return TextFile(NAME, Source(NAME, text))
    except Fault:
        return None


# By lines


def _by_lines(merged: MergedText, names: tuple[str, str]) -> Merged3:
    lines = merged.text.splitlines(keepends=True)
    out: list[str] = []
    at = 0
    for clash in merged.conflicts:
        ours = clash.existing.splitlines(keepends=True)
        out += [*lines[at : clash.first - 1], *_marked(ours, clash.fresh.splitlines(keepends=True), names, clash.lines)]
        at = clash.first - 1 + len(ours)
    found = [MergeConflict("", clash.lines, clash.base, clash.existing, clash.fresh) for clash in merged.conflicts]
    return Merged3("".join([*out, *lines[at:]]), found)


def _marked(ours: list[str], theirs: list[str], names: tuple[str, str], place: str) -> Iterator[str]:
    """Both versions of some lines, between markers."""
    end = "\r\n" if any(line.endswith("\r\n") for line in (*ours, *theirs)) else "\n"
    yield f"<<<<<<< {names[0]}: {place}{end}"
    yield from _ended(ours, end)
    yield f"======={end}"
    yield from _ended(theirs, end)
    yield f">>>>>>> {names[1]}: {place}{end}"


def _ended(lines: list[str], end: str) -> list[str]:
    return [line if line.endswith(("\n", "\r")) else line + end for line in lines]


# By fields


def _by_fields(texts: tuple[str, str, str], names: tuple[str, str]) -> Merged3:
    plan = _planned(texts, "keep")
    found = [*_conflicts(plan)]
    ours = _result(plan, texts[1])
    if not found:
        return Merged3(ours, [], plan.lines)
    theirs = _result(_planned(texts, "take"), texts[1])
    theirs = _without_comments_of_ours(ours, theirs, comments_of_one(texts[1], texts[0], texts[2]))
    return Merged3(_with_markers(ours, theirs, names, [one.name for one in found]), found, plan.lines)


def _planned(texts: tuple[str, str, str], action: str) -> Plan:
    """Theirs into ours. With `take`, what both changed is as in theirs."""
    base, ours, theirs = (TextFile(NAME, Source(NAME, text)) for text in texts)
    instructions = instructions_of(CreateFlags())
    instructions.prune = True
    if action == "take":
        instructions.verdicts = [EverywhereFlag("take")]
    plan = Plan([ours], [theirs], Record.of_texts([base]), instructions)
    merge_comments(plan)
    return plan


def _result(plan: Plan, ours: str) -> str:
    return planned_texts(plan).get(NAME, ours) or ""


def _conflicts(plan: Plan) -> Iterator[MergeConflict]:
    several = len(plan.changes) + len(plan.orphans) > 1
    for line in plan.conflicts:
        document = line.document.label if several else ""
        if line.entry.clashes:
            yield from (_of_lines(document, line, clash) for clash in line.entry.clashes)
        else:
            sides = _sides(plan, line)
            yield MergeConflict(document, format_path(line.entry.path), *(_text(side) for side in sides))
    for change in plan.changes:
        if change.state == "deleted" and change.base is not None and not equal(change.base, change.fresh.node):
            yield MergeConflict(change.fresh.label, "", _text(change.base), None, _text(change.fresh.node))


def _sides(plan: Plan, line: PlanLine) -> tuple[Node | None, Node | None, Node | None]:
    """The three versions of what is in conflict; of a document that theirs deleted, all of it."""
    if line.kind != "orphan":
        return line.entry.base, line.entry.existing, line.entry.fresh
    base = plan.places.of_here.get(id(line.document)) or plan.record.base(line.document)
    return base, line.document.node, None


def _of_lines(document: str, line: PlanLine, clash: LineConflict) -> MergeConflict:
    return MergeConflict(
        document, f"{format_path(line.entry.path)} {clash.lines}".strip(), clash.base, clash.existing, clash.fresh
    )


def _text(node: Node | None) -> str | None:
    return None if node is None else short_value(node)


def _without_comments_of_ours(ours: str, theirs: str, comments: set[str]) -> str:
    """Return a result as theirs has it without comments of ours on the lines that differ. It stays as it is if that
    would change a value."""
    if not comments:
        return theirs
    lines = theirs.splitlines(keepends=True)
    for _, _, first, stop in changes(ours.splitlines(keepends=True), lines):
        lines[first:stop] = [without_comments(line, comments) for line in lines[first:stop]]
    cleared = "".join(lines)
    before, after = _read(theirs), _read(cleared)
    if before is None or after is None or len(before.documents) != len(after.documents):
        return theirs
    pairs = zip(before.documents, after.documents, strict=True)
    return cleared if all(equal(one.node, other.node) for one, other in pairs) else theirs


def _with_markers(ours: str, theirs: str, names: tuple[str, str], places: list[str]) -> str:
    """Two versions of the result that differ in what is in conflict, as one text with markers."""
    a, b = ours.splitlines(keepends=True), theirs.splitlines(keepends=True)
    spans = changes(a, b)
    if not spans:
        return ours
    here, there = _LinePaths(ours, a), _LinePaths(theirs, b)
    alone = len(spans) == 1 == len(places)
    out: list[str] = []
    at = 0
    for start, end, other, stop in spans:
        place = places[0] if alone else here.of(start, end) or there.of(other, stop)
        out += [*a[at:start], *_marked(a[start:end], b[other:stop], names, place)]
        at = end
    return "".join([*out, *a[at:]])


class _LinePaths:
    """The paths of what is written on lines of a text, counted from 0."""

    def __init__(self, text: str, lines: list[str]) -> None:
        self.starts = [0, *accumulate(map(len, lines))]
        self.documents = TextFile(NAME, Source(NAME, text)).documents
        self.known: dict[int, list[_Begin]] = {}

    def of(self, first: int, stop: int) -> str:
        """The path of the first thing that is written on some lines."""
        start, end = self.starts[first], self.starts[stop]
        if not self.documents or first == stop:
            return ""
        document = self.documents[max(bisect_right(self.documents, start, key=lambda one: one.start), 1) - 1]
        path = format_path(self.deepest(document.node, start, end))
        return f"{document.label}:{path}" if len(self.documents) > 1 else path

    def deepest(self, node: Node, start: int, end: int) -> Path:
        """The way to the first entry or item that begins between two places; else to the last one before."""
        path: list[Step] = []
        while True:
            inside, first = self.around(node, start, end)
            if inside is not None and (first is None or self.reaches(inside[2], start, end)):
                path.append(inside[1])
                node = inside[2]
                continue
            return (*path, first[1]) if first is not None else tuple(path)

    def reaches(self, node: Node, start: int, end: int) -> bool:
        """Whether something in a node begins between two places."""
        while True:
            inside, first = self.around(node, start, end)
            if first is not None or inside is None:
                return first is not None
            node = inside[2]

    def around(self, node: Node, start: int, end: int) -> tuple[_Begin | None, _Begin | None]:
        """The last member of a node that begins before a place, and the first that begins there and before its end."""
        begins = self.known.get(id(node))
        if begins is None:
            begins = self.known[id(node)] = sorted(_begins(node), key=_place)
        at = bisect_left(begins, start, key=_place)
        first = begins[at] if at < len(begins) and begins[at][0] < end else None
        return begins[at - 1] if at else None, first


def _place(begin: _Begin) -> int:
    return begin[0]


def _begins(node: Node) -> list[_Begin]:
    if isinstance(node, MapNode):
        return [(node.key_origin(key).at, key, child) for key, child in node.entries.items()]
    if isinstance(node, ListNode):
        return [(item.at, index, item) for index, item in enumerate(node.items)]
    return []
