"""How a text is written, so that new lines look like their neighbours: indentation, dashes, quotes, line ends."""

from __future__ import annotations

import re

from plait.yaml.emit import Style
from plait.yaml.layout import Layout, Member
from plait.yaml.program import END, MAP, PLAIN, SEQ, TEXT
from plait.yaml.schema import CORE

ENOUGH = 200
"""How many neighbours to look at before the habit is clear."""
LINE_END = re.compile(r"[\r\n]")


def line_end_of(text: str) -> str:
    """How the lines of a text end."""
    at = text.find("\n")
    if at < 0:
        return "\r" if "\r" in text else "\n"
    return "\r\n" if text[at - 1 : at] == "\r" else "\n"


class LocalStyle:
    """What a document does most of the time."""

    __slots__ = ("dashes", "indents", "quotes")

    def __init__(self) -> None:
        self.indents: dict[int, int] = {}
        self.dashes: dict[int, int] = {}
        self.quotes = {"'": 0, '"': 0, "": 0}

    def look_at(self, layout: Layout, member: Member) -> None:
        """How one entry of a mapping writes its value."""
        value = member.value
        if layout.is_block(value) and layout.members(value):
            inside = column(layout.text, layout.members(value)[0].start) - column(layout.text, member.start)
            counts = self.dashes if layout.kind(value) == SEQ else self.indents
            counts[inside] = counts.get(inside, 0) + 1
        elif layout.kinds[value] == TEXT:
            sign = layout.text[layout.ats[value]]
            self.quotes[sign if sign in self.quotes else ""] += 1
        elif layout.kinds[value] == PLAIN and isinstance(CORE.resolve(layout.texts[value] or ""), str):
            self.quotes[""] += 1

    def style(self) -> Style:
        single, double, plain = self.quotes.values()
        return Style(
            indent=min(max(2, _most(self.indents, 2)), 9),
            dash=max(0, _most(self.dashes, 0)),
            prefer='"' if double > single else "'",
            reveal=True,
            always=single + double >= 3 and single + double > 4 * plain,
        )


def style_of(layout: Layout) -> Style:
    """The style in which to write what is new in a document."""
    style = LocalStyle()
    for container in _some_mappings(layout):
        for member in layout.members(container)[:ENOUGH]:
            style.look_at(layout, member)
    return style.style()


def _some_mappings(layout: Layout) -> list[int]:
    mappings = []
    for step, kind in enumerate(layout.kinds):
        if kind == END and layout.kind(layout.pairs[step]) == MAP:
            mappings.append(layout.pairs[step])
            if len(mappings) == ENOUGH // 4:
                break
    return sorted(mappings)


def _most(counts: dict[int, int], default: int) -> int:
    return max(counts, key=lambda step: counts[step]) if counts else default


def column(text: str, at: int) -> int:
    """The column, from 0, of an offset."""
    return at - line_start(text, at)


def line_start(text: str, at: int) -> int:
    start = text.rfind("\n", 0, at) + 1
    return max(start, text.rfind("\r", start, at) + 1)


def line_end(text: str, at: int) -> int:
    """Where the line of an offset ends, before its line break."""
    found = LINE_END.search(text, at)
    return found.start() if found is not None else len(text)


def next_line(text: str, at: int) -> int:
    """Where the line after that of an offset begins; the end of the text if there is none."""
    end = line_end(text, at)
    return end + 2 if text[end : end + 2] == "\r\n" else min(end + 1, len(text))
