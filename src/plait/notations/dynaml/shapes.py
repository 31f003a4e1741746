"""Expressions that differ only in literals and names are read once: they have one shape.

A text is cut where its numbers, strings and references are, which takes one operation. The rest and the kinds of these
are its shape. What is known of a shape is known of all its texts: its tree, in which literals and references name their
slots, and what that is compiled to.
"""

from __future__ import annotations

from plait.core.lazy import LazyPattern
from plait.notations.dynaml import tree as terms
from plait.notations.dynaml.functions import HOMES
from plait.notations.dynaml.parse import CONSTANTS, EACH, KEYWORDS, parse, unescaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 1000
"""How many shapes, and how many names, are held at a time."""
LONGEST, DEEPEST = 4000, 12
"""Longer expressions, and those with more brackets, have a shape of their own."""
DIGITS = 18
"""Longer numbers are no literals of a shape."""

_RUN = r"""(%s
    |(?:(?<![A-Za-z0-9_)\]}"])-)?[0-9]+(?:\.[0-9]+)?(?![A-Za-z0-9_:.]|-[A-Za-z_])
    |[A-Za-z_][A-Za-z0-9_-]*(?:\.(?:[A-Za-z0-9_][A-Za-z0-9_-]*|\[(?:0|[1-9][0-9]{0,8})\]))*)"""
RUN = LazyPattern("(?x)" + _RUN % r'"(?:\\"|[^"])*+"')
RUN_OF_SUCCESSOR = LazyPattern("(?x)" + _RUN % r'"(?:\\.|[^"\\])*+"')
"""What may be a literal or a reference."""
WORDS = frozenset((*CONSTANTS, *EACH, *KEYWORDS, "lambda", "prefer", "none", "replace", "required", "on", "and", "or"))
"""Words that have a meaning of their own."""
INTEGER, FRACTION, TEXT, NAME = range(4)
"""The kinds of slots."""
SHARED = (
    terms.Literal,
    terms.Reference,
    terms.Undefined,
    terms.ListOf,
    terms.RangeOf,
    terms.MapOf,
    terms.Spread,
    terms.Bracketed,
    terms.Not,
    terms.Conditional,
    terms.Or,
    terms.OrNil,
    terms.Concat,
    terms.Operations,
    terms.CallTerm,
    terms.Merge,
    terms.Auto,
)
"""The pieces of which nothing is used but their value. Of others it matters how they are written."""


class ExpressionShape:
    """What all texts of a shape have in common."""

    __slots__ = ("plain", "prefer", "tree")

    def __init__(self, tree: terms.Term, prefer: bool) -> None:
        self.tree = tree
        self.prefer = prefer
        self.plain = not prefer and not any(isinstance(piece, terms.Merge | terms.Marked) for piece in terms.walk(tree))
        """Whether it gives a value and does nothing else, so that an override makes it needless."""


_SHAPES: dict[tuple[object, ...], ExpressionShape | None] = {}
_STEPS: dict[str, tuple[str, ...]] = {}


def shape_of(text: str, successor: bool) -> tuple[ExpressionShape, tuple[Any, ...]]:
    """The shape of an expression, and what is in its slots; a shape of its own, without slots, where it has no other
    text. Raises `NotDynaml`."""
    if len(text) > LONGEST or sum(map(text.count, "([{")) > DEEPEST:
        return ExpressionShape(*parse(text, successor)), ()
    key, slots = cut(text, successor)
    known = _SHAPES.get(key)
    if known is not None:
        return known, slots
    found = ExpressionShape(*parse(text, successor))
    if key in _SHAPES:
        return found, ()
    if len(_SHAPES) >= MOST:
        _SHAPES.clear()
    is_shared = bool(slots) and _gives_slots(found.tree, _starts(key, text), slots)
    _SHAPES[key] = found if is_shared else None
    return found, slots if is_shared else ()


def cut(text: str, successor: bool) -> tuple[tuple[object, ...], tuple[Any, ...]]:
    """What tells the shape of an expression, and what may be in its slots."""
    parts: list[Any] = (RUN_OF_SUCCESSOR if successor else RUN).compiled().split(text)
    slots: list[Any] = []
    for at in range(1, len(parts), 2):
        run: str = parts[at]
        first = run[0]
        if first == '"':
            parts[at] = TEXT
            slots.append(unescaped(run[1:-1]) if successor else run[1:-1].replace('\\"', '"'))
        elif first in "-0123456789":
            if len(run) <= DIGITS:
                is_whole = "." not in run
                parts[at] = INTEGER if is_whole else FRACTION
                slots.append(int(run) if is_whole else float(run))
        elif run not in WORDS and parts[at + 1][:1] != "(" and parts[at + 1][:2] != "*(":
            parts[at] = NAME
            slots.append(_STEPS.get(run) or _steps(run))
    parts.append(successor)
    return tuple(parts), tuple(slots)


def _steps(run: str) -> tuple[str, ...]:
    """The steps of a reference."""
    if len(_STEPS) >= MOST:
        _STEPS.clear()
    steps = _STEPS[run] = tuple(run.split("."))
    return steps


def _starts(key: tuple[object, ...], text: str) -> list[int]:
    """Where the slots of an expression begin, with the dot of a reference from the root."""
    starts = []
    at = 0
    for part, run in zip(key, (RUN_OF_SUCCESSOR if key[-1] else RUN).compiled().split(text), strict=False):
        if part.__class__ is int:
            starts.append(at - 1 if part == NAME and text[at - 1 : at] == "." else at)
        at += len(run)
    return starts


def _gives_slots(tree: terms.Term, starts: list[int], slots: tuple[Any, ...]) -> bool:
    """Whether a tree is the same for all texts of a shape: what is in each slot is a literal or a reference in it,
    which is told its number then."""
    found: dict[int, terms.Literal | terms.Reference] = {}
    for piece in terms.walk(tree):
        if not isinstance(piece, SHARED) or (isinstance(piece, terms.CallTerm) and not _is_shared(piece)):
            return False
        if isinstance(piece, terms.Literal | terms.Reference):
            found[piece.at] = piece
    own = [found.get(start) for start in starts]
    for slot, leaf in zip(slots, own, strict=True):
        if leaf is None or slot != (leaf.value if isinstance(leaf, terms.Literal) else leaf.steps):
            return False
    for number, leaf in enumerate(own):
        assert leaf is not None
        leaf.slot = number
    return True


def _is_shared(call: terms.CallTerm) -> bool:
    """Whether a call is one of a function that sees only the values of its arguments."""
    return HOMES.get(call.word, "asking") != "asking" and not call.curry
