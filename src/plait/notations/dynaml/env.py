"""One evaluation of an expression, and what calls of lambdas need of it. Everything else of the language is above
this file.

What each kind of piece is compiled to says `COMPILERS`, which `compile.py` fills.
"""

from __future__ import annotations

from itertools import islice

from plait.core.diagnostic import Diagnostic, Fault, Label, PlaitError
from plait.core.meter import ITEM
from plait.core.node import Deferred, Inherited, ListNode, MapNode, Mark, Node, Scalar
from plait.core.scope import Blocked, Place
from plait.core.source import Computed
from plait.core.unknown import fault_of
from plait.notations.dynaml.dialect import CLASSIC
from plait.notations.dynaml.items import Items
from plait.notations.dynaml.place import Effects, StagedPlace
from plait.notations.dynaml.tree import CallTerm, Lambda, Reference, Spread, Term, walk
from plait.notations.dynaml.values import Given, LambdaValue
from plait.report.catalog import NESTED_CALLS, NO_STUBS, UNDEFINED_VALUE, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol, TypeVar

    from plait.core.node import Value
    from plait.core.scope import Scope
    from plait.notations.dynaml.dialect import Dialect
    from plait.notations.dynaml.place import Host, NameFrame
    from plait.report.catalog import Code as Finding

    Entries = Mapping[str, Node]
    Raw = Node | Value
    Run = Callable[["Env"], Raw]
    T = TypeVar("T")

    class Callee(Protocol):
        """A function of the table."""

        lazy: bool
        evaluate: Callable[..., Node]

    class Written(Protocol):
        """The expression that is evaluated."""

        pattern: Term
        """Its tree, or that of another text of its shape."""
        slots: tuple[Any, ...]

        @property
        def tree(self) -> Term: ...


DEEPEST = 150
"""How deep pieces of expressions may be in progress at once: brackets and calls of lambdas together."""

PIECE, CALL, PART = 8, 24, 2
"""Steps for the value of one piece of an expression, for a call of a function, and for an item that it looks at."""


_DIGITS: dict[int, str] = {}
"""The texts of small numbers that were computed lately: long lists have few different ones, and so share them."""
MANY_DIGITS, MOST_DIGITS = 10**9, 4096
"""The least number that is not small, and how many texts are held."""


def digits(number: int) -> str:
    """The text of a small number."""
    known = _DIGITS.get(number)
    if known is None:
        if len(_DIGITS) == MOST_DIGITS:
            _DIGITS.clear()
        known = _DIGITS[number] = str(number)
    return known


class Trouble(Diagnostic):
    """A diagnostic of dynaml: `referred` is the path in the stubs or the document that it is about."""

    __slots__ = ("referred",)

    def __init__(self, plain: Diagnostic, referred: str) -> None:
        super().__init__(plain.code, plain.message, plain.labels, plain.notes, plain.hint, plain.severity)
        self.referred = referred


class Waiting:
    """What some pieces wait for, or inherit, together. A piece that fails itself makes the whole fail, whatever the
    others wait for: so it does not matter what was computed before."""

    __slots__ = ("inherited", "lenient", "wanted")

    def __init__(self) -> None:
        self.wanted: list[tuple[Node, Place]] = []
        self.lenient: list[tuple[Node, Place]] = []
        self.inherited: Inherited | None = None

    def add(self, wait: Blocked | Inherited) -> None:
        if isinstance(wait, Inherited):
            self.inherited = self.inherited or wait
        else:
            (self.lenient if wait.lenient else self.wanted).extend(wait.wanted)

    def end(self) -> None:
        """Wait, or fail with what was inherited. What one can do without is asked for first: with it, something may
        fail that does not need the rest."""
        if self.lenient or self.wanted:
            raise Blocked(*(self.lenient or self.wanted), lenient=bool(self.lenient))
        if self.inherited is not None:
            raise self.inherited


class PieceCode:
    """What a piece is compiled to: `run` gives its value in an evaluation, plain or as a node.

    `price` is what that costs in steps, with the pieces that it computes by itself; these are up to `height` levels
    below it. One that is `straight` consists of such pieces only: everything in it is computed always, and it gives
    nothing but a value. `alone` is the same where each piece below it is evaluated for itself.
    """

    __slots__ = ("alone", "height", "price", "run", "straight")

    def __init__(
        self,
        run: Run,
        price: int = PIECE,
        height: int = 0,
        straight: bool = False,
        alone: Callable[[], Run] | None = None,
    ) -> None:
        self.run = run
        self.price = price
        self.height = height
        self.straight = straight
        self.alone = alone


