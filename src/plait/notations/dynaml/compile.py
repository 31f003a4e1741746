"""Pieces of expressions as closures: what can be decided once for all texts of a shape is decided here.

Constants stay plain values, and so does what is made of them; a node is made where one is asked for. A piece that is
straight computes all that is in it, without a look at how deep it is and what it costs: that is known beforehand.
"""

from __future__ import annotations

from functools import partial

from plait.core.node import Inherited, Node, Scalar
from plait.core.scope import Blocked
from plait.notations.dynaml import compute
from plait.notations.dynaml import tree as terms
from plait.notations.dynaml.env import COMPILERS, PIECE, Env, PieceCode, Waiting, code_of
from plait.notations.dynaml.functions import HOMES, function_named
from plait.notations.dynaml.lookup import find, single_at
from plait.notations.dynaml.manifest import pool_size
from plait.notations.dynaml.operators import INTEGERS, LARGEST, OPERATORS, concatenate, truth
from plait.notations.dynaml.values import Given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from plait.notations.dynaml.env import Raw, Run

    Rule = Callable[[Any, Env], Raw]
    Gather = Callable[[Env], list[Raw]]

SHORT = {"-and": False, "-or": True}
"""The value on the left with which the right side does not matter, unless it is a number."""


def _by(rule: Rule) -> Callable[[terms.Term], PieceCode]:
    """A piece that evaluates what is in it by itself."""
    return lambda tree: PieceCode(partial(rule, tree))


def _aside(rule: Rule) -> Callable[[terms.Term], PieceCode]:
    """A piece in which `merge` says nothing about the node."""
    return _by(lambda tree, env: env.aside(lambda: rule(tree, env)))


def _around(parts: Sequence[terms.Term], make: Callable[[bool], Run], straight: bool = True) -> PieceCode:
    """A piece that computes its parts always. `make` is told whether those that are straight are computed in place."""
    codes = [code for code in map(code_of, parts) if code.straight]
    height = 1 + max(code.height for code in codes) if codes else 0
    straight = straight and len(codes) == len(parts)
    return PieceCode(make(True), PIECE + sum(code.price for code in codes), height, straight, lambda: make(False))


def operand(tree: terms.Term, in_place: bool) -> Run:
    """What gives the finished value of a piece."""
    code = code_of(tree)
    if not in_place or not code.straight:
        return lambda env: env.value(tree)
    inner, run = tree, code.run
    while isinstance(inner, terms.Bracketed):
        inner = inner.inner
    if not isinstance(inner, terms.Reference):
        return run

    def get(env: Env) -> Raw:
        found = run(env)
        return env.finished(found, tree) if found.live else found  # type: ignore[arg-type, union-attr]

    return get


def several(trees: Sequence[terms.Term], in_place: bool) -> Gather:
    """What gives the values of several pieces. What they wait for is asked for together."""
    gets = [_spread(tree) if isinstance(tree, terms.Spread) else operand(tree, in_place) for tree in trees]
    spreads = any(isinstance(tree, terms.Spread) for tree in trees)

    def gather(env: Env) -> list[Raw]:
        found: list[Raw] = []
        waiting = None
        for get in gets:
            try:
                found.append(get(env))  # type: ignore[arg-type]
            except (Blocked, Inherited) as wait:
                waiting = waiting or Waiting()
                waiting.add(wait)
        if waiting is not None:
            waiting.end()
        return [each for one in found for each in (one if isinstance(one, list) else (one,))] if spreads else found

    return gather


def _spread(tree: terms.Spread) -> Callable[[Env], list[Node]]:
    return lambda env: env.spread(tree)


# Values


def _literal(tree: terms.Literal) -> PieceCode:
    slot, value = tree.slot, tree.value
    return PieceCode((lambda env: value) if slot < 0 else (lambda env: env.slots[slot]), straight=True)


def _reference(tree: terms.Reference) -> PieceCode:
    slot, steps, rooted = tree.slot, tree.steps, tree.rooted

    def run(env: Env) -> Raw:
        path = steps if slot < 0 else env.slots[slot]
        return find(env, path, tree, rooted) if env.around is None else single_at(path, rooted, env.around)

    return PieceCode(run, straight=True)


def _group(tree: terms.Bracketed) -> PieceCode:
    inner = tree.inner
    code = code_of(inner)
    if not code.straight:
        return PieceCode(lambda env: env.outcome(inner))
    return _around((inner,), lambda in_place: code.run if in_place else lambda env: env.outcome(inner))


def _list(tree: terms.ListOf) -> PieceCode:
    has_undefined = any(isinstance(item, terms.Undefined) for item in tree.items)

    def make(in_place: bool) -> Run:
        gather = several(tree.items, in_place)

        def run(env: Env) -> Raw:
            if has_undefined and not env.dialect.successor:
                return env.undefined()
            return env.made_list(list(map(env.node, gather(env))))

        return run

    return _by(lambda tree, env: make(False)(env))(tree) if has_undefined else _around(tree.items, make, False)


# Operators


