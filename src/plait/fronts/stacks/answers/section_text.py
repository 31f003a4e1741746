"""The printed text of a component, with another value at a place of a section.

Every member of a map is printed in lines of its own, sorted by their keys: the first begins with the key at one column,
and all others are indented further, empty, or close a bracket. So where a member begins and ends is seen from the text.
"""

from __future__ import annotations

import re
from functools import cache

from plait.fronts.stacks.answers.reached import NO_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class TextForm(Protocol):
        """How a format prints maps. The text after a key begins with a space or a line end."""

        between: str

        def head(self, key: str, depth: int) -> str:
            """A key at this depth, with its colon."""

        def begin(self, depth: int) -> str:
            """The text before the members of a map whose keys are at this depth."""

        def end(self, depth: int) -> str:
            """The text after the members of a map."""

        def empty(self, brackets: str, depth: int) -> str:
            """A container without members, whose keys would be at this depth."""


def replaced(form: TextForm, text: str, depth: int, place: tuple[str, ...], line: str | None) -> str | None:
    """A text with another line at a place whose first key is at some depth, or with none; None where it does not show
    how."""
    start, end = 0, len(text)
    for step in place[:-1]:
        head = form.head(step, depth)
        at = text.find(head, start, end)
        depth += 1
        begin = form.begin(depth)
        start = at + len(head)
        if at >= 0 and len(place) == 2 and text.startswith(form.empty("{}", depth), start) and line is not None:
            rest = text[start + len(form.empty("{}", depth)) :]
            return f"{text[:start]}{begin}{line}{form.end(depth)}{rest}"
        if at < 0 or not text.startswith(begin + "\n", start):
            return None
        start += len(begin)
        outside = _outside(_column(form, depth)).search(text, start, end)
        end = outside.start() if outside is not None else end
    return _with_member(form, text, (start, end), form.head(place[-1], depth), place[-1], line)


def _with_member(form: TextForm, text: str, span: tuple[int, int], head: str, key: str, line: str | None) -> str | None:
    """A text with another member of the map that is in a part of it."""
    (start, end), column = span, len(head) - len(head.lstrip()) - 1
    at = text.find(head, start, end)
    if at < 0:
        return _with_new(form, text, span, column, key, line) if line is not None else text
    following = _following(column).search(text, at + len(head), end)
    after = following.start() if following is not None else end
    if line is not None:
        return f"{text[:at]}{line}{form.between if following is not None else ''}{text[after:]}"
    if following is not None:
        return text[:at] + text[after:]
    return text[: at - len(form.between)] + text[after:] if at > start else None


def _with_new(form: TextForm, text: str, span: tuple[int, int], column: int, key: str, line: str) -> str | None:
    for member in _members(column).finditer(text, *span):
        name = member[1] if member[1] is not None else member[2]
        if name is None or (member[2] is not None and name.lower() in NO_WORDS):
            return None
        if name > key:
            return f"{text[: member.start()]}{line}{form.between}{text[member.start() :]}"
    return f"{text[: span[1]]}{form.between}{line}{text[span[1] :]}"


def _column(form: TextForm, depth: int) -> int:
    head = form.head("x", depth)
    return len(head) - len(head.lstrip()) - 1


@cache
def _outside(column: int) -> re.Pattern[str]:
    """A line that begins before a column."""
    return re.compile(rf"\n {{0,{column - 1}}}(?=[^ \n])")


@cache
def _following(column: int) -> re.Pattern[str]:
    """A line that begins at a column, or before it, and does not close a bracket that was opened there."""
    return re.compile(rf"\n(?: {{0,{column - 1}}}(?=[^ \n])| {{{column}}}(?=[^ \n\]}}]))")


@cache
def _members(column: int) -> re.Pattern[str]:
    """The lines that begin at a column, with their keys where these are texts, in quotes or a word."""
    key = r'(?:"([^"\\]*)"|([A-Za-z_][\w-]*)):(?=[ \n])'
    return re.compile(rf"\n {{{column}}}(?=[^ \n\]}}])(?:{key})?")
