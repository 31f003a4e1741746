"""The grammar of path expressions: `segment::segment`, each a key with filters, a test, and `?`.

    expr    : segment? ("::" segment)*
    segment : key? "?"? ("[" filter "]")* (("=" | "!=") test)? "?"?
    key     : name | integer | "$" name | "*" | a special key (`.`, `..`, `.name`, ...)
    filter  : "!"? expr
    test    : "$" name | text

Spaces around segments do not count. An invalid expression is refused with the place of the error.
"""

from __future__ import annotations

from plait.core.diagnostic import PlaitError
from plait.core.struct import struct
from plait.report.catalog import BAD_QUERY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Label

NESTING = 60
"""How deep filters may be nested."""


class Test:
    """`=` or `!=` and what to compare with: a text, or the name of a variable."""

    __slots__ = ("negated", "text", "variable")

    def __init__(self, text: str, negated: bool) -> None:
        self.negated = negated
        self.variable = text[1:] if text.startswith("$") else None
        self.text = text


@struct
class Filter:
    """A predicate: whether an expression finds something (or, negated, nothing)."""

    path: Query
    negated: bool


class Segment:
    """One step. `index` is its key as a number, where it looks like one."""

    __slots__ = ("filters", "first", "index", "key", "test", "variable")

    def __init__(
        self, key: str, filters: tuple[Filter, ...] = (), test: Test | None = None, first: bool = False
    ) -> None:
        self.key = key
        self.filters = filters
        self.test = test
        self.first = first
        self.variable = key[1:] if key.startswith("$") else None
        self.index = int(key) if key.removeprefix("-").isdecimal() else None

    def without_key(self) -> Segment:
        """What is left of it once its key has been looked up."""
        return Segment("", self.filters, self.test, self.first)

    @property
    def special(self) -> bool:
        return self.key.startswith(".")

    @property
    def equals(self) -> tuple[str, str] | None:
        """The key and the text, where this is only `[key=text]`, perhaps with more filters; otherwise None."""
        rule = self.filters[0] if self.filters and not self.key else None
        if rule is None or rule.negated or len(rule.path) != 1:
            return None
        step = rule.path[0]
        is_plain = step.key and step.key != "*" and not (step.special or step.variable or step.filters or step.first)
        if not is_plain or step.index is not None or step.test is None or step.test.negated or step.test.variable:
            return None
        return step.key, step.test.text


Query = tuple[Segment, ...]


def parse_query(text: str, label: Label | None = None) -> Query:
    """The segments of an expression."""
    if not text.strip():
        raise _bad(text, "it is empty", label)
    return _expression(text, text, label, 0)


def _expression(text: str, whole: str, label: Label | None, depth: int) -> Query:
    if depth > NESTING:
        raise _bad(whole, f"filters nest deeper than {NESTING} levels", label)
    return tuple(_segment(piece, whole, label, depth) for piece in _split(text, whole, label))


def _split(text: str, whole: str, label: Label | None) -> list[str]:
    """The pieces between `::` that are in no bracket."""
    pieces: list[str] = []
    depth = start = at = 0
    while at < len(text):
        letter = text[at]
        if letter == "[":
            depth += 1
        elif letter == "]":
            depth -= 1
            if depth < 0:
                raise _bad(whole, "a `]` has no `[` before it", label)
        elif letter == ":" and depth == 0 and text.startswith("::", at):
            pieces.append(text[start:at])
            at += 1
            start = at + 1
        at += 1
    if depth:
        raise _bad(whole, "a `[` is not closed", label)
    pieces.append(text[start:])
    return pieces


def _segment(text: str, whole: str, label: Label | None, depth: int) -> Segment:
    text = text.strip()
    first = text.endswith("?")
    if first:
        text = text[:-1].rstrip()
    key_end = min((at for at in (text.find("["), _test_at(text)) if at >= 0), default=len(text))
    key, rest = text[:key_end].strip(), text[key_end:]
    if key.endswith("?") and rest:
        key, first = key[:-1].rstrip(), True
    filters: list[Filter] = []
    while rest.startswith("["):
        inner, rest = _bracketed(rest)
        filters.append(_filter(inner, whole, label, depth))
    test = _test(rest, whole, label) if rest else None
    if "?" in key:
        raise _bad(whole, "`?` belongs at the end of a segment", label)
    return Segment(key, tuple(filters), test, first)


def _test_at(text: str) -> int:
    """Where a test begins outside brackets; -1 for none."""
    depth = 0
    for at, letter in enumerate(text):
        if letter == "[":
            depth += 1
        elif letter == "]":
            depth -= 1
        elif letter == "=" and not depth:
            return at - 1 if at and text[at - 1] == "!" else at
    return -1


def _bracketed(text: str) -> tuple[str, str]:
    """What is in the brackets at the start of a text, and what follows them. They are known to be balanced."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if not depth:
            return text[1:at], text[at + 1 :].lstrip()
    return text[1:], ""


def _filter(text: str, whole: str, label: Label | None, depth: int) -> Filter:
    text = text.strip()
    negated = text.startswith("!") and not text.startswith("!=")
    inner = text[1:] if negated else text
    if not inner.strip():
        raise _bad(whole, "a filter is empty", label)
    return Filter(_expression(inner, whole, label, depth + 1), negated)


def _test(text: str, whole: str, label: Label | None) -> Test:
    negated = text.startswith("!=")
    if not negated and not text.startswith("="):
        raise _bad(whole, f"`{text}` cannot follow a filter", label)
    value = text[2 if negated else 1 :].strip()
    if "[" in value or "$" in value[1:]:
        raise _bad(whole, f"`{value}` cannot be compared with", label)
    return Test(value, negated)


def _bad(text: str, why: str, label: Label | None) -> PlaitError:
    hint = "for example: a::b, items[name=web]::port, .ancestors::region?"
    return BAD_QUERY.error(*([label] if label else []), text=text, why=why, hint=hint)
