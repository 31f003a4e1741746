"""What was scanned before, kept between runs, so that a repository of many files is read at once.

One pack for each project, in the user's cache folder: for the content of each text its documents, as flat data. An
entry is found by content, so it is never wrong. Packs can be read by their user only, and carry checksums made with
the user's key (see `state`): a pack of another version or of another user, or a damaged entry, is ignored. Packs
are replaced in one step, so two runs do not disturb each other. Everything here can be deleted at any time; where it
cannot be written, or there is no key, runs work without it.

A pack is an index and the entries after it. A run reads the index and the entries that it needs. One that reads little
leaves no pack: scanning a few small files again costs nothing.
"""

from __future__ import annotations

import marshal
import os
import sys
from _blake2 import blake2b

from plait.access.environment import cache_folder
from plait.access.sinks import SECRET, is_kept
from plait.yaml.folder import make_room, opened
from plait.yaml.outline import Pack, Steps, columns, whole
from plait.yaml.program import READER, Program
from plait.yaml.state import SEAL_SIZE, NoState, is_own, open_state, seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO

    from plait.core.source import Source

    Entry = tuple[int, int, bytes]
    """Where an entry begins after the index, its length and its seal."""

WORTHWHILE = 8_000
"""How many characters a run must have read before it leaves a pack."""
PACK_LIMIT = 128_000_000
"""How large the pack of one project may become, in bytes: what does not fit is scanned again."""
_MAGIC = b"plait pack 3\n"


class ParseCache:
    """The pack of one project. `depth` is the budget that its texts were scanned with."""

    def __init__(self, root: str, *, depth: int = 1000, folder: str | None = None) -> None:
        self.folder = folder or cache_folder()
        self.stamp = f"{READER} {sys.version_info[:2]} {marshal.version} {depth}".encode()
        name = _digest(os.fsencode(os.path.realpath(root)) + b"\0" + self.stamp).hex()
        self.path = os.path.join(self.folder, name)
        self.hits = 0
        self._wanted = 0
        self._key: bytes | None = None
        self._index: dict[bytes, Entry] | None = None
        self._file: FileIO | None = None
        self._start = 0
        self._used: dict[bytes, bytes] = {}
        self._fresh: dict[str, tuple[list[Program], bool]] = {}
        """What was scanned in this run, by its text: most runs write none of it, so digests wait until then."""

    def get(self, source: Source) -> list[Program] | None:
        """The documents of a text that was scanned before, whole."""
        found = self.in_parts(source)
        return [whole(document) for document in found] if found is not None else None

    def in_parts(self, source: Source) -> list[Program | Pack] | None:
        """The same, those that are kept by their parts as they are."""
        self._wanted += len(source.text)
        if self._index is None:
            self._index = self._open()
        if source.text in self._fresh:  # under another name
            return list(self._fresh[source.text][0])
        key = _digest(source.text.encode()) if self._index else b""
        packed = self._entry(key) if key in self._index else None
        if packed is None:
            return None
        self.hits += 1
        self._used[key] = packed
        return [Pack(found) if isinstance(found[0], int) else Program(*found) for found in marshal.loads(packed)]

    def put(self, source: Source, programs: list[Program], apart: bool = False) -> None:
        """Remember a text, unless it contains a secret; `apart` where it will be asked for by its parts."""
        if is_kept(SECRET) or not any(program.secret for program in programs):
            self._fresh[source.text] = (programs, apart)

    def save(self, is_worthwhile: bool = True) -> None:
        """Write the pack, if there is anything new and it pays. What this run did not use stays while there is room."""
        if is_worthwhile and self._fresh and self._wanted >= WORTHWHILE:
            entries = {
                _digest(text.encode()): marshal.dumps([_kept(program, apart) for program in programs])
                for text, (programs, apart) in self._fresh.items()
            }
            entries.update(self._used)
            self._write(self._fitting(entries))
        self._fresh = {}
        if self._file is not None:
            self._file.close()
        self._index = self._file = None

    def _fitting(self, entries: dict[bytes, bytes]) -> dict[bytes, bytes]:
        """What this run used, as far as there is room, and then what earlier ones did."""
        fitting: dict[bytes, bytes] = {}
        size = 0
        for key, packed in entries.items():
            if size + len(packed) <= PACK_LIMIT:
                fitting[key] = packed
                size += len(packed)
        for key, (_, length, _) in (self._index or {}).items():
            if key not in entries and size + length <= PACK_LIMIT and (packed := self._entry(key) or b""):
                fitting[key] = packed
                size += length
        return fitting

    def _open(self) -> dict[bytes, Entry]:
        """The index of the pack; an empty one where there is no pack."""
        head = len(_MAGIC) + 4 + SEAL_SIZE
        try:
            if not is_own(self.folder):
                return {}
            self._file = opened(self.path)
            data = self._file.read(head)
            length, found = int.from_bytes(data[len(_MAGIC) : -SEAL_SIZE], "big"), data[-SEAL_SIZE:]
            there = data.startswith(_MAGIC) and length <= os.fstat(self._file.fileno()).st_size - len(data)
            body = self._file.read(length) if there else b""
            if not body or self._seal(body) != found:
                return {}
            self._start = head + length
            stamp, index = marshal.loads(body)
            return index if stamp == self.stamp else {}
        except (OSError, NoState):
            return {}

    def _seal(self, data: bytes) -> bytes:
        """A checksum that only this user can make: what is unpacked was written by a run of plait, and is whole."""
        if self._key is None:
            self._key = open_state().key
        return seal(self._key, data)

    def _entry(self, key: bytes) -> bytes | None:
        assert self._index is not None
        assert self._file is not None
        at, length, found = self._index[key]
        packed = os.pread(self._file.fileno(), length, self._start + at)
        return packed if self._seal(key + packed) == found else None

    def _write(self, entries: dict[bytes, bytes]) -> None:
        index: dict[bytes, Entry] = {}
        at = 0
        try:
            for key, packed in entries.items():
                index[key] = (at, len(packed), self._seal(key + packed))
                at += len(packed)
            body = marshal.dumps((self.stamp, index))
            head = _MAGIC + len(body).to_bytes(4, "big") + self._seal(body)
            if not is_own(self.folder, make=True):
                return
            from plait.yaml.writer import replace_file

            replace_file(self.path, b"".join([head, body, *entries.values()]))
            make_room(self.path, self.folder)
        except (OSError, NoState):
            return


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def _kept(program: Program, apart: bool) -> object:
    """A document as an entry holds it."""
    branch = Steps.of(program) if apart else None
    return branch.packed() if branch is not None else columns(program)
