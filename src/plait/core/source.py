"""Where text comes from, and how a character offset becomes a place that people recognise.

A node keeps two small things: its source and an offset into the source's text. Line and column are worked
out only on demand, so that reading a million values costs nothing for places that are never shown.
"""

from __future__ import annotations

from _bisect import bisect_right
from itertools import accumulate, islice

from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, MutableSequence, Sequence
    from typing import Protocol

    class LineNumbers(Protocol):
        """Numbers of lines, by line."""

        def __len__(self) -> int: ...

        def __getitem__(self, at: int, /) -> int: ...


MASK = "<sensitive>"
"""Printed in place of a value that must not be shown."""
NOT_IN_COMMIT = "<not in the commit>"
"""Printed in a report in place of what was made of a file that the commit does not have."""
SENSITIVE = "!sensitive"
"""The tag that marks a value as secret, in every front."""
YAML_ENDINGS = (".yaml", ".yml")
"""How the names of YAML files end."""
DATA_ENDINGS = (*YAML_ENDINGS, ".json")
"""How the names of files end that are read as YAML: JSON is YAML, too."""
TEMPLATE_ENDINGS = (*YAML_ENDINGS, *(f"{ending}.tmpl" for ending in YAML_ENDINGS))
"""How the names of files end that are YAML, at the latest when they are rendered."""


FEW = 16
"""So many places of a text are counted one by one."""


class LinesFrom:
    """The lines of a text from one of its lines on."""

    __slots__ = ("_first", "_lines")

    def __init__(self, lines: LineNumbers, first: int) -> None:
        self._lines = lines
        self._first = first

    def __len__(self) -> int:
        return max(len(self._lines) - self._first, 0)

    def __getitem__(self, at: int) -> int:
        return self._lines[self._first + at]