COMPILERS: dict[type, Callable[[Any], PieceCode]] = {}
"""What each kind of piece is compiled by; `compile.py` fills it."""


def code_of(tree: Term) -> PieceCode:
    """What a piece is compiled to, once."""
    try:
        code: PieceCode = tree.code
    except AttributeError:
        code = tree.code = COMPILERS[tree.__class__](tree)
    return code


class Env:
    """One evaluation: the scope it asks, the names that `map[]` and lambdas give, the effects so far.

    `trail` says which call or round of an iteration is being evaluated: the same when the expression is started again.
    """

    depth = 0
    trail: tuple[object, ...] = ()
    names: dict[str, Node] = {}  # noqa: RUF012
    around: Place | None = None
    """Where what is read must stand, for an evaluation that asks for nothing."""
    _origin: Computed | None = None
    _effects: Effects | None = None
    _items: Items | None = None

    def __init__(
        self, scope: Scope, text: str, staged: StagedPlace | None = None, written: Written | None = None
    ) -> None:
        self.scope = scope
        self.meter = scope.meter
        self.place = scope.place
        self.staged = staged
        self.frame: NameFrame | None = None if staged is None else staged.frame
        self.text = text
        self.written = written
        self.slots = () if written is None else written.slots

    @property
    def effects(self) -> Effects:
        """What the expression did so far beside giving a value."""
        if self._effects is None:
            self._effects = Effects()
        return self._effects

    @property
    def items(self) -> Items:
        """The lists of the document by name."""
        if self._items is None:
            self._items = Items() if self.staged is None else self.staged.items
        return self._items

    @property
    def origin(self) -> Computed:
        """The origin of everything that this evaluation makes."""
        if self._origin is None:
            self._origin = Computed(self.text, self.scope.node.source, self.scope.node.at)
        return self._origin

    @property
    def dialect(self) -> Dialect:
        host = None if self.staged is None else self.staged.host
        return CLASSIC if host is None else host.dialect

    def host(self, tree: Term) -> tuple[Host, StagedPlace]:
        """The front that has templates, stubs and tags."""
        if self.staged is None or self.staged.host is None:
            raise self.failure(NO_STUBS, tree, hint="`plait spiff merge` has templates, stubs and tags")
        return self.staged.host, self.staged

    def value(self, tree: Term) -> Node:
        """The value of a piece, finished."""
        found = self.outcome(tree)
        if found.live:
            found = self.finished(found, tree)
        return found

    def outcome(self, tree: Term) -> Node:
        """What a piece gives: a value, maybe one that is not finished, or a mark for `~~`."""
        code = code_of(tree)
        run, price = code.run, code.price
        self.depth += 1
        try:
            if self.depth + code.height > DEEPEST:
                run, price = code.run if code.alone is None else code.alone(), PIECE
            self.meter.step(price)
            if self.depth > DEEPEST:
                raise self.failure(NESTED_CALLS, tree, limit=DEEPEST, hint="the recursion of the lambda must end")
            found = run(self)
        finally:
            self.depth -= 1
        return found if isinstance(found, Node) else self.made(found)

    def node(self, found: Raw) -> Node:
        """A value as a node."""
        return found if isinstance(found, Node) else self.made(found)

    def finished(self, found: Node, tree: Term) -> Node:
        """A value with everything in it known. Undefined is none; to spiff++ it counts as nil, and what is made of it
        is undefined."""
        found = self.whole(found)
        if isinstance(found, Mark):
            if self.dialect.successor:
                self.effects.undefined = True
                return self.made(None)
            hint = "`|| value` gives a default"
            raise self.failure(UNDEFINED_VALUE, tree, piece=str(self.own(tree)), hint=hint)
        return found

    def settled(self, tree: Term) -> Node:
        """The finished value of a piece, or a mark where it is undefined."""
        effects = self.effects
        before, effects.undefined = effects.undefined, False
        try:
            found = self.outcome(tree)
            found = self.whole(found) if found.live else found
            return self.undefined() if effects.undefined else found
        finally:
            effects.undefined = before

    def aside(self, compute: Callable[[], T]) -> T:
        """A value beside that of the node: to spiff++, `merge` in it does not keep a stub from overriding the node."""
        if not self.dialect.successor:
            return compute()
        effects = self.effects
        before = effects.merged, effects.redirect, effects.replace, effects.key
        try:
            return compute()
        finally:
            effects.merged, effects.redirect, effects.replace, effects.key = before

    def whole(self, found: Node) -> Node:
        """A value with everything in it known, or a mark. What fails inside a template that was put in here fails
        here."""
        try:
            if isinstance(found, Deferred) and not isinstance(found, Mark):
                found = self.scope.known(found, self.place)
            return found if isinstance(found, Mark) or not found.live else self.scope.finished(found, self.place)
        except Inherited as inherited:
            if inherited.failure.inherited or not inherited.failure.diagnostics:
                raise
            raise fault_of([inherited.failure]) from None

    def values(self, trees: Iterable[Term]) -> list[Node]:
        """The values of several pieces. What they wait for is asked for together."""
        nodes: list[Node] = []
        waiting = Waiting()
        for tree in trees:
            try:
                if isinstance(tree, Spread):
                    nodes += self.spread(tree)
                else:
                    nodes.append(self.value(tree))
            except (Blocked, Inherited) as wait:
                waiting.add(wait)
        waiting.end()
        return nodes

    def spread(self, tree: Spread) -> list[Node]:
        """The elements of a list that is written `l...`."""
        found = self.value(tree.inner)
        if isinstance(found, ListNode):
            self.meter.step(PART * len(found.items))
            return found.items
        if isinstance(found, Scalar) and found.value is None:
            return []
        issue = f"'{self.own(tree.inner)}' must be a list to be put in by '...'"
        raise self.failure(WRONG_ARGUMENT, tree, issue=issue)

    def within(self, names: dict[str, Node], tree: Term, turn: object = 0) -> Node:
        """What a piece gives that sees these names too."""
        before = self.names, self.trail
        self.names = {**before[0], **names}
        self.trail = (before[1], id(tree), turn)
        try:
            return self.settled(tree)
        finally:
            self.names, self.trail = before

    def key(self, tree: Term) -> tuple[object, ...]:
        """What identifies a piece in this evaluation, and in the next one of the same expression."""
        return (self.scope.node, self.scope.place, self.trail, id(tree))

    def visible(self) -> dict[str, Node]:
        """Every name that scopes and parameters give here."""
        return {**self.frame.all_names(), **self.names} if self.frame is not None else self.names

    def made(self, value: Value) -> Scalar:
        """A scalar that this expression computed."""
        origin = self.origin
        if isinstance(value, str):
            shown = value
        elif value.__class__ is int and -MANY_DIGITS < value < MANY_DIGITS:
            shown = digits(value)
        else:
            shown = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return Scalar(value, shown, origin, origin.at)

    def joined(self, separator: str, pieces: list[str]) -> Scalar:
        """A text that is put together of pieces."""
        self.meter.step(PART * len(pieces))
        self.meter.make(sum(map(len, pieces)) + len(separator) * len(pieces))
        return self.made(separator.join(pieces))

    def made_list(self, items: list[Node]) -> ListNode:
        self.meter.step(PART * len(items))
        self.meter.make(len(items) * ITEM)
        return ListNode(items, self.origin, self.origin.at)

    def made_map(self, entries: Entries) -> MapNode:
        self.meter.step(PART * len(entries))
        self.meter.make(len(entries) * ITEM)
        return MapNode(dict(entries.items()), self.origin, self.origin.at)

    def undefined(self) -> Mark:
        return Mark(self.origin, self.origin.at)

    def call(self, function: Callee, tree: CallTerm, arguments: list[Node]) -> Raw:
        """What a function of the table gives. Every call of one comes through here."""
        if not function.lazy:
            self.meter.step(CALL)
        return function.evaluate(tree, self, *arguments)

    def own(self, tree: Term) -> Term:
        """A piece as the text at hand has it, for a piece of its shape."""
        written = self.written
        if written is not None and written.slots:
            for number, piece in enumerate(walk(written.pattern)):
                if piece is tree:
                    return next(islice(walk(written.tree), number, None))
        return tree

    def label(self, tree: Term) -> Label:
        own = self.own(tree)
        return label_in(self.scope.node, own.at, len(own))

    def failure(self, code: Finding, tree: Term, *, hint: str = "", referred: str = "", **facts: object) -> PlaitError:
        """A failure of this expression's own."""
        return Fault(Trouble(code(self.label(tree), hint=hint, notes=(), **facts), referred))


