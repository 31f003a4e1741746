"""The files of a chart: a folder on the disk, or one that is packed as `.tgz`."""

from __future__ import annotations

import os

from plait.access.unquoted import Uncommitted
from plait.core.source import Source
from plait.fronts.project import Project
from plait.yaml.files import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Folder(Protocol):
        """Files by their paths from the folder of a chart."""

        path: str
        """What reports call the folder."""

        def names(self) -> list[str]:
            """All files, sorted."""

        def source(self, name: str) -> Source:
            """The text of a file."""

        def bytes(self, name: str) -> bytes:
            """What a file holds."""

        def inner(self, name: str) -> Folder:
            """A folder inside this one."""

        def is_withheld(self, name: str) -> bool:
            """Whether nothing of a file may be shown where the values of this run go."""


class DiskFolder:
    """A folder of the project."""

    __slots__ = ("_project", "path")

    def __init__(self, project: Project, path: str) -> None:
        self._project = project
        self.path = path

    def names(self) -> list[str]:
        return self._project.door.below(self.path)

    def source(self, name: str) -> Source:
        return self._project.source(self._path(name))

    def bytes(self, name: str) -> bytes:
        return self._project.bytes(self._path(name))

    def inner(self, name: str) -> DiskFolder:
        return DiskFolder(self._project, self._path(name))

    def is_withheld(self, name: str) -> bool:
        return self._project.door.is_uncommitted(self._path(name))

    def _path(self, name: str) -> str:
        return os.path.join(self.path, name)


class PackedFolder:
    """A folder inside an archive, which is held in memory."""

    __slots__ = ("_files", "_sources", "_withheld", "path")

    def __init__(self, path: str, files: dict[str, bytes], withheld: bool = False) -> None:
        self.path = path
        self._withheld = withheld
        self._files = files
        self._sources: dict[str, Source] = {}

    def names(self) -> list[str]:
        return sorted(self._files)

    def source(self, name: str) -> Source:
        if name not in self._sources:
            kind = Uncommitted if self._withheld else Source
            self._sources[name] = decode(f"{self.path}/{name}", self._files[name], kind)
        return self._sources[name]

    def bytes(self, name: str) -> bytes:
        return self._files[name]

    def inner(self, name: str) -> PackedFolder:
        prefix = f"{name}/"
        files = {path.removeprefix(prefix): data for path, data in self._files.items() if path.startswith(prefix)}
        return PackedFolder(f"{self.path}/{name}", files, self._withheld)

    def is_withheld(self, name: str) -> bool:
        return self._withheld


def unpacked(data: bytes, path: str, limit: int, withheld: bool) -> PackedFolder:
    """The files of a packed chart: those in the one folder that it has. `withheld` is said of the archive."""
    from plait.access.archives import files_in  # heavy, and most charts are folders

    files = {name.partition("/")[2]: content for name, content in files_in(data, path, limit).items() if "/" in name}
    return PackedFolder(path, files, withheld)
