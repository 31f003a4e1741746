"""What the words of expressions are, for colours: functions, paths, names of components, locals and files."""

from __future__ import annotations

import sys
from bisect import bisect_left
from itertools import islice

from plait.authoring.mentions import (
    ANCHOR,
    DIRECTIVE,
    FUNCTION,
    MEMBER,
    QUERY,
    SCOPED,
    VALUE,
    mentions_in,
    template_words,
)
from plait.authoring.state import UNREAD, AuthoringState
from plait.core.steps import EACH
from plait.fronts.structure import COMPONENT, FILE, FOLDER, IMPORT, INPUT, LOCAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Token = tuple[int, int, str]
    """Where a word begins and ends, and what it is."""

PROPERTY, CALLED = "property", "function"
TYPES = {
    FUNCTION: CALLED,
    VALUE: PROPERTY,
    SCOPED: PROPERTY,
    QUERY: PROPERTY,
    MEMBER: PROPERTY,
    DIRECTIVE: "macro",
    ANCHOR: "variable",
    LOCAL: "variable",
    INPUT: "parameter",
    COMPONENT: "class",
    IMPORT: "namespace",
    FILE: "namespace",
    FOLDER: "namespace",
}
"""What a mention is in the words of the protocol."""


def tokens(authoring: AuthoringState, file: str, start: int = 0, end: int = sys.maxsize) -> Iterator[list[Token]]:
    """The words of expressions in a span of a file, in the order of the text, in small steps; none of them overlap."""
    kind, text = authoring.kind_of(file), authoring.source(file).text
    if kind in UNREAD:
        words = [(*span, is_a) for span, is_a in template_words(text)]
        yield _apart([one for one in words if start <= one[0] <= end], text)
        return
    written = authoring.written(file)
    found: list[Token] = []
    spots = written.walk(start, end) if written is not None else iter(())
    while some := list(islice(spots, EACH)):
        found += [(*one.span, TYPES[one.kind]) for one in mentions_in(some, kind) if one.kind in TYPES]
        begun = text.rfind("\n", 0, some[-1].whole_span[0]) + 1  # what comes later is not on an earlier line
        yield _apart([one for one in found if start <= one[0] <= end and one[0] < begun], text)
        found = [one for one in found if one[0] >= begun]
    yield _apart([one for one in found if start <= one[0] <= end], text)


def _apart(found: list[Token], text: str) -> list[Token]:
    """The words on one line that do not overlap: of two, the shorter one, which is the inner one."""
    chosen: list[Token] = []
    for start, end, kind in sorted(set(found), key=lambda one: (one[1] - one[0], one[0])):
        at = bisect_left(chosen, (start,))
        before, after = chosen[at - 1 : at] if at else [], chosen[at : at + 1]
        is_free = all(one[1] <= start for one in before) and all(end <= one[0] for one in after)
        if start < end and is_free and "\n" not in text[start:end]:
            chosen.insert(at, (start, end, kind))
    return chosen
