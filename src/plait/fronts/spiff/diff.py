"""Two deployment manifests, compared as data.

Lists of named maps are compared by name, whatever their order; only the order of the top-level `jobs` matters, and
shows as a field `index`. In other lists what is equal at both ends is set aside first, so that something put in is
seen as put in.
"""

from __future__ import annotations

from plait.core.node import Key, ListNode, MapNode, Node, Scalar, equal, key_text
from plait.core.struct import struct
from plait.merging.compare import differences
from plait.notations.dynaml.items import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

JOBS = ("jobs",)
Steps = tuple[str, ...]
Pair = tuple[str, "Node | None", "Node | None"]


@struct
class ManifestDifference:
    """A path at which two documents differ, and what each has there; None where it has nothing."""

    path: Steps
    a: Node | None
    b: Node | None


def compare(a: Node, b: Node) -> list[ManifestDifference]:
    """Every difference, in the order of the first document, then of what only the second has."""
    return [ManifestDifference(path, left, right) for path, left, right in differences(a, b, _below)]


def _below(path: Steps, a: Node, b: Node) -> Iterator[Pair] | None:
    """The pairs one level down, or None where the two can only be compared as they are."""
    if isinstance(a, MapNode) and isinstance(b, ListNode) and (names := by_name(b)) is not None:
        return _entries(a.entries, {name: _without_name(item) for name, item in names.items()})
    if isinstance(a, MapNode) and isinstance(b, MapNode):
        return _entries(a.entries, b.entries)
    if isinstance(a, ListNode) and isinstance(b, ListNode):
        left, right = by_name(a), by_name(b)
        if left is None or right is None:
            return _positions(a.items, b.items)
        if path == JOBS:
            left, right = _numbered(left), _numbered(right)
        return _entries(left, right)
    return None


def _entries(a: dict[Key, Node], b: dict[Key, Node]) -> Iterator[Pair]:
    for key in [*a, *(key for key in b if key not in a)]:
        yield key_text(key), a.get(key), b.get(key)


def by_name(node: ListNode) -> dict[Key, Node] | None:
    """The items of a list by name, where each is a map and has a name of its own."""
    names: dict[Key, Node] = {}
    for item in node.items:
        name = text_of(item.entries.get("name")) if isinstance(item, MapNode) else None
        if name is None or name in names:
            return None
        names[name] = item
    return names


def _numbered(jobs: dict[Key, Node]) -> dict[Key, Node]:
    """The order of jobs is part of a deployment."""
    return {name: _with_index(job, index) for index, (name, job) in enumerate(jobs.items())}


def _with_index(job: Node, index: int) -> Node:
    assert isinstance(job, MapNode)
    return MapNode({**job.entries, "index": Scalar(index, str(index), job.source, job.at)}, job.source, job.at)


def _without_name(item: Node) -> Node:
    assert isinstance(item, MapNode)
    return MapNode({key: node for key, node in item.entries.items() if key != "name"}, item.source, item.at)


def _positions(a: list[Node], b: list[Node]) -> Iterator[Pair]:
    """Lists without names: pairs by position, between what is equal at the beginning and at the end."""
    start = 0
    while start < min(len(a), len(b)) and equal(a[start], b[start]):
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and equal(a[-1 - end], b[-1 - end]):
        end += 1
    left, right = a[start : len(a) - end], b[start : len(b) - end]
    for offset in range(max(len(left), len(right))):
        one = left[offset] if offset < len(left) else None
        other = right[offset] if offset < len(right) else None
        yield f"[{start + offset}]", one, other
