"""Language servers that start quickly: one process has loaded what they load, and forks for each.

To load it takes a second, several times as long as most tests talk to a server. What a client starts is a small
launcher: it gives its three streams, folder, arguments and environment to the fork, waits for it, and ends with its
status. If the launcher is killed, the fork is. `test_editors.py` starts servers as editors do.
"""

from __future__ import annotations

import importlib
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.cases.preloaded import become, load

LAUNCHER = """\
import _socket, marshal, os, sys
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({address!r})
told = marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ)))
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
server.sendmsg([len(told).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
while told:
    told = told[server.send(told):]
try:
    ended = server.recv(8)
except KeyboardInterrupt:
    server.send(b"!")
    ended = server.recv(8)
os._exit(int(ended or b"70"))
"""
ADDRESS = f"\0plait-lsp-{os.getpid()}"
Becoming = Callable[[list[str], str, dict[str, str], list[int]], None]
"""What a fork becomes: of the arguments, the folder, the environment and the streams of its launcher."""
CAN_FORK = hasattr(os, "pidfd_open")
"""Linux has what this needs; elsewhere each server loads everything itself."""
LAUNCH = ["-ISc", LAUNCHER.format(address=ADDRESS)] if CAN_FORK else ["-m", "plait"]
SERVER = [sys.executable, *LAUNCH, "lsp", "--no-cache"]
"""What starts a server, while `forking` is open."""


@contextmanager
def forking() -> Iterator[None]:
    """The process that forks; it ends when its standard input does."""
    if not CAN_FORK:
        yield
        return
    argv = [sys.executable, "-c", f"from {__name__} import serve; serve({ADDRESS!r})"]
    root = Path(__file__).parents[2]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield


class Forked:
    """A fork, and the connection to who waits for it."""

    def __init__(self, connection: socket.socket, process: int) -> None:
        self.connection = connection
        self.process = process
        self.handle = os.pidfd_open(process)

    def ended(self) -> None:
        """Tell the status, as a shell has it."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        with suppress(OSError):  # nobody waits any more
            self.connection.sendall(str(status if status >= 0 else 128 - status).encode())
        self.connection.close()
        os.close(self.handle)


def serve(address: str) -> None:
    """Load what servers need, and fork for each launcher."""
    load()
    importlib.import_module("plait.apps.lsp.server")
    serve_forks(address)


def serve_forks(address: str, become: Becoming = become) -> None:
    """Fork for each launcher until the tests are done."""
    ours = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    ours.bind(address)
    ours.listen(64)
    os.write(1, b"ready\n")
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(ours, select.POLLIN)
    waiting: dict[int, Forked] = {}
    while True:
        for handle, _ in poll.poll():
            if handle == 0:
                for forked in waiting.values():
                    os.kill(forked.process, signal.SIGKILL)
                os._exit(0)
            if handle == ours.fileno():
                forked = _forked(ours, become)
                waiting[forked.handle] = waiting[forked.connection.fileno()] = forked
                poll.register(forked.handle, select.POLLIN)
                poll.register(forked.connection, select.POLLIN)
            elif handle in waiting:
                forked = waiting[handle]
                if handle != forked.handle:  # the launcher is interrupted, or gone
                    if forked.connection.recv(1):
                        os.kill(forked.process, signal.SIGINT)
                        continue
                    os.kill(forked.process, signal.SIGKILL)
                for one in (forked.handle, forked.connection.fileno()):
                    poll.unregister(one)
                    del waiting[one]
                forked.ended()


def _forked(ours: socket.socket, become: Becoming) -> Forked:
    """Take what a launcher gives, and become the command in a fork."""
    connection, _ = ours.accept()
    head, streams, _, _ = socket.recv_fds(connection, 8, 3)
    with connection.makefile("rb") as told:
        words, folder, env = marshal.loads(told.read(int.from_bytes(head, "big")))
    process = os.fork()
    if process == 0:
        ours.close()
        connection.close()
        become(words, folder, env, streams)
    for stream in streams:
        os.close(stream)
    return Forked(connection, process)
