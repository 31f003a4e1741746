"""Names that look like a slip of another."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, names: Iterable[str], limit: int = 3) -> list[str]:
    """The names within a third of the letters of `name`, nearest first."""
    allowed = max(1, len(name) // 3)
    scored = sorted((distance(name.lower(), other.lower(), allowed), other) for other in dict.fromkeys(names))
    return [other for score, other in scored if score <= allowed and other != name][:limit]


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


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A hint, or nothing where no name is near."""
    near = nearest(name, names)
    return f"did you mean {' or '.join(f'`{other}`' for other in near)}?" if near else ""
