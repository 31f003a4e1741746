"""What is wrong, with the files that it is in: worked out once, and kept while nothing that it depends on changes."""

from __future__ import annotations

import os

from plait.core.struct import struct
from plait.report.catalog import LIST_LOST, MAP_LOST, NO_CHANGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.diagnostic import Diagnostic, Label
    from plait.core.source import Source

    Entry = tuple[str, str]
    """The type and the name of a component."""


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


class CheckedComponent:
    """What is known of one component: it depends on its own entries and those of its bases."""

    __slots__ = ("abstract", "chain", "findings")

    def __init__(self, chain: Iterable[str], findings: list[Finding], abstract: bool) -> None:
        self.chain = tuple(chain)
        self.findings = findings
        self.abstract = abstract
        """Whether it is only there to be inherited from."""


@struct
class UnitShape:
    """What is known of a unit without looking at it again: the files that it is made of."""

    own: frozenset[str]
    dependent: bool = False
    """Whether it may also depend on files and components that are not named."""
    broken: bool = False
    rendered: bool = False
    """Whether one of its files is rendered before it is read."""
    fixed: bool = False
    """Whether its files stay the same as long as no text names other files to import."""


@struct
class TextChange:
    """What differs between two texts of a file. `entries` are the components whose entries hold all of it; None where
    other lines differ too."""

    path: str
    entries: frozenset[Entry] | None = None
    same_files: bool = False
    """Whether both texts name the same files."""


class KeptUnit:
    """What is known of one unit: its shape, its findings, and for stacks those of each component."""

    __slots__ = ("findings", "members", "shape")

    def __init__(self) -> None:
        self.shape: UnitShape | None = None
        self.findings: list[Finding] | None = None
        self.members: dict[Entry, CheckedComponent] = {}

    def forget(self, change: TextChange) -> None:
        """The text of a file changed."""
        shape = self.shape
        if shape is None or shape.broken:
            self.shape, self.findings, self.members = None, None, {}
        elif change.path in shape.own:
            whole = change.entries is None or shape.dependent or shape.rendered
            self.members = {} if whole else {key: one for key, one in self.members.items() if _stays(key, one, change)}
            self.shape = shape if shape.fixed and change.same_files else None
            self.findings = None
        elif shape.dependent:
            self.findings, self.members = None, {}


def _stays(key: Entry, member: CheckedComponent, change: TextChange) -> bool:
    """Whether what is known of a component is still true; places of the file itself may have moved."""
    changed = change.entries or frozenset()
    touched = key in changed or any((key[0], base) in changed for base in member.chain)
    return not touched and not any(finding.is_in(change.path) for finding in member.findings)
