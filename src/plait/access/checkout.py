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
from plait.access.links import Link, TreeLinks, standing
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

    def put(self, name: str, content: str | Link | None) -> None:
        """Give a file another text, or make it a link; None removes it, with folders that are empty then. What cannot
        be there beside the rest is left out: a file where a folder is, or below a file."""
        place = os.path.join(self.folder, name)
        if not _is_within(place) or (os.path.isdir(place) and not os.path.islink(place)):
            return
        if os.path.lexists(place):
            os.unlink(place)
            self._prune(os.path.dirname(place))
        if content is None or not os.path.isdir(standing(os.path.dirname(place))):
            return
        private_folder(os.path.dirname(place))
        if isinstance(content, Link):
            os.symlink(content.target, place)
        else:
            write_private(place, content.encode("utf-8", "surrogateescape"))

    def _prune(self, folder: str) -> None:
        """Remove a folder that is empty, and those above it that are empty then."""
        while folder != self.folder and not os.listdir(folder):
            os.rmdir(folder)
            folder = os.path.dirname(folder)

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
    """A copy of some files of a tree. Links in it that lead to something in it are links."""
    copy, links = WorkingCopy(), TreeLinks(root)
    private_folder(copy.folder)
    for name in dict.fromkeys(links.on_way(name) or name for name in names):
        place = os.path.join(root, name)
        content: str | Link | None = links.link(name)
        if content is None and door.is_file(place):
            content = door.read(place, LIMIT).decode("utf-8", "surrogateescape")
        if content is not None:
            copy.put(name, content)
    _complete(root, copy.folder)
    return copy


def _is_within(place: str) -> bool:
    """Whether no link is above a name in a copy: a revision may hold links to anywhere."""
    folder = os.path.dirname(place)
    return os.path.realpath(folder) == folder


def _complete(root: str, folder: str) -> None:
    """Make git and ignored files work in a copy as in the original tree."""
    answer = git(("rev-parse", "--absolute-git-dir"), root) if os.path.lexists(os.path.join(root, ".git")) else None
    if answer is None or answer.status:
        return
    write_private(os.path.join(folder, ".git"), f"gitdir: {answer.text.strip()}\n".encode())
    listed = git(("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"), root)
    for name in filter(None, listed.text.split("\0")):
        place = os.path.join(folder, name.rstrip("/"))
        if not os.path.lexists(place) and _is_within(place):
            private_folder(os.path.dirname(place))
            os.symlink(os.path.join(root, name.rstrip("/")), place)
