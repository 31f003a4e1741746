"""Positions in lists and texts: what the builtins `index` and `slice` take for one."""

from __future__ import annotations

from plait.core.quoting import from_bytes, to_bytes
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.values import MISSING, is_lazy, is_list, kind_name, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def basic_kind(value: Any) -> str:
    """The kind by which values compare; empty for those that do not."""
    kind = kind_name(value)
    return _BASIC.get(kind, "")


_BASIC = {
    "bool": "bool", "string": "string", "float64": "float", "complex128": "complex", "int": "int", "int64": "int",
    "int32": "int", "uint8": "uint", "uint32": "uint", "uint64": "uint",
}  # fmt: skip
INTEGERS = frozenset(("int", "uint"))


def no_value(value: Any) -> bool:
    return value is None or value is MISSING


def position(index: Any, length: int) -> int:
    if no_value(index):
        raise CallError("cannot index slice/array with nil")
    if basic_kind(index) not in INTEGERS:
        raise CallError(f"cannot index slice/array with type {type_name(index)}")
    if not 0 <= index <= length:
        raise CallError(f"index out of range: {index}")
    return int(index)


def part(value: Any, *indexes: Any) -> Any:
    if no_value(value):
        raise CallError("slice of untyped nil")
    if len(indexes) > 3:
        raise CallError(f"too many slice indexes: {len(indexes)}")
    is_text = value.__class__ is str
    if not is_text and not is_list(value):
        raise CallError(f"can't slice item of type {type_name(value)}")
    if is_text and len(indexes) == 3:
        raise CallError("cannot 3-index slice a string")
    raw: Any = to_bytes(value) if is_text else list(value)
    bounds = [position(step, len(raw)) for step in indexes]
    start = bounds[0] if bounds else 0
    end = bounds[1] if len(bounds) > 1 else len(raw)
    for low, high in zip(bounds, [end, *bounds[2:]], strict=False):
        if low > high:
            raise CallError(f"invalid slice index: {low} > {high}")
    made = list if is_lazy(value) else value.__class__
    return from_bytes(raw[start:end]) if is_text else made(raw[start:end])
