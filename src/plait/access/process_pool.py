"""The processes that work for this one: see `workers`. Loaded only when there are some."""

from __future__ import annotations

import marshal
import os
import selectors
import signal
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

HEAD = struct.Struct("<IQ")
"""What precedes a result: the number of its chunk, and its length."""
NUMBER = struct.Struct("<I")
READ = 1 << 20


class ProcessPool:
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
        """End all workers."""
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
