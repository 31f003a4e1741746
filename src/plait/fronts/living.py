"""A long-running project whose files change: in an editor, in a server, in `plait watch`.

When files change, come or go, the project forgets what was made of that, and keeps everything else: see
`Project.forget`. When settings change or links lead elsewhere, the next question gets a new project, which takes over
every text that is still the same, with what was parsed of it.
"""

from __future__ import annotations

import os
from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.access.trace import Input
    from plait.fronts.project import Project

    Make = Callable[[dict[str, str]], Project]
    """Makes the project, with other texts for some files, by their real paths."""


class Living:
    """The current state of a project, and the texts that are not saved yet."""

    def __init__(self, make: Make) -> None:
        self.lock = RLock()
        self._make = make
        self._unsaved: dict[str, str] = {}
        self._changed: set[str] = set()
        """The real paths of the files that changed since the last question."""
        self._moved: set[str] = set()
        """Those of them that came or went without anybody having looked at the disk."""
        self._differing: set[Input] = set()
        """What else was asked that has another answer now."""
        self._project = make({})

    @property
    def project(self) -> Project:
        """The project as the files are now; PlaitError where its plait.yaml is wrong."""
        if self._changed:
            with self.lock:
                self._renew()
        return self._project

    @property
    def project_before(self) -> Project:
        """The project as the files were when it was last asked."""
        return self._project

    @property
    def has_other_texts_only(self) -> bool:
        """Whether nothing but texts of files has changed since the project was last asked: none came or went."""
        return not self._moved and not self._differing

    def edit(self, path: str, text: str | None) -> None:
        """Put an unsaved text over a file, which need not exist yet; None takes it away again.

        Questions that are asked afterwards answer from the new state. A `StackQuestions` or a `Tree` from before
        may answer from either: ask for a new one.
        """
        real = os.path.realpath(path)
        with self.lock:
            before = self._unsaved.pop(real, None)
            if text is not None:
                self._unsaved[real] = text
            if before != self._unsaved.get(real):
                self._changed.add(real)
                is_there = (before is not None, real in self._unsaved)
                if not all(is_there) and not os.path.isfile(real):
                    self._moved.add(real)

    def refresh(self) -> list[str]:
        """Look at the disk again; the real paths of the files that changed, of those that questions depended on."""
        with self.lock:
            trace = self._project.trace
            names = [*trace.changed_files()]
            for asked, places in trace.differing():
                self._differing.add(asked)
                names += places
            found = {os.path.realpath(name) for name in names}
            self._changed |= found
            return sorted(found)

    def asking(self) -> Asking:
        """For threads that share a project: inside `with living.asking():` one question is asked at a time, and
        each has the whole budget of time and steps."""
        return Asking(self)

    def _renew(self) -> None:
        if not self._project.forget(self._changed, self._moved, self._differing, self._unsaved):
            old, fresh = self._project, self._make(self._unsaved)
            fresh.take_over(old, self._changed)
            self._project = fresh
        self._changed, self._moved, self._differing = set(), set(), set()


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
