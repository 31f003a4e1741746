"""Who may ask the server: requests with the token, to a name of this machine, from a page of this server.

A page of another site can make a browser send requests here. It does not know the token, its `Origin` is another one,
and a name that it lets point here is not a name that we answer to. A page of another port of this machine is of the
same site to a browser, which sends it the cookie: so `Sec-Fetch-Site` must not say that another page asks, and a
program that has the token must belong to this user.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from secrets import token_urlsafe
from time import monotonic
from urllib.parse import parse_qsl, urlencode

from plait.access.caller import is_stranger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""What every answer says to the browser."""
LONGEST = 16_384
"""The longest address, in bytes, that is answered."""
TOKEN = "token"
INVITED = 60.0
"""Seconds that a browser has to start."""
OWN_PAGES = ("", "none", "same-origin")
"""Values of `Sec-Fetch-Site` for requests from a page of this server or from no page; older browsers do not send it."""
REFUSED = "plait: open the address that `plait serve` printed; it has the token\n"


class Gate:
    """Lets requests through to the site, and refuses all others with a short text."""

    def __init__(self, site: ASGIApp, token: str, hosts: Iterable[str], port: int) -> None:
        self.site = site
        self.token = token
        self.names = frozenset(f"{host}:{port}" for host in hosts) | (frozenset(hosts) if port == 80 else frozenset())
        self.cookie = f"plait-{port}"
        """Cookies belong to a host, whatever the port: two servers must not overwrite each other's."""
        self._invited: dict[str, float] = {}
        """Words that are good for one request, and until when."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.site(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        refused = self._refused(scope, headers)
        if refused is not None:
            await _answer(send, *refused)
        elif (clean := self._without_token(scope)) is not None:
            cookie = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            await _answer(send, 303, "", {"location": clean, "set-cookie": cookie})
        else:
            await self.site(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        """The status and the text of a refusal; None for a request that may pass."""
        if len(scope["raw_path"] or b"") + len(scope["query_string"]) > LONGEST:
            return 414, "plait: this address is too long\n"
        if _text(headers.get(b"host")) not in self.names:
            return 421, "plait: this server does not answer to that host name\n"
        origin = _text(headers.get(b"origin"))
        if origin and origin.partition("://")[2] not in self.names:
            return 403, "plait: requests from other sites are refused\n"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "plait: GET and POST are answered\n"
        if scope["method"] == "POST" and not origin:
            return 403, "plait: a change needs an Origin header\n"
        if is_stranger(scope["client"], scope["server"]):
            return 403, "plait: this server belongs to another user of this machine\n"
        if not self._knows_token(scope, headers):  # after that, an invitation is used up
            return 403, REFUSED
        if _text(headers.get(b"sec-fetch-site")) not in OWN_PAGES and not self._query(scope).get(TOKEN):
            return 403, "plait: requests from other sites are refused\n"
        return None

    def _knows_token(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        given = self._query(scope).get(TOKEN, "") or self._kept(headers)
        if self._invited.pop(given, 0.0) > monotonic():
            return True
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def invite(self) -> str:
        """A word that stands for the token once, and only for a while: for a command line that others can see."""
        word = token_urlsafe(24)
        self._invited[word] = monotonic() + INVITED
        return word

    def _query(self, scope: Scope) -> dict[str, str]:
        return dict(parse_qsl(_text(scope["query_string"])))

    def _kept(self, headers: dict[bytes, bytes]) -> str:
        try:
            cookies = SimpleCookie(_text(headers.get(b"cookie")))
        except CookieError:
            return ""
        return cookies[self.cookie].value if self.cookie in cookies else ""

    def _without_token(self, scope: Scope) -> str | None:
        """The address without the token, where it has one: it stays out of the history and of what people copy."""
        words = parse_qsl(_text(scope["query_string"]), keep_blank_values=True)
        kept = [(name, value) for name, value in words if name != TOKEN]
        if len(kept) == len(words):
            return None
        path = "/" + str(scope["path"]).lstrip("/").replace("\\", "/")
        return path + (f"?{urlencode(kept)}" if kept else "")


def _text(value: bytes | None) -> str:
    return (value or b"").decode("latin-1")


async def _answer(send: Send, status: int, text: str, more: dict[str, str] | None = None) -> None:
    headers = {"content-type": "text/plain; charset=utf-8", **HEADERS, **(more or {})}
    rows = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": rows})
    await send({"type": "http.response.body", "body": text.encode()})


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await send(message)

    return wrapped
