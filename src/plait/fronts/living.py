"""A project that lives while its files change: in an editor, in a server, in `plait watch`.

A project is one state of the files. When something changes, the next question gets a new project, which takes over
every text that is still the same, with what was parsed of it.
"""

from __future__ import annotations

import os
from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.project import Project

    Make = Callable[[dict[str, bytes]], Project]
    """Makes the project, with other bytes for some files, by their real paths."""


class Living:
    """The current state of a project, and the texts that are not saved yet."""

    def __init__(self, make: Make) -> None:
        self.lock = RLock()
        self._make = make
        self._unsaved: dict[str, bytes] = {}
        self._changed: set[str] = set()
        """The real paths of the files that changed since the project was made."""
        self._project = make({})

    @property
    def project(self) -> Project:
        """The project as the files are now; PlaitError where its plait.yaml is wrong."""
        if self._changed:
            with self.lock:
                self._renew()
        return self._project

    def edit(self, path: str, text: str | None) -> None:
        """Put an unsaved text over a file, which need not exist yet; without a text, take it away again."""
        real = os.path.realpath(path)
        with self.lock:
            before = self._unsaved.pop(real, None)
            if text is not None:
                self._unsaved[real] = text.encode("utf-8", "surrogatepass")
            if before != self._unsaved.get(real):
                self._changed.add(real)

    def refresh(self) -> list[str]:
        """Look at the files and folders again that were asked for so far; the names of the files that changed."""
        with self.lock:
            found = {os.path.realpath(name) for name in self._project.trace.changes()}
            self._changed |= found
            return sorted(found)

    def asking(self) -> Asking:
        """One question at a time, each with budgets of its own."""
        return Asking(self)

    def _renew(self) -> None:
        old, fresh = self._project, self._make(self._unsaved)
        fresh.take_over(old, self._changed)
        old.door.close()
        self._project, self._changed = fresh, set()


class Asking:
    """One question to a project that lives: `with living.asking(): ...`."""

    __slots__ = ("living",)

    def __init__(self, living: Living) -> None:
        self.living = living

    def __enter__(self) -> None:
        self.living.lock.acquire()
        try:
            self.living.project.meter.restart()
        except BaseException:
            self.living.lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        self.living.lock.release()
