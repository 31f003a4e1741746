"""Private copies of a source tree, for evaluating another revision or a partly undone change.

A copy of a git repository points to the repository's own history, so that questions about git have the same answers
there, and to the files that git ignores.
"""

from __future__ import annotations

import os
import shutil
import tempfile

from plait.access.copies import private_folder, write_private
from plait.access.git import git
from plait.access.objects import LIMIT, SIZES, too_much
from plait.report.catalog import NO_BASE_REVISION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.access.door import Door


class WorkingCopy:
    """A folder of our own with a copy of a tree."""

    def __init__(self) -> None:
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="plait-"))
        self.folder = os.path.join(self.base, "tree")

    def put(self, name: str, text: str | None) -> None:
        """Give a file another text; None removes it."""
        place = os.path.join(self.folder, name)
        if not _is_within(self.folder, place):
            return
        if os.path.lexists(place):
            os.unlink(place)
        if text is not None:
            private_folder(os.path.dirname(place))
            write_private(place, text.encode("utf-8", "surrogateescape"))

    def close(self) -> None:
        shutil.rmtree(self.base, ignore_errors=True)


def checkout(root: str, revision: str) -> WorkingCopy:
    """The files of a revision. The repository's own index stays as it is."""
    listed = git((*SIZES, revision), root)
    why = listed.why if listed.status else too_much(listed.output)
    if why:
        raise NO_BASE_REVISION.error(name=revision, why=why)
    copy = WorkingCopy()
    private_folder(copy.folder)
    index = {"GIT_INDEX_FILE": os.path.join(copy.base, "index")}
    for words in (("read-tree", revision), ("checkout-index", "--all", "--quiet", f"--prefix={copy.folder}/")):
        answer = git(words, root, index)
        if answer.status:
            copy.close()
            raise NO_BASE_REVISION.error(name=revision, why=answer.why)
    _complete(root, copy.folder)
    return copy


def copy_of(root: str, names: Iterable[str], door: Door) -> WorkingCopy:
    """A copy of some files of a tree."""
    copy = WorkingCopy()
    private_folder(copy.folder)
    for name in names:
        place = os.path.join(root, name)
        if door.is_file(place):
            copy.put(name, door.read(place, LIMIT).decode("utf-8", "surrogateescape"))
    _complete(root, copy.folder)
    return copy


def _is_within(folder: str, place: str) -> bool:
    """Whether nothing above a name leads out of a copy: a revision may hold links to anywhere."""
    return os.path.join(os.path.realpath(os.path.dirname(place)), "").startswith(os.path.join(folder, ""))


def _complete(root: str, folder: str) -> None:
    """Make git and ignored files work in a copy as in the original tree."""
    answer = git(("rev-parse", "--absolute-git-dir"), root) if os.path.lexists(os.path.join(root, ".git")) else None
    if answer is None or answer.status:
        return
    write_private(os.path.join(folder, ".git"), f"gitdir: {answer.text.strip()}\n".encode())
    listed = git(("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"), root)
    for name in filter(None, listed.text.split("\0")):
        place = os.path.join(folder, name.rstrip("/"))
        if not os.path.lexists(place) and _is_within(folder, place):
            private_folder(os.path.dirname(place))
            os.symlink(os.path.join(root, name.rstrip("/")), place)
