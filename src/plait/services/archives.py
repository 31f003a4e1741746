"""Archives that a source may come as: `.tar.gz`, `.zip` and their like, unpacked into a folder that nothing in them can leave.

An archive is somebody else's text. Names that lead out, links that do, and what is neither file, folder nor link are refused; what is
unpacked is counted while it is unpacked. Links are made last, so that nothing is written through one.
"""

from __future__ import annotations

import os
import stat

from plait.report.catalog import BAD_ARCHIVE, LEAVES, TOO_BIG
from plait.services.trouble import MEGABYTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from plait.core.diagnostic import PlaitError

CHUNK = 1 << 16
MEMBERS = 100_000
"""How many files an archive may hold."""


class Unpacking:
    """One archive that is being unpacked into an empty folder."""

    def __init__(self, what: str, folder: str, limit: int) -> None:
        self.what = what
        self.folder = os.path.realpath(folder)
        self.limit = limit
        self.size = 0
        self.members = 0
        self.links: list[tuple[str, str, str]] = []

    def place(self, name: str) -> str:
        """Where a member goes."""
        self.members += 1
        if self.members > MEMBERS:
            raise self.bad(f"it holds more than {MEMBERS} files")
        steps = name.replace("\\", "/").split("/")
        if ".." in steps or name.startswith(("/", "\\")) or steps[0].endswith(":"):
            raise self.leaves(name)
        return os.path.join(self.folder, *(step for step in steps if step not in ("", ".")))

    def make_folder(self, name: str) -> None:
        os.makedirs(self.place(name), exist_ok=True)

    def write(self, name: str, content: IO[bytes]) -> None:
        place = self.place(name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            while data := content.read(CHUNK):
                self.size += len(data)
                if self.size > self.limit:
                    limit = f"{self.limit // MEGABYTE} MB" if self.limit >= MEGABYTE else f"{self.limit} bytes"
                    raise TOO_BIG.error(what=f"what {self.what} unpacks to", limit=limit, hint="--max-size raises it")
                file.write(data)

    def link(self, name: str, target: str) -> None:
        self.links.append((name, self.place(name), target))

    def make_links(self) -> None:
        """All links, then a look at where each of them leads."""
        for name, place, target in self.links:
            if os.path.isabs(target):
                raise self.leaves(name)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            os.symlink(target, place)
        for name, place, _ in self.links:
            full = os.path.realpath(place)
            if full != self.folder and not full.startswith(self.folder + os.sep):
                raise self.leaves(name)

    def leaves(self, name: str) -> PlaitError:
        return LEAVES.error(path=name, what=self.what, hint="do not trust this archive")

    def bad(self, why: str) -> PlaitError:
        return BAD_ARCHIVE.error(what=self.what, why=why)


def _tar(file: IO[bytes], to: Unpacking) -> None:
    import tarfile

    with tarfile.open(fileobj=file, mode="r|*") as archive:  # as a stream: what a bomb unpacks to is never held
        for member in archive:
            content = archive.extractfile(member) if member.isreg() else None
            if content is not None:
                to.write(member.name, content)
            elif member.isdir():
                to.make_folder(member.name)
            elif member.issym():
                to.link(member.name, member.linkname)
            else:
                raise to.bad(f"`{member.name}` is no plain file")


def _zip(file: IO[bytes], to: Unpacking) -> None:
    import zipfile

    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            if member.is_dir():
                to.make_folder(member.filename)
                continue
            with archive.open(member) as content:
                if stat.S_ISLNK(member.external_attr >> 16):
                    to.link(member.filename, content.read(4096).decode("utf-8", "replace"))
                else:
                    to.write(member.filename, content)


def _single(module: str) -> Callable[[IO[bytes], Unpacking], None]:
    """One file that is compressed; it keeps its name without the last ending."""

    def unpack(file: IO[bytes], to: Unpacking) -> None:
        from importlib import import_module

        with import_module(module).open(file) as content:
            to.write(os.path.splitext(os.path.basename(file.name))[0], content)

    return unpack


SINGLE = {"gz": "gzip", "bz2": "bz2", "xz": "lzma"}
"""Endings of a compressed file, and the modules that read them."""
KINDS: dict[str, Callable[[IO[bytes], Unpacking], None]] = {
    **dict.fromkeys(("tar.gz", "tgz", "tar.bz2", "tbz2", "tar.xz", "txz", "tar"), _tar),
    "zip": _zip,
    **{kind: _single(module) for kind, module in SINGLE.items()},
}
"""Kinds of archives by what their names end with; longer endings first."""


def kind_of(path: str) -> str:
    """The kind of archive that a name says it is; empty for none."""
    return next((kind for kind in KINDS if path.endswith(f".{kind}")), "")


def unpack(path: str, kind: str, folder: str, what: str, limit: int) -> str:
    """Unpack an archive into a new folder; the path of what was in it: the folder, or the one file that is no archive."""
    from lzma import LZMAError
    from tarfile import TarError
    from zipfile import BadZipFile
    from zlib import error as BadData

    os.mkdir(folder)
    to = Unpacking(what, folder, limit)
    try:
        with open(path, "rb") as file:
            KINDS[kind](file, to)
        to.make_links()
    except (
        TarError,
        BadZipFile,
        LZMAError,
        BadData,
        EOFError,
        OSError,
        RuntimeError,
        NotImplementedError,
        ValueError,
    ) as trouble:
        raise to.bad(_line(trouble)) from None
    return os.path.join(folder, os.path.splitext(os.path.basename(path))[0]) if kind in SINGLE else folder


def _line(trouble: Exception) -> str:
    said = trouble.strerror if isinstance(trouble, OSError) and trouble.strerror else str(trouble)
    return said.splitlines()[0] if said else trouble.__class__.__name__
