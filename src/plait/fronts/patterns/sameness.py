"""Which resource is which, where the name does not say it: documents without a kind, and resources under a new name.

Documents without a kind are known by their position; where one was inserted or removed, they are aligned like the
items of a list. A resource is taken for one under another name where the old one is no longer generated and most of
its fields are the same.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node, Sequence, equal
from plait.fronts.patterns.record import Record, Remembered
from plait.fronts.patterns.resources import DocumentIndex, ResourceDocument, TextFile
from plait.merging.items import Alignment, aligned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ALIKE = 0.6
"""From this share of equal fields on, a resource is taken for one that was renamed."""


class SameDocuments:
    """For generated documents: the one here and what was generated last, by `id`. For documents here: the same last."""

    def __init__(self) -> None:
        self.of_fresh: dict[int, tuple[ResourceDocument | None, Node | None]] = {}
        self.of_here: dict[int, Node | None] = {}

    def align(self, existing: list[TextFile], fresh: list[TextFile], record: Record) -> None:
        """Documents without a kind, file by file, where their number changed."""
        here = {text.name: _unnamed(text) for text in existing}
        for text in fresh:
            now = _unnamed(text)
            then = sorted((one for one in record.resources.values() if one.identity is None and one.file == text.name),
                          key=lambda one: one.number)  # fmt: skip
            there = here.get(text.name, [])
            if now and there and then and not len(now) == len(there) == len(then):
                self._align(now, there, [one.tree(now[0]) for one in then])

    def _align(self, now: list[ResourceDocument], here: list[ResourceDocument], then: list[Node]) -> None:
        sides = [Sequence([one.node for one in side]) for side in (here, now)]
        runs = aligned(Alignment(Sequence(then), sides[0], sides[1]), everything=True)
        for run in runs if runs is not None and all(one.single for one in runs) else ():
            base = then[run.base[0]] if run.base[1] > run.base[0] else None
            there = here[run.here[0]] if run.here[1] > run.here[0] else None
            if run.fresh[1] > run.fresh[0]:
                self.of_fresh[id(now[run.fresh[0]])] = (there, base)
            if there is not None:
                self.of_here[id(there)] = base


def _unnamed(text: TextFile) -> list[ResourceDocument]:
    return [] if text.lines else [document for document in text.documents if document.identity is None]


def renamed(fresh: DocumentIndex, here: DocumentIndex, record: Record) -> dict[str, str]:
    """New names of resources that are no longer generated under their old ones: the new label to the old one."""
    new = [one for one in fresh if one.identity is not None and here.find(one) is None and record.find(one) is None]
    gone = list(_gone(fresh, here, record)) if new else []
    found: dict[str, str] = {}
    for document in new:
        scores = sorted(((_likeness(old.tree(document), document.node), label) for old, label in gone
                         if _same_kind(old, document)), reverse=True)  # fmt: skip
        best = scores[0] if scores else (0.0, "")
        if best[0] >= ALIKE and (len(scores) < 2 or scores[1][0] < best[0]) and best[1] not in found.values():
            found[document.label] = best[1]
    return found


def _gone(fresh: DocumentIndex, here: DocumentIndex, record: Record) -> Iterator[tuple[Remembered, str]]:
    """What was generated last, is still here, and is no longer generated."""
    for document in here:
        known = record.find(document) if document.identity is not None else None
        if known is not None and fresh.find(document) is None:
            yield known, document.label


def _same_kind(old: Remembered, document: ResourceDocument) -> bool:
    one, other = old.identity, document.identity
    return one is not None and other is not None and (one.kind, one.namespace) == (other.kind, other.namespace)


def _likeness(before: Node, now: Node) -> float:
    """How many of the fields of two resources are the same, their names aside."""
    one, other = dict(_fields(before)), dict(_fields(now))
    same = sum(path in other and equal(node, other[path]) for path, node in one.items())
    return same / max(len(one), len(other), 1)


def _fields(root: Node) -> Iterator[tuple[tuple[object, ...], Node]]:
    work: list[tuple[tuple[object, ...], Node]] = [((), root)]
    while work:
        path, node = work.pop()
        if isinstance(node, Mapping) and node.entries:
            work += [((*path, key), child) for key, child in node.entries.items()]
        elif path not in (("metadata", "name"), ("kind",), ("apiVersion",)):
            yield path, node
