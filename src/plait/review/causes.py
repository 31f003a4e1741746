"""Finds the changed lines that cause a difference, and proves it by undoing them.

A hunk is a proved cause if evaluating the target without this hunk restores the old value, or gives a third value. If
no single hunk restores the old value, the smallest set of hunks that does is searched for (delta debugging, minimal by
one). Every evaluation counts against a budget. When the budget is used up, the remaining differences are attributed by
their trace.
"""

from __future__ import annotations

from types import NoneType

from plait.core.diagnostic import Fault
from plait.core.find import step_into
from plait.core.node import Failure, ListNode, MapNode, Node, Scalar, Unknown, differing_entries, equal, text
from plait.core.path import Path, is_near
from plait.core.struct import struct
from plait.core.unknown import failed_values, has_failures
from plait.merging.diff import CHANGED, MOVED, ValueDifference, compare
from plait.review.guards import by_position
from plait.review.messages import in_any_tree, messages, say_the_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from plait.core.node import Key as NodeKey
    from plait.core.path import Places
    from plait.fronts.front import DocumentId
    from plait.review.hunks import Hunk
    from plait.review.messages import ErrorLine

    Key = tuple[DocumentId, Path]
    """A document of a target and a path in it."""
    Reached = tuple[Places, Places, bool]
    """The places of a document that may differ from the new side without a hunk, those that may differ from the old
    side, and whether some of both are near to each other."""
    Uncompared = tuple[str, str]
    """Why a document could not be compared: the reason that many share, and the message with its place."""
    Evaluate = Callable[[frozenset[Hunk]], "TargetResult | None"]
    """A target's result with some hunks reverted; None where the budget does not allow to find it."""

BROKEN, FIXED = "broken", "fixed"
"""Kinds of differences in addition to those of `plait diff`: a result that fails now, and one that failed before."""
ERRORS = ("(errors)",)
"""The place of the errors of a document, beside all places of its values."""
PLAIN = (Scalar, NoneType)
"""What has no errors inside."""
ALONE, TOGETHER, TRACED, OUTSIDE = "alone", "together", "by trace, not proved", "outside"


class TargetResult:
    """The result of a target: its documents, errors instead of those that fail, and the reason for each that is not
    known as a whole."""

    __slots__ = ("_failing", "documents", "errors", "tree", "unknown")

    def __init__(
        self,
        documents: dict[DocumentId, Node],
        errors: dict[DocumentId, tuple[ErrorLine, ...]] | None = None,
        tree: str = "",
    ) -> None:
        self.documents = documents
        self.errors = errors or {}
        self.unknown: dict[DocumentId, Uncompared] = {}
        self.tree = tree
        """The folder that messages about single values are relative to."""
        self._failing: dict[DocumentId, Node] | None = None

    @property
    def is_broken(self) -> bool:
        """Whether the target has errors as a whole."""
        return any(not document.name for document in self.errors)

    def failing(self) -> dict[DocumentId, Node]:
        """The documents in which a value could not be computed. What many of them share is looked at once."""
        if self._failing is None:
            clean = set[int]()
            self._failing = {one: node for one, node in self.documents.items() if has_failures(node, clean)}
        return self._failing

    def ids(self) -> dict[DocumentId, None]:
        """Everything that is known about: documents, errors and what is not known."""
        return dict.fromkeys((*self.documents, *self.errors, *self.unknown))

    def take(self, document: DocumentId, other: TargetResult) -> None:
        """Have a document as another result has it, which may be not at all."""
        if document in other.documents:
            self.documents[document] = other.documents[document]
        if document in other.errors:
            self.errors[document] = other.errors[document]
        if document in other.unknown:
            self.unknown[document] = other.unknown[document]

    def differences(self, other: TargetResult) -> dict[Key, ValueDifference]:
        """The differences between another result and this one, by document and path. Documents that fail are compared
        by their errors."""
        return ResultDifferences(self, other).all()

    def same_errors(
        self, other: TargetResult, differences: Mapping[Key, ValueDifference]
    ) -> Iterator[tuple[DocumentId, Path, str]]:
        """The values that have an error in both results that says the same, so that nobody knows whether they differ.
        The error may be at another place, and an item of a list may have moved. `differences` are those of both: all
        new errors are among them, but for a document that was not known as a whole."""
        new = {
            (document, by_position(path, other.documents.get(document), self.documents.get(document)))
            for (document, path), row in differences.items()
            if row.kind == BROKEN
        }
        for document, node in other.failing().items():
            for path, value in _mistakes(node) if document not in self.unknown else ():
                if (document, path) not in new:
                    yield document, path, _lines(value, other.tree)[0]


