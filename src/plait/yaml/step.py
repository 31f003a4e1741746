"""One file on its way to the disk: written beside its target, then put in its place.

Every name is looked up in an open folder that was reached from the root without following a link, so nothing that
happens to the path meanwhile leads elsewhere. Only ordinary files are replaced. Mode, owner (where the system
allows it), access control lists and other extended attributes stay as they are.
"""

from __future__ import annotations

import errno
import os
import stat
from _blake2 import blake2b

from plait.access.trace import UNDERWAY
from plait.report.catalog import CHANGED_SINCE, HARD_LINKS, UNWRITABLE
from plait.yaml.journal import ABSENT, JournalEntry, forget, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_KINDS = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISLNK, "it is a link"),
    (stat.S_ISFIFO, "it is a pipe"),
    (stat.S_ISSOCK, "it is a socket"),
    (stat.S_ISCHR, "it is a device"),
    (stat.S_ISBLK, "it is a device"),
)
_BY_THE_SYSTEM = ("security.", "trusted.")
"""Extended attributes that the system gives by its own rules, and that not everybody may set."""


class Step:
    """One file to be written.

    `name` is what its user calls it; `fresh` holds the new bytes, `old` keeps the former file.
    """

    def __init__(self, name: str, top: str, parts: list[str], data: bytes | None, key: bytes) -> None:
        self.name = name
        self.top = top
        self.parts = parts
        self.base = parts[-1]
        self.data = data
        mark = blake2b(os.fsencode("\0".join([top, *parts])), key=key, digest_size=8).hexdigest()
        self.fresh, self.old = (f"{UNDERWAY[0]}{mark}{end}" for end in UNDERWAY[1])
        self.becomes = digest(data)
        self.was = ABSENT
        self.before: os.stat_result | None = None
        self.in_place = False
        self.done = False
        self.folder: int | None = None

    @classmethod
    def of_entry(cls, entry: JournalEntry, root: str, key: bytes) -> Step:
        """A file that an interrupted run began to write.

        Where its folder is gone, or is a link by now, there is no file.
        """
        step = cls(entry.name, root, entry.name.split(os.sep), None, key)
        step.was, step.becomes, step.in_place = entry.was, entry.becomes, entry.in_place
        step.try_folder()
        step.done = step.info(step.fresh if step.becomes != ABSENT else step.base) is None
        return step

    @property
    def target(self) -> str:
        return os.path.join(self.top, *self.parts)

    @property
    def entry(self) -> JournalEntry:
        return JournalEntry(os.path.join(*self.parts), self.was, self.becomes, self.in_place)

    # Reaching it

    def open_folder(self, made: list[str] | None = None) -> None:
        """Open the folder of the file; folders that are missing are made where `made` collects them."""
        if self.folder is None:
            self.folder = open_beneath(self.top, self.parts[:-1], made)

    def try_folder(self) -> None:
        """The same where it may be missing."""
        try:
            self.open_folder()
        except OSError:
            self.folder = None

    def close(self) -> None:
        if self.folder is not None:
            os.close(self.folder)
            self.folder = None

    def info(self, name: str) -> os.stat_result | None:
        try:
            return None if self.folder is None else os.stat(name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def contents(self, name: str) -> bytes | None:
        """What a file holds; None where there is none. Anything but an ordinary file is refused before it is opened."""
        if self.check_ordinary(name) is None:
            return None
        handle = self.open(name, os.O_RDONLY | os.O_NONBLOCK)
        with open(handle, "rb", buffering=0) as file:
            return file.readall()

    def check_ordinary(self, name: str) -> os.stat_result | None:
        info = self.info(name)
        if info is not None and not stat.S_ISREG(info.st_mode):
            raise self.refused(next((why for test, why in _KINDS if test(info.st_mode)), "it is not a regular file"))
        return info

    def open(self, name: str, flags: int) -> int:
        """Open a file of the folder; one that is made for a user's file is closed to others until it has its mode."""
        mode = 0o666 if self.before is None else 0o600
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=self.folder)

    def refused(self, why: str, hint: str = "") -> Exception:
        return UNWRITABLE.error(name=self.name, why=why, hint=hint)

    # Before

    def needed(self, seen: Mapping[str, bytes | None], in_place: bool) -> bool:
        """Whether anything changes. Refuses what must not be overwritten, and clears what a killed run left."""
        self.tidy()
        before = self.contents(self.base)
        if self.name in seen and before != seen[self.name]:
            raise self.changed()
        if before == self.data:
            return False
        self.was = digest(before)
        self.before = self.info(self.base)
        if self.before is not None:
            self._check_may_replace(self.before, in_place)
        return True

    def _check_may_replace(self, info: os.stat_result, in_place: bool) -> None:
        if not info.st_mode & 0o222:
            raise self.refused("it is read-only", f"chmod u+w {self.name}")
        if info.st_nlink > 1 and self.data is not None:
            if not in_place:
                hint = "--in-place overwrites it and keeps the links; an interrupted write can then leave it damaged"
                raise HARD_LINKS.error(name=self.name, count=info.st_nlink, hint=hint)
            self.in_place = True

    def prepare(self) -> None:
        if self.data is not None:
            self._put(self.fresh, self.data)

    def check_same(self) -> None:
        """A last check, for writers that do not use locks."""
        if _identity(self.info(self.base)) != _identity(self.before):
            raise self.changed()

    def changed(self) -> Exception:
        return CHANGED_SINCE.error(name=self.name, hint="check the file, then run the command again")

    def keep_old(self) -> None:
        if self.was == ABSENT:
            return
        try:
            if self.in_place:
                raise OSError(errno.EMLINK, "it is a link, and the file that it points to would change")
            os.link(self.base, self.old, src_dir_fd=self.folder, dst_dir_fd=self.folder, follow_symlinks=False)
        except OSError:  # also a file system without links
            self._put(self.old, self.contents(self.base) or b"")

    # Taking and giving back the place

    def take_place(self) -> None:
        if self.becomes == ABSENT:
            os.unlink(self.base, dir_fd=self.folder)
        elif self.in_place:
            self._overwrite(self.contents(self.fresh) or b"")
            forget(self.fresh, self.folder)
        else:
            self._rename(self.fresh)
        self.done = True

    def put_back(self) -> None:
        """As it was before, where the new file is in its place and unchanged since."""
        if self.now == self.becomes or self.half_overwritten():
            if self.was == ABSENT:
                forget(self.base, self.folder)
            elif self.info(self.old) is not None and self.in_place:
                self._overwrite(self.contents(self.old) or b"")
            elif self.info(self.old) is not None:
                self._rename(self.old)
        self.tidy()

    def settled(self, finishes: bool) -> bytes | None:
        """What the file will hold once an interrupted run is finished, or undone; None where it will not be there."""
        if finishes and not self.done:
            return self.contents(self.fresh) if self.becomes != ABSENT else None
        if not finishes and (self.now == self.becomes or self.half_overwritten()):
            if self.was == ABSENT:
                return None
            if self.info(self.old) is not None:
                return self.contents(self.old)
        return self.contents(self.base)

    def tidy(self) -> None:
        if self.folder is not None:
            forget(self.old, self.folder)
            forget(self.fresh, self.folder)

    @property
    def now(self) -> str:
        """The digest of what is there; of nothing that we know, where it is not a regular file."""
        return "?" if self.is_special else digest(self.contents(self.base))

    @property
    def is_special(self) -> bool:
        """Whether something is there that is not a regular file: it stays as it is."""
        info = self.info(self.base)
        return info is not None and not stat.S_ISREG(info.st_mode)

    def half_overwritten(self) -> bool:
        """Whether an interrupted overwriting explains what the file holds: new bytes up to a point, old ones after
        it."""
        if not self.in_place or self.is_special:
            return False
        old, new, now = (self.contents(name) for name in (self.old, self.fresh, self.base))
        if old is None or new is None or now is None:
            return False
        done = next(
            (at for at, pair in enumerate(zip(now, new, strict=False)) if pair[0] != pair[1]), min(len(now), len(new))
        )
        return now[done:] == old[done:]

    def _rename(self, name: str) -> None:
        os.replace(name, self.base, src_dir_fd=self.folder, dst_dir_fd=self.folder)

    def _overwrite(self, data: bytes) -> None:
        handle = self.open(self.base, os.O_WRONLY)
        try:
            write_all(handle, data)
            os.ftruncate(handle, len(data))
            os.fsync(handle)
        finally:
            os.close(handle)

    def _put(self, name: str, data: bytes) -> None:
        """Write a new file beside the target, with everything that the target has, and make sure that the disk has
        it."""
        forget(name, self.folder)
        handle = self.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            write_all(handle, data)
            if self.before is not None:
                self._copy_attributes(handle, self.before)
            os.fsync(handle)
        finally:
            os.close(handle)

    def _copy_attributes(self, handle: int, like: os.stat_result) -> None:
        kept = _same_owner(handle, like)
        dropped = 0 if kept else stat.S_ISUID | stat.S_ISGID
        os.fchmod(handle, stat.S_IMODE(like.st_mode) & ~dropped)
        source = self.open(self.base, os.O_RDONLY | os.O_NONBLOCK)
        try:
            lost = _copy_extended(source, handle)
        finally:
            os.close(source)
        if lost:
            raise self.refused(f"its attribute `{lost}` cannot be preserved")


