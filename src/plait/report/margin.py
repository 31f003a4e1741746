"""Notes beside the lines of a text."""

from __future__ import annotations

from plait.core import native


def longest(text: str, rows: list[int]) -> int:
    """The length of the longest of some lines, counted from 1; 0 where there is none."""
    found = native.longest(text, rows) if native.longest is not None else None
    if found is not None:
        return found
    lines = text.split("\n")
    return max([len(lines[row - 1]) for row in rows], default=0)


def with_notes(text: str, rows: list[int], notes: list[str], width: int, before: str) -> str:
    """A text with a note for each of some lines: after the line, filled up to a width, and `before`. No line that has a
    note ends with space."""
    found = native.beside(text, rows, notes, width, before) if native.beside is not None else None
    if found is not None:
        return found
    lines = text.split("\n")
    for row, note in zip(rows, notes, strict=True):
        lines[row - 1] = f"{lines[row - 1].ljust(width)}{before}{note}".rstrip()
    return "\n".join(lines)
