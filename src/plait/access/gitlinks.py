"""Links in the folders of git, which each question to git looks for."""

from __future__ import annotations

import os

from plait.access.trace import is_settled, stamp_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.access.trace import Stamp


class FolderLinks:
    """Finds links. A folder that had none is not listed again while it has the same stamp, which each name that comes
    or goes changes."""

    def __init__(self) -> None:
        self._plain: dict[str, tuple[Stamp, list[str]]] = {}
        """Folders without links, with their stamps, and the folders in them."""

    def below(self, folder: str) -> Iterator[str]:
        """The links below a folder, at any depth, and what is no regular file. A linked folder is not entered."""
        folders = [folder]
        while folders:
            inner, links = self._listed(folders.pop())
            folders += inner
            yield from links

    def _listed(self, folder: str) -> tuple[list[str], list[str]]:
        """The folders in a folder, and what is neither a folder nor a regular file."""
        try:
            stamp = stamp_of(os.stat(folder))
            known = self._plain.get(folder)
            if known is not None and known[0] == stamp:
                return known[1], []
            inner, links = _sorted_entries(folder)
        except OSError:
            return [], []
        if not links and is_settled(stamp):
            self._plain[folder] = (stamp, inner)
        return inner, links


def _sorted_entries(folder: str) -> tuple[list[str], list[str]]:
    folders: list[str] = []
    links: list[str] = []
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif not entry.is_file(follow_symlinks=False):
                links.append(entry.path)
    return folders, links
