"""What the words of expressions are, for colours: functions, paths, names of components, locals and files."""

from __future__ import annotations

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
from plait.fronts.structure import COMPONENT, FILE, FOLDER, IMPORT, INPUT, LOCAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.yaml.places import Span

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


def tokens(authoring: AuthoringState, file: str, start: int, end: int) -> list[Token]:
    """The words of expressions in a span of a file, in the order of the text; none of them overlap."""
    kind = authoring.kind_of(file)
    if kind in UNREAD:
        found: Iterable[Token] = [(*span, is_a) for span, is_a in template_words(authoring.source(file).text)]
    else:
        written = authoring.written(file)
        mentions = mentions_in(written.walk(start, end), kind) if written is not None else []
        found = [(*one.span, TYPES[one.kind]) for one in mentions if one.kind in TYPES]
    return _apart([one for one in found if start <= one[0] <= end], authoring.source(file).text)


def _apart(found: list[Token], text: str) -> list[Token]:
    """The words on one line that do not overlap: of two, the shorter one, which is the inner one."""
    chosen: list[Token] = []
    taken: list[Span] = []
    for start, end, kind in sorted(set(found), key=lambda one: (one[1] - one[0], one[0])):
        if start < end and "\n" not in text[start:end] and not any(a < end and start < b for a, b in taken):
            taken.append((start, end))
            chosen.append((start, end, kind))
    return sorted(chosen)
