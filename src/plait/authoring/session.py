"""One folder as an editor sees it: everything that can be asked about its texts."""

from __future__ import annotations

import os
from contextlib import suppress

from plait.authoring.mentions import COMPONENT, FUNCTION, QUERY, SCOPED, VALUE
from plait.authoring.renaming import renamable, renamed
from plait.authoring.state import AuthoringState, Value
from plait.authoring.symbols import Symbol, Symbols
from plait.authoring.uses import bases, heirs, importers, imports, references
from plait.core.diagnostic import PlaitError
from plait.core.source import Origin
from plait.evaluate.engine import NotThere
from plait.evaluate.explain import explain
from plait.fronts.living import Living

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.authoring.mentions import Mention
    from plait.authoring.state import Pointed
    from plait.authoring.written import Span
    from plait.core.path import Path

    Place = tuple[str, Span]
    """A file, and a span in it."""


class Authoring(AuthoringState):
    """A folder and the unsaved texts of its files: names, definitions and uses."""

    def __init__(self, living: Living) -> None:
        super().__init__(living)
        self.symbols = Symbols(self)

    # Names

    def references(self, path: str, offset: int, declared: bool = True) -> list[Place]:
        """Everywhere that what is at a place is used."""
        return references(self.symbols, os.path.realpath(path), offset, declared)

    def importers(self, path: str) -> list[Place]:
        """The lines that name a file."""
        return importers(self.symbols, os.path.realpath(path))

    def imports(self, path: str) -> list[Place]:
        """The files that a file names, each with the span in it that does."""
        return imports(self.symbols, os.path.realpath(path))

    def heirs(self, type: str, name: str) -> list[tuple[Symbol, str, Span]]:
        """The components that inherit one, and where they say so."""
        return heirs(self.symbols, Symbol(COMPONENT, name, type=type))

    def bases(self, type: str, name: str) -> list[tuple[Symbol, str, Span]]:
        """The components that one inherits, and where it says so."""
        return bases(self.symbols, Symbol(COMPONENT, name, type=type))

    def renamable(self, path: str, offset: int) -> tuple[Symbol, Span]:
        """What would be renamed at a place, and the span of its name."""
        return renamable(self.symbols, os.path.realpath(path), offset)

    def renamed(self, path: str, offset: int, name: str) -> list[Place]:
        """Every span that holds the name at a place; PlaitError where it cannot be renamed."""
        return renamed(self.symbols, os.path.realpath(path), offset, name)

    # Definitions

    def definitions(self, path: str, offset: int) -> Iterator[tuple[Origin, int]]:
        """Where what is at a place is defined or decided, and how long that is; 0 where it is not known."""
        path = os.path.realpath(path)
        mention = self.symbols.mention_at(path, offset)
        pointed = self.point(path, offset)
        if mention is not None and mention.kind != FUNCTION:
            yield from self._named(path, mention, pointed)
        elif pointed is not None:
            yield from self._deciding(self.values(pointed))

    def _named(self, path: str, mention: Mention, pointed: Pointed | None) -> Iterator[tuple[Origin, int]]:
        """Where what a name refers to is written. A value comes from the line that decides it in each result."""
        if mention.kind in (VALUE, SCOPED, QUERY) and pointed is not None:
            found = list(self._deciding(self._read(pointed, self.symbols.scoped(path, mention))))
            if found:
                yield from found
                return
        for file, (start, end) in self.symbols.definitions(path, mention):
            yield Origin(self.source(file), start), end - start

    def _read(self, pointed: Pointed, path: Path) -> Iterator[Value]:
        """The values that a path of the results has in which a place takes part."""
        for unit in self.units_of(pointed.trail.file):
            try:
                for result in unit.results(pointed.trail):
                    with suppress(PlaitError, NotThere):
                        yield Value(result, explain(result.tree, path), False)
            except PlaitError:
                continue

    @staticmethod
    def _deciding(values: Iterable[Value]) -> Iterator[tuple[Origin, int]]:
        """The lines that decide; for a map or a list that several files write, each of them, the highest first."""
        for explanation in [value.explanation for value in values if value.explanation is not None]:
            leaves = explanation.leaves
            parts = [leaves[0].winner] if len(leaves) == 1 else explanation.parts[::-1]
            yield from ((part.node.origin, 0) for part in parts)
