"""What one sequence changed of another: lines of a text or items of a list, with the result that git gives.

A shortest edit script by Myers' method (O(ND), from both ends at once), after elements that the other side does not
have are set aside, and with every change moved as far down as it can go, unless that would part it from a change of
the other side. These choices decide which of several equal lines counts as new. They are git's, so that a merge here
is clean where `git merge-file` is clean, with the same result. Where that would take long, what is left is parted at
what both have once, so that the time grows with the length.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    Span = tuple[int, int, int, int]
    """Elements of the first sequence from, to, and those of the second that replace them from, to."""
    Box = Span
    """What is left to compare of both."""
    Chain = tuple[tuple[int, int], "Chain | None"]
    """A pair, and those before it."""
    Group = tuple[int, int, list[Span], list[Span]]
    """From where to where in the base of two sides, and what each side changed there."""

COMMON = 1024
"""An element that the other side has this often counts as common, however long the sequences are."""
WINDOW = 100
"""How far around a common element others are looked at, to decide whether it is set aside."""
COST = 256
"""The least number of steps before a search takes the best that it has."""
PATIENCE, RUN, APART = 1, 8, 400
"""After `PATIENCE` steps for each element, what is left to compare is parted where both have the same `RUN` of elements
once, at least `APART` elements from each other: a search costs the square of what differs."""
FAR = 1 << 60


def changes(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[Span]:
    """What `after` changed of `before`, in order. Between two changes is at least one element that both have."""
    numbers: dict[Hashable, int] = {}
    a = [numbers.setdefault(element, len(numbers)) for element in before]
    b = [numbers.setdefault(element, len(numbers)) for element in after]
    head, tail = _same_ends(a, b)
    if head == len(a) == len(b):
        return []
    left, right = _Side(a), _Side(b)
    if head + tail == len(a) or head + tail == len(b):
        left.mark(head, len(a) - tail)
        right.mark(head, len(b) - tail)
    else:
        _set_aside(left, right, head, tail, len(numbers))
        _compare(left, right)
    _settle(left, right)
    _settle(right, left)
    return _spans(left, right)


def grouped(ours: list[Span], theirs: list[Span], neighbours: bool = False) -> Iterator[Group]:
    """The changes of two sides, in order: those together that change an element in common, or insert at one place.

    With `neighbours`, also those that change elements next to each other, as in git.
    """
    left, right = ours[::-1], theirs[::-1]
    while left or right:
        start, end = min(side[-1][:2] for side in (left, right) if side)
        point = end == start
        taken: tuple[list[Span], list[Span]] = ([], [])
        grown = True
        while grown:
            grown = False
            for side, spans in zip((left, right), taken, strict=True):
                while side and (side[-1][0] < end + neighbours or (point and side[-1][:2] == (start, end))):
                    span = side.pop()
                    spans.append(span)
                    end = max(end, span[1])
                    grown = True
        yield start, end, *taken


def _same_ends(a: list[int], b: list[int]) -> tuple[int, int]:
    """How many elements are the same at the beginning, and at the end after those."""
    least = min(len(a), len(b))
    head = 0
    while head < least and a[head] == b[head]:
        head += 1
    tail, least = 0, least - head
    while tail < least and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    return head, tail


class _Side:
    """One sequence: its elements as numbers, and which of them are changed."""

    __slots__ = ("changed", "elements", "kept", "places")

    def __init__(self, elements: list[int]) -> None:
        self.elements = elements
        self.changed = bytearray(len(elements) + 1)
        """One for each element, and a last one that is never set."""
        self.kept: list[int] = []
        self.places: list[int] = []
        """The elements that are compared, and where each is."""

    def mark(self, start: int, stop: int) -> None:
        for at in range(start, stop):
            self.changed[at] = 1


# Elements that need not be compared


def _set_aside(left: _Side, right: _Side, head: int, tail: int, count: int) -> None:
    """Leave out what the other side does not have, and what is so common there that it says nothing."""
    often = ([0] * count, [0] * count)
    for side, counts in ((left, often[0]), (right, often[1])):
        for element in side.elements:
            counts[element] += 1
    for side, counts in ((left, often[1]), (right, often[0])):
        stop = len(side.elements) - tail
        limit = min(_root(len(side.elements)), COMMON)
        found = [counts[element] for element in side.elements[head:stop]]
        ranks = bytes(0 if not times else 2 if times >= limit else 1 for times in found)
        for at, rank in enumerate(ranks, head):
            if rank == 1 or (rank == 2 and not _says_nothing(ranks, at - head)):
                side.kept.append(side.elements[at])
                side.places.append(at)
            else:
                side.changed[at] = 1


def _root(number: int) -> int:
    """A power of two near the square root."""
    root = 1
    while number > 0:
        root, number = root << 1, number >> 2
    return root


def _says_nothing(ranks: bytes, at: int) -> bool:
    """Whether a common element is in a run of elements that the other side mostly does not have."""
    missing = common = 0
    for way, stop in ((-1, max(at - WINDOW, 0) - 1), (1, min(at + WINDOW, len(ranks) - 1) + 1)):
        here, common = 0, common + 1
        for place in range(at + way, stop, way):
            if ranks[place] == 1:
                break
            here += ranks[place] == 0
            common += ranks[place] == 2
        if not here:
            return False
        missing += here
    return common * 4 < common + missing


# The shortest edit script


def _compare(left: _Side, right: _Side) -> None:
    """Mark what is changed on both sides. Without recursion."""
    a, b = left.kept, right.kept
    limit = max(_root(len(a) + len(b) + 3), COST)
    work = [(0, len(a), 0, len(b))]
    patience = PATIENCE * (len(a) + len(b)) + COST * COST
    while work:
        if patience < 0:
            work, patience = [part for box in work for part in _parted(a, b, box)], FAR
        i, i_end, j, j_end = work.pop()
        while i < i_end and j < j_end and a[i] == b[j]:
            i, j = i + 1, j + 1
        while i < i_end and j < j_end and a[i_end - 1] == b[j_end - 1]:
            i_end, j_end = i_end - 1, j_end - 1
        if i == i_end:
            for at in range(j, j_end):
                right.changed[right.places[at]] = 1
        elif j == j_end:
            for at in range(i, i_end):
                left.changed[left.places[at]] = 1
        else:
            search = _Search(a, b, i, i_end, j, j_end)
            x, y = search.middle(limit)
            patience -= search.cost * search.cost
            work += [(x, i_end, y, j_end), (i, x, j, y)]


def _parted(a: list[int], b: list[int], box: Box) -> list[Box]:
    """The parts of two sequences that are left to compare, the last first."""
    i, i_end, j, j_end = box
    places = [(i, j), *((i + x, j + y) for x, y in _landmarks(a[i:i_end], b[j:j_end])), (i_end, j_end)]
    return [(x, x_end, y, y_end) for (x, y), (x_end, y_end) in pairwise(places)][::-1]


def _landmarks(a: list[int], b: list[int]) -> list[tuple[int, int]]:
    """Places in the middle of elements that are on both sides once, in the same order, and not close together."""
    here, there = _once(a), _once(b)
    places: list[tuple[int, int]] = []
    for i, j in _rising([(at, there[run]) for run, at in here.items() if run in there]):
        if not places or i + RUN // 2 >= places[-1][0] + APART:
            places.append((i + RUN // 2, j + RUN // 2))
    return places


def _once(elements: list[int]) -> dict[tuple[int, ...], int]:
    """The runs of elements that are there once, and where each begins."""
    places: dict[tuple[int, ...], int] = {}
    for at, run in enumerate(zip(*(elements[start:] for start in range(RUN)), strict=False)):
        places[run] = -1 if run in places else at
    return {run: at for run, at in places.items() if at >= 0}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most of some pairs, in the order of the first, in which the second rises too."""
    tops: list[int] = []
    chains: list[Chain] = []
    for pair in pairs:
        pile = bisect_left(tops, pair[1])
        tops[pile : pile + 1] = [pair[1]]
        chains[pile : pile + 1] = [(pair, chains[pile - 1] if pile else None)]
    chain = chains[-1] if chains else None
    found: list[tuple[int, int]] = []
    while chain is not None:
        pair, chain = chain
        found.append(pair)
    return found[::-1]


