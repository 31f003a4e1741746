"""yq's functions: a plain function and one declaration each. Arguments are expressions, run on whatever value fits."""

from __future__ import annotations

import json
import re
from typing import Any

from plait.core.meter import ITEM
from plait.notations.yq.parse import YqError
from plait.regexp import BadPattern, Regexp, expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.meter import Meter

    Expression = Callable[[object], list[object]]

Value = object


class YqFunction:
    """A function that expressions may call.

    `metered`: it takes the meter first, because its result or its work can be large.
    """

    __slots__ = ("about", "arities", "metered", "name", "run")

    def __init__(
        self,
        name: str,
        arities: tuple[int, ...],
        about: str,
        run: Callable[..., list[Value]],
        *,
        metered: bool = False,
    ) -> None:
        self.name = name
        self.arities = arities
        self.about = about
        self.run = run
        self.metered = metered


def truth(value: Value) -> bool:
    """Everything but false and null is true."""
    return value is not None and value is not False


def _rank(value: Value) -> tuple[int, str, float]:
    """An order over all values: null, booleans, numbers, texts, the rest."""
    if value is None:
        return (0, "", 0)
    if isinstance(value, bool):
        return (1, "", int(value))
    if isinstance(value, int | float):
        return (2, "", value)
    return (3, value, 0) if isinstance(value, str) else (4, json.dumps(value, sort_keys=True, default=str), 0)


def compared(sign: str, a: Value, b: Value, at: int, meter: Meter) -> Value:
    """One of the operators that look at two values."""
    if sign in _ORDER:
        return _ORDER[sign](_rank(a), _rank(b))
    if sign == "+":
        return _add(a, b, at, meter)
    if sign == "*" and isinstance(a, dict) and isinstance(b, dict):
        return deep_merged(a, b)
    if sign == "-" and isinstance(a, list) and isinstance(b, list):
        meter.step(len(a) * len(b))
        return [item for item in a if item not in b]
    if not isinstance(a, int | float) or not isinstance(b, int | float):
        raise YqError(f"`{sign}` needs numbers", at)
    if sign in "/%" and not b:
        raise YqError("division by zero", at)
    if isinstance(a, int) and isinstance(b, int):
        meter.number(a.bit_length() + b.bit_length())
    result = _ARITHMETIC[sign](a, b)
    return (
        int(result)
        if isinstance(result, float) and result.is_integer() and isinstance(a, int) and isinstance(b, int)
        else result
    )


