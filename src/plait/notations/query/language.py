"""The language around path expressions: `eval` with `vars`, `foreach`, `select`, `strict` and `trace`, and functions.

A map is an expression if it has `eval` (or `ref`) and beside it only the words of `KEYWORDS`, or if it is a call of
one of the functions that need no `eval`. A text with `{{` or `{%` is a template. Everything else is data.

There are three ways of asking: `list` (all matches), `one` (none gives null, one itself, several a list) and `map`
(a value with everything embedded in it resolved, each by `one`).
"""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.expression import Expression
from plait.core.node import (
    Inherited,
    Key,
    ListNode,
    MapNode,
    Node,
    Scalar,
    Suspension,
    hidden,
    key_text,
    mask_of,
    rewrite,
    text,
)
from plait.core.plain import key_of
from plait.core.scope import Blocked, Place
from plait.core.source import MASK
from plait.core.struct import struct
from plait.core.walk import remade
from plait.notations.query.context import Context, Lazy, QuerySettings
from plait.notations.query.data import Value, bound
from plait.notations.query.functions import FUNCTIONS, QueryCall, QueryFunction
from plait.notations.query.grammar import parse_query
from plait.notations.query.select import members, select
from plait.notations.query.templates import HEADER, MARKERS, render
from plait.report.catalog import MISPLACED, NO_RESULT, UNKNOWN_FUNCTION, UNSAFE
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.scope import Scope
    from plait.notations.query.tree import Tree

KEYWORDS = frozenset({"vars", "trace", "foreach", "select", "strict", "base_dir"})
BODIES = ("eval", "ref")
MISPLACED_WORDS = KEYWORDS | {"var"}
MODES = ("list", "one", "map")


@struct
class QueryResult:
    """What an expression found. `listed`: a list made of all the values, even of one or none."""

    values: list[Value]
    listed: bool = False


class Embedded(Expression):
    """An expression that is in a document: a map with `eval`, a call, or a template."""

    __slots__ = ("node", "settings", "text", "tree")

    def __init__(self, node: Node, tree: Tree, settings: QuerySettings) -> None:
        self.node = node
        self.tree = tree
        self.settings = settings
        self.text = expression_text(node)

    @property
    def data(self) -> Node:
        return self.node

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """What it says: two calls with other arguments are different calls."""
        return [(_as_data(self.node), scope.place)]

    def evaluate(self, scope: Scope) -> Node:
        context = Context(scope, self.tree, scope.place.parent or scope.place, self.settings)
        value = one(evaluate(self.node, context), context)
        if value[1] is not None:
            self.tree.homes[scope.node, scope.place] = value[1]
        return _sealed(value, context)


class QueryExpression(Expression):
    """A question about a tree, at a place, in one of the three ways."""

    __slots__ = ("at", "mode", "node", "settings", "text", "tree", "variables")

    def __init__(
        self,
        node: Node,
        tree: Tree,
        at: Place,
        mode: str = "one",
        settings: QuerySettings | None = None,
        variables: MapNode | None = None,
    ) -> None:
        self.node = node
        self.tree = tree
        self.at = at
        self.mode = mode
        self.settings = settings or QuerySettings()
        self.variables = variables
        self.text = expression_text(node)

    @property
    def data(self) -> Node:
        return self.node

    def evaluate(self, scope: Scope) -> Node:
        context = Context(scope, self.tree, self.at, self.settings)
        if self.variables is not None:
            context = context.having(_lazy_variables(self.variables, context))
        if self.mode == "map":
            return _sealed((mapped(self.node, None, context), None), context)
        result = evaluate(self.node, context)
        if self.mode == "one":
            return _sealed(one(result, context), context)
        return _sealed((_as_list(result.values, context), None), context)


def _as_data(node: Node) -> Node:
    """An expression with the expressions in it as they are written."""

    def leaf(at: Node) -> Node:
        if not isinstance(at, Suspension):
            return at
        inner = at.expression
        return _as_data(inner.node) if isinstance(inner, Embedded) else text(inner.text, at.source, at.at)

    return rewrite(node, leaf)


def _sealed(value: Value, context: Context) -> Node:
    """The answer: bound to where it is, and secret if anything it was made of is."""
    node = bound(*value)
    return hidden(context.finished((node, context.place)), context.run.secret) if context.run.secret else node


