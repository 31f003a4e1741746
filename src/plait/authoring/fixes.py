"""What can be done about a finding or a value, as edits of texts."""

from __future__ import annotations

import re

from plait.authoring.findings import Finding
from plait.authoring.stacks import ManifestUnit
from plait.authoring.state import AuthoringState, Pointed
from plait.authoring.written import Written, WrittenSpot
from plait.core.diagnostic import PlaitError
from plait.core.node import Node
from plait.core.path import Path, format_path
from plait.core.source import Source
from plait.fronts.editing import Editor, found
from plait.fronts.stacks.answers.places import sites_of
from plait.report.catalog import LIST_LOST, NEVER_USED, NO_CHANGE, OLD_INPUT
from plait.yaml.edits import Delete
from plait.yaml.patch import apply
from plait.yaml.program import PLAIN, SEQ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.authoring.written import Span
    from plait.core.diagnostic import Label

    Change = tuple[str, Span, str]
    """A file, a span of it, and what is to be there instead."""

MEANT = re.compile(r"[Dd]id you mean ((?:`[^`]+`(?: or )?)+)")
MEANT_LOCAL = re.compile(r"- ([^:\s]+):.*← Did you mean this\?")
DEAD = (NO_CHANGE.code, NEVER_USED.code)
"""Findings about a value that can go."""


class Fix:
    """Something that can be done: edits of files, or a place to look at."""

    __slots__ = ("changes", "finding", "goto", "title")

    def __init__(
        self,
        title: str,
        changes: list[Change] | None = None,
        finding: Finding | None = None,
        goto: tuple[str, Span] | None = None,
    ) -> None:
        self.title = title
        self.changes = changes or []
        self.finding = finding
        self.goto = goto


