"""Names: what a place refers to, where that is defined, who else refers to it, and what renaming it changes."""

from __future__ import annotations

import os
import re

from plait.authoring.mentions import (
    ANCHOR,
    DIRECTIVE,
    QUERY,
    SCOPED,
    VALUE,
    Mention,
    anchor_span,
    mentions_in,
    mentions_of,
    named_span,
    template_mentions,
)
from plait.core.glob import is_pattern
from plait.core.path import Path
from plait.core.steps import outcome
from plait.core.struct import struct
from plait.fronts.catalog import structure_of
from plait.fronts.globbed import glob_files
from plait.fronts.signs import PATTERN
from plait.fronts.structure import COMPONENT, FILE, FOLDER, IMPORT, INPUT, LOCAL
from plait.yaml.places import WrittenSpot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.authoring.state import AuthoringState
    from plait.core.source import Source
    from plait.core.steps import Steps
    from plait.yaml.places import Span

    Found = tuple[str, Span]
    """A file and a span in it."""


@struct
class Symbol:
    """Something with a name that texts refer to. Two mentions of the same thing have equal symbols."""

    kind: str
    name: str
    home: str = ""
    """The file that it is known in; empty for a name of the whole repository."""
    path: Path = ()
    type: str = ""

    @property
    def _key(self) -> tuple[object, ...]:
        return self.kind, self.name, self.home, self.path, self.type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbol) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Symbol({self.kind} {self.name})"


