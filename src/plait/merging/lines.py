"""Three texts merged by lines, as git does: changes to different lines join, and changes to the same lines are a
conflict.

Where both sides changed the same lines, the result keeps the lines of `existing` and the conflict is counted.
"""

from __future__ import annotations

from plait.merging.differing import changes, grouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.merging.differing import Group, Span

    Decision = Callable[[int, int], str]
    """What somebody decided about lines, from the first to the last: `take`, `keep` or nothing."""


class LineConflict:
    """Lines that both sides changed: from where to where they are in the result (counted from 1, the last one
    included), and what each side has there."""

    __slots__ = ("base", "existing", "first", "fresh", "last")

    def __init__(self, first: int, base: list[str], existing: list[str], fresh: list[str]) -> None:
        self.first = first
        self.last = first + max(len(existing), 1) - 1
        self.base = "".join(base)
        self.existing = "".join(existing)
        self.fresh = "".join(fresh)

    @property
    def lines(self) -> str:
        return f"line {self.first}" if self.first == self.last else f"lines {self.numbers}"

    @property
    def numbers(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"


class MergedText:
    """The text that came out, and the lines of it at which both sides disagree.

    `agreed` is what was generated now, with the lines of the base where there is a conflict: what the next merge
    begins with, so that it finds the same conflicts.
    """

    __slots__ = ("agreed", "conflicts", "text")

    def __init__(self, text: str, conflicts: list[LineConflict], agreed: str) -> None:
        self.text = text
        self.conflicts = conflicts
        self.agreed = agreed


def merge_values(base: str, existing: str, fresh: str, decided: Decision | None = None) -> MergedText | None:
    """The merge of three texts that are values; None where JSON would no longer be JSON."""
    merged = merge_lines(base, existing, fresh, decided)
    return None if _is_json(existing) and _is_json(fresh) and not _is_json(merged.text) else merged


def merge_lines(
    base: str, existing: str, fresh: str, decided: Decision | None = None, neighbours: bool = True
) -> MergedText:
    """The merge of three texts. Changes to neighbouring lines are in conflict, as in git, unless `neighbours` is false.

    Of lines that both changed, those of `existing` stay. Whether somebody decided to `take` the others, or to `keep`
    these, `decided` is asked with the first and the last of them in `existing`; then they are no conflict. What is
    left of a conflict of which only some lines are taken is merged as if these had never been in conflict.
    """
    b, e, f = (side.splitlines(keepends=True) for side in (base, existing, fresh))
    if decided is not None:
        b, e = _as_decided(b, e, f, decided, neighbours)
    out: list[str] = []
    agreed: list[str] = []
    conflicts: list[LineConflict] = []
    at = 0
    for start, end, mine, other in grouped(changes(b, e), changes(b, f), neighbours):
        out += b[at:start]
        agreed += b[at:start]
        ours, theirs = _lines(b, e, start, end, mine), _lines(b, f, start, end, other)
        clash = bool(mine and other) and ours != theirs
        if clash:
            conflicts.append(LineConflict(len(out) + 1, b[start:end], ours, theirs))
        out += ours if mine else theirs
        agreed += b[start:end] if clash else theirs
        at = end
    return MergedText("".join([*out, *b[at:]]), conflicts, "".join([*agreed, *b[at:]]))


def _as_decided(
    b: list[str], e: list[str], f: list[str], decided: Decision, neighbours: bool
) -> tuple[list[str], list[str]]:
    """Base and `existing` as if every conflict that somebody decided had been decided so before: lines that are taken
    are in both, and lines that are kept differ from those that are generated now."""
    base: list[str] = []
    existing: list[str] = []
    at = here = 0
    for start, end, mine, other in grouped(changes(b, e), changes(b, f), neighbours):
        ours, theirs = _lines(b, e, start, end, mine), _lines(b, f, start, end, other)
        here += start - at
        last = here + max(len(ours), 1)
        clash = bool(mine and other) and ours != theirs
        action = decided(here + 1, last) if clash else ""
        pieces = [(b[at:start], b[at:start])]
        if action == "take":
            pieces += _pieces((b, e, f), (start, end, mine, other), (here, last), decided)
        else:
            pieces.append((theirs if action else b[start:end], ours))
        for was, now in pieces:
            base += was
            existing += now
        at, here = end, here + len(ours)
    return [*base, *b[at:]], [*existing, *b[at:]]


def _pieces(
    sides: tuple[list[str], list[str], list[str]], group: Group, lines: tuple[int, int], decided: Decision
) -> Iterator[tuple[list[str], list[str]]]:
    """The lines of base and of `existing` in a conflict, as somebody decided some of them; `lines` are how many come
    before it, and its last one."""
    here, last = lines
    base, existing, fresh = sides
    at, end, mine, other = group
    for start, stop, left, right in grouped(mine, other):
        yield base[at:start], base[at:start]
        ours, theirs = _lines(base, existing, start, stop, left), _lines(base, fresh, start, stop, right)
        here += start - at
        action = decided(min(here + 1, last), here + max(len(ours), 1))
        yield theirs if action else base[start:stop], theirs if action == "take" else ours
        at, here = stop, here + len(ours)
    yield base[at:end], base[at:end]


def _is_json(text: str) -> bool:
    """Whether a text is a JSON object or list, as policies often are."""
    if not text.lstrip().startswith(("{", "[")):
        return False
    import json  # most texts are not JSON

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _lines(base: list[str], side: list[str], start: int, end: int, spans: list[Span]) -> list[str]:
    """What a side has in place of the base's lines from `start` to `end`."""
    out: list[str] = []
    at = start
    for span in spans:
        out += base[at : span[0]] + side[span[2] : span[3]]
        at = span[1]
    return out + base[at:end]