def open_beneath(top: str, parts: list[str], made: list[str] | None = None) -> int | None:
    """Open a folder below another, without following a link. None where it is missing and nothing is to be made."""
    handle, path = os.open(top, _FOLDER), top
    for part in parts:
        path = os.path.join(path, part)
        try:
            below = _open_below(handle, part)
            if below is None and made is not None:
                os.mkdir(part, dir_fd=handle)
                made.append(path)
                below = _open_below(handle, part)
        finally:
            os.close(handle)
        if below is None:
            return None
        handle = below
    return handle


def _open_below(handle: int, part: str) -> int | None:
    try:
        return os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=handle)
    except FileNotFoundError:
        return None


def digest(data: bytes | None) -> str:
    return ABSENT if data is None else blake2b(data, digest_size=16).hexdigest()


def _identity(info: os.stat_result | None) -> tuple[int, int, int] | None:
    return None if info is None else (info.st_ino, info.st_size, info.st_mtime_ns)


def _same_owner(handle: int, like: os.stat_result) -> bool:
    """Give a file the owner of another; only root may give files away, others at least the group.

    Whether both are kept.
    """
    for owner, group in ((like.st_uid, like.st_gid), (-1, like.st_gid)):
        try:
            os.fchown(handle, owner, group)
            break
        except PermissionError:
            continue
    now = os.fstat(handle)
    return (now.st_uid, now.st_gid) == (like.st_uid, like.st_gid)


def _copy_extended(source: int, handle: int) -> str:
    """Make the extended attributes of two files the same, access control lists among them; the name of one that
    refuses."""
    wanted, there = _extended(source), _extended(handle)
    for name in there.keys() - wanted.keys():
        if not name.startswith(_BY_THE_SYSTEM):
            os.removexattr(handle, name)
    for name, value in wanted.items():
        if there.get(name) == value:
            continue
        try:
            os.setxattr(handle, name, value)
        except OSError:
            if not name.startswith(_BY_THE_SYSTEM):
                return name
    return ""


def _extended(handle: int) -> dict[str, bytes]:
    if not hasattr(os, "listxattr"):
        return {}
    try:
        return {name: os.getxattr(handle, name) for name in os.listxattr(handle)}
    except OSError as trouble:
        if trouble.errno in (errno.ENOTSUP, errno.ENODATA, errno.ENOSYS):
            return {}
        raise
