"""The findings of an earlier review that are still true, and what this one leaves for the next.

The finding about a target follows from the files that the target reads on both sides, and from the hunks that are in
them. So it is the same where no file that differs from the earlier review, on either side, is one that the target read
then or sees now. Everything else that the earlier run asked must have the same answers; only git may say something else
about the working tree, and files may come or go that the target does not see. What was proved by undoing, what fails
and what holds a secret is found anew.
"""

from __future__ import annotations

import marshal
import os
from contextlib import suppress
from functools import cached_property

from plait.access.links import Link
from plait.access.trace import GIT, LISTING, STAMP, digest_of
from plait.core.node import secrets_in
from plait.fronts.front import TargetInputs
from plait.fronts.project import PRESENCE
from plait.review.causes import BROKEN, FIXED
from plait.review.packing import PackedFindings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any

    from plait.access.trace import Input
    from plait.core.node import Node
    from plait.fronts.front import Target
    from plait.fronts.project import Project
    from plait.review.compared import ComparedTargets
    from plait.review.finding import TargetFinding
    from plait.review.hunks import Hunk
    from plait.review.sides import TreeChange

COMING = (LISTING, *PRESENCE)
"""Kinds of what is answered otherwise where a file comes or goes."""
FINDINGS = "findings"
"""Where they are among what a run leaves."""


class KeptReview:
    """What one review takes from an earlier one of the same question, and leaves for the next."""

    def __init__(self, project: Project, change: TreeChange, asked: Collection[Input]) -> None:
        """`project` is one of a run that keeps answers; `asked` is what was read to find out what the change is."""
        assert project.notes is not None
        self._project = project
        self._notes = project.notes
        self._change = change
        self._choosing = frozenset(one for one in asked if one is not None and one[0] in (GIT, STAMP))
        self._files = {file.name: (_digest(file.before), _digest(file.after)) for file in change.files}
        self._data: dict[str, Any] = {}
        self._differing: set[str] = set()
        """The files that differ from the earlier review, on either side."""
        self._moved: set[str] = set()
        """Those of them that came or went."""
        self.base: frozenset[str] | None = None
        """The addresses of the targets of the old side, where that is the one of the earlier review."""
        self._asked: set[tuple[str, str]] = set()
        """What the earlier review asked about names for its findings."""
        self._read: dict[str, frozenset[str]] = {}
        """The files that were read for the findings that were taken."""
        self._take()

    def _take(self) -> None:
        """Take what an earlier review left, unless more changed than texts of the tree."""
        earlier = self._notes.earlier
        data = earlier.more.get(FINDINGS) if earlier is not None else None
        if earlier is None or data is None:
            return
        others = earlier.others - data["choosing"]
        if any(one is None or one[0] not in COMING for one in others):
            return
        places = [path for one, paths in earlier.trace.differing() if one in others for path in paths] if others else []
        known: dict[str, tuple[bytes | None, bytes | None]] = data["files"]
        files, trace = self._files, self._project.trace
        other = {name for name in {**known, **files} if known.get(name) != files.get(name)}
        self._moved = {name for path in places for name in self._names(path)}
        self._moved |= {name for name in other if _missing(known.get(name, ())) != _missing(files.get(name, ()))}
        self._differing = {*other, *self._moved}.union(*(self._names(path) for path in earlier.changed))
        is_apart = any(map(os.path.isdir, places)) or (self._moved and not self._change.keeps)
        if is_apart or any(name.startswith(os.pardir) for name in self._differing):
            return
        read, root = earlier.trace.files, self._change.after.folder
        was = {name: file.digest for name in self._differing if (file := read.get(os.path.join(root, name)))}
        was |= {name: before for name, (before, _) in known.items() if before is not None}
        if all(name in files and files[name][0] == was.get(name) for name in self._differing):
            self.base = frozenset(data["base"])
        self._data = data
        lasting = earlier.lasting(data["choosing"] | others)
        self._asked = {*lasting.looked}
        trace.add(lasting)
        trace.share(lasting)

    def _names(self, path: str) -> set[str]:
        """A file as targets name it, by its name and by where it really is."""
        return {os.path.relpath(one, self._change.after.folder) for one in (path, os.path.realpath(path))}

    def recall(self, *sides: ComparedTargets) -> None:
        """Tell the targets what they read in the earlier review, where that is the same."""
        for side, known in zip(sides, self._reads, strict=False):
            for target in side.targets:
                if _declared(target) in known:
                    target.recall(known[_declared(target)])

    @cached_property
    def _reads(self) -> list[dict[tuple[str, ...], TargetInputs]]:
        """What targets read in the earlier review, after and before the change, where that is the same."""
        sides = self._data.get("reads", ({}, {})) if not self._moved else ({}, {})
        named = ({key: TargetInputs(*map(self._named, both)) for key, both in side.items()} for side in sides)
        return [{key: one for key, one in side.items() if self._differing.isdisjoint(one.files)} for side in named]

    def _named(self, files: Iterable[int]) -> frozenset[str]:
        names: list[str] = self._data["names"]
        return frozenset([names[number] for number in files])

    def find(self, names: Iterable[str], *sides: ComparedTargets) -> dict[str, TargetFinding]:
        """The findings about some targets of these sides that are still true. Of a line that changes nothing it is
        asked what became of it, of whoever sees it: there is no finding that says that."""
        found = {name: one for name in names if (one := self._finding(name, _there(name, sides))) is not None}
        causes = {hunk for one in found.values() for effect in one.effects for hunk in effect.cause.hunks}
        idle = {hunk for hunk in self._change.hunks if hunk not in causes and not hunk.is_blank}
        found = {name: one for name, one in found.items() if idle.isdisjoint(one.seen)}
        self._notes.reused, self._notes.reused_of = len(found), "target"
        return found

    def _finding(self, name: str, there: list[Target]) -> TargetFinding | None:
        read, row = self._rows.get((name, _declared(there[0])), ((), None))
        if row is None or any(one.sees(file, file in self._moved) for one in there for file in self._differing):
            return None
        self._read[name] = self._named(read)
        return self._packing.unpack(row)

    @cached_property
    def _rows(self) -> dict[tuple[object, ...], Any]:
        """What the earlier review left about each target that read nothing which differs."""
        numbers = {number for number, name in enumerate(self._data.get("names", ())) if name in self._differing}
        found = marshal.loads(self._data[FINDINGS]) if self._data else {}
        return {key: kept for key, kept in found.items() if numbers.isdisjoint(kept[0])}

    @cached_property
    def _packing(self) -> PackedFindings:
        """The hunks that are the same as in the earlier review, by their numbers there."""
        now = dict(zip(_places(self._change.hunks), self._change.hunks, strict=True))
        return PackedFindings([now.get(place) for place in self._data["hunks"]])  # type: ignore[misc]

    def leave(self, findings: list[TargetFinding], *sides: ComparedTargets) -> None:
        """Store what was found."""
        if self._change.is_copied or not self._change.keeps:
            return
        after, before = (side.targets for side in sides)
        packing, numbers = PackedFindings(self._change.hunks), dict[str, int]()

        def numbered(files: Iterable[str]) -> tuple[int, ...]:
            return tuple([numbers.setdefault(file, len(numbers)) for file in files])

        rows = {}
        for one in filter(lasts, findings):
            there = _there(one.name, sides)
            read = self._read.get(one.name) or frozenset().union(*(target.read for target in there))
            if one.name in self._read or not any(target.sees("", False) for target in there):  # any file
                rows[one.name, _declared(there[0])] = (numbered(read), packing.pack(one))
        reads = [dict(known) for known in self._reads]
        for side, known in zip(sides, reads, strict=True):
            known |= {_declared(one): one.recorded for one in side.targets if one.recorded and not one.is_broken}
        compared = {one.name for one in findings}
        alike = [after[name] for name in after.names() if name not in compared]
        traces = [side.project.trace for side in sides]
        asked = self._asked.union(
            *(one.looked for one in traces), ((STAMP, name) for one in traces for name in one.stamped)
        )
        with suppress(ValueError):  # a value that cannot be written
            self._notes.left[FINDINGS] = {
                FINDINGS: marshal.dumps(rows),
                "reads": [
                    {key: (numbered(one.files), numbered(one.places)) for key, one in known.items()} for known in reads
                ],
                "names": list(numbers),
                "files": self._files,
                "hunks": _places(self._change.hunks),
                "choosing": self._choosing - asked,
                "base": sorted(self.base or {one.declaration.address for one in (*before, *alike)}),
            }


