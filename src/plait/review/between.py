"""What differs between two targets: `plait diff --target prod --target staging`."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.fronts.editing import FileDifference, differences_of
from plait.fronts.front import label
from plait.review.compared import comparing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.policy import MergePolicy
    from plait.fronts.front import DocumentId, Target
    from plait.merging.diff import ValueDifference

    Names = tuple[DocumentId | None, DocumentId | None]
    Named = tuple[DocumentId | None, Node | None]

NONE = (None, None)
"""The side that has no such document."""


class DocumentDifference(FileDifference):
    """The differences of one document. `sides` are its names in the one target and in the other; None where there is
    none."""

    __slots__ = ("sides",)

    def __init__(self, label: str, differences: list[ValueDifference], sides: Names) -> None:
        super().__init__("", label, 0, differences)
        self.sides = sides


def differing(before: Target, after: Target, policy: MergePolicy) -> list[DocumentDifference]:
    """The differences of the results of two targets, document by document."""
    with comparing(before.project):
        rows = [
            DocumentDifference(name, differences_of(left[1], right[1], policy), (left[0], right[0]))
            for name, left, right in _pairs(before, after)
        ]
    return [row for row in rows if row.differences]


def _pairs(before: Target, after: Target) -> Iterator[tuple[str, Named, Named]]:
    """Documents by type, namespace and name; the only documents of two targets are a pair whatever they are called.
    Namespaces are often what two targets differ in, so a name that has one document on each side is enough. A name that
    each target makes itself, as of its release or with a suffix, is not: then they are made from the same place."""
    old, new = _results(before), _results(after)
    if len(old) == len(new) == 1:
        yield "", next(iter(old.values())), next(iter(new.values()))
        return
    others = {key: other for key in old if key not in new and (other := _only(new, key)) is not None}
    if before.is_rendered and after.is_rendered:
        taken = set(others.values())
        others |= _made_alike(
            {key: one for key, one in old.items() if key not in new and key not in others},
            {key: one for key, one in new.items() if key not in old and key not in taken},
        )
    matched = {others.get(key, key) for key in old}
    for key, one in old.items():
        yield label(key), one, new.get(others.get(key, key), NONE)
    for key, one in new.items():
        if key not in matched:
            yield label(key), NONE, one


def _only(documents: dict[DocumentId, Named], key: DocumentId) -> DocumentId | None:
    alike = [one for one in documents if (one.type, one.name) == (key.type, key.name)]
    return alike[0] if len(alike) == 1 else None


def _made_alike(old: dict[DocumentId, Named], new: dict[DocumentId, Named]) -> dict[DocumentId, DocumentId]:
    """Documents of one type that come from the same place of a file, where that makes one of them on each side."""
    places = _by_place(new)
    found = {place: keys for place, keys in _by_place(old).items() if len(keys) == len(places.get(place, ())) == 1}
    return {keys[0]: places[place][0] for place, keys in found.items()}


def _by_place(documents: dict[DocumentId, Named]) -> dict[tuple[str, str], list[DocumentId]]:
    found: dict[tuple[str, str], list[DocumentId]] = {}
    for key, (_, node) in documents.items():
        if node is not None and not node.origin.source.given:
            found.setdefault((key.type, str(node.origin)), []).append(key)
    return found


def _results(target: Target) -> dict[DocumentId, Named]:
    """The documents of a target, called as if there were no other target, each with its own name."""
    found: dict[DocumentId, Named] = {}
    for document, result in target.results():
        if isinstance(result, Fault):
            raise result
        found[type(document)("", *document[1:])] = (document, result)
    return found
