"""Functions that ask about values: whether there is one, of which kind it is, what a stub or a tag has."""

from __future__ import annotations

from time import monotonic, sleep

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Mark, Node, Scalar, is_null
from plait.core.scope import Denied
from plait.notations.dynaml.declared import FunctionTable, text_in
from plait.notations.dynaml.lookup import unmarked
from plait.notations.dynaml.operators import truth
from plait.notations.dynaml.parse import NotDynaml, parse
from plait.notations.dynaml.tree import CallTerm, Dynamic, Reference, Term, walk
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import NOT_IN_STUBS, RAISED, UNPARSEABLE, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.notations.dynaml.env import Env

TABLE = FunctionTable("Questions about values")
function = TABLE.function


def _tried(env: Env, tree: Term) -> Node | Fault:
    """The value of a piece, a mark where it is undefined, or why there is none."""
    try:
        return env.aside(lambda: env.settled(tree))
    except Denied:
        raise
    except Fault as fault:
        return fault


@function("defined", "values...", "Whether every reference has a value; nil is one.", "defined(a.b)", 0, lazy=True)
def defined(tree: CallTerm, env: Env) -> Node:
    return env.made(all(not isinstance(_tried(env, each), Fault | Mark) for each in tree.arguments))


@function("valid", "values...", "Whether every reference has a value that is not nil.", "valid(a.b)", 0, lazy=True)
def valid(tree: CallTerm, env: Env) -> Node:
    found = [_tried(env, each) for each in tree.arguments]
    return env.made(all(isinstance(each, Node) and not isinstance(each, Mark) and not is_null(each) for each in found))


@function("require", "value", "The value; it fails if there is none, or nil.", "require(a.b)", 1, 1, lazy=True)
def require(tree: CallTerm, env: Env) -> Node:
    found = env.aside(lambda: env.value(tree.arguments[0]))
    if is_null(found):
        raise env.failure(RAISED, tree, issue=f"'{env.own(tree.arguments[0])}' is nil, and a value is required")
    return found


@function(
    "optional", "condition, value", "The value if a condition holds, else nothing.", "optional(a.b, 1)", 2, 2, lazy=True
)
def optional(tree: CallTerm, env: Env) -> Node:
    found = _tried(env, tree.arguments[0])
    if isinstance(found, Fault | Mark) or not truth(found):
        return env.undefined()
    return env.outcome(tree.arguments[1])


@function("catch", "value", "Whether a value can be computed, and it or the error.", "catch(a.b)", 1, 1, lazy=True)
def catch(tree: CallTerm, env: Env) -> Node:
    return env.made_map(caught(env, tree.arguments[0]))


def caught(env: Env, tree: Term) -> dict[str, Node]:
    """`valid`, `error` and `value` of a piece."""
    found = _tried(env, tree)
    if isinstance(found, Fault):
        return {"valid": env.made(False), "error": env.made(found.diagnostics[0].message)}
    return {
        "valid": env.made(True),
        "error": env.made(""),
        "value": env.made(None) if isinstance(found, Mark) else found,
    }


@function(
    "sync",
    "value, condition [, result [, seconds]]",
    "Repeats an expression until a condition on `valid`, `error` and `value` holds.",
    "sync(a.b, valid, value)",
    2,
    4,
    lazy=True,
)
def sync(tree: CallTerm, env: Env) -> Node:
    expression, condition, *more = tree.arguments

    def done(state: dict[str, Node]) -> Node | None:
        if not truth(env.within(state, condition)):
            return None
        return env.within(state, more[0]) if more else state.get("value", env.made(None))

    return repeated(tree, env, expression, done, more[1] if len(more) > 1 else None)


def repeated(tree: Term, env: Env, expression: Term, done: object, limit: Term | None) -> Node:
    """Ask again and again, where asking again can give something else: only what is not cached is asked twice."""
    seconds = 300.0
    if limit is not None:
        found = env.value(limit)
        value = found.value if isinstance(found, Scalar) else None
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise env.failure(WRONG_ARGUMENT, tree, issue="the timeout of sync must be a number of seconds")
        seconds = float(value)
    end = monotonic() + min(seconds, env.scope.seconds_left())
    changes = any(isinstance(each, CallTerm) and each.word.endswith("_uncached") for each in walk(expression))
    while True:
        state = caught(env, expression)
        answer = done(state)  # type: ignore[operator]
        if isinstance(answer, Node):
            return answer
        if not changes or monotonic() >= end:
            text = state["error"].text if isinstance(state["error"], Scalar) else ""
            raise env.failure(RAISED, tree, issue=f"sync timeout{f': {text}' if text else ''}")
        sleep(0.1)


