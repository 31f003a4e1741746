"""Which lines an edit changes: shown before the edit is written; the time is linear in the length of the text."""

from __future__ import annotations

from bisect import bisect_left

from plait.core.struct import struct
from plait.yaml.load import shown_text


@struct
class Touched:
    """Lines of a file, before and after. `line` counts from 1."""

    name: str
    line: int
    before: list[str]
    after: list[str]


def touched_lines(name: str, old: str, new: str) -> list[Touched]:
    """The stretches of lines in which two texts differ, secrets masked."""
    before, after = shown_text(name, old).splitlines(), shown_text(name, new).splitlines()
    found = stretches(old.splitlines(), new.splitlines())
    return [Touched(name, a + 1, before[a:b], after[c:d]) for a, b, c, d in found]


def stretches(before: list[str], after: list[str]) -> list[tuple[int, int, int, int]]:
    """The ranges of lines that differ, old and new: between lines that occur just once in both texts, in the same
    order."""
    once = _once(after)
    pairs = [(at, once[line]) for line, at in _once(before).items() if line in once]
    return _between(before, after, [*_rising(pairs), (len(before), len(after))])


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """As many of the pairs as possible, so that both numbers rise. The first ones do."""
    lowest: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (_, new) in enumerate(pairs):
        length = bisect_left(lowest, new)
        before.append(last[length - 1] if length else -1)
        lowest[length : length + 1] = [new]
        last[length : length + 1] = [at]
    kept: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        kept.append(pairs[at])
        at = before[at]
    return kept[::-1]


def _once(lines: list[str]) -> dict[str, int]:
    """The lines that occur there just once, with their numbers."""
    seen: dict[str, int] = {}
    for at, line in enumerate(lines):
        seen[line] = -1 if line in seen else at
    return {line: at for line, at in seen.items() if at >= 0}


def _between(before: list[str], after: list[str], kept: list[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """What differs between lines that stay."""
    blocks: list[tuple[int, int, int, int]] = []
    a = c = 0
    for b, d in kept:
        while a < b and c < d and before[a] == after[c]:
            a, c = a + 1, c + 1
        stop, end = b, d
        while stop > a and end > c and before[stop - 1] == after[end - 1]:
            stop, end = stop - 1, end - 1
        if (a, c) != (stop, end):
            blocks.append((a, stop, c, end))
        a, c = b, d
    return blocks
