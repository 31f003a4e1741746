"""Writers wait for each other: a process that reads a file in order to change it locks its folder meanwhile.

The lock is on the folder itself, so that it leaves no file behind, and the system drops it when a process dies.
"""

from __future__ import annotations

import os
import time

from plait.report.catalog import LOCKED

try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PATIENCE = 10.0
"""Seconds to wait for another writer."""
_PAUSE = 0.02


class Lock:
    """Holds the folders of some files, for a `with` block.

    Taken in one order, so that two writers cannot block each other.
    """

    def __init__(
        self, files: Iterable[str], patience: float = PATIENCE, then: Callable[[], None] | None = None
    ) -> None:
        folders = (os.path.dirname(os.path.realpath(name)) for name in files)
        self.folders = sorted(set(map(_existing, folders)))
        self.patience = patience
        self.then = then
        """What is done first, once the lock is held."""
        self._handles: list[int] = []

    def __enter__(self) -> Lock:
        try:
            for folder in self.folders:
                self._take(folder)
            if self.then is not None:
                self.then()
        except BaseException:
            self.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def covers(self, name: str) -> bool:
        return _existing(os.path.dirname(os.path.realpath(name))) in self.folders

    def release(self) -> None:
        while self._handles:
            os.close(self._handles.pop())

    def _take(self, folder: str) -> None:
        if fcntl is None:
            return
        handle = os.open(folder, os.O_RDONLY)
        self._handles.append(handle)
        limit = time.monotonic() + self.patience
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= limit:
                    raise LOCKED.error(name=folder, hint="try again when it is done") from None
                time.sleep(_PAUSE)


def _existing(folder: str) -> str:
    """The folder, or the nearest one above it that is there."""
    while not os.path.isdir(folder):
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return folder
