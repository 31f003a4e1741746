"""Errors and file names of targets of every kind, written so that they are the same in every copy of a tree."""

from __future__ import annotations

import os

from plait.core.diagnostic import PlaitError
from plait.report.render import in_order


def messages(error: PlaitError, tree: str) -> tuple[str, ...]:
    """Errors as lines that are the same in every copy of a tree."""
    lines = []
    for diagnostic in in_order(error.diagnostics):
        place = f"{diagnostic.labels[0].origin}: " if diagnostic.labels else ""
        lines.append(f"{place}{diagnostic.code} {diagnostic.message}")
    prefixes = (tree + os.sep, os.path.relpath(tree) + os.sep)
    return tuple(_without(prefixes, line) for line in lines)


def _without(prefixes: tuple[str, ...], line: str) -> str:
    for prefix in prefixes:
        line = line.replace(prefix, "") if prefix != f".{os.sep}" else line
    return line
