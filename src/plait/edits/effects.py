"""The effect of new file content on the results of all targets."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Node, Unknown
from plait.core.path import Path, format_path
from plait.fronts.front import WHOLE, label
from plait.review.causes import BROKEN, TargetResult
from plait.review.compared import ComparedTargets, comparing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.front import Changes, DocumentId, DocumentsReached, Target, World
    from plait.merging.diff import ValueDifference


class ValueChange:
    """One value of one document that changes."""

    __slots__ = ("_difference", "after", "before", "document", "kind", "path", "target")

    def __init__(self, target: str, document: str, path: Path, difference: ValueDifference) -> None:
        self.target = target
        self.document = document
        self.path = path
        self._difference = difference
        self.kind = difference.kind
        self.before: Node | None = difference.before
        self.after: Node | None = difference.after

    def as_data(self, reveal: bool = False, words: tuple[str, str] = ("target", "document")) -> dict[str, object]:
        """The change as plain data; `words` are what its target and its document are called."""
        row = {words[0]: self.target, words[1]: self.document, "path": format_path(self.path)}
        return {**row, **self._difference.as_data(reveal)}


class EditedWorld:
    """The results of one world, evaluated when asked for, each once."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.compared = ComparedTargets(world)
        self._known: dict[str, dict[DocumentsReached, TargetResult]] = {}
        """By the target, and by the parts that were asked for."""

    def result(self, name: str, parts: DocumentsReached) -> TargetResult:
        """What some parts of a target make, or all of it; nothing where there is no such target."""
        known = self._known.setdefault(name, {})
        if parts not in known:
            known[parts] = self._part_of_known(name, parts) or self._evaluated(name, parts)
        return known[parts]

    def _evaluated(self, name: str, parts: DocumentsReached) -> TargetResult:
        with comparing(self.world.project):
            return self.compared.finished(name, parts)

    def _part_of_known(self, name: str, parts: DocumentsReached) -> TargetResult | None:
        """Those documents that some parts make, where more of a target is known; None where that is not, or nobody can
        tell which they are. Documents with errors, or that are not known, may belong to any part: they are in each."""
        more = (found for there, found in self._known[name].items() if _is_within(parts, there))
        whole, target = next(more, None), self.compared.targets.get(name)
        if whole is None or target is None:
            return None
        try:
            others = set(target.documents()).difference(document for document, _ in target.each(parts))
        except Fault:
            return None
        documents = {document: node for document, node in whole.documents.items() if document not in others}
        result = TargetResult(documents, whole.errors, whole.tree)
        result.unknown = whole.unknown
        return result

    def with_text(self, path: str, data: bytes) -> EditedWorld:
        """The same where one file has other bytes. What was read and parsed before is shared."""
        return EditedWorld(self.world.with_texts({path: data}))

    def read_again(self) -> EditedWorld:
        """The results of the files as they are on the disk now. Answers from the outside are shared."""
        return EditedWorld(self.world.read_again())


def changes(before: EditedWorld, after: EditedWorld) -> list[ValueChange]:
    """Every value of every target that differs, where only the changed files of `after` differ."""
    return [
        ValueChange(name, label(document, *targets) or WHOLE, path, difference)
        for name, targets, *results in both_results(before, after)
        for (document, path), difference in results[0].differences(results[1]).items()
        if difference.kind != BROKEN or difference.before is None  # what failed before fails on another line now
    ]


def not_compared(before: EditedWorld, after: EditedWorld) -> list[tuple[str, str, str]]:
    """What the changed files of `after` touch, or may touch, and could not be compared: target, document and why."""
    found: list[tuple[str, str, str]] = []
    for name, targets, *(old, new) in both_results(before, after):
        reasons: dict[DocumentId, str] = {}
        reasons |= {document: new.errors[document][0] for document in new.errors if document in old.errors}
        reasons |= {document: said for side in (old, new) for document, (_, said) in side.unknown.items()}
        for (document, _), difference in old.differences(new).items():
            value = next((one for one in (difference.after, difference.before) if isinstance(one, Unknown)), None)
            if value is not None:
                reasons[document] = value.why
        found += [(name, label(document, *targets), why) for document, why in reasons.items()]
    return found


def both_results(
    before: EditedWorld, after: EditedWorld
) -> Iterator[tuple[str, list[Target], TargetResult, TargetResult]]:
    """Every target that the changed files of `after` touch, or may touch where errors end its evaluation: its address,
    itself in both worlds, and its results."""
    both = before.compared.targets, after.compared.targets
    before.compared.targets, after.compared.targets = both[0].beside(both[1]), both[1].beside(both[0])
    for name in dict.fromkeys([*before.compared.targets.names(), *after.compared.targets.names()]):
        targets = [target for side in (before, after) if (target := side.compared.targets.get(name)) is not None]
        changed = after.world.changes
        assert changed is not None
        touched = any(target.touches(changed) for target in targets)
        if touched or (before.compared.is_broken(name) and before.compared.may_read(name, changed)):
            parts = _touched_parts(targets, changed)
            yield name, targets, before.result(name, parts), after.result(name, parts)


def _touched_parts(targets: list[Target], changed: Changes) -> DocumentsReached:
    parts: DocumentsReached = frozenset()
    for one in [target.reached_by(changed) for target in targets]:
        parts = None if one is None or parts is None else parts | one
    return parts


def _is_within(parts: DocumentsReached, there: DocumentsReached) -> bool:
    return there is None or (parts is not None and parts <= there)


def broken(changes: list[ValueChange]) -> list[ValueChange]:
    """The results that could be computed before and now fail."""
    return [change for change in changes if change.kind == BROKEN]
