"""Private copies of a source tree, in which a question can be asked about another revision or about a change partly
undone.

A copy of a git repository points to the repository's own history, so that questions about git have the same answers
there.
"""

from __future__ import annotations

import os
import shutil
import tempfile

from plait.access.archives import unpack
from plait.access.copies import private_folder, write_private
from plait.access.door import Door
from plait.access.git import git
from plait.report.catalog import NO_BASE_REVISION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LIMIT = 1_000_000_000


class WorkingCopy:
    """A folder of our own with a copy of a tree."""

    def __init__(self) -> None:
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="plait-"))
        self.folder = os.path.join(self.base, "tree")

    def put(self, name: str, text: str | None) -> None:
        """Give a file another text; None removes it."""
        place = os.path.join(self.folder, name)
        if os.path.lexists(place):
            os.unlink(place)
        if text is not None:
            private_folder(os.path.dirname(place))
            write_private(place, text.encode("utf-8", "surrogateescape"))

    def close(self) -> None:
        shutil.rmtree(self.base, ignore_errors=True)


def checkout(root: str, revision: str) -> WorkingCopy:
    """The files of a revision."""
    copy = WorkingCopy()
    answer = git(("archive", "--format=tar", revision), root)
    if answer.status:
        copy.close()
        raise NO_BASE_REVISION.error(name=revision, why=answer.why)
    archive = os.path.join(copy.base, "tree.tar")
    write_private(archive, answer.output)
    unpack(archive, "tar", copy.folder, f"the revision {revision}", LIMIT)
    point_to_history(root, copy.folder)
    return copy


def copy_of(root: str, names: Iterable[str], door: Door) -> WorkingCopy:
    """A copy of some files of a tree."""
    copy = WorkingCopy()
    private_folder(copy.folder)
    for name in names:
        place = os.path.join(root, name)
        if door.is_file(place):
            copy.put(name, door.read(place, LIMIT).decode("utf-8", "surrogateescape"))
    point_to_history(root, copy.folder)
    return copy


def point_to_history(root: str, folder: str) -> None:
    answer = git(("rev-parse", "--absolute-git-dir"), root) if os.path.exists(os.path.join(root, ".git")) else None
    if answer is not None and not answer.status:
        write_private(os.path.join(folder, ".git"), f"gitdir: {answer.text.strip()}\n".encode())
