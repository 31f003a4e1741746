"""How texts are written: many at a time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

TOGETHER = 500
"""How many texts are written at a time."""


def write_all(stream: TextIO, pieces: list[str]) -> None:
    """Write texts in order, many at a time: the stream itself would ask the system for every few of them."""
    for at in range(0, len(pieces), TOGETHER):
        stream.write("".join(pieces[at : at + TOGETHER]))
