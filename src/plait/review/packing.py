"""The findings about targets as plain data: what other processes send, and what an earlier review left."""

from __future__ import annotations

from plait.core.packing import packed, packed_path, unpacked, unpacked_path
from plait.fronts.front import DocumentId
from plait.merging.diff import ValueDifference
from plait.review.causes import Cause
from plait.review.finding import Effect, TargetFinding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from plait.review.hunks import Hunk

    Row = tuple[Any, ...]


class PackedFindings:
    """Makes findings plain data and data findings; hunks are numbers, by their order in the review that packed them."""

    def __init__(self, hunks: Sequence[Hunk]) -> None:
        self.hunks = hunks
        self.number = {hunk: number for number, hunk in enumerate(hunks)}

    def pack(self, finding: TargetFinding) -> Row:
        lists = (finding.seen, finding.opened, finding.cancelling, finding.needed, finding.untried, finding.hidden)
        hunks = [self._numbers(some) for some in lists]
        effects = [self._effect(one) for one in finding.effects]
        return (
            finding.name,
            *hunks,
            effects,
            finding.failed,
            finding.looked_at,
            finding.proofs,
            finding.unknown,
            finding.not_compared,
            finding.incomplete,
            finding.is_broken,
        )

    def unpack(self, row: Row) -> TargetFinding:
        name, seen, opened, cancelling, needed, untried, hidden, effects, *others = row
        finding = TargetFinding(name, self._hunks(seen), self._hunks(opened))
        finding.cancelling, finding.needed = self._hunks(cancelling), self._hunks(needed)
        finding.untried, finding.hidden = self._hunks(untried), self._hunks(hidden)
        finding.effects = [self._unpacked(name, *row) for row in effects]
        finding.failed, finding.looked_at, finding.proofs, finding.unknown, *last = others
        finding.not_compared, finding.incomplete, finding.is_broken = last
        return finding

    def _numbers(self, hunks: Iterable[Hunk]) -> list[int]:
        return [self.number[hunk] for hunk in hunks]

    def _hunks(self, numbers: Iterable[int]) -> list[Hunk]:
        return [self.hunks[number] for number in numbers]

    def _effect(self, effect: Effect) -> Row:
        difference, cause = effect.difference, effect.cause
        paths = [packed_path(path) for path in (effect.path, effect.place, difference.path)]
        sides = [packed(side) for side in (difference.before, difference.after)]
        return (
            effect.document,
            tuple(effect.id),
            *paths,
            difference.kind,
            *sides,
            self._numbers(cause.hunks),
            cause.proof,
            effect.is_of_object,
        )

    def _unpacked(
        self,
        name: str,
        document: str,
        id: Any,
        path: Any,
        place: Any,
        inner: Any,
        kind: str,
        before: Any,
        after: Any,
        hunks: Any,
        proof: str,
        is_of_object: bool,
    ) -> Effect:
        difference = ValueDifference(kind, unpacked_path(inner), unpacked(before), unpacked(after))
        paths = unpacked_path(path), unpacked_path(place)
        made = Effect(name, document, DocumentId(*id), *paths, difference, Cause(tuple(self._hunks(hunks)), proof))
        made.is_of_object = is_of_object
        return made
