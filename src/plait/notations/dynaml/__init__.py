"""dynaml, the language of spiff: `(( a.b "-" 1 + 2 ))` as the value of a key or an item of a list, never inside a text.

recognise(scalar, written)      a suspension, where the scalar is one expression as a whole
Dynaml.run(scope)               its value and its effects
"""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.expression import Expression
from plait.core.node import Node, Scalar, Suspension
from plait.notations.dynaml.compute import RULES
from plait.notations.dynaml.env import Env, Trouble, label_in
from plait.notations.dynaml.functions import FUNCTIONS
from plait.notations.dynaml.parse import NotDynaml, parse
from plait.notations.dynaml.place import Effects, StagedPlace
from plait.notations.dynaml.tree import Marked, Merge, Reference, Term, walk
from plait.report.catalog import UNPARSEABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Scope


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
        return self.run(scope)[0]

    def run(self, scope: Scope, staged: StagedPlace | None = None) -> tuple[Node, Effects]:
        """The value, and what the expression did beside giving it."""
        env = Env(scope, self.text, RULES, staged)
        return env.value(self.tree), env.effects

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
        return self.run(scope)[0]

    def run(self, scope: Scope, staged: StagedPlace | None = None) -> tuple[Node, Effects]:
        raise Fault(Trouble(UNPARSEABLE(label_in(scope.node, self.trouble.at), hint=self.trouble.why), ""))

    def __str__(self) -> str:
        return self.text


Recognised = Dynaml | BrokenExpression


def looks_like(text: str) -> bool:
    """Whether a text is one expression as a whole. `((!name))` is none: it is left to the reader of the manifest."""
    return text[:2] == "((" and text[2:3] != "!" and text[-2:] == "))" and len(text) > 3 and "\n" not in text


def read(text: str) -> Recognised:
    """The expression that a text is."""
    try:
        return Dynaml(text, *parse(text[2:-2]))
    except NotDynaml as trouble:
        return BrokenExpression(text, trouble)


def recognise(scalar: Scalar, written: object) -> Node:
    """A suspension for a scalar that is an expression, else the scalar."""
    text = scalar.text
    if not looks_like(text):
        return scalar
    return Suspension(read(text), scalar.source, scalar.at, written)


def listing() -> list[dict[str, str]]:
    """The functions, for `plait functions` and the reference page."""
    return [
        {"signature": f"{each.name}({each.arguments})", "about": each.about, "example": f"(( {each.example} ))"}
        for each in FUNCTIONS.values()
    ]
