"""One request over HTTP: a time limit, a size limit, a certificate that matches, no redirect to another host, and no
other scheme."""

from __future__ import annotations

import os
import socket
import ssl
from functools import cache
from http.client import HTTPException, HTTPMessage
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    BaseHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from plait.access.trouble import MEGABYTE, SIZE_LIMIT, missing, refused, unreachable, without_password
from plait.core.diagnostic import Fault, PlaitError
from plait.report.catalog import OTHER_HOST, TOO_BIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

SECONDS = 10
"""How long a server may be silent."""
BUSY = (408, 425, 429, 500, 502, 503, 504)
"""Statuses of a server that may answer in a moment."""


class _SameHost(HTTPRedirectHandler):
    """Follows redirects only on the same host, so that a token in a header is not sent elsewhere."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if (new.scheme, new.netloc) not in ((old.scheme, old.netloc), ("https", old.netloc)):
            hint = f"if you trust that host, use its address: {without_password(newurl)}"
            raise OTHER_HOST.error(what=without_password(req.full_url), host=new.netloc, hint=hint)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def get(url: str, headers: dict[str, str] | None = None, *, what: str = "", limit: int = SIZE_LIMIT) -> bytes:
    """The body of what a URL leads to."""
    return ask(Request(url, headers={"User-Agent": "plait", **(headers or {})}), what or without_password(url), limit)


def post(url: str, body: bytes, headers: dict[str, str], *, what: str = "") -> bytes:
    """What a server answers to a form or a document."""
    return ask(
        Request(url, data=body, headers={"User-Agent": "plait", **headers}, method="POST"),
        what or without_password(url),
        SIZE_LIMIT,
    )


def ask(request: Request, what: str, limit: int) -> bytes:
    opener = _opener(request.type == "https")
    try:
        with opener.open(request, timeout=SECONDS) as answer:
            body: bytes = answer.read(limit + 1)
    except HTTPError as trouble:
        raise _status(trouble, what, request.full_url) from None
    except URLError as trouble:
        raise _unanswered(trouble.reason, what) from None
    except (OSError, HTTPException, ValueError) as trouble:
        raise _unanswered(trouble, what) from None
    if len(body) > limit:
        raise TOO_BIG.error(
            what=what,
            limit=f"{limit // MEGABYTE} MB" if limit >= MEGABYTE else f"{limit} bytes",
            hint="--max-size raises the limit",
        )
    return body


def _opener(secure: bool) -> OpenerDirector:
    """An opener for HTTP only: the library's default one also opens `file:` and `ftp:` addresses."""
    opener = OpenerDirector()
    kinds: list[type[BaseHandler]] = [ProxyHandler, UnknownHandler, HTTPHandler, HTTPDefaultErrorHandler]
    for kind in (*kinds, _SameHost, HTTPErrorProcessor):
        opener.add_handler(kind())
    if secure:
        context = _trusted(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
        opener.add_handler(HTTPSHandler(context=context))
    return opener


@cache
def _trusted(file: str | None, folder: str | None) -> ssl.SSLContext:
    """The certificates that are trusted; reading them takes longer than most answers."""
    return ssl.create_default_context()


def _status(trouble: HTTPError, what: str, url: str) -> PlaitError:
    if trouble.code in (404, 410):
        return missing(what, urlsplit(url).path.lstrip("/") or "/")
    if trouble.code in BUSY:
        return unreachable(what, f"it answers {trouble.code} {trouble.reason}")
    return refused(what, f"it answers {trouble.code} {trouble.reason}")


def _unanswered(why: object, what: str) -> PlaitError:
    if isinstance(why, ssl.SSLCertVerificationError):
        hint = "SSL_CERT_FILE names the certificates that are trusted"
        return Fault(*unreachable(what, f"its certificate is not trusted: {why.verify_message}", hint).diagnostics)
    if isinstance(why, TimeoutError):
        return unreachable(what, f"no answer within {SECONDS} seconds")
    if isinstance(why, socket.gaierror):
        return unreachable(what, "unknown host name")
    if isinstance(why, OSError) and why.strerror:
        return unreachable(what, why.strerror)
    return unreachable(what, why)
