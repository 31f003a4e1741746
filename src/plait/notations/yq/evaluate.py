"""What a parsed expression gives for a value: a table of operators, a table of path steps, a table of functions."""

from __future__ import annotations

from plait.core.meter import Meter
from plait.notations.yq.functions import FUNCTIONS, compared, truth
from plait.notations.yq.parse import YqError, YqNode, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Value = object


def results(expression: str, data: Value, meter: Meter | None = None) -> list[Value]:
    """All results of an expression."""
    try:
        return YqRun(meter or Meter())(parse(expression), data)
    except RecursionError:
        raise YqError("the expression or the data nest too deeply") from None
    except ArithmeticError as trouble:
        raise YqError(f"this cannot be computed: {trouble}") from None


def query(expression: str, data: Value, meter: Meter | None = None) -> Value:
    """The result: the one there is, all of them as a list, or null."""
    found = results(expression, data, meter)
    return found[0] if len(found) == 1 else found or None


class YqRun:
    """One evaluation; the meter is charged for every result."""

    __slots__ = ("meter",)

    def __init__(self, meter: Meter) -> None:
        self.meter = meter

    def __call__(self, tree: YqNode, data: Value) -> list[Value]:
        values = KINDS[tree.kind](self, tree, data)
        self.meter.step(2 * len(values) + 2)
        return values


def _value(run: YqRun, tree: YqNode, data: Value) -> list[Value]:
    return [tree.word]


def _path(run: YqRun, tree: YqNode, data: Value) -> list[Value]:
    values = run(tree.word, data) if isinstance(tree.word, YqNode) else [data]
    for at, step in enumerate(tree.parts):
        if step.kind == "try":
            continue
        lenient = at + 1 < len(tree.parts) and tree.parts[at + 1].kind == "try"
        values = [inner for value in values for inner in _step(run, step, value, data, lenient)]
    return values


def _step(run: YqRun, step: YqNode, value: Value, data: Value, lenient: bool) -> list[Value]:
    try:
        values = STEPS[step.kind](run, step, value, data)
    except YqError:
        if lenient:
            return []
        raise
    run.meter.step(len(values) + 1)
    return values


def _field(run: YqRun, step: YqNode, value: Value, data: Value) -> list[Value]:
    return [_get(value, step.word, step.at)]


def _index(run: YqRun, step: YqNode, value: Value, data: Value) -> list[Value]:
    return [_get(value, key, step.at) for key in run(step.parts[0], data)]


def _get(value: Value, key: Value, at: int) -> Value:
    if value is None:
        return None
    if isinstance(value, dict):
        return value.get(key if isinstance(key, str) else str(key))
    if isinstance(value, list):
        if isinstance(key, str) and len(key) < 20 and key.lstrip("-").isdecimal():
            key = int(key)
        if isinstance(key, int):
            return value[key] if -len(value) <= key < len(value) else None
        raise YqError(f"a list has no field `{key}`", at)
    raise YqError(f"`{value}` has no field `{key}`", at)


def _each(run: YqRun, step: YqNode, value: Value, data: Value) -> list[Value]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return list(value)
    if value is None:
        return []
    raise YqError(f"cannot iterate over `{value}`", step.at)


def _slice(run: YqRun, step: YqNode, value: Value, data: Value) -> list[Value]:
    low, high = (found if isinstance(found := _one(run, part, data), int) else None for part in step.parts)
    if isinstance(value, list | str):
        run.meter.make(len(value))
        return [value[low:high]]
    raise YqError("only lists and strings can be sliced", step.at)


def _one(run: YqRun, tree: YqNode, data: Value) -> Value:
    """The first result of an expression that must have one."""
    found = run(tree, data)
    if not found:
        raise YqError("this has no result", tree.at)
    return found[0]


STEPS: dict[str, Callable[[YqRun, YqNode, Value, Value], list[Value]]] = {
    "field": _field, "index": _index, "each": _each, "slice": _slice,
}  # fmt: skip


def _deep(run: YqRun, tree: YqNode, data: Value) -> list[Value]:
    values: list[Value] = []
    stack = [data]
    while stack:
        value = stack.pop()
        values.append(value)
        run.meter.step()
        if isinstance(value, dict):
            stack.extend(reversed(value.values()))
        elif isinstance(value, list):
            stack.extend(reversed(value))
    return values


