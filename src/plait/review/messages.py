"""Errors and file names of targets of every kind, written so that they are the same in every copy of a tree."""

from __future__ import annotations

import os
import re

from plait.report.render import in_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.diagnostic import Diagnostic, PlaitError


class ErrorLine(str):
    """An error on one line; `said` is what it says without its line, which every line above may move."""

    said: str

    def __new__(cls, line: str, said: str = "") -> ErrorLine:
        made = super().__new__(cls, line)
        made.said = said or line
        return made

    @classmethod
    def of(cls, diagnostic: Diagnostic, tree: str) -> ErrorLine:
        text = f"{diagnostic.code} {diagnostic.message}"
        if not diagnostic.labels:
            return cls(in_any_tree(text, tree))
        origin = diagnostic.labels[0].origin
        return cls(in_any_tree(f"{origin}: {text}", tree), in_any_tree(f"{origin.file}: {text}", tree))


def messages(error: PlaitError, tree: str) -> tuple[ErrorLine, ...]:
    """Errors as lines that are the same in every copy of a tree."""
    return tuple(ErrorLine.of(diagnostic, tree) for diagnostic in in_order(error.diagnostics))


def say_the_same(one: Iterable[ErrorLine], other: Iterable[ErrorLine]) -> bool:
    """Whether two sides have the same errors, wherever in their files."""
    return [line.said for line in one] == [line.said for line in other]


def in_any_tree(line: str, tree: str) -> str:
    """A line that names files of a tree, as it is in every copy of it."""
    for prefix in (tree + os.sep, os.path.relpath(tree) + os.sep):
        if prefix != f".{os.sep}":
            line = re.sub(rf"(?<![\w./-]){re.escape(prefix)}", "", line)
    return line