def label_in(node: Node, at: int, length: int = 1) -> Label:
    """A piece of an expression in the file, where it can be found: written plain or in quotes."""
    text = node.source.text
    for shift in (0, 1):
        if text.startswith("((", node.at + shift):
            return Label.at(node.source, node.at + shift + 2 + at, length=length)
    return Label(node.origin)


def apply(
    tree: Term,
    env: Env,
    function: LambdaValue,
    arguments: list[Node],
    named: dict[str, Node] | None = None,
    curry: bool = False,
    turn: object = 0,
) -> Node:
    """What a lambda gives; with fewer arguments than names, a lambda of the rest.

    Its names mean what they mean where it is called; `_` is the lambda itself.
    """
    known = _arguments(tree, env, function, arguments, named or {})
    missing = _missing(tree, env, function, known, curry, bool(named))
    if missing is not None:
        return missing
    before = env.names, env.trail
    env.names = {**function.names, **known, "_": function}
    env.trail = (before[1], id(tree), turn)
    try:
        return env.settled(function.tree.to)
    finally:
        env.names, env.trail = before


def _arguments(
    tree: Term, env: Env, function: LambdaValue, arguments: list[Node], named: dict[str, Node]
) -> dict[str, Node]:
    """The arguments by the names of their parameters."""
    names = function.tree.names
    known: dict[str, Node] = {}
    for word, value in named.items():
        name = names[int(word) - 1] if word.isdecimal() and 0 < int(word) <= len(names) else word
        if name not in names:
            issue = f"no lambda parameter found for named argument {word}"
            raise env.failure(WRONG_ARGUMENT, tree, issue=issue, hint=f"it has {', '.join(names) or 'none'}")
        if function.tree.rest and name == names[-1] and not isinstance(value, ListNode):
            raise env.failure(WRONG_ARGUMENT, tree, issue=f"the argument {name}... must be a list")
        _once(tree, env, known, name, value)
    single = names[:-1] if function.tree.rest else names
    if len(arguments) > len(single) and not function.tree.rest:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"found {len(arguments)} arguments for {len(names)} names")
    for name, value in zip(single, arguments, strict=False):
        _once(tree, env, known, name, value)
    if function.tree.rest and len(arguments) > len(single):
        _once(tree, env, known, names[-1], env.made_list(arguments[len(single) :]))
    return known


