"""Errors of services: something is missing, cannot be reached or is refused. A message never contains a credential."""

from __future__ import annotations

from plait.core.diagnostic import NotKnown, Passing
from plait.report.catalog import NOT_STORED, REFUSED, UNREACHABLE

MEGABYTE = 1024 * 1024
SIZE_LIMIT = 64 * MEGABYTE
"""How much one answer may hold, unless the budget `size` says otherwise."""


class Missing(NotKnown):
    """What was asked for is not there, or not yet. A default may replace it."""

    why = "not deployed yet"


def missing(what: str, key: str, hint: str = "") -> Missing:
    return Missing(NOT_STORED(what=what, key=key, hint=hint))


def unreachable(what: str, why: object, hint: str = "") -> Passing:
    return Passing(
        UNREACHABLE(what=what, why=_line(why), hint=hint or "check that it is running and that the address is correct")
    )


def refused(what: str, why: object, hint: str = "") -> NotKnown:
    return NotKnown(REFUSED(what=what, why=_line(why), hint=hint or "check the credentials and their permissions"))


def without_password(url: str) -> str:
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
