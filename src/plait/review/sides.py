"""The two sides of a change, and the states between them: trees in which targets can be evaluated.

A side is a folder, possibly with changed or missing files, or with files that are not on the disk. The old side, and
every side with some hunks undone, is such a view of the new side: nothing is copied. A side is a private copy if the
change turns files into links or folders, or links or folders into files, if a file that comes or goes determines where
a project is, or if commands may run, because commands see the disk and not a view.
"""

from __future__ import annotations

import os

from plait.access.git import git_root
from plait.access.links import Link, TreeLinks, standing
from plait.access.objects import CHANGED_FILES, ChangedFile, blobs, changed_files, unwatched
from plait.core.struct import struct
from plait.fronts.catalog import is_root, marks
from plait.fronts.front import way_to
from plait.report.catalog import NO_BASE_REVISION, NO_FILE
from plait.review.hunks import FileChange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.access.checkout import WorkingCopy
    from plait.access.door import Door
    from plait.core.diagnostic import PlaitError
    from plait.fronts.project import Project
    from plait.review.hunks import Hunk

MAIN = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Where the main branch may be found."""
LIMIT = 64_000_000


@struct
class Side:
    """A tree: a folder, and files in it that look different or, with None, are not there, by their real paths."""

    folder: str
    altered: dict[str, bytes | None] | None = None


class TreeChange:
    """Two trees and the files that differ between them. `within` is the folder of the review inside each tree."""

    def __init__(
        self,
        door: Door,
        after: str,
        files: list[FileChange],
        within: str,
        label: str,
        *,
        before: str = "",
        apart: bool = False,
    ) -> None:
        """`before` is the folder of the old side; without it, the old side is a view of the new one."""
        self.door = door
        self.is_apart = apart
        """Whether each side is a folder that the user named: nothing above it counts."""
        self.after = Side(after)
        self.files = [file for file in files if file.before != file.after]
        for file in self.files:
            if door.is_uncommitted(os.path.join(after, file.name)):
                file.withhold()
        self.hunks: list[Hunk] = [hunk for file in self.files for hunk in file.hunks]
        self.within = within
        self.label = label
        """The name of the base in reports."""
        self.notes: list[str] = []
        """Notes for the user on how the sides were chosen."""
        links = any(hunk.is_link for hunk in self.hunks)
        moved = [file for file in files if file.before is None or file.after is None]
        self.keeps = not links and all(file.after is not None and not _is_mark(file.name) for file in moved)
        """Whether the new side has all files of the old one, and no target is there because of an added file."""
        self._has_views = self.keeps or not (links or before or any(is_root(file.name) for file in moved))
        names = {file.name for file in files}
        self._is_entangled = any(name in names for file in files for name in list(way_to(file.name))[1:])
        """Whether one of the files is where a folder of others was, or becomes one: undoing one may need the other."""
        self.before = Side(before) if before else self._view(frozenset(self.hunks))
        self._copies: list[WorkingCopy] = []
        self._partly: WorkingCopy | None = None
        self._reverted: frozenset[Hunk] = frozenset()
        for side in (self.before, self.after):
            door.add_root(side.folder)

    def keep(self, *copies: WorkingCopy) -> TreeChange:
        """Remove these copies with the change."""
        self._copies += copies
        return self

    def withheld(self) -> list[str]:
        """The files that were masked so far because the commit does not have them, from the root of the tree."""
        root = self.after.folder
        return sorted(os.path.relpath(real, root) for real in self.door.guard.committed.masked)

    @property
    def views(self) -> bool:
        """Whether the new side with some hunks undone is a view of it; else it is a copy."""
        return self._has_views and "exec" not in self.door.guard.allowed

    def partly(self, reverted: frozenset[Hunk]) -> Side:
        """The new side with some hunks undone. It is valid until the next call."""
        if self.views:
            return self._view(reverted)
        if self._partly is None:
            from plait.access.checkout import copy_of

            self._partly = copy_of(self.after.folder, self.door.below(self.after.folder), self.door)
            self._copies.append(self._partly)
            self.door.guard.committed.stand_for(self._partly.folder, self.after.folder)
        differing = reverted ^ self._reverted
        files = [file for file in self.files if self._is_entangled or not differing.isdisjoint(file.hunks)]
        if self._is_entangled:  # what is undone is put first: the rest is there as far as it can be beside that
            for file in reversed(files):
                self._partly.put(file.name, None)
            files.sort(key=lambda file: reverted.isdisjoint(file.hunks))
        for file in files:
            self._partly.put(file.name, file.without(reverted))
        self._reverted = reverted
        return Side(self._partly.folder)

    def _view(self, reverted: frozenset[Hunk]) -> Side:
        altered: dict[str, bytes | None] = {}
        for file in self.files:
            if not reverted.isdisjoint(file.hunks):
                text = file.without(reverted)
                assert not isinstance(text, Link)  # a change of links is no view
                place = os.path.realpath(os.path.join(self.after.folder, file.name))
                altered[place] = None if text is None else text.encode("utf-8", "surrogateescape")
        return Side(self.after.folder, altered)

    @property
    def is_copied(self) -> bool:
        """Whether a side is a copy, which is gone after the review."""
        return bool(self._copies)

    def close(self) -> None:
        for copy in self._copies:
            copy.close()


def chosen(project: Project, base: str | None, other: str | None) -> TreeChange:
    """The change that the user means: two folders, `A..B`, or the working tree against a revision."""
    if base is not None and other is not None:
        for name in (base, other):
            hint = "plait review OLD-FOLDER NEW-FOLDER, or plait review A..B for two revisions"
            if not project.door.exists(project.admit(name)):
                raise NO_FILE.error(name=name, hint=hint)
            if not project.door.is_folder(name):
                raise NO_BASE_REVISION.error(name=name, why="it is not a folder", hint=hint)
        return between_folders(project.door, base, other)
    root = git_root(project.root)
    if not root:
        hint = "name two folders: plait review OLD NEW"
        raise NO_BASE_REVISION.error(name=base or "the main branch", why="this is not a git repository", hint=hint)
    within = os.path.relpath(project.folder, root)
    before, dots, after = (base or default_base(project.door, root)).partition("..")
    if dots and not before:
        before = "HEAD"
    return between_revisions(
        project.door,
        root,
        "" if within == "." else within,
        before,
        after.lstrip(".") or "HEAD" if dots else "",
        after.startswith("."),
    )


def between_folders(door: Door, before: str, after: str) -> TreeChange:
    """The differences between two folders."""
    sides = [os.path.realpath(side) for side in (before, after)]
    for side in sides:
        door.add_root(side)
    names: set[str] = set()
    for side in sides:
        links = TreeLinks(side)
        names.update(links.on_way(name) or name for name in door.below(side))
        door.guard.committed.count_whole(side)
    return TreeChange(door, sides[1], _between(door, sorted(names), *sides), "", before, before=sides[0], apart=True)


def between_revisions(
    door: Door, root: str, within: str, before: str, after: str = "", since_fork: bool = False
) -> TreeChange:
    """The differences between two revisions, or between a revision and the working tree.

    `since_fork`: from the commit where their histories separate.
    """
    old = resolved(door, root, before)
    label = before
    if not after:
        return _with_working_tree(door, root, within, old, label)
    new = resolved(door, root, after)
    if since_fork:
        old = fork(door, root, before, after)
    head = _checkout(root, new)
    door.add_root(head.folder)
    door.guard.committed.count_whole(head.folder)
    rows = _changed(door, root, old, new)
    return _with_rows(door, root, head.folder, within, old, label, rows).keep(head)


def _with_working_tree(door: Door, root: str, within: str, old: str, label: str) -> TreeChange:
    untracked = _listed(door, root, "HEAD", "ls-files", "--others", "--exclude-standard", "-z", "--")
    rows = [*_changed(door, root, old), *(_untracked(door, root, name) for name in untracked)]
    change = _with_rows(door, root, root, within, old, label, rows)
    head = old if label == "HEAD" else resolved(door, root, "HEAD")
    if old != head:
        dirty = {*untracked, *(row.name for row in _changed(door, root, "HEAD"))}
        count = len([file for file in change.files if file.name in dirty])
    else:
        count = len(change.files)
    if count:
        what = "1 file with uncommitted changes is" if count == 1 else f"{count} files with uncommitted changes are"
        other = f"; `{label}..HEAD` leaves them out" if old != head else ""
        change.notes.append(f"{what} part of this review{other}")
    return change


def _untracked(door: Door, root: str, name: str) -> ChangedFile:
    place = os.path.join(root, name)
    if door.trace is not None:
        door.trace.stamp(place)
    return ChangedFile(name, added=os.path.isfile(place) and not os.path.islink(place))


def _is_mark(name: str) -> bool:
    """Whether targets may be there because of a file."""
    return os.path.basename(name) in marks()


def _changed(door: Door, root: str, *revisions: str) -> list[ChangedFile]:
    """The files that differ between two revisions, or between one and the working tree."""
    rows = changed_files(_listed(door, root, revisions[-1], *CHANGED_FILES, *revisions, "--"))
    return rows if len(revisions) > 1 else [*rows, *unwatched(door, root, revisions[0])]


def _with_rows(
    door: Door, root: str, after: str, within: str, old: str, label: str, rows: list[ChangedFile]
) -> TreeChange:
    kept = all(row.ordinary or ((row.added or row.gone) and not is_root(row.name)) for row in rows)
    if kept and "exec" not in door.guard.allowed:
        old_texts = {"": None, **_decoded_blobs(door, root, [row.old for row in rows if row.old])}
        files = [FileChange(row.name, old_texts[row.old], _text(door, os.path.join(after, row.name))) for row in rows]
        pairs = zip(rows, files, strict=True)
        if all(file.after is not None or (row.gone and _is_free(after, file.name)) for row, file in pairs):
            return TreeChange(door, after, files, within, label)
    base = _checkout(root, old)
    door.add_root(base.folder)
    door.guard.committed.count_whole(base.folder)
    names = sorted({row.name for row in rows})
    files = _between(door, names, base.folder, after)
    return TreeChange(door, after, files, within, label, before=base.folder).keep(base)


def _is_free(root: str, name: str) -> bool:
    """Whether a file that is gone could be there again: nothing else is at its place, nor where one of its folders
    was."""
    place = os.path.join(os.path.realpath(root), name)
    above = standing(os.path.dirname(place))
    return not os.path.lexists(place) and os.path.isdir(above) and os.path.realpath(above) == above


def _checkout(root: str, revision: str) -> WorkingCopy:
    from plait.access.checkout import checkout  # most reviews copy nothing

    return checkout(root, revision)


def _between(door: Door, names: list[str], before: str, after: str) -> list[FileChange]:
    texts = zip(names, *(_texts(door, side, names) for side in (before, after)), strict=True)
    return [FileChange(name, old, new) for name, old, new in texts if old != new]


def _texts(door: Door, side: str, names: list[str]) -> Iterator[str | Link | None]:
    """What is at each of some names of a tree: the text of a file, a link, or nothing."""
    links = TreeLinks(side)
    for name in names:
        way = links.on_way(name)
        if not way:
            yield _text(door, os.path.join(side, name))
        else:
            yield links.link(name) if way == name else None


def _decoded_blobs(door: Door, root: str, names: list[str]) -> dict[str, str | None]:
    return {name: _decoded(data) for name, data in blobs(door, root, names).items()}


def _text(door: Door, place: str) -> str | None:
    if not door.is_file(place):
        return None
    return _decoded(door.read(place, LIMIT))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _listed(door: Door, root: str, revision: str, *words: str) -> list[str]:
    """The names that git lists. `revision` is what an error is about."""
    answer = door.git_facts(*words, folder=root)
    if answer.status:
        raise NO_BASE_REVISION.error(name=revision, why=answer.why)
    return [name for name in answer.text.split("\0") if name]


def default_base(door: Door, root: str) -> str:
    """The commit where this branch left the main branch."""
    known = [
        name
        for name in MAIN
        if not door.git_facts("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", folder=root).status
    ]
    if not known:
        raise NO_BASE_REVISION.error(
            name="the main branch",
            why=f"none of {', '.join(MAIN)} exists",
            hint="name the revision: plait review REVISION",
        )
    return fork(door, root, known[0], "HEAD")


def fork(door: Door, root: str, one: str, other: str) -> str:
    """The commit where two branches separate."""
    answer = door.git_facts("merge-base", one, other, folder=root)
    if answer.status:
        raise _unreachable(door, root, one, f"it has no commit in common with {other}")
    return answer.text.strip()


def resolved(door: Door, root: str, name: str) -> str:
    """The commit that a name means."""
    answer = door.git_facts("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", folder=root)
    if answer.status or name.startswith("-"):
        raise _unreachable(door, root, name, "git does not know this revision")
    return answer.text.strip()


def _unreachable(door: Door, root: str, name: str, why: str) -> PlaitError:
    shallow = door.git_facts("rev-parse", "--is-shallow-repository", folder=root).text.strip() == "true"
    hint = "this is a shallow clone; fetch its history: git fetch --unshallow" if shallow else "see `git log --oneline`"
    return NO_BASE_REVISION.error(name=name, why=why, hint=hint)
