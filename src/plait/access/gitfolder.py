"""Where a repository keeps its history.

A repository may come from an archive with a crafted git folder, and any folder of a clone may itself be a repository,
whose objects could belong to a private repository nearby. So git is run only if everything that it would read is inside
the tree, or in a folder that points back to the tree, as those of worktrees and submodules do.
"""

from __future__ import annotations

import os

from plait.access.raw import READ, read_all
from plait.core.struct import struct
from plait.report.catalog import UNREADABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Links = Callable[[str], Iterator[str]]
    """Gives the links below a folder: see `access/gitlinks.py`."""

MOST = 65_536
"""How much of a small file of git's is read. A larger one is refused: git would read the rest."""
FOLDERS = 100
"""How many folders of objects may borrow from each other."""
READ_BY_GIT = (
    "HEAD", "commondir", "config", "config.worktree", "index", "info", "objects", "packed-refs", "refs", "reftable",
    "shallow",
)  # fmt: skip
"""Files that every git command reads in its folder. Error messages of git may show lines of them."""
WALKED = ("refs", "reftable", "logs", "info")
"""Folders in which git reads files by names that a revision gives, or that other files of it give."""
INFO = ("attributes", "exclude", "grafts", "sparse-checkout")
GITFILE = "gitdir: "


@struct
class GitFolder:
    """The folders of a repository."""

    root: str
    """The work tree; of a repository without one, the repository itself."""
    mark: str
    """What is found as the repository: `.git` in the work tree."""
    folder: str
    """The real git folder: `.git`, or what that leads to."""
    common: str
    """The folder with branches and objects: of a worktree, that of its main repository."""

    @classmethod
    def at(cls, root: str, mark: str) -> GitFolder:
        """The repository that `mark` leads to, as git would find it."""
        pointer = _small(mark).partition(GITFILE)[2].rstrip("\r\n") if os.path.isfile(mark) else ""
        folder = os.path.realpath(os.path.join(root, pointer) if pointer else mark)
        shared = _small(os.path.join(folder, "commondir")).rstrip("\r\n")
        return cls(root, mark, folder, os.path.realpath(os.path.join(folder, shared)) if shared else folder)

    @classmethod
    def of_tree(cls, root: str) -> GitFolder:
        """The repository of a work tree."""
        return cls.at(root, os.path.join(root, ".git"))

    def elsewhere(self, inside: Callable[[str], bool], links: Links) -> str:
        """Something outside that git would read; empty where there is nothing.

        `inside` knows the folders that may be read anyway.
        """
        own = (self.root, *self.own())
        for place in self._read_by_git(links):
            real = os.path.realpath(place)
            if os.path.exists(real) and not (os.path.isfile(real) or os.path.isdir(real)):
                raise UNREADABLE.error(name=place, why="it is not a regular file", hint="git would wait for it")
            if not (any(_is_below(real, folder) for folder in own) or inside(real)):
                return real
        return ""

    def own(self) -> Iterator[str]:
        """The git folder where it says that it belongs to the tree; for a worktree, that of its main repository too."""
        if _points_back(self.folder, self.mark):
            yield self.folder
            above, name = os.path.split(os.path.dirname(self.folder))
            if name == "worktrees":
                yield above

    def _read_by_git(self, links: Links) -> Iterator[str]:
        folders = dict.fromkeys((self.folder, self.common))
        yield from folders
        for folder in folders:
            yield from (os.path.join(folder, name) for name in READ_BY_GIT)
            yield from (os.path.join(folder, "info", name) for name in INFO)
            yield from (place for name in WALKED for place in links(os.path.join(folder, name)))
        known = [os.path.join(self.common, "objects")]
        for objects in known:  # grows: objects may be borrowed from folders that borrow, too
            yield from (objects, *links(objects))
            lender = os.path.join(objects, "info", "alternates")
            yield lender
            known += [place for line in _borrowed(lender) if (place := os.path.join(objects, line)) not in known]
            if len(known) > FOLDERS:
                raise UNREADABLE.error(
                    name=lender, why=f"more than {FOLDERS} folders of objects borrow from each other"
                )


def repositories_at(path: str) -> list[GitFolder]:
    """What git may take for the repository when it fetches from a path of this machine."""
    marks = [(root, mark) for root in (path, f"{path}.git") for mark in (os.path.join(root, ".git"), root)]
    return [GitFolder.at(root, mark) for root, mark in marks if os.path.lexists(mark)]


def _borrowed(name: str) -> list[str]:
    """The folders that a file names as lenders of objects; an error where git may read others in it."""
    text = _small(name)
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    if len(text) >= MOST or any(line.startswith('"') for line in lines):
        raise UNREADABLE.error(name=name, why="it is too long, or has names in quotes", hint="it names other histories")
    return lines


def _is_below(place: str, folder: str) -> bool:
    return os.path.join(place, "").startswith(os.path.join(folder, ""))


def _points_back(folder: str, mark: str) -> bool:
    """Whether a git folder elsewhere says that it belongs to a tree."""
    back = _small(os.path.join(folder, "gitdir")).strip()
    if not back:
        tree = _work_tree(_small(os.path.join(folder, "config")))
        back = os.path.join(tree, ".git") if tree else ""
    return bool(back) and os.path.realpath(os.path.join(folder, back)) == mark


def _work_tree(config: str) -> str:
    """The tree that a configuration of git names first; without `re`, which takes longer to load than this takes."""
    lines = (line.partition("=") for line in config.split("\n"))
    return next((value.strip() for name, _, value in lines if name.strip() == "worktree" and value.strip()), "")


def commit_at(root: str) -> str:
    """The commit that a work tree is at, read without git; empty where that cannot be told so."""
    found = GitFolder.of_tree(root)
    head = _small(os.path.join(found.folder, "HEAD")).strip()
    name = head.removeprefix("ref: ")
    commit = _small(os.path.join(found.common, name)).strip() if name != head else head
    return commit if 40 <= len(commit) <= 64 and not commit.strip("0123456789abcdef") else ""


def _small(name: str) -> str:
    """The text of a small file; empty where there is none."""
    if not os.path.isfile(name):  # opening a pipe would wait
        return ""
    try:
        handle = os.open(name, READ)
    except OSError:
        return ""
    try:
        return read_all(handle, MOST).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    finally:
        os.close(handle)
