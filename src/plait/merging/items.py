"""Three lists whose items have no key, side by side: which items are the same, which are new, and what both changed.

Items are aligned as git aligns lines: what base and a side have in common, in order, stays paired. Between those, maps
that are mostly alike are paired too, so that both sides may change fields of one item. What is left are changes:
items removed, inserted or exchanged. Changes of both sides that touch no item in common are both made; of two
insertions at one place the generator's comes first; anything else is one region that both sides changed.
"""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Node, Scalar, equal
from plait.merging.differing import changes, grouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from plait.merging.differing import Group, Span

ALIKE = 0.5
"""From this share of equal fields on, two maps are taken for the same item."""
LARGE = 4000
"""Changes with more pairs of items than this are compared by the first value of each, not each with each."""


class ItemRun:
    """Items that are decided together: from where to where they are in base, here and in what is generated now."""

    __slots__ = ("base", "fresh", "here")

    def __init__(self, base: tuple[int, int], here: tuple[int, int], fresh: tuple[int, int]) -> None:
        self.base = base
        self.here = here
        self.fresh = fresh

    @property
    def single(self) -> bool:
        """Whether it is at most one item on each side."""
        return all(stop - start < 2 for start, stop in (self.base, self.here, self.fresh))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ItemRun) and self._spans == other._spans

    def __hash__(self) -> int:
        return hash(self._spans)

    @property
    def _spans(self) -> tuple[tuple[int, int], ...]:
        return self.base, self.here, self.fresh

    def __repr__(self) -> str:
        return f"ItemRun(base={self.base}, here={self.here}, fresh={self.fresh})"


class Alignment:
    """Three lists, and what each side changed in the first.

    `ours` and `theirs` are given where they are known from an earlier merge; else the items tell.
    """

    __slots__ = ("base", "fresh", "here", "ours", "theirs")

    def __init__(
        self,
        base: ListNode,
        here: ListNode,
        fresh: ListNode,
        ours: list[Span] | None = None,
        theirs: list[Span] | None = None,
    ) -> None:
        numbers = ValueNumbers()
        self.base, self.here, self.fresh = base, here, fresh
        self.ours = _alike(base.items, here.items, numbers) if ours is None else ours
        self.theirs = _alike(base.items, fresh.items, numbers) if theirs is None else theirs

    def counts(self, run: ItemRun) -> tuple[int, int, int]:
        """How many items a run has on each side."""
        return tuple(stop - start for start, stop in (run.base, run.here, run.fresh))  # type: ignore[return-value]

    def next_ones(self, clashes: set[ItemRun], inside: set[ItemRun]) -> tuple[list[Span], list[Span], int] | None:
        """What both sides have changed when the next merge begins with what is generated now, but with base where
        items are in conflict, and finds the merged list here; and how long that is.

        `clashes` are the runs that are in conflict, `inside` those with a conflict in their item. None where a run was
        decided in another way.
        """
        ours: list[Span] = []
        theirs: list[Span] = []
        base = here = fresh = 0
        for run in aligned(self, everything=True) or ():
            was, _, other = self.counts(run)
            left = self._left(run, run in clashes, run in inside)
            if left is None:
                return None
            agreed = was if run in clashes else other
            if left[1]:
                ours.append((base, base + agreed, here, here + left[0]))
            if run in clashes or run in inside:
                theirs.append((base, base + agreed, fresh, fresh + other))
            base, here, fresh = base + agreed, here + left[0], fresh + other
        return ours, theirs, here

    def _left(self, run: ItemRun, clash: bool, inside: bool) -> tuple[int, bool] | None:
        """How many items are there after the merge, and whether they differ from what the next one begins with."""
        was, mine, other = self.counts(run)
        if clash:
            return mine, True
        base, here, fresh = (
            side.items[slice(*span)]
            for side, span in ((self.base, run.base), (self.here, run.here), (self.fresh, run.fresh))
        )
        if not inside and (_equal(here, base) or _equal(here, fresh)):
            return other, False
        if not inside and _equal(fresh, base):
            return mine, True
        return (1, True) if was == mine == other == 1 else None


