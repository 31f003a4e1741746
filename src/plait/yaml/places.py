"""A text and what is written at each place of it: keys, values and their spans."""

from __future__ import annotations

import sys
from bisect import bisect_right

from plait.core.node import Node, key_text
from plait.core.path import Path, Step
from plait.core.source import Source
from plait.yaml.layout import NONE, Layout, lay_out
from plait.yaml.program import ALIAS, MAP, PLAIN, TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.yaml.layout import Member
    from plait.yaml.program import Program

Span = tuple[int, int]
"""Where something begins and ends in a text."""


class WrittenSpot:
    """One key or value of a text: its path, and the steps of its layout. A list item has no key."""

    __slots__ = ("document", "holder", "key", "layout", "on_key", "path", "value")

    def __init__(self, layout: Layout, document: int, path: Path, key: int, value: int, holder: int = NONE) -> None:
        self.layout = layout
        self.document = document
        self.path = path
        self.key = key
        self.value = value
        self.holder = holder
        """The step of the map or list that it is in."""
        self.on_key = False
        """Whether it was the key, and not its value, that was pointed at."""

    @property
    def at(self) -> int:
        """Where the value begins: the offset that the origin of its node has, too."""
        return self.layout.ats[self.value]

    @property
    def text(self) -> str | None:
        """The text of a scalar; None for a container or an alias."""
        return self.layout.texts[self.value] if self.is_scalar else None

    @property
    def is_scalar(self) -> bool:
        return self.layout.kind(self.value) in (PLAIN, TEXT)

    @property
    def is_map(self) -> bool:
        return self.layout.kind(self.value) == MAP

    @property
    def alias(self) -> str | None:
        """The anchor that it refers to, where it is an alias."""
        return self.layout.texts[self.value] if self.layout.kind(self.value) == ALIAS else None

    @property
    def tag(self) -> str:
        return (self.layout.props.get(self.value, (None, None))[0] or "") if self.layout.props else ""

    @property
    def anchor(self) -> str | None:
        return self.layout.anchor(self.value)

    @property
    def key_span(self) -> Span:
        """The key; for a list item, its value."""
        step = self.key if self.key != NONE else self.value
        return self.layout.inner(step), self.layout.end(step)

    @property
    def name_span(self) -> Span:
        """The text of the key without its quotes."""
        start, end = self.key_span
        quoted = self.layout.text[start : start + 1] in ('"', "'")
        return (start + 1, end - 1) if quoted else (start, end)

    @property
    def value_span(self) -> Span:
        """The value with its tag and anchor."""
        return self.at, max(self.at, self.layout.tidy_end(self.value))

    @property
    def whole_span(self) -> Span:
        """The key and the value."""
        return self.key_span[0] if self.key != NONE else self.at, self.value_span[1]

    @property
    def size(self) -> int:
        """How many characters it has."""
        start, end = self.whole_span
        return end - start

    @property
    def span(self) -> Span:
        """What was pointed at."""
        return self.key_span if self.on_key else self.value_span

    def __repr__(self) -> str:
        return f"WrittenSpot({self.path}, {'key' if self.on_key else 'value'})"

    def below(self) -> Iterator[WrittenSpot]:
        """The entries or items one level down."""
        layout = self.layout
        for member in layout.members(self.value) if layout.is_container(self.value) else ():
            path = (*self.path, _step(layout, member))
            yield WrittenSpot(layout, self.document, path, member.key, member.value, self.value)

    @property
    def title(self) -> str:
        """What a list item is called: its text, or the `name` in it."""
        named = next((child.text for child in self.below() if child.path[-1] == "name"), None)
        return self.text or named or str(self.path[-1])

    @property
    def detail(self) -> str:
        """The beginning of a scalar."""
        lines = (self.text or "").splitlines() if self.key != NONE else []
        return lines[0][:40] if lines else ""


def _step(layout: Layout, member: Member) -> Step:
    if member.key == NONE:
        return member.position
    return layout.texts[member.key] or ""


class Written:
    """A text with the layout of its documents. PlaitError where it is not YAML."""

    __slots__ = ("_spots", "layouts", "source")

    def __init__(self, source: Source, depth: int = 1000, before: Written | None = None) -> None:
        """`before` is the text before the last change, which could be read."""
        self.source = source
        self.layouts = lay_out(source, depth, (lambda: changed_part(before, source)) if before is not None else None)
        self._spots: list[WrittenSpot] | None = None

    def programs(self) -> list[Program]:
        """The documents as the builder runs them."""
        return [layout.program() for layout in self.layouts]

    def roots(self) -> Iterator[WrittenSpot]:
        """The root of every document."""
        for number, layout in enumerate(self.layouts):
            if layout.kinds:
                yield WrittenSpot(layout, number, (), NONE, 0)

    def spots(self) -> list[WrittenSpot]:
        """Every key with its value, and every list item, in the order of the text."""
        if self._spots is not None:
            return self._spots
        found = list(self.walk())
        if len(self.source.text) < LARGE:
            self._spots = found
        return found

    def walk(self, start: int = 0, end: int = sys.maxsize, deep: int = sys.maxsize) -> Iterator[WrittenSpot]:
        """The same one by one; of the keys and items that have a part in a span, where one is given, and of so many
        levels."""
        stack = list(self.roots())[::-1]
        is_part = start > 0 or end < sys.maxsize
        while stack:
            spot = stack.pop()
            if is_part and spot.path and (spot.whole_span[1] < start or spot.whole_span[0] > end):
                continue
            yield spot
            if len(spot.path) < deep:
                stack.extend(reversed(list(spot.below())))

    def at(self, offset: int) -> WrittenSpot | None:
        """What is at a place: the innermost key or value that contains it."""
        found: WrittenSpot | None = None
        root = next((spot for spot in self.roots() if spot.layout.opened <= offset <= spot.layout.closed), None)
        while root is not None:
            found, root = root, _holding(root, offset)
        if found is not None and found.key != NONE:
            start, end = found.key_span
            found.on_key = start <= offset <= end
        return found

    def around(self, offset: int) -> list[WrittenSpot]:
        """What is at a place, with everything that contains it, the innermost last."""
        spot = self.at(offset)
        found = [self.find(spot.path[:depth], spot.document) for depth in range(len(spot.path))] if spot else []
        return [one for one in (*found, spot) if one is not None]

    def document_at(self, offset: int) -> int:
        """The number of the document that a place is in, or before."""
        return next((number for number, layout in enumerate(self.layouts) if offset <= layout.closed), 0)

    def find(self, path: Path, document: int = 0) -> WrittenSpot | None:
        """What is written at a path; None where nothing is."""
        spot = next((root for root in self.roots() if root.document == document), None)
        for step in path:
            spot = next((child for child in spot.below() if _leads_to(step, child)), None) if spot else None
        return spot

    def starting(self, at: int) -> WrittenSpot | None:
        """The value that begins at an offset: the outermost one."""
        spot = self.at(at)
        above = [self.find(spot.path[:depth], spot.document) for depth in range(len(spot.path) + 1)] if spot else []
        return next((one for one in above if one is not None and one.at == at), None)


