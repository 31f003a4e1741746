"""Keeps the answer to one question, or finds it."""

from __future__ import annotations

from plait.access.trace import AccessTrace
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

    def __init__(self, found: KeptAnswer, changed: list[str], trace: AccessTrace) -> None:
        self.changed = frozenset(changed)
        """The names of the files that changed."""
        self.trace = trace
        """What it depends on."""
        self.more: dict[str, Any] = found.record
        self.slice = found.slice


class Keeper:
    """One question: what was answered before, and what is answered now."""

    def __init__(self, question: bytes) -> None:
        self.earlier = KeptAnswer.find(question)
        """The answer of an earlier run, which may not be true any more."""
        self.trace: AccessTrace | None = None
        """What it depends on, where nothing but files has changed since."""
        self.changed: list[str] = []
        """The files that changed since."""
        self.writer = AnswerWriter(question, self.earlier)
        self.said: list[tuple[int, str]] = []
        """What was written to standard error, each text with the number of pieces that were printed before it."""

    def recording(self, stream: TextIO, is_error: bool = False) -> TextIO:
        """The stream, with everything that is written to it kept as well."""
        return Tee(stream, self, is_error)  # type: ignore[return-value]

    def replay(self, out: TextIO, err: TextIO) -> int | None:
        """Print the earlier answer if it is still true, and give its exit status; None where it is not."""
        found = self.earlier
        if found is None or not found.check():
            return None
        trace = AccessTrace.of(found.record["trace"])  # type: ignore[arg-type]
        if not trace.surroundings_hold():
            return None
        self.trace, self.changed = trace, list(trace.changed_files())
        return None if self.changed else self._print(found, out, err)

    def _print(self, found: KeptAnswer, out: TextIO, err: TextIO) -> int:
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
        found = self.earlier
        if found is None or self.trace is None or not self.changed or found.record["said"] or found.record["status"]:
            return None
        return EarlierAnswer(found, self.changed, self.trace)

    def keep(self, status: int, trace: AccessTrace, more: dict[str, object]) -> None:
        """Keep what was printed, unless it depends on something that cannot be checked."""
        if trace.unfollowed:
            self.writer.abandon()
            return
        count = self.writer.count
        self.writer.finish({"status": status, "said": self.said, "count": count, "trace": trace.data(), **more})

    def close(self) -> None:
        self.writer.abandon()
        if self.earlier is not None:
            self.earlier.close()
