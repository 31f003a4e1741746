"""A long-running project whose files change: in an editor, in a server, in `plait watch`.

When the text of a file changes, the project forgets what was made of it, and keeps everything else: see
`Project.forget`. When files come or go, or settings change, the next question gets a new project, which takes over
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
        self._is_other = False
        """Whether more than the texts of files changed."""
        self._project = make({})

    @property
    def project(self) -> Project:
        """The project as the files are now; PlaitError where its plait.yaml is wrong."""
        if self._changed:
            with self.lock:
                self._renew()
        return self._project

    def edit(self, path: str, text: str | None) -> None:
        """Put an unsaved text over a file, which need not exist yet; None takes it away again.

        Questions that are asked afterwards answer from the new state. A `StackQuestions` or a `Tree` from before
        may answer from either: ask for a new one.
        """
        real = os.path.realpath(path)
        with self.lock:
            before = self._unsaved.pop(real, None)
            if text is not None:
                self._unsaved[real] = text.encode("utf-8", "surrogatepass")
            if before != self._unsaved.get(real):
                self._changed.add(real)
                is_there = (before is not None, real in self._unsaved)
                self._is_other = self._is_other or (not all(is_there) and not os.path.isfile(real))

    def refresh(self) -> list[str]:
        """Look at the disk again; the real paths of the files that changed, of those that questions depended on."""
        with self.lock:
            trace = self._project.trace
            files = {os.path.realpath(name) for name in trace.changed_files()}
            places = {os.path.realpath(name) for name in trace.changed_places()}
            self._changed |= files | places
            self._is_other = self._is_other or bool(places) or not all(map(os.path.isfile, files))
            return sorted(files | places)

    def asking(self) -> Asking:
        """For threads that share a project: inside `with living.asking():` one question is asked at a time, and
        each has the whole budget of time and steps."""
        return Asking(self)

    def _renew(self) -> None:
        if self._is_other or not self._project.forget(self._changed, self._unsaved):
            old, fresh = self._project, self._make(self._unsaved)
            fresh.take_over(old, self._changed)
            old.door.close()
            self._project = fresh
        self._changed, self._is_other = set(), False


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
