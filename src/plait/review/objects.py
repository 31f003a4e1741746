"""Objects of deployers that no front evaluates: which changed lines meet what they are made of."""

from __future__ import annotations

from functools import cached_property

from plait.core.node import Node, Scalar
from plait.core.walk import nodes_of
from plait.fronts.catalog import deployed_objects
from plait.fronts.deployed import marks_in
from plait.merging.diff import compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from plait.core.path import Path
    from plait.fronts.deployed import DeployedObject
    from plait.fronts.front import Changes, TargetInputs, World
    from plait.review.finding import Effect
    from plait.review.hunks import Hunk

    Lines = dict[str, set[int]]
    Reasons = Iterator[tuple[Hunk, str]]


class ObjectReview:
    """The objects of both sides, and which changed lines meet them."""

    def __init__(self, before: Callable[[], World], after: World, hunks: Sequence[Hunk], changed: Changes) -> None:
        """`before` opens the old side, which most reviews need not ask."""
        self._before = before
        self._after = after
        self._hunks = hunks
        self._changed = changed

    @cached_property
    def _new(self) -> list[DeployedObject]:
        return deployed_objects(self._after, self._changed)

    @cached_property
    def _old(self) -> list[DeployedObject]:
        return deployed_objects(self._before(), self._changed)

    def of_objects(self) -> Reasons:
        """The changed lines that meet what an object is made of, each with the reason why nobody knows their effect."""
        read = {id(one): one.read() for one in self._new}
        was_there = any(text and marks_in(text.encode("utf-8", "replace")) for text, _ in self._changed.texts.values())
        if not was_there and not any(self._meets(reads) for _, reads in read.values()):
            return
        for old, new in _paired(self._old, self._new):
            sides = [one.read() if one is old else read[id(one)] for one in (old, new) if one is not None]
            if old is None or new is None or any(self._meets(reads) for _, reads in sides):
                files = frozenset().union(*(reads.files for _, reads in sides))
                before, after = (sides[0][0] if old is not None else None), (sides[-1][0] if new is not None else None)
                for hunk in self._meeting(before, after, files):
                    yield hunk, _why((new or old).label)  # type: ignore[union-attr]

    def of_effects(self, effects: Iterable[Effect]) -> Reasons:
        """The changed lines that change an object in what a target gives, but for fields that are evaluated."""
        evaluated: dict[tuple[str, str], set[Path]] | None = None
        for effect in effects:
            if not effect.is_of_object:
                continue
            if evaluated is None:
                evaluated = {(one.kind, one.name): one.evaluated for one in (*self._old, *self._new)}
            places = evaluated.get((effect.id.type.partition(".")[0], effect.id.name), ())
            if not any(_is_below(effect.place, place) for place in places):
                for hunk in effect.cause.hunks:
                    yield hunk, _why(effect.document)

    def _meets(self, reads: TargetInputs) -> bool:
        """Whether a change may reach what was read."""
        changed = self._changed
        return not reads.files.isdisjoint(changed) or not reads.places.isdisjoint(changed.moved)

    def _meeting(self, before: Node | None, after: Node | None, files: frozenset[str]) -> Iterator[Hunk]:
        """The hunks in which two nodes differ."""
        hunks = [hunk for hunk in self._hunks if hunk.file in files and not hunk.is_blank]
        found: dict[Hunk, None] = {}
        for row in compare(before, after):
            sides = [(row.before, True), (row.after, False)]
            lines = [(self._lines(node, old), old) for node, old in sides if node is not None]
            there = {file for some, _ in lines for file in some}
            met = [hunk for hunk in hunks if any(_covers(hunk, some, old) for some, old in lines)]
            found |= dict.fromkeys(met or [hunk for hunk in hunks if hunk.file in there] or hunks)
        return iter(found)

    def _lines(self, root: Node, old: bool) -> Lines:
        """The lines that a value takes up in each file."""
        world = self._before() if old else self._after
        found: Lines = {}
        for node in nodes_of(root):
            if not node.origin.source.given:
                first = node.origin.line
                last = first + node.text.count("\n") + 1 if isinstance(node, Scalar) and "\n" in node.text else first
                found.setdefault(world.file(node.origin.file), set()).update(range(first, last + 1))
        return found


def _paired(
    old: list[DeployedObject], new: list[DeployedObject]
) -> Iterator[tuple[DeployedObject | None, DeployedObject | None]]:
    """The objects of two sides that are the same: of several with one name, those of the same file."""
    rest: dict[object, list[DeployedObject]] = {}
    for one in old:
        rest.setdefault(one.key, []).append(one)
    for one in sorted(new, key=lambda one: not any(other.file == one.file for other in rest.get(one.key, ()))):
        there = rest.get(one.key, [])
        other = next((same for same in there if same.file == one.file), there[0] if there else None)
        if other is not None:
            there.remove(other)
        yield other, one
    yield from ((one, None) for some in rest.values() for one in some)


def _covers(hunk: Hunk, lines: Lines, old: bool) -> bool:
    return not lines.get(hunk.file, set()).isdisjoint(hunk.lines(old))


def _is_below(path: Path, place: Path) -> bool:
    """Whether a path is a place or below it; a list is entered by position in a place."""
    return len(path) >= len(place) and all(
        step == wanted or (isinstance(wanted, int) and not isinstance(step, int | str))
        for step, wanted in zip(path, place, strict=False)
    )


def _why(label: str) -> str:
    return f"`{label}` is not evaluated here: what it deploys is not known"
