"""One connection on a port of this machine, taken from a program of the same user and from no other.

Any user of the machine can connect to such a port, and so can any page in a browser: its request begins with an HTTP
method, and the rest may look like a message of the language server protocol. So the system is asked who owns the other
end (Linux says it in `/proc/net/tcp`), and the first word must be a header of that protocol.
"""

from __future__ import annotations

import os
import socket
import sys

from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HOST = "127.0.0.1"
TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
ESTABLISHED = "01"
HEADERS = (b"Content-Length:", b"Content-Type: a")
"""How a first message begins."""
PATIENCE = 30
"""Seconds in which a connection must have begun its first message; others wait meanwhile."""


def call_at(port: int) -> socket.socket:
    """Wait for a connection that may be answered. The port is closed after it: there is no second one."""
    if not os.path.exists(TABLES[0]):
        raise BAD_OPTION.error(
            why="--tcp is not supported on this system: plait cannot tell which user connects",
            hint="without --tcp, editors start `plait lsp` themselves",
        )
    with socket.create_server((HOST, port)) as listening:
        while True:
            connection, _ = listening.accept()
            if _is_own(connection) and _begins_well(connection):
                return connection
            connection.close()


def _is_own(connection: socket.socket) -> bool:
    """Whether the other end belongs to this user, as far as the system knows."""
    ends = [_spelled(*connection.getpeername()), _spelled(*connection.getsockname())]
    return owner_of(ends, _rows()) == os.geteuid()


def _spelled(host: str, port: int) -> str:
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"


def _rows() -> Iterable[str]:
    for name in TABLES:
        if os.path.exists(name):
            with open(name, encoding="ascii") as table:
                yield from table


def owner_of(ends: list[str], rows: Iterable[str]) -> int | None:
    """The user who owns the connection from one end to another, while it is open; an end that is closed has no
    owner any more, and the table says 0."""
    for row in rows:
        words = row.split()
        known = [
            word[-len(end) :] for word, end in zip(words[1:3], ends, strict=False)
        ]  # IPv6 has an IPv4 address last
        if known == ends and words[3] == ESTABLISHED:
            return int(words[7])
    return None


def _begins_well(connection: socket.socket) -> bool:
    connection.settimeout(PATIENCE)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, len(HEADERS[0]))
    try:
        return connection.recv(len(HEADERS[0]), socket.MSG_PEEK) in HEADERS
    except OSError:
        return False
    finally:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        connection.settimeout(None)
