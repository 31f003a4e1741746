"""One file for each question, in the user's cache folder: what was printed, in segments, and after them what it
depends on.

Files can be read by their user only, and every part carries a checksum made with the user's key (see `yaml.state`). A
file is complete before it gets its name, so runs do not disturb each other; where it cannot be written, or there is no
key, runs work without it. An answer is written while it is printed: a large one is never in memory as a whole.
"""

from __future__ import annotations

import marshal
import os
import zlib
from contextlib import suppress
from itertools import compress, count
from operator import ne

from plait.access.environment import answers_folder
from plait.yaml.folder import cache_folders, make_room, opened
from plait.yaml.state import SEAL_SIZE, NoState, open_state, seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import BufferedWriter, FileIO
    from typing import Any

    Patches = dict[int, str]
    """Pieces that differ from those that were written, by their numbers in the segment."""
    Segment = tuple[int, int, int, Patches]
    """The number of its first piece, where it begins in the file, its length, and what differs."""

MAGIC = b"plait answer 5\n"
SEGMENT = 32_000_000
"""Characters of pieces after which a segment is written. A text that several pieces share counts for each."""
LOADED = 8
"""How many segments of an earlier answer are in memory at a time."""
FEW = 8
"""Where there are at most one in so many texts that differ from a segment that was written, only these are written."""
QUICK = 1
"""The level of compression."""
BARE = -15
"""How compressed data is framed: with no checksum of its own, because the seal is one."""
RECORD = -1
"""The number of the record, which comes after the segments."""
END = 16
"""The length of what is at the end of a file: where the record begins, and its length."""


class AnswerFile:
    """Where the answer to a question is kept, and the key of its checksums; None where there is no key."""

    __slots__ = ("folder", "key", "path", "question")

    def __init__(self, question: bytes) -> None:
        self.question = question
        self.folder = answers_folder()
        self.path = os.path.join(self.folder, question.hex())
        self.key: bytes | None = None
        with suppress(NoState):
            self.key = open_state().key


class KeptAnswer:
    """The answer of an earlier run."""

    def __init__(self, file: FileIO, key: bytes, question: bytes, record: dict[str, object]) -> None:
        self._file = file
        self._key = key
        self._question = question
        self.record = record
        self.segments: list[Segment] = record["segments"]  # type: ignore[assignment]
        self._loaded: dict[int, list[str]] = {}
        """The last segments that were read."""

    @classmethod
    def find(cls, place: AnswerFile) -> KeptAnswer | None:
        """The answer in a file; None where there is none that can be trusted."""
        key, question = place.key, place.question
        if key is None or place.folder not in cache_folders():
            return None
        try:
            file = opened(place.path)
        except OSError:
            return None
        try:
            record = _record(file, key, question)
            os.utime(place.path)
        except (OSError, ValueError, EOFError, TypeError, zlib.error):
            record = None
        if record is None:
            file.close()
            return None
        return cls(file, key, question, record)

    def batches(self) -> Iterator[tuple[int, list[str]]]:
        """What was printed, by segments: the number of the first piece, and the pieces."""
        for number, segment in enumerate(self.segments):
            yield segment[0], self._segment(number)

    def check(self) -> bool:
        """Whether every segment is there and unchanged."""
        return all(self._sealed(number) is not None for number in range(len(self.segments)))

    def slice(self, start: int, end: int) -> list[str]:
        """Some pieces, by their numbers."""
        lines: list[str] = []
        for number, (first, *_) in enumerate(self.segments):
            following = self.segments[number + 1][0] if number + 1 < len(self.segments) else end
            if first < end and start < following:
                lines += self._segment(number)[max(start - first, 0) : end - first]
        if len(lines) != end - start:
            raise ValueError
        return lines

    def _segment(self, number: int) -> list[str]:
        if number not in self._loaded:
            sealed = self._sealed(number)
            if sealed is None:
                raise ValueError
            while len(self._loaded) >= LOADED:
                del self._loaded[next(iter(self._loaded))]
            pieces = self._loaded[number] = _unpacked(sealed[:-SEAL_SIZE])
            for at, text in self.segments[number][3].items():
                pieces[at] = text
        return self._loaded[number]

    def ends_at(self, number: int, count: int) -> bool:
        """Whether a segment ends after so many pieces of the answer, and others follow."""
        return number + 1 < len(self.segments) and self.segments[number + 1][0] == count

    def alike(self, number: int, first: int, pieces: list[str]) -> tuple[bytes, Patches] | None:
        """The sealed bytes of a segment that holds nearly the same pieces, where it was read, and what differs."""
        old = self._loaded.get(number, ())
        if len(old) != len(pieces) or self.segments[number][0] != first:
            return None
        patches = {at: pieces[at] for at in compress(count(), map(ne, old, pieces))}
        patches = {**self.segments[number][3], **patches}
        sealed = self._sealed(number) if len({*map(id, patches.values())}) * FEW <= len(pieces) else None
        return (sealed, patches) if sealed is not None else None

    def _sealed(self, number: int) -> bytes | None:
        _, at, length, _ = self.segments[number]
        sealed = os.pread(self._file.fileno(), length, at)
        return sealed if _is_sealed(sealed, self._key, self._question, number) else None

    def close(self) -> None:
        self._file.close()


