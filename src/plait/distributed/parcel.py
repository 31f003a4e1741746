"""What a question needs, in a form that travels: files by content, the names of what else is there, variables.

It is made of what the question has asked of the world so far. Where that was not enough, the trace of the answer says
what is missing, and a larger parcel is made.
"""

from __future__ import annotations

import os
import zlib

from plait.access.environment import variables
from plait.distributed.plain import packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.project import Project

Question = dict[str, object]


class Sealed(bytes):
    """Bytes that do not show in the logs of an engine."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} bytes>"


class Parcel:
    """One repository as far as a question needs it."""

    def __init__(self, project: Project, question: Question) -> None:
        self.root = project.root
        self.question = question
        self.files: dict[str, bytes] = {}
        self.empty: set[str] = set()
        self.folders: set[str] = set()
        self.variables: dict[str, str] = {}
        self.complete = True
        """Whether everything that was asked so far can travel: what is outside the root cannot."""
        self._project = project
        trace = project.trace
        self.add_files(trace.files)
        here = variables()
        self.add_variables({name: here.get(name) for name in trace.variables})
        for folder, entries in trace.folders.items():
            self._add(self.folders, folder)
            for name, is_folder, _ in entries:
                self._add(self.folders if is_folder else self.empty, os.path.join(folder, name))
        for (asked, name), found in trace.looked.items():
            if found is True:
                self._add(self.folders if asked == "folder" else self.empty, name)
        self.empty -= self.folders

    def inside(self, name: str) -> str | None:
        """A path as it is from the root; None for one that is outside."""
        near = os.path.relpath(os.path.abspath(name), self.root)
        return None if near == os.pardir or near.startswith(os.pardir + os.sep) else near

    def _add(self, names: set[str], name: str) -> None:
        if (near := self.inside(name)) is not None:
            names.add(near)

    def add_files(self, names: Iterable[str]) -> None:
        for name in names:
            near = self.inside(name)
            if near is None:
                self.complete = False
            elif near not in self.files:
                self.files[near] = self._project.bytes(name)

    def add_variables(self, variables: dict[str, str | None]) -> None:
        self.variables |= {name: value for name, value in variables.items() if value is not None}

    def sealed(self) -> Sealed:
        """Everything as bytes."""
        content = (
            self.question,
            os.path.relpath(os.getcwd(), self.root),
            self.files,
            sorted(self.empty),
            sorted(self.folders),
            self.variables,
        )
        return Sealed(zlib.compress(packed(content), 1))