class ResultDifferences:
    """The differences between two results of a target. A document is compared when it is asked for, and not at all
    where both results have the same one."""

    __slots__ = ("_after", "_before", "_known", "_places", "_sections")

    def __init__(self, before: TargetResult, after: TargetResult) -> None:
        self._before = before
        self._after = after
        self._sections: dict[tuple[NodeKey, int, int], list[ValueDifference]] = {}
        """What differs in two sections, by their identities: documents of one target share many of them."""
        self._known: dict[DocumentId, dict[Key, ValueDifference]] = {}
        self._places: dict[tuple[DocumentId, bool], DifferingPlaces] = {}

    def all(self) -> dict[Key, ValueDifference]:
        """The differences of all documents."""
        before, after = self._before, self._after
        documents = dict.fromkeys([*before.documents, *before.errors, *after.documents, *after.errors])
        return {key: row for document in documents for key, row in self.of(document).items()}

    def break_something(self) -> bool:
        """Whether something fails in the later result that works in the earlier one."""
        return any(row.kind == BROKEN and row.before is None for row in self.all().values())

    def touch(self, key: Key, sound: bool = False) -> bool:
        """Whether a place differs, or one above or below it; with `sound`, errors instead of a value do not count."""
        document = key[0]
        rows = self.of(document)
        if not rows:
            return False
        if (document, sound) not in self._places:
            kept = [one for one, row in rows.items() if not sound or row.kind != BROKEN]
            self._places[document, sound] = DifferingPlaces(kept)
        return self._places[document, sound].touch(key)

    def of(self, document: DocumentId) -> dict[Key, ValueDifference]:
        """The differences of one document."""
        if self._is_shared(document):
            return {}
        if document not in self._known:
            self._known[document] = self._compared(document)
        return self._known[document]

    def _is_shared(self, document: DocumentId) -> bool:
        """Whether a document is one object in both results, and fails in none."""
        before, after = self._before, self._after
        if before.documents.get(document) is not after.documents.get(document):
            return False
        return document not in before.errors and document not in after.errors

    def _compared(self, document: DocumentId) -> dict[Key, ValueDifference]:
        one, other = self._before, self._after
        before, after = one.documents.get(document), other.documents.get(document)
        if document in one.unknown or document in other.unknown:
            return {}  # counted as not compared
        if document in one.errors or document in other.errors:
            inside = [] if after is None else self._rows(None, after)
            whole = _broken(document, one.errors.get(document, ()), other.errors.get(document, ()))
            return whole | {(document, row.path): row for row in inside if row.kind == BROKEN}
        if isinstance(before, MapNode) and isinstance(after, MapNode) and before.tag == after.tag:
            return {(document, row.path): row for row in self._by_section(before, after)}
        return {(document, row.path): row for row in self._rows(before, after)}

    def _by_section(self, before: MapNode, after: MapNode) -> Iterator[ValueDifference]:
        """What differs in two maps, section by section."""
        for key, one, other in differing_entries(before, after):
            pair = (key, id(one), id(other))
            if pair not in self._sections:
                sides = (MapNode({} if side is None else {key: side}) for side in (one, other))
                self._sections[pair] = [] if equal(one, other) else self._rows(*sides)
            yield from self._sections[pair]

    def _rows(self, before: Node | None, after: Node | None) -> list[ValueDifference]:
        """What differs in two values, each place once."""
        differences: dict[Path, ValueDifference] = {}
        for row in (row for found in compare(before, after) for row in self._with_errors(found)):
            known = differences.get(row.path)
            differences[row.path] = row if known is None else _joined(known, row)
        return list(differences.values())

    def _with_errors(self, found: ValueDifference) -> Iterator[ValueDifference]:
        """A difference, and the errors inside of it that only one side has; of a value that is an error, what is shown
        are its messages."""
        if found.before.__class__ in PLAIN and found.after.__class__ in PLAIN:
            yield found
            return
        sides = [dict(_mistakes(node)) if node is not None else {} for node in (found.before, found.after)]
        if not any(() in side for side in sides):
            yield found
        if found.kind == MOVED:
            return  # what differs in it is told by itself
        trees = self._before.tree, self._after.tree
        said = [{path: _text(one, tree) for path, one in side.items()} for side, tree in zip(sides, trees, strict=True)]
        for path in dict.fromkeys([*sides[0], *sides[1]]):
            shown = [
                ListNode([text(line) for line in _lines(side[path], tree)]) if _is_new(path, mine, others) else None
                for side, tree, mine, others in zip(sides, trees, said, reversed(said), strict=True)
            ]
            if any(shown):
                yield ValueDifference(BROKEN if shown[1] else FIXED, (*found.path, *path), *shown)