def expression_text(node: Node) -> str:
    """An expression as people see it in a message."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Suspension) and isinstance(node.expression, Embedded):
        return node.expression.text
    if isinstance(node, MapNode):
        body = next((node.entries[word] for word in BODIES if word in node.entries), None)
        if body is not None:
            return expression_text(body)
        return ", ".join(key_text(key) for key in node.entries)
    return node.kind


# Recognising


def is_expression(node: MapNode) -> bool:
    """Whether a map is an expression and not data."""
    entries = node.entries
    if len(entries) == 1:
        (key,) = entries
        return key in BODIES or (isinstance(key, str) and key in FUNCTIONS and FUNCTIONS[key].alone)
    bodies = [word for word in BODIES if word in entries]
    return len(bodies) == 1 and all(key in KEYWORDS or key == bodies[0] for key in entries)


def is_template(text: str) -> bool:
    return text.startswith(HEADER) or any(marker in text for marker in MARKERS)


def written(node: Node) -> Node:
    """An embedded expression as it was written; any other node as it is."""
    return node.expression.node if isinstance(node, Suspension) and isinstance(node.expression, Embedded) else node


# Evaluating


def evaluate(node: Node, context: Context) -> QueryResult:
    """An expression where one is expected: a text is a path, a map a call, a list its items."""
    node = written(node)
    context = context.deeper()
    try:
        if isinstance(node, MapNode):
            return _with_body(node, context) if any(word in node.entries for word in BODIES) else _call(node, context)
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return _text(node.value, node, context)
        if isinstance(node, ListNode):
            value = context.known(mapped(node, None, context), None)
            return QueryResult(members(value, context), listed=True)
        return QueryResult([context.known(node, None)])
    finally:
        context.run.depth -= 1


def _text(text: str, node: Node, context: Context, upwards: bool = True) -> QueryResult:
    if is_template(text):
        return _returned(render(text, context, _asker(context)), context)
    return QueryResult(select(parse_query(text, Label(node.origin, length=len(text))), context, upwards))


def _asker(context: Context) -> Asker:
    return Asker(context)


class Asker:
    """How a template asks: `"expr" | ref` and calls of functions."""

    __slots__ = ("context",)

    def __init__(self, context: Context) -> None:
        self.context = context

    def ask(self, expression: object) -> Value:
        value = self.context.made(expression)
        if self.context.tree.is_resource(*value) or not isinstance(value[0], Scalar | MapNode):
            return value
        return one(evaluate(value[0], self.context), self.context)

    def is_expression(self, value: dict[Any, Any]) -> bool:
        node = self.context.made(value)[0]
        return isinstance(node, MapNode) and is_expression(node)

    def call(self, name: str, *arguments: object, **options: object) -> object:
        function = FUNCTIONS.get(name)
        if function is None or (self.context.settings.safe and not function.safe):
            raise AttributeError(name)
        call = QueryCall(function, self.context, list(arguments), options)
        return function.plain(call)


def _with_body(node: MapNode, context: Context) -> QueryResult:
    """`eval` and what goes with it."""
    entries = node.entries
    body = entries["eval"] if "eval" in entries else entries["ref"]
    if "vars" in entries:
        context = context.having(_lazy_variables(entries["vars"], context))
    strict = entries.get("strict")
    if isinstance(strict, Scalar) and isinstance(strict.value, bool):
        context = context.copy()
        context.strict = strict.value
    result = evaluate(body, context)
    for word, function in (("foreach", for_each), ("select", chosen)):
        if word in entries:
            result = function(result, entries[word], context)
    _check_strict(result, strict, node, context)
    _trace(result, entries.get("trace"), node, context)
    return result


def _lazy_variables(node: Node, context: Context) -> dict[str, Value | Lazy]:
    made: dict[str, Value | Lazy] = {}
    node = written(node)  # a map of one variable may look like a call
    if isinstance(node, MapNode):
        for key, child in node.entries.items():
            made[key_text(key)] = Lazy(lambda child=child: context.known(mapped(child, None, context), None))  # type: ignore[misc]
    return made


def _check_strict(result: QueryResult, strict: Node | None, node: Node, context: Context) -> None:
    word = strict.value if isinstance(strict, Scalar) else None
    nothing = not result.values
    if word == "notnull":
        nothing = nothing or all(isinstance(found, Scalar) and found.value is None for found, _ in result.values)
    if word in ("required", "notnull") and nothing:
        hint = "the expression is marked `strict`: correct its path, or remove `strict`"
        raise NO_RESULT.error(context.label(), text=expression_text(node), hint=hint)


def _trace(result: QueryResult, level: Node | None, node: Node, context: Context) -> None:
    if isinstance(level, Scalar) and level.value:
        names = ", ".join(_told(found) for found, _ in result.values)
        context.settings.traced[expression_text(node)] = names if not context.run.secret else MASK


def _told(found: Node) -> str:
    """A value in a trace: a list or a map is called so, and a secret is never shown."""
    if not isinstance(found, Scalar):
        return found.kind
    return found.mask if found.secret else found.text


def one(result: QueryResult, context: Context) -> Value:
    """None gives null, one itself, several a list."""
    if result.listed or len(result.values) > 1:
        return _as_list(result.values, context), None
    return result.values[0] if result.values else context.made(None)


def _as_list(values: list[Value], context: Context) -> Node:
    items = [bound(*value) for value in values]
    return ListNode(items, *context.source, live=any(item.live for item in items))


def mapped(node: Node, place: Place | None, context: Context) -> Node:
    """A value with everything embedded in it resolved. What waits is asked for together: a mistake beside it is told
    only when that is known, because then it may be the second one."""
    wanted: list[tuple[Node, Place]] = []

    def resolved(node: Node, place: Place | None) -> tuple[Node, bool]:
        try:
            return resolved_alone(node, place)
        except Blocked as blocked:
            wanted.extend(blocked.wanted)
            return node, False
        except (PlaitError, Inherited):
            if wanted:
                raise Blocked(*wanted) from None
            raise

    def resolved_alone(node: Node, place: Place | None) -> tuple[Node, bool]:
        plain = written(node) if node.live else node
        if plain is not node:
            return bound(*one(evaluate(plain, context), context)), False
        if isinstance(node, MapNode) and node.live:
            return MapNode(node.entries, node.source, node.at, node.tag, True), True
        if isinstance(node, ListNode) and node.live:
            return ListNode(node.items, node.source, node.at, node.tag, True), True
        return (bound(*context.known(node, place)) if node.live else node), False

    made = remade(node, resolved, place, lambda place, step: place and place.child(step))
    if wanted:
        raise Blocked(*wanted)
    return made


# Calling functions


def _call(node: MapNode, context: Context) -> QueryResult:
    function = _function(node, context)
    options = {key_text(key): child for key, child in node.entries.items() if key != function.name}
    for word in options:
        if word in MISPLACED_WORDS:
            raise MISPLACED.error(
                context.label(),
                word=word,
                hint=f"write it beside `eval`: {{eval: {{{function.name}: ...}}, {word}: ...}}",
            )
    argument = node.entries[function.name]
    call = QueryCall(function, context, [argument], dict(options))
    call.language = _Language()
    found = function.evaluate(call)
    return QueryResult([found]) if function.quotes and found is not None else _returned(found, context)


class _Language:
    """What functions need of the language: they are below it."""

    __slots__ = ()

    evaluate = staticmethod(lambda node, context: evaluate(node, context).values)
    mapped = staticmethod(lambda node, context: context.known(mapped(node, None, context), None))
    one = staticmethod(lambda node, context: one(evaluate(node, context), context))
    match = staticmethod(lambda node, context: _match(evaluate(node, context), context))
    render = staticmethod(lambda text, context: render(text, context, _asker(context)))
    for_each = staticmethod(lambda value, node, context: for_each(QueryResult([value]), node, context).values)


def _function(node: MapNode, context: Context) -> QueryFunction:
    """The function that a map calls: its first key that is one."""
    names = [key for key in node.entries if isinstance(key, str) and key in FUNCTIONS]
    if not names:
        shown_names = ", ".join(f"`{key_text(key)}`" for key in node.entries) or "an empty map"
        hint = next((hint for key in node.entries if (hint := did_you_mean(key_text(key), FUNCTIONS))), "")
        hint = hint or "a map here is a function call; write {q: ...} for data"
        raise UNKNOWN_FUNCTION.error(context.label(), name=shown_names, hint=hint)
    name = next((name for name in names if name not in KEYWORDS), names[0])
    function = FUNCTIONS[name]
    if context.settings.safe and not function.safe:
        raise UNSAFE.error(
            context.label(), name=name, hint="it reads something outside the document; run the query without safe mode"
        )
    return function


def _match(result: QueryResult, context: Context) -> Value | None:
    """What an expression found, as one value; None where it found nothing."""
    return one(result, context) if result.values or result.listed else None


def _returned(value: Value | None, context: Context) -> QueryResult:
    """What a function gives: a list is several matches, and null is none."""
    if value is None:
        return QueryResult([])
    node = value[0]
    if isinstance(node, Scalar) and node.value is None:
        return QueryResult([])
    if isinstance(node, ListNode):
        return QueryResult(members(value, context), listed=True)
    return QueryResult([value])


# foreach and select


def for_each(result: QueryResult, body: Node, context: Context) -> QueryResult:
    """The body for each of the results; a single list is iterated item by item. Without a match, nothing is made."""
    if _is_true(body) or not (result.values or result.listed):
        return QueryResult(result.values, listed=True)
    items = result.values
    if len(items) == 1 and not result.listed and isinstance(items[0][0], ListNode):
        items = members(items[0], context)
    return _loop(items, body, context)


def chosen(result: QueryResult, body: Node, context: Context) -> QueryResult:
    """The body for each of the results, without making a list of one."""
    looped = for_each(result, body, context)
    return QueryResult(looped.values, result.listed and len(looped.values) != 1)


def _is_true(body: Node) -> bool:
    return isinstance(body, Scalar) and body.value == "$true"


BREAK, CONTINUE = Scalar("$break", "$break"), Scalar("$continue", "$continue")
ROUND = 64
"""Steps for one round of a loop."""


def _loop(items: list[Value], body: Node, context: Context) -> QueryResult:
    body = written(body)
    pair = (
        isinstance(body, MapNode) and "value" in body.entries and all(key in ("key", "value") for key in body.entries)
    )
    key_body = body.entries.get("key") if pair and isinstance(body, MapNode) else None
    value_body = body.entries["value"] if pair and isinstance(body, MapNode) else body
    collection = (_as_list(items, context), None)
    entries: dict[Key, Node] = {}
    made: list[Value] = []
    wanted: list[tuple[Node, Place]] = []
    for index, item in enumerate(items):
        context.meter.step(ROUND)
        inner = _inside(context, index, item, collection)
        try:
            value = _body(value_body, inner)
            if value is None or value[0] is CONTINUE:
                continue
            if value[0] is BREAK:
                break
            if key_body is None:
                made.append(value)
            else:
                entries[_key(key_body, inner)] = bound(*value)
        except Blocked as blocked:
            wanted.extend(blocked.wanted)
    if wanted:
        raise Blocked(*wanted)
    if key_body is not None:
        live = any(child.live for child in entries.values())
        made = [(MapNode(entries, *context.source, live=live), None)]
    return QueryResult(made, listed=True)


def _key(body: Node, context: Context) -> Key:
    """A key that is computed; an error where it is made of a secret, because keys are shown."""
    before, context.run.secret = context.run.secret, False
    try:
        found = key_of(context.plain(_body(body, context) or context.made(None)))
        if context.run.secret:
            raise context.secret_key()
        return found
    finally:
        context.run.secret = mask_of(context.run.secret, before)


def _inside(context: Context, index: int, item: Value, collection: Value) -> Context:
    number = context.made(index)
    return context.at(item).having(
        {
            "item": item,
            "index": number,
            "key": number,
            "collection": collection,
            "break": (BREAK, None),
            "continue": (CONTINUE, None),
        }
    )


def _body(body: Node, context: Context) -> Value | None:
    """The body of a loop for one item: a text is an expression on the item, a map a value; None without a match."""
    body = written(body)
    if isinstance(body, Scalar) and isinstance(body.value, str):
        return _match(_text(body.value, body, context, upwards=False), context)
    if isinstance(body, MapNode) and is_expression(body):
        return _match(evaluate(body, context), context)
    return context.known(mapped(body, None, context), None)
