"""An expression of dynaml as the evaluator sees it, and a text that only looks like one."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.expression import Expression
from plait.core.node import Inherited, Mark, Node
from plait.notations.dynaml.compute import RULES
from plait.notations.dynaml.env import Env, TemplateBody, Trouble, label_in
from plait.notations.dynaml.parse import NotDynaml
from plait.notations.dynaml.place import Effects, StagedPlace
from plait.notations.dynaml.tree import Marked, Merge, Reference, Term, walk
from plait.report.catalog import UNPARSEABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Place, Scope


class Dynaml(Expression):
    """An expression. `text` is how it was written; printing it shows it with one blank where any number is allowed."""

    __slots__ = ("plain", "prefer", "text", "tree")

    def __init__(self, text: str, tree: Term, prefer: bool) -> None:
        self.text = text
        self.tree = tree
        self.prefer = prefer
        self.plain = tree.__class__ is Reference or not any(isinstance(piece, Merge | Marked) for piece in walk(tree))
        self.plain = self.plain and not prefer
        """Whether it gives a value and does nothing else, so that an override makes it needless."""

    def evaluate(self, scope: Scope) -> Node:
        return self.value_and_effects(scope)[0]

    def value_and_effects(self, scope: Scope, staged: StagedPlace | None = None) -> tuple[Node, Effects]:
        """The value, and what the expression did beside giving it. It may be unfinished, or a mark for `~~`."""
        env = Env(scope, self.text, RULES, staged)
        found = env.outcome(self.tree)
        return env.undefined() if env.effects.undefined else found, env.effects

    def named(self, scope: Scope, staged: StagedPlace | None = None) -> list[tuple[Node, Place]]:
        """The values that it names anywhere, with or without a stub, as far as they can be told without a call."""
        found: list[tuple[Node, Place]] = []
        for piece in walk(self.tree):
            if isinstance(piece, Reference | Merge):
                try:
                    value = Env(scope, self.text, RULES, staged).outcome(piece)
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
