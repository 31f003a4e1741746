"""What a parsed expression gives for a value: a table of operators, a table of path steps, a table of functions."""

from __future__ import annotations

from plait.notations.yq.functions import FUNCTIONS, compared, truth
from plait.notations.yq.parse import Tree, YqError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Value = object


def results(expression: str, data: Value) -> list[Value]:
    """All results of an expression."""
    return run(parse(expression), data)


def query(expression: str, data: Value) -> Value:
    """The result: the one there is, all of them as a list, or null."""
    found = results(expression, data)
    return found[0] if len(found) == 1 else found or None


def run(tree: Tree, data: Value) -> list[Value]:
    return KINDS[tree.kind](tree, data)


def _value(tree: Tree, data: Value) -> list[Value]:
    return [tree.word]


def _path(tree: Tree, data: Value) -> list[Value]:
    found = run(tree.word, data) if isinstance(tree.word, Tree) else [data]
    for at, step in enumerate(tree.parts):
        if step.kind == "try":
            continue
        lenient = at + 1 < len(tree.parts) and tree.parts[at + 1].kind == "try"
        found = [inner for value in found for inner in _step(step, value, data, lenient)]
    return found


def _step(step: Tree, value: Value, data: Value, lenient: bool) -> list[Value]:
    try:
        return STEPS[step.kind](step, value, data)
    except YqError:
        if lenient:
            return []
        raise


def _field(step: Tree, value: Value, data: Value) -> list[Value]:
    return [_get(value, step.word, step.at)]


def _index(step: Tree, value: Value, data: Value) -> list[Value]:
    return [_get(value, key, step.at) for key in run(step.parts[0], data)]


def _get(value: Value, key: Value, at: int) -> Value:
    if value is None:
        return None
    if isinstance(value, dict):
        return value.get(key if isinstance(key, str) else str(key))
    if isinstance(value, list):
        if isinstance(key, str) and key.lstrip("-").isdigit():
            key = int(key)
        if isinstance(key, int):
            return value[key] if -len(value) <= key < len(value) else None
        raise YqError(f"a list has no field `{key}`", at)
    raise YqError(f"`{value}` has no field `{key}`", at)


def _each(step: Tree, value: Value, data: Value) -> list[Value]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return list(value)
    if value is None:
        return []
    raise YqError(f"`{value}` has no parts", step.at)


def _slice(step: Tree, value: Value, data: Value) -> list[Value]:
    low, high = (found if isinstance(found := run(part, data)[0], int) else None for part in step.parts)
    if isinstance(value, list | str):
        return [value[low:high]]
    raise YqError("only a list or a text has a range", step.at)


STEPS: dict[str, Callable[[Tree, Value, Value], list[Value]]] = {
    "field": _field, "index": _index, "each": _each, "slice": _slice,
}  # fmt: skip


def _deep(tree: Tree, data: Value) -> list[Value]:
    found: list[Value] = []
    stack = [data]
    while stack:
        value = stack.pop()
        found.append(value)
        if isinstance(value, dict):
            stack.extend(reversed(value.values()))
        elif isinstance(value, list):
            stack.extend(reversed(value))
    return found


def _array(tree: Tree, data: Value) -> list[Value]:
    return [[value for part in tree.parts for value in run(part, data)]]


def _object(tree: Tree, data: Value) -> list[Value]:
    made: list[dict[str, Value]] = [{}]
    for entry in tree.parts:
        keys, values = run(entry.parts[0], data), run(entry.parts[1], data)
        made = [{**before, str(key): value} for before in made for key in keys for value in values]
    return list(made)


def _binary(tree: Tree, data: Value) -> list[Value]:
    left, right = tree.parts
    special = SPECIAL.get(str(tree.word))
    if special is not None:
        return special(left, right, data)
    sign = str(tree.word)
    return [compared(sign, a, b, tree.at) for b in run(right, data) for a in run(left, data)]


def _pipe(left: Tree, right: Tree, data: Value) -> list[Value]:
    return [inner for value in run(left, data) for inner in run(right, value)]


def _comma(left: Tree, right: Tree, data: Value) -> list[Value]:
    return run(left, data) + run(right, data)


def _alternative(left: Tree, right: Tree, data: Value) -> list[Value]:
    try:
        found = [value for value in run(left, data) if truth(value)]
    except YqError:
        found = []
    return found or run(right, data)


def _and(left: Tree, right: Tree, data: Value) -> list[Value]:
    return [truth(a) and truth(b) for a in run(left, data) for b in run(right, data)]


def _or(left: Tree, right: Tree, data: Value) -> list[Value]:
    return [truth(a) or truth(b) for a in run(left, data) for b in run(right, data)]


SPECIAL: dict[str, Callable[[Tree, Tree, Value], list[Value]]] = {
    "|": _pipe, ",": _comma, "//": _alternative, "and": _and, "or": _or,
}  # fmt: skip


def _call(tree: Tree, data: Value) -> list[Value]:
    name = str(tree.word)
    function = FUNCTIONS.get(name)
    if function is None:
        raise YqError(f"there is no function `{name}`", tree.at)
    if len(tree.parts) not in function.arities:
        raise YqError(f"`{name}` takes {' or '.join(map(str, function.arities))} arguments", tree.at)
    try:
        return function.run(data, *((lambda value, part=part: run(part, value)) for part in tree.parts))
    except (TypeError, AttributeError, ValueError) as trouble:
        if isinstance(trouble, YqError):
            raise
        raise YqError(f"`{name}` cannot work on this value", tree.at) from None


KINDS: dict[str, Callable[[Tree, Value], list[Value]]] = {
    "value": _value, "path": _path, "deep": _deep, "array": _array, "object": _object, "binary": _binary, "call": _call,
}  # fmt: skip
