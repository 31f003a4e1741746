"""What a notation recognised: the one protocol between notations and the evaluator.

Asking a scope for a value that is not known yet does not recurse: it raises `Blocked`, the evaluator works out what
is wanted and starts the expression again. Expressions are pure, so starting again is safe.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.base import Node
    from plait.core.meter import Meter
    from plait.core.path import Step
    from plait.core.role import Role
    from plait.core.scope import Place, Scope


class Brought:
    """A part of an expression that brings values from elsewhere: what it is, where, the key that it is written with,
    and which step of what it brings is meant. `instead` is that value where the expression has one of its own, too."""

    __slots__ = ("instead", "key", "node", "place", "step")

    def __init__(self, node: Node, place: Place, key: str, step: Step, instead: Node | None = None) -> None:
        self.instead = instead
        self.node = node
        self.place = place
        self.key = key
        self.step = step


class Expression:
    """Something that must be evaluated. `text` is how it was written."""

    __slots__ = ()
    text: str
    early: Node | None = None
    """What a reader is shown who asks for the source of a value that contains the reader, where that is not the
    text."""

    way: str = "expression"
    """What a value inside its result came through, in a word: `reference`, `include`, `template`, ...; empty for what
    only wraps a written value."""

    like_scalar: bool = False
    """Whether a merge takes it as a scalar, whatever it gives: it replaces and is replaced, and no merge waits."""

    @property
    def data(self) -> Node | None:
        """What it was recognised in, for a notation that gives it back as data."""
        return None

    def at_hand(self, node: Node, around: Place, meter: Meter) -> Node | None:
        """Its value inside the container at a place, if that is made of what stands around it: single values that are
        known, have no tag and are no secrets. None for anything else: then it is evaluated. `node` is where it is
        written; the meter is charged for what it does beside reading."""
        return None

    def evaluate(self, scope: Scope) -> Node:
        """Its value. May raise `Blocked`, `Inherited`, or `PlaitError` for a failure of its own."""
        raise NotImplementedError

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """The values that it names, whether or not they were needed; those that cannot be told without evaluating it
        are left out. Two values that are not known differ if these do."""
        return []

    def brings(self, step: Step, place: Place, force: Callable[[Node, Place], Node]) -> Brought | None:
        """For one that puts parts of others among its own: the part that what is at a step came from."""
        return None

    def merged_from(self, value: Node, place: Place) -> list[tuple[Node, Role | None]]:
        """For an expression that merges: what its value at a place was merged from, lowest first, with roles; nothing
        for any other."""
        return []