def _is_new(path: Path, errors: Mapping[Path, tuple[str, ...]], others: Mapping[Path, tuple[str, ...]]) -> bool:
    """Whether the error at a place is none of the other side: of a whole value, at the same place; else anywhere."""
    if path not in errors:
        return False
    return errors[path] != others.get(()) if not path else errors[path] not in others.values()


def _mistakes(root: Node) -> Iterator[tuple[Path, Failure]]:
    return ((path, value) for path, value in failed_values(root) if not isinstance(value, Unknown))


def _text(failure: Failure, tree: str) -> tuple[str, ...]:
    """What an error says, the same in every copy of a tree."""
    return tuple(in_any_tree(diagnostic.message, tree) for diagnostic in failure.diagnostics)


def _lines(failure: Failure, tree: str) -> tuple[str, ...]:
    return messages(Fault(*failure.diagnostics), tree)


def is_unknown(difference: ValueDifference) -> bool:
    """Whether a value differs that is not known on a side: its values cannot be compared."""
    return isinstance(difference.before, Unknown) or isinstance(difference.after, Unknown)


def _joined(one: ValueDifference, other: ValueDifference) -> ValueDifference:
    """Two differences at one place: one item was removed and another added there, or an item moved and changed."""
    before = one.before if one.before is not None else other.before
    after = other.after if other.after is not None else one.after
    return ValueDifference(BROKEN if BROKEN in (one.kind, other.kind) else CHANGED, one.path, before, after)


def _broken(
    document: DocumentId, before: tuple[ErrorLine, ...], after: tuple[ErrorLine, ...]
) -> dict[Key, ValueDifference]:
    if say_the_same(before, after):
        return {}
    sides = [ListNode([text(message) for message in messages]) if messages else None for messages in (before, after)]
    return {(document, ERRORS): ValueDifference(FIXED if not after else BROKEN, ERRORS, *sides)}


@struct
class Cause:
    """The hunks that made one value differ, and how that is known."""

    hunks: tuple[Hunk, ...]
    proof: str


NO_CAUSE = Cause((), ALONE)
"""That of a difference of which nothing was found."""


