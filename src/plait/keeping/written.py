"""How texts are written: many at a time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

TOGETHER = 50
"""How many texts are written at a time: what is put together of large ones then stays near the processor."""


def write_all(stream: TextIO, pieces: list[str]) -> None:
    """Write texts in order, many at a time: the stream itself would ask the system for every few of them."""
    for at in range(0, len(pieces), TOGETHER):
        stream.write("".join(pieces[at : at + TOGETHER]))
