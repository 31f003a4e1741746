"""Long output on a terminal, in the user's pager.

The pager is a command of the user: `PAGER` of the environment, else `less`. Nothing that a repository brings can name
one.
"""

from __future__ import annotations

import os
import sys

from plait.access.environment import variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
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


class Pager:
    """Standard output, held until it is longer than the terminal, and then handed to a pager.

    It takes the place of a stream: what fits on the terminal is written there at the end.
    """

    def __init__(self, out: TextIO, command: list[str], rows: int) -> None:
        self.out = out
        self.command = command
        self.rows = rows
        self.held: list[str] = []
        self.lines = 0
        self.process: subprocess.Popen[str] | None = None

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.out.fileno()

    def write(self, text: str) -> int:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.write(text)
            return len(text)
        self.held.append(text)
        self.lines += text.count("\n")
        if self.lines >= self.rows:
            self._start()
        return len(text)

    def flush(self) -> None:
        """Nothing: the text is written when it is known whether it fits."""

    def _start(self) -> None:
        import subprocess

        try:
            env = {"LESS": LESS, **variables()}
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, env=env, encoding="utf-8")
        except OSError:  # there is no such command: the terminal shows it as it is
            self.rows = sys.maxsize
            return
        held, self.held = self.held, []
        self.write("".join(held))

    def close(self) -> None:
        """Write what was held, or wait until the user has read it."""
        if self.process is None:
            self.out.write("".join(self.held))
            self.held = []
            self.out.flush()
            return
        process, self.process = self.process, None
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
    """The columns and rows of the terminal behind a file descriptor."""
    try:
        size = os.get_terminal_size(number)
        return size.columns or 80, size.lines or 24
    except OSError:
        return 80, 24
