"""One evaluation of an expression, and what calls of lambdas need of it. Everything else of the language is above
this file.

What each kind of piece means is a table of rules that `compute.py` hands in.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, Label, PlaitError
from plait.core.meter import ITEM
from plait.core.node import Deferred, Inherited, ListNode, MapNode, Mark, Node, Scalar
from plait.core.scope import Blocked, Place
from plait.core.source import Computed
from plait.core.unknown import fault_of
from plait.notations.dynaml.dialect import CLASSIC
from plait.notations.dynaml.items import Items
from plait.notations.dynaml.place import Effects, StagedPlace
from plait.notations.dynaml.tree import CallTerm, Lambda, Reference, Spread, Term
from plait.report.catalog import NESTED_CALLS, NO_STUBS, UNDEFINED_VALUE, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from plait.core.node import Value
    from plait.core.scope import Scope
    from plait.notations.dynaml.dialect import Dialect
    from plait.notations.dynaml.place import Host, NameFrame
    from plait.report.catalog import Code

    Entries = Mapping[str, Node]
    Rules = dict[type, Callable[[Any, "Env"], Node]]

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


class Env:
    """One evaluation: the scope it asks, the names that `map[]` and lambdas give, the effects so far.

    `trail` says which call or round of an iteration is being evaluated: the same when the expression is started again.
    """

    __slots__ = (
        "_origin",
        "depth",
        "effects",
        "frame",
        "items",
        "meter",
        "names",
        "place",
        "rules",
        "scope",
        "staged",
        "text",
        "trail",
    )

    def __init__(self, scope: Scope, text: str, rules: Rules, staged: StagedPlace | None = None) -> None:
        self.scope = scope
        self.meter = scope.meter
        self.rules = rules
        self.place = scope.place
        self.staged = staged
        self.frame: NameFrame | None = None if staged is None else staged.frame
        self.items = Items() if staged is None else staged.items
        self.effects = Effects()
        self.names: dict[str, Node] = {}
        self.text = text
        self.depth = 0
        self.trail: tuple[object, ...] = ()
        self._origin: Computed | None = None

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
        self.depth += 1
        self.meter.step(PIECE)
        if self.depth > DEEPEST:
            raise self.failure(NESTED_CALLS, tree, limit=DEEPEST, hint="the recursion of the lambda must end")
        try:
            return self.rules[tree.__class__](tree, self)
        finally:
            self.depth -= 1

    def finished(self, found: Node, tree: Term) -> Node:
        """A value with everything in it known. Undefined is none; to spiff++ it counts as nil, and what is made of it
        is undefined."""
        found = self.whole(found)
        if isinstance(found, Mark):
            if self.dialect.successor:
                self.effects.undefined = True
                return self.made(None)
            raise self.failure(UNDEFINED_VALUE, tree, piece=str(tree), hint="`|| value` gives a default")
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

    def aside(self, compute: Callable[[], Node]) -> Node:
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
        raise self.failure(WRONG_ARGUMENT, tree, issue=f"'{tree.inner}' must be a list to be put in by '...'")

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


class Given(Term):
    """A value in the place of a piece: what is known already of a function's arguments."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.at = 0
        self.node = node

    def __str__(self) -> str:
        return as_written(self.node)


def as_written(root: Node) -> str:
    """A finished value as dynaml writes it. Without recursion."""
    pieces: list[str] = []
    work: list[Node | str] = [root]
    while work:
        node = work.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif isinstance(node, ListNode):
            work.append("]")
            for index, item in reversed(list(enumerate(node.items))):
                work += [item, ", "] if index else [item]
            work.append("[")
        elif isinstance(node, MapNode):
            work.append(" }" if node.entries else "}")
            for index, (key, child) in reversed(list(enumerate(node.entries.items()))):
                work += [child, f'"{key}" = ', ", "] if index else [child, f'"{key}" = ']
            work.append("{ " if node.entries else "{")
        else:
            pieces.append(_scalar_as_written(node))
    return "".join(pieces)


def _scalar_as_written(node: Node) -> str:
    if not isinstance(node, Scalar):
        return "~~"
    if isinstance(node.value, str) and not isinstance(node, LambdaValue | TemplateBody):
        return '"' + node.value.replace('"', '\\"') + '"'
    return "nil" if node.value is None else node.text


class LambdaValue(Scalar):
    """A function as a value: what it was written as, where, and the names it already knows.

    It prints as an expression; inside another text it is only its own.
    """

    __slots__ = ("defaults", "names", "place", "staged", "tree")

    def __init__(
        self,
        tree: Lambda,
        env: Env,
        names: dict[str, Node],
        place: Place,
        staged: StagedPlace | None,
        defaults: tuple[Node, ...] = (),
    ) -> None:
        given = tuple(map(Given, defaults))
        shown = f"lambda|{','.join(tree.parameters(given))}|->{tree.to}"
        super().__init__(f"(( {shown} ))", shown, env.origin, env.origin.at)
        self.tree = tree
        self.names = names
        self.place = place
        self.staged = staged
        self.defaults = defaults

    def tagged(self, tag: str | None) -> LambdaValue:
        copy = LambdaValue.__new__(LambdaValue)
        Scalar.__init__(copy, self.value, self.text, self.source, self.at, tag, self.secret)
        copy.tree, copy.names, copy.place = self.tree, self.names, self.place
        copy.staged, copy.defaults = self.staged, self.defaults
        return copy


class TemplateBody(Scalar):
    """What is not evaluated where it stands: a part of a document, or an expression. `printed` is how it is written."""

    __slots__ = ("body", "place", "printed", "staged", "term")

    def __init__(
        self,
        body: Node | None,
        term: Term | None,
        printed: Node,
        shown: str,
        place: Place,
        staged: StagedPlace,
        tag: str | None = None,
    ) -> None:
        super().__init__(shown, shown, printed.source, printed.at, tag)
        self.body = body
        self.term = term
        self.printed = printed
        self.place = place
        self.staged = staged

    def tagged(self, tag: str | None) -> TemplateBody:
        return TemplateBody(self.body, self.term, self.printed, self.text, self.place, self.staged, tag)


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
    return LambdaValue(rest, env, {**function.names, **known}, function.place, function.staged, kept)


def curried(tree: CallTerm, env: Env, arguments: list[Node]) -> LambdaValue:
    """A function of the table with its first arguments: it takes the others."""
    others = Spread(tree.at, Reference(tree.at, ("__args",), False))
    call = CallTerm(tree.at, tree.name, (*map(Given, arguments), others))
    return LambdaValue(Lambda(tree.at, ("__args",), call, (), True), env, {}, env.place, env.staged)
