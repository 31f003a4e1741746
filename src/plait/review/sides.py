"""The two sides of a change, and what lies between them: trees in which targets can be evaluated.

A side is a folder: the working tree itself, a private copy of a revision, or a folder that the user names.
`TreeChange` knows both, the files that differ, and can make a tree in which some hunks of the change are undone.
"""

from __future__ import annotations

import os

from plait.access.checkout import WorkingCopy, checkout, copy_of
from plait.access.git import git_root
from plait.report.catalog import NO_BASE_REVISION
from plait.review.hunks import FileChange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.access.door import Door
    from plait.core.diagnostic import PlaitError
    from plait.fronts.project import Project
    from plait.review.hunks import Hunk

MAIN = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Where the main branch may be found."""
LIMIT = 64_000_000


class TreeChange:
    """Two trees and the files that differ between them. `within` is the project's folder inside each tree."""

    def __init__(
        self, door: Door, before: str, after: str, names: list[str], within: str, label: str, all_names: list[str]
    ) -> None:
        for folder in (before, after):
            door.add_root(folder)
        self.door = door
        self._all_names = all_names
        self.before = before
        self.after = after
        self.within = within
        self.label = label
        """What the user compares with, as reports call it."""
        self.files = [change for name in names if (change := self._change(name)) is not None]
        self.hunks: list[Hunk] = [hunk for file in self.files for hunk in file.hunks]
        self._copies: list[WorkingCopy] = []
        self._partly: WorkingCopy | None = None
        self._reverted: frozenset[Hunk] = frozenset()

    def keep(self, *copies: WorkingCopy) -> TreeChange:
        """Remove these copies with the change."""
        self._copies += copies
        return self

    def _change(self, name: str) -> FileChange | None:
        before, after = (self._text(os.path.join(side, name)) for side in (self.before, self.after))
        return FileChange(name, before, after) if before != after else None

    def _text(self, place: str) -> str | None:
        if not self.door.is_file(place):
            return None
        return self.door.read(place, LIMIT).decode("utf-8", "surrogateescape")

    def partly(self, reverted: frozenset[Hunk]) -> str:
        """A tree like the new side in which some hunks are undone. It is valid until the next one is asked for."""
        if self._partly is None:
            self._partly = copy_of(self.after, self._all_names, self.door)
            self._copies.append(self._partly)
        for file in self.files:
            if any((hunk in reverted) != (hunk in self._reverted) for hunk in file.hunks):
                self._partly.put(file.name, file.text_without(reverted))
        self._reverted = reverted
        return self._partly.folder

    def close(self) -> None:
        for copy in self._copies:
            copy.close()


def chosen(project: Project, base: str | None, other: str | None) -> TreeChange:
    """The change that somebody means: two folders, `A..B`, or the working tree against a revision."""
    if base is not None and other is not None:
        for name in (base, other):
            project.admit(name)
            if not project.is_folder(name):
                raise NO_BASE_REVISION.error(
                    name=name, why="it is not a folder", hint="plait review OLD-FOLDER NEW-FOLDER"
                )
        return between_folders(project.door, base, other)
    root = git_root(project.root)
    if not root:
        hint = "name two folders: plait review OLD NEW"
        raise NO_BASE_REVISION.error(name=base or "the main branch", why="this is not a git repository", hint=hint)
    within = os.path.relpath(project.home or project.folder, root)
    before, dots, after = (base or default_base(project.door, root)).partition("..")
    return between_revisions(
        project.door, root, "" if within == "." else within, before, after.lstrip(".") if dots else ""
    )


def between_folders(door: Door, before: str, after: str) -> TreeChange:
    """What differs between two folders."""
    sides = [list(door.below(side)) for side in (before, after)]
    names = sorted({name for side in sides for name in side if not name.startswith(".git/")})
    return TreeChange(door, os.path.realpath(before), os.path.realpath(after), names, "", before, sides[1])


def between_revisions(door: Door, root: str, within: str, before: str, after: str = "") -> TreeChange:
    """What differs between two revisions, or between a revision and the working tree."""
    base = checkout(root, resolved(door, root, before))
    if after:
        head = checkout(root, resolved(door, root, after))
        door.add_root(head.folder)
        names = _listed(door, root, "diff", "--name-only", "--no-renames", "-z", before, after, "--")
        return TreeChange(door, base.folder, head.folder, names, within, before, list(door.below(head.folder))).keep(
            base, head
        )
    names = _listed(door, root, "diff", "--name-only", "--no-renames", "-z", before, "--")
    names += _listed(door, root, "ls-files", "--others", "--exclude-standard", "-z", "--")
    present = _listed(door, root, "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--")
    return TreeChange(door, base.folder, root, sorted(set(names)), within, before, present).keep(base)


def _listed(door: Door, root: str, *words: str) -> list[str]:
    answer = door.git(*words, folder=root)
    if answer.status:
        raise NO_BASE_REVISION.error(name=words[-2], why=answer.why)
    return [name for name in answer.text.split("\0") if name]


def default_base(door: Door, root: str) -> str:
    """The commit where this branch left the main branch."""
    known = [
        name
        for name in MAIN
        if not door.git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", folder=root).status
    ]
    if not known:
        raise NO_BASE_REVISION.error(
            name="the main branch",
            why=f"none of {', '.join(MAIN)} exists",
            hint="name the revision: plait review REVISION",
        )
    answer = door.git("merge-base", "HEAD", known[0], folder=root)
    if answer.status:
        raise _unreachable(door, root, known[0], "it has no commit in common with HEAD")
    return answer.text.strip()


def resolved(door: Door, root: str, name: str) -> str:
    """The commit that a name means."""
    answer = door.git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", folder=root)
    if answer.status:
        raise _unreachable(door, root, name, "git does not know this revision")
    return answer.text.strip()


def _unreachable(door: Door, root: str, name: str, why: str) -> PlaitError:
    shallow = door.git("rev-parse", "--is-shallow-repository", folder=root).text.strip() == "true"
    hint = "this is a shallow clone; fetch its history: git fetch --unshallow" if shallow else "see `git log --oneline`"
    return NO_BASE_REVISION.error(name=name, why=why, hint=hint)