def _array(run: YqRun, tree: YqNode, data: Value) -> list[Value]:
    return [[value for part in tree.parts for value in run(part, data)]]


def _object(run: YqRun, tree: YqNode, data: Value) -> list[Value]:
    made: list[dict[str, Value]] = [{}]
    for number, entry in enumerate(tree.parts):
        keys, values = run(entry.parts[0], data), run(entry.parts[1], data)
        run.meter.make(len(made) * len(keys) * len(values) * (64 + 16 * number))
        made = [{**before, str(key): value} for before in made for key in keys for value in values]
    return list(made)


def _binary(run: YqRun, tree: YqNode, data: Value) -> list[Value]:
    """Operators of one chain, from the left: a chain may be long, so it is not followed by recursion."""
    chain: list[YqNode] = []
    while tree.kind == "binary":
        chain.append(tree)
        tree = tree.parts[0]
    values = _attempt(run, tree, data)
    for node in reversed(chain):
        values = _applied(run, node, values, data)
    if isinstance(values, YqError):
        raise values
    return values


def _attempt(run: YqRun, tree: YqNode, data: Value) -> list[Value] | YqError:
    try:
        return run(tree, data)
    except YqError as trouble:
        return trouble


def _applied(run: YqRun, node: YqNode, left: list[Value] | YqError, data: Value) -> list[Value] | YqError:
    """Applies one operator to the results on its left. A failure is kept: `//` further right may still replace it."""
    sign, right = str(node.word), node.parts[1]
    if sign == "//":
        kept = [] if isinstance(left, YqError) else [value for value in left if truth(value)]
        return kept or _attempt(run, right, data)
    if isinstance(left, YqError):
        return left
    try:
        return OPERATORS.get(sign, _computed)(run, left, node, data)
    except YqError as trouble:
        return trouble


def _pipe(run: YqRun, left: list[Value], node: YqNode, data: Value) -> list[Value]:
    return [inner for value in left for inner in run(node.parts[1], value)]


def _comma(run: YqRun, left: list[Value], node: YqNode, data: Value) -> list[Value]:
    right = run(node.parts[1], data)
    run.meter.step(len(left))
    return left + right


def _and(run: YqRun, left: list[Value], node: YqNode, data: Value) -> list[Value]:
    return [truth(a) and truth(b) for a, b in _pairs(run, left, run(node.parts[1], data))]


def _or(run: YqRun, left: list[Value], node: YqNode, data: Value) -> list[Value]:
    return [truth(a) or truth(b) for a, b in _pairs(run, left, run(node.parts[1], data))]


def _computed(run: YqRun, left: list[Value], node: YqNode, data: Value) -> list[Value]:
    pairs = _pairs(run, run(node.parts[1], data), left)
    return [compared(str(node.word), a, b, node.at, run.meter) for b, a in pairs]


def _pairs(run: YqRun, outer: list[Value], inner: list[Value]) -> list[tuple[Value, Value]]:
    run.meter.make(64 * len(outer) * len(inner))
    return [(a, b) for a in outer for b in inner]


OPERATORS: dict[str, Callable[[YqRun, list[Value], YqNode, Value], list[Value]]] = {
    "|": _pipe, ",": _comma, "and": _and, "or": _or,
}  # fmt: skip


def _call(run: YqRun, tree: YqNode, data: Value) -> list[Value]:
    name = str(tree.word)
    function = FUNCTIONS.get(name)
    if function is None:
        raise YqError(f"unknown function `{name}`", tree.at)
    if len(tree.parts) not in function.arities:
        raise YqError(f"`{name}` takes {' or '.join(map(str, function.arities))} arguments", tree.at)
    arguments = [(lambda value, part=part: run(part, value)) for part in tree.parts]
    if isinstance(data, str | list | dict):
        run.meter.step(len(data) if not isinstance(data, str) else len(data) >> 6)
    try:
        return function.run(run.meter, data, *arguments) if function.metered else function.run(data, *arguments)
    except (TypeError, AttributeError, ValueError, IndexError, KeyError) as trouble:
        if isinstance(trouble, YqError):
            raise
        raise YqError(f"`{name}` cannot be applied to this value", tree.at) from None


KINDS: dict[str, Callable[[YqRun, YqNode, Value], list[Value]]] = {
    "value": _value, "path": _path, "deep": _deep, "array": _array, "object": _object, "binary": _binary, "call": _call,
}  # fmt: skip