def _concat(tree: terms.Concat) -> PieceCode:
    def make(in_place: bool) -> Run:
        gather = several(tree.items, in_place)

        def run(env: Env) -> Raw:
            values = gather(env)
            pieces: list[str] = []
            for value in values:
                plain = value.value if value.__class__ is Scalar else value
                if plain.__class__ is str:
                    pieces.append(plain)
                elif plain.__class__ is int and -LARGEST <= plain < LARGEST:
                    pieces.append(str(plain))
                else:
                    return concatenate(tree, env, list(map(env.node, values)))
            return env.joined("", pieces)

        return run

    return _around(tree.items, make)


def _operations(tree: terms.Operations) -> PieceCode:
    def make(in_place: bool) -> Run:
        first = operand(tree.first, in_place)
        rest = [(SHORT.get(sign), operand(each, in_place), INTEGERS[sign], OPERATORS[sign]) for sign, each in tree.rest]

        def run(env: Env) -> Raw:
            waiting = None
            left: Raw = None
            try:
                left = first(env)
            except (Blocked, Inherited) as wait:
                waiting = Waiting()
                waiting.add(wait)
            for short, get, on_integers, operate in rest:
                if short is not None:
                    if waiting is not None:
                        waiting.end()  # whether the right side matters is not known before the left one
                    if is_true(left) is short and not _is_whole(left):
                        left = short
                        continue
                try:
                    right = get(env)
                except (Blocked, Inherited) as wait:
                    waiting = waiting or Waiting()
                    waiting.add(wait)
                    continue
                if waiting is not None:
                    continue
                a = left.value if left.__class__ is Scalar else left
                b = right.value if right.__class__ is Scalar else right
                made = on_integers(a, b) if a.__class__ is int and b.__class__ is int else None
                if made is None or (made.__class__ is int and not -LARGEST <= made < LARGEST):
                    left = operate(tree, env, env.node(left), env.node(right))
                else:
                    left = made
            if waiting is not None:
                waiting.end()
            return left

        return run

    if any(sign in SHORT for sign, _ in tree.rest):
        return PieceCode(make(False))
    return _around([tree.first, *(each for _, each in tree.rest)], make)


def is_true(found: Raw) -> bool:
    """Whether a value counts as true."""
    return truth(found) if isinstance(found, Node) else bool(found) or isinstance(found, float)


def _is_whole(found: Raw) -> bool:
    value = found.value if isinstance(found, Scalar) else found
    return isinstance(value, int) and not isinstance(value, bool)


def _not(tree: terms.Not) -> PieceCode:
    def make(in_place: bool) -> Run:
        get = operand(tree.inner, in_place)
        return lambda env: not is_true(get(env))

    return _around((tree.inner,), make)


def _choice(tree: terms.Conditional) -> PieceCode:
    def make(in_place: bool) -> Run:
        get = operand(tree.test, in_place)
        return lambda env: env.outcome(tree.yes if is_true(get(env)) else tree.no)

    return _around((tree.test,), make, False)


# Calls


def _call(tree: terms.CallTerm) -> PieceCode:
    if tree.word not in HOMES:
        return _by(compute.call)(tree)
    function = function_named(tree.word)
    assert function is not None
    if function.lazy or tree.curry or any(isinstance(each, terms.NamedArgument) for each in tree.arguments):
        return PieceCode(lambda env: compute.call_in_part(tree, env, function))

    def make(in_place: bool) -> Run:
        gather = several(tree.arguments, in_place)

        def run(env: Env) -> Raw:
            arguments = list(map(env.node, gather(env)))
            compute.check_count(tree, env, function, len(arguments))
            return env.call(function, tree, arguments)

        return run

    return _around(tree.arguments, make, False)


COMPILERS.update(
    {
        terms.Literal: _literal,
        terms.Undefined: _by(lambda tree, env: env.undefined()),
        Given: _by(lambda tree, env: tree.node),
        terms.ListOf: _list,
        terms.Spread: _by(lambda tree, env: env.outcome(tree.inner)),  # for a question about its elements
        terms.RangeOf: _aside(compute.range_of),
        terms.MapOf: _aside(compute.map_of),
        terms.Reference: _reference,
        terms.Dynamic: _aside(compute.dynamic),
        terms.Select: _aside(compute.select),
        terms.Projection: _by(compute.projection),
        terms.TagReference: _by(compute.tag),
        terms.Merge: _by(compute.merge),
        terms.Auto: _by(pool_size),
        terms.CallTerm: _call,
        terms.Each: _aside(compute.each),
        terms.Lambda: _by(compute.function),
        terms.LambdaOf: _by(compute.function_in),
        terms.Scoped: _by(compute.scoped),
        terms.Bracketed: _group,
        terms.Not: _not,
        terms.TemplateUse: _by(compute.instance),
        terms.Marked: _by(compute.marked),
        terms.Conditional: _choice,
        terms.Or: _by(compute.first_that_works),
        terms.OrNil: _by(compute.first_that_works),
        terms.Concat: _concat,
        terms.Operations: _operations,
    }
)
