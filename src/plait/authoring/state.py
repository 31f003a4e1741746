"""One folder while its files are being edited: the state of its texts, and what there is to say about them."""

from __future__ import annotations

import os
import re
from functools import cached_property
from itertools import islice

from plait.access.trace import GIT, VARIABLE
from plait.authoring.units import LoneUnit, TargetUnit
from plait.core.diagnostic import PlaitError
from plait.core.node import Known, MapNode, Unknown
from plait.core.role import FACT
from plait.core.source import TEMPLATE_ENDINGS, YAML_ENDINGS, Source
from plait.core.steps import outcome
from plait.core.struct import struct
from plait.core.unknown import presented
from plait.evaluate.explain import explain
from plait.evaluate.nowhere import NotThere
from plait.fronts.catalog import alone, file_kind_by_name, manifest_folder, world_of
from plait.fronts.findings import Finding
from plait.fronts.project import Project
from plait.fronts.questions import generating
from plait.fronts.signs import CHART, PATTERN
from plait.fronts.trail import SpotTrail
from plait.fronts.unit import attempt, findings_of
from plait.report.catalog import TWICE
from plait.yaml.build import Reading
from plait.yaml.places import Written, moved
from plait.yaml.scan import depth_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Origin
    from plait.core.steps import Steps
    from plait.evaluate.explain import Explanation, Leaf
    from plait.evaluate.hops import Hop
    from plait.fronts.living import Living
    from plait.fronts.unit import ManifestFolder, Result, Unit
    from plait.merging.account import Account
    from plait.yaml.places import Span, WrittenSpot


@struct
class Pointed:
    """What was pointed at in a text: its place, and the text that it was found in."""

    written: Written
    trail: SpotTrail

    @property
    def spot(self) -> WrittenSpot:
        return self.trail.spot


class Value:
    """One value that a written place has a part in: which result has it, and its explanation."""

    def __init__(self, result: Result, path: Path, decides: bool = False, lost: bool = False) -> None:
        """Raises `NotThere` where no part ever had a value there."""
        self.lost = lost
        """Whether the place is gone with the list that it was in, and this is the list that is there instead."""
        self.result = result
        self.path = path
        self.decides = decides
        """Whether the value is the one that is written there."""
        self.obstacle: Diagnostic | None = None
        """Why it cannot be computed."""
        self.why = ""
        """The reason, and what would help, where it is only not known here."""
        self.node = self._node()
        """The value; None where it was removed, or cannot be computed."""

    def _node(self) -> Node | None:
        try:
            return self.result.tree.value(self.path)
        except NotThere:
            return self._removed()
        except PlaitError as error:
            return self._around(error)

    def _around(self, error: PlaitError) -> Node | None:
        """What is known of a value in which something could not be computed."""
        try:
            found = self.result.tree.partial(self.path)
        except PlaitError:
            found = None
        if isinstance(found, Unknown) and found.known is None:
            self.why = found.why
        elif found is not None:
            return presented(found)
        self.obstacle = error.diagnostics[0]
        return None

    def _removed(self) -> Node | None:
        """The value of a place that the result does not have; `NotThere` where no part ever had one."""
        try:
            explanation: Explanation | None = explain(self.result.tree, self.path)
        except PlaitError:
            explanation = None
        self.explanation = explanation
        return explanation.value if explanation is not None else None

    @cached_property
    def explanation(self) -> Explanation | None:
        """None where the value cannot be computed, or is there by another path only."""
        if self.obstacle is not None:
            return None
        try:
            return explain(self.result.tree, self.path)
        except (PlaitError, NotThere):
            return None

    @property
    def computed(self) -> bool:
        """Whether the value could be computed; one that was removed could."""
        return self.node is not None or self.explanation is not None


LAYERS = "layers"
"""The kind of targets whose files are merged as they are."""
UNQUOTED = re.compile(r"(?:^|[:?,\[-])[ \t]*\{\{", re.M).finditer
"""Where a value may begin with a template."""