class _Search:
    """A place through which a shortest way from one corner of a box to the other goes.

    A diagonal is the difference of the places in both sequences. `ahead` and `back` say how far each diagonal was
    reached from the beginning and from the end.
    """

    __slots__ = ("a", "ahead", "b", "back", "cost", "i", "i_end", "j", "j_end")

    def __init__(self, a: list[int], b: list[int], i: int, i_end: int, j: int, j_end: int) -> None:
        self.a, self.b = a, b
        self.i, self.i_end, self.j, self.j_end = i, i_end, j, j_end
        self.ahead: dict[int, int] = {i - j: i}
        self.back: dict[int, int] = {i_end - j_end: i_end}
        self.cost = 0

    def middle(self, limit: int) -> tuple[int, int]:
        start, end = self.i - self.j, self.i_end - self.j_end
        odd = bool((start - end) & 1)
        low, high = self.i - self.j_end, self.i_end - self.j
        first = last = start
        back_first = back_last = end
        for cost in range(1, FAR):
            self.cost = cost
            first, last = _wider(first, last, low, high, self.ahead, -1)
            for diagonal in range(last, first - 1, -2):
                x = self.forward(diagonal)
                if odd and back_first <= diagonal <= back_last and self.back[diagonal] <= x:
                    return x, x - diagonal
            back_first, back_last = _wider(back_first, back_last, low, high, self.back, FAR)
            for diagonal in range(back_last, back_first - 1, -2):
                x = self.backward(diagonal)
                if not odd and first <= diagonal <= last and x <= self.ahead[diagonal]:
                    return x, x - diagonal
            if cost >= limit:
                return self.best(range(last, first - 1, -2), range(back_last, back_first - 1, -2))
        raise AssertionError

    def forward(self, diagonal: int) -> int:
        a, b, ahead = self.a, self.b, self.ahead
        x = ahead[diagonal - 1] + 1 if ahead[diagonal - 1] >= ahead[diagonal + 1] else ahead[diagonal + 1]
        y = x - diagonal
        while x < self.i_end and y < self.j_end and a[x] == b[y]:
            x, y = x + 1, y + 1
        ahead[diagonal] = x
        return x

    def backward(self, diagonal: int) -> int:
        a, b, back = self.a, self.b, self.back
        x = back[diagonal - 1] if back[diagonal - 1] < back[diagonal + 1] else back[diagonal + 1] - 1
        y = x - diagonal
        while x > self.i and y > self.j and a[x - 1] == b[y - 1]:
            x, y = x - 1, y - 1
        back[diagonal] = x
        return x

    def best(self, ahead: range, back: range) -> tuple[int, int]:
        """The furthest place that was reached so far, from either end: a long search is not worth its time."""
        reached = [(min(self.ahead[d], self.i_end), d) for d in ahead]
        far = [(x if x - d <= self.j_end else self.j_end + d, d) for x, d in reached]
        x, diagonal = max(far, key=lambda place: 2 * place[0] - place[1])
        reached = [(max(self.back[d], self.i), d) for d in back]
        near = [(x if x - d >= self.j else self.j + d, d) for x, d in reached]
        other, across = min(near, key=lambda place: 2 * place[0] - place[1])
        if self.i_end + self.j_end - (2 * other - across) < (2 * x - diagonal) - self.i - self.j:
            return x, x - diagonal
        return other, other - across


