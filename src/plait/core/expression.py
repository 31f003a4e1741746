"""What a notation recognised: the one protocol between notations and the evaluator.

Asking a scope for a value that is not known yet does not recurse: it raises `Blocked`, the evaluator works out what
is wanted and starts the expression again. Expressions are pure, so starting again is safe.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.base import Node
    from plait.core.role import Role
    from plait.core.scope import Place, Scope


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

    def evaluate(self, scope: Scope) -> Node:
        """Its value. May raise `Blocked`, `Inherited`, or `PlaitError` for a failure of its own."""
        raise NotImplementedError

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """The values that it names, whether or not they were needed; those that cannot be told without evaluating it
        are left out. Two values that are not known differ if these do."""
        return []

    def merged_from(self, value: Node) -> list[tuple[Node, Role | None]]:
        """For an expression that merges: what its value was merged from, lowest first, with roles; nothing for any
        other."""
        return []
