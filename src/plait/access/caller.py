"""Who connects to a port of this machine: a program of the same user, or of another.

Any user of the machine can connect to such a port. So the system is asked who owns the other end (Linux says it in
`/proc/net/tcp`). The language server takes one connection, of the same user, and its first word must be a header of
that protocol: a page in a browser can connect, too, but its request begins with an HTTP method.
"""

from __future__ import annotations

import os
import socket
import sys

from plait.access.owners import trusted_owners
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
    return owner_of(ends, _rows(ends)) == os.geteuid()


def is_stranger(peer: tuple[str, int], own: tuple[str, int]) -> bool:
    """Whether a program of another user of this machine is at the other end of a connection, as far as the system
    knows. A program on another machine has no user here; for a closed end on this machine the user is unknown."""
    if not os.path.exists(TABLES[0]):
        return False
    ends = [_spelled(*peer), _spelled(*own)]
    rows = _rows(ends)
    owner = owner_of(ends, rows)
    if owner is not None:
        return owner not in trusted_owners()
    near = peer[0].startswith(("127.", "::ffff:127.")) or peer[0] in ("::1", own[0])
    return near and bool(rows)  # a table without even our own end says nothing


def _spelled(host: str, port: int) -> str:
    """An address as the tables have it: four bytes at a time, as one number of this machine."""
    host = host.removeprefix("::ffff:")
    packed = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    words = (int.from_bytes(packed[at : at + 4], sys.byteorder) for at in range(0, len(packed), 4))
    return f"{''.join(f'{word:08X}' for word in words)}:{port:04X}"


def _rows(ends: list[str]) -> list[str]:
    """The rows about a connection, seen from either end."""
    rows: list[str] = []
    for name in TABLES:
        if os.path.exists(name):
            with open(name, encoding="ascii") as table:
                rows += [row for row in table.read().splitlines() if ends[0] in row and ends[1] in row]
    return rows


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