def _wider(first: int, last: int, low: int, high: int, reached: dict[int, int], unknown: int) -> tuple[int, int]:
    """One diagonal more at either end, within the box; what is beyond was not reached."""
    if first > low:
        first -= 1
        reached[first - 1] = unknown
    else:
        first += 1
    if last < high:
        last += 1
        reached[last + 1] = unknown
    else:
        last -= 1
    return first, last


# Where a change that could be in several places goes


class _Group:
    """A run of changed elements, perhaps of none, between two that are not changed."""

    __slots__ = ("end", "side", "start")

    def __init__(self, side: _Side) -> None:
        self.side = side
        self.start = self.end = 0
        self.grow_down()

    def grow_down(self) -> None:
        while self.side.changed[self.end]:
            self.end += 1

    def grow_up(self) -> None:
        while self.start and self.side.changed[self.start - 1]:
            self.start -= 1

    def next(self) -> bool:
        if self.end == len(self.side.elements):
            return False
        self.start = self.end = self.end + 1
        self.grow_down()
        return True

    def ahead(self) -> int:
        """How many elements follow of which none is changed."""
        found = self.side.changed.find(1, self.end)
        return (found if found >= 0 else len(self.side.elements)) - self.end

    def skip(self, count: int) -> None:
        """Go on to the place after that many elements, which are not changed."""
        self.start = self.end = self.end + count

    def previous(self) -> None:
        self.end = self.start = self.start - 1
        self.grow_up()

    def slide_up(self) -> bool:
        elements, changed = self.side.elements, self.side.changed
        if not self.start or elements[self.start - 1] != elements[self.end - 1]:
            return False
        self.start, self.end = self.start - 1, self.end - 1
        changed[self.start], changed[self.end] = 1, 0
        self.grow_up()
        return True

    def slide_down(self) -> bool:
        elements, changed = self.side.elements, self.side.changed
        if self.end == len(elements) or elements[self.start] != elements[self.end]:
            return False
        changed[self.start], changed[self.end] = 0, 1
        self.start, self.end = self.start + 1, self.end + 1
        self.grow_down()
        return True


def _settle(side: _Side, other: _Side) -> None:
    """Move every change of one side down as far as it goes, or to where the other side has one too."""
    here, there = _Group(side), _Group(other)
    while True:
        if here.end > here.start:
            _settle_one(here, there)
        skipped = min(here.ahead(), there.ahead()) - 1
        if skipped > 0:
            here.skip(skipped)
            there.skip(skipped)
        if not here.next():
            return
        there.next()


def _settle_one(here: _Group, there: _Group) -> None:
    size = -1
    earliest = meets = here.end
    while size != here.end - here.start:  # it may join others on the way
        size, meets = here.end - here.start, -1
        while here.slide_up():
            there.previous()
        earliest = here.end
        if there.end > there.start:
            meets = here.end
        while here.slide_down():
            there.next()
            if there.end > there.start:
                meets = here.end
    if here.end != earliest and meets != -1:
        while there.end == there.start:
            here.slide_up()
            there.previous()


def _spans(left: _Side, right: _Side) -> list[Span]:
    """The marked elements of both sides, as changes. Those that are not marked are as many on both sides."""
    spans: list[Span] = []
    i = j = 0
    while i <= len(left.elements):
        start, other = i, j
        while left.changed[i]:
            i += 1
        while right.changed[j]:
            j += 1
        if i > start or j > other:
            spans.append((start, i, other, j))
        i, j = i + 1, j + 1
    return spans
