"""Independent work, done by several processes of this machine at once.

A worker is a copy of this process: it has everything that was read and computed so far, and sends back plain data.
Whatever it cannot finish or would have to report, it leaves to the process that started it: errors, warnings and
questions to the outside come from one place, and results come in the order in which they would come from one process.
"""

from __future__ import annotations

import marshal
import os
import selectors
import signal
import struct
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from plait.core.diagnostic import Diagnostic

CHUNKS = 16
"""Into how many chunks a worker's share is cut: small enough that all of them end at about the same time."""
MOST = 64
"""How many workers there can be."""
HEAD = struct.Struct("<IQ")
"""What precedes a result: the number of its chunk, and its length."""
NUMBER = struct.Struct("<I")
READ = 1 << 20


class LeftUndone(Exception):
    """A worker came to something that only the process which started it may do."""


class Elsewhere:
    """Other machines that answer parts of a question."""

    problems: list[Diagnostic]
    """What they could not do."""

    def answers(self, project: Any, question: dict[str, object], names: list[str]) -> Iterator[Any]:
        """For each of some names the answer and the work it took, in order; None for what is left to this process."""
        raise NotImplementedError


def usable_cores() -> int:
    """How many processes can compute at the same time here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def forked(work: Callable[[Any], object], units: Sequence[Any], jobs: int) -> Iterator[Any]:
    """The result of each unit, in order; None for what a worker left undone, or where there are no workers.

    `work` gives data that `marshal` understands.
    """
    if jobs < 2 or len(units) < 2 or not hasattr(os, "fork") or threading.active_count() > 1:
        yield from (None for _ in units)
        return
    jobs = min(jobs, MOST)
    size = max(1, len(units) // (jobs * CHUNKS))
    chunks = [units[at : at + size] for at in range(0, len(units), size)]
    crew = Crew(work, chunks, jobs)
    try:
        for number, chunk in enumerate(chunks):
            yield from crew.result(number) or [None] * len(chunk)
    finally:
        crew.dismiss()


class Crew:
    """Processes that take chunks from one queue, and what they have sent back."""

    def __init__(self, work: Callable[[Any], object], chunks: Sequence[Sequence[Any]], jobs: int) -> None:
        self._results: dict[int, list[object]] = {}
        self._buffers: dict[int, bytearray] = {}
        self._selector = selectors.DefaultSelector()
        self._processes: list[int] = []
        queue, tickets = os.pipe()
        os.write(tickets, b"".join(NUMBER.pack(number) for number in range(len(chunks))))
        os.close(tickets)
        for _ in range(min(jobs, len(chunks))):
            self._hire(work, chunks, queue)
        os.close(queue)

    def _hire(self, work: Callable[[Any], object], chunks: Sequence[Sequence[Any]], queue: int) -> None:
        inlet, outlet = os.pipe()
        process = os.fork()
        if process == 0:
            toil(work, chunks, queue, outlet)
        os.close(outlet)
        self._processes.append(process)
        self._buffers[inlet] = bytearray()
        self._selector.register(inlet, selectors.EVENT_READ)

    def result(self, number: int) -> list[object] | None:
        """The results of a chunk, waited for; None where the worker that took it is gone."""
        while number not in self._results and self._buffers:
            for key, _ in self._selector.select():
                self._receive(key.fd)
        return self._results.pop(number, None)

    def _receive(self, inlet: int) -> None:
        data = os.read(inlet, READ)
        buffer = self._buffers[inlet]
        buffer += data
        while len(buffer) >= HEAD.size:
            number, length = HEAD.unpack_from(buffer)
            if len(buffer) < HEAD.size + length:
                break
            self._results[number] = marshal.loads(memoryview(buffer)[HEAD.size : HEAD.size + length])
            del buffer[: HEAD.size + length]
        if not data:
            self._leave(inlet)

    def _leave(self, inlet: int) -> None:
        self._selector.unregister(inlet)
        os.close(inlet)
        del self._buffers[inlet]

    def dismiss(self) -> None:
        """The end: no worker outlives the work."""
        for inlet in list(self._buffers):
            self._leave(inlet)
        self._selector.close()
        for process in self._processes:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def toil(work: Callable[[Any], object], chunks: Sequence[Sequence[Any]], queue: int, outlet: int) -> None:
    """What a worker does: chunk after chunk until there is none left. It never returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it ends it
        while len(ticket := os.read(queue, NUMBER.size)) == NUMBER.size:
            (number,) = NUMBER.unpack(ticket)
            data = marshal.dumps([work(unit) for unit in chunks[number]])
            with open(outlet, "wb", closefd=False) as stream:
                stream.write(HEAD.pack(number, len(data)))
                stream.write(data)
    finally:
        os._exit(0)