def _there(name: str, sides: Iterable[ComparedTargets]) -> list[Target]:
    """A target on the sides that have it."""
    return [target for side in sides if (target := side.targets.get(name)) is not None]


def _declared(target: Target) -> tuple[str, ...]:
    """What tells a target and its declaration."""
    declared = target.declaration
    return (declared.address, declared.folder, *declared.files)


def lasts(finding: TargetFinding) -> bool:
    """Whether a finding follows from what its target reads, and may be stored."""
    if finding.proofs or any(finding.failed) or finding.not_compared or finding.incomplete or not finding.seen:
        return False
    clean: dict[int, Node] = {}
    for effect in finding.effects:
        sides = [side for side in (effect.before, effect.after) if side is not None]
        if effect.kind in (BROKEN, FIXED) or any(secrets_in(side, clean) for side in sides):
            return False
    return True


def _places(hunks: Iterable[Hunk]) -> list[tuple[str, int, int]]:
    """What tells a hunk of a file that is the same."""
    return [(hunk.file, hunk.old_line, hunk.new_line) for hunk in hunks]


def _missing(sides: tuple[bytes | None, ...]) -> list[int]:
    """The sides on which a file that differs is not there."""
    return [number for number, digest in enumerate(sides) if digest is None]


def _digest(side: str | Link | None) -> bytes | None:
    """Return a digest of one side of a changed file: of a text, or of a link and where it leads; None for neither."""
    if side is None:
        return None
    text, mark = (side.target, b"link\0") if isinstance(side, Link) else (side, b"")
    return digest_of(mark + text.encode("utf-8", "surrogateescape"))
