"""Expressions inside a text: `this is (( a ))` is the concatenation of its parts."""

from __future__ import annotations

from plait.notations.dynaml import tree as terms
from plait.notations.dynaml.expression import Dynaml
from plait.notations.dynaml.parse import NotDynaml, parse
from plait.notations.dynaml.shapes import ExpressionShape

OPEN = "(("


class Interpolated(Dynaml):
    """A text with expressions inside."""

    __slots__ = ()

    def __str__(self) -> str:
        return self.text


def interpolated(text: str, successor: bool) -> Dynaml | None:
    """The expression that a text with expressions inside is; None where there is none in it."""
    pieces: list[terms.Term] = []
    found = False
    at = 0
    while at < len(text):
        start = text.find(OPEN, at)
        end = _end(text, start) if start >= 0 else -1
        if end < 0:
            pieces.append(terms.Literal(at, text[at:]))
            break
        if start > at:
            pieces.append(terms.Literal(at, text[at:start]))
        inner = text[start + 2 : end - 2]
        term = None if inner.startswith("!") else _term(inner, successor)  # `((!` is left to the printer
        found = found or term is not None
        pieces.append(terms.Literal(start, text[start:end]) if term is None else terms.Bracketed(start, term, True))
        at = end
    return Interpolated(text, ExpressionShape(terms.Concat((terms.Literal(0, ""), *pieces)), False)) if found else None


def _term(inner: str, successor: bool) -> terms.Term | None:
    try:
        return parse(inner, successor)[0]
    except NotDynaml:
        return None


def _end(text: str, start: int) -> int:
    """Where an expression that begins at a place ends; -1 if it does not. Brackets in strings do not count."""
    depth, at, quoted = 0, start, False
    while at < len(text):
        sign = text[at]
        if quoted:
            at += 1 if sign == "\\" else 0
            quoted = sign != '"'
        elif sign == '"':
            quoted = True
        elif sign in "()":
            depth += 1 if sign == "(" else -1
            if not depth:
                return at + 1 if text[at - 1] == ")" else -1
        at += 1
    return -1
