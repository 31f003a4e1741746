"""Archives that a source may come as: `.tar.gz`, `.zip` and their like, unpacked into a private folder that nothing in
them can leave.

Archives are untrusted, so each is read twice. The first pass plans all members and rejects the whole archive if a name
or link leads outside, if a member is not a file, folder or link, or if a limit is exceeded. Only then are files
written; their sizes are counted again, because headers may be wrong.
"""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile
import zlib
from functools import partial

from plait.access.trouble import MEGABYTE
from plait.report.catalog import BAD_ARCHIVE, LEAVES, TOO_BIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

    from plait.core.diagnostic import PlaitError

CHUNK = 1 << 16
MEMBERS = 100_000
"""How many members an archive may have."""
HEADER = MEGABYTE
"""How large one header of a tar may be: names and other headers are read into memory completely."""
NAME = 4_096
HOPS = 40
"""How many links may follow each other."""
FILE, FOLDER, LINK = "file", "folder", "link"
Member = tuple[str, str, str, int]
"""A member as its archive describes it: its kind (or what else it is), its name, a link's target, its size."""


class UnpackPlan:
    """What an archive would make, as far as it has been read. Nothing is made yet."""

    def __init__(self, what: str, limit: int) -> None:
        self.what = what
        self.limit = limit
        self.kinds: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.size = 0
        self.members = 0

    def add(self, kind: str, name: str, target: str, size: int) -> None:
        """Add a member; an error if it is not allowed."""
        self.members += 1
        if self.members > MEMBERS:
            raise self.bad(f"it contains more than {MEMBERS} files")
        self.size += size
        if size < 0 or self.size > self.limit:
            raise self.too_big()
        path = "/".join(self.steps(name))
        if kind not in (FILE, FOLDER, LINK):
            raise self.bad(f"`{name}` is not a regular file")
        if kind == FILE and not path:
            raise self.bad("a file in it has no name")
        if path and self.kinds.get(path, kind) != kind:
            raise self.bad(f"`{name}` appears twice in it, as different kinds of entries")
        if kind == LINK:
            if (
                not path
                or target.startswith(("/", "\\"))
                or len(target) > NAME
                or self.links.get(path, target) != target
            ):
                raise self.leaves(name)
            self.links[path] = target
        if path:
            self.kinds[path] = kind

    def steps(self, name: str) -> list[str]:
        """The steps of a name that stays inside."""
        steps = name.replace("\\", "/").split("/")
        if ".." in steps or name.startswith(("/", "\\")) or steps[0].endswith(":") or len(name) > NAME or "\0" in name:
            raise self.leaves(name[:NAME])
        return [step for step in steps if step not in ("", ".")]

    def check(self) -> None:
        """That no member is below a link or a file, and that every link stays inside, also through other links."""
        for path in self.kinds:
            above = path.rpartition("/")[0]
            while above:
                if self.kinds.get(above, FOLDER) != FOLDER:
                    raise self.leaves(path)
                above = above.rpartition("/")[0]
        for path in self.links:
            self._follow(path)

    def _follow(self, link: str) -> None:
        """Where a link leads, step by step as a system would go."""
        at: list[str] = []
        left = link.split("/")[::-1]
        hops = 0
        while left:
            step = left.pop()
            if step in ("", "."):
                continue
            if step == "..":
                if not at:
                    raise self.leaves(link)
                at.pop()
                continue
            at.append(step)
            target = self.links.get("/".join(at))
            if target is not None:
                hops += 1
                if hops > HOPS:
                    raise self.leaves(link)
                at.pop()
                left.extend(target.replace("\\", "/").split("/")[::-1])

    def leaves(self, name: str) -> PlaitError:
        return LEAVES.error(
            path=name, what=self.what, hint="the archive tries to write outside its folder; do not use it"
        )

    def bad(self, why: str) -> PlaitError:
        return BAD_ARCHIVE.error(what=self.what, why=why)

    def too_big(self) -> PlaitError:
        limit = f"{self.limit // MEGABYTE} MB" if self.limit >= MEGABYTE else f"{self.limit} bytes"
        return TOO_BIG.error(what=f"what {self.what} unpacks to", limit=limit, hint="--max-size raises the limit")