class Symbols:
    """The names in one state of a folder."""

    def __init__(self, authoring: AuthoringState) -> None:
        self.authoring = authoring
        self._mentions: dict[str, tuple[Source, str, list[Mention]]] = {}

    def mentions(self, file: str) -> list[Mention]:
        """The names in a file."""
        return outcome(self.mentions_in_steps(file))

    def mentions_in_steps(self, file: str) -> Steps[list[Mention]]:
        """The same in small steps; who asks again is answered at once."""
        source, kind = self.authoring.source(file), self.authoring.kind_of(file)
        known = self._mentions.get(file)
        if known is None or known[0] is not source or known[1] != kind:
            found = yield from self._read(file, kind)
            known = self._mentions[file] = (source, kind, found)
        return known[2]

    def _read(self, file: str, kind: str) -> Steps[list[Mention]]:
        if kind == "rendered":
            return template_mentions(self.authoring.source(file).text)
        written = self.authoring.written(file)
        meter = self.authoring.project.meter
        return (yield from mentions_of(written, kind, meter)) if written is not None else []

    def mention_at(self, file: str, offset: int) -> Mention | None:
        """The name at a place: the shortest one, where they overlap."""
        mentions = [one for one in self._mentions_around(file, offset) if one.around[0] <= offset <= one.around[1]]
        return min(mentions, key=lambda one: one.around[1] - one.around[0], default=None)

    def _mentions_around(self, file: str, offset: int) -> list[Mention]:
        """The names in what contains a place: a large file is not searched for one of them."""
        kind = self.authoring.kind_of(file)
        written = self.authoring.written(file) if kind != "rendered" else None
        return mentions_in(written.around(offset), kind) if written is not None else self.mentions(file)

    # What a place is about

    def at(self, file: str, offset: int) -> tuple[Symbol, Span] | None:
        """What is named at a place, by a mention or where it is defined, and the span of the name."""
        mention = self.mention_at(file, offset)
        if mention is not None:
            symbol = self.symbol(file, mention)
            if symbol is not None and symbol.kind == VALUE:
                return self._step_at(symbol, mention, offset)
            return (symbol, mention.span) if symbol is not None else None
        pointed = self.authoring.point(file, offset)
        return self._defined(file, pointed.spot, offset) if pointed is not None else None

    @staticmethod
    def _step_at(symbol: Symbol, mention: Mention, offset: int) -> tuple[Symbol, Span]:
        """The key that is named by the step of a path at a place."""
        spans = steps_of(mention)
        number = next((number for number, (_, end) in enumerate(spans) if offset <= end), len(spans) - 1)
        path = symbol.path[: len(symbol.path) - len(spans) + number + 1]
        return Symbol(VALUE, str(path[-1]), symbol.home, path), spans[number]

    def _defined(self, file: str, spot: WrittenSpot, offset: int) -> tuple[Symbol, Span] | None:
        for span in (anchor_span(spot), named_span(spot)):
            if span is not None and span[0] - 1 <= offset <= span[1]:
                name = spot.layout.text[span[0] : span[1]]
                return Symbol(ANCHOR, name, file), span
        if not spot.on_key:
            return None
        kind = self.authoring.kind_of(file)
        defined = structure_of(kind).defines(spot.path)
        if defined is None:
            if kind == "template" and all(isinstance(step, str) for step in spot.path):
                return Symbol(VALUE, str(spot.path[-1]), self._unit(file), spot.path), spot.name_span
            return None
        what, name, type = defined
        home = file if what == LOCAL else self._pattern(file) if what == INPUT else ""
        return Symbol(what, name, home, spot.path if what == LOCAL else (), type), spot.name_span

    def _unit(self, file: str) -> str:
        """The file itself where no target names it, else the target."""
        unit = self.authoring.units_of(file)[0]
        return file if unit.files == {file} else unit.name

    @staticmethod
    def _pattern(file: str) -> str:
        """The folder of the pattern that a file belongs to."""
        folder = os.path.dirname(file)
        while not os.path.isfile(os.path.join(folder, PATTERN)) and folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
        return folder

    def inputs(self, file: str) -> list[tuple[str, str, str]]:
        """The inputs of the pattern that a file belongs to, each with its description and its default."""
        written = self.authoring.written(os.path.join(self._pattern(file), PATTERN))
        spot = written.find(("inputs",)) if written is not None else None
        rows: list[tuple[str, str, str]] = []
        for one in spot.below() if spot is not None else ():
            said = {child.path[-1]: child.text or "" for child in one.below()}
            rows.append((str(one.path[-1]), said.get("description", ""), said.get("default", "")))
        return rows

    def symbol(self, file: str, mention: Mention) -> Symbol | None:
        """What a mention names; None for a value, whose path depends on the result it is in."""
        if mention.kind == COMPONENT:
            return Symbol(COMPONENT, mention.name, type=mention.type)
        if mention.kind == ANCHOR:
            return Symbol(ANCHOR, mention.name, file)
        if mention.kind == INPUT:
            return Symbol(INPUT, mention.name, self._pattern(file))
        if mention.kind == LOCAL:
            home = self._local(file, mention)
            return Symbol(LOCAL, mention.name, file, home.path) if home is not None else None
        if mention.kind in (SCOPED, VALUE) and self.authoring.kind_of(file) == "template":
            path = self.scoped(file, mention)
            keys = path and all(isinstance(step, str) for step in path)
            return Symbol(VALUE, str(path[-1]), self._unit(file), path) if keys else None
        return None

    def _local(self, file: str, mention: Mention) -> WrittenSpot | None:
        written = self.authoring.written(file)
        if written is None or mention.spot is None:
            return None
        places = [(*scope, mention.name) for scope in structure_of("stacks").scopes(mention.spot.path)]
        spots = (written.find(path, mention.spot.document) for path in places)
        return next((spot for spot in spots if spot is not None), None)

    # Where things are defined

    def definitions(self, file: str, mention: Mention) -> list[Found]:
        """Where what a mention names is written."""
        if mention.kind in FILES:
            return [(name, (0, 0)) for name in self.files_meant(file, mention)]
        symbol = self.symbol(file, mention)
        if symbol is not None and symbol.kind != VALUE:
            return self.defined(symbol)
        written = self.authoring.written(file)
        if mention.kind in (DIRECTIVE, QUERY, SCOPED, VALUE) and written is not None and mention.spot is not None:
            path = self.scoped(file, mention)
            spot = written.find(path, mention.spot.document) if path else None
            return [(file, spot.name_span)] if spot is not None else []
        return []

    def defined(self, symbol: Symbol) -> list[Found]:
        """Where a symbol is defined."""
        return [
            (file, span) for file in self.candidates(symbol) for one, span in self._definitions(file) if one == symbol
        ]

    def _definitions(self, file: str) -> Iterator[tuple[Symbol, Span]]:
        written = self.authoring.written(file)
        kind = self.authoring.kind_of(file)
        structure = structure_of(kind)
        for spot in written.spots() if written is not None else ():
            for span in (anchor_span(spot), named_span(spot)):
                if span is not None:
                    yield Symbol(ANCHOR, spot.layout.text[span[0] : span[1]], file), span
            defined = structure.defines(spot.path) if spot.path else None
            if defined is not None:
                what, name, type = defined
                home = file if what == LOCAL else self._pattern(file) if what == INPUT else ""
                yield Symbol(what, name, home, spot.path if what == LOCAL else (), type), spot.name_span
            elif kind == "template" and spot.path and all(isinstance(step, str) for step in spot.path):
                yield Symbol(VALUE, str(spot.path[-1]), self._unit(file), spot.path), spot.name_span

    def candidates(self, symbol: Symbol) -> list[str]:
        """The files in which a symbol may be named."""
        if symbol.kind in (ANCHOR, LOCAL):
            return [symbol.home]
        if symbol.kind == INPUT:
            return [name for name in self.authoring.files() if name.startswith(os.path.join(symbol.home, ""))]
        if symbol.kind == VALUE:
            return sorted(self.authoring.family(symbol.home))
        return [name for name in self.authoring.manifests() if symbol.name in self.authoring.source(name).text]

    def references(self, symbol: Symbol) -> list[Found]:
        """Every mention of a symbol."""
        if symbol.kind == VALUE:
            return [found for file in self.candidates(symbol) for found in self._steps(file, symbol.path)]
        return [
            (file, mention.span)
            for file in self.candidates(symbol)
            for mention in self.mentions(file)
            if mention.kind == symbol.kind and self.symbol(file, mention) == symbol
        ]

    def _steps(self, file: str, path: Path) -> Iterator[Found]:
        """The steps in paths of a file that name a key."""
        for mention in self.mentions(file):
            read = self.scoped(file, mention) if mention.kind in (SCOPED, VALUE) else ()
            spans = steps_of(mention) if read[: len(path)] == path else []
            number = len(path) - 1 - (len(read) - len(spans))
            if spans and number >= 0:  # else it is found from inside of what has the name
                yield file, spans[number]

    # Paths and files

    def scoped(self, file: str, mention: Mention) -> Path:
        """The path that a mention means: from the root, or found from where it is written, outwards."""
        written, spot = self.authoring.written(file), mention.spot
        if mention.kind == QUERY and spot is not None:
            return (*spot.path[:-1], *mention.path)
        if mention.kind not in (SCOPED, VALUE) or written is None or spot is None:
            return mention.path
        for depth in range(len(spot.path) - 1, -1, -1) if mention.kind == SCOPED else (0,):
            around = written.find(spot.path[:depth], spot.document)
            found = self._inside(around, mention.path, spot) if around is not None else None
            if found is not None:
                return found
        return mention.path

    @staticmethod
    def _inside(around: WrittenSpot, path: Path, asker: WrittenSpot) -> Path | None:
        """A path below a map, as far as it is written: items of lists are also found by their `name`."""
        at, found = around, around.path
        for number, step in enumerate(path):
            below = [child for child in at.below() if child.path[-1] == step or _named(child) == step]
            if not below or (number == 0 and below[0].value == asker.value):
                return (*found, *path[number:]) if number else None
            at = below[0]
            found = at.path
        return found

    def files_meant(self, file: str, mention: Mention) -> list[str]:
        """The files that a name means."""
        if mention.computed:
            return []
        return [os.path.realpath(name) for name in FILES[mention.kind](self, file, mention)]

    def _imported(self, file: str, mention: Mention) -> list[str]:
        stacks = self.authoring.stacks
        return stacks.imported(file, mention.name) if stacks is not None else []

    def _included(self, file: str, mention: Mention) -> list[str]:
        folders = [os.path.dirname(file), self.authoring.folder]
        if VARIABLE.search(mention.name):
            return self.authoring.declared(VARIABLE.split(mention.name))
        if is_pattern(mention.name):
            return [os.path.join(folders[0], name) for name in self._matching(folders[0], mention.name)]
        names = [os.path.normpath(os.path.join(folder, mention.name)) for folder in folders]
        return [name for name in names if self.authoring.project.door.is_file(name)][:1]

    def _matching(self, folder: str, pattern: str) -> list[str]:
        return list(glob_files(self.authoring.project.door, folder, pattern))

    def _code(self, file: str, mention: Mention) -> list[str]:
        stacks, project = self.authoring.stacks, self.authoring.project
        if stacks is None:
            return []
        folder = os.path.join(stacks.code_folder(mention.type), mention.name)
        names = project.listing(folder)
        main = [name for name in names if name.startswith("main.")] or names
        return [path for name in main if project.door.is_file(path := os.path.join(folder, name))][:1]


VARIABLE = re.compile(r"\{\w+\}")
"""A variable of `for` in the name of a target's file."""
FILES = {IMPORT: Symbols._imported, FILE: Symbols._included, FOLDER: Symbols._code}
"""Mentions of files, and how they are found."""


def steps_of(mention: Mention) -> list[Span]:
    """Where each step of the path of a mention is written."""
    at, spans = mention.span[0], []
    for piece in mention.name.split("."):
        if piece:
            spans.append((at, at + len(piece)))
        at += len(piece) + 1
    return spans


def _named(spot: WrittenSpot) -> str | None:
    """The `name` of a list item."""
    if not spot.is_map or not isinstance(spot.path[-1], int):
        return None
    return next((child.text for child in spot.below() if child.path[-1] == "name"), None)
