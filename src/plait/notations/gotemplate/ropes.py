"""Text in pieces: which place of a template wrote each, what it read, and what led there.

A leaf of the data may be `Traced`: a value with the reads that stand for it. While an expression runs, what it opens
is collected. A text that is made of several places is a *rope*: its pieces stay known as long as the text is moved
and not computed with.
"""

from __future__ import annotations

from plait.notations.gotemplate.errors import ExecError
from plait.notations.gotemplate.execute import Frame, Output, RenderState
from plait.notations.gotemplate.values import Object, Reader, Traced, parts_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.notations.gotemplate.errors import TemplateError
    from plait.notations.gotemplate.tree import TemplateNode
    from plait.notations.gotemplate.values import Reads

NOTHING: Reads = frozenset()
SHORTEST = 2
"""Shorter texts are no ropes: Python may use one object for equal ones."""


class Decision:
    """A condition that led into a block, the values that it read, and what it decided."""

    __slots__ = ("at", "begins_line", "compares", "outcome", "program", "reads")

    def __init__(
        self, program: Any, at: int, outcome: bool, reads: Reads, compares: bool = False, begins_line: bool = False
    ) -> None:
        self.program = program
        self.at = at
        self.outcome = outcome
        self.reads = reads
        self.compares = compares
        """Whether it tells more about its values than that they are set."""
        self.begins_line = begins_line
        """Whether the text that it is about begins with a line break, so that it does not touch what is before it."""


class CallSite:
    """Where a template was called from."""

    __slots__ = ("at", "by", "program")

    def __init__(self, program: Any, at: int, by: CallSite | None) -> None:
        self.program = program
        self.at = at
        self.by = by


class Circumstances:
    """What is known of a place that failed: what was looked at there, and what was not there."""

    __slots__ = ("about", "absent", "node", "program", "root")

    def __init__(self, program: Any, node: TemplateNode, root: Any, about: list[Any], absent: Any) -> None:
        self.program = program
        self.node = node
        self.root = root
        self.about = about
        """Values that it failed with."""
        self.absent = absent
        """The last map in which the action did not find a key, with the key; None where it found all."""


class WrittenPiece:
    """A piece of text: the place of the template that wrote it, what it read, and what led there. A piece without text
    is a place where there could be some: an empty value was written there, or a condition kept a block away."""

    __slots__ = ("at", "by", "is_literal", "program", "reads", "text", "why")

    def __init__(
        self,
        text: str,
        program: Any,
        at: int,
        reads: Reads,
        why: tuple[Decision, ...],
        by: CallSite | None,
        is_literal: bool,
    ) -> None:
        self.text = text
        self.program = program
        self.at = at
        self.reads = reads
        self.why = why
        self.by = by
        self.is_literal = is_literal
        """Whether it is text of the template itself, so that `at` moves on with it."""

    def part(self, start: int, end: int) -> WrittenPiece:
        """Some of its characters."""
        at = self.at + start if self.is_literal else self.at
        return WrittenPiece(self.text[start:end], self.program, at, self.reads, self.why, self.by, self.is_literal)

    @property
    def begins_line(self) -> bool:
        """Of a piece without text: whether what could be there would begin a line."""
        return bool(self.why) and self.at == self.why[-1].at and self.why[-1].begins_line

    def as_text(self, text: str) -> WrittenPiece:
        """Another text with the same history."""
        return WrittenPiece(text, self.program, self.at, self.reads, self.why, self.by, False)

    def and_read(self, reads: Reads, why: tuple[Decision, ...]) -> WrittenPiece:
        """The same text, which something more led to."""
        return WrittenPiece(
            self.text, self.program, self.at, self.reads | reads, why + self.why, self.by, self.is_literal
        )


class Rope:
    """A text in pieces."""

    __slots__ = ("pieces", "text")

    def __init__(self, text: str, pieces: list[WrittenPiece]) -> None:
        self.text = text
        self.pieces = pieces

    def reads(self) -> Reads:
        """Everything that the text was made from, or that led to it."""
        return NOTHING.union(
            *(piece.reads for piece in self.pieces), *(one.reads for piece in self.pieces for one in piece.why)
        )

    def part(self, start: int, end: int) -> list[WrittenPiece]:
        """The pieces between two places of the text, those without text among them: at `end` only where the text
        ends."""
        found: list[WrittenPiece] = []
        at = 0
        last = len(self.text) if end == len(self.text) else end - 1
        for piece in self.pieces:
            stop = at + len(piece.text)
            if at < end and stop > start:
                found.append(piece.part(max(start - at, 0), min(end - at, len(piece.text))))
            elif at == stop and start <= at <= last:
                found.append(piece)
            at = stop
        return found


