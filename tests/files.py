"""What tests ask about files."""

from __future__ import annotations

import os
from pathlib import Path


def stamp(path: str | Path) -> tuple[int, int, int]:
    """What changes when a file is written or replaced, and not when it is read."""
    status = os.stat(path)
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns
