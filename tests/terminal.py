"""A terminal for tests: commands run on a pty of a given size, with the user's settings as a test says."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path

from tests.cases import PLAIT, environment


def on_a_terminal(folder: Path, *words: str, rows: int = 50, columns: int = 100, **settings: str) -> str:
    """What a command shows where its three streams are a terminal, line ends as `\\n`."""
    return answering(folder, b"", *words, rows=rows, columns=columns, **settings)[1]


def answering(
    folder: Path, answers: bytes, *words: str, rows: int = 50, columns: int = 100, **settings: str
) -> tuple[int, str]:
    """The exit status, and the same, where somebody types `answers`."""
    ours, theirs = pty.openpty()
    os.write(ours, answers)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    env = {**environment(folder), "TERM": "xterm", **settings}
    process = subprocess.Popen([*PLAIT, *words], cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = bytearray()
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # nobody writes any more
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return process.wait(60), shown.decode().replace("\r\n", "\n")
