"""What belongs to git: nothing in a git folder is data of a project.

A git folder is `.git`, what a `.git` file points to, and a bare repository under any name, which has `HEAD`, `objects`
and `refs`. Names are compared as real paths, and folders by device and inode too, so that links and the letter case of
a name make no difference. Only what is below the project counts: a work tree may itself be inside of a bare repository.
"""

from __future__ import annotations

import os
import stat

from plait.access.gitfolder import GitFolder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.access.trace import RealPaths

    Identity = tuple[int, int]
    """Device and inode of a file or folder."""

GIT = ".git"
HEAD, BARE_FOLDERS = "HEAD", ("objects", "refs")
"""What is in a folder that git takes for a repository: a name, which may be a link to a branch, and folders."""


class GitData:
    """Tells which real paths are git folders, or in one, at one moment."""

    def __init__(self, project: str, paths: RealPaths) -> None:
        """`project` is the real path of the folder below which git folders count; empty where there is none: then a
        work tree is a project of its own."""
        self.paths = paths
        """The moment: `Door.paths`."""
        self._project = project
        self._known: dict[str, bool] = {}
        self._identities: set[Identity] = set()
        """The folders and files that a `.git` leads to."""
        self._linked: set[Identity] | None = None
        self._meet(project or os.sep)

    def holds(self, real: str) -> bool:
        """Whether a real path, which may lead to nothing, is that of a git folder or of something in one."""
        below = []
        at = real
        while at not in self._known and os.path.dirname(at) != at and at != self._project:
            below.append(at)
            at = os.path.dirname(at)
        is_held = self._known.get(at, False)
        for path in reversed(below):
            self._known[path] = is_held = self._is_git(path, is_held)
        return is_held

    def _is_git(self, path: str, is_above: bool) -> bool:
        """Whether a path belongs to git; `is_above`: whether the folder that it is in does."""
        if os.path.basename(path).casefold() == GIT:
            return True
        if is_above and (self._is_below_project(path) or not os.path.lexists(os.path.join(path, GIT))):
            return True
        try:
            info = os.stat(path)
        except (OSError, ValueError):
            return False
        if _identity(info) in self._identities:
            return True
        if not stat.S_ISDIR(info.st_mode):
            return False
        self._meet(path)
        return _is_bare(path)

    def _is_below_project(self, path: str) -> bool:
        return bool(self._project) and path.startswith(os.path.join(self._project, ""))

    def _meet(self, folder: str) -> None:
        """Remember what the `.git` of a folder leads to, where it has one."""
        mark = os.path.join(folder, GIT)
        info = _info(mark)
        if info is None:
            return
        self._identities.add(_identity(info))
        target = _info(GitFolder.of_tree(folder).folder) if stat.S_ISREG(info.st_mode) else None
        if target is not None and stat.S_ISDIR(target.st_mode):
            self._identities.add(_identity(target))

    def has_link(self, info: os.stat_result) -> bool:
        """Whether a file has another name in the git folder of the project."""
        if info.st_nlink < 2 or not self._project:
            return False
        if self._linked is None:
            found = GitFolder.of_tree(self._project)
            self._linked = set().union(*map(_linked_files, {found.folder, found.common}))
        return _identity(info) in self._linked


def _is_bare(folder: str) -> bool:
    """Whether git takes a folder for a repository without a work tree."""
    head = os.path.join(folder, HEAD)
    return os.path.lexists(head) and all(os.path.isdir(os.path.join(folder, name)) for name in BARE_FOLDERS)


def _info(name: str) -> os.stat_result | None:
    try:
        return os.stat(name)
    except (OSError, ValueError):
        return None


def _identity(info: os.stat_result) -> Identity:
    return info.st_dev, info.st_ino


def _linked_files(folder: str) -> set[Identity]:
    """The files below a folder that have other names too."""
    found: set[Identity] = set()
    folders = [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif (info := entry.stat(follow_symlinks=False)).st_nlink > 1:
                        found.add(_identity(info))
        except OSError:
            continue
    return found