class Fixes:
    """What can be done at a place of a file."""

    def __init__(self, authoring: AuthoringState, file: str) -> None:
        self.authoring = authoring
        self.file = file
        self.written: Written | None = authoring.written(file)

    def of_finding(self, finding: Finding) -> Iterator[Fix]:
        """What would mend a finding whose first place is in this file."""
        here = [label for path, label in finding.places if path == self.file]
        if not here:
            return
        for name in _meant(finding):
            span = self._wrong(here[0], name)
            if span is not None:
                yield Fix(f"Change it to `{name}`", [(self.file, span, name)], finding)
        code = finding.diagnostic.code
        if code == LIST_LOST.code and "`- !merge-by name`" in finding.diagnostic.hint:
            yield from self._merge_by(finding, "name")
        if code in DEAD:
            yield from self._remove(finding, here[0])
        if code == OLD_INPUT.code and self.written is not None:
            spot = self.written.at(here[0].origin.at)
            if spot is not None and (spot.on_key or spot.is_scalar):
                start, end = _inner(spot)
                yield Fix("Quote it", [(self.file, (start, end), f'"{spot.layout.text[start:end]}"')], finding)

    def _wrong(self, label: Label, name: str) -> Span | None:
        """The misspelt word at a label: all of it, or its last part where the name has one part."""
        text = self.authoring.source(self.file).text
        start = label.origin.at
        end = start + label.length
        if not label.length:
            spot = self.written.at(start) if self.written is not None else None
            if spot is None or not (spot.is_scalar or spot.on_key):
                return None
            start, end = _inner(spot)
        words = text[start:end]
        if "." in words and "." not in name:
            start += words.rindex(".") + 1
        elif "." in name and "." not in words:
            return None
        return start, end

    def _merge_by(self, finding: Finding, key: str) -> Iterator[Fix]:
        """A word to the merge at the head of the higher list."""
        for path, label in finding.places:
            written = self.authoring.written(path)
            spot = written.starting(label.origin.at) if written is not None else None
            if spot is None or spot.layout.kind(spot.value) != SEQ or path != self.file:
                continue
            first = next(spot.below(), None)
            if first is None:
                continue
            at = spot.layout.members(spot.value)[0].start
            flow = spot.value in spot.layout.flows
            column = at - (spot.layout.text.rfind("\n", 0, at) + 1)
            words = f"!merge-by {key}, " if flow else f"- !merge-by {key}\n{' ' * column}"
            yield Fix(f"Merge this list by `{key}`", [(path, (at, at), words)], finding)

    def _remove(self, finding: Finding, label: Label) -> Iterator[Fix]:
        spot = self.written.at(label.origin.at) if self.written is not None else None
        if spot is not None and spot.path:
            change = self._deleted(spot)
            if change is not None:
                yield Fix(f"Remove `{format_path(spot.path)}`", [change], finding)

    def _deleted(self, spot: WrittenSpot) -> Change | None:
        source = self.authoring.source(self.file)
        try:
            after = apply(source, [Delete(spot.path, spot.document)])
        except PlaitError:
            return None
        return difference(self.file, source.text, after)

    # Values

    def of_value(self, pointed: Pointed) -> Iterator[Fix]:
        """What can be done with the value at a place."""
        spot = pointed.spot
        if spot.is_scalar and spot.layout.kind(spot.value) == PLAIN and not spot.tag and spot.text:
            start, end = _inner(spot)
            quoted = '"' + spot.text.replace("\\", "\\\\").replace('"', '\\"') + '"'
            yield Fix("Quote this value", [(self.file, (start, end), quoted)])
        yield from self._losers(pointed)
        if self.authoring.kind_of(self.file) == "stacks":
            yield from self._moves(pointed)

    def _losers(self, pointed: Pointed) -> Iterator[Fix]:
        """The places that this value overrides, or is overridden by."""
        seen: set[str] = set()
        for value in self.authoring.values(pointed):
            for leaf in value.explanation.leaves if value.explanation is not None else ():
                for part in [loser for loser, _ in leaf.losers] if value.decides else [leaf.winner]:
                    origin = part.node.origin
                    path = self.authoring.path_of(origin.source)
                    if path and str(origin) not in seen and origin.source.written is None:
                        seen.add(str(origin))
                        word = "overridden value" if value.decides else "value that overrides this"
                        yield Fix(f"Open the {word}, {origin}", goto=(path, (origin.at, origin.at)))

    def _moves(self, pointed: Pointed) -> Iterator[Fix]:
        """The same value, written in another layer of the component instead."""
        spot, stacks = pointed.spot, self.authoring.stacks
        path = spot.path
        if stacks is None or len(path) < 5 or path[0] != "components" or spot.document or "{{" in (spot.text or ""):
            return  # a template may read what only this file has
        for unit in self.authoring.units_of(self.file)[:1]:
            component = unit.component(str(path[1]), str(path[2])) if isinstance(unit, ManifestUnit) else None
            if component is None:
                continue
            try:
                sites = sites_of(component, path[3:])
            except PlaitError:
                return
            for site in sites:
                if stacks.real(site.path) == self.file and site.steps == path:
                    continue
                changes = self._moved(spot, stacks.real(site.path), site.source, site.steps)
                if changes:
                    where = site.where if site.written is not None else site.file
                    yield Fix(f"Move this value to {where} ({site.about})", changes)

    def _moved(self, spot: WrittenSpot, target: str, source: Source, steps: Path) -> list[Change]:
        value = self._node(spot)
        here = self._deleted(spot)
        if value is None or here is None or target == self.file:
            return []
        editor = Editor(self.authoring.project)
        try:
            root = editor.trees_of(source)[0]
            after = apply(source, [editor.edit_for(root, steps, value, True, 0)])
        except (PlaitError, IndexError):
            return []
        there = difference(target, source.text, after)
        return [here, there] if there is not None else []

    def _node(self, spot: WrittenSpot) -> Node | None:
        """The value as it is written."""
        editor = Editor(self.authoring.project)
        try:
            node: Node = editor.trees_of(self.authoring.source(self.file))[spot.document]
            return found(node, spot.path)
        except PlaitError:
            return None


def _meant(finding: Finding) -> list[str]:
    """The names that a finding suggests."""
    diagnostic = finding.diagnostic
    texts = (diagnostic.message, diagnostic.hint, *diagnostic.notes)
    names = [name for text in texts for row in MEANT.findall(text) for name in re.findall(r"`([^`]+)`", row)]
    names += [name for text in texts for name in MEANT_LOCAL.findall(text)]
    return list(dict.fromkeys(names))


def _inner(spot: WrittenSpot) -> Span:
    """What is written, without quotes."""
    step = spot.key if spot.on_key else spot.value
    start, end = spot.layout.inner(step), spot.layout.end(step)
    quoted = spot.layout.text[start : start + 1] in ('"', "'")
    return (start + 1, end - 1) if quoted else (start, end)


def difference(path: str, before: str, after: str) -> Change | None:
    """The one span in which two texts differ; None where they do not."""
    if before == after:
        return None
    shortest = min(len(before), len(after))
    start = next((at for at in range(shortest) if before[at] != after[at]), shortest)
    tail = 0
    while tail < shortest - start and before[-tail - 1] == after[-tail - 1]:
        tail += 1
    return path, (start, len(before) - tail), after[start : len(after) - tail]
