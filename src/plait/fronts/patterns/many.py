"""Many instances of patterns, generated again in one run: all that a folder, and the folders below it, have records of.

Instances in different folders do not depend on each other, so several processes may plan them. Those that share a
folder are planned and written one after the other. Only the process that was started writes.
"""

from __future__ import annotations

import os

from plait.access.workers import forked
from plait.core.packing import packed, unpacked
from plait.core.plain import from_plain
from plait.core.struct import struct
from plait.fronts.patterns.create import Creation, Request
from plait.fronts.patterns.disk import Folder
from plait.fronts.patterns.pattern import Library
from plait.fronts.patterns.record import NAME
from plait.report.catalog import NO_INSTANCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from plait.core.node import Node
    from plait.fronts.patterns.flags import CreateFlags
    from plait.fronts.project import Project

PAYS = 12
"""With fewer instances than this, workers cost about as much as they save: see docs/large.md."""


@struct
class InstancePlace:
    """A recorded instance: the folder that it was generated into, its name in the record, and its pattern."""

    folder: str
    key: str
    pattern: str

    @property
    def title(self) -> str:
        return f"{self.key} in {self.folder}"


class PlannedAgain:
    """An instance that is planned and not written yet, as plain data: it may come from another process."""

    __slots__ = (
        "_data",
        "_files",
        "_seen",
        "counts",
        "difference",
        "end_status",
        "losses",
        "place",
        "refusal",
        "report",
        "status",
        "summary",
    )

    def __init__(self, place: InstancePlace, *plain: Any) -> None:
        self.place = place
        (
            self.status,
            self.end_status,
            self.refusal,
            self.summary,
            self.counts,
            self.report,
            self.difference,
            self.losses,
            self._data,
            self._files,
            self._seen,
        ) = plain

    @property
    def data(self) -> Node | None:
        """The report for programs."""
        return unpacked(self._data)

    def write(self, project: Project) -> list[str]:
        """Write all of it, or nothing; the names of the files that changed."""
        return project.writer(self.place.folder).write(self._files, self._seen)


class ManyAgain:
    """All instances that are to be generated again, in rounds: those of a round are in different folders."""

    def __init__(
        self, project: Project, output: str, pattern: str, flags: CreateFlags, folders: Iterable[str], blame: bool
    ) -> None:
        self.project = project
        self.flags = flags
        self.library = Library(project, folders)
        self.blame = blame
        self.rounds = list(self._rounds(project.admit(output), pattern))
        if not self.rounds:
            hint = "`plait create PATTERN` generates a first instance"
            raise NO_INSTANCE.error(name=pattern or "any pattern", folder=output, hint=hint)

    def _rounds(self, output: str, pattern: str) -> Iterator[list[InstancePlace]]:
        below = sorted(name for name in self.project.door.below(output) if os.path.basename(name) == NAME)
        folders = [os.path.normpath(os.path.join(output, os.path.dirname(name))) for name in below]
        places = [self._places(folder, pattern) for folder in folders]
        for number in range(max(map(len, places), default=0)):
            yield [some[number] for some in places if len(some) > number]

    def _places(self, folder: str, pattern: str) -> list[InstancePlace]:
        records = Folder(self.project, folder, only=()).ledger.records
        return [
            InstancePlace(folder, key, record.pattern)
            for key, record in records.items()
            if pattern in ("", record.pattern)
        ]

    def planned(self, places: list[InstancePlace]) -> Iterator[PlannedAgain]:
        """The instances of a round, planned, in order; PlaitError where one cannot be."""
        guard = self.project.guard
        for place, done in zip(places, forked(self._plain, places, self.project.jobs, guard, PAYS), strict=True):
            yield PlannedAgain(place, *(self._plain(place) if done is None else done))

    def _plain(self, place: InstancePlace) -> tuple[object, ...]:
        request = Request(self.library.find(place.pattern), self.flags, place.folder)
        request.instance = place.key
        made = Creation(self.project, request)
        status = made.status
        return (
            status,
            made.end_status,
            made.refusal if status else "",
            made.summary,
            made.counts,
            made.report(self.blame),
            made.difference() if self.flags.dry_run else "",
            made.losses() if made.lost else [],
            packed(from_plain(made.data())),
            made.folder.files(made.texts()),
            made.folder.seen,
        )
