"""The text after an edit, read again: it must equal the old document with only the edits applied.

Reading a large text again for one small edit is most of the work, so only the part that changed is read where that
says as much: an entry of a block mapping, from its key to where the next line of its surroundings begins. What a
reader makes of such a part depends on nothing but the column of the key, and what comes before and after it is read
as before, because

* the text before it and after it is the same, and both begin with something that cannot belong to what comes before: a
  key in the column of
  the mapping, or a line further to the left;
* read by itself, the part is one mapping in that column, whole lines of it: every quote, bracket and key in it is
  closed,
  and it does not end the document.

Everything that this argument does not cover is read as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from yaml import YAMLError

from plait.core.diagnostic import Fault
from plait.core.node import Node, equal
from plait.core.source import Source
from plait.yaml.build import Reading, build
from plait.yaml.events import documents, reading_quickly
from plait.yaml.layout import Layout
from plait.yaml.local_style import line_start
from plait.yaml.program import END, MAP, PROPS, SEQ, Program
from plait.yaml.scan import no_garbage_collection, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.yaml.graft import Span
    from plait.yaml.layout import Member

    Programs = Callable[[], list[Program]]
    Piece = Node | Program | tuple[int, int]
    """What must be somewhere in the result: a value, the steps of a raw text, or steps that were there before."""

_AS_WRITTEN = Reading(merge_keys=False, duplicates="last")
_ENDS_DOCUMENT = re.compile("[\\r\\n\x85\u2028\u2029][.]{3}")
_ANSWERS = (":", "")
"""How a text begins that could belong to an open key before it, or is not text at all."""


class StepChange:
    """Steps from `start` to `stop` of the old document, and what is in their place in the new one."""

    __slots__ = ("pieces", "start", "stop")

    def __init__(self, start: int, stop: int, pieces: list[Piece]) -> None:
        self.start = start
        self.stop = stop
        self.pieces = pieces


def verified(
    layouts: list[Layout], changes: dict[int, list[StepChange]], result: str, spans: list[Span] | None = None
) -> Programs | None:
    """What gives the documents of the new text, if they are the old ones with the changes made and nothing else.

    `spans` are what was cut and pasted, if that was all.
    """
    if spans and len(layouts) == 1:
        put_together = _by_part(layouts[0], changes[0], spans, result)
        if put_together is not None:
            return put_together
    try:
        programs = scan(Source("(result)", result))
    except Fault:
        return None
    if len(programs) != len(layouts):
        return None
    for at, (layout, program) in enumerate(zip(layouts, programs, strict=True)):
        if not _Comparison(layout, program).same(changes.get(at, [])):
            return None
    return lambda: programs


# A part of the text


class BlockEntry:
    """An entry of a block mapping: its member, where its text begins and ends, the column of its key, and how deep
    it is."""

    __slots__ = ("column", "depth", "member", "start", "stop")

    def __init__(self, member: Member, start: int, stop: int, column: int, depth: int) -> None:
        self.member = member
        self.start = start
        self.stop = stop
        self.column = column
        self.depth = depth


def _by_part(layout: Layout, changes: list[StepChange], spans: list[Span], result: str) -> Programs | None:
    """What gives the new document, if reading one part of the text is enough to know it."""
    part = smallest_part(layout, min(span.start for span in spans), max(span.end for span in spans))
    if part is None:
        return None
    first, last = part.member.first, layout.after(part.member.value)
    if any(change.start < first or change.stop > last for change in changes):
        return None
    read = read_part(layout, part, result)
    if read is None or not _Comparison(layout, read).same(changes, (first, last), (1, len(read.kinds) - 1)):
        return None
    return lambda: [joined(layout, read, part, len(result) - len(layout.text))]


def smallest_part(layout: Layout, start: int, stop: int) -> BlockEntry | None:
    """The smallest part that has a stretch of the text inside it; None where the text has to be read as a whole."""
    if layout.careful or not layout.kinds or "%" in layout.text[: layout.ats[0]]:
        return None
    entry: BlockEntry | None = None
    container, end, depth = 0, len(layout.text), 1
    while layout.is_block(container):
        members = layout.members(container)
        before = bisect_left(members, start, key=lambda member: member.start)
        if not before:
            break
        inside = members[before - 1]
        if inside.position + 1 < len(members):
            end = line_start(layout.text, members[inside.position + 1].start)
        if stop > end:
            break
        if layout.kind(container) == MAP:
            entry = _part(layout, inside, end, depth) or entry
        container, depth = inside.value, depth + 1
    return entry


def _part(layout: Layout, member: Member, end: int, depth: int) -> BlockEntry | None:
    """An entry as a part, if its key begins it, in a column of its own."""
    text, start = layout.text, member.start
    line = line_start(text, start)
    if layout.ats[member.key] != start or text[line:start].strip(" -") or _begins(layout, end) == ":":
        return None
    return BlockEntry(member, start, end, start - line, depth)


def _begins(layout: Layout, at: int) -> str:
    """The first character after a place that is neither blank nor in a comment."""
    at = layout.skip(at)
    return layout.text[at : at + 1]


def read_part(layout: Layout, part: BlockEntry, result: str) -> Program | None:
    """The steps of a part in a new text, as those of a mapping; None for what is not a mapping by itself."""
    stop = part.stop + len(result) - len(layout.text)
    text = result[part.start : stop]
    if text[:1] in _ANSWERS or (stop < len(result) and (text[-1:] != "\n" or _ENDS_DOCUMENT.search(text))):
        return None
    try:
        with no_garbage_collection():
            programs = reading_quickly(Source("(part)", " " * part.column + text), 1000 - part.depth, documents)
    except (Fault, YAMLError):
        return None
    if len(programs) != 1 or programs[0].kinds[:1] != [MAP] or programs[0].ats[1] != part.column:
        return None
    return programs[0] if _last_at(programs[0]) < part.column + len(text) else None


def _last_at(program: Program) -> int:
    """Where the last value is: that of a key without a colon is seen only where the next line begins."""
    return next(at for kind, at in zip(reversed(program.kinds), reversed(program.ats), strict=True) if kind != END)


def joined(layout: Layout, read: Program, part: BlockEntry, longer: int) -> Program:
    """The old document with the steps of one part exchanged for new ones."""
    first, last, moved = part.member.first, layout.after(part.member.value), part.start - part.column
    kinds = [*layout.kinds[:first], *read.kinds[1:-1], *layout.kinds[last:]]
    texts = [*layout.texts[:first], *read.texts[1:-1], *layout.texts[last:]]
    ats = [*layout.ats[:first], *(at + moved for at in read.ats[1:-1]), *(at + longer for at in layout.ats[last:])]
    further = len(kinds) - len(layout.kinds)
    props = {step: props for step, props in layout.props.items() if step < first}
    props |= {step - 1 + first: props for step, props in read.props.items()}
    props |= {step + further: props for step, props in layout.props.items() if step >= last}
    return Program(kinds, ats, texts, props)


# What was there and what is there


class _Comparison:
    """The steps of a new document against those of the old one with its changes."""

    def __init__(self, old: Layout, new: Program) -> None:
        self.old = old
        self.new = new
        self.at = 0
        self.old_props, self.new_props = sorted(old.props), sorted(new.props)

    def same(
        self, changes: list[StepChange], old: tuple[int, int] | None = None, new: tuple[int, int] | None = None
    ) -> bool:
        """Whether they are the same; of both sides all steps, or those from one to another."""
        done, stop = old or (0, len(self.old.kinds))
        self.at, end = new or (0, len(self.new.kinds))
        for change in changes:
            if not self.unchanged(done, change.start):
                return False
            for piece in change.pieces:
                anchor = self.old.anchor(change.start) if change.stop > change.start else None
                if not self.holds(piece, anchor):
                    return False
            done = max(done, change.stop)
        return self.unchanged(done, stop) and self.at == end

    def unchanged(self, start: int, stop: int) -> bool:
        """Whether the old steps from `start` to `stop` come next."""
        old, new, at = self.old, self.new, self.at
        self.at = end = at + stop - start
        if bytes(old.kinds[start:stop]) != bytes(new.kinds[at:end]) or old.texts[start:stop] != new.texts[at:end]:
            return False
        return not old.props or all(
            new.props.get(at + step - start) == old.props[step] for step in _between(self.old_props, start, stop)
        )

    def holds(self, piece: Piece, anchor: str | None) -> bool:
        """Whether a new value comes next."""
        if isinstance(piece, tuple):
            return self.unchanged(*piece)
        start = self.at
        self.at = stop = _subtree_end(self.new, start)
        if stop == start:
            return False
        part = self.steps(start, stop)
        if (part.props.get(0) or (None, None))[1] != anchor:
            return False
        if isinstance(piece, Program):
            return [kind & ~PROPS for kind in part.kinds] == [kind & ~PROPS for kind in piece.kinds] and list(
                part.texts
            ) == list(piece.texts)
        return equal(build(part, self.old.source, _AS_WRITTEN), piece)

    def steps(self, start: int, stop: int) -> Program:
        """Some steps of the new document as a document of their own."""
        new = self.new
        props = {step - start: new.props[step] for step in _between(self.new_props, start, stop)}
        return Program(new.kinds[start:stop], new.ats[start:stop], new.texts[start:stop], props)


def _subtree_end(program: Program, start: int) -> int:
    """The step after a node; `start` itself where no node begins."""
    level = 0
    for step in range(start, len(program.kinds)):
        kind = program.kinds[step] & ~PROPS
        if kind == END and not level:
            return start
        level += 1 if kind in (MAP, SEQ) else -1 if kind == END else 0
        if not level:
            return step + 1
    return start


def _between(steps: list[int], start: int, stop: int) -> list[int]:
    """Those of some steps, in order, that are from one to before another."""
    return steps[bisect_left(steps, start) : bisect_left(steps, stop)]
