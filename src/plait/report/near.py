"""Names that are similar to a misspelt one.

What a search costs does not depend on how many names there are: a file with a thousand misspelt references into a
mapping of a thousand keys must not cost a million comparisons. Of many names, the first `MOST` are compared, and
those that differ by one letter are found wherever they are.
"""

from __future__ import annotations

from itertools import chain, islice

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
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."


def nearest(name: str, names: Iterable[object], limit: int = 3) -> list[str]:
    """The names within a third of the letters of `name`, nearest first. What is not text among them is passed over."""
    if len(name) > LONGEST:
        return []
    allowed = max(1, len(name) // 3)
    low = name.lower()
    letters = set(low)
    alike = [
        (len(letters.symmetric_difference(other.lower())), other)
        for other in _candidates(name, names)
        if other != name and abs(len(other) - len(name)) <= allowed
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


def _slips(name: str) -> Iterator[str]:
    """Every name that differs by one letter, or by two letters in the other order."""
    for at in range(len(name) + 1):
        head, tail = name[:at], name[at:]
        yield head + tail[1:]
        yield head + tail[1:2] + tail[:1] + tail[2:]
        for letter in _LETTERS:
            yield head + letter + tail
            yield head + letter + tail[1:]


def distance(a: str, b: str, limit: int) -> int:
    """How many letters to insert, drop, exchange or swap; anything above `limit` counts as more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
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


def did_you_mean(name: str, names: Iterable[object]) -> str:
    """A hint, or nothing where no name is near."""
    near = nearest(name, names)
    return f"did you mean {' or '.join(f'`{other}`' for other in near)}?" if near else ""
