"""The value of an expression, seen from its place.

A reference looks for its first name in the maps around it, innermost first; lists give no scope. From there it follows its
steps and waits until what it finds is finished. What fails by itself can be caught by `||`; what waits for something
that failed cannot.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label, PlaitError
from plait.core.node import Deferred, Mapping, Node, Scalar, Sequence
from plait.core.scope import Blocked, Denied, Place
from plait.core.source import Computed
from plait.notations.dynaml.operators import OPERATORS, concatenate, truth
from plait.notations.dynaml.place import Effects, Seat
from plait.notations.dynaml.tree import (
    Auto,
    Call,
    Chain,
    Choice,
    Concat,
    Each,
    Group,
    Lambda,
    ListOf,
    Literal,
    Marked,
    Merge,
    Not,
    Or,
    Reference,
    Tree,
)
from plait.report.catalog import (
    EXPRESSION_TOO_LARGE,
    EXPRESSION_TOO_SLOW,
    NESTED_CALLS,
    NO_FUNCTION,
    NO_REFERENCE,
    NO_STUBS,
    NOT_IN_STUBS,
    WRONG_ARGUMENT,
    WRONG_OPERAND,
)
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from plait.core.node import Value
    from plait.core.scope import Scope
    from plait.report.catalog import Code

MARKS = {"dynaml:temporary": "temporary", "dynaml:local": "local"}
"""The tags of nodes that are left out of the result, and the words that make them so."""
LONGEST_TEXT, LONGEST_LIST = 16_000_000, 1_000_000
"""What an expression may give: references that double something forty times would fill any machine."""
DEEPEST = 150
"""How deep pieces of expressions may be in progress at once: brackets and calls of lambdas together."""


class Trouble(Diagnostic):
    """A diagnostic of dynaml: `referred` is the path in the stubs or the document that it is about."""

    __slots__ = ("referred",)

    def __init__(self, plain: Diagnostic, referred: str) -> None:
        super().__init__(plain.code, plain.message, plain.labels, plain.notes, plain.hint, plain.severity)
        self.referred = referred


class Env:
    """One evaluation: the scope it asks, the names that `map[]` and lambdas give, the effects so far."""

    __slots__ = ("_origin", "depth", "effects", "names", "place", "scope", "seat", "steps", "text")

    def __init__(self, scope: Scope, text: str, seat: Seat | None = None) -> None:
        self.scope = scope
        self.place = scope.place
        self.seat = seat
        self.effects = Effects()
        self.names: dict[str, Node] = {}
        self.text = text
        self.depth = self.steps = 0
        self._origin: Computed | None = None

    @property
    def origin(self) -> Computed:
        """The origin of everything that this evaluation makes."""
        if self._origin is None:
            self._origin = Computed(self.text, self.scope.node.source, self.scope.node.at)
        return self._origin

    def value(self, tree: Tree) -> Node:
        """The value of a piece."""
        self.depth += 1
        self.steps += 1
        if not self.steps % 4096 and self.scope.seconds_left() <= 0:
            raise self.failure(EXPRESSION_TOO_SLOW, tree, hint="--max-seconds gives it more")
        if self.depth > DEEPEST:
            raise self.failure(NESTED_CALLS, tree, limit=DEEPEST, hint="a lambda must come to an end")
        try:
            return RULES[tree.__class__](tree, self)
        finally:
            self.depth -= 1

    def values(self, trees: Iterable[Tree]) -> list[Node]:
        """The values of several pieces. What they wait for is asked for together."""
        found: list[Node] = []
        wanted: list[tuple[Node, Place]] = []
        for tree in trees:
            try:
                found.append(self.value(tree))
            except Blocked as blocked:
                wanted.extend(blocked.wanted)
        if wanted:
            raise Blocked(*wanted)
        return found

    def within(self, names: dict[str, Node], tree: Tree) -> Node:
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
            if len(value) > LONGEST_TEXT:
                raise EXPRESSION_TOO_LARGE.error(Label.of(self.scope.node), limit=f"{LONGEST_TEXT:,} letters")
        else:
            shown = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return Scalar(value, shown, self.origin, self.origin.at)

    def made_list(self, items: list[Node]) -> Sequence:
        if len(items) > LONGEST_LIST:
            raise EXPRESSION_TOO_LARGE.error(Label.of(self.scope.node), limit=f"{LONGEST_LIST:,} items")
        return Sequence(items, self.origin, self.origin.at)

    def label(self, tree: Tree) -> Label:
        return label_in(self.scope.node, tree.at, len(tree))

    def failure(self, code: Code, tree: Tree, *, hint: str = "", referred: str = "", **facts: object) -> PlaitError:
        """A failure of this expression's own."""
        return PlaitError(Trouble(code(self.label(tree), hint=hint, notes=(), **facts), referred))

    def find(self, steps: tuple[str, ...], tree: Tree, rooted: bool = False) -> Node:
        """The finished value that a path leads to from here."""
        return _find(self, steps, tree, rooted)


