"""Rows of text below each other, as a table without lines."""

from __future__ import annotations

from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def columns(rows: Iterable[Sequence[str]], gap: int = 4) -> list[str]:
    """A line for each row, its cells below those of the other rows; every cell on one line, whatever it contains."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    between = " " * gap
    return [between.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
