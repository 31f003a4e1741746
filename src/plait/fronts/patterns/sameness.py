"""Which resource is which, where the name does not say it: documents without a kind, and resources under a new name.

Documents without a kind are known by their position; where one was inserted or removed, they are aligned like the
items of a list. A resource is taken for one under another name where the old one is no longer generated and most of
its fields are the same.
"""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Node, equal
from plait.fronts.patterns.record import Record, Remembered
from plait.fronts.patterns.resources import DocumentIndex, ResourceDocument, TextFile
from plait.merging.items import LARGE, Alignment, best_pairs, likeness
from plait.merging.order import Arrangement
from plait.merging.threeway import ORDER_KEPT, ORDER_LOST, REORDERED, DecisionRow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.patterns.instructions import ResourceVersions
    from plait.merging.differing import Span
    from plait.merging.order import Member

ALIKE = 0.6
"""From this share of equal fields on, a resource is taken for one that was renamed."""

RELATED = 0.3
"""From this share of equal fields on, a document without a kind may be one that others changed."""


class SameDocuments:
    """For generated documents: the one here and what was generated last, by `id`. For documents here: the same last."""

    def __init__(self) -> None:
        self.of_fresh: dict[int, tuple[ResourceDocument | None, Node | None]] = {}
        self.of_here: dict[int, Node | None] = {}

    def align(self, existing: list[TextFile], fresh: list[TextFile], record: Record) -> None:
        """Documents without a kind, file by file, where they are not all in their places."""
        here = {text.name: _unnamed(text) for text in existing}
        last: dict[str, list[Remembered]] = {}
        for one in record.resources.values():
            if one.identity is None:
                last.setdefault(one.file, []).append(one)
        for text in fresh:
            now, there = _unnamed(text), here.get(text.name, [])
            then = sorted(last.get(text.name, ()), key=lambda one: one.number)
            if now and there and then and not _in_place(now, there, then):
                self._align(now, there, then, record)

    def _align(
        self, now: list[ResourceDocument], here: list[ResourceDocument], last: list[Remembered], record: Record
    ) -> None:
        then = [one.tree(now[0]) for one in last]
        sides = [ListNode([one.node for one in side]) for side in (here, now)]
        lists = Alignment(ListNode(then), sides[0], sides[1])
        to_here, to_now = _paired(lists.ours, then, sides[0].items), _paired(lists.theirs, then, sides[1].items)
        base_of = {number: base for base, number in to_here.items()}
        for number, document in enumerate(here):
            self.of_here[id(document)] = then[base_of[number]] if number in base_of else None
        base_of = {number: base for base, number in to_now.items()}
        own = [document for document in here if self.of_here[id(document)] is None]
        for number, document in enumerate(now):
            base = base_of.get(number)
            if base is not None:
                there = here[to_here[base]] if base in to_here else None
            else:
                there = next((one for one in own if equal(one.node, document.node)), None)
            document.was = last[base].number if base is not None else 0
            self.of_fresh[id(document)] = (there, record.base(document))


def _in_place(now: list[ResourceDocument], here: list[ResourceDocument], last: list[Remembered]) -> bool:
    """Whether every document is where it was: as many as before, and each related to the one that was there."""
    if not len(now) == len(here) == len(last):
        return False
    trees = [one.tree(document) for one, document in zip(last, now, strict=True)] if len(now) > 1 else []
    sides = ([document.node for document in side] for side in (now, here))
    return all(_related(*pair) for side in sides for pair in zip(trees, side, strict=False))


def _paired(spans: list[Span], base: list[Node], side: list[Node]) -> dict[int, int]:
    """Which document of a side each one of base is: what did not change, and what is most alike among the others."""
    pairs: dict[int, int] = {}
    at = other = 0
    for a, b, c, d in [*spans, (len(base), len(base), len(side), len(side))]:
        pairs.update(zip(range(at, a), range(other, c), strict=False))
        if (b - a) * (d - c) <= LARGE:
            found = best_pairs(b - a, d - c, lambda i, j, a=a, c=c: _related(base[a + i], side[c + j]))  # type: ignore[misc]
            pairs.update((a + i, c + j) for i, j in found)
        at, other = b, d
    return pairs


def _related(one: Node, other: Node) -> float:
    """How much two documents that may be the same have in common; nothing where that is too little."""
    if not isinstance(one, MapNode) or not isinstance(other, MapNode):
        return float(one.__class__ is other.__class__)
    score = likeness(one, other)
    return 1 + score if score >= RELATED else 0.0


class FileOrder:
    """The documents of a file that is here, in the order of the result: those that are here, and new ones."""

    def __init__(self, text: TextFile, overwrite: bool) -> None:
        self.text = text
        self.overwrite = overwrite
        self.begin = 0
        """How many documents at the begin of the file are of others: what is first in the pattern goes after them."""
        self.documents = list(text.documents)
        self.row: DecisionRow | None = None
        """What there is to report about the order."""

    def arrange(self, resources: list[ResourceVersions], record: Record, restored: set[int]) -> None:
        """Put new documents, and those that are `restored` (by `id`), after those that precede them in what is
        generated, and take over the generator's order where nobody else changed it; then number them all."""
        last = {id(one): number for number, one in enumerate(record.resources.values())}
        where: dict[int, tuple[int, int | None]] = {}
        new: list[tuple[Member, ResourceDocument]] = []
        for number, resource in enumerate(resources):
            here, fresh = resource.here, resource.fresh
            before = record.find(fresh)
            was = last.get(id(before)) if before is not None and before.file == self.text.name else None
            if here is not None:
                where[id(here)] = number, was
            elif resource.base is None or self.overwrite or id(fresh) in restored:
                new.append(((None, number, was), fresh))
        own = self.text.documents[self.begin :]
        none = (None, None)
        members = [((place, *where.get(id(one), none)), one) for place, one in enumerate(own)] + new
        order = Arrangement([member for member, _ in members], self.overwrite)
        self.documents = [*self.text.documents[: self.begin], *(members[number][1] for number in order.numbers)]
        if order.followed or order.disputed:
            self.row = ORDER_KEPT if order.disputed else ORDER_LOST if self.overwrite else REORDERED
        self._number(resources)

    def _number(self, resources: list[ResourceVersions]) -> None:
        for number, document in enumerate(self.documents, 1):
            document.place = number
        for resource in resources:
            if resource.here is not None:
                resource.fresh.place = resource.here.place


def _unnamed(text: TextFile) -> list[ResourceDocument]:
    return [] if text.lines else [document for document in text.documents if document.identity is None]


def find_renames(fresh: DocumentIndex, here: DocumentIndex, record: Record) -> dict[str, str]:
    """Return, by the label of each new resource of `fresh`, the label under which `here` has it: of the recorded ones
    that are not generated any more, the one that is most alike. Empty if nothing is like anything."""
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
        if isinstance(node, MapNode) and node.entries:
            work += [((*path, key), child) for key, child in node.entries.items()]
        elif path not in (("metadata", "name"), ("kind",), ("apiVersion",)):
            yield path, node
