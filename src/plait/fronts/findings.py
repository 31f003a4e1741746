"""What is wrong, with the files that it is in."""

from __future__ import annotations

import os

from plait.core.struct import struct
from plait.report.catalog import LIST_LOST, MAP_LOST, NO_CHANGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.diagnostic import Diagnostic, Label
    from plait.core.source import Source


ABOUT_THE_HIGHER = (LIST_LOST.code, MAP_LOST.code, NO_CHANGE.code)
"""Findings whose last place is the one to change: the higher layer."""


class Finding:
    """One diagnostic and the places that it names in files, by real path. Equal where it says the same."""

    __slots__ = ("_key", "diagnostic", "places")

    def __init__(self, diagnostic: Diagnostic, path_of: Callable[[Source], str]) -> None:
        self.diagnostic = diagnostic
        named = [(path_of(label.origin.source), label) for label in diagnostic.labels]
        self.places: list[tuple[str, Label]] = [(path, label) for path, label in named if path]
        if diagnostic.code in ABOUT_THE_HIGHER:
            self.places.reverse()
        spots = tuple((path, label.origin.line, label.origin.column, label.text) for path, label in self.places)
        self._key = (diagnostic.code, diagnostic.message, spots, diagnostic.notes, diagnostic.hint)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Finding({self.diagnostic})"

    @property
    def place(self) -> str:
        """The file that it is reported in; empty where it names no file."""
        return self.places[0][0] if self.places else ""

    def is_in(self, path: str) -> bool:
        """Whether it names a place of a file."""
        return any(path == one for one, _ in self.places)


def finding_in(diagnostic: Diagnostic) -> Finding:
    """A diagnostic of a folder that could not be opened, with the files that it names."""
    return Finding(diagnostic, lambda source: os.path.realpath(source.name))


@struct
class CheckedUnit:
    """What was found to be wrong with a unit; `parts` is what it knows of its parts, for when it is checked again."""

    findings: list[Finding]
    parts: object = None
