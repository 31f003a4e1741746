"""JSON Schema for data of a repository: the one place where a validator is made.

The package `jsonschema_rs` reads files and addresses that a `$ref` names, unless it is given a retriever. Ours
refuses: a schema is one document. Patterns run in linear time. A validator follows every reference each time
it occurs, so that twenty lines of schema can ask for a million checks: `visits` counts them beforehand, and the meter
is charged. What cannot be counted beforehand, such as compiling, runs in a child with limits.
"""

from __future__ import annotations

import json
import marshal
from urllib.parse import unquote

from plait.access.child import CAN_FORK, Child, TooMuch, TooSlow
from plait.core.meter import Meter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Pair = tuple[Any, "Spot", int]
    """A schema, the place in the data that it is applied to, and how often."""

COMPILE = b""
"""The message that only compiles the schema."""
SECONDS, MEMORY = 10, 256_000_000
"""What compiling a schema, or checking one document, may take at most."""
AGAIN = 128
"""Steps for a check that was made before: finding it wrong takes about so many microseconds."""
MOST = 1 << 60
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
LISTS = ("allOf", "anyOf", "oneOf")
SINGLE = ("not", "if", "then", "else")
BY_NAME = ("dependentSchemas", "dependencies")
EVERY = ("additionalProperties", "propertyNames", "additionalItems", "contains")
"""Keywords whose schema is applied to any child; `items` too, where it is not a list."""
REST = ("unevaluatedProperties", "unevaluatedItems")
"""Keywords that ask again, for each child, what the schemas beside them accepted."""


class BadSchema(ValueError):
    """A schema that cannot be used, and why."""


class Validator:
    """Checks data against one schema. Raises `ImportError` where `jsonschema_rs` is not installed.

    A schema that a repository brings needs a meter, and is compiled and used in a child with limits: `--max-seconds`
    could not stop native code.
    """

    def __init__(self, schema: object, meter: Meter | None) -> None:
        import jsonschema_rs  # slow to import: loaded here, so that a child has it

        assert jsonschema_rs
        self._schema = schema
        self._meter = meter
        self._child: Child | None = None
        self._compiled: Compiled | None = None
        if meter is None or not CAN_FORK:
            self._compiled = Compiled(schema)
        else:
            self._asked(COMPILE)

    def errors(self, data: object) -> Iterator[SchemaError]:
        """What is wrong with the data."""
        return (SchemaError(found, data) for found in self._findings("errors", data))

    def accepts(self, data: object) -> bool:
        """Whether nothing is wrong with the data."""
        return self._findings("accepts", data) is True

    def _findings(self, what: str, data: object) -> Any:
        if self._meter is not None:
            total, once = visits(self._schema, data, self._meter)
            self._meter.step(AGAIN * min(total - once, MOST))
        if self._compiled is not None:
            return self._compiled.findings(what, data)
        return self._asked(marshal.dumps((what, data)))  # type: ignore[arg-type]

    def _asked(self, message: bytes) -> Any:
        """What the child says; the ordinary error of a budget where it exceeds one."""
        meter = self._meter
        assert meter is not None
        if self._child is None:
            self._child = Child(lambda: SchemaAnswers(self._schema), MEMORY)
        try:
            found = json.loads(self._child.ask(message, min(SECONDS, meter.seconds_left())))
        except TooSlow:
            raise meter.overrun("seconds", min(SECONDS, meter.budgets.seconds)) from None
        except (TooMuch, ValueError):
            raise meter.overrun("memory", MEMORY) from None
        if "bad" in found:
            self._child.close()
            self._child = None
            raise BadSchema(found["bad"])
        return found["found"]


class SchemaAnswers:
    """In the child: messages as plain data, answers as JSON."""

    def __init__(self, schema: object) -> None:
        self._schema = schema
        self._compiled: Compiled | None = None

    def __call__(self, message: bytes) -> bytes:
        try:
            if self._compiled is None:
                self._compiled = Compiled(self._schema)
            found = None if message == COMPILE else self._compiled.findings(*marshal.loads(message))
        except BadSchema as trouble:
            return json.dumps({"bad": str(trouble)}).encode()
        return json.dumps({"found": found}).encode()


class Compiled:
    """A schema as native code uses it."""

    def __init__(self, schema: object) -> None:
        from jsonschema_rs import RegexOptions, validator_for

        try:
            self._validator = validator_for(schema, pattern_options=RegexOptions(), retriever=_refuse)  # type: ignore[arg-type]
        except ValueError as trouble:
            why = str(trouble).partition("\n")[0]
            raise BadSchema("it refers to another document" if "retrieving it failed" in why else why) from None

    def findings(self, what: str, data: object) -> Any:
        """Whether the data is accepted, or all that is wrong with it as plain data."""
        if what == "accepts":
            return self._validator.is_valid(data)
        return [_plain(error) for error in self._validator.iter_errors(data)]


def _plain(error: Any) -> list[Any]:
    """An error of the package as plain data, with those of its alternatives. Schemas are not so deep that recursion
    would matter, and a child may die of it."""
    kind = error.kind
    branches = getattr(kind, "context", None) or [] if kind.name in ("anyOf", "oneOf") else []
    return [
        str(error.message),
        list(error.instance_path),
        list(error.schema_path),
        kind.name,
        getattr(kind, "property", None),
        list(getattr(kind, "unexpected", None) or []),
        [[_plain(inner) for inner in branch] for branch in branches],
    ]


