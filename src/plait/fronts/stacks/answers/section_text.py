"""The printed text of a component, with other values under some keys of a section.

Every member of a section is printed in lines of its own: the first begins with the key at one column, and all others
are indented further or empty. So where a member begins and ends is seen from the text.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class SectionForm:
    """How one format prints a section: the line of its name, what follows that, and what is between two members."""

    __slots__ = ("_begin", "_between", "_line", "head")

    def __init__(self, head: str, begin: str, between: str, member: str) -> None:
        """`member` is the beginning of the line of a member: its line end and its indentation."""
        self.head = head
        self._begin = begin
        self._between = between
        self._line = _lines(len(head) - len(head.lstrip()) - 1, len(member) - 1)

    def replaced(self, text: str, members: Mapping[str, str | None]) -> str | None:
        """A text that has the section, with other members, or without one; None where it does not show its members."""
        start = text.index(self.head) + len(self.head)
        if not text.startswith(self._begin + "\n", start):
            return None
        start += len(self._begin)
        places: dict[str, int] = {}
        end = len(text)
        for line in self._line.finditer(text, start):
            if line[1] is None:
                end = line.start()
                break
            name = line[2] or line[3]
            if name is None:
                return None
            places[name] = line.start()
        ends = [*(at - len(self._between) for at in [*places.values()][1:]), end]
        table = {name: text[at:after] for (name, at), after in zip(places.items(), ends, strict=True)}
        for name, member in members.items():
            table.pop(name, None)
            if member is not None:
                table[name] = member
        if not table:
            return None
        return text[:start] + self._between.join([table[name] for name in sorted(table)]) + text[end:]


@cache
def _lines(above: int, below: int) -> re.Pattern[str]:
    """The lines that begin at a column, with their keys where these are texts, in quotes or a word; and a line that
    begins at another column, or before it. None of them closes a bracket."""
    key = r'(?:"([^"\\]*)"|([A-Za-z_][\w-]*)):(?=[ \n])'
    return re.compile(rf"\n(?:( {{{below}}})(?=[^ \n\]}}])(?:{key})?| {{0,{above}}}(?=[^ \n]))")
