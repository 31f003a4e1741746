"""Values that code gives where no file of the configuration does: a change of a default in code changes what is
deployed, although no value of a target differs."""

from __future__ import annotations

from plait.fronts.project import Project
from plait.merging.diff import ADDED, CHANGED, REMOVED, ValueDifference
from plait.review.causes import ALONE, Cause

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.front import DocumentId, Target
    from plait.review.hunks import Hunk

    Found = tuple[DocumentId, Path, ValueDifference, Cause]


def changed_fallbacks(before: Target | Project, after: Target, file: str, hunks: list[Hunk]) -> Iterator[Found]:
    """What differs in a target because a file of code has other defaults, with the lines of it that changed.

    `before` is the project of the old side where nothing else of the target differs."""
    old = after.fallbacks(file, before) if isinstance(before, Project) else before.fallbacks(file)
    new = after.fallbacks(file)
    for document in (one for one in new if one in old):
        for path in dict.fromkeys((*old[document], *new[document])):
            low, high = old[document].get(path), new[document].get(path)
            if low != high:
                kind = ADDED if low is None else REMOVED if high is None else CHANGED
                difference = ValueDifference(kind, path, low, high)
                yield document, path, difference, Cause(tuple(_around(low, high, hunks)), ALONE)


def _around(low: Node | None, high: Node | None, hunks: list[Hunk]) -> list[Hunk]:
    """The hunks with the lines of a value on either side; all where none has them."""
    lines = [(node.origin.line, before) for node, before in ((low, True), (high, False)) if node is not None]
    return [hunk for hunk in hunks if any(hunk.covers(*line) for line in lines)] or hunks