class TargetCauses:
    """The effect of a change on one target: each difference with its cause, the hunks whose effects cancel out, and
    those that others need."""

    __slots__ = (
        "after",
        "before",
        "cancelling",
        "causes",
        "differences",
        "needed",
        "open",
        "path",
        "reaching",
        "untried",
    )

    def __init__(self, before: TargetResult, after: TargetResult, path: Callable[[str, bool], str]) -> None:
        """`path` gives a file that values name as their origin as a path from the root of the tree; its second argument
        says whether they are of the old side."""
        self.path = path
        self.before = before
        self.after = after
        self.differences = before.differences(after)
        self.causes: dict[Key, Cause] = {}
        self.cancelling: set[Hunk] = set()
        """Hunks that cause no difference, though values are others without one of them."""
        self.needed: set[Hunk] = set()
        """Hunks that cause no difference, though something fails without one of them that works on the new side."""
        self.open: list[Hunk] = []
        """The hunks that have to be undone: others reach the same places."""
        self.untried: list[Hunk] = []
        """Those of them for which the budget was used up."""
        self.reaching: dict[Key, tuple[Hunk, ...]] = {}
        """Those that reach a difference whose cause does not follow."""

    def follow(
        self,
        hunks: Sequence[Hunk],
        places: Callable[[Hunk], Mapping[DocumentId, Reached]],
        alike: Mapping[DocumentId, DocumentId],
    ) -> None:
        """Find the causes that follow from what each hunk reaches: a value that only one of them reaches is the old one
        again without it. `places` are those that may differ from the new and from the old side without a hunk; `alike`
        are documents of which they are those of another one."""
        reached: dict[DocumentId, list[tuple[Hunk, Places, Places]]] = {}
        meeting: set[Hunk] = set()
        for hunk in hunks:
            for document, (new, old, meets) in places(hunk).items():
                reached.setdefault(document, []).append((hunk, new, old))
                if meets:
                    meeting.add(hunk)
        undone: set[Hunk] = set()
        known: dict[tuple[DocumentId, Path], tuple[tuple[Hunk, ...], Cause | None]] = {}
        for document, path in self.differences:
            place = alike.get(document, document), path
            if place not in known:
                known[place] = _following(reached.get(place[0], ()), path if path != ERRORS else ())
            by, cause = known[place]
            if cause is not None:
                self.causes[document, path] = cause
            else:
                undone.update(by or hunks)
                self.reaching[document, path] = by
        named = {hunk for cause in self.causes.values() for hunk in cause.hunks}
        undone |= meeting - named  # their effects may cancel out
        self.open = [hunk for hunk in hunks if hunk in undone]


def _following(rows: Iterable[tuple[Hunk, Places, Places]], place: Path) -> tuple[tuple[Hunk, ...], Cause | None]:
    """The hunks that reach a place, and the cause of what differs there, where it follows from that."""
    near = [row for row in rows if is_near(row[1], place)]
    by = tuple([hunk for hunk, _, _ in near])
    return by, Cause(by, ALONE) if by and not any(is_near(old, place) for _, _, old in near) else None


class ProofBudget:
    """How many evaluations the proofs of one review may take."""

    def __init__(self, evaluations: int) -> None:
        self.left = evaluations

    def take(self) -> bool:
        self.left -= 1
        return self.left >= 0


def investigate(causes: TargetCauses, hunks: Sequence[Hunk], evaluate: Evaluate, budget: ProofBudget) -> TargetCauses:
    """The cause of every difference of one target. `hunks` are all that the target could see."""
    if not hunks:
        causes.causes = {key: Cause((), OUTSIDE) for key in causes.differences}
        return causes
    if len(hunks) == 1:  # reverting the only change the target sees is the old side itself
        causes.causes = {key: Cause((hunks[0],), ALONE) for key in causes.differences}
        return causes
    if not causes.open and len(causes.causes) == len(causes.differences):
        return causes
    return _Investigation(causes, hunks, evaluate, budget).causes_found()


