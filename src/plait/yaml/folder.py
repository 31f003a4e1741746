"""The user's cache folder: the packs and the answers in it, and how large it may become."""

from __future__ import annotations

import os
from contextlib import suppress

from plait.access.environment import answers_folder, cache_folder
from plait.yaml.state import is_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO

FOLDER_LIMIT = 256_000_000
"""How large the whole cache may become, in bytes."""
NAME = 32
"""The length of the name of a pack or an answer: a digest in hexadecimal digits."""


def opened(path: str) -> FileIO:
    """A pack or an answer, to be read piece by piece. Nobody waits for the other end of a pipe that has its name."""
    return open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb", buffering=0)


def cached_files(folder: str = "") -> list[tuple[int, int, str]]:
    """Every pack and every answer, the oldest first: when it was last used, its size and its path.

    What plait did not write is not among them: they may be deleted.
    """
    files = []
    for place in cache_folders(folder):
        try:
            entries = [entry for entry in os.scandir(place) if _is_cached(entry)]
            files += [(info.st_mtime_ns, info.st_size, entry.path) for entry in entries if (info := entry.stat())]
        except OSError:  # there is no such folder, or another run makes room
            continue
    return sorted(files)


def cache_folders(folder: str = "", make: bool = False) -> list[str]:
    """The folder of the packs and that of the answers, as far as they are the user's own."""
    top = folder or cache_folder()
    if not is_own(top, make):
        return []
    answers = answers_folder(top)
    return [top, answers] if is_own(answers, make) else [top]


def _is_cached(entry: os.DirEntry[str]) -> bool:
    """Whether a file has a name that plait gives: a digest, and what follows it until the file is complete."""
    name = entry.name.partition(".")[0]
    return len(name) == NAME and not name.strip("0123456789abcdef") and entry.is_file(follow_symlinks=False)


def make_room(fresh: str, folder: str = "") -> None:
    """Drop what was not used for the longest time, where everything together is too large."""
    files = cached_files(folder)
    total = sum(size for _, size, _ in files)
    for _, size, path in files:
        if total <= FOLDER_LIMIT:
            return
        if path != fresh:
            with suppress(FileNotFoundError):  # another run was faster
                os.unlink(path)
            total -= size
