"""Keeps the answer to one question, or finds it."""

from __future__ import annotations

import os

from plait.access.trace import AccessTrace, digest_of_value, what_became_of
from plait.keeping.code import code
from plait.keeping.notes import NEVER, EarlierAnswer
from plait.keeping.store import AnswerFile, AnswerWriter, KeptAnswer
from plait.keeping.written import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from plait.access.trace import Input

SHOWN = 3
"""How many files are named that changed."""


class Keeper:
    """One question: what was answered before, and what is answered now."""

    def __init__(self, question: bytes) -> None:
        file = AnswerFile(question)
        self._code = digest_of_value(code())
        self.why: str | None = NEVER
        """Why the earlier answer is not given again, once that was asked: the first input that differs."""
        self.earlier = self._found(file)
        """The answer of an earlier run, which may not be true any more."""
        self.trace: AccessTrace | None = None
        """What it depends on, once that was asked."""
        self.changed: list[str] = []
        """The files that changed since."""
        self.others: dict[Input, str] = {}
        """What else changed that it read, each with words for that."""
        self.writer = AnswerWriter(file, self.earlier)

    def _found(self, file: AnswerFile) -> KeptAnswer | None:
        found = KeptAnswer.find(file)
        if found is not None and found.record.get("code") != self._code:
            found.close()
            self.why = "plait itself has changed"
            return None
        return found

    def replay(self, out: TextIO, err: TextIO) -> int | None:
        """Print the earlier answer if it is still true, and give its exit status; None where it is not."""
        answer = self.earlier
        if answer is None or not answer.check():
            return None
        trace = AccessTrace.of(answer.record["trace"])  # type: ignore[arg-type]
        self.trace, self.changed = trace, list(trace.changed_files())
        self.others = dict(trace.told_differences())
        self.why = next(iter(self.others.values()), _told(self.changed) if self.changed else None)
        return self._print(answer, out, err) if self.why is None else None

    def _print(self, answer: KeptAnswer, out: TextIO, err: TextIO) -> int:
        messages = [*answer.record["messages"]]  # type: ignore[misc]
        for first, pieces in answer.batches():
            done = 0
            while messages and messages[0][0] - first < len(pieces):
                write_all(out, pieces[done : messages[0][0] - first])
                done = messages[0][0] - first
                err.write(messages.pop(0)[1])
            write_all(out, pieces[done:])
        err.writelines([text for _, text in messages])
        return answer.record["status"]  # type: ignore[return-value]

    def outdated(self) -> EarlierAnswer | None:
        """The earlier answer, parts of which may still be true."""
        answer = self.earlier
        if answer is None or self.trace is None or self.why is None:
            return None
        return EarlierAnswer(answer, self.changed, frozenset(self.others), self.trace)

    def keep(
        self, status: int, trace: AccessTrace, more: dict[str, object], messages: list[tuple[int, str]] | None = None
    ) -> None:
        """Keep what was printed, unless it depends on something that cannot be checked. `messages` are the texts that
        were written to standard error, each with the number of pieces that were printed before it."""
        if trace.unfollowed:
            self.writer.abandon()
            return
        known = {"status": status, "messages": messages or [], "count": self.writer.count, "trace": trace.data()}
        self.writer.finish({**known, "code": self._code, **more})

    def close(self) -> None:
        self.writer.abandon()
        if self.earlier is not None:
            self.earlier.close()


def _told(changed: list[str]) -> str:
    """The files that changed, in words; the first ones of many."""
    if len(changed) == 1:
        return what_became_of(changed[0])
    shown = [os.path.relpath(name) for name in changed[:SHOWN]]
    more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    return f"{len(changed)} files have changed: {', '.join(shown)}{more}"