class Source:
    """A text that people wrote: a file, standard input, a flag's value, or a file rendered with a context.

    A rendered source remembers the source it was `written` as and, for each of its lines, the line there
    (`line_map`, 0-based); places are always reported in the lines that people wrote.
    """

    __slots__ = (
        "_asked",
        "_concealed",
        "_last",
        "_looked",
        "_starts",
        "_within",
        "aliases",
        "given",
        "line_map",
        "loose",
        "name",
        "role",
        "secrets",
        "text",
        "value_at",
        "written",
    )

    def __init__(
        self,
        name: str,
        text: str = "",
        *,
        given: bool = False,
        role: str = "",
        written: Source | None = None,
        line_map: LineNumbers = (),
        value_at: int | None = None,
    ) -> None:
        self.name = one_line(name)
        self.text = text
        self.given = given
        self.role = role
        """For what was given: as what it takes part in a merge, where that is not as a flag. For a file: what its
        values stand for, where they are parameters of a tool."""
        self.written = written
        self.line_map = line_map
        self.value_at = value_at
        """For the text of one value of `written`: the offset of that value there."""
        self.aliases: dict[int, object] = {}
        """The offsets of aliases (`*name`), each with the node that it stands for."""
        self.secrets: set[str] = set()
        """Texts in it that must never be shown, not even as part of a line."""
        self._concealed: dict[int, int] = {}
        """Rows that hold a secret, and the column from which they are masked."""
        self._within: set[int] = set()
        """The offsets of expressions inside of values that are marked as secret."""
        self._looked = False
        """Whether all values that are marked as secret have been looked for."""
        self._starts: Sequence[int] | None = None
        self._asked = 0
        """How many places were asked for before all lines were looked for."""
        self._last = (-1, 0)
        """The last row that was found so, and where it begins."""
        self.loose = False
        """Whether what YAML 1.2 refuses is read as libyaml reads it: the tools that its readers have do so."""

    withheld = False
    """Whether nothing of it may be shown where the values of this run go."""

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    @property
    def is_withheld(self) -> bool:
        """Whether it, or the text that it was rendered from, is withheld."""
        return self.withheld or (self.written is not None and self.written.is_withheld)

    @property
    def starts(self) -> Sequence[int]:
        """The offset at which each line begins."""
        if self._starts is None:
            self._starts = compact(_line_starts(self.text), len(self.text))
        return self._starts

    def position(self, at: int) -> tuple[int, int]:
        """Line and column, from 1, of an offset, in the text that people wrote."""
        row, start = self._row(at)
        column = at - start + 1
        if self.written is None:
            return row + 1, column
        written_row = self.line_map[row] if row < len(self.line_map) else row
        mine, theirs = self._text_of(row), self.written._text_of(written_row)
        indented = len(theirs) - len(mine)  # a text inside of another has its lines further to the right
        return written_row + 1, column + indented if mine and theirs.endswith(mine) else 1

    def _row(self, at: int) -> tuple[int, int]:
        """The row of an offset, from 0, and where it begins; for a few places not all rows are looked for."""
        if self._starts is None and self._asked < FEW and at <= len(self.text):
            self._asked += 1
            self._last = self.text.count("\n", 0, at), self.text.rfind("\n", 0, at) + 1
            return self._last
        row = bisect_right(self.starts, at) - 1
        return row, self.starts[row]

    def rows(self, offsets: Iterable[int]) -> list[int]:
        """The lines, from 1, of many offsets, in the text that people wrote."""
        if self.written is not None:
            return [self.position(at)[0] for at in offsets]
        starts = self.starts
        return [bisect_right(starts, at) for at in offsets]

    def line(self, number: int) -> str:
        """The text of a line, from 1, as people wrote it, secrets masked; empty where there is none."""
        source = self.written or self
        source._conceal_marked()
        text = source._text_of(number - 1)
        column = source._concealed.get(number - 1)
        if column is not None and text[column:].strip():
            text = text[:column] + MASK
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, MASK)
        return text

    def conceal(self, at: int) -> None:
        """Mask the value that starts at an offset wherever its lines are shown, however it is written.

        A value ends before the next line that is not indented more than the line it starts on.
        """
        row = bisect_right(self.starts, at) - 1
        first = self._text_of(row)
        self._hide_row(row, at - self.starts[row])
        margin = _indent(first)
        for below in range(row + 1, len(self.starts)):
            text = self._text_of(below)
            if text.strip() and _indent(text) <= margin:
                break
            self._hide_row(below, min(margin + 1, len(text)))

    def _conceal_marked(self) -> None:
        """Mask every value that is marked as secret, whether the text was read as YAML or not."""
        if self._looked:
            return
        self._looked = True
        at = self.text.find(SENSITIVE)
        while at >= 0:
            self.conceal(at)
            at = self.text.find(SENSITIVE, at + 1)

    def conceal_unread(self) -> None:
        """The text is not YAML: mask each marked value up to where it must have ended, however it goes on."""
        source = self.written or self
        source._conceal_marked()
        at = 0 if "\n%TAG" in f"\n{source.text}" else source.text.find(SENSITIVE)
        while at >= 0:
            first, last = (bisect_right(source.starts, place) for place in (at, _end_of_value(source.text, at)))
            for row in range(first if at else 0, last):
                source._hide_row(row, 0)
            at = source.text.find(SENSITIVE, at + 1)

    def is_concealed(self, at: int) -> bool:
        """Whether something of the line at an offset is masked."""
        return self.position(at)[0] - 1 in (self.written or self)._concealed

    def conceal_expression(self, at: int) -> None:
        """The expression at an offset is inside of a value that is marked as secret."""
        self._within.add(at)

    def conceals_expression(self, at: int) -> bool:
        """Whether the expression at an offset is secret, and so is what it gives, wherever it is seen from."""
        return at in self._within

    @property
    def has_secret_expressions(self) -> bool:
        """Whether any expression is."""
        return bool(self._within)

    def _hide_row(self, row: int, column: int) -> None:
        self._concealed[row] = min(column, self._concealed.get(row, column))

    def shown(self) -> str:
        """The whole text as it may be shown, line ends included."""
        ends = [*self.starts[1:], len(self.text)]
        lines = [self.line(row + 1) for row in range(len(self.starts))]
        return "".join(
            line + ("\n" if end > start and self.text[end - 1] == "\n" else "")
            for line, start, end in zip(lines, self.starts, ends, strict=True)
        )

    def _text_of(self, row: int) -> str:
        if self._starts is None and row == self._last[0]:
            start = self._last[1]
            end = self.text.find("\n", start)
            return self.text[start : end if end >= 0 else None].rstrip("\r")
        starts = self.starts
        if not 0 <= row < len(starts):
            return ""
        end = starts[row + 1] - 1 if row + 1 < len(starts) else len(self.text)
        return self.text[starts[row] : end].rstrip("\r")


