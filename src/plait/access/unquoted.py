"""Texts that may be used in computations but are not shown."""

from __future__ import annotations

from plait.core.source import Source


class Unquoted(Source):
    """A file outside the project that the capability `files` lets us read: errors name its lines, and show none of
    them."""

    __slots__ = ()

    def _text_of(self, row: int) -> str:
        return ""


class Uncommitted(Unquoted):
    """A file that the commit does not have, in a report: nothing of it is shown, and nothing that is made of it."""

    __slots__ = ()
    withheld = True
