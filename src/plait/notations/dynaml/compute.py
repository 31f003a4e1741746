"""What each kind of piece of an expression gives. What fails by itself can be caught by `||`; what waits for something
that failed cannot.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Bound, ListNode, MapNode, Mark, Node, Scalar, is_null, sorted_keys
from plait.core.scope import Denied
from plait.notations.dynaml import tree as terms
from plait.notations.dynaml.asking import caught, repeated, steps_of, term_of
from plait.notations.dynaml.env import PIECE, Env, apply, curried
from plait.notations.dynaml.functions import HOMES, UNWANTED
from plait.notations.dynaml.items import text_of
from plait.notations.dynaml.lookup import find, inside, reached, unmarked
from plait.notations.dynaml.operators import integer, simple, truth
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import (
    BAD_TAG,
    NO_FUNCTION,
    NO_REFERENCE,
    NO_STUBS,
    NOT_HERE,
    NOT_IN_STUBS,
    WRONG_ARGUMENT,
    WRONG_OPERAND,
)
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.notations.dynaml.declared import DynamlFunction
    from plait.notations.dynaml.env import Raw

NOT_CURRIED = frozenset({"defined", "valid", "require", "optional", "stub", "catch", "sync"})


# References


def dynamic(tree: terms.Dynamic, env: Env) -> Node:
    return find(env, steps_of(env, tree.steps, tree), tree, tree.rooted)


def select(tree: terms.Select, env: Env) -> Node:
    return inside(env, env.value(tree.inner), steps_of(env, tree.steps, tree), tree.inner)


def projection(tree: terms.Projection, env: Env) -> Node:
    assert tree.inner is not None
    return _projected(tree, env, env.value(tree.inner))


def _projected(tree: terms.Projection, env: Env, over: Node) -> Node:
    if isinstance(over, MapNode) and tree.whole:
        items = [over.entries[key] for key in sorted_keys(over)]
    elif isinstance(over, ListNode):
        items = over.items
    else:
        what = "a list or a map" if tree.whole else "a list"
        raise env.failure(WRONG_OPERAND, tree, issue=f"{what} is required for '{tree}'")
    if not tree.whole:
        items = _slice(tree, env, items)
    steps = steps_of(env, tree.steps, tree)
    env.meter.step(len(items) * (1 + len(steps)))
    found = [unmarked(inside(env, item, steps, tree) if steps else item) for item in items]
    return env.made_list(found if tree.rest is None else [_projected(tree.rest, env, each) for each in found])


def _slice(tree: terms.Projection, env: Env, items: list[Node]) -> list[Node]:
    """Some of the items, both ends included. Negative positions count from the end."""
    first, last = (_bound(tree, env, bound) for bound in (tree.first, tree.last))
    if first is not None and last is not None and (first < 0) is not (last < 0):
        raise env.failure(WRONG_OPERAND, tree, issue=f"range '{first}..{last}' counts from both ends")
    size = len(items)
    start = (-size if last is not None and last < 0 else 0) if first is None else first
    end = (-1 if start < 0 else size - 1) if last is None else last
    if end < start:
        return []
    if start < -size or end >= size:
        issue = f"range '{start}..{end}' is outside of a list of {size} items"
        raise env.failure(WRONG_OPERAND, tree, issue=issue)
    return items[start:] if end == -1 else items[start : end + 1]


def _bound(tree: terms.Term, env: Env, bound: terms.Term | None) -> int | None:
    if bound is None:
        return None
    value = env.value(bound)
    number = integer(value) if not is_null(value) else None
    if number is None:
        raise env.failure(WRONG_OPERAND, tree, issue="the ends of a range must be integers")
    return number


def range_of(tree: terms.RangeOf, env: Env) -> Node:
    first, last = (_bound(tree, env, bound) for bound in (tree.first, tree.last))
    assert first is not None
    assert last is not None
    env.meter.make((abs(last - first) + 1) * 64)
    step = 1 if first <= last else -1
    return env.made_list([env.made(number) for number in range(first, last + step, step)])


def tag(tree: terms.TagReference, env: Env) -> Node:
    """What a tag leads to: the tag itself if it has the path, else those below it, the shortest names first."""
    host, _ = env.host(tree)
    steps = steps_of(env, tree.steps, tree)
    candidates = host.tagged(tree.tag, env.scope)
    if not candidates:
        raise env.failure(BAD_TAG, tree, issue=f"tag '{tree.tag}' not found", hint="`&tag:NAME` defines a tag")
    fitting: list[tuple[str, Node]] = []
    level = -1
    for tag, node, place in candidates:
        size = tag.count(".")
        if fitting and size > level:
            break
        found = reached(env, node, place, steps)
        if found is not None:
            fitting.append((tag, found))
            level = size
            if tag == tree.tag:
                break
    if len(fitting) > 1:
        issue = f"ambiguous tag resolution for {tree}: {' <-> '.join(tag for tag, _ in fitting)}"
        raise env.failure(BAD_TAG, tree, issue=issue, hint="name the whole tag")
    if not fitting:
        raise env.failure(NO_REFERENCE, tree, path=str(tree))
    return unmarked(fitting[0][1])


# Stubs


def merge(tree: terms.Merge, env: Env) -> Node:
    node = _asked(tree, env)
    if node is not None:
        return node
    assert env.staged is not None
    address = env.staged.address if tree.path is None else env.effects.redirect
    path = ".".join(address.path) if address is not None else ""
    raise env.failure(NOT_IN_STUBS, tree, path=path, referred=path, hint="`|| value` gives a default")


def _asked(tree: terms.Merge, env: Env) -> Node | None:
    """What stubs have for a `merge`; None for nothing."""
    if env.staged is None:
        raise env.failure(NO_STUBS, tree, hint="`plait merge` merges its layers by itself")
    address, effects = env.staged.address, env.effects
    if tree.none:
        effects.merged = True
        effects.redirect = address.unmerged()
        return env.made(None)
    if tree.path is not None:
        steps = tree.path.steps
        address = address.elsewhere(("", *steps) if tree.path.rooted else steps)
    if tree.key:
        effects.key = tree.key
    if tree.path is not None or address.moved:
        effects.redirect = address
    node = address.asked()
    if node is not None:
        effects.merged = True
        effects.replace = tree.replace
    return node


# Values and operators


def map_of(tree: terms.MapOf, env: Env) -> Node:
    keys = env.values(key for key, _ in tree.entries)
    made: dict[str, Node] = {}
    for key, (written, value) in zip(keys, tree.entries, strict=True):
        name = simple(key)
        if name is None or (env.dialect.successor and text_of(key) is None):
            raise env.failure(WRONG_OPERAND, written, issue="a key must be a string")
        found = env.settled(value)
        made[name] = env.made(None) if isinstance(found, Mark) else found
    return env.made_map(made)


def scoped(tree: terms.Scoped, env: Env) -> Node:
    """Names for what follows; their values do not see each other."""
    names = {name: env.aside(lambda piece=piece: env.value(piece)) for name, piece in tree.names}  # type: ignore[misc]
    env.effects.undefined = False  # a name for it is a name for nil
    before = env.names
    env.names = {**before, **names}
    try:
        found = env.outcome(tree.body)
        return env.whole(found) if found.live else found
    finally:
        env.names = before


def first_that_works(tree: terms.Many, env: Env) -> Node:
    """The first of some pieces that does not fail by itself and is not undefined, and after `//` not nil either. A call
    that is not allowed does not count as such."""
    effects, nil = env.effects, isinstance(tree, terms.OrNil)
    for item in tree.items[:-1]:
        merged = effects.merged
        if isinstance(item, terms.Merge) and env.staged is not None:  # most find nothing: so no error is made first
            env.meter.step(PIECE)
            if _asked(item, env) is None:
                effects.merged, effects.replace = merged, False
                continue
        try:
            found = env.settled(item)
            if isinstance(found, Mark):
                continue
            if not (nil and is_null(found)):
                return found
        except Denied:
            raise
        except Fault:
            effects.merged, effects.replace = merged, False
    return env.outcome(tree.items[-1])


# Marks and templates


def marked(tree: terms.Marked, env: Env) -> Node:
    env.effects.marks += tree.marks
    if "template" in tree.marks:
        _, staged = env.host(tree)
        if tree.inner is None and env.dialect.successor:
            raise env.failure(WRONG_OPERAND, tree, issue="empty template value", hint="write &template ( value )")
        inner = tree.inner.inner if isinstance(tree.inner, terms.Bracketed) else tree.inner
        shown = "(( &template ))" if inner is None else f"(( &template ({_as_in(env, tree)}) ))"
        term = terms.Literal(tree.at, None) if inner is None else inner
        return TemplateBody(None, term, env.made(shown), shown, env.place, staged)
    return env.made(None) if tree.inner is None else env.outcome(tree.inner)


def _as_in(env: Env, tree: terms.Marked) -> str:
    """The value of a mark as it is written."""
    assert tree.inner is not None
    return env.text[2:-2][tree.inner.at :].strip() or f"( {tree.inner} )"


def instance(tree: terms.TemplateUse, env: Env) -> Node:
    template = env.value(tree.inner)
    if not isinstance(template, TemplateBody):
        raise env.failure(WRONG_OPERAND, tree, issue="template value required", hint="`&template` makes one")
    return instance_of(tree, env, template)


def instance_of(tree: terms.Term, env: Env, template: TemplateBody) -> Node:
    """A template, evaluated here."""
    names = {**env.visible(), "_": template}
    if template.body is None:
        before = env.names
        env.names = names
        try:
            assert template.term is not None
            found = env.outcome(template.term)
            return env.whole(found) if found.live else found
        finally:
            env.names = before
    host, staged = env.host(tree)
    made, place = host.instance(env.key(tree), template.body, env.place, staged, names)
    return Bound(made, place) if made.live else made


# Mappings, functions, lambdas


def _mapper(tree: terms.Each, env: Env) -> LambdaValue:
    """The function of an iteration. One that is written there does not change what `_` means."""
    if isinstance(tree.to, terms.Lambda):
        return LambdaValue(tree.to, env.origin, env.names, env.place, env.staged, tuple(env.values(tree.to.defaults)))
    return as_function(tree, env, env.value(tree.to))


def as_function(tree: terms.Term, env: Env, value: Node) -> LambdaValue:
    """A lambda, or the one that a text holds."""
    if isinstance(value, LambdaValue):
        return value
    if isinstance(value, Scalar) and isinstance(value.value, str) and not isinstance(value, TemplateBody):
        found = env.value(term_of(tree, env, value.value))
        if isinstance(found, LambdaValue):
            return found
    raise env.failure(WRONG_ARGUMENT, tree, issue=f"'{tree}' requires a lambda")


def _rounds(tree: terms.Each, env: Env) -> list[tuple[Node, Node]]:
    """What `map[]` and its like go through: keys or indices, with values."""
    over = env.value(tree.over)
    lists, maps = ACCEPTED.get((tree.kind, tree.braces), (True, True))
    if isinstance(over, ListNode) and lists:
        env.meter.step(len(over.items))
        return [(env.made(index), item) for index, item in enumerate(over.items)]
    if isinstance(over, MapNode) and maps:
        env.meter.step(len(over.entries))
        return [(env.made(key), over.entries[key]) for key in sorted_keys(over) if isinstance(key, str)]
    if isinstance(over, ListNode | MapNode):
        kind = "list" if isinstance(over, ListNode) else "map"
        raise env.failure(WRONG_OPERAND, tree.over, issue=f"{tree.form} does not support {kind} values")
    raise env.failure(WRONG_OPERAND, tree.over, issue="map or list required for mapping")


ACCEPTED = {
    ("select", True): (False, True),
    ("filter", False): (True, False),
    ("filter", True): (False, True),
}
"""Forms that do not take both lists and maps."""


def _round(
    tree: terms.Each, env: Env, function: LambdaValue, before: list[Node], round_: tuple[Node, Node], turn: int
) -> Node:
    """One call: the function takes the element, or its key and the element."""
    count = len(function.tree.names) - len(before)
    if not 1 <= count <= 2:
        takes = "one or two names for its elements"
        takes = (
            f"a name for the sum and {takes.removesuffix(' names for its elements')} for its elements"
            if before
            else takes
        )
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"{tree.form} takes {takes}")
    arguments = [*before, *round_[-count:]]
    if function.tree is tree.to:
        if function.tree.rest:
            arguments[-1] = env.made_list(arguments[-1:])
        return env.within(dict(zip(function.tree.names, arguments, strict=True)), function.tree.to, turn)
    return apply(tree, env, function, arguments, turn=turn)


def each(tree: terms.Each, env: Env) -> Node:
    if tree.kind in ("catch", "sync"):
        return _caught(tree, env) if tree.kind == "catch" else _synced(tree, env)
    rounds = _rounds(tree, env)
    function = _mapper(tree, env)
    if tree.start is not None:
        return _sum(tree, env, function, rounds)
    nodes: dict[str, Node] = {}
    drops_nil = env.dialect.successor or tree.braces
    for turn, round_ in enumerate(rounds):
        value = _round(tree, env, function, [], round_, turn)
        kept = not isinstance(value, Mark) and (
            not (drops_nil and is_null(value)) if tree.kind == "map" else truth(value)
        )
        if kept:
            key = _key(tree, env, round_) if tree.braces else str(turn)
            nodes[key] = value if tree.kind == "map" else round_[1]
    return env.made_map(nodes) if tree.braces else env.made_list(list(nodes.values()))


def _key(tree: terms.Each, env: Env, round_: tuple[Node, Node]) -> str:
    """The key for a round: that of a map, or the element of a list."""
    if isinstance(round_[0], Scalar) and isinstance(round_[0].value, str):
        return round_[0].value
    name = text_of(round_[1]) if env.dialect.successor else simple(round_[1])
    if name is None:
        raise env.failure(WRONG_OPERAND, tree.over, issue=f"{tree.form} needs a list of strings")
    return name


def _sum(tree: terms.Each, env: Env, function: LambdaValue, rounds: list[tuple[Node, Node]]) -> Node:
    assert tree.start is not None
    total = env.value(tree.start)
    for turn, round_ in enumerate(rounds):
        total = _round(tree, env, function, [total], round_, turn)
        if isinstance(total, Mark):
            total = env.made(None)
    return total


def _caught(tree: terms.Each, env: Env) -> Node:
    state = caught(env, tree.over)
    return _told(tree, env, _mapper(tree, env), state, 0)


def _told(tree: terms.Each, env: Env, function: LambdaValue, state: dict[str, Node], turn: object) -> Node:
    """A call with the value of an expression, or nil, and its error, or nil."""
    nil = env.made(None)
    good = truth(state["valid"])
    arguments: list[Node] = [state["value"] if good else nil, nil if good else state["error"]]
    return apply(tree, env, function, arguments[: len(function.tree.names)], turn=turn)


def _synced(tree: terms.Each, env: Env) -> Node:
    function = _mapper(tree, env)
    written = tree.to if isinstance(tree.to, terms.Lambda) else None
    more = list(tree.more)
    result = None
    if written is not None and written.second is not None:
        second = terms.Lambda(written.at, written.names, written.second)
        result = LambdaValue(second, env.origin, env.names, env.place, env.staged)
    elif more and (written is None or isinstance(more[0], terms.Lambda)):
        found = env.value(more[0])
        if isinstance(found, LambdaValue):
            result = found
            more.pop(0)

    def done(state: dict[str, Node]) -> Node | None:
        if not truth(_told(tree, env, function, state, "done")):
            return None
        return state.get("value", env.made(None)) if result is None else _told(tree, env, result, state, "value")

    return repeated(tree, env, tree.over, done, more[0] if more else None)


def function(tree: terms.Lambda, env: Env) -> Node:
    """A function. One inside another is defined where the other is."""
    around = env.visible().get("_")
    place, staged = env.place, env.staged
    if isinstance(around, LambdaValue | TemplateBody):
        place, staged = around.place, around.staged
    return LambdaValue(tree, env.origin, env.visible(), place, staged, tuple(env.values(tree.defaults)))


def function_in(tree: terms.LambdaOf, env: Env) -> Node:
    return as_function(tree.inner, env, env.value(tree.inner))


def call(tree: terms.CallTerm, env: Env) -> Node:
    if tree.word in UNWANTED:
        raise env.failure(NOT_HERE, tree, name=tree.word, hint=UNWANTED[tree.word])
    named = {each.name: each.value for each in tree.arguments if isinstance(each, terms.NamedArgument)}
    if len(named) + sum(not isinstance(each, terms.NamedArgument) for each in tree.arguments) < len(tree.arguments):
        raise env.failure(WRONG_ARGUMENT, tree, issue="one parameter is named twice")
    places = [isinstance(each, terms.NamedArgument) for each in tree.arguments]
    if sorted(places, reverse=True) != places:
        raise env.failure(WRONG_ARGUMENT, tree, issue="named arguments come first")
    callee = _callee(tree, env)
    given = dict(zip(named, env.values(named.values()), strict=True))
    arguments = env.values(each for each in tree.arguments if not isinstance(each, terms.NamedArgument))
    return apply(tree, env, callee, arguments, given, tree.curry)


def call_in_part(tree: terms.CallTerm, env: Env, function: DynamlFunction) -> Raw:
    """A call of a function that evaluates its arguments itself, or that gets only some of them."""
    if any(isinstance(each, terms.NamedArgument) for each in tree.arguments):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"{function.name} takes no named arguments")
    if tree.curry:
        if function.name in NOT_CURRIED:
            raise env.failure(WRONG_ARGUMENT, tree, issue=f"{function.name} cannot be called with only some arguments")
        return env.aside(lambda: curried(tree, env, env.values(tree.arguments)))
    check_count(tree, env, function, len(tree.arguments))
    return env.call(function, tree, [])


def check_count(tree: terms.CallTerm, env: Env, function: DynamlFunction, count: int) -> None:
    if not function.least <= count <= (count if function.most is None else function.most):
        issue = f"{function.name}({function.arguments}) has other arguments"
        raise env.failure(WRONG_ARGUMENT, tree, issue=issue, hint=f"for example: {function.example}")


def _callee(tree: terms.CallTerm, env: Env) -> LambdaValue:
    """The lambda that is called."""
    try:
        if tree.word and env.dialect.successor and not _lambda_name(tree.name):
            raise env.failure(NO_FUNCTION, tree, name=tree.word)
        value = env.aside(lambda: env.value(tree.name))
    except Denied:
        raise
    except Fault:
        if not tree.word:
            raise
        raise env.failure(NO_FUNCTION, tree, name=tree.word, hint=did_you_mean(tree.word, list(HOMES))) from None
    if not isinstance(value, LambdaValue):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"'{tree.name}' is not a function")
    return value


def _lambda_name(name: terms.Term) -> bool:
    """Whether a name can be that of a lambda: spiff++ takes one without a dot for a function of its own."""
    return not isinstance(name, terms.Reference) or name.rooted or len(name.steps) > 1 or name.steps[0] == "_"