def label_in(node: Node, at: int, length: int = 1) -> Label:
    """A piece of an expression in the file, where it can be told: it stands there plain or in quotes."""
    text = getattr(node.source, "text", "")
    for shift in (0, 1):
        if text.startswith("((", node.at + shift):
            return Label.at(node.source, node.at + shift + 2 + at, length=length)
    return Label.of(node)


class LambdaValue(Scalar):
    """A function as a value: what it was written as, where, and the names it already knows. It prints as its text."""

    __slots__ = ("names", "place", "seat", "tree")

    def __init__(self, tree: Lambda, env: Env, names: dict[str, Node], place: Place, seat: Seat | None) -> None:
        super().__init__(str(tree), str(tree), env.origin, env.origin.at)
        self.tree = tree
        self.names = names
        self.place = place
        self.seat = seat


# References


def _find(env: Env, steps: tuple[str, ...], tree: Tree, rooted: bool) -> Node:
    if not rooted and steps[0] in env.names:
        return _within(env, env.names[steps[0]], steps, tree)
    seat = env.seat
    if not rooted and seat is not None and seat.around is not None and steps[0] in seat.around.entries:
        return _beside(env, seat.around, steps, tree)
    start = _enclosing(env, steps[0], rooted)
    if start is None:
        if seat is not None and not rooted and steps[0] in seat.given:
            return _within(env, seat.given[steps[0]], steps, tree)
        raise _nowhere(env, steps, 0, _names_around(env), tree)
    return _follow(env, start, steps, tree)


def _enclosing(env: Env, name: str, rooted: bool) -> tuple[Mapping, Place] | None:
    """The innermost map around the expression that has a name, or the root."""
    place = env.place.root if rooted else _outer(env)
    while place is not None:
        node = place.node
        if node.__class__ is not Mapping:
            node = _known_at(env, place)
        if isinstance(node, Mapping) and name in node.entries:
            return node, place
        place = place.parent
    return None


def _outer(env: Env) -> Place | None:
    """Where the search for names begins."""
    place = env.place.parent
    for _ in range(1, 1 if env.seat is None else env.seat.up):
        place = None if place is None else place.parent
    return place


def _known_at(env: Env, place: Place) -> Node | None:
    """What stands at a place around the expression."""
    todo = [place]
    while todo[-1].node is None and todo[-1].parent is not None:
        todo.append(todo[-1].parent)
    found = None
    while todo:
        at = todo.pop()
        node = at.node if at.node is not None else _child(found, at.step)
        found = env.scope.known(node, at) if isinstance(node, Deferred) else node
        if at.node is None and found is not None:
            at.node = found
    return found


def _child(parent: Node | None, step: object) -> Node | None:
    if isinstance(parent, Mapping):
        return parent.entries.get(step)  # type: ignore[call-overload, no-any-return]
    return parent.items[step] if isinstance(parent, Sequence) and isinstance(step, int) else None


