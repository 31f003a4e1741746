"""How a service says no: what is missing, what is out of reach, what is refused.

A message never contains a credential.
"""

from __future__ import annotations

from plait.core.diagnostic import Passing, PlaitError
from plait.report.catalog import NO_CLIENT, NOT_STORED, REFUSED, UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MEGABYTE = 1024 * 1024
SIZE_LIMIT = 64 * MEGABYTE
"""How much one answer may hold, unless the budget `size` says otherwise."""

CLIENTS = {
    "redis": ("redis", "redis"),
    "boto3": ("boto3", "aws"),
    "google.auth": ("google-auth", "gcp"),
    "google.auth.transport.requests": ("google-auth[requests]", "gcp"),
    "azure.identity": ("azure-identity", "azure"),
}
"""Client libraries by the module we import: the package, and the extra of plait that brings it."""


class Missing(PlaitError):
    """What was asked for is not there, or not yet. A default may replace it."""


def client(module: str, what: str) -> Any:
    """A client library; where it is not installed, an error that says how to install it."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        package, extra = CLIENTS[module]
        raise NO_CLIENT.error(what=what, package=package, hint=f"pip install 'plait[{extra}]'") from None


def missing(what: str, key: str, hint: str = "") -> Missing:
    return Missing(NOT_STORED(what=what, key=key, hint=hint))


def unreachable(what: str, why: object, hint: str = "") -> Passing:
    return Passing(UNREACHABLE(what=what, why=_line(why), hint=hint or "is it running, and is the address right?"))


def refused(what: str, why: object, hint: str = "") -> PlaitError:
    return REFUSED.error(what=what, why=_line(why), hint=hint or "check the credentials and what they may do")


def shown(url: str) -> str:
    """An address as messages may show it: without user, password and what follows a `?`, where tokens hide."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url.partition("?")[0]
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2].partition('?')[0]}{slash}{path.partition('?')[0]}"


def _line(why: object) -> str:
    """One line of the message of a third-party library."""
    lines = str(why).strip().splitlines()
    return lines[0][:300] if lines else why.__class__.__name__
