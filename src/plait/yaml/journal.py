"""The journal of a write: which files of a project are being replaced, so that an interrupted run can be finished.

It is in the user's state folder, one for each project, and carries a seal that only this user can make. It names
files below the root of the project, and it is valid only for the very folder that it was written for: what a
repository brings cannot pass for one.
"""

from __future__ import annotations

import os
from _blake2 import blake2b

from plait.yaml.state import PrivateFolder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ABSENT = "-"
"""The digest of a file that does not exist."""
_HEAD = "plait journal 2"


class JournalEntry:
    """One file: its name below the root, the digests of its bytes before and after, and whether it is overwritten in
    place."""

    __slots__ = ("becomes", "in_place", "name", "was")

    def __init__(self, name: str, was: str, becomes: str, in_place: bool) -> None:
        self.name = name
        self.was = was
        self.becomes = becomes
        self.in_place = in_place

    def line(self) -> str:
        """The name in hexadecimal, because names may hold anything."""
        return f"{os.fsencode(self.name).hex()} {self.was} {self.becomes} {int(self.in_place)}"

    @classmethod
    def parse(cls, line: str) -> JournalEntry:
        name, was, becomes, in_place = line.split(" ")
        return cls(os.fsdecode(bytes.fromhex(name)), was, becomes, in_place == "1")


class Journal:
    """The journal of one project. `forward` is a set of files to be completed, `backward` one to be undone."""

    def __init__(self, state: PrivateFolder, root: str) -> None:
        self.state = state
        self.root = root
        self.folder = os.path.join(state.path, "journals")
        name = os.path.join(self.folder, blake2b(os.fsencode(root), digest_size=16).hexdigest())
        self.forward = name
        self.backward = name + ".undo"

    def announce(self, entries: Iterable[JournalEntry]) -> None:
        """From here on the set will be completed, whatever happens to this process."""
        fresh = self.forward + ".new"
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        forget(fresh)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            write_all(handle, self._text(entries))
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(fresh, self.forward)
        sync_folder(self.folder)

    def turn_back(self) -> bool:
        """From here on the set will be undone. Whether there was one."""
        try:
            os.replace(self.forward, self.backward)
        except FileNotFoundError:
            return False
        return True

    def forget(self) -> None:
        for name in (self.backward, self.forward, self.forward + ".new"):
            forget(name)

    def pending(self) -> str:
        """The file of an unfinished write; an empty text where there is none."""
        return next((name for name in (self.backward, self.forward) if os.path.exists(name)), "")

    def entries(self, name: str) -> list[JournalEntry] | None:
        """The files of an unfinished write; None for a journal that is damaged, or that another folder left."""
        with open(name, "rb") as file:
            data = file.read()
        text, _, found = data.rpartition(b"\n")
        if self.state.seal(text).hex().encode() != found:
            return None
        head, *lines = text.decode().split("\n")
        return [JournalEntry.parse(line) for line in lines] if head == self._head() else None

    def _text(self, entries: Iterable[JournalEntry]) -> bytes:
        text = "\n".join([self._head(), *(entry.line() for entry in entries)]).encode()
        return text + b"\n" + self.state.seal(text).hex().encode()

    def _head(self) -> str:
        """The folder by its name and by its identity: another folder in the same place has another one."""
        info = os.stat(self.root)
        return f"{_HEAD} {os.fsencode(self.root).hex()} {info.st_dev} {info.st_ino}"


def write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def forget(name: str, folder: int | None = None) -> None:
    """Remove a file that may already be gone."""
    try:
        os.unlink(name, dir_fd=folder)
    except (FileNotFoundError, NotADirectoryError):
        return


def sync_folder(name: str) -> None:
    handle = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
