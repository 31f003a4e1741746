"""Proposals that remove items of one list are one: without one of these items, the others would be at another place."""

from __future__ import annotations

from plait.core.node import ListNode
from plait.tidy.proof import climbed
from plait.tidy.proposal import Proposal
from plait.yaml.edits import Delete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path
    from plait.tidy.written import WrittenValue

    Place = tuple[str, int, Path]
    """A file, the number of a document in it, and a path there."""


def joined(found: list[Proposal]) -> list[Proposal]:
    """Some proposals, where those that remove items of one list are one."""
    gone = _gone(found)
    lists: dict[Place, list[Proposal]] = {}
    of: dict[int, Place] = {}
    for one in found:
        place = _list_of(one, gone)
        if place is not None:
            lists.setdefault(place, []).append(one)
            of[id(one)] = place
    made = {place: _together(several, place[2]) for place, several in lists.items() if len(several) > 1}
    rows = [made.get(of[id(one)], one) if id(one) in of else one for one in found]
    return list({id(one): one for one in rows}.values())


def _gone(found: list[Proposal]) -> set[Place]:
    """What is removed when all of some proposals are made: the largest parts."""
    edits: dict[str, list[Delete]] = {}
    files = {one.file.path: one.file for one in found}
    for one in found:
        for path, edit in one.edits:
            if isinstance(edit, Delete) and path in files:
                edits.setdefault(path, []).append(edit)
    return {(path, edit.document, edit.path) for path, rows in edits.items() for edit in climbed(files[path], [*rows])}


def _list_of(one: Proposal, gone: set[Place]) -> Place | None:
    """The outermost list in results of which an item goes as a whole with a proposal that removes one value; None where
    there is none."""
    edit = one.edits[0][1] if len(one.edits) == 1 and one.places else None
    if not isinstance(edit, Delete):
        return None
    path, number, steps = one.file.path, edit.document, edit.path
    whole = next((end for end in range(1, len(steps) + 1) if (path, number, steps[:end]) in gone), len(steps))
    found = (at for at in range(whole - 1, len(steps)) if isinstance(steps[at], int))
    at = next(found, None)
    return (path, number, steps[:at]) if at is not None else None


def _together(several: list[Proposal], path: Path) -> Proposal:
    """One proposal to remove some items of the list at a path."""
    first = several[0]
    above = _above(first, path)
    items = [above.below[number] for number in sorted({one.steps[len(path)] for one in several})]  # type: ignore[index,type-var]
    made = Proposal(first.kind, first.file, above, first.reason)
    if len({one.reason for one in several}) > 1:
        made.reason += "; what else is in it likewise"
    made.line = items[0].line
    made.value = above.node if len(items) == len(above.below) else ListNode([one.node for one in items])
    made.edits = [edit for one in several for edit in one.edits]
    made.places = list(dict.fromkeys(place for one in several for place in one.places))
    return made


def _above(one: Proposal, path: Path) -> WrittenValue:
    """The value at a path above that of a proposal."""
    value = one.file.at[one.value.at]
    while value.steps != path:
        assert value.above is not None
        value = value.above
    return value
