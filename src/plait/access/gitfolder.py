"""Where a repository keeps its history.

A repository may come as an archive, with a git folder of its maker's choice: its objects could be those of a private
repository next door. So git is asked only where the history is inside the tree, or in a folder that says that it
belongs to the tree, as those of worktrees and submodules do.
"""

from __future__ import annotations

import os
import re

from plait.access.raw import READ, read_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 65_536
"""How much of a small file of git's is read."""


def history_elsewhere(root: str, inside: Callable[[str], bool]) -> str:
    """A folder that the history of a tree would be read from and must not be; empty where there is none.

    `inside` knows the folders that may be read anyway.
    """
    mark = os.path.join(root, ".git")
    folder = os.path.realpath(os.path.join(root, _pointer(mark)) if os.path.isfile(mark) else mark)
    if not _below(folder, root) and not inside(folder) and not _points_back(folder, mark):
        return folder
    common = os.path.realpath(os.path.join(folder, _small(os.path.join(folder, "commondir")) or "."))
    if common != os.path.dirname(os.path.dirname(folder)):
        common = folder
    objects = os.path.join(common, "objects")
    places = [objects, *_links(objects), *_links(os.path.join(objects, "pack"))]
    alternates = _small(os.path.join(objects, "info", "alternates")).splitlines()
    places += [os.path.join(objects, line) for line in alternates if line and not line.startswith("#")]
    real = map(os.path.realpath, places)
    return next((place for place in real if not (_below(place, common) or _below(place, root) or inside(place))), "")


def _below(place: str, folder: str) -> bool:
    return os.path.join(place, "").startswith(os.path.join(folder, ""))


def _pointer(mark: str) -> str:
    return _small(mark).partition("gitdir:")[2].strip()


def _points_back(folder: str, mark: str) -> bool:
    """Whether a git folder elsewhere says that it belongs to a tree."""
    back = _small(os.path.join(folder, "gitdir"))
    if not back:
        found = re.search(r"^\s*worktree\s*=\s*(.+)$", _small(os.path.join(folder, "config")), re.MULTILINE)
        back = os.path.join(found[1].strip(), ".git") if found else ""
    return bool(back) and os.path.realpath(os.path.join(folder, back)) == mark


def _links(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return [entry.path for entry in found if entry.is_symlink()]
    except OSError:
        return []


def _small(name: str) -> str:
    """The text of a small file; empty where there is none."""
    if not os.path.isfile(name):  # opening a pipe would wait
        return ""
    try:
        handle = os.open(name, READ)
    except OSError:
        return ""
    try:
        return read_all(handle, MOST).decode("utf-8", "replace").strip()
    except OSError:
        return ""
    finally:
        os.close(handle)
