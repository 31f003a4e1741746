"""A child process in which native code meets hostile data: with limits of time and memory that the system enforces.

The child is a copy of this process, so nothing has to be sent to it but the data. What it answers is bytes, which the
caller does not trust. Where a system cannot fork, there is no child, and the caller works in its own process.
"""

from __future__ import annotations

import os
import select
import struct
from contextlib import suppress
from time import monotonic

from plait.access.limits import limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
else:
    try:
        import _signal as signal
    except ImportError:
        import signal

HEAD = struct.Struct("<Q")
"""What precedes a message: its length."""
MOST = 64_000_000
"""Bytes of the largest answer."""
MOST_FILES = 65_536
"""Numbers of open files that are looked at."""
UNKNOWN_USE = 1_000_000_000
"""What a process counts as using where it cannot find out."""
CAN_FORK = hasattr(os, "fork")


class TooSlow(Exception):
    """The child used more time than it has."""


class TooMuch(Exception):
    """The child needed more memory than it has, or answered too much, and is gone."""


class Child:
    """A process that answers one message after another, until it is closed or exceeds a limit."""

    def __init__(self, begin: Callable[[], Callable[[bytes], bytes]], memory: int = 0, most: int = MOST) -> None:
        """`begin` runs in the child, and gives what answers there. `most` is how long an answer may be. With `memory`,
        which is how much more it may use than this process does, it only computes: it opens no file, and starts
        nothing."""
        self._most = most
        used = _used() if memory else 0
        ours, theirs = os.pipe()
        inlet, outlet = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(theirs)
            os.close(inlet)
            _toil(begin, ours, outlet, used + memory)
        os.close(ours)
        os.close(outlet)
        self._to, self._from = theirs, inlet

    def ask(self, message: bytes, seconds: float) -> bytes:
        """What the child answers. After an error there is no child any more."""
        end = monotonic() + seconds
        try:
            self._send(HEAD.pack(len(message)) + message, end)
            (length,) = HEAD.unpack(self._read(HEAD.size, end))
            if length > self._most:
                raise TooMuch
            return self._read(length, end)
        except (TooSlow, TooMuch):
            self.close()
            raise

    def _send(self, data: bytes, end: float) -> None:
        os.set_blocking(self._to, False)
        left = memoryview(data)
        while left:
            _wait(self._to, select.POLLOUT, end)
            try:
                left = left[os.write(self._to, left) :]
            except BrokenPipeError:
                raise TooMuch from None

    def _read(self, count: int, end: float) -> bytes:
        pieces, left = [], count
        while left:
            _wait(self._from, select.POLLIN, end)
            piece = os.read(self._from, min(left, 1 << 20))
            if not piece:
                raise TooMuch
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """End the child."""
        process, self.process = self.process, 0
        if process:
            os.close(self._to)
            os.close(self._from)
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)

    def __del__(self) -> None:
        self.close()


def _wait(pipe: int, event: int, end: float) -> None:
    """Wait until a pipe can be used, or is closed. `select` would take no descriptor above 1,023."""
    ready = select.poll()
    ready.register(pipe, event)
    if not ready.poll(1000 * max(0.0, end - monotonic())):
        raise TooSlow


def _toil(begin: Callable[[], Callable[[bytes], bytes]], inlet: int, outlet: int, most: int) -> None:
    """What the child does. It never returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it ends it
        signal.setitimer(signal.ITIMER_PROF, 0)
        if most:
            _close_others(inlet, outlet)
            _limit(most)
            limit([], [])
        answer = begin()
        while len(head := os.read(inlet, HEAD.size)) == HEAD.size:
            (left,) = HEAD.unpack(head)
            pieces = []
            while left:
                pieces.append(os.read(inlet, min(left, 1 << 20)))
                left -= len(pieces[-1])
                if not pieces[-1]:
                    return  # who asks is gone
            made = answer(b"".join(pieces))
            with open(outlet, "wb", closefd=False) as stream:
                stream.write(HEAD.pack(len(made)) + made)
    finally:
        os._exit(0)


def _close_others(*kept: int) -> None:
    """Close what this process has open: a child that only computes needs none of it, and a pipe that it kept would not
    end for whoever reads it."""
    start = 3
    for one in sorted(kept):
        os.closerange(start, one)
        start = one + 1
    os.closerange(start, MOST_FILES)


def _used() -> int:
    """How much memory this process uses, as its limit counts it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return UNKNOWN_USE


def _limit(most: int) -> None:
    """Let the system refuse more memory."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        return  # a system without such limits: the time is limited still
