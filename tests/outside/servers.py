"""Servers for tests, on loopback only: each started as its users start it, and ended by the one who started it.

What is not installed is told by name; `make services` installs what it can. Nothing here uses credentials of the
machine.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

TOOLS = Path(sys.prefix) / "servers"
"""Where `make services` puts servers that are no Python packages."""


def need(*modules: str) -> None:
    """Skip where a package for tests is not installed."""
    for module in modules:
        parent = module.rpartition(".")[0]
        if (parent and find_spec(parent) is None) or find_spec(module) is None:
            pytest.skip(f"the package `{module}` is not installed (make services)")


def command(name: str) -> str:
    """The path of a server, or skip."""
    found = shutil.which(name) or shutil.which(name, path=str(TOOLS / "node_modules" / ".bin"))
    if found is None:
        pytest.skip(f"`{name}` is not installed (make services)")
    return found


@contextlib.contextmanager
def running(argv: list[str], port: int, folder: Path, env: dict[str, str] | None = None) -> Iterator[None]:
    """A server that answers on a port, for as long as the block lasts."""
    log = folder / f"{Path(argv[0]).name}-{port}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            argv, stdout=out, stderr=out, stdin=subprocess.DEVNULL, cwd=folder, env={**os.environ, **(env or {})}
        )
    try:
        deadline = time.monotonic() + 30
        while not answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.skip(f"`{argv[0]}` does not start: {log.read_text(errors='replace')[-300:]}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
        return True
    return False


Answer = tuple[int, dict[str, str], bytes]


class Patient(ThreadingHTTPServer):
    """A client that hangs up before its answer is whole is what some tests are about, and no news."""

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Web:
    """A web server whose pages are functions: for what has no server that could be installed, and for bad manners.

    `pages` are asked in order with the handler; the first that gives an answer wins. Requests are recorded.
    """

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.pages: list[Callable[[BaseHTTPRequestHandler], Answer | None]] = []
        self.requests: list[tuple[str, str]] = []
        self.slow = 0.0
        """How long it thinks before every answer, in seconds."""
        web = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                web.requests.append((self.command, self.path))
                time.sleep(web.slow)
                for page in web.pages:
                    found = page(self)
                    if found is not None:
                        break
                else:
                    found = (404, {}, b"")
                status, headers, body = found
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = answer

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = Patient(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def serve(self, path: str, body: bytes | str, status: int = 200, **headers: str) -> None:
        """A page that is always the same."""
        data = body.encode() if isinstance(body, str) else body
        self.pages.insert(
            0, lambda request: (status, headers, data) if request.path.partition("?")[0] == path else None
        )

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
