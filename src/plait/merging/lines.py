"""Three texts merged by lines, as git does: changes to different lines join, and changes to the same lines are a
conflict.

Where both sides changed the same lines, the result keeps the lines of `existing` and the conflict is counted.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, int, int]
    """Lines of the base from, to, and the lines of a side that replace them from, to."""

LIMIT = 4000
"""Texts that differ in more lines than this are one value: comparing them would take too long."""


class MergedText:
    """The text that came out, and the lines of it (counted from 1) at which both sides disagree."""

    __slots__ = ("conflicts", "text")

    def __init__(self, text: str, conflicts: list[int]) -> None:
        self.text = text
        self.conflicts = conflicts


def merge_lines(base: str, existing: str, fresh: str) -> MergedText | None:
    """The merge of three texts; None where they are too large to compare, or where JSON would no longer be JSON."""
    b, e, f = (side.splitlines(keepends=True) for side in (base, existing, fresh))
    ours, theirs = _changes(b, e), _changes(b, f)
    if ours is None or theirs is None:
        return None
    out: list[str] = []
    conflicts: list[int] = []
    at = 0
    for start, end, mine, other in _groups(ours, theirs):
        out += b[at:start]
        here, there = _lines(b, e, start, end, mine), _lines(b, f, start, end, other)
        if mine and other and here != there:
            conflicts.append(len(out) + 1)
        out += here if mine else there
        at = end
    text = "".join([*out, *b[at:]])
    if _is_json(existing) and _is_json(fresh) and not _is_json(text):
        return None
    return MergedText(text, conflicts)


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


def _changes(base: list[str], side: list[str]) -> list[Span] | None:
    """What a side changed, in order; None for too much."""
    head = _common(base, side)
    tail = _common(base[head:][::-1], side[head:][::-1])
    inner, other = base[head : len(base) - tail], side[head : len(side) - tail]
    if len(inner) + len(other) > LIMIT:
        return None
    from difflib import SequenceMatcher  # most runs merge no text

    found = SequenceMatcher(None, inner, other, autojunk=False).get_opcodes()
    return [(head + a, head + b, head + c, head + d) for tag, a, b, c, d in found if tag != "equal"]


def _common(left: list[str], right: list[str]) -> int:
    """How many lines are the same at the beginning."""
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count


def _groups(ours: list[Span], theirs: list[Span]) -> Iterator[tuple[int, int, list[Span], list[Span]]]:
    """Changes of both sides that touch the same or neighbouring lines of the base belong together, as in git."""
    left, right = list(reversed(ours)), list(reversed(theirs))
    while left or right:
        start = min(side[-1][0] for side in (left, right) if side)
        end = start
        mine: list[Span] = []
        other: list[Span] = []
        grown = True
        while grown:
            grown = False
            for side, taken in ((left, mine), (right, other)):
                while side and side[-1][0] <= end:
                    span = side.pop()
                    taken.append(span)
                    end = max(end, span[1])
                    grown = True
        yield start, end, mine, other


def _lines(base: list[str], side: list[str], start: int, end: int, spans: list[Span]) -> list[str]:
    """What a side has in place of the base's lines from `start` to `end`."""
    out: list[str] = []
    at = start
    for span in spans:
        out += base[at : span[0]] + side[span[2] : span[3]]
        at = span[1]
    return out + base[at:end]
