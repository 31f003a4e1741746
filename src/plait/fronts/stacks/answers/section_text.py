"""The printed text of a component, with another value at a place of a section.

Every member of a map is printed in lines of its own, sorted by their keys: the first begins with the key at one column,
and all others are indented further, empty, or close a bracket. So where a member begins and ends is seen from the text.
"""

from __future__ import annotations

import re
from functools import cache

from plait.core import native
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


class MemberEdit:
    """Another line at a place of components, or none there any more: how their texts become others."""

    __slots__ = ("_above", "_following", "_form", "_head", "_key", "_line", "_members", "_places", "_rules")

    def __init__(self, form: TextForm, depth: int, place: tuple[str, ...], line: str | None) -> None:
        """The first key of the place is at some depth."""
        self._form = form
        self._line = line
        self._key = place[-1]
        depths = range(depth + 1, depth + len(place))
        self._above = [
            (form.head(step, at - 1), form.begin(at), _outside(_column(form, at)), form.empty("{}", at), form.end(at))
            for step, at in zip(place, depths, strict=False)
        ]
        self._head = form.head(self._key, depths[-1])
        column = _column(form, depths[-1])
        self._following, self._members = _following(column), _members(column)
        columns = tuple([(one[0], one[1], _column(form, at)) for one, at in zip(self._above, depths, strict=False)])
        self._rules = (columns, self._head, column, line, form.between, self._key)
        """The same for the native one."""
        self._places: dict[tuple[str, ...], str | None] = {}
        """By the keys that a map has, the one that a new member is put before."""

    def apply(self, text: str) -> str | None:
        """A text with the other line; None where it does not show how."""
        made = native.edit_member(text, *self._rules) if native.edit_member is not None else None
        return made if made is not None else self._edited(text)

    def _edited(self, text: str) -> str | None:
        """The same in Python."""
        start, end = 0, len(text)
        for head, begin, outside, empty, close in self._above:
            at = text.find(head, start, end)
            start = at + len(head)
            if at >= 0 and len(self._above) == 1 and text.startswith(empty, start) and self._line is not None:
                return f"{text[:start]}{begin}{self._line}{close}{text[start + len(empty) :]}"
            if at < 0 or not text.startswith(begin + "\n", start):
                return None
            start += len(begin)
            found = outside.search(text, start, end)
            end = found.start() if found is not None else end
        return self._with_member(text, start, end)

    def _with_member(self, text: str, start: int, end: int) -> str | None:
        """A text with another member of the map that is in a part of it."""
        at, line, between = text.find(self._head, start, end), self._line, self._form.between
        if at < 0:
            return self._with_new(text, start, end, line) if line is not None else text
        following = self._following.search(text, at + len(self._head), end)
        after = following.start() if following is not None else end
        if line is not None:
            return f"{text[:at]}{line}{between if following is not None else ''}{text[after:]}"
        if following is not None:
            return text[:at] + text[after:]
        return text[: at - len(between)] + text[after:] if at > start else None

    def _with_new(self, text: str, start: int, end: int, line: str) -> str | None:
        keys = tuple(self._members.findall(text, start, end))
        if keys not in self._places:
            self._places[keys] = self._place_among(keys)
        place, between = self._places[keys], self._form.between
        if place:
            at = text.index(place, start, end)
            return f"{text[:at]}{line}{between}{text[at:]}"
        return f"{text[:end]}{between}{line}{text[end:]}" if place is not None else None

    def _place_among(self, keys: tuple[str, ...]) -> str | None:
        """The beginning of the first of some members whose key comes after this one; empty where none does, None where
        a key is not seen to be a text before that."""
        for key in keys:
            name = key.strip().rstrip(":").strip('"')
            if not name or (key.rstrip(":")[-1] != '"' and name.lower() in NO_WORDS):
                return None
            if name > self._key:
                return key
        return ""


class SectionEdits:
    """Other lines in one section of components. Those that share a piece of their texts still share it."""

    __slots__ = ("_edits", "_head", "_known", "_offset")

    def __init__(self, head: str, edits: tuple[MemberEdit, ...]) -> None:
        self._head = head
        self._edits = edits
        self._offset = 0
        """Which one of its pieces has the section in the last component."""
        self._known: dict[int, tuple[str, str | None]] = {}
        """What became of a piece, by its identity; it is kept, so that this is its own."""

    def apply(self, pieces: list[str], start: int, end: int) -> bool:
        """Edit the one of some pieces that has the section; False where the text does not show how."""
        at, head = start + self._offset, self._head
        if at >= end or head not in pieces[at]:
            at = next((one for one in range(start, end) if head in pieces[one]), end)
            if at == end:
                return False
            self._offset = at - start
        piece = pieces[at]
        known = self._known.get(id(piece)) or self._edited(piece)
        if known[1] is None:
            return False
        pieces[at] = known[1]
        return True

    def _edited(self, piece: str) -> tuple[str, str | None]:
        text: str | None = piece
        for edit in self._edits:
            text = edit.apply(text) if text is not None else None
        known = self._known[id(piece)] = (piece, text)
        return known


def _column(form: TextForm, depth: int) -> int:
    head = form.head("x", depth)
    return len(head) - len(head.lstrip()) - 1


@cache
def _outside(column: int) -> re.Pattern[str]:
    """A line that begins before a column."""
    return re.compile(rf"\n {{0,{column - 1}}}+(?=[^ \n])")


@cache
def _following(column: int) -> re.Pattern[str]:
    """A line that begins at a column, or before it, and does not close a bracket that was opened there."""
    return re.compile(rf"\n(?: {{0,{column - 1}}}+(?=[^ \n])| {{{column}}}(?=[^ \n\]}}]))")


@cache
def _members(column: int) -> re.Pattern[str]:
    """The beginnings of lines that begin at a column, with their keys where these are texts, in quotes or a word."""
    key = r'(?:"[^"\\]*"|[A-Za-z_][\w-]*):(?=[ \n])'
    return re.compile(rf"\n {{{column}}}(?=[^ \n\]}}])(?:{key})?")
