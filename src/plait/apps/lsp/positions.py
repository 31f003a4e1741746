"""Positions of the protocol and offsets of a text: lines end with `\\n`, `\\r\\n` or `\\r`, and columns count the units
of an encoding."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import chain

from lsprotocol import types

from plait.core.source import PIECE, compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableSequence

LINE = re.compile(r"\r\n|\n|\r")
UTF8, UTF16, UTF32 = (
    types.PositionEncodingKind.Utf8,
    types.PositionEncodingKind.Utf16,
    types.PositionEncodingKind.Utf32,
)
CODECS = {UTF8: ("utf-8", 1), UTF16: ("utf-16-le", 2), UTF32: ("utf-32-le", 4)}
"""How a line is encoded, and how many bytes are one unit."""


class Lines:
    """A text by its lines."""

    __slots__ = ("_codec", "_is_plain", "_starts", "_unit", "encoding", "text")

    def __init__(self, text: str, encoding: str = UTF16, starts: MutableSequence[int] | None = None) -> None:
        """`starts` are the offsets of its lines, where they are known."""
        self.text = text
        self.encoding = encoding
        self._codec, self._unit = CODECS[types.PositionEncodingKind(encoding)]
        self._is_plain = text.isascii() or self._codec == "utf-32-le"
        self._starts = starts or compact(chain((0,), (found.end() for found in LINE.finditer(text))), len(text))

    def replaced(self, start: int, end: int, new: str) -> Lines:
        """The lines of the text with something else in a span."""
        text = self.text[:start] + new + self.text[end:]
        if len(new) >= PIECE:
            return Lines(text, self.encoding)
        shift = len(new) - (end - start)
        first = bisect_right(self._starts, max(start - 1, 0)) - 1  # what is before it may be half of a line end
        last = bisect_left(self._starts, end + 1)
        below = self._starts[last] if last < len(self._starts) else len(self.text)
        starts = self._starts[: first + 1]
        starts.extend([found.end() for found in LINE.finditer(text, starts[first], below + shift)])
        starts.extend([at + shift for at in self._starts[last + 1 :]])
        return Lines(text, self.encoding, starts)

    def offset(self, position: types.Position) -> int:
        """The offset of a position. What is beyond a line or the text is its end; what is negative, its beginning."""
        if position.line >= len(self._starts):
            return len(self.text)
        if position.line < 0:
            return 0
        start, end = self._starts[position.line], self._end(position.line)
        line = self.text[start:end]
        if self._is_plain or line.isascii():
            return start + min(max(position.character, 0), len(line))
        data = line.encode(self._codec, "surrogatepass")[: max(position.character, 0) * self._unit]
        return start + len(data.decode(self._codec, "ignore"))

    def position(self, offset: int) -> types.Position:
        """The position of an offset."""
        offset = min(max(offset, 0), len(self.text))
        row = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[row] : min(offset, self._end(row))]
        width = len(before)
        if not self._is_plain and not before.isascii():
            width = len(before.encode(self._codec, "surrogatepass")) // self._unit
        return types.Position(row, width)

    def range(self, start: int, end: int) -> types.Range:
        return types.Range(self.position(start), self.position(max(start, end)))

    def line_end(self, offset: int) -> int:
        """Where the line of an offset ends."""
        return self._end(bisect_right(self._starts, min(max(offset, 0), len(self.text))) - 1)

    def _end(self, row: int) -> int:
        """Where a line ends, without what separates it from the next one."""
        if row + 1 >= len(self._starts):
            return len(self.text)
        after = self._starts[row + 1]
        return after - (2 if self.text.startswith("\r\n", after - 2) else 1)


def changed(lines: Lines, change: types.TextDocumentContentChangeEvent) -> Lines:
    """A text after one change: of a part of it, or of all of it."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return Lines(change.text, lines.encoding)
    places = sorted((lines.offset(change.range.start), lines.offset(change.range.end)))
    return lines.replaced(places[0], places[1], change.text)
