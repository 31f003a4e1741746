"""Runs the explorer: one process on one port, until it is interrupted."""

from __future__ import annotations

import contextlib
import secrets
import socket

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from plait.apps.web.gate import Gate
from plait.apps.web.site import ExplorerSite
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Transport
    from collections.abc import Callable
    from types import FrameType

    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

    from plait.apps.web.explorer import Explorer

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PATIENCE = 20.0
"""Seconds that a client may take to send a request."""
WAITING = 2048
"""How many connections may wait to be accepted."""


class PatientProtocol(H11Protocol):
    """A connection that is closed when no whole request comes for a while: clients may be slow, or never finish."""

    patience = PATIENCE

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look_again()

    def _look_again(self) -> None:
        self.loop.call_later(self.patience, self._look, self.cycle)

    def _look(self, before: RequestResponseCycle | None) -> None:
        """Close the connection if it still waits for the request, or the rest of it, that it waited for before."""
        if self.transport.is_closing():
            return
        if before is self.cycle and (before is None or before.more_body or before.response_complete):
            self.transport.close()
        else:
            self._look_again()


class _Ending(uvicorn.Server):
    """A server that ends its streams when it is interrupted: they would keep it waiting."""

    def __init__(self, config: uvicorn.Config, ended: Callable[[], None]) -> None:
        super().__init__(config)
        self._ended = ended

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._ended()
        super().handle_exit(sig, frame)


class ExplorerServer:
    """An explorer on a port of its own. It listens from the beginning, and answers when it runs."""

    def __init__(
        self,
        explorer: Explorer,
        host: str = "127.0.0.1",
        port: int = 0,
        patience: float = PATIENCE,
        listening: socket.socket | None = None,
    ) -> None:
        """`listening` is a port that is open already."""
        self.explorer = explorer
        self.socket = listening or listen(host, port)
        self.host = host
        self.port: int = self.socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self.site = ExplorerSite(explorer)
        names = [*LOOPBACK, _bracketed(host), *(_own_names() if host in ("0.0.0.0", "::") else ())]
        self.gate = gate = Gate(self.site.application(), self.token, names, self.port)
        protocol = type("Protocol", (PatientProtocol,), {"patience": patience})
        config = uvicorn.Config(
            gate, log_config=None, access_log=False, server_header=False, lifespan="off", ws="none", loop="asyncio",
            proxy_headers=False, http=protocol, timeout_keep_alive=10, timeout_graceful_shutdown=2, backlog=WAITING,
        )  # fmt: skip
        self.server = _Ending(config, self.site.live.end)

    @property
    def address(self) -> str:
        """Where the page is, with the token."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else _bracketed(self.host)
        return f"http://{host}:{self.port}/?token={self.token}"

    def invitation(self) -> str:
        """The same with a word that is good for one request, soon."""
        return self.address.replace(self.token, self.gate.invite())

    def run(self) -> None:
        """Answer until Ctrl-C, or until the process is asked to end."""
        _allow_many_connections()
        self.explorer.prepare()
        try:
            with contextlib.suppress(KeyboardInterrupt):
                self.server.run(sockets=[self.socket])
        finally:
            self.socket.close()
            self.explorer.close()

    def stop(self) -> None:
        """End soon: requests that are being answered are finished."""
        self.site.live.end()
        self.server.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(found[0], socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(found[4])
        made.listen(WAITING)
        return made
    except (OSError, OverflowError, UnicodeError) as trouble:
        why = (trouble.strerror if isinstance(trouble, OSError) else None) or str(trouble)
        raise BAD_OPTION.error(
            why=f"cannot listen on {host} port {port}: {why}", hint="choose another port with --port"
        ) from None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_names() -> list[str]:
    """What others may call this machine."""
    name = socket.gethostname()
    with contextlib.suppress(OSError):
        return [name, socket.getfqdn(), *socket.gethostbyname_ex(name)[2]]
    return [name]


def _allow_many_connections() -> None:
    """A thousand requests at once need more open files than many systems give a process at first."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 8192 if most == resource.RLIM_INFINITY else min(8192, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
