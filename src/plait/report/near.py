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
"""Of names that can only be walked through (a list), so many are looked at; of a mapping or a set, all."""
CLOSEST = 24
"""So many names with nearly the same letters are compared letter by letter."""
LONGEST = 60
"""Longer names are not compared letter by letter."""
END = 16
"""Names with more letters are found by so many of the first or last of them."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."


def nearest(name: str, names: Iterable[object], limit: int = 3) -> list[str]:
    """The names within a third of the letters of `name`, nearest first. What is not text among them is passed over.
    Near to one letter is only that letter: any other is one letter away, too."""
    if len(name) > LONGEST:
        return []
    allowed = max(1, len(name) // 3)
    least, most = len(name) - allowed, len(name) + allowed
    low = name.lower()
    letters = set(low)
    alike = [
        (len(letters.symmetric_difference(other.lower())), other)
        for other in _candidates(name, names)
        if least <= len(other) <= most
        and other != name
        and (least > 1 or min(len(other), len(name)) > 1 or letters == set(other.lower()))
    ]
    close = sorted(one for one in alike if one[0] <= 2 * allowed)[:CLOSEST]
    scored = sorted((distance(low, other.lower(), allowed), other) for _, other in close)
    return [other for score, other in scored if score <= allowed][:limit]


class Names:
    """The names of several mappings, without a copy of them."""

    __slots__ = ("_parts",)

    def __init__(self, *parts: Collection[object]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[object]:
        return chain.from_iterable(self._parts)

    def __contains__(self, name: object) -> bool:
        return any(name in part for part in self._parts)

    def __len__(self) -> int:
        return sum(map(len, self._parts))


def _candidates(name: str, names: Iterable[object]) -> dict[str, None]:
    """The names to compare, each once: all of them where they are few."""
    known = names if isinstance(names, _FOUND_AT_ONCE) else dict.fromkeys(islice(names, MANY))
    candidates = {other: None for other in islice(known, MOST) if isinstance(other, str)}
    if len(known) > MOST:
        candidates |= {slip: None for slip in _slips(name) if slip in known}
    return candidates


_FOUND_AT_ONCE = (dict, set, frozenset, Names)


def _slips(name: str) -> list[str]:
    """Every name that differs by one letter, or by two letters in the other order."""
    ends = [(name[:at], name[at:]) for at in range(len(name) + 1)]
    added = [head + letter + tail for head, tail in ends for letter in _LETTERS]
    exchanged = [head + letter + tail[1:] for head, tail in ends for letter in _LETTERS]
    dropped = [head + tail[1:] for head, tail in ends]
    swapped = [head + tail[1:2] + tail[:1] + tail[2:] for head, tail in ends]
    return [*added, *exchanged, *dropped, *swapped]


def distance(a: str, b: str, limit: int) -> int:
    """How many letters to insert, drop, exchange or swap; anything above `limit` counts as more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    a, b = _differing(a, b)
    if not a or not b:
        return len(a) + len(b)
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row = (before, row), [i]
        for j, y in enumerate(b, 1):
            cost = min(last[1][j] + 1, row[j - 1] + 1, last[1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[0][j - 2] + 1)
            row.append(cost)
        before = last[1]
        if min(row) > limit:
            return limit + 1
    return row[-1]


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
