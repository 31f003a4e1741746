"""Texts that may be computed with, and are not shown."""

from __future__ import annotations

from plait.core.source import Source


class Unquoted(Source):
    """A file outside the project that the capability `files` lets us read: errors name its lines, and show none of
    them."""

    __slots__ = ()

    def _text_of(self, row: int) -> str:
        return ""
