"""Long output on a terminal, in the user's pager.

The pager is a command of the user: `PAGER` of the environment, else `less`. Nothing that a repository brings can name
one.
"""

from __future__ import annotations

import os
from contextlib import suppress
from shutil import which

from plait.access.environment import variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

LESS = "FRX"
"""What less does if the user says nothing: end where the text fits, pass colours through, leave the screen as it is."""


def pager_command() -> list[str]:
    """The words of the user's pager; none where there is no pager, or the terminal cannot show one."""
    import shlex

    found = variables()
    if found.get("TERM", "dumb") == "dumb":
        return []
    try:
        words = shlex.split(found.get("PAGER", "less"))
    except ValueError:
        return []
    return [] if words == ["cat"] else words


class Screen:
    """A terminal as a command sees it: output that is longer than it is handed to the user's pager, and what is written
    on standard error comes after the output.

    `out` and `err` take the places of the two streams. Output is held until it is known whether it fits.
    """

    def __init__(self, out: TextIO, err: TextIO, command: list[str], fit: Callable[[str], str] | None = None) -> None:
        self.terminal = out
        self.errors = err
        self.command = command
        self.fit = fit
        self.room = terminal_size(out.fileno())[1] - 1
        self.held: list[str] = []
        self.later: list[str] = []
        self.lines = 0
        self.process: WaitingPager | None = None
        self._waiting = WaitingPager(command) if command and which(command[0]) else None
        self.out: TextIO = TerminalStream(out, self.show)  # type: ignore[assignment]
        self.err: TextIO = TerminalStream(err, self.later.append)  # type: ignore[assignment]

    def show(self, text: str) -> None:
        """Take a piece of the output."""
        text = self.fit(text) if self.fit is not None else text
        if self.process is not None:
            self.process.stdin.write(text)
            return
        self.held.append(text)
        self.lines += text.count("\n")
        if self.command and self.lines >= self.room:
            self._start()

    def _start(self) -> None:
        self.process, self._waiting = self._waiting, None
        if self.process is None:
            return
        self.process.start()
        held, self.held = self.held, []
        self.process.stdin.write("".join(held))

    def close(self) -> None:
        """Write what was held, or wait until the user has read it; then what was written on standard error."""
        process, self.process = self.process, None
        if process is not None:
            process.wait()
        elif self._waiting is not None:
            self._waiting.dismiss()
        self.terminal.write("".join(self.held))
        self.terminal.flush()
        self.errors.write("".join(self.later))
        self.errors.flush()
        self.held.clear()
        self.later.clear()


class TerminalStream:
    """One stream of a screen."""

    def __init__(self, stream: TextIO, take: Callable[[str], None]) -> None:
        self.stream = stream
        self.take = take

    def write(self, text: str) -> int:
        self.take(text)
        return len(text)

    def writelines(self, pieces: Iterable[str]) -> None:
        for piece in pieces:
            self.take(piece)

    def flush(self) -> None:
        """Nothing: the screen shows the text when it is known whether it fits."""

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()


class WaitingPager:
    """The pager in a process that waits until it is needed: once a command runs, it may start nothing."""

    def __init__(self, command: list[str]) -> None:
        inlet, outlet = os.pipe()
        asked, asking = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(outlet)
            os.close(asking)
            _become(command, inlet, asked)
        os.close(inlet)
        os.close(asked)
        self._asking = asking
        self.stdin = open(outlet, "w", encoding="utf-8")  # noqa: SIM115

    def start(self) -> None:
        os.write(self._asking, b"!")

    def dismiss(self) -> None:
        """It was not needed."""
        os.close(self._asking)
        self.stdin.close()
        os.waitpid(self._process, 0)

    def wait(self) -> None:
        """Until the user has read everything."""
        with suppress(BrokenPipeError):  # the user has seen enough
            self.stdin.close()
        os.close(self._asking)
        while True:
            try:
                os.waitpid(self._process, 0)
                return
            except KeyboardInterrupt:  # it is the pager's to handle
                continue


def _become(command: list[str], inlet: int, asked: int) -> None:
    """In the process that waits: become the pager, or end. It never returns."""
    try:
        if os.read(asked, 1):
            os.dup2(inlet, 0)
            os.execvpe(command[0], command, {"LESS": LESS, **variables()})
    except KeyboardInterrupt:
        pass
    finally:
        os._exit(0)


def terminal_size(number: int) -> tuple[int, int]:
    """The columns and rows of the terminal that a file descriptor belongs to."""
    try:
        size = os.get_terminal_size(number)
        return size.columns or 80, size.lines or 24
    except OSError:
        return 80, 24