def _with_seal(data: bytes, key: bytes, question: bytes, number: int) -> bytes:
    return data + seal(key, b"%s%d:%s" % (question, number, data))


def _is_sealed(sealed: bytes, key: bytes, question: bytes, number: int) -> bool:
    return _with_seal(sealed[:-SEAL_SIZE], key, question, number) == sealed


def _packed(value: Any) -> bytes:
    packing = zlib.compressobj(QUICK, zlib.DEFLATED, BARE)
    return packing.compress(marshal.dumps(value)) + packing.flush()


def _unpacked(data: bytes) -> Any:
    return marshal.loads(zlib.decompress(data, BARE))


def _record(file: FileIO, key: bytes, question: bytes) -> dict[str, object] | None:
    size = os.fstat(file.fileno()).st_size
    end = os.pread(file.fileno(), END, size - END)  # an error where the file is shorter
    at, length = int.from_bytes(end[:8], "big"), int.from_bytes(end[8:], "big")
    if at + length + END != size or os.pread(file.fileno(), len(MAGIC), 0) != MAGIC:
        return None
    sealed = os.pread(file.fileno(), length, at)
    found = _unpacked(sealed[:-SEAL_SIZE]) if _is_sealed(sealed, key, question, RECORD) else None
    return found if isinstance(found, dict) else None


class AnswerWriter:
    """Writes one answer. Trouble with the disk ends the writing, not the run."""

    def __init__(self, file: AnswerFile, earlier: KeptAnswer | None = None) -> None:
        self.question = file.question
        self._earlier = earlier
        self.count = 0
        """How many pieces there are so far."""
        self._key = file.key
        self._file: BufferedWriter | None = None
        self._folder, self._path = file.folder, file.path
        self._fresh = f"{self._path}.{os.getpid()}.{os.urandom(4).hex()}.new"
        self._pieces: list[str] = []
        self._size = 0
        self._segments: list[Segment] = []
        self._failed = self._key is None

    def extend(self, pieces: list[str]) -> None:
        self.count += len(pieces)
        self._pieces += pieces
        self._size += sum(map(len, pieces))
        if self._size > SEGMENT or self._ends_here():
            self._flush()

    def _ends_here(self) -> bool:
        """Whether a segment of the earlier answer ends at the same piece: then it may be taken as it is."""
        return self._earlier is not None and self._earlier.ends_at(len(self._segments), self.count)

    def finish(self, record: dict[str, object]) -> None:
        """Give the file its name: the answer is complete."""
        self._flush()
        self._attempt(lambda: self._complete(record))
        self.abandon()

    def abandon(self) -> None:
        """Leave nothing behind of an answer that is not to be kept."""
        self._failed = True
        self._pieces = []
        if self._file is not None:
            self._file.close()
            self._file = None
            with suppress(OSError):
                os.unlink(self._fresh)

    def _flush(self) -> None:
        if self._pieces and not self._failed:
            first = self.count - len(self._pieces)
            earlier, number = self._earlier, len(self._segments)
            alike = earlier.alike(number, first, self._pieces) if earlier is not None else None
            sealed, patches = alike or (self._sealed(number, self._pieces), {})
            self._attempt(lambda: self._segments.append((first, *self._write(sealed), patches)))
        self._pieces, self._size = [], 0

    def _attempt(self, work: Callable[[], object]) -> None:
        if self._failed:
            return
        try:
            work()
        except (OSError, ValueError):
            self.abandon()

    def _sealed(self, number: int, value: object) -> bytes:
        assert self._key is not None
        return _with_seal(_packed(value), self._key, self.question, number)

    def _write(self, sealed: bytes) -> tuple[int, int]:
        file = self._opened()
        at = file.tell()
        file.write(sealed)
        return at, len(sealed)

    def _complete(self, record: dict[str, object]) -> None:
        at, length = self._write(self._sealed(RECORD, {**record, "segments": self._segments}))
        file = self._opened()
        file.write(at.to_bytes(8, "big") + length.to_bytes(8, "big"))
        file.close()
        self._file = None
        os.replace(self._fresh, self._path)
        make_room(self._path)

    def _opened(self) -> BufferedWriter:
        if self._file is None:
            if self._folder not in cache_folders(make=True):
                raise PermissionError
            handle = os.open(self._fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            self._file = open(handle, "wb")  # noqa: SIM115  closed when the answer is complete
            self._file.write(MAGIC)
        return self._file
