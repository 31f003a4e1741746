"""Text for people, fitted to a terminal: cells that do not fit go below the first one, prose is filled."""

from __future__ import annotations

import re

from plait.report.wrap import DEEPER, GAP, row, sentence

ENTRY = re.compile(r"  (\S.*?)  +(?=\S)")
"""The left side of an entry of the help, as in `  --format yaml|json    output format`."""
ITEM = re.compile(r"(?:[*-]|\d+\.) ")
SOURCE_LINE = re.compile(r" *\d* \| ")
WIDEST = 110
"""Longer lines of prose are hard to read."""


def fitted(text: str, columns: int, prose: bool = False) -> str:
    """The text with every row that is longer than the terminal broken between its cells.

    `prose`: lines at the margin are sentences, and are broken between words.
    """
    if not columns or max(map(len, text.split("\n"))) <= columns:
        return text
    return "\n".join(part for line in text.split("\n") for part in _fitted(line, columns, prose))


def _fitted(line: str, columns: int, prose: bool) -> list[str]:
    if SOURCE_LINE.match(line):
        return [line if len(line) <= columns else f"{line[: columns - 3]}..."]
    if prose and not line.startswith(" ") and not GAP.search(line):
        return sentence(line, columns)
    first, *others = row(line, columns)
    return [*(sentence(first, columns, 2 * DEEPER) if prose and GAP.search(line.lstrip()) else [first]), *others]


def filled(text: str, columns: int) -> str:
    """A page of the help for a terminal: paragraphs filled, entries aligned, examples and tables as they are."""
    lines: list[str] = []
    paragraph: list[str] = []
    for line in [*text.removesuffix("\n").split("\n"), ""]:
        if paragraph and not _continues(line, paragraph):
            lines += _wrapped(paragraph, columns)
            paragraph = []
        if line and not line.startswith(("    ", "|", "#")):
            paragraph.append(line)
        else:
            lines += _wrapped([line], columns) if line.startswith("|") else [line]
    return "\n".join(lines)


def _continues(line: str, paragraph: list[str]) -> bool:
    """Whether a line goes on with the paragraph or list item before it."""
    if not line or line.startswith(("    ", "|", "#")) or ITEM.match(line):
        return False
    return bool(ITEM.match(paragraph[0])) if line.startswith("  ") else not paragraph[0].startswith("  ")


def _wrapped(paragraph: list[str], columns: int) -> list[str]:
    """A paragraph, or an entry with its description beside or, on a narrow terminal, below it."""
    first = paragraph[0]
    text = " ".join([first.rstrip(), *(line.strip() for line in paragraph[1:])])
    entry = ENTRY.match(first)
    columns = columns if entry else min(columns, WIDEST)
    if len(text) <= columns or (first.startswith("  ") and not entry):
        return [text]
    if entry and columns - entry.end() <= 30:
        return [f"  {entry[1]}", *_lines(text[entry.end() :], columns, 8, 8)]
    return _lines(text, columns, 0, entry.end() if entry else 2 if ITEM.match(first) else 0)


def _lines(text: str, columns: int, first: int, others: int) -> list[str]:
    from textwrap import wrap

    return wrap(text, columns, initial_indent=" " * first, subsequent_indent=" " * others, break_on_hyphens=False)
