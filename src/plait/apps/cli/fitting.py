"""Text for people, fitted to a terminal: cells that do not fit go below the first one, prose is filled."""

from __future__ import annotations

import re

GAP = re.compile(r" {4,}")
ENTRY = re.compile(r"  (\S.*?)  +(?=\S)")
"""The left side of an entry of the help, as in `  --format yaml|json    output format`."""
ITEM = re.compile(r"(?:[*-]|\d+\.) ")
STYLE = re.compile(r"\x1b\[[0-9;]*m")
DEEPER = 4
WIDEST = 110
"""Longer lines of prose are hard to read."""


def fitted(text: str, columns: int) -> str:
    """The text with every line of cells that is longer than the terminal broken between cells."""
    if not columns or max(map(len, text.split("\n"))) <= columns:
        return text
    return "\n".join(line if shown_length(line) <= columns else _broken(line, columns) for line in text.split("\n"))


def shown_length(text: str) -> int:
    """How many columns a text takes: colours take none."""
    return len(STYLE.sub("", text))


def _broken(line: str, columns: int) -> str:
    body = line.lstrip(" ")
    margin = " " * (len(line) - len(body))
    first, *cells = [cell for cell in GAP.split(body) if cell]
    lines = [margin + first]
    for cell in cells:
        if shown_length(lines[-1]) + DEEPER + shown_length(cell) <= columns:
            lines[-1] += " " * DEEPER + cell
        else:
            lines.append(f"{margin}{' ' * DEEPER}{cell}")
    return "\n".join(lines)


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
