"""System calls on files and folders, without policy. Only the modules of this room import this one."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[str, str], None]
    """Raises where what is in a folder, given by its real path, under a name may not be opened; no name stands for the
    folder itself."""

BENEATH = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether this system can open a name in an open folder, and refuse to follow a link there."""
READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
STRICT = READ | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Open a file of a repository: follow no link, and do not wait for the other end of a pipe."""
LOOK = getattr(os, "O_PATH", READ) | getattr(os, "O_CLOEXEC", 0)
"""Open a name only to learn what it is."""
MEGABYTE = 1024 * 1024


class Larger(Exception):
    """A file is larger than the limit."""


class Astray(Exception):
    """A file is not where it may be."""


class OfGit(Exception):
    """A file belongs to git."""


class Special(OSError):
    """A device, a pipe or a socket, where a regular file is expected."""


def real_path(handle: int, name: str) -> str:
    """The real path of what was opened as `name`."""
    try:
        return os.readlink(f"/proc/self/fd/{handle}")
    except OSError:
        real = os.path.realpath(name)
    if os.path.samestat(os.lstat(real), os.fstat(handle)):
        return real
    raise OSError(f"`{name}` changed while it was opened")


def read_beneath(folder: str, base: str, check: Check, limit: int) -> tuple[bytes | None, os.stat_result]:
    """What is in a file, after `check` was told its real path now. No link is followed."""
    handle = _opened_beneath(folder, base, check) if BENEATH else _opened_by_path(os.path.join(folder, base), check)
    try:
        return read_still(handle, limit, False)
    finally:
        os.close(handle)


def opened_folder(folder: str, check: Check) -> int:
    """A folder, to be listed, after `check` was told its real path now."""
    return _opened_beneath(folder, "", check, READ | os.O_DIRECTORY)


def _opened_beneath(folder: str, base: str, check: Check, flags: int = STRICT) -> int:
    place = os.open(folder, LOOK | os.O_DIRECTORY)
    try:
        check(real_path(place, folder), base)
        return os.open(base or os.curdir, flags, dir_fd=place)
    finally:
        os.close(place)


def _opened_by_path(name: str, check: Check) -> int:
    real = os.path.realpath(name)
    check(*os.path.split(real))
    return os.open(real, READ)


def read_still(handle: int, limit: int, special: bool) -> tuple[bytes | None, os.stat_result]:
    """The bytes of an open file, None if it changed meanwhile, and what is known of it. Its size is checked before
    anything is read."""
    before = os.fstat(handle)
    if stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError
    if before.st_size > limit:
        raise Larger
    if not stat.S_ISREG(before.st_mode):
        if not special:
            raise Special("it is not a regular file")
        return within(read_all(handle, limit + 1), limit), before
    data = read_all(handle, before.st_size)
    after = os.fstat(handle)
    same = before.st_mtime_ns == after.st_mtime_ns and len(data) == before.st_size == after.st_size
    return data if same else None, after


def read_all(handle: int, most: int) -> bytes:
    """What the handle gives, up to `most` bytes. One call for an ordinary file."""
    data = os.read(handle, most)
    pieces = [data]
    most -= len(data)
    while data and most > 0:
        data = os.read(handle, min(most, MEGABYTE))
        pieces.append(data)
        most -= len(data)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def within(data: bytes, limit: int) -> bytes:
    if len(data) > limit:
        raise Larger
    return data