def _follow(env: Env, start: tuple[Node, Place], steps: tuple[str, ...], tree: Tree) -> Node:
    """From a container along the steps; each must be known, the last one finished."""
    scope = env.scope
    node, place = start
    last = len(steps) - 1
    for depth, step in enumerate(steps):
        if isinstance(node, Mapping):
            child = node.entries.get(step)
            key: str | int | None = step
        elif isinstance(node, Sequence):
            key = item_at(node, step, lambda item, index, place=place: _asked(scope, item, place.child(index)))  # type: ignore[misc]
            child = node.items[key] if key is not None else None
        else:
            child = None
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        place = place.child(key)  # type: ignore[arg-type]
        node = scope.known(child, place) if depth == last or isinstance(child, Deferred) else child
    return unmarked(scope.finished(node, place) if node.live else node)


def straight(tree: Reference, scope: Scope) -> tuple[Node, Place] | None:
    """What a reference leads to where every map on the way is known already; None where it takes a closer look."""
    steps = tree.steps
    place = scope.place.root if tree.rooted else scope.place.parent
    while place is not None:
        node = place.node
        if isinstance(node, Mapping):
            if steps[0] in node.entries:
                return _descend(node, place, steps)
        elif not isinstance(node, Sequence):
            return None
        place = place.parent
    return None


def _descend(node: Node, place: Place, steps: tuple[str, ...]) -> tuple[Node, Place] | None:
    for step in steps:
        child = node.entries.get(step) if isinstance(node, Mapping) else None
        if child is None:
            return None
        node, place = child, place.child(step)
    return node, place


def _asked(scope: Scope, item: Node, place: Place) -> Node:
    return scope.known(item, place) if isinstance(item, Deferred) else item


def _within(env: Env, node: Node, steps: tuple[str, ...], tree: Tree) -> Node:
    """Along the steps inside a finished value."""
    for depth, step in enumerate(steps[1:], 1):
        child = child_at(node, step)
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        node = child
    return node


def _beside(env: Env, around: Mapping, steps: tuple[str, ...], tree: Tree) -> Node:
    """A neighbour of a `<<`: usable as it was written, unless it must be evaluated first, which waits for the `<<`."""
    node = around.entries[steps[0]]
    for depth, step in enumerate(steps[1:], 1):
        if isinstance(node, Deferred):
            break
        child = child_at(node, step)
        if child is None:
            raise _nowhere(env, steps, depth, node, tree)
        node = child
    if node.live:
        raise Blocked((env.scope.node, env.scope.place))
    return node


def child_at(node: Node, step: str) -> Node | None:
    """What a step leads to in a container of known items."""
    if isinstance(node, Mapping):
        return node.entries.get(step)
    if isinstance(node, Sequence):
        index = item_at(node, step)
        return None if index is None else node.items[index]
    return None


def item_at(node: Sequence, step: str, ask: Callable[[Node, int], Node] | None = None) -> int | None:
    """The item that a step means: `[0]`, the value of its key field, or `field:value`.

    Items whose name is written are looked at first; others are asked for only where none of those fits.
    """
    if step.startswith("["):
        index = int(step[1:-1])
        return index if 0 <= index < len(node.items) else None
    field, colon, value = step.partition(":")
    if not colon or not field:
        field, value = key_field(node), step
    for index, item in enumerate(node.items):
        if isinstance(item, Mapping) and text_of(item.entries.get(field)) == value:
            return index
    return _asked_item(node, field, value, ask) if ask is not None and node.live else None


def _asked_item(node: Sequence, field: str, value: str, ask: Callable[[Node, int], Node]) -> int | None:
    for index, item in enumerate(node.items):
        if isinstance(item, Deferred):
            found = ask(item, index)
            if isinstance(found, Mapping) and text_of(found.entries.get(field)) == value:
                return index
    return None


def key_field(node: Sequence) -> str:
    """The field that names the items of a list."""
    return node.rule.keys[0] if node.rule is not None and node.rule.keys else "name"


def text_of(node: Node | None) -> str | None:
    """The text of a text scalar."""
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def unmarked(node: Node) -> Node:
    """A value without the mark of the place that it was read from."""
    return marked(node, None) if getattr(node, "tag", None) in MARKS else node


def marked(node: Node, tag: str | None) -> Node:
    """A value with another tag."""
    if isinstance(node, Mapping):
        return Mapping(node.entries, node.source, node.at, tag, node.live, node.marks, node.parts)
    if isinstance(node, Sequence):
        return Sequence(node.items, node.source, node.at, tag, node.live, node.parts, node.rule)
    return Scalar(node.value, node.text, node.source, node.at, tag, node.secret) if isinstance(node, Scalar) else node