class AuthoringState:
    """A folder and the unsaved texts of its files."""

    def __init__(self, living: Living) -> None:
        self._living = living
        self._good: dict[str, Written] = {}
        """The last text of each file that could be read, while the present one cannot."""
        self._last: dict[str, tuple[Written | None, tuple[Source, object, list[Node]] | None]] = {}
        """What was read of each file before its present text, as long as that was not read."""
        self._real: dict[str, str] = {}
        self._unsaved: dict[str, str | None] = {}
        """The texts of settings as the editor has them."""
        self._written: dict[str, Written] = {}
        self._start(living.project)
        self._settings = self._good_settings()

    def _start(self, project: Project) -> None:
        self.project = project
        if project.trees is None:
            project.trees = {}
        project.remembers = True
        self.world = world_of(project)
        self.present = object()
        """Another one for each state of the texts."""
        self._unreadable: dict[str, list[Diagnostic]] = {}
        self._checked: dict[str, list[Finding]] = {}
        self._loaded: dict[str, list[Diagnostic]] = {}
        self._units: list[Unit] | None = None
        self._stacks: ManifestFolder | None = None
        self._paths: dict[int, str] = {}
        self._seen = 0
        """How many of the project's sources are among them."""
        self._kinds: dict[str, str] = {}
        self.broken: list[Diagnostic] = []
        """What is wrong with the settings of the folder."""

    @property
    def folder(self) -> str:
        return self.project.folder

    def owns(self, path: str) -> bool:
        """Whether a file is in the folder."""
        return path.startswith(os.path.join(self.folder, ""))

    def near(self, path: str) -> str:
        """A file as people call it: by its path from the folder, where it is in it."""
        return os.path.relpath(path, self.folder) if self.owns(path) else path

    # Texts

    def edit(self, path: str, text: str | None) -> None:
        """A file has an unsaved text; for None, it is again what is on the disk."""
        path = os.path.realpath(path)
        self._remember(path)
        self._living.edit(path, text)
        if os.path.basename(path) == "plait.yaml":
            self._unsaved[path] = text
        if text is None:
            self._good.pop(path, None)
        self._renew()

    def _remember(self, path: str) -> None:
        """Keep what was read of a file until it is known that its new text can be read."""
        written = self._written.get(path)
        if written is not None and path not in self._unreadable and path not in self._last:
            trees = (self.project.trees or {}).get(self._key(path))
            self._last[path] = (written, trees)

    def take_from(self, other: AuthoringState, path: str) -> None:
        """Use what another state of the folder had read of a file, where the text is the same."""
        written, trees = other._last.get(path, (None, None))
        key = self._key(path)
        if written is not None and written.source.text == self.project.source(key).text:
            self.project.sources[key] = written.source
            self._written[path] = written
            self.project.scanned(key, written.source, written.programs())
            if trees is not None and self.project.trees is not None:
                self.project.trees[key] = trees

    def refresh(self) -> list[str]:
        """Look at the disk again; the files that changed."""
        changed = self._living.refresh()
        self._real.clear()
        self._renew()
        return changed

    def _renew(self) -> None:
        """Begin a new state. While the unsaved plait.yaml has an error, the saved one counts; while that has one, too,
        the last good one."""
        for path, text in self._unsaved.items():
            self._living.edit(path, text)
        try:
            self._start(self._living.project)
        except PlaitError as error:
            self._fall_back()
            self.broken = list(error.diagnostics)
        else:
            self._settings = self._good_settings()

    def _fall_back(self) -> None:
        for path in self._unsaved:
            self._living.edit(path, None)
        try:
            self._start(self._living.project)
        except PlaitError:
            path, text = self._settings
            self._living.edit(path, text)
            self._unsaved.setdefault(path, None)
            self._start(self._living.project)

    def _good_settings(self) -> tuple[str, str]:
        """The plait.yaml that counts at the moment, and its text; empty where there is none."""
        path = os.path.join(self.project.home or self.folder, "plait.yaml")
        source = self._text(path) if self.project.home else None
        return os.path.realpath(path), source.text if source is not None else ""

    def _text(self, path: str) -> Source | None:
        try:
            return self.source(path)
        except PlaitError:
            return None

    def source(self, path: str) -> Source:
        """The text of a file as it is now, unsaved or on the disk."""
        return self.project.source(self._key(path))

    def _key(self, path: str) -> str:
        """The name under which the project knows a file: as targets name it, so that a text is read once, whoever asks
        first."""
        return path if path in self.project.sources else os.path.relpath(path)

    def path_of(self, source: Source) -> str:
        """The real path of the file that a text comes from; empty for what is not a file."""
        source = source.written or source
        if id(source) not in self._paths:
            for name, known in islice(self.project.sources.items(), self._seen, None):
                self._paths[id(known)] = self._real_path(name)
            self._seen = len(self.project.sources)
        return self._paths.get(id(source), "")

    def _real_path(self, name: str) -> str:
        if name not in self._real:
            self._real[name] = os.path.realpath(name)
        return self._real[name]

    def written(self, path: str) -> Written | None:
        """What is written in a file; while it cannot be read, what was written last."""
        path = os.path.realpath(path)
        if path in self._unreadable:
            return self._good.get(path)
        source = self.source(path)
        known = self._written.get(path)
        if known is None or known.source is not source:
            try:
                before = self._last.get(path, (None, None))[0]
                depth = depth_for(source, self.project.budgets.depth)
                known = self._written[path] = Written(source, depth, before)
                self.project.scanned(self._key(path), source, known.programs())
                self._last.pop(path, None)
            except PlaitError as error:
                if known is not None:
                    self._good[path] = self._written.pop(path)
                self._unreadable[path] = list(error.diagnostics)
                self.project.refused(self._key(path), source, error)
                return self._good.get(path)
        return known

    def point(self, path: str, offset: int) -> Pointed | None:
        """What is at a place of a file."""
        path = os.path.realpath(path)
        written = self.written(path)
        if written is None:
            return None
        spot = written.at(moved(offset, self.source(path).text, written.source.text))
        return Pointed(written, SpotTrail(path, written, spot, self.path_of)) if spot is not None else None

    # Units

    def units(self) -> list[Unit]:
        """Everything that the folder makes."""
        if self._units is None:
            self._units = []
            for make in (self._of_stacks, self._declared):
                try:
                    self._units += make()
                except PlaitError as error:
                    self.broken += error.diagnostics
        return self._units

    def _of_stacks(self) -> Iterable[Unit]:
        self._stacks = manifest_folder(self.world, self._real_path, self.path_of)
        return self._stacks.units() if self._stacks is not None else []

    def _declared(self) -> Iterable[Unit]:
        found = self.world.catalog.find(self.world, without=("stack",))
        return [TargetUnit(self.world.open(one)) for one in found]

    def units_of(self, path: str) -> list[Unit]:
        """What a file takes part in; the file on its own where that is nothing."""
        path = os.path.realpath(path)
        units = [unit for unit in self.units() if path in unit.files]
        return units or [self._alone(path)]

    def _alone(self, path: str) -> LoneUnit:
        kind = self.kind_of(path)
        declaration = alone(self.project, kind, path)
        return LoneUnit(self.world.open(declaration) if declaration is not None else None, path, kind)

    def declared(self, pieces: list[str]) -> list[str]:
        """The files of targets whose names are these pieces with anything between them."""
        units = [unit for unit in self.units() if isinstance(unit, TargetUnit)]
        rows = [row for unit in units for row in zip(unit.target.declaration.files, unit.layers(), strict=True)]
        return list(dict.fromkeys(path for name, path in rows if _is_made_of(name, pieces)))

    def takes_part(self, path: str) -> bool:
        """Whether a stack or a target reads a file."""
        return not isinstance(self.units_of(path)[0], LoneUnit)

    @property
    def stacks(self) -> ManifestFolder | None:
        """The stacks of the folder; None where it has none, or they cannot be read."""
        self.units()
        return self._stacks

    def family(self, name: str) -> frozenset[str]:
        """The files of a unit; a file on its own where that is its name."""
        units = [unit for unit in self.units() if unit.name == name]
        return frozenset().union(*(unit.files for unit in units)) if units else frozenset((name,))

    def kind_of(self, path: str) -> str:
        """How a file is read: by its name, by the target that names it, by its folder, or by what is in it."""
        if path not in self._kinds:
            self._kinds[path] = self._kind(path)
        return self._kinds[path]

    def _kind(self, path: str) -> str:
        named = file_kind_by_name(path) or self._in_pattern(path) or self._in_chart(path)
        if named:
            return named
        for unit in self.units():
            if path in unit.files:
                return unit.kind
        if self._stacks is not None and path.startswith(os.path.join(self._stacks.base, "")):
            return "stacks"
        text = self.source(path).text
        return next((kind for kind, marks in GUESSES.items() if any(mark in text for mark in marks)), "layers")

    def _in_pattern(self, path: str) -> str:
        """Whether a file is a template of a pattern: it is below the folder of a pattern.yaml."""
        folder = os.path.dirname(path)
        while len(folder) > len(self.folder):
            if os.path.isfile(os.path.join(folder, PATTERN)):
                return "rendered"
            folder = os.path.dirname(folder)
        return ""

    @staticmethod
    def _in_chart(path: str) -> str:
        """Whether a file is a template of a chart: it is below the folder `templates` beside a Chart.yaml."""
        folder = os.path.dirname(path)
        while os.path.basename(folder):
            above = os.path.dirname(folder)
            if os.path.basename(folder) == "templates" and os.path.isfile(os.path.join(above, CHART)):
                return TEMPLATE
            folder = above
        return ""

    def files(self) -> list[str]:
        """The YAML files of the folder."""
        found: list[str] = self.project.queries.recall("files", self._found)
        return found

    def _found(self) -> list[str]:
        names = self.project.door.below(self.folder, hidden=False)
        return [os.path.join(self.folder, name) for name in names if name.endswith(TEMPLATE_ENDINGS)]

    def manifests(self) -> list[str]:
        """The manifests of stacks."""
        base = self.stacks.base if self.stacks is not None else "\0"
        return [name for name in self.files() if name.startswith(os.path.join(base, ""))]

    # Findings

    def check_text(self, path: str) -> list[Finding]:
        """What is wrong with the text of a file."""
        path = os.path.realpath(path)
        if path not in self._checked:
            self._checked[path] = self._check_text(path)
        return self._checked[path]

    def _check_text(self, path: str) -> list[Finding]:
        findings = self._syntax(path)
        if not findings and path.endswith(YAML_ENDINGS):
            findings = self._check_file(path, self.units_of(path)[0])
        return [self.finding(one) for one in findings]

    def _check_file(self, path: str, unit: Unit) -> list[Diagnostic]:
        """What is wrong with a readable file, whatever else takes part."""
        if isinstance(unit, LoneUnit):
            self.project.meter.restart()
            if unit.kind == "stacks" and self._stacks is not None:
                return self._stacks.check_alone(path)
        return unit.check_file(path)

    def disagreements(self) -> list[Finding]:
        """The components that two manifests of one stack define differently."""
        found: list[Diagnostic] = []
        stacks = self.stacks
        if stacks is not None:
            self.project.meter.restart()
            attempt(lambda: found.extend(stacks.disagreements()), found)
        return [self.finding(one) for one in found if one.code == TWICE.code]

    def is_readable(self, path: str) -> bool:
        """Whether the text of a file can be read as YAML, or need not be."""
        return not self._syntax(os.path.realpath(path))

    def is_sound(self, path: str) -> bool:
        """Whether what a file takes part in can be put together. The first one tells: what is wrong with the file is
        wrong with all of them."""
        units = self.units_of(path)[:1]
        return not any(unit.is_broken for unit in units) and not (
            any(unit.kind == LAYERS for unit in units) and self._is_unrendered(os.path.realpath(path))
        )

    def _is_unrendered(self, path: str) -> bool:
        """Whether a text has a template without quotes. That is YAML, a map whose key is a map, and refused as a
        layer."""
        source = self._text(path)
        written = self.written(path) if source is not None and "{{" in source.text else None
        if source is None or written is None:
            return False
        spots = (written.at(match.end() - 2) for match in UNQUOTED(source.text))
        return any(spot is not None and not spot.is_scalar and source.text.startswith("{{", spot.at) for spot in spots)

    def _syntax(self, path: str) -> list[Diagnostic]:
        """What makes a text unreadable."""
        if not path.endswith(YAML_ENDINGS) or self.kind_of(path) in UNREAD or self._text(path) is None:
            return []
        if self.written(path) is not None and path not in self._unreadable and path not in self._loaded:
            diagnostics: list[Diagnostic] = []
            how = Reading(nodes=self.project.budgets.nodes)
            attempt(lambda: self.project.read(self._key(path), lambda source: how), diagnostics)
            self._loaded[path] = diagnostics
        return self._unreadable.get(path) or self._loaded.get(path, [])

    def troubles(self) -> list[Finding]:
        """What is wrong with the settings of the folder."""
        self.units()
        return [Finding(one, self._path_named) for one in self.broken]

    def _path_named(self, source: Source) -> str:
        """The path of a text that the present state does not know, by its name."""
        return self.path_of(source) or (os.path.realpath(source.name) if os.path.isfile(source.name) else "")

    def order(self, path: str) -> tuple[list[Unit], list[Unit]]:
        """All units: those that a file takes part in, and the others."""
        path = os.path.realpath(path)
        near = [unit for unit in self.units() if path in unit.files]
        return near, [unit for unit in self.units() if unit not in near]

    def check(self, unit: Unit) -> list[Finding]:
        """Everything that is wrong with a unit. What does not depend on a change is not looked for again."""
        return outcome(self.check_in_steps(unit))

    def check_in_steps(self, unit: Unit) -> Steps[list[Finding]]:
        """The same in small steps, to be dropped when a text changes."""
        self.project.meter.restart()
        steps = unit.check(self.finding)
        found = yield from self.project.queries.in_steps(findings_of(unit), steps, ANYWHERE)
        return found.findings

    def is_checked(self, unit: Unit) -> bool:
        """Whether everything that is wrong with a unit is known."""
        known = self.project.queries.last(findings_of(unit))
        return known is not None and not self.project.queries.differing(known)

    def check_near(self, path: str, offset: int) -> tuple[list[Finding], Span] | None:
        """What is wrong with the values around a place, before everything else is looked at, and the span that this is
        about; None where only a look at everything can say it."""
        pointed = self.point(path, offset)
        spots = pointed.trail.spots if pointed is not None else []
        keys = [spot for spot in spots if all(isinstance(step, str) for step in spot.path)]
        small = next((spot for spot in keys if spot.path and spot.size <= SMALL), None)
        if small is None:
            return None
        found: list[Diagnostic] = []
        for unit in self.units_of(path):
            self.project.meter.restart()
            near = unit.target.findings_near(small.path) if isinstance(unit, TargetUnit) else None
            if near is None:
                return None
            found += near
        return [self.finding(one) for one in found], small.whole_span

    def known(self, unit: Unit) -> list[Finding]:
        """What is known to be wrong with a unit without looking at it again."""
        return self.check(unit) if self.is_checked(unit) else unit.left()

    def finding(self, diagnostic: Diagnostic) -> Finding:
        return Finding(diagnostic, self.path_of)

    def extent(self, origin: Origin) -> int:
        """How long the scalar is that begins at a place; 0 for anything else, and where it is not known."""
        path = self.path_of(origin.source) if origin.source.written is None else ""
        written = self.written(path) if path.endswith(YAML_ENDINGS) else None
        spot = written.starting(origin.at) if written is not None else None
        return spot.value_span[1] - spot.at if spot is not None and spot.is_scalar else 0

    # Values

    def values(self, pointed: Pointed) -> Iterator[Value]:
        """The values that a written place has a part in, each with its explanation."""
        return (value for values in self.values_by_unit(pointed) for value in values)

    def values_by_unit(self, pointed: Pointed) -> Iterator[list[Value]]:
        """The same for each unit that the file takes part in, one after the other."""
        for unit in self.units_of(pointed.trail.file):
            self.project.meter.restart()
            try:
                found = [self.value_of(result, pointed.trail) for result in unit.results(pointed.trail)]
            except PlaitError:
                found = []
            present = [value for value in found if value is not None]
            yield [value for value in present if not value.result.abstract] or present

    def obstacle(self, pointed: Pointed) -> Diagnostic | None:
        """Why no result could be made in which a place has a part; None where one could, or there is none."""
        for unit in self.units_of(pointed.trail.file):
            try:
                list(unit.results(pointed.trail))
            except PlaitError as error:
                return error.diagnostics[0]
        return None

    def generating(self, leaf: Leaf) -> list[Hop]:
        """The line of the pattern that a value of a generated file came from; nothing for any other value."""
        file = self.path_of(leaf.winner.node.origin.source)
        try:
            return generating(self.project, leaf, file) if file else []
        except PlaitError:
            return []

    @staticmethod
    def is_known(node: Node) -> bool:
        """Whether a value was computed."""
        return isinstance(node, Known)

    def value_of(self, result: Result, trail: SpotTrail) -> Value | None:
        if result.decided and result.path is not None:
            return Value(result, result.path)
        names = result.path if result.path is not None else trail.path
        try:
            path, account = trail.follow(result.account, names)
            if len(path) < len(names):
                return self._instead(result, trail, names, path, account)
            derived = account.winner.node.origin.source.role == FACT
            if result.path is not None and not derived and not trail.takes_part(account):
                return None
            return Value(result, path, trail.decides(account))
        except NotThere:
            return None
        except PlaitError:
            return Value(result, names)

    @staticmethod
    def _instead(result: Result, trail: SpotTrail, names: Path, path: Path, account: Account) -> Value:
        """The value for a place that the result does not have: it was removed, is part of a list that was replaced as
        a whole, or of an expression that is written as a map."""
        if isinstance(names[len(path)], int):
            return Value(result, path, lost=True)
        if path and not isinstance(account.known, MapNode) and trail.takes_part(account, len(names) - len(path)):
            return Value(result, path)
        return Value(result, names)


ANYWHERE = (VARIABLE, GIT)
"""Inputs that any unit may depend on, whoever asked for their values first."""
SMALL = 10_000
"""How many characters are looked at first when one of them changes."""
TEMPLATE = "chart template"
UNREAD = ("rendered", TEMPLATE)
"""Kinds of files that become YAML when they are rendered."""
GUESSES = {"template": ("((",), "document": ("+include", "+*", "+&", "+%")}
"""Signs that a file is a template of spiff's, or a document with directives."""


def _is_made_of(name: str, pieces: list[str]) -> bool:
    """Whether a name is these pieces in order, with at least one character between them."""
    first, *others = pieces
    if not others:
        return name == first
    *between, last = others
    at, end = len(first), len(name) - len(last)
    for piece in between:
        at = name.find(piece, at + 1, end) + len(piece)
        if at < len(piece):
            return False
    return name.startswith(first) and name.endswith(last) and at < end
