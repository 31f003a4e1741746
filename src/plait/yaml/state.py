"""The user's own folder for what must outlive a run: journals of unfinished writes, and the key that seals them.

Nothing in it comes from a repository. It belongs to this user and nobody else can access it; any other folder is
rejected. `--journal DIR` names another one, else `PLAIT_STATE`, `XDG_STATE_HOME` and `~/.local/state` are tried.

The folders of the cache need less: what is in them is sealed with the key. But files are deleted there when it becomes
too large, so they must be real folders of this user (`is_own`), not links that a repository brought.
"""

from __future__ import annotations

import os
import stat
from _blake2 import blake2b

from plait.access.trace import above

KEY_SIZE = 32
SEAL_SIZE = 16


class NoState(Exception):
    """There is no folder that can be trusted: the reason, and what to do."""

    def __init__(self, why: str, hint: str = "name a folder of your own with --journal or PLAIT_STATE") -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint


class PrivateFolder:
    """A private folder and its key."""

    __slots__ = ("key", "path")

    def __init__(self, path: str, key: bytes) -> None:
        self.path = path
        self.key = key

    def seal(self, data: bytes) -> bytes:
        """A checksum that only this user can make."""
        return seal(self.key, data)


def seal(key: bytes, data: bytes) -> bytes:
    return blake2b(data, key=key, digest_size=SEAL_SIZE).digest()


def open_state(named: str = "", root: str = "", make: bool = True) -> PrivateFolder:
    """The state folder, made if it is missing and may be made. One that is in the project could come from the
    repository: refused."""
    base = os.path.abspath(named) if named else _base()
    around = root or (above(".", ".git") if base != _standard() else "")
    if around and _inside(base, around) and not _inside(os.path.expanduser("~"), around):
        raise NoState(f"`{base}` is inside the project")
    path = os.path.join(base, "plait")
    if not make and not os.path.isfile(os.path.join(path, "key")):
        raise NoState(f"`{path}` is not there")
    try:
        _make_private(path)
        return PrivateFolder(path, _read_key(path) or _make_key(path))
    except OSError as trouble:
        raise NoState(f"`{path}` cannot be used: {trouble.strerror or trouble}") from None


def _base() -> str:
    own = os.environ.get("PLAIT_STATE", "")
    if own and not os.path.isabs(own):
        raise NoState("PLAIT_STATE is a relative path", "give it an absolute path")
    standard = os.environ.get("XDG_STATE_HOME", "")
    return own or (standard if os.path.isabs(standard) else _standard())


def _standard() -> str:
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        raise NoState("HOME is a relative path")
    return os.path.join(home, ".local", "state")


def is_own(folder: str, make: bool = False) -> bool:
    """Whether a folder is a real one that belongs to this user. With `make` it is made, and closed to others."""
    if make:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    try:
        info = os.lstat(folder)
    except OSError:
        return False
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.geteuid():
        return False
    if make and info.st_mode & 0o077:
        os.chmod(folder, 0o700)
    return True


def _make_private(path: str) -> None:
    if not os.path.isdir(path):
        above = os.path.dirname(path)
        while not os.path.isdir(above):
            above = os.path.dirname(above)
        if os.geteuid() == 0 and os.stat(above).st_uid != 0:
            raise NoState(f"`{above}` belongs to another user")  # `sudo` may keep HOME: leave no folders of root there
        os.makedirs(path, mode=0o700, exist_ok=True)
    info = os.stat(path)
    if info.st_uid != os.geteuid():
        raise NoState(f"`{path}` belongs to another user")
    if info.st_mode & 0o022:
        raise NoState(f"other users can write to `{path}`", f"check its contents, then run chmod 700 {path}")
    if info.st_mode & 0o077:
        os.chmod(path, 0o700)


def _read_key(path: str) -> bytes | None:
    """The key, or None where there is none, or one that others could have read or made."""
    try:
        handle = os.open(os.path.join(path, "key"), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    try:
        info = os.fstat(handle)
        ours = stat.S_ISREG(info.st_mode) and info.st_uid == os.geteuid() and not info.st_mode & 0o077
        key = os.read(handle, KEY_SIZE + 1) if ours else b""
        return key if len(key) == KEY_SIZE else None
    finally:
        os.close(handle)


def _make_key(path: str) -> bytes:
    """A new key, complete before it gets its name: two runs that start together end up with the same one."""
    name, fresh = os.path.join(path, "key"), os.path.join(path, f"key.{os.urandom(6).hex()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, os.urandom(KEY_SIZE))
    finally:
        os.close(handle)
    try:
        os.link(fresh, name)
    except OSError:  # another run was first, the key that is there is unusable, or there are no links
        if _read_key(path) is None:
            os.replace(fresh, name)
    if os.path.lexists(fresh):
        os.unlink(fresh)
    key = _read_key(path)
    if key is None:
        raise NoState(f"the key in `{path}` cannot be used")
    return key


def _inside(name: str, root: str) -> bool:
    real, top = os.path.realpath(name), os.path.realpath(root)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)
