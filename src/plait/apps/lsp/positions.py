"""Positions of the protocol and offsets of a text: lines end with `\\n`, `\\r\\n` or `\\r`, and columns count the units
of an encoding."""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol import types

LINE_END = re.compile(r"\r\n|\n|\r")
UTF8, UTF16, UTF32 = (
    types.PositionEncodingKind.Utf8,
    types.PositionEncodingKind.Utf16,
    types.PositionEncodingKind.Utf32,
)
CODECS = {UTF8: ("utf-8", 1), UTF16: ("utf-16-le", 2), UTF32: ("utf-32-le", 4)}
"""How a line is encoded, and how many bytes are one unit."""


class Lines:
    """A text by its lines."""

    __slots__ = ("_codec", "_ends", "_starts", "_unit", "text")

    def __init__(self, text: str, encoding: str = UTF16) -> None:
        self.text = text
        self._codec, self._unit = CODECS[types.PositionEncodingKind(encoding)]
        ends = [(found.start(), found.end()) for found in LINE_END.finditer(text)]
        self._starts = [0, *(end for _, end in ends)]
        self._ends = [*(start for start, _ in ends), len(text)]

    def offset(self, position: types.Position) -> int:
        """The offset of a position. What is beyond a line or the text is its end; what is negative, its beginning."""
        if position.line >= len(self._starts):
            return len(self.text)
        if position.line < 0:
            return 0
        start, end = self._starts[position.line], self._ends[position.line]
        line = self.text[start:end]
        if line.isascii() or self._codec == "utf-32-le":
            return start + min(max(position.character, 0), len(line))
        data = line.encode(self._codec, "surrogatepass")[: max(position.character, 0) * self._unit]
        return start + len(data.decode(self._codec, "ignore"))

    def position(self, offset: int) -> types.Position:
        """The position of an offset."""
        offset = min(max(offset, 0), len(self.text))
        row = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[row] : min(offset, self._ends[row])]
        width = len(before)
        if not before.isascii() and self._codec != "utf-32-le":
            width = len(before.encode(self._codec, "surrogatepass")) // self._unit
        return types.Position(row, width)

    def range(self, start: int, end: int) -> types.Range:
        return types.Range(self.position(start), self.position(max(start, end)))

    def line_end(self, offset: int) -> int:
        """Where the line of an offset ends."""
        return self._ends[bisect_right(self._starts, min(max(offset, 0), len(self.text))) - 1]


def changed(text: str, change: types.TextDocumentContentChangeEvent, encoding: str) -> str:
    """A text after one change: of a part of it, or of all of it."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return change.text
    lines = Lines(text, encoding)
    start, end = (lines.offset(change.range.start), lines.offset(change.range.end))
    return text[: min(start, end)] + change.text + text[max(start, end) :]
