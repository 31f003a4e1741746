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
from plait.report.catalog import (
    BAD_LAYER,
    BAD_SETTING,
    DUPLICATE_ITEM,
    DUPLICATE_KEY,
    LIST_LOST,
    LOST_ERROR,
    MAP_LOST,
    MISSING_COLON,
    NEVER_USED,
    NO_CHANGE,
    ODD_TEXT,
    OLD_INPUT,
    OLD_OUTPUT,
    OTHER_TYPE,
    TEXT_KEYS,
    UNKNOWN_TAG,
    UNREAD,
    UNREAD_KEY,
    UNUSED_IGNORE,
    UNUSED_LOCAL,
    YAML_SYNTAX,
)
from plait.report.near import nearest
from plait.yaml.edits import Delete
from plait.yaml.patch import apply
from plait.yaml.places import Written, WrittenSpot, common_ends
from plait.yaml.program import PLAIN, SEQ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
WRITE = re.compile(r"write `([^`]+)`")
PAIR = re.compile(r"did you mean `([^`:]+: [^`]+)`")
QUOTES = re.compile(r"put it in quotes: (\S.*)")
"""What a hint says that is to be written."""
LINE = re.compile(r"[ ]*(?:-[ ]+)*(?P<all>(?:[^\s:]+:[ ]+)?(?P<value>.*?))[ ]*(?:[ ]#.*)?")
"""A line: everything but its indentation, its dashes and its comment, and what is after its key."""


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
        written = authoring.written(file)
        is_present = written is not None and written.source is authoring.source(file)
        self.written: Written | None = written if is_present else None
        """None where the text cannot be read: what was read before has other places."""

    def of_finding(self, finding: Finding) -> Iterator[Fix]:
        """What would mend a finding that has a place in this file."""
        here = [label for path, label in finding.places if path == self.file]
        if not here:
            return
        for name in _meant(finding):
            yield from self._renamed(finding, here[0], name)
        way = WAYS.get(finding.diagnostic.code)
        if way is not None:
            yield from way(self, finding, here)

    def _renamed(self, finding: Finding, label: Label, meant: str) -> Iterator[Fix]:
        """The name that was meant in place of the one that is written."""
        for name in dict.fromkeys((meant, os.path.basename(meant))):  # the message may name a file by another path
            span = self._wrong(label, name)
            if span is not None:
                yield Fix(f"Change it to `{name}`", [(self.file, span, name)], finding)
                return

    def _tagged(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        """The tag that a hint says in place of the one that is written."""
        for name in WRITE.findall(finding.diagnostic.hint):
            yield from self._renamed(finding, here[0], name)

    def _as_scalar(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        """What a hint says in place of one key or value."""
        spot = self.written.at(place_of(here[0])) if self.written is not None else None
        if spot is None or not (spot.on_key or spot.is_scalar):
            return
        for text in WRITE.findall(finding.diagnostic.hint):
            title = "Quote it" if text[:1] == '"' else f"Write `{text}`"
            yield Fix(title, [(self.file, _inner(spot), text)], finding)

    def _as_line(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        """What a hint says in place of a line that has the same words."""
        text, hint = self.authoring.source(self.file).text, finding.diagnostic.hint
        start, line = _line_at(text, place_of(here[0]))
        body = LINE.fullmatch(line)
        for better in dict.fromkeys([*WRITE.findall(hint), *PAIR.findall(hint), *QUOTES.findall(hint)]):
            for words in (body["all"], body["value"] or "") if body is not None else ():
                if words and words != better and _words(words) == _words(better):
                    at = start + line.rindex(words)
                    yield Fix(f"Write `{better}`", [(self.file, (at, at + len(words)), better)], finding)
                    break

    def _without_tabs(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        """Spaces in place of the tabs that a line begins with; or what the hint says."""
        start, line = _line_at(self.authoring.source(self.file).text, place_of(here[0]))
        lead = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in lead:
            yield Fix("Indent with spaces", [(self.file, (start, start + len(lead)), lead.expandtabs(2))], finding)
        else:
            yield from self._as_line(finding, here)

    def _without_comment(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        text, at = self.authoring.source(self.file).text, place_of(here[0])
        start, line = _line_at(text, at)
        before = text[start:at].rstrip()
        end = start + len(line) if before else min(start + len(line) + 1, len(text))
        yield Fix("Remove the comment", [(self.file, (start + len(before), end), "")], finding)

    def _removed(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        """Without the value at the place that the finding is shown at, where the hint says so."""
        if finding.place == self.file and "remove" in finding.diagnostic.hint:
            yield from self._remove(finding, finding.places[0][1])

    def _removed_last(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        """Without the last one of several items that are the same."""
        yield from self._remove(finding, max(here, key=place_of))

    def _removed_key(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        """Without the last one of several keys that are the same, where it has lines of its own."""
        last = max(here, key=place_of)
        spot = self.written.at(place_of(last)) if self.written is not None else None
        if spot is None or not spot.path:
            return
        text, (first, end) = spot.layout.text, spot.whole_span
        start, rest = _line_at(text, first)[0], text[end:].split("\n", 1)[0]
        if not text[start:first].strip() and not rest.partition("#")[0].strip():
            stop = min(end + len(rest) + 1, len(text))
            yield Fix(f"Remove this `{spot.path[-1]}`", [(self.file, (start, stop), "")], finding)

    def _wrong(self, label: Label, name: str) -> Span | None:
        """The misspelt word at a label, or else anywhere in the key and the value that it is at."""
        at = place_of(label)
        spot = self.written.at(at) if self.written is not None else None
        spans = [(at, at + label.length), spot.whole_span if spot is not None and spot.is_scalar else (at, at)]
        text = self.authoring.source(self.file).text
        letters = re.compile(f"[-\\w{re.escape(''.join(set(PARTING).intersection(name)))}]+")
        for start, end in spans:
            words = {found[0]: found.span() for found in letters.finditer(text, start, end)}
            for word in nearest(name, words, 1):
                return words[word]
        return None

    def _merged_by_name(self, finding: Finding, here: list[Label]) -> Iterator[Fix]:
        if "`- !merge-by name`" in finding.diagnostic.hint:
            yield from self._merge_by(finding, "name")

    def _merge_by(self, finding: Finding, key: str) -> Iterator[Fix]:
        """A word to the merge at the head of the higher list, which is the first place of the finding."""
        path, label = finding.places[0]
        written = self.written if path == self.file else None
        spot = written.starting(place_of(label)) if written is not None else None
        if spot is None or spot.layout.kind(spot.value) != SEQ or next(spot.below(), None) is None:
            return
        at = spot.layout.members(spot.value)[0].start
        flow = spot.layout.is_flow(spot.value)
        column = at - (spot.layout.text.rfind("\n", 0, at) + 1)
        words = f"!merge-by {key}, " if flow else f"- !merge-by {key}\n{' ' * column}"
        yield Fix(f"Merge this list by `{key}`", [(path, (at, at), words)], finding)

    def _remove(self, finding: Finding, label: Label) -> Iterator[Fix]:
        spot = self.written.at(place_of(label)) if self.written is not None else None
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
            if not others:
                word = "value that removed this"
                others = [one.by for one in leaf.removed if self._is_inside(one.was, spot)]
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
        shared = frozenset.intersection(*(unit.files for unit in units))
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


WAYS: dict[str, Callable[[Fixes, Finding, list[Label]], Iterator[Fix]]] = {
    BAD_LAYER.code: Fixes._as_line,
    BAD_SETTING.code: Fixes._removed,
    DUPLICATE_ITEM.code: Fixes._removed_last,
    DUPLICATE_KEY.code: Fixes._removed_key,
    LIST_LOST.code: Fixes._merged_by_name,
    LOST_ERROR.code: Fixes._removed,
    MAP_LOST.code: Fixes._as_line,
    MISSING_COLON.code: Fixes._as_line,
    NEVER_USED.code: Fixes._removed,
    NO_CHANGE.code: Fixes._removed,
    ODD_TEXT.code: Fixes._as_line,
    OLD_INPUT.code: Fixes._as_scalar,
    OLD_OUTPUT.code: Fixes._as_scalar,
    OTHER_TYPE.code: Fixes._as_scalar,
    TEXT_KEYS.code: Fixes._as_line,
    UNKNOWN_TAG.code: Fixes._tagged,
    UNREAD.code: Fixes._removed,
    UNREAD_KEY.code: Fixes._removed,
    UNUSED_IGNORE.code: Fixes._without_comment,
    UNUSED_LOCAL.code: Fixes._removed,
    YAML_SYNTAX.code: Fixes._without_tabs,
}
"""How findings are mended whose hints name an edit. A name that was meant can take the place of one that is misspelt
in every finding, so those are not listed."""


def place_of(label: Label) -> int:
    """Where a label is in its file; it may be in a part of the text that was read on its own."""
    origin = label.origin
    if origin.source.written is None:
        return origin.at
    line, column = origin.source.position(origin.at)
    return origin.source.written.starts[line - 1] + column - 1


def _line_at(text: str, at: int) -> tuple[int, str]:
    """Where the line of a place begins, and the line."""
    start = text.rfind("\n", 0, at) + 1
    return start, text[start:].split("\n", 1)[0].rstrip("\r")


def _words(text: str) -> str:
    """The letters and digits of a text."""
    return re.sub(r"\W", "", text)


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
    return [name for name in dict.fromkeys(names) if ": " not in name]  # which is a pair of a key and a value


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
    start, tail = common_ends(before, after)
    return path, (start, len(before) - tail), after[start : len(after) - tail]