class _Investigation:
    def __init__(self, causes: TargetCauses, hunks: Sequence[Hunk], evaluate: Evaluate, budget: ProofBudget) -> None:
        self.target = causes
        self.hunks = hunks
        self.evaluate = evaluate
        self.budget = budget
        self.known: dict[frozenset[Hunk], TargetResult] = {frozenset(): causes.after, frozenset(hunks): causes.before}
        self.left: dict[frozenset[Hunk], ResultDifferences] = {}
        """What differs from the old side with some hunks undone: many values ask about the same hunks."""

    def causes_found(self) -> TargetCauses:
        singles = {hunk: result for hunk in self.target.open if (result := self.result(frozenset((hunk,)))) is not None}
        moved = {hunk: ResultDifferences(self.target.after, result) for hunk, result in singles.items()}
        left = {hunk: self.left_by(frozenset((hunk,)), result) for hunk, result in singles.items()}
        self.target.untried = [hunk for hunk in self.target.open if hunk not in singles]
        whole = not self.target.untried
        parts: dict[Key, tuple[Hunk, ...]] = {}
        for key, difference in self.target.differences.items():
            if key in self.target.causes:
                continue
            # a result with errors is no evidence for a value that has none on either side
            sound = difference.kind != FIXED
            part = tuple(h for h in singles if moved[h].touch(key, sound) and not (sound and self.fails(singles[h])))
            parts[key] = part
            alone = tuple(hunk for hunk in part if not left[hunk].touch(key) and self.is_same(key, singles[hunk]))
            self.target.causes[key] = self.cause_alone(key, alone) if alone else self.cause(key, part, whole)
        self.name_the_rest(parts)
        named = self.named()
        tied = {hunk for hunk in singles if hunk not in named and moved[hunk].all()}
        self.target.needed = {hunk for hunk in tied if moved[hunk].break_something()}
        self.target.cancelling = tied - self.target.needed
        return self.target

    def named(self) -> set[Hunk]:
        """The hunks that are a cause of something."""
        return {hunk for cause in self.target.causes.values() for hunk in cause.hunks}

    def name_the_rest(self, parts: dict[Key, tuple[Hunk, ...]]) -> None:
        """A hunk that is no cause so far is one of each value that would be a third one without it: another hunk brings
        the value, and this one decides what is in it."""
        named = self.named()
        for key, part in parts.items():
            more = frozenset((*self.target.causes[key].hunks, *part))
            if not named.issuperset(part) and self.restored(key, more):
                self.target.causes[key] = Cause(tuple(hunk for hunk in self.hunks if hunk in more), TOGETHER)

    def is_broken(self, result: TargetResult) -> bool:
        """Whether a result has errors that neither side has."""
        return bool(result.errors.keys() - self.target.before.errors.keys() - self.target.after.errors.keys())

    def fails(self, result: TargetResult) -> bool:
        """Whether a target as a whole has errors only in this result."""
        ours = self.target.before.errors.keys() | self.target.after.errors.keys()
        return any(not one.name for one in result.errors.keys() - ours)

    def cause_alone(self, key: Key, alone: tuple[Hunk, ...]) -> Cause:
        """The changes that restore a value, each alone; with them the change that wrote it, where undoing that alone
        leaves nothing to evaluate."""
        single = ((hunk, self.known.get(frozenset((hunk,)))) for hunk in self.written(key))
        wrote = [hunk for hunk, result in single if result is not None and self.is_broken(result)]
        return Cause(tuple(hunk for hunk in self.hunks if hunk in alone or hunk in wrote), ALONE)

    def cause(self, key: Key, part: tuple[Hunk, ...], whole: bool) -> Cause:
        if part and self.restored(key, frozenset(part)):
            return Cause(part, TOGETHER)  # one that restores it alone was found before
        if not whole:
            return Cause(part or self.traced(key), TRACED)
        smallest = self.smallest(key, frozenset(part))
        proof = TOGETHER if self.budget.left >= 0 else TRACED
        return Cause(tuple(hunk for hunk in self.hunks if hunk in smallest), proof)

    def smallest(self, key: Key, part: frozenset[Hunk]) -> frozenset[Hunk]:
        """A set of hunks that restores the value when reverted and from which none can be left out.

        `part` stays in it.
        """
        wide = self.enough(key, part)
        chosen, rest = part, [hunk for hunk in reversed(self.hunks) if hunk in wide and hunk not in part]
        while rest and not self.restored(key, chosen):
            without, enough = 0, len(rest)  # how many of the rest are too few, and how many restore the value
            while enough - without > 1:
                half = (without + enough) // 2
                if self.restored(key, chosen.union(rest[:half])):
                    enough = half
                else:
                    without = half
            chosen, rest = chosen | {rest[enough - 1]}, rest[: enough - 1]
        for hunk in [hunk for hunk in self.hunks if hunk in chosen - part]:
            if len(chosen) > 1 and self.restored(key, chosen - {hunk}):
                chosen -= {hunk}
        return chosen

    def enough(self, key: Key, part: frozenset[Hunk]) -> frozenset[Hunk]:
        """Hunks that restore a value, `part` among them: those of the same files, or those that reach it, or all."""
        files = {hunk.file for hunk in (*part, *self.written(key))}
        near = frozenset(hunk for hunk in self.hunks if hunk.file in files)
        sets = (part | near, part.union(self.target.reaching.get(key, ())))
        return next((some for some in sets if some and self.restored(key, some)), frozenset(self.hunks))

    def restored(self, key: Key, reverted: frozenset[Hunk]) -> bool:
        result = self.result(reverted)
        if result is None or self.left_by(reverted, result).touch(key):
            return False
        return self.is_same(key, result)

    def left_by(self, reverted: frozenset[Hunk], result: TargetResult) -> ResultDifferences:
        """What still differs from the old side in the result with some hunks undone."""
        if reverted not in self.left:
            self.left[reverted] = ResultDifferences(self.target.before, result)
        return self.left[reverted]

    def is_same(self, key: Key, result: TargetResult) -> bool:
        """Whether a place in a list has its old value: items are paired, so an equal one may be at another place."""
        document, path = key
        if all(isinstance(step, str) for step in path):
            return True
        return equal(*(_at(side.documents.get(document), path) for side in (self.target.before, result)))

    def result(self, reverted: frozenset[Hunk]) -> TargetResult | None:
        """A result with some hunks undone; None if the budget is used up."""
        if reverted not in self.known:
            found = self.evaluate(reverted)
            if found is None:
                return None
            self.known[reverted] = found
        return self.known[reverted]

    def traced(self, key: Key) -> tuple[Hunk, ...]:
        """The hunks in which the old or the new value was written, else all that the target sees."""
        return tuple(self.written(key) or self.hunks)

    def written(self, key: Key) -> list[Hunk]:
        """The hunks in which the old or the new value was written."""
        difference = self.target.differences[key]
        sides = ((difference.before, True), (difference.after, False))
        lines = [
            (self.target.path(node.origin.file, old), node.origin.line, old) for node, old in sides if node is not None
        ]
        return [h for h in self.hunks if any(file == h.file and h.covers(line, old) for file, line, old in lines)]


def _at(node: Node | None, path: Path) -> Node | None:
    for step in path:
        node = step_into(node, step) if node is not None else None
    return node


class DifferingPlaces:
    """The places where two results differ; finds out whether one of them is at, above or below another place."""

    __slots__ = ("above", "exact")

    def __init__(self, changes: Collection[Key]) -> None:
        self.exact = set(changes)
        self.above = {(document, path[:depth]) for document, path in changes for depth, _ in enumerate(path)}

    def touch(self, key: Key) -> bool:
        """A document that fails has none of its values."""
        document, path = key
        there = [key, (document, ERRORS), *((document, path[:depth]) for depth, _ in enumerate(path))]
        return key in self.above or not self.exact.isdisjoint(there)