_ORDER: dict[str, Callable[[tuple[int, str, float], tuple[int, str, float]], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "%": lambda a, b: a % b,
}  # fmt: skip


def _add(a: Value, b: Value, at: int, meter: Meter) -> Value:
    if a is None or b is None:
        return b if a is None else a
    if isinstance(a, list):
        more = b if isinstance(b, list) else [b]
        meter.make(ITEM * (len(a) + len(more)))
        return a + more
    if isinstance(a, dict) and isinstance(b, dict):
        meter.make(16 * ITEM * (len(a) + len(b)))
        return {**a, **b}
    if isinstance(a, str) or isinstance(b, str):
        left, right = text_of(a), text_of(b)
        meter.make(len(left) + len(right))
        return left + right
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a + b
    raise YqError("these values cannot be added", at)


def deep_merged(low: dict[str, Value], high: dict[str, Value]) -> dict[str, Value]:
    """Two maps of plain data, the second above the first."""
    made = dict(low)
    work = [(made, high)]
    while work:
        target, more = work.pop()
        for key, value in more.items():
            before = target.get(key)
            if isinstance(before, dict) and isinstance(value, dict):
                target[key] = copy = dict(before)
                work.append((copy, value))
            else:
                target[key] = value
    return made


def text_of(value: Value) -> str:
    """A value as yq prints it into a text."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _entries(data: Value) -> list[Value]:
    assert isinstance(data, dict | list)
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    return [{"key": key, "value": value} for key, value in pairs]


def _from_entries(entries: Any) -> dict[str, Value]:
    return {str(entry["key"]): entry.get("value") for entry in entries}


def _parts(data: Value) -> list[Value]:
    if isinstance(data, dict):
        return list(data.values())
    if not isinstance(data, list):
        raise YqError("this needs a list or a map")
    return data


def _keys(data: Value) -> list[Value]:
    return [sorted(data) if isinstance(data, dict) else list(range(len(_parts(data))))]


def _map(data: Value, f: Expression) -> list[Value]:
    return [[result for item in _parts(data) for result in f(item)]]


def _map_values(data: Value, f: Expression) -> list[Value]:
    if isinstance(data, dict):
        return [{key: f(value)[0] for key, value in data.items()}]
    return [[f(value)[0] for value in _parts(data)]]


def _with_entries(data: Value, f: Expression) -> list[Value]:
    return [_from_entries([result for entry in _entries(data) for result in f(entry)])]


def _has(data: Value, f: Expression) -> list[Value]:
    return [
        key in data if isinstance(data, dict) else isinstance(key, int) and 0 <= key < len(_parts(data))
        for key in f(data)
    ]


def _contains(meter: Meter, a: Value, b: Value) -> bool:
    meter.step()
    if isinstance(a, dict) and isinstance(b, dict):
        return all(key in a and _contains(meter, a[key], value) for key, value in b.items())
    if isinstance(a, list) and isinstance(b, list):
        return all(any(_contains(meter, x, y) for x in a) for y in b)
    return b in a if isinstance(a, str) and isinstance(b, str) else a == b


def _group_by(data: Value, f: Expression) -> list[Value]:
    groups: dict[str, list[Value]] = {}
    for item in _parts(data):
        groups.setdefault(json.dumps(f(item), sort_keys=True, default=str), []).append(item)
    return [list(groups.values())]


def _unique_by(data: Value, f: Expression) -> list[Value]:
    seen: dict[str, Value] = {}
    for item in _parts(data):
        seen.setdefault(json.dumps(f(item), sort_keys=True, default=str), item)
    return [list(seen.values())]


def _flatten(data: Value, depth: Expression | None = None) -> list[Value]:
    levels = depth(data)[0] if depth is not None else -1
    flat = list(_parts(data))
    while levels != 0 and any(isinstance(item, list) for item in flat):
        flat = [inner for item in flat for inner in (item if isinstance(item, list) else [item])]
        levels -= 1  # type: ignore[operator]
    return [flat]


def _sum(meter: Meter, data: Value) -> list[Value]:
    parts = _parts(data)
    if parts and all(isinstance(part, str) for part in parts):
        return _joined(meter, data, lambda _: [""])
    total: Value = None
    for item in parts:
        total = _add(total, item, 0, meter)
    return [total]


def _joined(meter: Meter, data: Value, f: Expression) -> list[Value]:
    separator, texts = str(f(data)[0]), [text_of(part) for part in _parts(data)]
    meter.make(len(separator) * len(texts) + sum(map(len, texts)))
    return [separator.join(texts)]


def _split(meter: Meter, data: Value, f: Expression) -> list[Value]:
    text, separator = str(data), str(f(data)[0])
    meter.make(64 * (text.count(separator) + 1) if separator else 0)
    return [text.split(separator)]


def _number(data: Value) -> list[Value]:
    text = text_of(data)
    return [int(text) if _INTEGER.fullmatch(text) else float(text)]


_INTEGER = re.compile(r"[-+]?[0-9]+")


def _regular(f: Expression, data: Value) -> Regexp:
    try:
        return Regexp(str(f(data)[0]))
    except BadPattern as trouble:
        raise YqError(str(trouble)) from None


def _substituted(meter: Meter, data: Value, f: Expression, g: Expression) -> list[Value]:
    replacement = str(g(data)[0])
    return [_regular(f, data).replace(str(data), lambda found: expand(replacement, found, meter), meter)]


TYPES = {
    "NoneType": "!!null",
    "bool": "!!bool",
    "int": "!!int",
    "float": "!!float",
    "str": "!!str",
    "list": "!!seq",
    "dict": "!!map",
}


def _picked(data: Any, f: Expression) -> list[Value]:
    wanted: Any = f(data)[0]
    return [{key: data[key] for key in wanted if key in data}]


def _omitted(data: Any, f: Expression) -> list[Value]:
    unwanted: Any = f(data)[0]
    left_out = {key for key in unwanted if isinstance(key, str)}
    return [{key: value for key, value in data.items() if key not in left_out}]


def _length(data: Value) -> list[Value]:
    return [0 if data is None else len(data) if isinstance(data, str | list | dict) else len(text_of(data))]


FUNCTIONS = {
    function.name: function
    for function in (
        YqFunction(
            "select",
            (1,),
            "The value, where the expression is true of it.",
            lambda data, f: [data for hit in f(data) if truth(hit)],
        ),
        YqFunction("map", (1,), "The expression on every part, as a list.", _map),
        YqFunction("map_values", (1,), "The expression on every value, keys kept.", _map_values),
        YqFunction("keys", (0,), "The keys of a map, sorted; the indexes of a list.", _keys),
        YqFunction("length", (0,), "How many parts or letters there are.", _length),
        YqFunction("has", (1,), "Whether there is such a key.", _has),
        YqFunction("not", (0,), "The opposite.", lambda data: [not truth(data)]),
        YqFunction("empty", (0,), "No result.", lambda data: []),
        YqFunction("to_entries", (0,), "A map as a list of {key, value}.", lambda data: [_entries(data)]),
        YqFunction("from_entries", (0,), "A map from a list of {key, value}.", lambda data: [_from_entries(data)]),
        YqFunction("with_entries", (1,), "The expression on every {key, value}.", _with_entries),
        YqFunction("sort", (0,), "Sorted.", lambda data: [sorted(_parts(data), key=_rank)]),
        YqFunction(
            "sort_by",
            (1,),
            "Sorted by an expression.",
            lambda data, f: [sorted(_parts(data), key=lambda x: [_rank(v) for v in f(x)])],
        ),
        YqFunction("reverse", (0,), "Reversed.", lambda data: [list(reversed(_parts(data)))]),
        YqFunction("unique", (0,), "Each part once.", lambda data: _unique_by(data, lambda item: [item])),
        YqFunction("unique_by", (1,), "One part for each result of the expression.", _unique_by),
        YqFunction("group_by", (1,), "Lists of the parts with the same result.", _group_by),
        YqFunction("flatten", (0, 1), "Nested lists as one list.", _flatten),
        YqFunction("first", (0,), "The first part.", lambda data: _parts(data)[:1]),
        YqFunction("last", (0,), "The last part.", lambda data: _parts(data)[-1:]),
        YqFunction("add", (0,), "All parts added up.", _sum, metered=True),
        YqFunction("min", (0,), "The smallest part.", lambda data: [min(_parts(data), key=_rank)]),
        YqFunction("max", (0,), "The largest part.", lambda data: [max(_parts(data), key=_rank)]),
        YqFunction("any", (0,), "Whether one part is true.", lambda data: [any(map(truth, _parts(data)))]),
        YqFunction("all", (0,), "Whether every part is true.", lambda data: [all(map(truth, _parts(data)))]),
        YqFunction(
            "any_c",
            (1,),
            "Whether the expression is true of one part.",
            lambda data, f: [any(truth(v) for x in _parts(data) for v in f(x))],
        ),
        YqFunction(
            "all_c",
            (1,),
            "Whether the expression is true of every part.",
            lambda data, f: [all(truth(v) for x in _parts(data) for v in f(x))],
        ),
        YqFunction(
            "contains",
            (1,),
            "Whether the argument is part of the value.",
            lambda meter, data, f: [_contains(meter, data, other) for other in f(data)],
            metered=True,
        ),
        YqFunction("join", (1,), "The parts as one text.", _joined, metered=True),
        YqFunction("split", (1,), "A text cut at a separator.", _split, metered=True),
        YqFunction(
            "test",
            (1,),
            "Whether a regular expression matches.",
            lambda meter, data, f: [_regular(f, data).found_in(str(data), meter)],
            metered=True,
        ),
        YqFunction("sub", (2,), "Replaces what a regular expression matches.", _substituted, metered=True),
        YqFunction("trim", (0,), "Without white space around.", lambda data: [str(data).strip()]),
        YqFunction("upcase", (0,), "In capitals.", lambda data: [str(data).upper()]),
        YqFunction("downcase", (0,), "In small letters.", lambda data: [str(data).lower()]),
        YqFunction("to_string", (0,), "As text.", lambda data: [text_of(data)]),
        YqFunction("tostring", (0,), "As text.", lambda data: [text_of(data)]),
        YqFunction("to_number", (0,), "As a number.", _number),
        YqFunction("tonumber", (0,), "As a number.", _number),
        YqFunction("to_json", (0, 1), "As JSON.", lambda data, *_: [json.dumps(data, ensure_ascii=False)]),
        YqFunction("tojson", (0,), "As JSON.", lambda data: [json.dumps(data, ensure_ascii=False)]),
        YqFunction("@json", (0,), "As JSON.", lambda data: [json.dumps(data, ensure_ascii=False)]),
        YqFunction("from_json", (0,), "Parses JSON.", lambda data: [json.loads(str(data))]),
        YqFunction("fromjson", (0,), "Parses JSON.", lambda data: [json.loads(str(data))]),
        YqFunction("type", (0,), "The YAML type.", lambda data: [TYPES.get(type(data).__name__, "!!str")]),
        YqFunction("tag", (0,), "The YAML type.", lambda data: [TYPES.get(type(data).__name__, "!!str")]),
        YqFunction("pick", (1,), "Only these keys.", _picked),
        YqFunction("omit", (1,), "Without these keys.", _omitted),
    )
}
