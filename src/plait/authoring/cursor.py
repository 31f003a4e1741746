"""Where something is being typed: the path of the line by its indentation, and the word before the cursor.

While people type, a text is seldom valid; so this looks at lines, and what they mean is asked of the last good text.
"""

from __future__ import annotations

import re

from plait.core.path import Path, Step

KEY = re.compile(r"""(?:- +)*(?:"([^"]*)"|'([^']*)'|([^\s#:{}\[\],&*!|>'"%@`-][^#:{}\[\],]*?))\s*:(?:\s|$)""")
WORD = re.compile(r"[^\s\[\]{},\"']*\Z")
DASHES = re.compile(r"( *)((?:- +)*)-?(?= |\Z|[^\s-])")


class Cursor:
    """A place at which something is typed."""

    __slots__ = ("before", "key", "offset", "path", "word")

    def __init__(self, text: str, offset: int) -> None:
        start = text.rfind("\n", 0, offset) + 1
        self.offset = offset
        self.before = text[start:offset]
        """The line up to the cursor."""
        found = WORD.search(self.before)
        self.word = found[0] if found is not None else ""
        self.path, self.key = _path(text[:start].splitlines(), self.before)
        """The path of the value that is typed, or of the map in which a key is typed (then `key` is set)."""

    def inside(self, opening: str, closing: str) -> str | None:
        """What is between an opening sign and the cursor, where it is not closed yet."""
        at = self.before.rfind(opening)
        rest = self.before[at + len(opening) :] if at >= 0 else ""
        return rest if at >= 0 and closing not in rest else None


def _path(above: list[str], line: str) -> tuple[Path, bool]:
    """The path at the end of a line, and whether a key is being typed there."""
    lead = len(line) - len(line.lstrip(" "))
    body = line[lead:]
    steps: list[Step] = []
    dashed = body.startswith("- ") or body == "-"
    inner = body[1:].lstrip(" ") if dashed else body
    named = KEY.match(inner + " ")
    typing = named is None and not re.match(r"[\[{\"'!*&(]", inner)
    if named is not None:
        steps.append(_name(named))
        below, typing = _flow(inner[named.end() - 1 :] if named.end() <= len(inner) else "")
        steps += below
    elif re.match(r"[\[{]", inner):
        below, typing = _flow(inner)
        steps += below
    if dashed:
        steps.insert(0, 0)
    limit = lead + (1 if dashed else 0)
    found = _around(above, limit, dashed)
    return (*found, *steps), typing and (not dashed or len(steps) > 1 or inner.startswith("{"))


def _flow(text: str) -> tuple[list[Step], bool]:
    """The steps of a flow collection that is open at the end of a text, and whether a key is being typed in it."""
    steps: list[Step | None] = []
    typed = ""
    for sign in re.findall(r"[\[\]{},:]|[^\[\]{},:]+", text):
        if sign in "[{":
            steps.append(0 if sign == "[" else None)
        elif sign in "]}":
            steps = steps[:-1]
        elif sign == "," and steps and steps[-1] is not None and steps[-1] != 0:
            steps[-1] = None
        elif sign == ":" and steps and steps[-1] is None:
            steps[-1] = typed.strip().strip("\"'")
        typed = sign
    typing = bool(steps) and steps[-1] is None
    return [step for step in steps if step is not None], typing


def _around(above: list[str], limit: int, dashed: bool) -> list[Step]:
    """The keys of the lines that a line at an indentation is below of."""
    steps: list[Step] = []
    for line in reversed(above):
        stripped = line.lstrip(" ")
        lead = len(line) - len(stripped)
        if not stripped or lead >= limit or stripped.startswith("#"):
            continue
        item = stripped.startswith("- ") or stripped == "-"
        named = KEY.match(stripped)
        if item:
            inner = lead + len(stripped) - len(stripped.lstrip("- "))
            if inner < limit and named is not None:
                steps.insert(0, _name(named))
            if lead < limit and not (dashed and lead == limit - 1):
                steps.insert(0, 0)
                limit, dashed = lead + 1, True
        elif named is not None and lead < limit:
            steps.insert(0, _name(named))
            limit, dashed = lead, False
        if limit <= 0:
            break
    return steps


def _name(named: re.Match[str]) -> str:
    return next(group for group in named.groups() if group is not None)
