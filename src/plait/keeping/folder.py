"""The cache for its user: its size, and how to clear it."""

from __future__ import annotations

import os

from plait.access.environment import answers_folder, cache_folder
from plait.yaml.folder import FOLDER_LIMIT, cached_files

__all__ = ["FOLDER_LIMIT", "cache_folder", "clear", "contents"]


def contents() -> dict[str, tuple[int, int]]:
    """How many files there are of each kind, and how many bytes they hold."""
    totals = {"parsed files": (0, 0), "answers": (0, 0)}
    for _, size, path in cached_files():
        kind = "answers" if os.path.dirname(path) == answers_folder() else "parsed files"
        count, total = totals[kind]
        totals[kind] = (count + 1, total + size)
    return totals


def clear() -> tuple[int, int]:
    """Delete everything that is kept; how many files there were, and how many bytes."""
    count = total = 0
    for _, size, path in cached_files():
        try:
            os.unlink(path)
        except FileNotFoundError:  # another run was faster
            continue
        count, total = count + 1, total + size
    return count, total
