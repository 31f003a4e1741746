"""The states between the two sides of a change: the new side with some hunks undone, and what is known there.

A document of a target is the same in two states in which nothing differs that it reads. So what both sides gave answers
for most states: with one hunk undone, the documents that do not read it are those of the new side, and those that
read nothing else that changed are those of the old one. Only a document that reads several hunks has to be evaluated.
"""

from __future__ import annotations

from plait.core.path import ANYWHERE
from plait.core.struct import struct
from plait.fronts.front import Changes, changes_of
from plait.review.causes import TargetResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from plait.access.links import Link
    from plait.fronts.front import DocumentId, DocumentsReached, Target
    from plait.review.causes import Reached
    from plait.review.hunks import FileChange, Hunk

    State = frozenset[Hunk]


class States:
    """All states of one change, by the hunks that are undone in them; on the old side all are."""

    def __init__(self, files: list[FileChange]) -> None:
        self._files = files
        self._hunks = {file.name: frozenset(file.hunks) for file in files}
        self._texts: dict[tuple[str, State], str | Link | None] = {}
        self._changes: dict[tuple[State, State], Changes] = {}
        self._known: dict[tuple[object, ...], object] = {}
        """What fronts make of two texts of a file, for all states that have these."""

    def difference(self, before: State, after: State) -> Changes:
        """The files that differ between two states, each with its text in both."""
        key = (before, after)
        if key not in self._changes:
            differing = before ^ after
            files = [file for file in self._files if not differing.isdisjoint(file.hunks)]
            texts = {file.name: (self._text(file, before), self._text(file, after)) for file in files}
            self._changes[key] = changes_of(texts, self._known)
        return self._changes[key]

    def _text(self, file: FileChange, reverted: State) -> str | Link | None:
        key = (file.name, reverted & self._hunks[file.name])
        if key not in self._texts:
            self._texts[key] = file.without(reverted)
        return self._texts[key]


@struct
class TargetState:
    """What is known about a target in a state before it is evaluated there. It is there, and nothing is that neither
    side has."""

    result: TargetResult
    """The documents that are those of a side."""
    missing: frozenset[tuple[str, str]]
    """The parts that have to be evaluated; empty where all is known."""

    def completed(self, evaluated: TargetResult) -> TargetResult:
        """The result, with the documents that were evaluated."""
        known = self.result.ids()
        for document in evaluated.ids():
            if document not in known:
                self.result.take(document, evaluated)
        return self.result


class SideAnswers:
    """The documents of one target on both sides, and what follows from them for every other state."""

    def __init__(self, states: States, sides: list[tuple[State, Target, TargetResult]]) -> None:
        """`sides` are the new and the old one: the state, the target there and its result."""
        self._difference = states.difference
        self.sides = sides
        (self._now, self._target, self._result), _ = sides
        self._stays: dict[State, bool] = {}
        documents = {document: None for _, _, result in sides for document in result.ids()}
        self._documents = list(documents)
        self._is_broken = any(not document.name for _, _, result in sides for document in result.errors)
        """Whether a target has errors as a whole."""

    def known(self, state: State) -> TargetState | None:
        """What is known about the target in a state; None where it may not be there."""
        if not self.stays(state):
            return None
        result, missing = TargetResult({}, tree=self._result.tree), set[tuple[str, str]]()
        for document in self._documents:
            side = self._known_by(document, state)
            if side is not None:
                result.take(document, side)
            else:
                missing.add((document.type, document.name))
        missing |= _both(*(target.reached_by(self._difference(side, state)) for side, target, _ in self.sides))
        return TargetState(result, frozenset(missing))

    def _known_by(self, document: DocumentId, state: State) -> TargetResult | None:
        """The result of a side that has a document as it is in a state, because it reads nothing that differs there."""
        for side, target, result in self.sides:
            if not target.reads(document, self._difference(side, state)):
                return result
        return None

    def stays(self, state: State) -> bool:
        """Whether the target is surely there in a state, and no other one that neither side has."""
        if state not in self._stays:
            sure = any(target.stays(self._difference(side, state)) for side, target, _ in self.sides)
            self._stays[state] = sure and not self._is_broken
        return self._stays[state]

    def alike(self, states: list[State]) -> dict[DocumentId, DocumentId]:
        """For each document the first one of which the same places may differ in each of some states."""
        sides = [
            target.alike(self._documents, [self._difference(side, state) for state in states])
            for side, target, _ in self.sides
        ]
        first: dict[tuple[Hashable, ...], DocumentId] = {}
        return {one: first.setdefault(tuple([side[one] for side in sides]), one) for one in self._documents}

    def places(self, state: State, documents: Iterable[DocumentId]) -> dict[DocumentId, Reached]:
        """The places of some documents that may differ from the new side in a state, and from the old side, and whether
        some of both are near to each other; without the documents that are those of the new side."""
        differences = [(target, self._difference(side, state)) for side, target, _ in self.sides]
        sure = self.stays(state)
        found: dict[DocumentId, Reached] = {}
        if not sure or _both(*(target.reached_by(changes) for target, changes in differences)):
            found[self._target.id()] = (ANYWHERE, ANYWHERE, True)  # there may be a document that neither side has
        (target, undone), (earlier, others) = differences
        for document in documents:
            new = target.reads(document, undone) if sure else ANYWHERE
            if new:
                old = earlier.reads(document, others) if sure else ANYWHERE
                found[document] = (new, old, bool(old))
        return found


def _both(one: DocumentsReached, other: DocumentsReached) -> frozenset[tuple[str, str]]:
    """The parts that differ from both sides: a document may be there that neither of them has."""
    if one is None or other is None:
        return other or one or frozenset()
    return one & other