PIECE = 100_000
"""A text with more characters is looked through in pieces of this size, and where its lines begin is kept compact."""


def compact(numbers: Iterable[int], most: int) -> MutableSequence[int]:
    """Numbers up to a limit, in the least memory where they may be many."""
    if most < PIECE:
        return list(numbers)
    from array import array  # few texts are so large

    return array("i" if most < 2**31 else "q", numbers)


def _line_starts(text: str) -> Iterator[int]:
    yield 0
    for begin in range(0, len(text), PIECE):
        lines = text[begin : begin + PIECE].split("\n")
        lengths = map((1).__add__, map(len, lines[:-1]))
        yield from islice(accumulate(lengths, initial=begin), 1, None)


CLOSING = {'"': '"', "'": "'", "[": "]", "{": "}"}


def _end_of_value(text: str, at: int) -> int:
    """An offset after which a marked value of a text that is not YAML has ended for sure."""
    start = text.rfind("\n", 0, at) + 1
    is_inner = sum(map(text.count, "[{", (0, 0), (at, at))) > sum(map(text.count, "]}", (0, 0), (at, at)))
    if is_inner or text.startswith("---", start) or "%TAG" in text:
        return len(text)
    value = at + len(SENSITIVE)
    while text[value : value + 1].isspace():
        value += 1
    closing = CLOSING.get(text[value : value + 1])
    if closing is not None:
        end = text.rfind(closing, value + 1)
        return end if end >= 0 else len(text)
    margin, is_list = _indent(text[start:]), text[value : value + 1] == "-"
    end = text.find("\n", value)
    while end >= 0:
        below = text.find("\n", end + 1)
        line = text[end + 1 : below if below >= 0 else len(text)]
        if line.strip() and _indent(line) <= margin and not (is_list and line[margin : margin + 1] == "-"):
            return end  # a list may be as far left as its key
        end = below
    return len(text)


def _indent(line: str) -> int:
    """How far a line is indented; the dash of a list item counts as indentation of what follows it."""
    return len(line) - len(line.lstrip(" "))


class Computed:
    """The origin of a value that an expression made: by which expression, and where that was written."""

    __slots__ = ("at", "source", "text")

    def __init__(self, text: str, source: Origins, at: int) -> None:
        self.text = text
        self.source = source
        self.at = at

    def __repr__(self) -> str:
        return f"Computed({self.text!r})"


Origins = Source | Computed

UNKNOWN = Source("(nowhere)")


def origins(rows: Iterable[tuple[Origins, int]]) -> list[Origin]:
    """The origins of several values, each given by its source and its offset."""
    return [Origin(source, at) for source, at in rows]


def line_numbers(places: Iterable[Origin]) -> list[int]:
    """The lines of several origins."""
    return [origin.line for origin in places]


class Origin:
    """One value's origin, as it is shown. `computed` is None for a value that was written."""

    __slots__ = ("at", "computed", "file", "source")

    def __init__(self, source: Origins, at: int) -> None:
        self.computed = source if isinstance(source, Computed) else None
        while isinstance(source, Computed):
            at, source = source.at, source.source
        self.source = source
        self.file = source.name
        self.at = at

    @property
    def line(self) -> int:
        return self.source.position(self.at)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.at)[1]

    @property
    def kind(self) -> str:
        """`written`, `computed` or `given`."""
        if self.computed is not None:
            return "computed"
        return "given" if self.source.given else "written"

    def __str__(self) -> str:
        if self.source.given:
            return self.source.name
        line, column = self.source.position(self.at)
        return f"{self.source.name}:{line}:{column}"

    def __repr__(self) -> str:
        return f"Origin({self})"
