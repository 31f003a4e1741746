"""Long output on a terminal, in the user's pager.

The pager is a command of the user: `PAGER` of the environment, else `less`. Nothing that a repository brings can name
one.
"""

from __future__ import annotations

import os

from plait.access.environment import variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
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
        self.process: subprocess.Popen[str] | None = None
        self.out: TextIO = TerminalStream(out, self.show)  # type: ignore[assignment]
        self.err: TextIO = TerminalStream(err, self.later.append)  # type: ignore[assignment]

    def show(self, text: str) -> None:
        """Take a piece of the output."""
        text = self.fit(text) if self.fit is not None else text
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.write(text)
            return
        self.held.append(text)
        self.lines += text.count("\n")
        if self.command and self.lines >= self.room:
            self._start()

    def _start(self) -> None:
        import subprocess

        try:
            env = {"LESS": LESS, **variables()}
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, env=env, encoding="utf-8")
        except OSError:  # there is no such command: the terminal shows the text as it is
            self.command = []
            return
        held, self.held = self.held, []
        if self.process.stdin is not None:
            self.process.stdin.write("".join(held))

    def close(self) -> None:
        """Write what was held, or wait until the user has read it; then what was written on standard error."""
        process, self.process = self.process, None
        if process is not None:
            _wait_for(process)
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


def _wait_for(process: subprocess.Popen[str]) -> None:
    try:
        if process.stdin is not None:
            process.stdin.close()
    except BrokenPipeError:  # the user has seen enough
        pass
    while True:
        try:
            process.wait()
            return
        except KeyboardInterrupt:  # it is the pager's to handle
            continue


def terminal_size(number: int) -> tuple[int, int]:
    """The columns and rows of the terminal that a file descriptor belongs to."""
    try:
        size = os.get_terminal_size(number)
        return size.columns or 80, size.lines or 24
    except OSError:
        return 80, 24
