"""A document by its parts: each is built when somebody asks for it, and what nobody asks for is never built.

Most questions need little of most files (which names are there, one section, one component). A document that uses
anchors is built whole, because a part may then need another.
"""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node
from plait.core.source import Source
from plait.yaml.build import Reading, build
from plait.yaml.scan import ALIAS, END, MAP, PROPS, SEQ, TEXT, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

Span = tuple[int, int, int]
"""The key's offset, and the first step of the value and the one after it."""


class Outline:
    """One mapping of a document that has not been built: its keys, and its values on demand."""

    __slots__ = ("_built", "_ends", "_program", "_reading", "_start", "_whole", "source", "spans")

    def __init__(
        self, program: Program, source: Source, reading: Reading, ends: dict[int, int], start: int, spans: dict[str, Span]
    ) -> None:
        self._program = program
        self._ends = ends
        self.source = source
        self._reading = reading
        self._start = start
        self.spans = spans
        self._whole: Mapping | None = None
        self._built: dict[str, Node] = {}

    @classmethod
    def of(cls, program: Program, source: Source, reading: Reading) -> Outline | Node:
        """The outline of a document, or the document itself where it cannot be taken apart."""
        if program.kinds and _unanchored(program):
            ends = ends_of(program.kinds)
            spans = spans_of(program, ends, 0)
            if spans is not None:
                return cls(program, source, reading, ends, 0, spans)
        return build(program, source, reading)

    def __contains__(self, key: str) -> bool:
        return key in self.spans

    def keys(self) -> list[str]:
        return list(self.spans)

    def at(self, key: str) -> int:
        """Where a key stands in the text."""
        return self.spans[key][0]

    def text(self, key: str) -> str:
        """What is written between a key and the next one."""
        starts = [span[0] for span in self.spans.values()]
        start = self.spans[key][0]
        return self.source.text[start : min((at for at in starts if at > start), default=len(self.source.text))]

    def get(self, key: str) -> Node | None:
        """The value of a key, built now."""
        if key in self._built:
            return self._built[key]
        span = self.spans.get(key)
        if span is None:
            return None
        node = self._built[key] = build(part_of(self._program, *span[1:]), self.source, self._reading)
        return node

    def below(self, key: str) -> Outline | None:
        """The outline of a value that is a mapping; None where it is not, or cannot be taken apart."""
        span = self.spans.get(key)
        spans = spans_of(self._program, self._ends, span[1]) if span is not None and key not in self._built else None
        if span is None or spans is None:
            return None
        return Outline(self._program, self.source, self._reading, self._ends, span[1], spans)

    def whole(self) -> Mapping:
        """The mapping itself, with every part built once."""
        if self._whole is None:
            entries: dict[Key, Node] = {}
            for key in self.spans:
                node = self.get(key)
                assert node is not None
                entries[key] = node
            at = self._program.ats[self._start]
            live = any(node.live for node in entries.values())
            marks = tuple(span[0] for span in self.spans.values())
            self._whole = Mapping(entries, self.source, at, None, live, marks)
        return self._whole


def _unanchored(program: Program) -> bool:
    return ALIAS not in program.kinds and not any(anchor for _, anchor in program.props.values())


def spans_of(program: Program, ends: dict[int, int], start: int) -> dict[str, Span] | None:
    """The parts of the value at a step: None unless it is a mapping with plain keys, each once."""
    kinds, texts, ats = program.kinds, program.texts, program.ats
    if kinds[start] != MAP:
        return None
    spans: dict[str, Span] = {}
    step = start + 1
    while kinds[step] != END:
        key = texts[step]
        if kinds[step] > TEXT or key is None or key == "<<" or key in spans:
            return None
        end = ends.get(step + 1, step + 2)
        spans[key] = (ats[step], step + 1, end)
        step = end
    return spans


OPENS = frozenset((MAP, SEQ, MAP + PROPS, SEQ + PROPS))


def ends_of(kinds: Sequence[int]) -> dict[int, int]:
    """For each container, by the step it begins at, the step after it."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for step, kind in enumerate(kinds):
        if kind == END:
            ends[opened.pop()] = step + 1
        elif kind in OPENS:
            opened.append(step)
    return ends


def part_of(program: Program, start: int, end: int) -> Program:
    """The steps of one value as a program of its own."""
    props = {index - start: found for index, found in program.props.items() if start <= index < end} if program.props else {}
    return Program(program.kinds[start:end], program.ats[start:end], program.texts[start:end], props)