def _nowhere(env: Env, steps: tuple[str, ...], depth: int, here: Node | list[str], tree: Tree) -> PlaitError:
    """Nothing there: what is similar, or how much there is."""
    before = ".".join(steps[:depth])
    if isinstance(here, Sequence):
        names = [
            name
            for item in here.items
            if isinstance(item, Mapping) and (name := text_of(item.entries.get(key_field(here))))
        ]
        hint = did_you_mean(steps[depth], names) or f"`{before}` has {len(here.items)} items"
    elif isinstance(here, Scalar):
        hint = f"`{before}` is no map and no list"
    else:
        names = here if isinstance(here, list) else [key for key in here.entries if isinstance(key, str)]  # type: ignore[attr-defined]
        hint = did_you_mean(steps[depth], names)
    return env.failure(NO_REFERENCE, tree, path=".".join(steps), hint=hint)


def _names_around(env: Env) -> list[str]:
    names = list(env.names)
    place = _outer(env)
    while place is not None:
        node = _known_at(env, place)
        if isinstance(node, Mapping):
            names += [key for key in node.entries if isinstance(key, str)]
        place = place.parent
    return names


def _reference(tree: Reference, env: Env) -> Node:
    return _find(env, tree.steps, tree, tree.rooted)


# Stubs


def _merge(tree: Merge, env: Env) -> Node:
    if env.seat is None:
        raise env.failure(NO_STUBS, tree, hint="`plait merge` merges its layers without being told")
    address, effects = env.seat.address, env.effects
    if tree.path is not None:
        steps = tree.path.steps
        address = address.elsewhere(("", *steps) if tree.path.rooted else steps)
    if tree.key:
        effects.key = tree.key
    if tree.path is not None or address.moved:
        effects.redirect = address
    found = address.found()
    if found is None:
        path = ".".join(address.path)
        raise env.failure(NOT_IN_STUBS, tree, path=path, referred=path, hint="`|| value` gives a default")
    effects.merged = True
    effects.replace = tree.replace
    return found


def _auto(tree: Auto, env: Env) -> Node:
    from plait.notations.dynaml.manifest import pool_size

    return pool_size(tree, env)


# Values and operators


def _literal(tree: Literal, env: Env) -> Node:
    return env.made(tree.value)


def _list(tree: ListOf, env: Env) -> Node:
    return env.made_list(env.values(tree.items))


def _group(tree: Group, env: Env) -> Node:
    return env.value(tree.inner)


def _or(tree: Or, env: Env) -> Node:
    """The first that does not fail by itself. A call that is not allowed is no such failure."""
    effects = env.effects
    for item in tree.items[:-1]:
        merged = effects.merged
        try:
            return env.value(item)
        except Denied:
            raise
        except PlaitError:
            effects.merged, effects.replace = merged, False
    return env.value(tree.items[-1])


def _concat(tree: Concat, env: Env) -> Node:
    return concatenate(tree, env, env.values(tree.items))


def _chain(tree: Chain, env: Env) -> Node:
    left = env.value(tree.first)
    for sign, operand in tree.rest:
        short = SHORT.get(sign)
        if short is not None and truth(left) is short:
            left = env.made(short)
            continue
        left = OPERATORS[sign](tree, env, left, env.value(operand))
    return left


SHORT = {"-and": False, "-or": True}
"""The value on the left with which the right side does not matter."""


def _not(tree: Not, env: Env) -> Node:
    return env.made(not truth(env.value(tree.inner)))


def _choice(tree: Choice, env: Env) -> Node:
    return env.value(tree.yes if truth(env.value(tree.test)) else tree.no)


def _marked(tree: Marked, env: Env) -> Node:
    env.effects.marks += tuple(f"dynaml:{mark}" for mark in tree.marks)
    return env.made(None) if tree.inner is None else env.value(tree.inner)


# Mappings, functions, lambdas


