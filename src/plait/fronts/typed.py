"""Paths as people type them on the command line and in a program."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.path import Path, PathError, parse_path
from plait.core.source import Source
from plait.report.catalog import BAD_PATH


def typed_path(text: str, pattern: bool = False) -> Path:
    """A path that somebody typed; `*` and `**` count only in a pattern."""
    try:
        return parse_path(text, pattern=pattern)
    except PathError as trouble:
        label = Label.at(Source("the path", text, given=True), trouble.at)
        raise BAD_PATH.error(label, path=text, why=trouble.message) from None
