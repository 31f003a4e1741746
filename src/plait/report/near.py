"""Names that are similar to a misspelt one.

What a search costs does not depend on how many names there are: a file with a thousand misspelt references into a
mapping of a thousand keys must not cost a million comparisons. Of many names, the first `MOST` are compared, and
those that differ by one letter are found wherever they are.
"""

from __future__ import annotations

from itertools import chain, combinations, islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

MOST = 300
MANY = 5000
"""Of names that can only be walked through, so many are looked at; of a list, a mapping or a set, all."""
FEW = 3
"""So many questions about a set of names are answered by going through it; then an index is made."""
LARGEST = 100_000
"""So many names of a set are in its index."""
SMALL = 16
SETS = 8
"""So many sets of more than so few names are held, with what is known of them."""
CLOSEST = 24
"""So many names with nearly the same letters are compared letter by letter."""
LONGEST = 60
"""Longer names are not compared letter by letter."""
END = 16
"""Names with more letters are found by so many of the first or last of them."""


def nearest(name: str, names: Iterable[object], limit: int = 3) -> list[str]:
    """The names within a third of the letters of `name`, nearest first. What is not text among them is passed over.
    Near to one letter is only that letter: any other is one letter away, too."""
    if len(name) > LONGEST:
        return []
    allowed = max(1, len(name) // 3)
    alike: dict[str, int] = {}
    parts = names.parts if isinstance(names, Names) else (names,)
    held = [known_names(part) for part in parts]
    size = sum(known.size for known in held)
    left = MOST
    for known in held:
        known.compare(alike, name, allowed, left)
        left = max(left - known.size, 0)
        if size > MOST:
            known.add_slips(alike, name)
    close = sorted((far, other) for other, far in alike.items() if far <= 2 * allowed and other != name)[:CLOSEST]
    low = name.lower()
    best: list[tuple[int, str]] = []
    for far, other in close:
        worst = best[-1][0] if len(best) == limit else allowed  # one that is farther is not among the nearest
        if far <= 2 * worst and (score := distance(low, other.lower(), worst)) <= worst:
            best = sorted([*best, (score, other)])[:limit]
    return [other for _, other in best]


class Names:
    """The names of several mappings, without a copy of them."""

    __slots__ = ("parts",)

    def __init__(self, *parts: Collection[object]) -> None:
        self.parts = parts

    def __iter__(self) -> Iterator[object]:
        return chain.from_iterable(self.parts)

    def __contains__(self, name: object) -> bool:
        return any(name in part for part in self.parts)

    def __len__(self) -> int:
        return sum(map(len, self.parts))


class KnownNames:
    """A set of names about which somebody asks: its first names with their letters, and an index of all of them."""

    __slots__ = ("_asked", "_first", "_index", "names", "size", "written")

    def __init__(self, names: Iterable[object]) -> None:
        self.written = names
        """Kept, and with it its identity."""
        self.names = names if isinstance(names, _SEARCHED) else dict.fromkeys(islice(names, MANY))
        self.size = len(self.names)
        first = islice(self.names, MOST)
        self._first = [(other, len(other), _letters(other)) for other in first if isinstance(other, str)]
        self._index: dict[int, list[str]] | None = None
        self._asked = 0

    def compare(self, alike: dict[str, int], name: str, allowed: int, count: int) -> None:
        """Of so many names, add those of nearly the same length, with how many letters one of the two has alone."""
        least, most = len(name) - allowed, len(name) + allowed
        letters = _letters(name)
        first = self._first[:count] if count < MOST else self._first
        found = {other: len(letters ^ theirs) for other, size, theirs in first if least <= size <= most}
        alike.update(
            found if least > 1 else {other: far for other, far in found.items() if _is_comparable(name, other)}
        )

    def add_slips(self, alike: dict[str, int], name: str) -> None:
        """The same for the names that differ by one letter, or by two letters in the other order."""
        letters = _letters(name)
        for other in self._slips(name):
            if _is_comparable(name, other):
                alike[other] = len(letters ^ _letters(other))

    def _slips(self, name: str) -> list[str]:
        self._asked += 1
        if self._asked <= FEW:
            near = (len(name) - 1, len(name), len(name) + 1)
            return [each for each in self.names if isinstance(each, str) and len(each) in near and is_slip(name, each)]
        if self._index is None:
            self._index = {}
            for other in islice(self.names, LARGEST):
                if isinstance(other, str) and len(other) <= LONGEST + 1:
                    for key in _one_left_out(other):
                        self._index.setdefault(key, []).append(other)
        some = {other for key in _one_left_out(name) for other in self._index.get(key, ())}
        return [other for other in some if is_slip(name, other)]


_KNOWN: dict[int, KnownNames] = {}
"""The sets about which somebody asked lately, by their identity."""


def known_names(names: Iterable[object]) -> KnownNames:
    """What is known of a set of names; held where it may be asked for again."""
    known = _KNOWN.pop(id(names), None)
    if known is None or known.written is not names or (isinstance(names, _SEARCHED) and known.size != len(names)):
        known = KnownNames(names)
    if known.size > SMALL:
        _KNOWN[id(names)] = known
        if len(_KNOWN) > SETS:
            del _KNOWN[next(iter(_KNOWN))]
    return known


_SEARCHED = (dict, set, frozenset)


def _letters(name: str) -> frozenset[str]:
    return frozenset(name.lower())


def _is_comparable(name: str, other: str) -> bool:
    """Whether two names may be near: of two of which one is a single letter, only the same one in another case is."""
    return (len(name) > 1 and len(other) > 1) or _letters(name) == _letters(other)


def _one_left_out(name: str) -> set[int]:
    """A name, and what is left of it without one letter. As numbers, which take less."""
    return {hash(name), *(hash(name[:at] + name[at + 1 :]) for at in range(len(name)))}


def is_slip(name: str, other: str) -> bool:
    """Whether two names differ by one letter, or by two letters in the other order."""
    a, b = _differing(name, other)
    return len(a) + len(b) == 1 or (len(a) == len(b) == 1) or (len(a) == 2 and a == b[::-1])


def distance(a: str, b: str, limit: int) -> int:
    """How many letters to insert, drop, exchange or swap; anything above `limit` counts as more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    a, b = _differing(a, b)
    if not a or not b:
        return len(a) + len(b)
    before: list[int] = []
    row = [*range(min(limit, len(b)) + 1), *[limit + 1] * (len(b) - limit)]
    for i, x in enumerate(a, 1):
        last, row = row, [i, *[limit + 1] * len(b)]
        least = i
        for j in range(max(1, i - limit), min(len(b), i + limit) + 1):  # farther apart they are more than the limit
            cost = last[j - 1]
            if x != b[j - 1]:
                cost = (last[j] if last[j] < cost else cost) + 1
                if row[j - 1] < cost:
                    cost = row[j - 1] + 1
                if j > 1 < i and x == b[j - 2] and a[i - 2] == b[j - 1] and before[j - 2] < cost:
                    cost = before[j - 2] + 1
            row[j] = cost
            least = cost if cost < least else least
        before = last
        if least > limit:
            return limit + 1
    return row[-1] if row[-1] <= limit else limit + 1


def _differing(a: str, b: str) -> tuple[str, str]:
    """Two names without the letters that they have in common at both ends, which change no distance."""
    start, most = 0, min(len(a), len(b))
    while start < most and a[start] == b[start]:
        start += 1
    end = 0
    while end < most - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[start : len(a) - end], b[start : len(b) - end]


class SlipIndex:
    """Names that may be misspelt forms of each other, found without comparing each with each.

    Two names that differ in a letter or two are the same if a letter or two are left out of both; that holds for their
    first letters, and for their last ones. So long names are found by whichever end fewer names have in common. Most
    have no first letters in common: last ones are looked at from the first time that they are needed.
    """

    __slots__ = ("_heads", "_last", "_late", "_tails")

    def __init__(self) -> None:
        self._heads: dict[int, list[int]] = {}
        self._tails: dict[int, list[int]] = {}
        self._late: list[tuple[str, int]] = []
        """The names whose last letters are not in the index yet."""
        self._last: tuple[str, set[int]] = ("", _left_out(""))
        """What is left of the first letters that were looked at last: a name is often looked for, and then added."""

    def add(self, name: str, number: int) -> None:
        for key in self._of_head(name):
            self._heads.setdefault(key, []).append(number)
        if len(name) > END - 2:
            self._late.append((name, number))

    def near(self, name: str) -> list[int]:
        """The numbers of the names that may be within two letters, in order: all that are, and few others."""
        found = [self._heads[key] for key in self._of_head(name) if key in self._heads]
        if found and len(name) > END:
            self._add_tails()
            tails = [self._tails[key] for key in _left_out(name[-END:]) if key in self._tails]
            found = min(found, tails, key=lambda ends: sum(map(len, ends)))
        return sorted({number for numbers in found for number in numbers})

    def _of_head(self, name: str) -> set[int]:
        head = name[:END]
        if self._last[0] != head:
            self._last = head, _left_out(head)
        return self._last[1]

    def _add_tails(self) -> None:
        for name, number in self._late:
            for key in _left_out(name[-END:]):
                self._tails.setdefault(key, []).append(number)
        self._late.clear()


def _left_out(name: str) -> set[int]:
    """What is left of a name without up to two letters; of a short one without one. As numbers, which take less."""
    low = name.lower()
    least = max(0, len(low) - (1 if len(low) < 6 else 2))
    left = chain.from_iterable(combinations(low, length) for length in range(least, len(low) + 1))
    return set(map(hash, left))


def did_you_mean(name: str, names: Iterable[object]) -> str:
    """A hint, or nothing where no name is near."""
    near = nearest(name, names)
    return f"did you mean {' or '.join(f'`{other}`' for other in near)}?" if near else ""
