"""What each kind of piece of an expression gives. What fails by itself can be caught by `||`; what waits for something
that failed cannot.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Mapping, Node, Sequence
from plait.core.scope import Denied
from plait.notations.dynaml import tree as terms
from plait.notations.dynaml.env import CALL, Env, LambdaValue, apply
from plait.notations.dynaml.functions import FUNCTIONS
from plait.notations.dynaml.lookup import find
from plait.notations.dynaml.manifest import pool_size
from plait.notations.dynaml.operators import OPERATORS, concatenate, truth
from plait.report.catalog import NO_FUNCTION, NO_STUBS, NOT_IN_STUBS, WRONG_ARGUMENT, WRONG_OPERAND
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.notations.dynaml.env import Rules


def _reference(tree: terms.Reference, env: Env) -> Node:
    return find(env, tree.steps, tree, tree.rooted)


# Stubs


def _merge(tree: terms.Merge, env: Env) -> Node:
    if env.staged is None:
        raise env.failure(NO_STUBS, tree, hint="`plait merge` merges its layers by itself")
    address, effects = env.staged.address, env.effects
    if tree.path is not None:
        steps = tree.path.steps
        address = address.elsewhere(("", *steps) if tree.path.rooted else steps)
    if tree.key:
        effects.key = tree.key
    if tree.path is not None or address.moved:
        effects.redirect = address
    node = address.found()
    if node is None:
        path = ".".join(address.path)
        raise env.failure(NOT_IN_STUBS, tree, path=path, referred=path, hint="`|| value` gives a default")
    effects.merged = True
    effects.replace = tree.replace
    return node


def _auto(tree: terms.Auto, env: Env) -> Node:
    return pool_size(tree, env)


# Values and operators


def _literal(tree: terms.Literal, env: Env) -> Node:
    return env.made(tree.value)


def _list(tree: terms.ListOf, env: Env) -> Node:
    return env.made_list(env.values(tree.items))


def _group(tree: terms.Bracketed, env: Env) -> Node:
    return env.value(tree.inner)


def _or(tree: terms.Or, env: Env) -> Node:
    """The first that does not fail by itself. A call that is not allowed does not count as such."""
    effects = env.effects
    for item in tree.items[:-1]:
        merged = effects.merged
        try:
            return env.value(item)
        except Denied:
            raise
        except Fault:
            effects.merged, effects.replace = merged, False
    return env.value(tree.items[-1])


def _concat(tree: terms.Concat, env: Env) -> Node:
    return concatenate(tree, env, env.values(tree.items))


def _chain(tree: terms.Operations, env: Env) -> Node:
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


def _not(tree: terms.Not, env: Env) -> Node:
    return env.made(not truth(env.value(tree.inner)))


def _choice(tree: terms.Conditional, env: Env) -> Node:
    return env.value(tree.yes if truth(env.value(tree.test)) else tree.no)


def _marked(tree: terms.Marked, env: Env) -> Node:
    env.effects.marks += tuple(f"dynaml:{mark}" for mark in tree.marks)
    return env.made(None) if tree.inner is None else env.value(tree.inner)


# Mappings, functions, lambdas


def _rounds(tree: terms.Each, env: Env) -> list[tuple[Node, Node]]:
    """What `map[]` and its like go through: keys or indices, with values."""
    over = env.value(tree.over)
    if isinstance(over, Sequence):
        return [(env.made(index), item) for index, item in enumerate(over.items)]
    if isinstance(over, Mapping):
        return [
            (env.made(key), over.entries[key]) for key in sorted(key for key in over.entries if isinstance(key, str))
        ]
    raise env.failure(WRONG_OPERAND, tree.over, issue="map or list required for mapping")


def _bound(tree: terms.Each, names: tuple[str, ...], round_: tuple[Node, Node], env: Env) -> dict[str, Node]:
    if len(names) > 2:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"{tree.kind}[] takes one or two names for its elements")
    return dict(zip(names, round_[-len(names) :], strict=True))


def _each(tree: terms.Each, env: Env) -> Node:
    rounds = _rounds(tree, env)
    if tree.start is not None:
        return _sum(tree, env, rounds)
    nodes: list[Node] = []
    for round_ in rounds:
        value = env.within(_bound(tree, tree.names, round_, env), tree.to)
        if tree.kind == "map":
            nodes.append(value)
        elif truth(value):
            nodes.append(round_[1])
    return env.made_list(nodes)


def _sum(tree: terms.Each, env: Env, rounds: list[tuple[Node, Node]]) -> Node:
    assert tree.start is not None
    if len(tree.names) < 2:
        raise env.failure(WRONG_ARGUMENT, tree, issue="sum[] takes a name for the sum and one or two for its elements")
    total = env.value(tree.start)
    for round_ in rounds:
        total = env.within({tree.names[0]: total, **_bound(tree, tree.names[1:], round_, env)}, tree.to)
    return total


def _lambda(tree: terms.Lambda, env: Env) -> Node:
    return LambdaValue(tree, env, env.names, env.place, env.staged)


def _call(tree: terms.CallTerm, env: Env) -> Node:
    name = tree.name
    function = FUNCTIONS.get(name.steps[0]) if len(name.steps) == 1 and not name.rooted else None
    if function is not None:
        if function.lazy:
            return function.evaluate(tree, env)
        arguments = env.values(tree.arguments)
        if not function.least <= len(arguments) <= (function.most or len(arguments)):
            issue = f"{function.name}({function.arguments}) has other arguments"
            raise env.failure(WRONG_ARGUMENT, tree, issue=issue, hint=f"for example: {function.example}")
        env.meter.step(CALL)
        return function.evaluate(tree, env, *arguments)
    return apply(tree, env, _callee(tree, env, list(FUNCTIONS)), env.values(tree.arguments))


def _callee(tree: terms.CallTerm, env: Env, functions: list[str]) -> LambdaValue:
    """The lambda that is called by name."""
    try:
        value = env.value(tree.name)
    except Denied:
        raise
    except Fault:
        name = str(tree.name)
        raise env.failure(NO_FUNCTION, tree, name=name, hint=did_you_mean(name, functions)) from None
    if not isinstance(value, LambdaValue):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"'{tree.name}' is not a function")
    return value


RULES: Rules = {
    terms.Literal: _literal,
    terms.ListOf: _list,
    terms.Reference: _reference,
    terms.Merge: _merge,
    terms.Auto: _auto,
    terms.CallTerm: _call,
    terms.Each: _each,
    terms.Lambda: _lambda,
    terms.Bracketed: _group,
    terms.Not: _not,
    terms.Marked: _marked,
    terms.Conditional: _choice,
    terms.Or: _or,
    terms.Concat: _concat,
    terms.Operations: _chain,
}