def _leads_to(step: Step, child: WrittenSpot) -> bool:
    """Whether a step of a path is that of an entry or item. A key that is no text, as `80`, is a node in a path."""
    if not isinstance(step, Node):
        return child.path[-1] == step
    return child.path[-1] == key_text(step) and child.name_span == child.key_span


def _holding(spot: WrittenSpot, offset: int) -> WrittenSpot | None:
    """The entry or item of a container that contains a place."""
    layout = spot.layout
    if not layout.is_container(spot.value):
        return None
    members = layout.members(spot.value)
    before = bisect_right(members, offset, key=lambda member: member.start)
    if not before:
        return None
    last = members[before - 1]
    child = WrittenSpot(layout, spot.document, (*spot.path, _step(layout, last)), last.key, last.value)
    return child if offset <= max(layout.tidy_end(last.value), last.mark, child.key_span[1]) else None


LARGE = 50_000
"""A text with more characters is not read as a whole for what is wrong at one place."""
PART = 20_000
"""How many characters of it are read instead, beside the lines that they are below of."""


def changed_part(before: Written, source: Source) -> Source | None:
    """The part of a large text that changed since it could be read: the innermost sections around the change, and the
    lines of the keys above them. None where it is small, or no part is."""
    if len(source.text) < LARGE or source.written is not None:
        return None
    start, tail = common_ends(before.source.text, source.text)
    spots = [spot for spot in before.around(start) if spot.path]
    small = next((spot for spot in spots if spot.size <= PART), None)
    if small is None:
        return None
    text = source.text
    rows: list[tuple[int, str]] = []
    above = [spot for spot in spots[: spots.index(small)] if spot.key != NONE]
    spans = [spot.key_span for spot in above]
    first, last = small.whole_span
    end = max(last, len(before.source.text) - tail) + len(text) - len(before.source.text)
    for one, other in (*spans, (first, end)):
        begin = text.rfind("\n", 0, one) + 1
        stop = text.find("\n", other)
        row = text.count("\n", 0, begin)
        rows += enumerate(text[begin : stop if stop >= 0 else None].split("\n"), row)
    lines = dict(rows)
    return Source(source.name, "\n".join(lines.values()) + "\n", written=source, line_map=list(lines))


def common_ends(before: str, after: str) -> tuple[int, int]:
    """How many characters two texts have in common at their beginning, and how many at their end after that."""
    limit = min(len(before), len(after))
    start = _common(limit, lambda low, high: before[low:high] == after[low:high])
    a, b = len(before), len(after)
    tail = _common(limit - start, lambda low, high: before[a - high : a - low] == after[b - high : b - low])
    return start, tail


def _common(limit: int, alike: Callable[[int, int], bool]) -> int:
    """The largest number up to a limit up to which everything is alike."""
    low, step = 0, max(limit, 1)
    while low < limit and step:
        high = min(low + step, limit)
        if alike(low, high):
            low = high
        else:
            step = min(step, high - low) // 2
    return low


def moved(offset: int, before: str, after: str) -> int:
    """Where a place of one text is in another that was edited at one point."""
    if before == after:
        return offset
    start, tail = common_ends(before, after)
    if offset <= start:
        return offset
    if len(before) - offset <= tail:
        return len(after) - (len(before) - offset)
    return min(offset, len(after) - tail)


def place_in(spot: WrittenSpot, at: int, words: str) -> Span | None:
    """Where a piece of a scalar's value, which begins at an offset of the value, is written in the text."""
    text, value = spot.layout.text, spot.text or ""
    start, end = spot.layout.inner(spot.value), spot.layout.end(spot.value)
    for shift in (0, 1):
        if text.startswith(words, start + shift + at) and text.startswith(value[: at + len(words)], start + shift):
            return start + shift + at, start + shift + at + len(words)
    number = value.count(words, 0, at)  # written with escapes or on several lines: count
    found = start - 1
    for _ in range(number + 1):
        found = text.find(words, found + 1, end)
        if found == -1:
            return None
    return found, found + len(words)