class Unpacking:
    """A checked plan, carried out in an empty private folder.

    Links are made last, so that nothing is written through one.
    """

    def __init__(self, plan: UnpackPlan, folder: str) -> None:
        self.plan = plan
        self.folder = folder
        self.size = 0

    def place(self, name: str) -> str:
        place = os.path.join(self.folder, *self.plan.steps(name))
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        return place

    def write(self, name: str, content: IO[bytes]) -> None:
        if self.plan.kinds.get("/".join(self.plan.steps(name))) != FILE:
            raise self.plan.bad("it changed while it was read")
        with open(self.place(name), "wb") as file:
            while data := content.read(CHUNK):
                self.size += len(data)
                if self.size > self.plan.limit:
                    raise self.plan.too_big()
                file.write(data)

    def finish(self) -> None:
        for path, kind in self.plan.kinds.items():
            if kind == FOLDER:
                os.makedirs(self.place(path), mode=0o700, exist_ok=True)
        for path, target in self.plan.links.items():
            os.symlink(target, self.place(path))


class _Header(tarfile.TarInfo):
    """A header of a tar. Headers that describe other headers are read into memory completely, so their size is checked
    first."""

    def _bounded(self) -> None:
        if not 0 <= self.size <= HEADER:
            raise tarfile.ReadError("a header is too large")

    def _proc_pax(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        self._bounded()
        return super()._proc_pax(archive)  # type: ignore[misc, no-any-return]

    def _proc_gnulong(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        self._bounded()
        return super()._proc_gnulong(archive)  # type: ignore[misc, no-any-return]


TAR_KINDS = ((tarfile.TarInfo.isreg, FILE), (tarfile.TarInfo.isdir, FOLDER), (tarfile.TarInfo.issym, LINK))


class _Bounded:
    """A stream that ends with an error once more has been read than a whole archive may hold."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self.stream = stream
        self.left = most

    def read(self, size: int = -1) -> bytes:
        data = self.stream.read(size if 0 <= size <= self.left else self.left + 1)
        self.left -= len(data)
        if self.left < 0:
            raise tarfile.ReadError("it is too large when unpacked")
        return data


def _tar(file: IO[bytes], plan: UnpackPlan) -> Iterator[tuple[Member, Callable[[], IO[bytes]]]]:
    """As a stream, so that the content of an archive bomb is never in memory."""
    bounded = _Bounded(_expanded(file), 2 * plan.limit + 1024 * MEMBERS)
    with tarfile.open(fileobj=bounded, mode="r|", tarinfo=_Header) as archive:  # type: ignore[call-overload]
        for member in archive:
            archive.members = []
            kind = next((kind for test, kind in TAR_KINDS if test(member)), "special")
            row = (kind, member.name, member.linkname, member.size if kind == FILE else 0)
            yield row, partial(archive.extractfile, member)


def _expanded(file: IO[bytes]) -> IO[bytes]:
    """The decompressed stream; its first bytes tell the format."""
    from importlib import import_module

    head = file.read(6)
    file.seek(0)
    for magic, module in ((b"\x1f\x8b", "gzip"), (b"BZh", "bz2"), (b"\xfd7zXZ\0", "lzma")):
        if head.startswith(magic):
            return import_module(module).open(file)  # type: ignore[no-any-return]
    return file


def _zip(file: IO[bytes], plan: UnpackPlan) -> Iterator[tuple[Member, Callable[[], IO[bytes]]]]:
    if _entries(file) > MEMBERS:
        raise plan.bad(f"it contains more than {MEMBERS} files")
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            mode = member.external_attr >> 16
            kind = FOLDER if member.filename.endswith("/") else LINK if stat.S_ISLNK(mode) else FILE
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
                kind = "special"
            target = ""
            if kind == LINK:
                with archive.open(member) as content:
                    target = content.read(NAME + 1).decode("utf-8", "replace")
            row = (kind, member.filename, target, member.file_size if kind == FILE else 0)
            yield row, partial(archive.open, member)


def _entries(file: IO[bytes]) -> int:
    """An upper bound on the number of members of a zip, found without trusting its own numbers."""
    count, tail = 0, b""
    while data := file.read(MEGABYTE):
        count += (tail + data).count(b"PK\x01\x02")
        tail = data[-3:]
    return count


def _single(module: str) -> Callable[[IO[bytes], UnpackPlan], Iterator[tuple[Member, Callable[[], IO[bytes]]]]]:
    """One file that is compressed; it keeps its name without the last ending.

    Its size is known only after unpacking.
    """

    def members(file: IO[bytes], plan: UnpackPlan) -> Iterator[tuple[Member, Callable[[], IO[bytes]]]]:
        from importlib import import_module

        name = os.path.splitext(os.path.basename(file.name))[0]
        yield (FILE, name, "", 0), partial(import_module(module).open, file)

    return members


SINGLE = {"gz": "gzip", "bz2": "bz2", "xz": "lzma"}
"""Endings of a compressed file, and the modules that read them."""
KINDS: dict[str, Callable[[IO[bytes], UnpackPlan], Iterator[tuple[Member, Callable[[], IO[bytes]]]]]] = {
    **dict.fromkeys(("tar.gz", "tgz", "tar.bz2", "tbz2", "tar.xz", "txz", "tar"), _tar),
    "zip": _zip,
    **{kind: _single(module) for kind, module in SINGLE.items()},
}
"""Kinds of archives by what their names end with; longer endings first."""


def unpack(path: str, kind: str, folder: str, what: str, limit: int) -> str:
    """Unpack an archive into a new private folder; the path of what was in it: the folder, or the one file that
    is not an archive."""
    from lzma import LZMAError
    from zlib import error as BadData

    plan = UnpackPlan(what, limit)
    try:
        with open(path, "rb") as file:
            for member, _ in KINDS[kind](file, plan):
                plan.add(*member)
            plan.check()
            file.seek(0)
            _carry_out(plan, KINDS[kind](file, plan), folder)
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        LZMAError,
        BadData,
        EOFError,
        OSError,
        RuntimeError,
        NotImplementedError,
        ValueError,
    ) as trouble:
        raise plan.bad(_line(trouble)) from None
    return os.path.join(folder, os.path.splitext(os.path.basename(path))[0]) if kind in SINGLE else folder


def _carry_out(plan: UnpackPlan, members: Iterator[tuple[Member, Callable[[], IO[bytes]]]], folder: str) -> None:
    os.mkdir(folder, 0o700)
    to = Unpacking(plan, folder)
    for (kind, name, _, _), content in members:
        if kind == FILE:
            with content() as opened:
                to.write(name, opened)
    to.finish()


def _line(trouble: Exception) -> str:
    why = trouble.strerror if isinstance(trouble, OSError) and trouble.strerror else str(trouble)
    return why.splitlines()[0] if why else trouble.__class__.__name__


def files_in(data: bytes, what: str, limit: int) -> dict[str, bytes]:
    """The files of a `.tgz` by their names, in memory. Nothing is written, so a name that leads outside is only left
    out; sizes are counted as they are read."""
    plan = UnpackPlan(what, limit)
    files: dict[str, bytes] = {}
    left = limit
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz", tarinfo=_Header) as archive:
            for number, member in enumerate(archive):
                if number >= MEMBERS:
                    raise plan.bad(f"it contains more than {MEMBERS} files")
                steps = [step for step in member.name.split("/") if step not in ("", ".")]
                file = archive.extractfile(member) if member.isfile() and ".." not in steps else None
                if file is None:
                    continue
                content = file.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise plan.too_big()
                files["/".join(steps)] = content
    except (tarfile.TarError, EOFError, OSError, ValueError, zlib.error) as trouble:
        raise plan.bad(_line(trouble)) from None
    return files
