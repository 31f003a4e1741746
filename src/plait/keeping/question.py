"""What makes two runs the same question, and what a run prints, recorded until it is known whether it will be kept.

Every run of a command whose answers are kept loads this module, most of them for nothing: it is small, and imports
little.
"""

from __future__ import annotations

import os
import sys

from plait.access.environment import answers_folder, variables_of
from plait.access.trace import digest_of, stamp_now
from plait.keeping.written import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from plait.access.trace import AccessTrace
    from plait.keeping.keeper import Keeper

FORMAT = 6
"""The version of what is kept: another number makes everything that was kept useless."""
OWN = ("PLAIT_", "ATMOS_", "XDG_", "PYTHON", "LC_")
NAMES = ("HOME", "TZ", "LANG", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM", "SUDO_UID")
"""Variables that may change what plait does, whatever the files say."""
ZONE = "/etc/localtime"
HELD = 32_000_000
"""Characters that are printed before any of them are handed on to be written."""


def question_of(version: str, words: list[str], terminals: tuple[int, ...]) -> bytes:
    """A digest of everything that is known before a run begins and that its answer may depend on."""
    own = variables_of(NAMES, OWN)
    facts = (
        FORMAT,
        version,
        sys.version,
        words,
        os.getcwd(),
        terminals,
        own,
        stamp_now(ZONE),
        sys.stdout.encoding if sys.stdout is not None else "",
    )
    return digest_of(repr(facts).encode("utf-8", "surrogatepass"))


def has_answer(question: bytes) -> bool:
    """Whether something is kept under the name of a question. It may be damaged, or not true any more."""
    return os.path.exists(os.path.join(answers_folder(), question.hex()))


class Tee:
    """A stream of which everything that is written is recorded as well."""

    def __init__(self, stream: TextIO, record: Callable[[list[str]], None]) -> None:
        self._stream = stream
        self._record = record
        self.isatty = stream.isatty
        self.flush = stream.flush
        self.fileno = stream.fileno

    def write(self, text: str) -> int:
        self._record([text])
        return self._stream.write(text)

    def writelines(self, pieces: list[str]) -> None:
        self._record(pieces)
        if len(pieces) == 1:
            self._stream.write(pieces[0])
        else:
            write_all(self._stream, pieces)


class Recording:
    """One run. `open_keeper` finds the file of its answer; most runs need none."""

    def __init__(self, open_keeper: Callable[[], Keeper]) -> None:
        self._open_keeper = open_keeper
        self._keeper: Keeper | None = None
        self._pieces: list[str] = []
        """What was printed and not handed on yet."""
        self._size = 0
        self._count = 0
        self._messages: list[tuple[int, str]] = []
        """What was written to standard error, each text with the number of pieces that were printed before it."""

    def streams(self, out: TextIO, err: TextIO) -> tuple[TextIO, TextIO]:
        """The two streams, with everything that is written to them recorded as well."""
        return Tee(out, self._print), Tee(err, self._tell)  # type: ignore[return-value]

    def keeper(self) -> Keeper:
        """The keeper of the answer; what is printed from now on is handed on to it."""
        if self._keeper is None:
            self._keeper = self._open_keeper()
            self._hand_on()
        return self._keeper

    def keep(self, status: int, trace: AccessTrace, more: dict[str, object]) -> None:
        """Keep what was printed, unless it depends on something that cannot be checked."""
        if not trace.unfollowed:
            self.keeper().keep(status, trace, more, self._messages)

    def close(self) -> None:
        if self._keeper is not None:
            self._keeper.close()

    def _print(self, pieces: list[str]) -> None:
        self._count += len(pieces)
        self._pieces += pieces
        self._size += sum(map(len, pieces)) if self._keeper is None else 0
        if self._keeper is not None or self._size > HELD:
            self.keeper()
            self._hand_on()

    def _hand_on(self) -> None:
        assert self._keeper is not None
        if self._pieces:
            self._keeper.writer.extend(self._pieces)
            self._pieces, self._size = [], 0

    def _tell(self, pieces: list[str]) -> None:
        self._messages += [(self._count, text) for text in pieces]
