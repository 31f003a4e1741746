"""Two texts, line by line: what differs, as version control shows it."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CONTEXT = 3
"""How many lines are shown around a difference."""
PIECE = 4096
"""How many characters are compared at once, where texts are alike."""
OTHER_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What ends a line beside a line feed."""
HUNK = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")


def differing(before: str, after: str, old_name: str, new_name: str) -> Iterator[str]:
    """The lines of a unified difference. Only what is between the first and the last line that differ is compared:
    comparing costs much where lines are alike."""
    from difflib import unified_diff

    skipped = _before(before, _alike_before(before, after))
    left_out = _after(before, _alike_after(before, after, skipped))
    old, new = (text[skipped : len(text) - left_out].splitlines(keepends=True) for text in (before, after))
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    same = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    first, left = max(start - CONTEXT, 0), max(same - CONTEXT, 0)
    old, new = old[first : len(old) - left], new[first : len(new) - left]
    first += _count(before, skipped)
    for line in unified_diff(old, new, old_name, new_name):
        found = HUNK.fullmatch(line.rstrip("\n")) if first and line.startswith("@@") else None
        if found is None:
            yield line
        else:
            yield f"@@ -{int(found[1]) + first}{found[2] or ''} +{int(found[3]) + first}{found[4] or ''} @@\n"


def _alike_before(before: str, after: str) -> int:
    """How many characters two texts begin with alike, to a piece."""
    at, shorter = 0, min(len(before), len(after))
    while at + PIECE <= shorter and after.startswith(before[at : at + PIECE], at):
        at += PIECE
    return at


def _alike_after(before: str, after: str, start: int) -> int:
    """How many characters they end with alike, to a piece, of what comes after their beginning."""
    at, shorter = 0, min(len(before), len(after)) - start
    while at + PIECE <= shorter and before.endswith(
        after[len(after) - at - PIECE : len(after) - at], 0, len(before) - at
    ):
        at += PIECE
    return at


def _before(text: str, at: int) -> int:
    """Where some lines before a place begin; 0 where there are not as many."""
    for _ in range(CONTEXT + 1):
        at = text.rfind("\n", 0, max(at, 0))
    return at + 1


def _after(text: str, alike: int) -> int:
    """How many characters of the end of a text come after some lines of what is alike."""
    at = len(text) - alike
    for _ in range(CONTEXT + 1):
        at = text.find("\n", at) + 1 or len(text)
    return len(text) - at


def _count(text: str, end: int) -> int:
    """How many lines end before a place."""
    if any(text.find(sign, 0, end) >= 0 for sign in OTHER_ENDS):
        return len(text[:end].splitlines())
    return text.count("\n", 0, end)


def difference(before: str, after: str, old_name: str, new_name: str) -> str:
    """The same as one text, which says where a text has no line end."""
    lines = differing(before, after, old_name, new_name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
