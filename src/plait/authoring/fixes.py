"""What can be done about a finding or a value, as edits of texts."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from plait.authoring.state import AuthoringState, Pointed, Value
from plait.core.diagnostic import PlaitError
from plait.core.node import Node, Scalar
from plait.core.path import Path, format_path
from plait.core.source import Source
from plait.fronts.editing import Editor, WrittenPlace, found
from plait.fronts.findings import Finding
from plait.report.catalog import LIST_LOST, NEVER_USED, NO_CHANGE, OLD_INPUT
from plait.report.near import nearest
from plait.yaml.edits import Delete
from plait.yaml.patch import apply
from plait.yaml.places import Written, WrittenSpot
from plait.yaml.program import PLAIN, SEQ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Label
    from plait.evaluate.explain import Contribution
    from plait.fronts.unit import Unit
    from plait.yaml.places import Span

    Change = tuple[str, Span, str]
    """A file, a span of it, and what is to be there instead."""

MEANT = re.compile(r"[Dd]id you mean ((?:`[^`]+`(?: or )?)+)")
MEANT_LOCAL = re.compile(r"- ([^:\s]+):.*← Did you mean this\?")
PARTING = "./!:"
"""Signs between words that are also part of some names."""
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
        for meant in _meant(finding):
            for name in dict.fromkeys((meant, os.path.basename(meant))):  # the message may name a file by another path
                span = self._wrong(here[0], name)
                if span is not None:
                    yield Fix(f"Change it to `{name}`", [(self.file, span, name)], finding)
                    break
        code = finding.diagnostic.code
        if code == LIST_LOST.code and "`- !merge-by name`" in finding.diagnostic.hint:
            yield from self._merge_by(finding, "name")
        if code in DEAD and finding.place == self.file:
            yield from self._remove(finding, finding.places[0][1])
        if code == OLD_INPUT.code and self.written is not None:
            spot = self.written.at(here[0].origin.at)
            if spot is not None and (spot.on_key or spot.is_scalar):
                start, end = _inner(spot)
                yield Fix("Quote it", [(self.file, (start, end), f'"{spot.layout.text[start:end]}"')], finding)

    def _wrong(self, label: Label, name: str) -> Span | None:
        """The misspelt word at a label, or else anywhere in the key and the value that it is at."""
        at = label.origin.at
        spot = self.written.at(at) if self.written is not None else None
        spans = [(at, at + label.length), spot.whole_span if spot is not None and spot.is_scalar else (at, at)]
        text = self.authoring.source(self.file).text
        letters = re.compile(f"[-\\w{re.escape(''.join(set(PARTING).intersection(name)))}]+")
        for start, end in spans:
            words = {found[0]: found.span() for found in letters.finditer(text, start, end)}
            for word in nearest(name, words, 1):
                return words[word]
        return None

    def _merge_by(self, finding: Finding, key: str) -> Iterator[Fix]:
        """A word to the merge at the head of the higher list, which is the first place of the finding."""
        path, label = finding.places[0]
        written = self.written if path == self.file else None
        spot = written.starting(label.origin.at) if written is not None else None
        if spot is None or spot.layout.kind(spot.value) != SEQ or next(spot.below(), None) is None:
            return
        at = spot.layout.members(spot.value)[0].start
        flow = spot.layout.is_flow(spot.value)
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
        yield from self._quoted(pointed.spot)
        values = list(self.authoring.values(pointed))
        yield from self._losers(pointed.spot, values)
        yield from self._moves(pointed.spot, values)

    def _quoted(self, spot: WrittenSpot) -> Iterator[Fix]:
        """The text of a value that is read as a number, a truth value or null, as text."""
        if not spot.is_scalar or spot.layout.kind(spot.value) != PLAIN or spot.tag or not spot.text:
            return
        node = self._node(spot)
        if isinstance(node, Scalar) and not isinstance(node.value, str):
            yield Fix("Quote this value", [(self.file, _inner(spot), f'"{spot.text}"')])

    def _losers(self, spot: WrittenSpot, values: list[Value]) -> Iterator[Fix]:
        """The places that this value, or a part of it, overrides, or is overridden by."""
        seen: set[str] = set()
        for leaf in [leaf for value in values if value.explanation is not None for leaf in value.explanation.leaves]:
            losers = [loser for loser, _ in leaf.losers]
            word, others = "overridden value", losers
            if not self._is_inside(leaf.winner, spot):
                word = "value that overrides this"
                others = [leaf.winner] if any(self._is_inside(loser, spot) for loser in losers) else []
            for origin in [part.node.origin for part in others]:
                path = self.authoring.path_of(origin.source)
                if path and str(origin) not in seen and origin.source.written is None:
                    seen.add(str(origin))
                    where = f"{self.authoring.near(path)}:{origin.line}:{origin.column}"
                    yield Fix(f"Open the {word}, {where}", goto=(path, (origin.at, origin.at)))

    def _is_inside(self, part: Contribution, spot: WrittenSpot) -> bool:
        """Whether a part is written at a place of this file, or below it."""
        origin, (start, end) = part.node.origin, spot.value_span
        if self.authoring.path_of(origin.source) != self.file:
            return False
        if origin.source.written is None:
            return start <= origin.at <= end
        first, last = (spot.layout.source.position(at)[0] for at in (start, end))
        return first <= origin.line <= last

    # Moving a value

    def _moves(self, spot: WrittenSpot, values: list[Value]) -> Iterator[Fix]:
        """The same value, written in another layer that all results have which this one decides."""
        if not spot.path or spot.document or "{{" in (spot.text or "") or any(isinstance(s, int) for s in spot.path):
            return  # a template may read what only this file has, and an item has no place of its own
        below = _below(values)
        if below is None:
            return
        units = self.authoring.units_of(self.file)
        shared = frozenset.intersection(*(self.authoring.shape(unit).own for unit in units))
        for place, about in self._places(units[0], spot.path):
            target = os.path.realpath(place.path)
            is_same = target == self.file and place.steps == spot.path
            is_lost = below and (place.written is None or str(place.written.origin) != below)
            if is_same or is_lost or target not in shared or place.within is not None:
                continue
            changes = self._moved(spot, target, place.source, place.steps)
            if changes:
                where = self.authoring.near(target) + (f":{place.line}" if place.written is not None else "")
                yield Fix(f"Move this value to {where} ({about})", changes)

    def _places(self, unit: Unit, path: Path) -> Iterator[tuple[WrittenPlace, str]]:
        """Where else a value can be written, and what it applies to there."""
        with suppress(PlaitError):
            for place, about in unit.places(path):
                yield place, about or self._readers(place.path)

    def _readers(self, file: str) -> str:
        """How many targets read a file."""
        count = len(self.authoring.units_of(file))
        return "one target reads it" if count == 1 else f"{count} targets read it"

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


def _below(values: list[Value]) -> str | None:
    """The one place that a value overrides wherever it decides; empty where it overrides none. None where that
    differs, or it does not decide everywhere: then moving it would change more than where it is written."""
    explained = [value.explanation for value in values if value.explanation is not None and value.decides]
    leaves = [leaf for explanation in explained for leaf in explanation.leaves]
    if len(leaves) != len(values) or not leaves:
        return None
    below = {str(leaf.losers[0][0].node.origin) if leaf.losers else "" for leaf in leaves}
    return below.pop() if len(below) == 1 else None


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
