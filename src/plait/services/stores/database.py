"""Redis: a key is its parts joined by `:`."""

from __future__ import annotations

from plait.access.environment import variable
from plait.access.trouble import client, missing, refused, shown, unreachable
from plait.services.stores import StoreOptions

SECONDS = 10


class Redis:
    def __init__(self, options: StoreOptions) -> None:
        self.options = options
        self.url = options.text("url") or variable("ATMOS_REDIS_URL", "redis://localhost:6379")
        self.library = client("redis", options.what)
        self.server = self.library.Redis.from_url(self.url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)

    def name(self, parts: list[str]) -> str:
        return ":".join(parts)

    def read(self, name: str) -> bytes:
        errors = self.library.exceptions
        where = f"{self.options.what} at {shown(self.url)}"
        try:
            found: bytes | None = self.server.get(name)
        except (errors.AuthenticationError, errors.NoPermissionError) as trouble:
            raise refused(where, trouble) from None
        except (errors.ConnectionError, errors.TimeoutError) as trouble:
            raise unreachable(where, trouble) from None
        except errors.RedisError as trouble:
            raise refused(where, trouble, "the key must hold a string") from None
        if found is None:
            raise missing(self.options.what, name)
        return found
