"""Which files a commit has: a report shows text of these, and masks what was made of any other file.

A repository has a file if git tracks it, by its real path. The files of a submodule count if the submodule is at the
commit that is recorded for it. Copies of revisions, and folders that the user compares, count whole.
"""

from __future__ import annotations

import os

from plait.access.trace import above
from plait.core.diagnostic import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from plait.access.git import GitAnswer
    from plait.access.trace import AccessTrace

    class Asker(Protocol):
        """Who asks git for a run: a door."""

        trace: AccessTrace | None

        def inside(self, real: str) -> bool: ...

        def git_facts(self, *words: str, folder: str) -> GitAnswer: ...


LISTED = ("ls-files", "-z")
STAGED = ("ls-files", "--stage", "-z", "--")
"""What is asked of a submodule alone: the answer changes with the content of files, too."""
AT = ("rev-parse", "HEAD")


class CommittedFiles:
    """Which files the commits of a run have. Git is asked once for each work tree."""

    is_personal = False
    """Whether only the user sees the report: then no file is masked."""

    def __init__(self) -> None:
        self._whole: tuple[str, ...] = ()
        self._copies: dict[str, str] = {}
        self._tracked: dict[str, frozenset[str]] = {}
        """The files that git tracks in each work tree; none for a clone or submodule in another that is not at the
        commit which is recorded there."""
        self._tops: dict[str, str] = {}
        self._asked: list[tuple[str, tuple[str, ...], GitAnswer]] = []
        """What git was asked and answered: every trace of the run depends on it."""
        self._told: set[tuple[str, AccessTrace | None]] = set()
        self.masked: dict[str, str] = {}
        """The files that a run asked about and no commit has, by their real paths, as they were named."""

    def count_whole(self, folder: str) -> None:
        """All files of a folder count: it is a copy of a revision, or the user compares it with another one."""
        self._whole = (*self._whole, os.path.join(os.path.realpath(folder), ""))

    def stand_for(self, copy: str, folder: str) -> None:
        """A file of a copy counts if that of the folder does which it was copied from."""
        self._copies[os.path.join(os.path.realpath(copy), "")] = os.path.realpath(folder)

    def has(self, real: str, door: Asker) -> bool:
        """Whether the commit has a file, given by its real path. Where there is no repository, everything counts."""
        if real.startswith(self._whole):
            return True
        for copy, folder in self._copies.items():
            if real.startswith(copy):
                return self.has(os.path.join(folder, real[len(copy) :]), door)
        top = self._top(os.path.dirname(real))
        return not top or os.path.relpath(real, top) in self._files(top, door)

    def _top(self, folder: str) -> str:
        if folder not in self._tops:
            self._tops[folder] = above(folder, ".git")
        return self._tops[folder]

    def _files(self, top: str, door: Asker) -> frozenset[str]:
        if top not in self._tracked:
            names = self._answer(door, LISTED, top).split("\0") if self._is_recorded(top, door) else ()
            self._tracked[top] = frozenset(names)
        elif (top, door.trace) not in self._told:
            self._told.add((top, door.trace))
            for folder, words, answer in self._asked:
                if door.trace is not None:
                    door.trace.asked_git(folder, words, (answer.status, answer.output, answer.why))
        return self._tracked[top]

    def _is_recorded(self, top: str, door: Asker) -> bool:
        around = self._top(os.path.dirname(top))
        if not around or not door.inside(around):
            return True
        facts = self._answer(door, (*STAGED, os.path.relpath(top, around)), around).split(" ")
        return len(facts) > 1 and self._answer(door, AT, top).strip() == facts[1]

    def _answer(self, door: Asker, words: tuple[str, ...], folder: str) -> str:
        """What git answers; nothing where it cannot."""
        try:
            answer = door.git_facts(*words, folder=folder)
        except Fault:
            return ""
        self._told.add((folder, door.trace))
        self._asked.append((folder, words, answer))
        return "" if answer.status else answer.text
