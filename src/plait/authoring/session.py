"""One folder as an editor sees it: everything that can be asked about its texts."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from itertools import islice

from plait.authoring.completion import Completion, Suggestion, function_help
from plait.authoring.cursor import Cursor
from plait.authoring.fixes import Fix, Fixes, place_of
from plait.authoring.mentions import FUNCTION, MEMBER, QUERY, SCOPED, VALUE
from plait.authoring.reaching import LineReach
from plait.authoring.reading import steps_of_mention, template_steps
from plait.authoring.renaming import renamable, renamed
from plait.authoring.schema import Schema, about_key
from plait.authoring.state import AuthoringState, Pointed, Value
from plait.authoring.symbols import FILES, Symbol, Symbols
from plait.authoring.templates import TemplateValues
from plait.authoring.tokens import tokens
from plait.authoring.units import TargetUnit
from plait.authoring.uses import bases, heirs, importers, imports, references, searched
from plait.core.diagnostic import Label, PlaitError
from plait.core.source import Origin
from plait.core.steps import in_steps
from plait.evaluate.nowhere import NotThere
from plait.fronts.catalog import schema_of
from plait.fronts.findings import Finding
from plait.fronts.living import Living
from plait.fronts.structure import COMPONENT, INPUT
from plait.fronts.trail import SpotTrail
from plait.report.catalog import INPUT_UNKNOWN
from plait.report.near import did_you_mean
from plait.survey.survey import Survey
from plait.yaml.layout import NONE
from plait.yaml.places import LARGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from plait.authoring.mentions import Mention
    from plait.core.path import Path
    from plait.core.steps import Steps
    from plait.fronts.unit import Unit
    from plait.yaml.places import Span, WrittenSpot

    Place = tuple[str, Span]
    """A file, and a span in it."""


VALUES, VALUES_SCHEMA = "values.yaml", "values.schema.json"
"""The values of a chart, and what it says about them."""
KEYED = ("layers", "chart", "compose", "document", "kustomization")
"""Kinds of files whose keys are those of results."""
BESIDE_INPUTS = ("inputs", "pattern")
"""What a template of a pattern sees beside its inputs by name."""
SAMPLE = 8
"""How many results are looked at for a hint beside the text."""


class Authoring(AuthoringState):
    """A folder and the unsaved texts of its files: names, definitions and uses."""

    def __init__(self, living: Living) -> None:
        super().__init__(living)
        self.symbols = Symbols(self)
        self.templates = TemplateValues(self)
        self._schemas: dict[str, Schema] = {}
        self._reaches: tuple[object, Survey] | None = None

    # Names

    def references(self, path: str, offset: int, declared: bool = True) -> Steps[list[Place]]:
        """Everywhere that what is at a place is used; with `declared`, where it is defined or decided as well. Large
        files are searched in small steps."""
        path = os.path.realpath(path)
        for name in searched(self.symbols, path, offset):
            yield from self.symbols.mentions_in_steps(name)
        found = [*self._in_templates(path, offset), *references(self.symbols, path, offset, declared)]
        mention = self.symbols.mention_at(path, offset)
        is_read = mention is not None and mention.kind in (VALUE, SCOPED, QUERY)
        if declared and (is_read or self.templates.at(path, offset) is not None):
            origins = [row for row in self.definitions(path, offset) if row[0].source.written is None]
            found += [(self.path_of(origin.source), (origin.at, origin.at + size)) for origin, size in origins]
        return list(dict.fromkeys(place for place in found if place[0]))

    def _in_templates(self, path: str, offset: int) -> list[Place]:
        """The places of templates that name the value at a place of a template, or of a file of values."""
        if self.templates.at(path, offset) is not None:
            return self.templates.others(path, offset)
        pointed = self.point(path, offset)
        return self.templates.uses(pointed) if pointed is not None else []

    def importers(self, path: str) -> list[Place]:
        """The lines that name a file."""
        return importers(self.symbols, os.path.realpath(path))

    def imports(self, path: str) -> Steps[list[Place]]:
        """The files that a file names, each with the span in it that does; found in small steps."""
        return imports(self.symbols, os.path.realpath(path))

    def heirs(self, type: str, name: str) -> list[tuple[Symbol, str, Span]]:
        """The components that inherit one, and the places where they name it."""
        return heirs(self.symbols, Symbol(COMPONENT, name, type=type))

    def bases(self, type: str, name: str) -> list[tuple[Symbol, str, Span]]:
        """The components that one inherits, and the places where it names them."""
        return bases(self.symbols, Symbol(COMPONENT, name, type=type))

    def renamable(self, path: str, offset: int) -> tuple[Symbol, Span]:
        """What would be renamed at a place, and the span of its name."""
        return renamable(self.symbols, os.path.realpath(path), offset)

    def renamed(self, path: str, offset: int, name: str) -> list[Place]:
        """Every span that holds the name at a place; PlaitError where it cannot be renamed."""
        return renamed(self.symbols, os.path.realpath(path), offset, name)

    def suggestions(self, path: str, text: str, offset: int, schemas: Mapping[str, Schema]) -> list[Suggestion]:
        """What can be typed at a place of a text, which may be newer than what is known of the file. `schemas` are
        those of files with a name of their own."""
        self.project.meter.restart()
        path = os.path.realpath(path)
        cursor = Cursor(text, offset)
        return Completion(self.symbols, path, cursor, self._schema(path, schemas), self.templates).suggestions()

    def _schema(self, path: str, schemas: Mapping[str, Schema]) -> Schema:
        """The schema of a file; empty where there is none."""
        kind = self.kind_of(path)
        own = self._values_schema(path)
        if own:
            return own
        if kind not in self._schemas:
            self._schemas[kind] = schema_of(kind)
        return self._schemas[kind] or schemas.get(kind, {})

    def _values_schema(self, path: str) -> Schema:
        """The schema of the values that a file holds for a chart; empty where there is none."""
        units = [unit for unit in self.units_of(path) if isinstance(unit, TargetUnit)]
        named = next((name for unit in units if (name := unit.target.values_schema(path))), "")
        beside = os.path.join(os.path.dirname(path), VALUES_SCHEMA)
        if not named and os.path.basename(path) == VALUES and self.project.door.is_file(beside):
            named = beside
        with suppress(PlaitError, ValueError):
            found = json.loads(self.source(named).text) if named else {}
            return found if isinstance(found, dict) else {}
        return {}

    def key_help(self, pointed: Pointed, schemas: Mapping[str, Schema]) -> str:
        """What a key means by the schema of its file; empty for anything else."""
        schema = self._schema(pointed.trail.file, schemas)
        return about_key(schema, pointed.spot.path) if pointed.spot.on_key else ""

    def key_path(self, path: str, offset: int) -> tuple[Path, Span]:
        """The path that the key at a place has in the results that it takes part in, or that is read there, and the
        span of its name."""
        path = os.path.realpath(path)
        read = self.templates.at(path, offset)
        if read is not None:
            return read.path, (read.span[1] - len(read.names[-1]), read.span[1])
        mention = self.symbols.mention_at(path, offset)
        if mention is not None and mention.kind in (VALUE, SCOPED, QUERY) and self.kind_of(path) in KEYED:
            steps = steps_of_mention(self.symbols, path, mention)
            return next((step for step in steps if step[1][0] <= offset <= step[1][1]), ((), (offset, offset)))
        pointed = self.point(path, offset)
        spot = pointed.spot if pointed is not None else None
        found: Path = ()
        if pointed is not None and spot is not None and spot.on_key and self.kind_of(path) in KEYED:
            found = next((value.path for value in self.values(pointed)), ())
        if spot is None or found[-1:] != spot.path[-1:]:
            return (), (offset, offset)
        return found, spot.name_span

    def named_keys(self, query: str) -> Iterator[tuple[str, WrittenSpot] | None]:
        """The keys of all files whose names contain some letters, as far as they are found without evaluating; a None
        now and then, where a step ends."""
        wanted = query.lower()
        for file in self.files():
            source = self._text(file)
            written = self.written(file) if source is not None and wanted in source.text.lower() else None
            yield None
            for spot in in_steps(written.walk()) if written is not None else ():
                if spot is None:
                    yield None
                elif spot.key != NONE and wanted in str(spot.path[-1]).lower():
                    yield file, spot

    def tokens(self, path: str, start: int = 0, end: int = sys.maxsize) -> Iterator[list[tuple[int, int, str]]]:
        """What the words of expressions in a span of a file are."""
        return tokens(self, os.path.realpath(path), start, end)

    def fixes(self, path: str, start: int, end: int) -> list[Fix]:
        """What can be done about the findings in a span, and with the value at its beginning."""
        path = os.path.realpath(path)
        fixes, pointed = Fixes(self, path), self.point(path, start)
        near, rest = self.order(path)
        units = [*near, *rest] if self.kind_of(path) == "settings" else near
        near_it = self._checked_near(path, start, units)
        of_units = near_it if near_it is not None else [one for unit in units for one in self.check(unit)]
        findings = [*self.check_text(path), *self.troubles(), *of_units]
        here = [finding for finding in dict.fromkeys(findings) if self._meets(finding, path, start, end)]
        values = list(fixes.of_value(pointed)) if pointed is not None else []
        found = [*(fix for finding in here for fix in fixes.of_finding(finding)), *values]
        return list({(fix.title, *fix.changes): fix for fix in found[::-1]}.values())[::-1]

    def text_fixes(self, path: str, start: int, end: int) -> list[Fix]:
        """What can be done about the findings in a span of a text in which nothing else can be asked."""
        path = os.path.realpath(path)
        fixes = Fixes(self, path)
        near, _ = self.order(path)
        findings = [*self.check_text(path), *(one for unit in near for one in self.check(unit))]
        here = [finding for finding in dict.fromkeys(findings) if self._meets(finding, path, start, end)]
        return [fix for finding in here for fix in fixes.of_finding(finding)]

    def _checked_near(self, path: str, offset: int, units: list[Unit]) -> list[Finding] | None:
        """What is wrong around a place of a large file, while not everything is known yet; else None."""
        if len(self.source(path).text) < LARGE or all(map(self.is_checked, units)):
            return None
        found = self.check_near(path, offset)
        return found[0] if found is not None else None

    def _meets(self, finding: Finding, path: str, start: int, end: int) -> bool:
        """Whether a finding has a place in a span of a file, or on its line."""
        text = self.source(path).text
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        return any(
            one == path and first <= place_of(label) <= (last if last >= 0 else len(text))
            for one, label in finding.places
        )

    def function_at(self, path: str, offset: int) -> tuple[str, str, str] | None:
        """The signature, the meaning and an example of the function at a place."""
        path = os.path.realpath(path)
        mention = self.symbols.mention_at(path, offset)
        if mention is None or mention.kind != FUNCTION:
            return None
        return function_help(mention.name, self.kind_of(path))

    def named(self, path: str, offset: int) -> tuple[Symbol, list[Place], list[Symbol], list[Symbol]] | None:
        """The component at a place: where it is defined, what it inherits, and what inherits it."""
        path = os.path.realpath(path)
        found = self.symbols.at(path, offset)
        if found is None or found[0].kind != COMPONENT:
            return None
        symbol = found[0]
        inherited = [one for one, _, _ in bases(self.symbols, symbol)]
        inheriting = [one for one, _, _ in heirs(self.symbols, symbol)]
        return symbol, self.symbols.defined(symbol), inherited, inheriting

    def input_at(self, path: str, offset: int) -> tuple[str, str, str] | None:
        """The input of a pattern that is named at a place, its description, and the text of its default."""
        path = os.path.realpath(path)
        mention = self.symbols.mention_at(path, offset)
        if mention is None or mention.kind != INPUT:
            return None
        rows = [row for row in self.symbols.inputs(path) if row[0] == mention.name]
        return rows[0] if rows else None

    def check_text(self, path: str) -> list[Finding]:
        """What is wrong with the text of a file; of a template of a pattern, what it reads that is no input."""
        path = os.path.realpath(path)
        found = super().check_text(path)
        if self.kind_of(path) != "rendered" or found:
            return found
        known = [name for name, _, _ in self.symbols.inputs(path)]
        roots = {*(name.partition(".")[0] for name in known), *BESIDE_INPUTS}
        source = self.source(path)
        steps = [(names[0], at) for names, at in template_steps(source.text) if len(names) == 1]
        wrong = {name: at for name, at in reversed(steps) if name not in roots} if known else {}
        return [
            self.finding(
                INPUT_UNKNOWN(Label.at(source, at, length=len(name)), name=name, hint=did_you_mean(str(name), known))
            )
            for name, at in wrong.items()
            if isinstance(name, str)
        ]

    def meant(self, path: str, offset: int) -> list[str]:
        """The files that the name at a place means."""
        path = os.path.realpath(path)
        mention = self.symbols.mention_at(path, offset)
        return self.symbols.files_meant(path, mention) if mention is not None and mention.kind in FILES else []

    # Beside the text

    def computed(self, path: str, start: int, end: int) -> Iterator[tuple[WrittenSpot, list[Value]]]:
        """The values of a span of a file that are expressions, or override something, each with its results."""
        path = os.path.realpath(path)
        written = self.written(path)
        for spot in written.walk(start, end) if written is not None else ():
            if spot.is_scalar and spot.path and start <= spot.at <= end:
                pointed = Pointed(written, SpotTrail(path, written, spot, self.path_of)) if written else None
                yield spot, list(islice(self.values(pointed), SAMPLE)) if pointed is not None else []

    def reach(self, path: str) -> LineReach:
        """What the lines of a file decide, in the targets that were looked at; a few more are looked at each time."""
        path = os.path.realpath(path)
        if self._reaches is None or self._reaches[0] is not self.present:
            self._reaches = (self.present, self._survey())
        return LineReach(self._reaches[1], os.path.relpath(path, self.folder), SAMPLE)

    def _survey(self) -> Survey:
        return Survey(self.world)

    # Definitions

    def definitions(self, path: str, offset: int) -> Iterator[tuple[Origin, int]]:
        """Where what is at a place is defined or decided, and how long that is; 0 where it is not known."""
        path = os.path.realpath(path)
        if self.templates.at(path, offset) is not None:
            yield from self._deciding(self.templates.values(path, offset))
            return
        mention = self.symbols.mention_at(path, offset)
        pointed = self.point(path, offset)
        if mention is not None and mention.kind != FUNCTION:
            yield from self._named(path, mention, pointed)
        elif mention is None and (named := self.symbols.at(path, offset)) is not None and named[0].kind != VALUE:
            yield from self._origins(self.symbols.defined(named[0]))
        elif pointed is not None:
            yield from self._deciding(self.values(pointed))

    def _named(self, path: str, mention: Mention, pointed: Pointed | None) -> Iterator[tuple[Origin, int]]:
        """Where what a name refers to is written. A value comes from the line that decides it in each result."""
        if mention.kind == MEMBER:
            yield from self._deciding(self._of_others(path, mention))
            return
        if mention.kind in (VALUE, SCOPED, QUERY) and pointed is not None:
            deciding = list(self._deciding(self._read(pointed, self.symbols.scoped(path, mention))))
            if deciding:
                yield from deciding
                return
        yield from self._origins(self.symbols.definitions(path, mention))

    def _origins(self, places: Iterable[Place]) -> Iterator[tuple[Origin, int]]:
        return ((Origin(self.source(file), start), end - start) for file, (start, end) in places)

    def _read(self, pointed: Pointed, path: Path) -> Iterator[Value]:
        """The values that a path of the results has in which a place takes part."""
        for unit in self.units_of(pointed.trail.file):
            try:
                for result in unit.results(pointed.trail):
                    with suppress(PlaitError, NotThere):
                        yield Value(result, path)
            except PlaitError:
                continue

    def _of_others(self, path: str, mention: Mention) -> Iterator[Value]:
        """The value of another component that a template reads, in each stack that it may be read in."""
        near, rest = self.order(path)
        for unit in (*near, *rest) if mention.stack else near:
            result = unit.result_of(mention.type, mention.name, mention.stack, mention.path)
            if result is not None:
                with suppress(PlaitError, NotThere):
                    yield Value(result, mention.path)

    def _deciding(self, values: Iterable[Value]) -> Iterator[tuple[Origin, int]]:
        """The lines that decide; for a map or a list that several files write, each of them, the highest first."""
        for explanation in [value.explanation for value in values if value.explanation is not None]:
            leaves = explanation.leaves
            parts = [leaves[0].winner] if len(leaves) == 1 else explanation.parts[::-1]
            yield from ((part.node.origin, self.extent(part.node.origin)) for part in parts)