class SchemaError:
    """What is wrong at one place of the data."""

    __slots__ = ("_data", "branches", "instance_path", "kind", "message", "missing", "schema_path", "unexpected")

    def __init__(self, plain: list[Any], data: object) -> None:
        self.message, self.instance_path, self.schema_path, self.kind, self.missing, self.unexpected, branches = plain
        self._data = data
        self.branches = [[SchemaError(inner, data) for inner in branch] for branch in branches]
        """The errors of each alternative."""

    @property
    def instance(self) -> Any:
        """The value that is wrong."""
        found: Any = self._data
        for step in self.instance_path:
            found = found[step]
        return found


class Spot:
    """A place in the data: equal values at two places are two."""

    __slots__ = ("_children", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self._children: dict[object, Spot] | None = None

    @property
    def children(self) -> dict[object, Spot]:
        """The places below by name or index."""
        if self._children is None:
            value = self.value
            below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            self._children = {name: Spot(child) for name, child in below}
        return self._children


def _refuse(address: str) -> Any:
    """Another document is neither read nor fetched."""
    raise ValueError(address)


def visits(schema: object, data: object, meter: Meter) -> tuple[int, int]:
    """How often a validator applies a schema to a value, and how often it would with memoization.

    Each pair of a schema and a value is looked at once, and its cost is that of the pairs below it: without recursion.
    """
    once = 1
    names = _names(schema)
    costs: dict[tuple[int, int], int] = {}
    below: dict[tuple[int, int], list[Pair]] = {}
    whole = Spot(data)
    stack: list[Pair] = [(schema, whole, 1)]
    while stack:
        one, spot, left = stack.pop()
        key = id(one), id(spot)
        if not left:
            costs[key] = 1 + sum(times * costs[id(inner), id(place)] for inner, place, times in below.pop(key))
        elif key not in costs:
            costs[key] = 0  # a reference to itself ends here, as in the validator
            below[key] = pairs = list(_applied(one, spot, schema, names))
            once += len(pairs)
            meter.step(len(pairs) + 1)
            stack.append((one, spot, 0))
            stack += [pair for pair in pairs if (id(pair[0]), id(pair[1])) not in costs]
    return costs[id(schema), id(whole)], once


def _applied(schema: Any, spot: Spot, root: object, names: dict[str, list[object]]) -> Iterator[Pair]:
    """The schemas that one schema applies to a value and to what is in it."""
    if not isinstance(schema, dict):
        return
    times = 1 + len(spot.children) * sum(name in schema for name in REST)
    yield from ((inner, spot, times) for inner in _in_place(schema, root, names))
    yield from _by_name(schema, spot)
    everywhere = [schema[name] for name in (*EVERY, *REST) if name in schema]
    everywhere += [schema["items"]] if isinstance(schema.get("items"), dict) else []
    everywhere += _values(schema.get("patternProperties"))
    yield from ((inner, child, 1) for inner in everywhere for child in spot.children.values())


def _by_name(schema: dict[str, Any], spot: Spot) -> Iterator[Pair]:
    """Schemas for the entry of one name, or for the item at one index."""
    for keyword, kind in (("properties", dict), ("items", list), ("prefixItems", list)):
        rules = schema.get(keyword)
        if isinstance(rules, kind) and isinstance(spot.value, kind):
            known = rules if isinstance(rules, dict) else dict(enumerate(rules))
            yield from ((known[name], child, 1) for name, child in spot.children.items() if name in known)


def _in_place(schema: dict[str, Any], root: object, names: dict[str, list[object]]) -> Iterator[object]:
    """The schemas that apply to the same value."""
    for keyword in LISTS:
        found = schema.get(keyword)
        yield from found if isinstance(found, list) else ()
    yield from (schema[keyword] for keyword in SINGLE if keyword in schema)
    for keyword in BY_NAME:
        yield from _values(schema.get(keyword))
    for keyword in REFERENCES:
        if isinstance(schema.get(keyword), str):
            yield from _targets(schema[keyword], root, names)


def _values(data: object) -> list[object]:
    return list(data.values()) if isinstance(data, dict) else []


def _targets(reference: str, root: object, names: dict[str, list[object]]) -> Iterator[object]:
    """What a reference may lead to. A name that several schemas have leads to all of them: that is an upper bound."""
    document, _, fragment = reference.partition("#")
    bases = [root, *names.get(document.rstrip("/").rpartition("/")[2], ())] if document else [root]
    if fragment and not fragment.startswith("/"):
        yield from names.get(fragment, ())
        return
    for base in bases:
        found: Any = base
        for step in fragment.split("/")[1:]:
            step = unquote(step).replace("~1", "/").replace("~0", "~")
            found = found.get(step) if isinstance(found, dict) else _item(found, step)
        if found is not None:
            yield found


def _item(data: object, step: str) -> object:
    return data[int(step)] if isinstance(data, list) and step.isdigit() and int(step) < len(data) else None


def _names(root: object) -> dict[str, list[object]]:
    """The schemas by the names that references use: the last part of their address, or their anchor."""
    named: dict[str, list[object]] = {}
    stack = [root]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            for keyword in ("$id", "id", "$anchor", "$dynamicAnchor"):
                if isinstance(one.get(keyword), str):
                    named.setdefault(one[keyword].rstrip("#/").rpartition("/")[2].lstrip("#"), []).append(one)
        stack += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return named
