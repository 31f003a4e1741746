"""Whether an explanation is true, tried out: the text is changed at one place after the other, and the question is
asked again.

Three claims are made by an explanation. A change at any place that it names changes the value; without the part that
won, the first one that it overrides wins; a change of any other value that is written in the files changes nothing.
Nothing is written to the disk, and nothing outside is asked: see `Workspace.prove`.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import Container, ListNode, Node, Scalar, equal
from plait.core.source import Origin
from plait.core.struct import struct
from plait.edits.structure import (
    StructureChange,
    changed_texts,
    place_of,
    reasons_untried,
    structure_changes,
    words_in,
)
from plait.evaluate.hops import BECAUSE, GENERATED, IMPORTED, INHERITED, READS, WRITTEN
from plait.report.catalog import UNKNOWN_PATH, WHICH_DOCUMENT
from plait.yaml.edits import Delete
from plait.yaml.patch import apply
from plait.yaml.spots import TextSpot, spot_at, spots_in, with_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.evaluate.explain import Explanation, Leaf
    from plait.fronts.living import Living

    Ask = Callable[[], Explanation]
    """The question; Fault where it cannot be answered."""

MOST_STRUCTURES = 200
"""How many changes of keys, items and files are tried."""
MOST = 400
"""How many changes are tried. Values that are not named are changed together, and one by one only where that makes a
difference."""
OVERRIDES, REMOVES = "overrides", "removes"
"""The hop of a value that lost; what removed one."""
NO_CLAIMS = (OVERRIDES, GENERATED)
"""Hops that say nothing of what a change would do: a pattern wrote the file, and decides when it is run again."""
REASONS = (BECAUSE, IMPORTED, INHERITED)
"""Hops of a value that is merged as it is written."""
OVERLOOKED = "it is not named, and what is in it is read"
MERGED = (WRITTEN, REMOVES, IMPORTED, INHERITED)
"""Hops of a value that no expression made."""
CHOOSING = ("key", "merge key", "list rule")
"""The kinds of hops that choose a way: the fields by which items are matched, how a list is merged, and what `<<`
brings. Another way may lead to the same value."""


class ExplanationProof:
    """What was tried, and every claim that did not hold."""

    __slots__ = (
        "broken",
        "idle",
        "named",
        "naming",
        "others",
        "overlooked",
        "refuted",
        "removed",
        "structures",
        "tried",
        "untried",
    )

    def __init__(self) -> None:
        self.tried = 0
        """How many changes."""
        self.named: list[Origin] = []
        """Places that are named, and a change there changes the value."""
        self.idle: list[Origin] = []
        """Places that are read, merged with what stubs have, or choose a way of several that lead to the same value: no
        change that was tried changes the value."""
        self.removed: list[tuple[Origin, Origin | None]] = []
        """Winners without which the first value that they override wins; None where there is none then."""
        self.others = 0
        """Values that are not named: changing them changes nothing."""
        self.broken = 0
        """Values that are not named, and the files have an error when they are changed."""
        self.naming = 0
        """Values that are not named, and decide the kind or name of the document."""
        self.structures = 0
        """Keys, items and files that are not named: adding or taking out one changes nothing."""
        self.untried: list[str] = []
        """What could not be changed, and why."""
        self.refuted: list[tuple[Origin, str]] = []
        """Every claim that did not hold: the place, and what happened."""
        self.overlooked: list[Origin] = []
        """Maps, lists and files that are not named, and a key, an item or a line of them is read."""

    @property
    def held(self) -> bool:
        return not self.refuted and not self.overlooked

    @property
    def failures(self) -> list[tuple[Origin, str]]:
        """Every place of which the explanation is wrong, or says nothing, each with what happened."""
        return [*self.refuted, *((origin, OVERLOOKED) for origin in self.overlooked)]


class TriedAnswer:
    """What was answered: the value, None where nothing is there, and the lines that decided it; `failed` is the code of
    the error where there is no answer."""

    __slots__ = ("by", "failed", "lines", "value", "way")

    def __init__(self, explanation: Explanation | None, failed: str = "") -> None:
        self.failed = failed
        self.value = _value(explanation) if explanation is not None else None
        remover = explanation.removed_by if explanation is not None else None
        self.by = str(remover.node.origin) if remover is not None else ""
        """Of a value that is not there: what removed it."""
        leaves = explanation.leaves if explanation is not None else []
        origins = [leaf.winner.node.origin for leaf in leaves]
        self.lines = [(origin.file, origin.line) for origin in origins]
        self.way = [(hop.word, str(hop.origin)) for leaf in leaves for hop in leaf.hops]

    def gives(self, other: TriedAnswer) -> bool:
        """Whether another answer has the same value."""
        return bool(self.failed) == bool(other.failed) and _same(self.value, other.value)

    def is_like(self, other: TriedAnswer) -> bool:
        """Whether it was decided in the same place, too."""
        return self.gives(other) and self.lines == other.lines


class Prover:
    """Tries an explanation in a project that lives."""

    def __init__(self, living: Living, ask: Ask) -> None:
        self.living = living
        self.ask = ask
        self.explanation = ask()
        self.proof = ExplanationProof()
        self.before = TriedAnswer(self.explanation)
        project = living.project
        self.sources = {os.path.realpath(name): source for name, source in project.sources.items() if not source.given}
        self.spots = {file: spots_in(source) for file, source in self.sources.items()}

    def prove(self) -> ExplanationProof:
        claims = list(self._claims())
        for claim in claims:
            if claim.word != REMOVES:
                self._changes(claim)
        for leaf in self.explanation.leaves:
            self._without(leaf)
        self._without_remover()
        named = {region for claim in claims if (region := self._region(claim)) is not None}
        self._others(named)
        if any(claim.is_computed for claim in claims):
            self._structure(claims, named)
        return self.proof

    def _claims(self) -> Iterator[Claim]:
        """Every place that is named, each once."""
        seen: set[tuple[str, int]] = set()
        for claim in _claims(self.explanation):
            key = (_file(claim.origin), claim.origin.at)
            if key not in seen:
                seen.add(key)
                yield claim

    # Changes

    def _changes(self, claim: Claim) -> None:
        """That a change at a place that is named changes the value."""
        origin = claim.origin
        if origin.source.given:
            self.proof.untried.append(f"{origin}: it is not written in a file")
        way = self.before.way
        changes = self._choices(claim)
        for change in changes:
            after = self._with({_file(origin): [change]})
            if not self.before.is_like(after):
                self.proof.named.append(origin)
                return
            way = way if way != self.before.way else after.way
        if not changes:
            return
        if claim.word == READS or claim.kind == "expression" or (claim.kind in CHOOSING and way != self.before.way):
            self.proof.idle.append(origin)
        else:
            self.proof.refuted.append((origin, "it is named, and no change of it changes the value"))

    def _choices(self, claim: Claim) -> list[tuple[TextSpot, str]]:
        """Other texts for a place that is named: for a map or a list, others for what is in it."""
        spot = self._spot(claim)
        if spot is None:
            return []
        if spot.choices or not spot.holds or claim.word == BECAUSE:
            return [(spot, words) for words in spot.choices]
        inner = [
            one for _, one in self.spots.get(_file(claim.origin), ()) if spot.start < one.start and one.end <= spot.end
        ]
        return [(one, words) for one in inner if not one.holds for words in one.choices[:1]]

    def _without(self, leaf: Leaf) -> None:
        """That without the part that won, the first one that it overrides wins; none where all were gone before."""
        if not leaf.lost or any(hop.word not in REASONS for hop in leaf.hops) or len(self.explanation.leaves) > 1:
            return  # what a transformer or a reference brings does not go with the text of its value
        lost = leaf.losers[0][0] if leaf.losers else None
        if (lost is not None and not isinstance(lost.result, Scalar)) or leaf.path != self.explanation.path:
            return
        texts = self._deleted(leaf.winner.node.origin)
        if texts is None:
            return
        after = self._tried(texts)
        winner = leaf.winner.node.origin
        if _same(after.value, lost.result if lost is not None else None):
            self.proof.removed.append((winner, lost.node.origin if lost is not None else None))
        else:
            then = f"the value is not that of {lost.node.origin}" if lost is not None else "there is still a value"
            self.proof.refuted.append((winner, f"without it, {then}"))

    def _without_remover(self) -> None:
        """That without what removed a value, the value is there, or something else is named that removes it."""
        by = self.explanation.removed_by
        if by is None:
            return
        origin = by.node.origin
        texts = self._deleted(origin)
        tried = [self._tried(texts)] if texts is not None else self._otherwise(origin)
        if any(after.value is not None or after.by != self.before.by for after in tried):
            self.proof.named.append(origin)
        elif tried:
            self.proof.refuted.append((origin, "it is said to remove the value, and without it nothing changes"))

    def _otherwise(self, origin: Origin) -> list[TriedAnswer]:
        """The answers with other texts at a place that cannot be left out, as an item that only removes another."""
        return [self._with({_file(origin): [change]}) for change in self._choices(Claim(origin, REMOVES))]

    def _deleted(self, origin: Origin) -> dict[str, str] | None:
        """The texts without what is written at a place; None where it cannot be left out."""
        found = self._written(origin)
        if found is None:
            return None
        file, number, spot = found
        try:
            return {file: apply(self.sources[file], [Delete(spot.path, number)])}
        except Fault:
            return None  # what an alias refers to stays

    def _others(self, named: set[tuple[str, int, int]]) -> None:
        """That no other value that is written changes anything."""
        rows = [
            (file, spot)
            for file, found in self.spots.items()
            for _, spot in found
            if not spot.holds and spot.choices and not _within(named, file, spot)
        ]
        stack = [rows] if rows else []
        while stack:
            group = stack.pop()
            if self.proof.tried >= MOST:
                self.proof.untried.append(f"{len(group)} values that are not named: {MOST} changes were tried")
                continue
            changes: dict[str, list[tuple[TextSpot, str]]] = {}
            for file, spot in group:
                changes.setdefault(file, []).append((spot, spot.choices[0]))
            after = self._with(changes)
            if self.before.gives(after):
                self.proof.others += len(group)
            elif len(group) > 1:
                half = len(group) // 2
                stack += [group[half:], group[:half]]
            elif not after.failed or self._decides(*group[0]):
                origin = Origin(self.sources[group[0][0]], group[0][1].start)
                self.proof.refuted.append((origin, "it is not named, and a change of it changes the value"))
            elif after.failed == WHICH_DOCUMENT.code:
                self.proof.naming += 1
            else:
                self.proof.broken += 1

    def _decides(self, file: str, spot: TextSpot) -> bool:
        """Whether another change of a place changes the value, where one ended in an error."""
        answers = (self._with({file: [(spot, words)]}) for words in spot.choices[1:])
        return any(not after.failed and not self.before.gives(after) for after in answers)

    # What is read beside values

    def _structure(self, claims: list[Claim], named: set[tuple[str, int, int]]) -> None:
        """That no key, item or file that is not named changes anything: functions read these, too."""
        lines = {str(claim.origin): claim.line for claim in claims}
        for named_at, line in lines.items():
            self.proof.untried += [f"{named_at} ({why})" for why in reasons_untried(line)]
        spots, words = self._around(), words_in(lines.values())
        others = [os.path.realpath(name) for name in self.living.project.trace.files]
        groups = [*structure_changes(self.sources, spots, named, words)]
        groups.append([StructureChange(file, 0, None) for file in dict.fromkeys(others) if file not in self.sources])
        until = self.proof.tried + MOST_STRUCTURES
        stack = [group for group in groups if group]
        read: dict[str, Origin] = {}
        while stack:
            group = stack.pop()
            if self.proof.tried >= until:
                place = place_of(group[0], self.sources)
                self.proof.untried.append(
                    f"{place} ({len(group)} keys and items: {MOST_STRUCTURES} changes were tried)"
                )
                continue
            after = self._restructured(group)
            if self.before.gives(after):
                self.proof.structures += len(group)
            elif len(group) > 1:
                half = len(group) // 2
                stack += [group[half:], group[:half]]
            elif not after.failed:
                where = place_of(group[0], self.sources)
                read.setdefault(str(where), where)
        self.proof.overlooked = list(read.values())

    def _around(self) -> dict[str, list[tuple[int, TextSpot]]]:
        """The values that are written, without the maps and lists that are a part of the value which is explained."""
        if not isinstance(self.before.value, Container) or not self.explanation.path:
            return self.spots
        own = [(_file(leaf.winner.node.origin), leaf.winner.node.origin.at) for leaf in self.explanation.leaves]
        return {
            file: [
                (number, spot)
                for number, spot in found
                if not spot.holds or not any(name == file and spot.start <= at < spot.end for name, at in own)
            ]
            for file, found in self.spots.items()
        }

    def _restructured(self, changes: list[StructureChange]) -> TriedAnswer:
        """The answer with some keys, items or files changed."""
        project = self.living.project

        def text(file: str) -> str:
            return project.door.read(file, project.budgets.size).decode("utf-8", "surrogateescape")

        try:
            return self._tried(changed_texts(changes, self.sources, text))
        except Fault as error:
            return TriedAnswer(None, failed=error.diagnostics[0].code)

    # Asking again

    def _with(self, changes: dict[str, list[tuple[TextSpot, str]]]) -> TriedAnswer:
        return self._tried({file: with_changes(self.sources[file].text, some) for file, some in changes.items()})

    def _tried(self, texts: dict[str, str]) -> TriedAnswer:
        """The answer where some files have other texts."""
        self.proof.tried += 1
        for file, text in texts.items():
            self.living.edit(file, text)
        try:
            return self._answer()
        finally:
            for file in texts:
                self.living.edit(file, None)

    def _answer(self) -> TriedAnswer:
        try:
            with self.living.asking():
                return TriedAnswer(self.ask())
        except Fault as error:
            code = error.diagnostics[0].code
            return TriedAnswer(None, failed=code if code != UNKNOWN_PATH.code else "")

    # Places

    def _region(self, claim: Claim) -> tuple[str, int, int] | None:
        """What a claim is about: of a list that says how it is merged not what is in it, of a directive its line."""
        spot = self._spot(claim)
        if spot is None:
            return None
        if claim.kind == "directive":
            source = self.sources[_file(claim.origin)]
            return _file(claim.origin), spot.start, spot.start + len(source.line(claim.origin.line))
        inside = not spot.holds or claim.word != BECAUSE
        around = [one for _, one in self.spots.get(_file(claim.origin), ()) if not one.holds and _in(spot, one)]
        spot = around[-1] if around and not spot.holds else spot  # an action of a template is a part of a value
        return _file(claim.origin), spot.start, spot.end if inside else spot.start

    def _spot(self, claim: Claim) -> TextSpot | None:
        """What is written at a place that is named."""
        origin = claim.origin
        source, file = origin.source.written or origin.source, _file(origin)
        if source.given or file not in self.sources:
            return None
        found = self._written(origin)
        if found is not None and claim.kind != "directive":  # which is a key
            return found[2]
        at = origin.at if origin.source.written is None else source.starts[origin.line - 1] + origin.column - 1
        return spot_at(self.sources[file], at)

    def _written(self, origin: Origin) -> tuple[str, int, TextSpot] | None:
        """The value of a YAML file that begins at a place, and the number of its document; the innermost."""
        if origin.source.given or origin.source.written is not None:
            return None
        file = _file(origin)
        found = [(number, spot) for number, spot in self.spots.get(file, ()) if spot.start == origin.at]
        return (file, *found[-1]) if found else None


@struct
class Claim:
    """A place that an explanation names, and what it is said to be to the value: see `Hop`."""

    origin: Origin
    word: str
    kind: str = ""

    @property
    def is_computed(self) -> bool:
        """Whether an expression took part."""
        return self.word not in MERGED or self.kind == "expression"

    @property
    def line(self) -> str:
        """The text that is written there."""
        source = self.origin.source.written or self.origin.source
        return source.line(self.origin.line) if not source.given else ""


def _claims(explanation: Explanation) -> Iterator[Claim]:
    """Every place that is named: what won, what that read, and the way."""
    for leaf in explanation.leaves:
        if not _is_rendered(leaf):  # else a hop names the place in the line of the template
            yield Claim(leaf.winner.node.origin, WRITTEN)
        yield from (Claim(part.node.origin, READS) for part in leaf.also)
        parts = list(leaf.winner.reads)
        for part in parts:  # grows while it is walked
            yield Claim(part.node.origin, READS)
            parts += [*part.reads, *part.inside]
        hops = [(hop, hop.word) for hop in leaf.hops]
        hops += [(hop, READS) for part in parts for hop in part.hops]
        for hop, word in hops:
            if hop.origin is not None and hop.word not in NO_CLAIMS:
                yield Claim(hop.origin, word, hop.kind)
            # what was read came that way, whether or not the value is another one then
            hops += [(inner, READS if word == READS else inner.word) for inner in hop.hops]
    if explanation.removed_by is not None:
        yield Claim(explanation.removed_by.node.origin, REMOVES)


def _is_rendered(leaf: Leaf) -> bool:
    origin = leaf.winner.node.origin
    places = [(_file(hop.origin), hop.origin.line) for hop in leaf.hops if hop.origin is not None]
    return origin.source.written is not None and (_file(origin), origin.line) in places


def _value(explanation: Explanation) -> Node | None:
    """The value that is explained; of a pattern, all that it matches; None where it is gone."""
    if explanation.gone or explanation.value is not None:
        return explanation.value
    return ListNode([leaf.value for leaf in explanation.leaves])


def _file(origin: Origin) -> str:
    return os.path.realpath((origin.source.written or origin.source).name)


def _same(a: Node | None, b: Node | None) -> bool:
    return equal(a, b) if a is not None and b is not None else a is b


def _in(inner: TextSpot, outer: TextSpot) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _within(named: set[tuple[str, int, int]], file: str, spot: TextSpot) -> bool:
    return any(file == name and start <= spot.start and spot.end <= end for name, start, end in named)


def prove(living: Living, ask: Ask) -> ExplanationProof:
    """Try the claims of an explanation."""
    return Prover(living, ask).prove()
