"""Files to text: one read, one decoding, and a clear answer for everything that is not a readable text.

UTF-8 and UTF-16 (and UTF-32) are read, with or without a byte order mark. Characters that YAML forbids are refused here,
with their place, so that no later stage meets them. `-` is standard input.
"""

from __future__ import annotations

import os
import re
import stat
import sys

from plait.core.diagnostic import Label, PlaitError
from plait.core.source import Source
from plait.report.catalog import CHANGED, IS_FOLDER, NO_FILE, NOT_TEXT, TOO_LARGE, UNREADABLE
from plait.report.near import nearest

MEGABYTE = 1024 * 1024
SIZE_LIMIT = 64 * MEGABYTE
STDIN = "<stdin>"

BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WIDE = (("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1))
"""Encodings of several bytes a character: how many, and which of them an ASCII letter fills."""

_LEGAL_BYTES = bytes(byte for byte in range(256) if (byte >= 32 and byte != 127) or byte in b"\t\n\r")
_FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]"
_FORBIDDEN_WIDE = "[\x80-\x84\x86-\x9f\ufffe\uffff]"
"""Not compiled before a text needs it: most are ASCII, and the look at their bytes is enough."""


def read_source(name: str, *, size_limit: int = SIZE_LIMIT) -> Source:
    """The text of a file, or of standard input for `-`."""
    data = read_bytes(name, size_limit=size_limit)
    return decode(STDIN if name == "-" else name, data)


def read_bytes(name: str, *, size_limit: int = SIZE_LIMIT) -> bytes:
    """The bytes of a file that holds still while it is read; a second try if it does not."""
    if name == "-":
        return _within(STDIN, sys.stdin.buffer.read(size_limit + 1), size_limit)
    try:
        data = _read_once(name, size_limit)
        if data is None:
            data = _read_once(name, size_limit)
    except (OSError, ValueError) as trouble:
        raise _refusal(name, trouble) from None
    if data is None:
        raise CHANGED.error(name=name, hint="somebody is writing to it; try again")
    return data


def _read_once(name: str, size_limit: int) -> bytes | None:
    """The bytes, or None if the file changed meanwhile. The size is looked at before anything is read."""
    handle = os.open(name, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        before = os.fstat(handle)
        if stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError
        if before.st_size > size_limit:
            raise _too_large(name, size_limit)
        if not stat.S_ISREG(before.st_mode):  # a pipe or a device has no size
            return _within(name, _read_all(handle, size_limit + 1), size_limit)
        data = _read_all(handle, before.st_size)
        after = os.fstat(handle)
        same = before.st_mtime_ns == after.st_mtime_ns and len(data) == before.st_size == after.st_size
        return data if same else None
    finally:
        os.close(handle)


def _read_all(handle: int, most: int) -> bytes:
    """What the handle gives, up to `most` bytes. One call for an ordinary file."""
    data = os.read(handle, most)
    pieces = [data]
    most -= len(data)
    while data and most > 0:
        data = os.read(handle, min(most, MEGABYTE))
        pieces.append(data)
        most -= len(data)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _within(name: str, data: bytes, size_limit: int) -> bytes:
    if len(data) > size_limit:
        raise _too_large(name, size_limit)
    return data


def _too_large(name: str, size_limit: int) -> PlaitError:
    limit = f"{size_limit // MEGABYTE} MB" if size_limit >= MEGABYTE else f"{size_limit} bytes"
    return TOO_LARGE.error(name=name, limit=limit, hint="--max-size raises the limit")


def _refusal(name: str, trouble: OSError | ValueError) -> PlaitError:
    """Why the system did not give us the file, and what to do."""
    if isinstance(trouble, FileNotFoundError):
        return NO_FILE.error(name=name, hint=_near_files(name))
    if isinstance(trouble, IsADirectoryError):
        return IS_FOLDER.error(name=name, hint="name the files in it")
    if isinstance(trouble, PermissionError):
        return UNREADABLE.error(name=name, why="no permission", hint="look at its permissions with `ls -l`")
    why = (trouble.strerror if isinstance(trouble, OSError) else None) or str(trouble)
    return UNREADABLE.error(name=name, why=why, hint="check the path")


def _near_files(name: str) -> str:
    """Files of the same folder with a similar name; else how much of the path exists."""
    folder, base = os.path.split(name)
    try:
        near = nearest(base, os.listdir(folder or "."))
    except OSError:
        return f"there is no folder `{folder}`"
    if near:
        return f"did you mean {' or '.join(f'`{os.path.join(folder, other)}`' for other in near)}?"
    return f"no file in `{folder or '.'}` has a similar name"


def encoding_of(data: bytes) -> tuple[str, int]:
    """How bytes encode text, and the length of the byte order mark."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    if b"\0" in data[:4]:
        for encoding, width, filled in _WIDE:
            if _looks_wide(data[:64], width, filled) and len(data) % width == 0:
                return encoding, 0
    return "utf-8", 0


def _looks_wide(head: bytes, width: int, filled: int) -> bool:
    """Whether most characters are ASCII letters padded with NULs: YAML's own way to tell encodings apart."""
    empty = b"".join(head[place::width] for place in range(width) if place != filled)
    return 0 not in head[filled::width] and 4 * empty.count(0) > 3 * len(empty)


def decode(name: str, data: bytes) -> Source:
    """Bytes as a source, or a diagnostic with the place of what is no text."""
    encoding, skip = encoding_of(data)
    try:
        text = str(memoryview(data)[skip:] if skip else data, encoding)
    except UnicodeDecodeError as trouble:
        raise _undecodable(name, data[skip:], encoding, trouble) from None
    controls = data.translate(None, _LEGAL_BYTES) if encoding == "utf-8" else b"\0"
    found = None
    if controls:
        found = re.search(_FORBIDDEN, text)
    elif not text.isascii():
        found = re.search(_FORBIDDEN_WIDE, text)
    source = Source(name, text)
    if found is not None:
        raise _forbidden(source, found.start())
    return source


def _undecodable(name: str, data: bytes, encoding: str, trouble: UnicodeDecodeError) -> PlaitError:
    shown = Source(name, data.decode(encoding, "replace"))
    at = len(data[: trouble.start].decode(encoding, "replace"))
    why = f"byte {data[trouble.start]:#04x} at offset {trouble.start} is no {encoding[:6].rstrip('-').upper()}"
    return NOT_TEXT.error(Label.at(shown, at), name=name, why=why, hint="save the file as UTF-8")


def _forbidden(source: Source, at: int) -> PlaitError:
    code = ord(source.text[at])
    what = "a NUL byte" if code == 0 else f"the control character U+{code:04X}"
    if code >= 0xFFFE:
        what = f"U+{code:04X}, which is no character"
    return NOT_TEXT.error(
        Label.at(source, at),
        name=source.name,
        why=f"it holds {what}",
        hint="YAML allows it only as an escape in double quotes",
    )
