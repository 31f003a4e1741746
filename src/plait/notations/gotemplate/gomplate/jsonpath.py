"""JSONPath as the package of Kubernetes has it: `.a.b`, `..name`, `[0]`, `[1:3]`, `['a','b']`, `[*]`, `[?(@.n > 1)]`.

A path is a list of steps. Each step makes, of the values that the one before it found, those that it finds itself.
"""

from __future__ import annotations

import re

from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.values import (
    MAX_PARTS,
    MISSING,
    endless,
    is_list,
    is_map,
    lookup,
    sorted_keys,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.meter import Meter

    Step = Callable[[list[Any]], list[Any]]

_NAME = re.compile(r"(?:\\.|[^\s\[\].,|(){}<>=!&\\'\"])+")
_SLICE = re.compile(r"(-?\d+)?(?:(:)(-?\d+)?(?::(-?\d+)?)?)?\Z")
_QUOTED = re.compile(r"'((?:\\.|[^'\\])*)'\Z|\"((?:\\.|[^\"\\])*)\"\Z")
_SIGN = re.compile(r"==|!=|<=|>=|<|>")
LONGEST = 2_000
"""The longest path, in letters."""
NESTED = 20
"""How deep filters may stand in filters."""


def find(path: str, data: Any, meter: Meter) -> list[Any]:
    """What a path finds, in order; what is nil among several is left out."""
    found = PathReader(path, data, meter).steps()([data])
    return found if len(found) == 1 else [value for value in found if value is not None]


class PathReader:
    """Reads a path from left to right."""

    __slots__ = ("at", "deep", "meter", "path", "root")

    def __init__(self, path: str, root: Any, meter: Meter, deep: int = 0) -> None:
        if deep > NESTED:
            raise CallError("the filters of the path nest too deeply")
        if len(path) > LONGEST:
            raise CallError(f"the JSONPath is longer than {LONGEST} letters")
        self.path = path.strip()
        self.root = root
        self.meter = meter
        self.at = 0
        self.deep = deep

    def steps(self) -> Step:
        """All steps as one."""
        made: list[Step] = []
        while self.at < len(self.path):
            made.append(self.step())
        return lambda values: self.walked(made, values)

    def walked(self, steps: list[Step], values: list[Any]) -> list[Any]:
        for step in steps:
            self.meter.step(2 * len(values) + 1)
            values = step(values)
            if len(values) > MAX_PARTS:
                raise endless()
        return values

    def step(self) -> Step:
        rest = self.path[self.at :]
        if rest[0] == "$" or rest[0] == "@":
            self.at += 1
            return (lambda values: [self.root]) if rest[0] == "$" else lambda values: values
        if rest.startswith(".."):
            self.at += 1 if rest[2:3] != "[" else 2
            return self.everything
        if rest[0] == "[":
            return self.bracket()
        if rest[0] != ".":
            raise self.fault(f"unexpected `{rest[0]}`")
        self.at += 1
        return self.name()

    def name(self) -> Step:
        if self.path[self.at : self.at + 1] in ("[", ""):
            return lambda values: values
        found = _NAME.match(self.path, self.at)
        if found is None:
            raise self.fault("a name is missing after `.`")
        self.at = found.end()
        return _all if found[0] == "*" else _field(re.sub(r"\\(.)", r"\1", found[0]))

    def bracket(self) -> Step:
        inside = self.inside()
        choices = [self.choice(part.strip()) for part in _separated(inside)]
        return choices[0] if len(choices) == 1 else lambda values: [item for one in choices for item in one(values)]

    def inside(self) -> str:
        """What is between a bracket and the one that closes it; brackets inside quotes do not count."""
        open_, start, quote = 0, self.at + 1, ""
        for at in range(self.at, len(self.path)):
            letter = self.path[at]
            if quote:
                quote = "" if letter == quote and self.path[at - 1] != "\\" else quote
            elif letter in "'\"":
                quote = letter
            elif letter in "[]":
                open_ += 1 if letter == "[" else -1
                if not open_:
                    self.at = at + 1
                    return self.path[start:at]
        raise self.fault("unterminated array")

    def choice(self, written: str) -> Step:
        if written == "*":
            return _all
        quoted = _QUOTED.match(written)
        if quoted is not None:
            return _field(re.sub(r"\\(.)", r"\1", quoted[1] if quoted[1] is not None else quoted[2]))
        if written.startswith("?("):
            return self.filter(written)
        part = _SLICE.match(written)
        if part is None or not written:
            raise self.fault(f"invalid array index {written}")
        return _slice(part)

    def filter(self, written: str) -> Step:
        if not written.endswith(")"):
            raise self.fault("unterminated filter")
        left, sign, right = _compared(written[2:-1])
        first, second = self.operand(left), self.operand(right) if sign else None

        def keep(values: list[Any]) -> list[Any]:
            kept: list[Any] = []
            for value in values:
                if not is_list(value):
                    raise CallError(f"{type_name(value)} is not array or slice and cannot be filtered")
                self.meter.step(4 * len(value))
                kept += [item for item in value if _passes(first(item), sign, second(item) if second else [])]
            return kept

        return keep

    def operand(self, written: str) -> Callable[[Any], list[Any]]:
        """What is on one side of a comparison: a path, or a value."""
        quoted = _QUOTED.match(written)
        if quoted is not None:
            text = quoted[1] if quoted[1] is not None else quoted[2]
            return lambda item: [text]
        if written[:1] in ("@", "$"):
            steps = PathReader(written, self.root, self.meter, self.deep + 1).steps()
            return lambda item: _found_or_nothing(steps, item)
        if written in ("true", "false"):
            return lambda item: [written == "true"]
        try:
            number = float(written) if "." in written else int(written)
        except ValueError:
            raise self.fault(f"cannot compare with `{written}`") from None
        return lambda item: [number]

    def everything(self, values: list[Any]) -> list[Any]:
        """The values, and all lists and maps below them."""
        found: list[Any] = []
        todo = list(reversed(values))
        while todo:
            if len(found) > MAX_PARTS or len(todo) > MAX_PARTS:
                raise endless()
            value = todo.pop()
            inner = _all([value]) if is_list(value) or is_map(value) else []
            self.meter.step(1 + len(inner))
            found += [value] if inner else []
            todo += reversed(inner)
        return found

    def fault(self, why: str) -> CallError:
        return CallError(f"couldn't parse JSONPath {self.path}: {why}")


def _separated(inside: str) -> list[str]:
    """The choices between brackets: what commas outside of quotes and filters part."""
    if inside.strip().startswith("?"):
        return [inside]
    return re.findall(r"(?:'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|[^,'\"])+", inside) or [""]


def _compared(inside: str) -> tuple[str, str, str]:
    """The two sides of a comparison and the sign between them, which stands in no quotes; an empty sign for none."""
    quote = ""
    for at, letter in enumerate(inside):
        if letter in "'\"" and quote in ("", letter):
            quote = "" if quote else letter
        elif not quote and (found := _SIGN.match(inside, at)) is not None:
            return inside[:at].strip(), found[0], inside[found.end() :].strip()
    return inside.strip(), "", ""


def _field(name: str) -> Step:
    def get(values: list[Any]) -> list[Any]:
        found = [lookup(value, name) for value in values if is_map(value)]
        known = [value for value in found if value is not MISSING]
        if not known:
            raise CallError(f"{name} is not found")
        return known

    return get


def _found_or_nothing(steps: Step, item: Any) -> list[Any]:
    try:
        return steps([item])
    except CallError as problem:
        if str(problem).endswith(" is not found"):
            return []
        raise


def _all(values: list[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if is_map(value):
            found += [lookup(value, key) for key in sorted_keys(value)]
        elif is_list(value):
            found += list(value)
    return found


def _slice(written: re.Match[str]) -> Step:
    start = int(written[1]) if written[1] else None
    end, step = (int(written[at]) if written[at] else None for at in (3, 4))
    single = not written[2]

    def cut(values: list[Any]) -> list[Any]:
        found: list[Any] = []
        for value in values:
            if not is_list(value):
                raise CallError(f"{type_name(value)} is not array or slice")
            size = len(value)
            first = (start or 0) + (size if (start or 0) < 0 else 0)
            last = first + 1 if single else size if end is None else end + size if end < 0 else end
            found += list(value)[_checked(first, last, size) : last : _stride(step)]
        return found

    return cut


def _checked(first: int, last: int, size: int) -> int:
    if first != last:
        for at in (first, last - 1):
            if not 0 <= at < size:
                raise CallError(f"array index out of bounds: index {at}, length {size}")
        if first > last:
            raise CallError(f"starting index {first} is greater than ending index {last}")
    return first


def _stride(step: int | None) -> int:
    if step is not None and step <= 0:
        raise CallError("step must be > 0")
    return step or 1


def _passes(left: list[Any], sign: str, right: list[Any]) -> bool:
    """Whether an item of a list is wanted: it has what is looked for, or that compares as it should."""
    if not sign:
        return bool(left)
    if not left or not right:
        return False
    if len(left) > 1 or len(right) > 1:
        raise CallError("can only compare one element at a time")
    one, other = left[0], right[0]
    if sign in ("==", "!="):
        same = one.__class__ is other.__class__ or (_is_number(one) and _is_number(other))
        return bool(same and one == other) is (sign == "==")
    if not (_is_number(one) and _is_number(other)) and not (one.__class__ is other.__class__ is str):
        raise CallError(f"cannot compare {type_name(one)} with {type_name(other)}")
    return bool({"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[sign])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and value.__class__ is not bool