def _equal(a: list[Node], b: list[Node]) -> bool:
    return len(a) == len(b) and all(map(equal, a, b))


def aligned(lists: Alignment, everything: bool = False) -> list[ItemRun] | None:
    """What differs between three lists, in the order of the merged one; with `everything`, also what does not.

    None where all of the list is one region that both sides changed.
    """
    base, here, fresh = lists.base, lists.here, lists.fresh
    runs: list[ItemRun] = []
    done, left, right = 0, 0, 0
    for start, end, mine, other in _groups(lists.ours, lists.theirs):
        same = start - done
        if everything:
            runs += _one_by_one(done, left, right, same)
        here_at, fresh_at = left + same, right + same
        left, right = (
            (at + end - start + sum((span[3] - span[2]) - (span[1] - span[0]) for span in spans))
            for at, spans in ((here_at, mine), (fresh_at, other))
        )
        run = ItemRun((start, end), (here_at, left), (fresh_at, right))
        if mine and other and _is_all(run, base, here, fresh):
            return None
        runs += _rows(run, bool(mine), bool(other), here.items, fresh.items)
        done = end
    return [*runs, *_one_by_one(done, left, right, len(base.items) - done)] if everything else runs


def _is_all(run: ItemRun, base: ListNode, here: ListNode, fresh: ListNode) -> bool:
    sides = ((run.base, base), (run.here, here), (run.fresh, fresh))
    return not run.single and all(span == (0, len(side.items)) for span, side in sides)


def _one_by_one(base: int, here: int, fresh: int, count: int) -> Iterator[ItemRun]:
    for at in range(count):
        yield ItemRun((base + at, base + at + 1), (here + at, here + at + 1), (fresh + at, fresh + at + 1))


def _rows(run: ItemRun, mine: bool, other: bool, here: list[Node], fresh: list[Node]) -> Iterator[ItemRun]:
    """A region as items to decide: one by one where it is clear which is which."""
    if mine and other and run.base[0] == run.base[1]:
        yield from _both_inserted(run, here, fresh)
    elif run.single or (mine and other):
        yield run
    else:
        yield from _one_sided(run, mine)


def _one_sided(run: ItemRun, mine: bool) -> Iterator[ItemRun]:
    """What one side made of some items: exchanged one for one, else some removed and others inserted."""
    count = run.base[1] - run.base[0]
    if run.here[1] - run.here[0] == run.fresh[1] - run.fresh[0] == count:
        yield from _one_by_one(run.base[0], run.here[0], run.fresh[0], count)
        return
    here, fresh, base = run.here[0], run.fresh[0], run.base[0]
    for at in range(count):
        kept = (fresh + at, fresh + at + 1) if mine else (here + at, here + at + 1)
        yield ItemRun((base + at, base + at + 1), (here, here) if mine else kept, kept if mine else (fresh, fresh))
    if mine:
        new = range(*run.here)
        yield from (ItemRun((run.base[1],) * 2, (at, at + 1), (run.fresh[1],) * 2) for at in new)
    else:
        new = range(*run.fresh)
        yield from (ItemRun((run.base[1],) * 2, (run.here[1],) * 2, (at, at + 1)) for at in new)


def _both_inserted(run: ItemRun, here: list[Node], fresh: list[Node]) -> Iterator[ItemRun]:
    """Items that both inserted at one place: those that are the same once, and of the others the generator's first."""
    base, (left, left_end), (right, right_end) = (run.base[0],) * 2, run.here, run.fresh
    numbers = ValueNumbers()
    spans = changes(numbers.all(here[left:left_end]), numbers.all(fresh[right:right_end]))
    i = j = 0
    end = left_end - left
    for a, b, c, d in [*spans, (end, end, 0, 0)]:
        yield from (
            ItemRun(base, (left + i + at, left + i + at + 1), (right + j + at, right + j + at + 1))
            for at in range(a - i)
        )
        yield from (ItemRun(base, (left + a,) * 2, (right + at, right + at + 1)) for at in range(c, d))
        yield from (ItemRun(base, (left + at, left + at + 1), (right + d,) * 2) for at in range(a, b))
        i, j = b, d


