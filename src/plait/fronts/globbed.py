"""The files that a pattern means."""

from __future__ import annotations

import os

from plait.core.glob import Glob, literal_prefix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.access.door import Door


def glob_files(door: Door, folder: str, pattern: str) -> Iterator[str]:
    """The files below a folder that match a pattern."""
    glob = Glob(pattern)
    base = literal_prefix(pattern)
    for name in door.below(os.path.join(folder, base)):
        file = f"{base}/{name}" if base else name
        if glob.matches(file):
            yield file
