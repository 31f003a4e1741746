"""Every byte that plait writes goes through here: all files of a set, or none of them.

Each file is written beside its target, flushed to the disk, and renamed. A set of several is announced in a journal before the
first rename; a run that was interrupted there is finished by the next one, or undone where somebody changed a file meanwhile.
A file that changed since it was read is never overwritten. Permissions and owner stay. Nothing is written where
nothing changes. Links are followed only inside the project.

    write_files({"a.yaml": b"...", "old.yaml": None}, root=folder, seen={"a.yaml": bytes_as_read})
"""

from __future__ import annotations

import os
import stat
from _blake2 import blake2b

from plait.report.catalog import CHANGED_SINCE, LINK_OUTSIDE, UNFINISHED, UNWRITABLE
from plait.yaml.lock import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

JOURNAL, UNDO = ".plait-journal", ".plait-undo"
"""A set of files that must be finished, and one that must be undone."""
_FRESH, _OLD = ".plait-new", ".plait-old"
ABSENT = "-"
"""The digest of a file that is not there."""


def write_files(
    files: Mapping[str, bytes | None],
    *,
    root: str | None = None,
    seen: Mapping[str, bytes | None] | None = None,
    lock: Lock | None = None,
) -> list[str]:
    """Write (or, for None, remove) a set of files, all or none; the names of those that changed.

    `seen` has what a file held when it was read (None: it was not there); `lock` is one that the caller holds already.
    """
    root = os.path.realpath(root or ".")
    if lock is not None:
        return _write(files, root, seen or {})
    with lock_for(files, root):
        return _write(files, root, seen or {})


def lock_for(files: Iterable[str], root: str | None = None) -> Lock:
    """What to hold while files are read in order to be changed."""
    return Lock([*files, os.path.join(root or ".", JOURNAL)])


def _write(files: Mapping[str, bytes | None], root: str, seen: Mapping[str, bytes | None]) -> list[str]:
    finish_interrupted(root)
    work = [_Step(name, _target(name, root), data) for name, data in files.items()]
    work = [step for step in work if step.needed(seen)]
    made: list[str] = []
    try:
        for step in work:
            _make_folders(os.path.dirname(step.target), made)
            step.prepare()
        _commit(work, root)
    except BaseException as trouble:
        _undo(work, root)
        for folder in reversed(made):
            os.rmdir(folder)
        if isinstance(trouble, OSError):
            name = next((step.name for step in work if not step.done), root)
            why = trouble.strerror or str(trouble)
            raise UNWRITABLE.error(name=name, why=why, hint="nothing was changed") from None
        raise
    _clean_up(work, root)
    return [step.name for step in work]


def _commit(work: list[_Step], root: str) -> None:
    """Put all new files in their places. Once the journal stands, they will get there, whatever happens."""
    journal = os.path.join(root, JOURNAL)
    folders = {os.path.dirname(step.target) for step in work}
    for step in work:
        step.check_same()
    for step in work:
        step.keep_old()
    if len(work) > 1:
        _put(journal + _FRESH, _journal_text(work))
        os.replace(journal + _FRESH, journal)
        _sync_folders({root, *folders})
    for step in work:
        step.take_place()
    _sync_folders(folders)


def _clean_up(work: list[_Step], root: str) -> None:
    """Everything is in its place. What cannot be cleared now, the next run clears."""
    try:
        for step in work:
            step.tidy()
        _forget(os.path.join(root, JOURNAL))
    except OSError:
        return


class _Step:
    """One file on its way: `fresh` holds its new bytes beside the target, `old` its former ones until all is done."""

    def __init__(self, name: str, target: str, data: bytes | None) -> None:
        self.name = name
        self.target = target
        self.data = data
        folder, base = os.path.split(target)
        self.fresh = os.path.join(folder, f".{base}{_FRESH}")
        self.old = os.path.join(folder, f".{base}{_OLD}")
        self.becomes = _digest(data)
        self.before: os.stat_result | None = None
        self.was = ABSENT
        self.done = False

    def needed(self, seen: Mapping[str, bytes | None]) -> bool:
        """Whether anything changes. Refuses what must not be overwritten, and clears what a killed run left."""
        self.tidy()
        before = contents(self.target)
        if self.name in seen and before != seen[self.name]:
            raise CHANGED_SINCE.error(name=self.name, hint="look at it, then run this again")
        if before == self.data:
            return False
        self.was = _digest(before)
        self.before = None if before is None else os.stat(self.target)
        if self.before is not None and not self.before.st_mode & 0o222:
            raise UNWRITABLE.error(name=self.name, why="it is read-only", hint=f"chmod u+w {self.name}")
        return True

    def prepare(self) -> None:
        if self.data is not None:
            _put(self.fresh, self.data, self.before)

    def check_same(self) -> None:
        """A last look, for a writer that knows no locks."""
        try:
            now = os.stat(self.target)
        except FileNotFoundError:
            now = None
        if _identity(now) != _identity(self.before):
            raise CHANGED_SINCE.error(name=self.name, hint="look at it, then run this again")

    def keep_old(self) -> None:
        if self.was != ABSENT:
            try:
                os.link(self.target, self.old)
            except OSError:  # a file system without links
                _put(self.old, contents(self.target) or b"", self.before)

    def take_place(self) -> None:
        if self.becomes == ABSENT:
            os.unlink(self.target)
        else:
            os.replace(self.fresh, self.target)
        self.done = True

    def tidy(self) -> None:
        _forget(self.old)
        _forget(self.fresh)

    @property
    def now(self) -> str:
        return _digest(contents(self.target))

    def put_back(self) -> None:
        """As it was before, where the new file is in its place and nobody touched it since."""
        if self.now == self.becomes:
            if os.path.exists(self.old):
                os.replace(self.old, self.target)
            elif self.was == ABSENT:
                _forget(self.target)
        self.tidy()