# Changes of both sides


def _groups(ours: list[Span], theirs: list[Span]) -> list[Group]:
    """The changes of both sides, those together that must be decided together."""
    groups: list[Group] = []
    for group in grouped(ours, theirs):
        while groups and groups[-1][1] == group[0] and (_disputed(groups[-1]) or _disputed(group)):
            before = groups.pop()
            group = before[0], group[1], before[2] + group[2], before[3] + group[3]
        groups.append(group)
    return groups


def _disputed(group: Group) -> bool:
    """Whether both sides changed the same items, and not each one and the same item."""
    start, end, mine, other = group
    return bool(mine and other) and end > start and not (end - start == 1 and _one_item(mine) and _one_item(other))


def _one_item(spans: list[Span]) -> bool:
    return len(spans) == 1 and spans[0][3] - spans[0][2] == 1


# Items that are mostly alike


class ValueNumbers:
    """A number for each value: the same for values that are equal. In time that grows with the size of the values."""

    def __init__(self, ordered: bool = True) -> None:
        self.known: dict[Hashable, int] = {}
        self.ordered = ordered
        """Whether lists in another order are other values."""

    def all(self, items: list[Node]) -> list[int]:
        return [self.of(item) for item in items]

    def of(self, root: Node) -> int:
        """Without recursion: children first."""
        done: dict[int, int] = {}
        work = [root]
        while work:
            node = work[-1]
            below = [child for child in _below(node) if id(child) not in done]
            inner = [child for child in below if _below(child)]
            if inner:
                work += inner
                continue
            for child in below:
                done[id(child)] = self.number(child, done)
            done[id(work.pop())] = self.number(node, done)
        return done[id(root)]

    def number(self, node: Node, done: dict[int, int]) -> int:
        return self.known.setdefault(_shape(node, done, self.ordered), len(self.known))


def _below(node: Node) -> list[Node]:
    if isinstance(node, MapNode):
        return list(node.entries.values())
    return node.items if isinstance(node, ListNode) else []


def _shape(node: Node, done: dict[int, int], ordered: bool) -> Hashable:
    """What is the same for two nodes if they are equal, and their children have these numbers."""
    if isinstance(node, Scalar):
        value = node.value
        return value.__class__, value if value == value else None, node.tag  # NaN is NaN here
    if isinstance(node, MapNode):
        return "map", node.tag, frozenset([(key, done[id(child)]) for key, child in node.entries.items()])
    if isinstance(node, ListNode):
        numbers = [done[id(item)] for item in node.items]
        return "list", node.tag, *(numbers if ordered else sorted(numbers))
    return "other", id(node)


def _alike(base: list[Node], side: list[Node], numbers: ValueNumbers) -> list[Span]:
    """What a side changed, with maps that are mostly alike as changes of their own."""
    found: list[Span] = []
    for span in changes(numbers.all(base), numbers.all(side)):
        a, b, c, d = span
        found += _split(span, _pairs(base[a:b], side[c:d]))
    return found


def _split(span: Span, pairs: list[tuple[int, int]]) -> Iterator[Span]:
    """A change, parted at the items that are the same item."""
    a, b, c, d = span
    at, other = a, c
    for i, j in pairs:
        if (at, other) != (a + i, c + j):
            yield at, a + i, other, c + j
        yield a + i, a + i + 1, c + j, c + j + 1
        at, other = a + i + 1, c + j + 1
    if (at, other) != (b, d):
        yield at, b, other, d


