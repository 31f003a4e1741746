"""Copies of sources that plait keeps for itself: written into private folders, and replaced whole."""

from __future__ import annotations

import os

from plait.report.catalog import BAD_ARCHIVE, TOO_BIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.access.door import Door

MEMBERS = 100_000
"""How many files a copied folder may hold."""
MEGABYTE = 1024 * 1024


def copy_tree(door: Door, folder: str, to: str, what: str, limit: int) -> None:
    """Copy a folder, file by file; links stay links, and readers of the copy follow them only inside it."""
    left, count = limit, 0
    stack = [""]
    while stack:
        inner = stack.pop()
        os.mkdir(os.path.join(to, inner), 0o700)
        for name, is_folder, link in door.entries(os.path.join(folder, inner)):
            place = os.path.join(inner, name)
            count += 1
            if count > MEMBERS:
                raise BAD_ARCHIVE.error(what=what, why=f"it contains more than {MEMBERS} files")
            if link:
                os.symlink(os.readlink(os.path.join(folder, place)), os.path.join(to, place))
            elif is_folder:
                stack.append(place)
            else:
                data = door.read(os.path.join(folder, place), limit)
                left -= len(data)
                if left < 0:
                    raise TOO_BIG.error(what=what, limit=f"{limit // MEGABYTE} MB", hint="--max-size raises the limit")
                write_private(os.path.join(to, place), data)


def write_private(name: str, data: bytes) -> None:
    """A new file that only the user can read."""
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)


def replace_private(name: str, text: str) -> None:
    """Put a text in the place of another, whole."""
    temporary = f"{name}.{os.getpid()}"
    try:
        write_private(temporary, text.encode())
        os.replace(temporary, name)
    except OSError:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise


def private_folder(name: str) -> str:
    """A folder of the user's own, made where it is not there."""
    os.makedirs(name, mode=0o700, exist_ok=True)
    return name


def own_text(name: str) -> str:
    """The text of a file that plait wrote for itself."""
    with open(name, encoding="utf-8") as file:
        return file.read()


def checksum_of(path: str) -> str:
    """The SHA-256 of a copied file; of a folder, of the names and contents of its files, git's own folder aside."""
    import hashlib

    if os.path.isfile(path):
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    total = hashlib.sha256()
    for name in sorted(_names(path)):
        full = os.path.join(path, name)
        total.update(name.encode("utf-8", "surrogateescape") + b"\0")
        if os.path.islink(full):
            total.update(os.readlink(full).encode("utf-8", "surrogateescape"))
            continue
        with open(full, "rb") as file:
            total.update(hashlib.sha256(file.read()).digest())
    return total.hexdigest()


def _names(folder: str) -> list[str]:
    names = []
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        links = [name for name in folders if os.path.islink(os.path.join(at, name))]
        names += [os.path.relpath(os.path.join(at, name), folder) for name in (*files, *links)]
    return names
