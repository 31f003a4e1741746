"""`plait lsp --tcp`: who may connect. Each of those who may not is sent away, and the next one is let in."""

from __future__ import annotations

import os
import socket
import threading
import time

import pytest

from plait.access import caller
from plait.core.diagnostic import PlaitError
from tests.ports import free_port

MESSAGE = b"Content-Length: 2\r\n\r\n{}"
PAGE = b'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 75\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize"}'
pytestmark = pytest.mark.skipif(not os.path.exists(caller.TABLES[0]), reason="needs a system that tells who connects")


class Answering:
    """A server that waits for its one connection."""

    def __init__(self) -> None:
        self.port = free_port()
        self.taken: list[socket.socket] = []
        self._thread = threading.Thread(target=lambda: self.taken.append(caller.call_at(self.port)), daemon=True)
        self._thread.start()

    def call(self, words: bytes) -> socket.socket:
        """Connect as soon as the server listens."""
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
            except ConnectionRefusedError:
                time.sleep(0.01)
                continue
            connection.sendall(words)
            return connection

    def is_sent_away(self, words: bytes) -> bool:
        with self.call(words) as connection:
            try:
                return connection.recv(1) == b""
            except ConnectionResetError:  # it was closed before everything was read
                return True

    def received(self) -> bytes:
        """What the connection that was taken brought."""
        self._thread.join(60)
        (connection,) = self.taken
        with connection:
            return connection.recv(len(MESSAGE), socket.MSG_WAITALL)


def test_the_first_program_of_the_user_and_no_other() -> None:
    server = Answering()
    with server.call(MESSAGE):
        assert server.received() == MESSAGE
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port))


@pytest.mark.parametrize("words", [PAGE, b"GET /Content-Length: HTTP/1.1\r\n\r\n", b"Content-Length\n: 2\r\n\r\n"])
def test_a_page_in_a_browser_is_sent_away(words: bytes) -> None:
    server = Answering()
    assert server.is_sent_away(words)
    with server.call(MESSAGE):
        assert server.received() == MESSAGE


def test_another_user_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caller.os, "geteuid", lambda: os.getuid() + 1)
    server = Answering()
    assert server.is_sent_away(MESSAGE)
    monkeypatch.undo()
    with server.call(MESSAGE):
        assert server.received() == MESSAGE


def test_a_first_message_may_come_in_pieces() -> None:
    server = Answering()
    with server.call(MESSAGE[:4]) as connection:
        time.sleep(0.05)  # else they arrive as one
        connection.sendall(MESSAGE[4:])
        assert server.received() == MESSAGE


ENDS = ["0100007F:C350", "0100007F:1DEA"]
ROW = "  1: {} {} {} 00000000:00000000 00:00000000 00000000  1000        0 1234 1 0 20 4 30 10 -1"


@pytest.mark.parametrize(
    ("row", "owner"),
    [
        (ROW.format(*ENDS, "01"), 1000),
        (ROW.format(*("0000000000000000FFFF0000" + end for end in ENDS), "01"), 1000),
        (ROW.format(*ENDS, "06"), None),
        (ROW.format(*reversed(ENDS), "01"), None),
        ("  sl  local_address rem_address   st", None),
        ("", None),
    ],
)
def test_the_owner_of_a_connection(row: str, owner: int | None) -> None:
    assert caller.owner_of(ENDS, [row]) == owner


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_stranger_is_known_by_the_owner_of_the_other_end(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        server = socket.create_server((host, 0), family=family)
    except OSError:
        pytest.skip("this machine has no such address")
    with server as listening:
        calling = socket.create_connection(listening.getsockname()[:2], timeout=60)
        connection = listening.accept()[0]
        with connection:
            ends = connection.getpeername()[:2], connection.getsockname()[:2]
            assert not caller.is_stranger(*ends)
            with monkeypatch.context() as changed:
                changed.setattr(caller, "trusted_owners", lambda: {os.geteuid() + 1})
                assert caller.is_stranger(*ends)
            calling.close()
            assert caller.is_stranger(*ends), "who has left may have been anybody"
    assert not caller.is_stranger(("192.0.2.1", 1), ("192.0.2.2", 2)), "another machine"


def test_where_nobody_tells_who_connects_there_is_no_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caller, "TABLES", ("/proc/net/there-is-none",))
    with pytest.raises(PlaitError, match="which user connects"):
        caller.call_at(free_port())