@function("eval", "text", "The value of a text as an expression.", 'eval("1 + 2")', 1, 1)
def evaluated(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.outcome(term_of(tree, env, text_in(tree, env, value, "argument of eval")))


def term_of(tree: Term, env: Env, text: str) -> Term:
    """The tree of a text that is an expression."""
    host = None if env.staged is None else env.staged.host
    try:
        return parse(text)[0] if host is None else host.term(text)
    except NotDynaml as trouble:
        raise env.failure(UNPARSEABLE, tree, hint=f"{trouble.why}: {text}") from None


@function(
    "stub",
    "[path]",
    "What the stubs have at a path, or at the path of the node.",
    'stub(a.b) || "none"',
    0,
    1,
    lazy=True,
)
def stub(tree: CallTerm, env: Env) -> Node:
    _, staged = env.host(tree)
    here = staged.address
    address = here.elsewhere(_path(tree, env, tree.arguments[0]) if tree.arguments else here.path)
    found = address.asked()
    if found is None:
        path = ".".join(address.path)
        raise env.failure(NOT_IN_STUBS, tree, path=path, referred=path, hint="`|| value` gives a default")
    return unmarked(found)


def _path(tree: CallTerm, env: Env, argument: Term) -> tuple[str, ...]:
    """A reference as a path, or the path that a string or a list gives."""
    if isinstance(argument, Reference):
        return argument.steps
    if isinstance(argument, Dynamic):
        return steps_of(env, argument.steps, tree)
    found = env.value(argument)
    if isinstance(found, ListNode):
        return tuple(step_of(tree, env, item) for item in found.items)
    return tuple(text_in(tree, env, found, "argument of stub").removeprefix(".").split("."))


def steps_of(env: Env, steps: tuple[str | Term, ...], tree: Term) -> tuple[str, ...]:
    """Steps, with those that are computed as values."""
    made: list[str] = []
    for step in steps:
        if isinstance(step, str):
            made.append(step)
            continue
        found = env.value(step)
        made += [step_of(tree, env, item) for item in (found.items if isinstance(found, ListNode) else [found])]
    return tuple(made)


def step_of(tree: Term, env: Env, node: Node) -> str:
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, int) and not isinstance(value, bool):
        return f"[{value}]"
    if isinstance(value, str):
        return value
    raise env.failure(WRONG_ARGUMENT, tree, issue="an index must be an integer, a string or a list of them")


KINDS = {str: "string", bool: "bool", int: "int", float: "float", type(None): "nil"}


@function("type", "value", "The kind of a value.", 'type("a")', 1, 1, lazy=True)
def kind(tree: CallTerm, env: Env) -> Node:
    return env.made(kind_of(env.settled(tree.arguments[0])))


def kind_of(node: Node) -> str:
    """`int`, `float`, `bool`, `string`, `list`, `map`, `lambda`, `template`, `nil` or `undef`."""
    if isinstance(node, LambdaValue | TemplateBody):
        return "lambda" if isinstance(node, LambdaValue) else "template"
    if isinstance(node, Scalar):
        return KINDS.get(node.value.__class__, "string")
    return "list" if isinstance(node, ListNode) else "map" if isinstance(node, MapNode) else "undef"


@function("features", "[name]", "The features that are switched on, or whether one is.", 'features("control")', 0, 1)
def features(tree: CallTerm, env: Env, name: Node | None = None) -> Node:
    on = env.dialect.features
    if name is None:
        return env.made_list([env.made(each) for each in sorted(on)])
    word = text_in(tree, env, name, "argument of features")
    return env.made(word in on)


@function(
    "tagdef",
    "name, value [, scope]",
    "Gives a value a tag; the scope is `local` or `global`.",
    'tagdef("t", 1)',
    2,
    3,
)
def tagdef(tree: CallTerm, env: Env, name: Node, value: Node, scope: Node | None = None) -> Node:
    host, _ = env.host(tree)
    word = text_in(tree, env, name, "first argument of tagdef").replace(":", ".")
    reach = "local" if scope is None else text_in(tree, env, scope, "third argument of tagdef")
    if reach not in ("local", "global"):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"invalid scope '{reach}': it is local or global")
    host.define(word if reach == "local" or word.startswith("*") else f"*{word}", value, env.place)
    return value