def _once(tree: Term, env: Env, known: dict[str, Node], name: str, value: Node) -> None:
    if name in known:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"there are two arguments for the parameter {name}")
    known[name] = value


def _missing(
    tree: Term, env: Env, function: LambdaValue, known: dict[str, Node], curry: bool, named: bool
) -> LambdaValue | None:
    """A function of the parameters that have no argument, where it is one; else they get their defaults."""
    made, names = function.tree, function.tree.names
    left = [name for name in names if name not in known]
    defaults = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True))
    needed = [name for name in left if name not in defaults and not (made.rest and name == names[-1])]
    if not curry and not needed:
        known.update((name, defaults[name]) for name in left if name in defaults)
        if made.rest and names[-1] in left:
            known[names[-1]] = env.made_list([])
        return None
    if not curry and (named or made.rest or defaults):
        issue = f"found {len(known)} arguments for {len(names)} names"
        raise env.failure(WRONG_ARGUMENT, tree, issue=issue, hint=f"missing: {', '.join(needed)}")
    rest = Lambda(made.at, tuple(left), made.to, (), made.rest and names[-1] in left)
    kept = tuple(defaults[name] for name in left if name in defaults)
    rest.defaults = tuple(map(Given, kept))
    return LambdaValue(rest, env.origin, {**function.names, **known}, function.place, function.staged, kept)


def curried(tree: CallTerm, env: Env, arguments: list[Node]) -> LambdaValue:
    """A function of the table with its first arguments: it takes the others."""
    others = Spread(tree.at, Reference(tree.at, ("__args",), False))
    call = CallTerm(tree.at, tree.name, (*map(Given, arguments), others))
    return LambdaValue(Lambda(tree.at, ("__args",), call, (), True), env.origin, {}, env.place, env.staged)