class TracingReader(Reader):
    """Collects the reads of everything that is opened, and knows the ropes among the texts."""

    __slots__ = ("absent", "careful", "loose", "reads", "ropes", "short")

    def __init__(self, careful: bool = False) -> None:
        super().__init__()
        self.careful = careful
        """Whether nothing may be lost, for secrets: what a list or a map was made from is what all in it was made
        from. Else an origin is told only of values that were moved as they are."""
        self.loose: set[Any] = set()
        """What became a key, which has no place for what it was made from."""
        self.absent: tuple[Any, str] | None = None
        """The last map in which the current action did not find a key, with the key."""
        self.reads: set[Any] = set()
        self.ropes: dict[int, Rope] = {}
        self.short: Rope | None = None
        """The last text of one character that a call of the current action made: it has no identity of its own."""

    def open(self, value: Any) -> Any:
        if value.__class__ is Traced:
            self.reads |= value.reads
            return value.value
        return super().open(value)

    def missed(self, mapping: Any, name: str) -> None:
        self.absent = (mapping, name)

    def rope(self, value: Any) -> Rope | None:
        """The pieces of a text that is a rope."""
        if value.__class__ is not str:
            return None
        if len(value) < SHORTEST:
            return self.short if self.short is not None and self.short.text == value else None
        rope = self.ropes.get(id(value))
        return rope if rope is not None and rope.text is value else None

    def keep(self, text: str, pieces: list[WrittenPiece]) -> str:
        """A text that is a rope from now on."""
        if len(text) < SHORTEST:
            self.short = Rope(text, pieces)
            self.reads |= self.short.reads()
            return text
        fresh = "".join([text[:1], text[1:]])  # an object that nobody else has
        self.ropes[id(fresh)] = Rope(fresh, pieces)
        return fresh

    def look(self, value: Any) -> None:
        """A value is looked at as a whole: what it was made from counts as read."""
        rope = self.rope(value)
        if rope is not None:
            self.reads |= rope.reads()


def bare(reader: TracingReader, value: Any) -> Any:
    """A value without anything traced in it, all of which counts as read."""
    parts_left(value)
    return _bare(reader, value)


def _bare(reader: TracingReader, value: Any) -> Any:
    if value.__class__ is Traced:
        return reader.open(value)
    if isinstance(value, dict):
        return value.__class__((key, _bare(reader, child)) for key, child in value.items())
    if isinstance(value, list):
        return value.__class__(_bare(reader, child) for child in value)
    if isinstance(value, Object):
        return value.each(lambda child: _bare(reader, child))
    reader.look(value)
    return value


class PiecedOutput(Output):
    """Output in pieces that know where they come from."""

    __slots__ = ("written",)

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.written: list[WrittenPiece] = []

    def add(self, piece: WrittenPiece) -> None:
        if piece.text:
            self.write(piece.text, piece.at)
        if piece.text or piece.reads or piece.why:
            self.written.append(piece)


class TracedFrame(Frame):
    """A template's run that knows what led to it and what its values were made from."""

    __slots__ = ("by", "dot_reads", "root_reads", "taints", "why")

    def __init__(self, state: RenderState, root: Any, name: str, depth: int = 0) -> None:
        super().__init__(state, root, name, depth)
        self.why: tuple[Decision, ...] = ()
        self.by: CallSite | None = None
        self.taints: dict[int, Reads] = {}
        """What the values of variables were made from."""
        self.dot_reads: Reads = NOTHING
        self.root_reads: Reads = NOTHING

    def fail(
        self,
        message: str,
        node: TemplateNode,
        *,
        hint: str = "",
        kind: type[TemplateError] = ExecError,
        about: Any = None,
    ) -> TemplateError:
        """An error that knows what was read where it happened."""
        problem = super().fail(message, node, hint=hint, kind=kind)
        reader: Any = self.state.reader
        problem.reads = frozenset(reader.reads) | self.dot_reads
        problem.circumstances = Circumstances(self.state.program, node, self.root, [about], reader.absent)
        return problem

    def inside(self, decision: Decision, dot_reads: Reads | None = None) -> TracedFrame:
        """The same run, in a block that a decision led into."""
        frame = TracedFrame(self.state, self.root, self.name, self.depth)
        frame.variables, frame.taints = self.variables, self.taints
        frame.by, frame.root_reads = self.by, self.root_reads
        frame.why = (*self.why, decision)
        frame.dot_reads = self.dot_reads if dot_reads is None else dot_reads
        return frame

    def called(self, state: RenderState, root: Any, reads: Reads, name: str, at: int) -> TracedFrame:
        """The run of a template that this one calls."""
        frame = TracedFrame(state, root, name, self.depth + 1)
        frame.by = CallSite(self.state.program, at, self.by)
        frame.why = self.why
        frame.dot_reads = frame.root_reads = reads
        return frame


def collected(reader: Any, work: Callable[[], Any]) -> tuple[Any, Reads]:
    """A value, and what was read for it alone."""
    outer, reader.reads = reader.reads, set()
    try:
        value = work()
        return value, frozenset(reader.reads)
    finally:
        reader.reads = outer
