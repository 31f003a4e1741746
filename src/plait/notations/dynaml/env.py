"""One evaluation of an expression, and what calls of lambdas need of it. Everything else of the language is above
this file.

What each kind of piece means is a table of rules that `compute.py` hands in.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, Label, PlaitError
from plait.core.meter import ITEM
from plait.core.node import Node, Scalar, Sequence
from plait.core.scope import Blocked, Place
from plait.core.source import Computed
from plait.notations.dynaml.items import Items
from plait.notations.dynaml.place import Effects, StagedPlace
from plait.notations.dynaml.tree import Lambda, Term
from plait.report.catalog import NESTED_CALLS, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from plait.core.node import Value
    from plait.core.scope import Scope
    from plait.report.catalog import Code

    Rules = dict[type, Callable[[Any, "Env"], Node]]

DEEPEST = 150
"""How deep pieces of expressions may be in progress at once: brackets and calls of lambdas together."""

PIECE, CALL, PART = 8, 24, 2
"""Steps for the value of one piece of an expression, for a call of a function, and for an item that it looks at."""


class Trouble(Diagnostic):
    """A diagnostic of dynaml: `referred` is the path in the stubs or the document that it is about."""

    __slots__ = ("referred",)

    def __init__(self, plain: Diagnostic, referred: str) -> None:
        super().__init__(plain.code, plain.message, plain.labels, plain.notes, plain.hint, plain.severity)
        self.referred = referred


class Env:
    """One evaluation: the scope it asks, the names that `map[]` and lambdas give, the effects so far."""

    __slots__ = ("_origin", "depth", "effects", "items", "meter", "names", "place", "rules", "scope", "staged", "text")

    def __init__(self, scope: Scope, text: str, rules: Rules, staged: StagedPlace | None = None) -> None:
        self.scope = scope
        self.meter = scope.meter
        self.rules = rules
        self.place = scope.place
        self.staged = staged
        self.items = Items() if staged is None else staged.items
        self.effects = Effects()
        self.names: dict[str, Node] = {}
        self.text = text
        self.depth = 0
        self._origin: Computed | None = None

    @property
    def origin(self) -> Computed:
        """The origin of everything that this evaluation makes."""
        if self._origin is None:
            self._origin = Computed(self.text, self.scope.node.source, self.scope.node.at)
        return self._origin

    def value(self, tree: Term) -> Node:
        """The value of a piece."""
        self.depth += 1
        self.meter.step(PIECE)
        if self.depth > DEEPEST:
            raise self.failure(NESTED_CALLS, tree, limit=DEEPEST, hint="the recursion of the lambda must end")
        try:
            return self.rules[tree.__class__](tree, self)
        finally:
            self.depth -= 1

    def values(self, trees: Iterable[Term]) -> list[Node]:
        """The values of several pieces. What they wait for is asked for together."""
        nodes: list[Node] = []
        wanted: list[tuple[Node, Place]] = []
        lenient: list[tuple[Node, Place]] = []
        for tree in trees:
            try:
                nodes.append(self.value(tree))
            except Blocked as blocked:
                (lenient if blocked.lenient else wanted).extend(blocked.wanted)
        if wanted or lenient:
            raise Blocked(*(wanted or lenient), lenient=not wanted)
        return nodes

    def within(self, names: dict[str, Node], tree: Term) -> Node:
        """The value of a piece that sees these names too."""
        before = self.names
        self.names = {**before, **names}
        try:
            return self.value(tree)
        finally:
            self.names = before

    def made(self, value: Value) -> Scalar:
        """A scalar that this expression computed."""
        if isinstance(value, str):
            shown = value
        else:
            shown = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return Scalar(value, shown, self.origin, self.origin.at)

    def joined(self, separator: str, pieces: list[str]) -> Scalar:
        """A text that is put together of pieces."""
        self.meter.step(PART * len(pieces))
        self.meter.make(sum(map(len, pieces)) + len(separator) * len(pieces))
        return self.made(separator.join(pieces))

    def made_list(self, items: list[Node]) -> Sequence:
        self.meter.step(PART * len(items))
        self.meter.make(len(items) * ITEM)
        return Sequence(items, self.origin, self.origin.at)

    def label(self, tree: Term) -> Label:
        return label_in(self.scope.node, tree.at, len(tree))

    def failure(self, code: Code, tree: Term, *, hint: str = "", referred: str = "", **facts: object) -> PlaitError:
        """A failure of this expression's own."""
        return Fault(Trouble(code(self.label(tree), hint=hint, notes=(), **facts), referred))


def label_in(node: Node, at: int, length: int = 1) -> Label:
    """A piece of an expression in the file, where it can be found: written plain or in quotes."""
    text = node.source.text
    for shift in (0, 1):
        if text.startswith("((", node.at + shift):
            return Label.at(node.source, node.at + shift + 2 + at, length=length)
    return Label(node.origin)


class LambdaValue(Scalar):
    """A function as a value: what it was written as, where, and the names it already knows. It prints as its text."""

    __slots__ = ("names", "place", "staged", "tree")

    def __init__(
        self, tree: Lambda, env: Env, names: dict[str, Node], place: Place, staged: StagedPlace | None
    ) -> None:
        super().__init__(str(tree), str(tree), env.origin, env.origin.at)
        self.tree = tree
        self.names = names
        self.place = place
        self.staged = staged


def apply(tree: Term, env: Env, function: LambdaValue, arguments: list[Node]) -> Node:
    """A lambda's value; with fewer arguments than names, a lambda of the rest.

    Its names mean what they mean where it is.
    """
    names = function.tree.names
    if len(arguments) > len(names):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"found {len(arguments)} arguments for {len(names)} names")
    known = {**function.names, **dict(zip(names, arguments, strict=False))}
    if len(arguments) < len(names):
        rest = Lambda(function.tree.at, names[len(arguments) :], function.tree.to)
        return LambdaValue(rest, env, known, function.place, function.staged)
    before = env.names, env.place, env.staged
    env.names, env.place, env.staged = known, function.place, function.staged
    try:
        return env.value(function.tree.to)
    finally:
        env.names, env.place, env.staged = before
