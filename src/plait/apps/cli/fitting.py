"""Tables for people, fitted to a narrow terminal: cells that do not fit go below the first one."""

from __future__ import annotations

import re

GAP = re.compile(r" {4,}")
STYLE = re.compile(r"\x1b\[[0-9;]*m")
DEEPER = 4


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
