"""A review checks itself: the differences that it reports account for everything that differs between two results.

It looks at both results anew, without the comparison that found the differences. Results that are the same node are
not looked at.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from plait.core.find import step_into
from plait.core.node import Failure, ListNode, MapNode, Unknown, differing_entries, equal
from plait.core.path import Keyed
from plait.core.unknown import presented
from plait.yaml.emit import emit_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.node import Node
    from plait.core.path import Path, Step
    from plait.merging.diff import ValueDifference


AT_ONE_PLACE = 2
"""How many items may have been at a place that one difference is about: one that was removed, one that changed."""


def unexplained(
    before: Node | None, after: Node | None, found: Iterable[ValueDifference], checked: set[tuple[object, ...]]
) -> Path | None:
    """A place where two results differ and no difference says so; None where all of them are accounted for.

    `checked` are pairs of sections that are accounted for, each with its differences: other results have them, too.
    """
    check = _Check(found, checked)
    place = check.first_difference(before, after)
    if place is None:
        checked |= check.sections
    return place


class _Check:
    def __init__(self, found: Iterable[ValueDifference], checked: set[tuple[object, ...]]) -> None:
        self.checked = checked
        self.sections: set[tuple[object, ...]] = set()
        """The pairs of sections that were looked at, each with its differences."""
        self.told: dict[Step, list[int]] = {}
        """The differences in each section."""
        self.rows: dict[Path, ValueDifference] = {}
        for row in found:
            self.rows[row.path] = row
            self.told.setdefault(row.path[0] if row.path else "", []).append(id(row))

    @cached_property
    def steps(self) -> dict[Path, set[Step]]:
        """The steps below each place that lead to a difference."""
        steps: dict[Path, set[Step]] = {}
        for path in self.rows:
            for depth, step in enumerate(path):
                steps.setdefault(path[:depth], set()).add(step)
        return steps

    def first_difference(self, before: Node | None, after: Node | None) -> Path | None:
        work: list[tuple[Path, Node | None, Node | None]] = [((), before, after)]
        while work:
            path, a, b = work.pop()
            if a is b or (len(path) == 1 and self.is_checked(path[0], a, b)) or self.is_told(path, a, b):
                continue
            if isinstance(a, Unknown) and isinstance(b, Unknown) and a.known is not None and b.known is not None:
                if not equal(a.over(None), b.over(None)) and path not in self.rows:
                    return path
                a, b = a.known, b.known
            if isinstance(a, MapNode) and isinstance(b, MapNode) and a.tag == b.tag:
                work += [((*path, key), one, other) for key, one, other in differing_entries(a, b)]
            elif isinstance(a, ListNode) and isinstance(b, ListNode) and a.tag == b.tag:
                if not self.lists(path, a, b):
                    return path
                keyed = [step for step in self.steps.get(path, ()) if isinstance(step, Keyed)]
                work += [((*path, step), step_into(a, step), step_into(b, step)) for step in keyed]
            elif a is None or b is None or not equal(a, b):
                return path
        return None

    def is_checked(self, key: Step, a: Node | None, b: Node | None) -> bool:
        """Whether two sections with the same differences were looked at before."""
        section = (key, id(a), id(b), *self.told.get(key, ()))
        self.sections.add(section)
        return section in self.checked

    def is_told(self, path: Path, a: Node | None, b: Node | None) -> bool:
        """Whether a difference says what became of a place; errors are told by their messages."""
        row = self.rows.get(path)
        if isinstance(a, Failure) and isinstance(b, Failure) and not (isinstance(a, Unknown) or isinstance(b, Unknown)):
            return True  # an error on both sides is reported, or counted as not compared
        if row is None or row.kind == "moved":
            return False
        if isinstance(a, Unknown) and isinstance(b, Unknown) and a.known is not None and b.known is not None:
            return False
        return _is(row.before, a) and _is(row.after, b)

    def lists(self, path: Path, a: ListNode, b: ListNode) -> bool:
        """Whether the differences account for two lists: each new item is an old one or is named, and no more old items
        are gone than differences say."""
        if equal(a, b) or path in self.rows:
            return True
        steps = self.steps.get(path, set())
        if not steps:
            return False
        there = [step for step in steps if not self.is_removed((*path, step))]
        named = {id(item) for step in there if (item := step_into(b, step)) is not None}
        old = Counter(map(_text, a.items))
        kept = Counter(_text(item) for item in b.items if id(item) not in named)
        return not kept - old and (old - kept).total() <= AT_ONE_PLACE * len(steps)

    def is_removed(self, path: Path) -> bool:
        row = self.rows.get(path)
        return row is not None and row.kind == "removed" and path not in self.steps


def _text(item: Node) -> str:
    return emit_json(presented(item), reveal=True, sort_keys=True)


def _is(told: Node | None, node: Node | None) -> bool:
    """Whether a difference says what is there; an error is told by its messages, a missing side by nothing."""
    if isinstance(node, Failure) and not isinstance(node, Unknown):
        return True
    return told is None or equal(told, node)
