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


def on_a_terminal(
    folder: Path, *words: str, rows: int = 50, columns: int = 100, typed: str = "", **settings: str
) -> str:
    """What a command shows where its three streams are a terminal, line ends as `\\n`; `typed` is what its user types,
    which the terminal shows too."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    env = {**environment(folder), "TERM": "xterm", **settings}
    process = subprocess.Popen([*PLAIT, *words], cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(ours, typed.encode())
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
    process.wait(60)
    return shown.decode().replace("\r\n", "\n")
