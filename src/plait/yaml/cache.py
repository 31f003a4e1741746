"""What was scanned before, kept between runs, so that a repository of many files is read at once.

One pack for each project, in the user's cache folder: for the content of each text its programs, as flat data. An entry is found by
content, so it is never wrong; a pack of another version, or one that is damaged, is no pack. Packs are replaced in one
step, so two runs do not disturb each other. Everything here can be deleted at any time, and what cannot be written is not.

A run that reads little does not look: opening a pack costs more than scanning a few small files.
"""

from __future__ import annotations

import marshal
import os
import sys
from _blake2 import blake2b
from zlib import crc32

from plait.yaml.scan import READER, Program
from plait.yaml.write import replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.source import Source

WORTHWHILE = 8_000
"""How many characters a run must want before the pack is opened."""
PACK_LIMIT = 32_000_000
FOLDER_LIMIT = 128_000_000
_MAGIC = b"plait pack\n"


def cache_folder() -> str:
    """Where the user's caches are."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".cache"), "plait")


class ParseCache:
    """The pack of one project. `depth` is the budget that its texts were scanned with."""

    def __init__(self, root: str, *, depth: int = 1000, folder: str | None = None) -> None:
        self.folder = folder or cache_folder()
        self.stamp = f"{READER} {sys.version_info[:2]} {marshal.version} {depth}".encode()
        name = _digest(os.fsencode(os.path.realpath(root)) + b"\0" + self.stamp).hex()
        self.path = os.path.join(self.folder, name)
        self.hits = 0
        self._wanted = 0
        self._old: dict[bytes, bytes] | None = None
        self._used: dict[bytes, bytes] = {}
        self._fresh: dict[bytes, tuple[Program, ...]] = {}

    def get(self, source: Source) -> list[Program] | None:
        """The programs of a text that was scanned before."""
        self._wanted += len(source.text)
        if self._wanted < WORTHWHILE:
            return None
        if self._old is None:
            self._old = self._read()
        key = _digest(source.text.encode())
        packed = self._old.get(key)
        if packed is None:
            return None
        self.hits += 1
        self._used[key] = packed
        return [Program(*columns) for columns in marshal.loads(packed)]

    def put(self, source: Source, programs: list[Program]) -> None:
        """Remember a text, if this run is one that looks."""
        if self._old is not None:
            self._fresh[_digest(source.text.encode())] = tuple(programs)

    def save(self) -> None:
        """Write the pack, if there is anything new. What this run did not use stays while there is room."""
        if not self._fresh:
            return
        entries = {key: marshal.dumps([_columns(program) for program in programs]) for key, programs in self._fresh.items()}
        entries.update(self._used)
        size = sum(map(len, entries.values()))
        for key, packed in (self._old or {}).items():
            if key not in entries and size + len(packed) <= PACK_LIMIT:
                entries[key] = packed
                size += len(packed)
        if size <= PACK_LIMIT:
            self._write(entries)
        self._fresh = {}

    def _read(self) -> dict[bytes, bytes]:
        try:
            with open(self.path, "rb") as file:
                data = file.read()
            head = len(_MAGIC) + 4
            body = memoryview(data)[head:]
            if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : head] != crc32(body).to_bytes(4, "big"):
                return {}
            stamp, entries = marshal.loads(body)
            return entries if stamp == self.stamp else {}
        except (OSError, ValueError, EOFError, TypeError):
            return {}

    def _write(self, entries: dict[bytes, bytes]) -> None:
        body = marshal.dumps((self.stamp, entries))
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            replace_file(self.path, _MAGIC + crc32(body).to_bytes(4, "big") + body)
            self._make_room()
        except OSError:
            return

    def _make_room(self) -> None:
        """Drop the packs that were not written for the longest time, where all together are too large."""
        packs = [(entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in os.scandir(self.folder)]
        total = sum(size for _, size, _ in packs)
        for _, size, path in sorted(packs):
            if total <= FOLDER_LIMIT:
                return
            if path != self.path:
                os.unlink(path)
                total -= size


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def _columns(program: Program) -> tuple[object, ...]:
    return bytes(program.kinds), list(program.ats), list(program.texts), program.props
