"""An expression of dynaml as the evaluator sees it, and a text that only looks like one."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.expression import Expression
from plait.core.node import Inherited, Mark, Node, Scalar
from plait.core.source import Computed
from plait.notations.dynaml import compile as compile  # fills the table of what pieces are compiled by
from plait.notations.dynaml.env import DEEPEST, PART, Env, Trouble, code_of, label_in
from plait.notations.dynaml.lookup import NotAtHand
from plait.notations.dynaml.parse import NotDynaml, parse
from plait.notations.dynaml.place import Effects, StagedPlace
from plait.notations.dynaml.shapes import ExpressionShape
from plait.notations.dynaml.tree import Merge, Reference, Term, walk
from plait.notations.dynaml.values import TemplateBody
from plait.report.catalog import UNPARSEABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.meter import Meter
    from plait.core.scope import Place, Scope
    from plait.notations.dynaml.env import Raw

LONG = 1000
"""A text of so many letters is made where it can be refused."""


class AtHand(Env):
    """An evaluation that reads single values which stand in the containers around, and asks for none."""

    def __init__(self, written: Dynaml, node: Node, around: Place) -> None:
        self.slots = written.slots
        self.around = around
        self._origin = Computed(written.text, node.source, node.at)
        self.joined_pieces = 0
        self.joined_sizes: list[int] = []

    def node(self, found: Raw) -> Node:
        raise NotAtHand

    def joined(self, separator: str, pieces: list[str]) -> Scalar:
        made = separator.join(pieces)
        if len(made) > LONG:
            raise NotAtHand
        self.joined_pieces += len(pieces)
        self.joined_sizes.append(len(made) + len(separator) * len(pieces))
        return self.made(made)


class Dynaml(Expression):
    """An expression. `text` is how it was written; printing it shows it with one blank where any number is allowed.

    `pattern` is the tree of its shape, and `slots` what this text has in the slots there.
    """

    __slots__ = ("_tree", "pattern", "plain", "prefer", "slots", "successor", "text")

    def __init__(self, text: str, shape: ExpressionShape, slots: tuple[Any, ...] = (), successor: bool = False) -> None:
        self.text = text
        self.pattern = shape.tree
        self.prefer = shape.prefer
        self.plain = shape.plain
        self.slots = slots
        self.successor = successor
        self._tree = None if slots else shape.tree

    @property
    def tree(self) -> Term:
        """The tree of this text."""
        if self._tree is None:
            self._tree = parse(self.text[2:-2], self.successor)[0]
        return self._tree

    def at_hand(self, node: Node, around: Place, meter: Meter) -> Node | None:
        """Its value, if that is made of single values which stand around it, and of nothing else; see `Expression`."""
        code = code_of(self.pattern)
        if not code.straight or code.height >= DEEPEST:
            return None
        env = AtHand(self, node, around)
        try:
            found = code.run(env)
        except NotAtHand:
            return None
        made = found if isinstance(found, Node) else env.made(found)
        if made.source is not env.origin or "((" in made.as_key:
            return None  # a value as it stands, or a text that may be an expression again
        meter.step(code.price + PART * env.joined_pieces)
        for size in env.joined_sizes:
            meter.make(size)
        return made

    def evaluate(self, scope: Scope) -> Node:
        return self.value_and_effects(scope)[0]

    def value_and_effects(self, scope: Scope, staged: StagedPlace | None = None) -> tuple[Node, Effects]:
        """The value, and what the expression did beside giving it. It may be unfinished, or a mark for `~~`."""
        env = Env(scope, self.text, staged, self)
        found = env.outcome(self.pattern)
        return env.undefined() if env.effects.undefined else found, env.effects

    def named(self, scope: Scope, staged: StagedPlace | None = None) -> list[tuple[Node, Place]]:
        """The values that it names anywhere, with or without a stub, as far as they can be told without a call."""
        found: list[tuple[Node, Place]] = []
        for piece in walk(self.tree):
            if isinstance(piece, Reference | Merge):
                try:
                    value = Env(scope, self.text, staged).outcome(piece)
                except Inherited as inherited:
                    value = inherited.failure
                except Fault:
                    continue  # the name of a loop or of a lambda, or nothing
                value = value.printed if isinstance(value, TemplateBody) else value
                found += [(value, scope.place)] if not isinstance(value, Mark) else []
        return found

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        return self.named(scope)

    def __str__(self) -> str:
        return f"(( {'prefer ' if self.prefer else ''}{self.tree} ))"


class BrokenExpression(Expression):
    """A text that looks like an expression and is none: it fails when it is asked for."""

    __slots__ = ("text", "trouble")
    plain, prefer = True, False

    def __init__(self, text: str, trouble: NotDynaml) -> None:
        self.text = text
        self.trouble = trouble

    def evaluate(self, scope: Scope) -> Node:
        return self.value_and_effects(scope)[0]

    def value_and_effects(self, scope: Scope, staged: StagedPlace | None = None) -> tuple[Node, Effects]:
        raise Fault(Trouble(UNPARSEABLE(label_in(scope.node, self.trouble.at), hint=self.trouble.why), ""))

    def __str__(self) -> str:
        return self.text
