"""Keeps the answer to one question, or finds it."""

from __future__ import annotations

from plait.access.environment import variables
from plait.access.trace import QUESTIONS, AccessTrace, FileTrace, digest_of, listed, stamp_now
from plait.keeping.store import AnswerWriter, KeptAnswer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO


class Tee:
    """A stream of which everything that is written is kept as well."""

    def __init__(self, stream: TextIO, keeper: Keeper, is_error: bool) -> None:
        self._stream = stream
        self._keeper = keeper
        self._is_error = is_error
        self.isatty = stream.isatty
        self.flush = stream.flush
        self.fileno = stream.fileno

    def write(self, text: str) -> int:
        if self._is_error:
            self._keeper.said.append((self._keeper.writer.count, text))
        else:
            self._keeper.writer.extend([text])
        return self._stream.write(text)

    def writelines(self, pieces: list[str]) -> None:
        if self._is_error:
            self._keeper.said += [(self._keeper.writer.count, text) for text in pieces]
        else:
            self._keeper.writer.extend(pieces)
        self._stream.writelines(pieces)


class EarlierAnswer:
    """An answer that is not true any more, because some files changed, and nothing else did."""

    def __init__(self, found: KeptAnswer, changed: list[str]) -> None:
        self.changed = frozenset(changed)
        """The names of the files that changed."""
        self.more: dict[str, Any] = found.record
        self.slice = found.slice


class Keeper:
    """One question: what was answered before, and what is answered now."""

    def __init__(self, question: bytes) -> None:
        self.earlier = KeptAnswer.find(question)
        """The answer of an earlier run, which may not be true any more."""
        self.changed: list[str] | None = None
        """The files that changed since; None where something else did."""
        self.writer = AnswerWriter(question, self.earlier)
        self.said: list[tuple[int, str]] = []
        """What was written to standard error, each text with the number of pieces that were printed before it."""

    def recording(self, stream: TextIO, is_error: bool = False) -> TextIO:
        """The stream, with everything that is written to it kept as well."""
        return Tee(stream, self, is_error)  # type: ignore[return-value]

    def replay(self, out: TextIO, err: TextIO) -> int | None:
        """Print the earlier answer if it is still true, and give its exit status; None where it is not."""
        found = self.earlier
        self.changed = changed_files(found.record["trace"]) if found is not None and found.check() else None
        if found is None or self.changed != []:
            return None
        said = [*found.record["said"]]  # type: ignore[misc]
        for first, pieces in found.batches():
            done = 0
            while said and said[0][0] - first < len(pieces):
                out.writelines(pieces[done : said[0][0] - first])
                done = said[0][0] - first
                err.write(said.pop(0)[1])
            out.writelines(pieces[done:])
        err.writelines(text for _, text in said)
        return found.record["status"]  # type: ignore[return-value]

    def outdated(self) -> EarlierAnswer | None:
        """The earlier answer, where parts of it may still be true: it reported nothing, and only files changed."""
        if self.earlier is None or not self.changed or self.earlier.record["said"] or self.earlier.record["status"]:
            return None
        return EarlierAnswer(self.earlier, self.changed)

    def keep(self, status: int, trace: AccessTrace, more: dict[str, object]) -> None:
        """Keep what was printed, unless it depends on something that cannot be checked."""
        if trace.unfollowed:
            self.writer.abandon()
            return
        count = self.writer.count
        self.writer.finish({"status": status, "said": self.said, "count": count, "trace": data_of(trace), **more})

    def close(self) -> None:
        self.writer.abandon()
        if self.earlier is not None:
            self.earlier.close()


def data_of(trace: AccessTrace) -> dict[str, object]:
    """A trace as plain data. Values of variables are not written, only their digests."""
    looked = [(*asked, found) for asked, found in trace.looked.items() if not _implied(trace, *asked)]
    return {
        "files": {name: (file.stamp, file.digest, file.settled) for name, file in trace.files.items()},
        "looked": looked,
        "folders": {name: _digest(entries) for name, entries in trace.folders.items()},
        "stamped": trace.stamped,
        "variables": {name: _digest(value) for name, value in trace.variables.items()},
    }


def _implied(trace: AccessTrace, question: str, name: str) -> bool:
    """Whether a question about a name has its answer in that the file was read."""
    return question == "file" and name in trace.files


def _digest(value: object) -> bytes:
    return digest_of(repr(value).encode("utf-8", "surrogatepass"))


def changed_files(data: Any) -> list[str] | None:
    """The files that a trace read and that have other bytes now; None where anything else differs, too."""
    if not _surroundings_hold(data):
        return None
    return [name for name, known in data["files"].items() if not FileTrace(*known).holds(name)]


def changed_names(data: Any) -> list[str]:
    """The names of everything that a trace asked for and that is different now."""
    return [
        *(name for name, known in data["files"].items() if not FileTrace(*known).holds(name)),
        *(name for name, found in data["stamped"].items() if stamp_now(name) != found),
        *(name for question, name, found in data["looked"] if QUESTIONS[question](name) != found),
        *(name for name, found in data["folders"].items() if _digest(listed(name)) != found),
    ]


def _surroundings_hold(data: Any) -> bool:
    now = variables()
    return (
        all(_digest(now.get(name)) == found for name, found in data["variables"].items())
        and all(stamp_now(name) == found for name, found in data["stamped"].items())
        and all(QUESTIONS[question](name) == found for question, name, found in data["looked"])
        and all(_digest(listed(name)) == found for name, found in data["folders"].items())
    )