def _pairs(base: list[Node], side: list[Node]) -> list[tuple[int, int]]:
    """The items of two runs that are taken for the same, in order."""
    if not base or not side:
        return []
    if len(base) == len(side) == 1:
        return [(0, 0)] if isinstance(base[0], MapNode) and alike(base[0], side[0]) else []
    if len(base) * len(side) > LARGE:
        return _by_first_value(base, side)
    return best_pairs(len(base), len(side), lambda i, j: likeness(base[i], side[j]))


def best_pairs(rows: int, columns: int, likeness: Callable[[int, int], float]) -> list[tuple[int, int]]:
    """The pairs, in order on both sides, that are most alike together."""
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    alike: dict[tuple[int, int], float] = {}
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            score = likeness(i, j)
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            if score > ALIKE:
                alike[i, j] = score
                best[i][j] = max(best[i][j], best[i + 1][j + 1] + score)
    pairs, i, j = [], 0, 0
    while i < rows and j < columns:
        if (i, j) in alike and best[i][j] == best[i + 1][j + 1] + alike[i, j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def likeness(a: Node, b: Node) -> float:
    """How much of two maps is the same, from 0 to 1: a field with another value is half the same.

    Maps with different names are different items.
    """
    if not isinstance(a, MapNode) or not isinstance(b, MapNode) or a.tag != b.tag:
        return 0.0
    name, other_name = a.entries.get("name"), b.entries.get("name")
    if name is not None and other_name is not None and not equal(name, other_name):
        return 0.0
    longer = max(len(a.entries), len(b.entries))
    if not longer:
        return 1.0
    common = [(node, b.entries[key]) for key, node in a.entries.items() if key in b.entries]
    return sum(1.0 if equal(node, other) else 0.5 for node, other in common) / longer


def alike(a: Node, b: Node) -> bool:
    """Whether an item in the place of another is the same one with another value, so that what is said about the one
    holds for the other: maps by their fields, lists by their items, texts by the letters at their begin and end."""
    if isinstance(a, Scalar):
        return _same_word(a, b)
    if isinstance(a, ListNode) and isinstance(b, ListNode):
        numbers = ValueNumbers()
        common = set(numbers.all(a.items)).intersection(numbers.all(b.items))
        return len(common) >= ALIKE * max(a.size, b.size)
    return likeness(a, b) >= ALIKE and _same_field(a, b)


def _same_field(a: Node, b: Node) -> bool:
    """Whether at least one field of two maps is the same or alike; an only field may have any value."""
    if not isinstance(a, MapNode) or not isinstance(b, MapNode) or a.size == b.size == 1:
        return True
    common = ((node, b.entries[key]) for key, node in a.entries.items() if key in b.entries)
    return any(equal(one, other) or _same_word(one, other) for one, other in common) or not a.size + b.size


def _same_word(a: Node, b: Node) -> bool:
    if not isinstance(a, Scalar) or not isinstance(b, Scalar):
        return False
    return _common_letters(a.text, b.text) >= ALIKE * max(len(a.text), len(b.text))


def _common_letters(a: str, b: str) -> int:
    """How many letters two texts have in common at their begin and at their end."""
    begin = _begin(a, b)
    return begin + _begin(a[begin:][::-1], b[begin:][::-1])


def _begin(a: str, b: str) -> int:
    return next((at for at, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), min(len(a), len(b)))


def _by_first_value(base: list[Node], side: list[Node]) -> list[tuple[int, int]]:
    """The same for long runs: maps with the same keys and the same first value."""
    numbers = ValueNumbers()
    names = [[_first_value(item, numbers) for item in items] for items in (base, side)]
    pairs: list[tuple[int, int]] = []
    i = j = 0
    for a, b, c, d in [*changes(*names), (len(base), len(base), len(side), len(side))]:
        pairs += zip(range(i, a), range(j, c), strict=True)
        i, j = b, d
    return pairs


def _first_value(item: Node, numbers: ValueNumbers) -> Hashable:
    """What a long map is known by; an item that is no map is like no other."""
    entries = item.entries if isinstance(item, MapNode) else {}
    return (tuple(entries), numbers.of(next(iter(entries.values())))) if entries else ("other", id(item))
