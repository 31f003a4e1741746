"""Lines that are longer than a terminal is wide: rows of a table break between cells, sentences between words.

Only output on a terminal comes here. Text in backticks stays on one line where it fits, because people copy it.
"""

from __future__ import annotations

import re

GAP = re.compile(r" {4,}")
"""What separates two cells of a row."""
STYLE = re.compile(r"\x1b\[[0-9;]*m")
PIECE = re.compile(r" *(?:`[^`]*`|[^ ])+")
WORD = re.compile(r" *[^ ]+")
RESET = "\x1b[0m"
DEEPER = 4
"""How far a continued line is indented."""


def shown_length(text: str) -> int:
    """How many columns a text takes; colours take none."""
    return len(STYLE.sub("", text))


def sentence(text: str, columns: int, indent: int = DEEPER) -> list[str]:
    """The lines of a sentence; the second and the following ones are indented. 0 columns: no limit.

    A line is broken only where the next one begins further left: a short word stays beside one that fits nowhere."""
    if not columns or shown_length(text) <= columns:
        return [text]
    lines = [""]
    for piece in _pieces(text, columns - indent):
        taken = shown_length(lines[-1])
        if lines[-1].strip() and taken > indent and taken + shown_length(piece) > columns:
            lines.append(" " * indent + piece.lstrip(" "))
        else:
            lines[-1] += piece
    return _coloured_alone(lines)


def row(line: str, columns: int) -> list[str]:
    """The lines of a row of cells: a cell that does not fit goes below the first one, broken between words."""
    if not columns or shown_length(line) <= columns:
        return [line]
    body = line.lstrip(" ")
    margin = len(line) - len(body) + DEEPER
    cells, gaps = GAP.split(body), GAP.findall(body)
    lines = [line[: len(line) - len(body)] + cells[0]]
    for gap, cell in zip(gaps, cells[1:], strict=True):
        room = columns - shown_length(lines[-1]) - shown_length(cell)
        if room >= DEEPER:
            lines[-1] += (gap if room >= len(gap) else " " * DEEPER) + cell
        else:
            lines += sentence(" " * margin + cell, columns, margin + 2)
    return lines


def _pieces(text: str, room: int) -> list[str]:
    """The words of a text, each with the spaces before it; code in backticks is one word where it fits."""
    fitting = [(piece, shown_length(piece.lstrip(" ")) <= room) for piece in PIECE.findall(text)]
    return [part for piece, fits in fitting for part in ([piece] if fits else WORD.findall(piece))]


def _coloured_alone(lines: list[str]) -> list[str]:
    """The same lines, each of which ends the colour that it begins: a pager shows lines one by one."""
    active, done = "", []
    for line in lines:
        body = line.lstrip(" ")
        whole = line[: len(line) - len(body)] + active + body
        active = next((style for style in reversed(STYLE.findall(whole)) if style), "")
        active = "" if active == RESET else active
        done.append(whole + (RESET if active else ""))
    return done