def _undo(work: list[_Step], root: str) -> None:
    journal, undo = os.path.join(root, JOURNAL), os.path.join(root, UNDO)
    _forget(journal + _FRESH)
    announced = os.path.exists(journal)
    if announced:
        os.replace(journal, undo)
    for step in reversed(work):
        step.put_back()
    if announced:
        _forget(undo)


def contents(name: str) -> bytes | None:
    """What a file holds; None where there is none."""
    try:
        with open(name, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as trouble:
        raise UNWRITABLE.error(name=name, why=trouble.strerror or str(trouble), hint="name a file") from None


def replace_file(name: str, data: bytes) -> None:
    """Put bytes in the place of a file in one step, without waiting for the disk: for what can be made again."""
    fresh = f"{name}.{os.getpid()}{_FRESH}"
    try:
        _put(fresh, data, sync=False)
        os.replace(fresh, name)
    except BaseException:
        _forget(fresh)
        raise


def _digest(data: bytes | None) -> str:
    return ABSENT if data is None else blake2b(data, digest_size=16).hexdigest()


def _identity(info: os.stat_result | None) -> tuple[int, int, int] | None:
    return None if info is None else (info.st_ino, info.st_size, info.st_mtime_ns)


def _put(name: str, data: bytes, like: os.stat_result | None = None, sync: bool = True) -> None:
    """Write a new file and make sure that the disk has it."""
    _forget(name)
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        if like is not None:
            _same_owner(handle, like)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        if sync:
            os.fsync(handle)
    finally:
        os.close(handle)


def _same_owner(handle: int, like: os.stat_result) -> None:
    now = os.fstat(handle)
    if (now.st_uid, now.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(handle, like.st_uid, like.st_gid)
        except PermissionError:  # only root may give files away: the group, at least
            _try_group(handle, like.st_gid)
    os.fchmod(handle, stat.S_IMODE(like.st_mode))


def _try_group(handle: int, group: int) -> None:
    try:
        os.fchown(handle, -1, group)
    except PermissionError:
        return


def _forget(name: str) -> None:
    try:
        os.unlink(name)
    except (FileNotFoundError, NotADirectoryError):
        return


def _sync_folders(folders: set[str]) -> None:
    for folder in sorted(folders):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _make_folders(folder: str, made: list[str]) -> None:
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for name in reversed(missing):
        os.mkdir(name)
        made.append(name)


def _target(name: str, root: str) -> str:
    """The file that a name means. A link may not lead out of the project, nor a name in it pass through one that does."""
    plain, real = os.path.abspath(name), os.path.realpath(name)
    ours = _inside(plain, root) or os.path.islink(plain)
    if plain != real and ours and not _inside(real, root):
        raise LINK_OUTSIDE.error(name=name, notes=(f"it leads to {real}",), hint="name that file itself")
    return real


def _inside(name: str, root: str) -> bool:
    return name.startswith(root.rstrip(os.sep) + os.sep)


def _journal_text(work: list[_Step]) -> bytes:
    """A line for each file: its name in hexadecimal (names may hold anything), what it was and what it becomes."""
    return "\n".join(f"{os.fsencode(step.target).hex()} {step.was} {step.becomes}" for step in work).encode()


def _read_journal(name: str) -> list[_Step]:
    steps = []
    for line in (contents(name) or b"").decode().split("\n"):
        target, was, becomes = line.split(" ")
        path = os.fsdecode(bytes.fromhex(target))
        step = _Step(path, path, None)
        step.was, step.becomes = was, becomes
        step.done = not os.path.exists(path if becomes == ABSENT else step.fresh)
        steps.append(step)
    return steps


def settle_interrupted(root: str) -> None:
    """What a run asks before it reads: is a set of files half in place? One that is being written now is waited for."""
    if any(os.path.exists(os.path.join(root, name)) for name in (JOURNAL, UNDO)):
        with lock_for((), root):
            finish_interrupted(root)


def finish_interrupted(root: str) -> bool:
    """Finish the set of files that an interrupted run had announced; undo it where a file has changed meanwhile.

    Two looks where there is nothing to do, so that every run can ask before it reads.
    """
    journal, undo = (os.path.join(os.path.realpath(root), name) for name in (JOURNAL, UNDO))
    if os.path.exists(undo):
        _undo_interrupted(undo)
        return True
    if not os.path.exists(journal):
        return False
    steps = _read_journal(journal)
    if not all(step.done or step.now == step.was for step in steps):
        os.replace(journal, undo)
        _undo_interrupted(undo)
        return True
    for step in steps:
        if not step.done:
            step.take_place()
    for step in steps:
        step.tidy()
    _forget(journal)
    return True


def _undo_interrupted(undo: str) -> None:
    """Put back what can be put back, and tell of a file that somebody has changed in its new form."""
    steps = _read_journal(undo)
    lost = [step.name for step in steps if step.done and os.path.exists(step.old) and step.now != step.becomes]
    for step in steps:
        step.put_back()
    _forget(undo)
    if lost:
        raise UNFINISHED.error(name=lost[0], notes=tuple(lost[1:]), hint="compare it with your version control")
