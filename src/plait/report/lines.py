"""Two texts, line by line: what differs, as version control shows it."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CONTEXT = 3
"""How many lines are shown around a difference."""
HUNK = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")


def differing(before: str, after: str, old_name: str, new_name: str) -> Iterator[str]:
    """The lines of a unified difference. Only what is between the first and the last line that differ is compared:
    comparing costs much where lines are alike."""
    from difflib import unified_diff

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    same = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    first, left = max(start - CONTEXT, 0), max(same - CONTEXT, 0)
    old, new = old[first : len(old) - left], new[first : len(new) - left]
    for line in unified_diff(old, new, old_name, new_name):
        found = HUNK.fullmatch(line.rstrip("\n")) if first and line.startswith("@@") else None
        if found is None:
            yield line
        else:
            yield f"@@ -{int(found[1]) + first}{found[2] or ''} +{int(found[3]) + first}{found[4] or ''} @@\n"


def difference(before: str, after: str, old_name: str, new_name: str) -> str:
    """The same as one text, which says where a text has no line end."""
    lines = differing(before, after, old_name, new_name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
