"""Redis: a key is its parts joined by `:`."""

from __future__ import annotations

from plait.access.environment import variable
from plait.access.trouble import missing, refused, unreachable, without_password
from plait.services.stores import StoreOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.scope import Permit

SECONDS = 10


class Redis:
    def __init__(self, options: StoreOptions) -> None:
        self.options = options
        self.url = options.text("url") or variable("ATMOS_REDIS_URL", "redis://localhost:6379")

        self._connected: Any = None

    def name(self, parts: list[str]) -> str:
        return ":".join(parts)

    def read(self, name: str, permit: Permit) -> bytes:
        library = permit.client("redis", self.options.what)
        errors = library.exceptions
        where = f"{self.options.what} at {without_password(self.url)}"
        try:
            found: bytes | None = self._server(library).get(name)
        except (errors.AuthenticationError, errors.NoPermissionError) as trouble:
            raise refused(where, trouble) from None
        except (errors.ConnectionError, errors.TimeoutError) as trouble:
            raise unreachable(where, trouble) from None
        except errors.RedisError as trouble:
            raise refused(where, trouble, "the key must hold a string") from None
        if found is None:
            raise missing(self.options.what, name)
        return found

    def _server(self, library: Any) -> Any:
        """One connection for all keys; of two that are made at the same time, one is kept."""
        if self._connected is None:
            self._connected = library.Redis.from_url(self.url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
        return self._connected
