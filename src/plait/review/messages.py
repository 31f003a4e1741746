"""Errors and file names of targets of every kind, written so that they are the same in every copy of a tree."""

from __future__ import annotations

import os
import re

from plait.core.diagnostic import PlaitError
from plait.report.render import in_order


def messages(error: PlaitError, tree: str) -> tuple[str, ...]:
    """Errors as lines that are the same in every copy of a tree."""
    lines = []
    for diagnostic in in_order(error.diagnostics):
        place = f"{diagnostic.labels[0].origin}: " if diagnostic.labels else ""
        lines.append(f"{place}{diagnostic.code} {diagnostic.message}")
    return tuple(in_any_tree(line, tree) for line in lines)


def in_any_tree(line: str, tree: str) -> str:
    """A line that names files of a tree, as it is in every copy of it."""
    for prefix in (tree + os.sep, os.path.relpath(tree) + os.sep):
        if prefix != f".{os.sep}":
            line = re.sub(rf"(?<![\w./-]){re.escape(prefix)}", "", line)
    return line
