"""What differs between two targets: `plait diff --target prod --target staging`."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Unknown
from plait.core.path import format_path
from plait.core.unknown import failed_values
from plait.fronts.counterparts import counterparts
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


def not_compared(before: Target, after: Target) -> list[str]:
    """The values of two targets that could not be computed because of errors: nobody knows whether they differ."""
    with comparing(before.project):
        rows = [
            (target.name, label(document), format_path(path), failure.diagnostics[0].message)
            for target in (before, after)
            for document, node in target.results()
            if not isinstance(node, Fault)
            for path, failure in failed_values(node)
            if not isinstance(failure, Unknown)
        ]
    return [" ".join(filter(None, row)) for row in rows]


def _pairs(before: Target, after: Target) -> Iterator[tuple[str, Named, Named]]:
    """Documents that are the same thing; the only documents of two targets are a pair whatever they are called."""
    old, new = _results(before), _results(after)
    if len(old) == len(new) == 1:
        yield "", next(iter(old.values())), next(iter(new.values()))
        return
    rendered = before.is_rendered and after.is_rendered
    others = counterparts(_made(old, rendered), _made(new, rendered))
    matched = set(others.values())
    for key, one in old.items():
        yield label(key), one, new[others[key]] if key in others else NONE
    for key, one in new.items():
        if key not in matched:
            yield label(key), NONE, one


def _made(documents: dict[DocumentId, Named], rendered: bool) -> dict[DocumentId, str]:
    """The place that each document is made from, where it is made from one."""
    return {
        key: str(node.origin) if rendered and node is not None and not node.origin.source.given else ""
        for key, (_, node) in documents.items()
    }


def _results(target: Target) -> dict[DocumentId, Named]:
    """The documents of a target, called as if there were no other target, each with its own name."""
    found: dict[DocumentId, Named] = {}
    for document, result in target.results():
        if isinstance(result, Fault):
            raise result
        found[type(document)("", *document[1:])] = (document, result)
    return found