def _rounds(tree: Each, env: Env) -> list[tuple[Node, Node]]:
    """What `map[]` and its like go through: keys or indices, with values."""
    over = env.value(tree.over)
    if isinstance(over, Sequence):
        return [(env.made(index), item) for index, item in enumerate(over.items)]
    if isinstance(over, Mapping):
        return [
            (env.made(key), over.entries[key]) for key in sorted(key for key in over.entries if isinstance(key, str))
        ]
    raise env.failure(WRONG_OPERAND, tree.over, issue="map or list required for mapping")


def _bound(tree: Each, names: tuple[str, ...], round_: tuple[Node, Node], env: Env) -> dict[str, Node]:
    if len(names) > 2:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"{tree.kind}[] takes one or two names for its elements")
    return dict(zip(names, round_[-len(names) :], strict=True))


def _each(tree: Each, env: Env) -> Node:
    rounds = _rounds(tree, env)
    if tree.start is not None:
        return _sum(tree, env, rounds)
    found: list[Node] = []
    for round_ in rounds:
        value = env.within(_bound(tree, tree.names, round_, env), tree.to)
        if tree.kind == "map":
            found.append(value)
        elif truth(value):
            found.append(round_[1])
    return env.made_list(found)


def _sum(tree: Each, env: Env, rounds: list[tuple[Node, Node]]) -> Node:
    assert tree.start is not None
    if len(tree.names) < 2:
        raise env.failure(WRONG_ARGUMENT, tree, issue="sum[] takes a name for the sum and one or two for its elements")
    total = env.value(tree.start)
    for round_ in rounds:
        total = env.within({tree.names[0]: total, **_bound(tree, tree.names[1:], round_, env)}, tree.to)
    return total


def _lambda(tree: Lambda, env: Env) -> Node:
    return LambdaValue(tree, env, env.names, env.place, env.seat)


def _call(tree: Call, env: Env) -> Node:
    from plait.notations.dynaml.functions import FUNCTIONS  # which needs Env

    name = tree.name
    function = FUNCTIONS.get(name.steps[0]) if len(name.steps) == 1 and not name.rooted else None
    if function is not None:
        if function.lazy:
            return function.evaluate(tree, env)
        arguments = env.values(tree.arguments)
        if not function.least <= len(arguments) <= (function.most or len(arguments)):
            issue = f"{function.name}({function.arguments}) is not called like that"
            raise env.failure(WRONG_ARGUMENT, tree, issue=issue, hint=f"for example: {function.example}")
        return function.evaluate(tree, env, *arguments)
    return apply(tree, env, _callee(tree, env, list(FUNCTIONS)), env.values(tree.arguments))


def _callee(tree: Call, env: Env, functions: list[str]) -> LambdaValue:
    """The lambda that is called by name."""
    try:
        found = env.value(tree.name)
    except PlaitError:
        name = str(tree.name)
        raise env.failure(NO_FUNCTION, tree, name=name, hint=did_you_mean(name, functions)) from None
    if not isinstance(found, LambdaValue):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"'{tree.name}' is no function")
    return found


def apply(tree: Tree, env: Env, function: LambdaValue, arguments: list[Node]) -> Node:
    """A lambda's value; with fewer arguments than names, a lambda of the rest. Its names mean what they mean where it stands."""
    names = function.tree.names
    if len(arguments) > len(names):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"found {len(arguments)} arguments for {len(names)} names")
    known = {**function.names, **dict(zip(names, arguments, strict=False))}
    if len(arguments) < len(names):
        rest = Lambda(function.tree.at, names[len(arguments) :], function.tree.to)
        return LambdaValue(rest, env, known, function.place, function.seat)
    before = env.names, env.place, env.seat
    env.names, env.place, env.seat = known, function.place, function.seat
    try:
        return env.value(function.tree.to)
    finally:
        env.names, env.place, env.seat = before


RULES: dict[type, Callable[[Any, Env], Node]] = {
    Literal: _literal,
    ListOf: _list,
    Reference: _reference,
    Merge: _merge,
    Auto: _auto,
    Call: _call,
    Each: _each,
    Lambda: _lambda,
    Group: _group,
    Not: _not,
    Marked: _marked,
    Choice: _choice,
    Or: _or,
    Concat: _concat,
    Chain: _chain,
}
