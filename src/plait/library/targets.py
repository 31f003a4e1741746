"""A finished value as a dataclass or a pydantic model.

What does not fit is an error that points at its line of YAML.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, TypeVar

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.find import step_into
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text, plain_value
from plait.core.path import Path, format_path
from plait.report.catalog import BAD_FIT
from plait.report.near import did_you_mean

T = TypeVar("T")


def as_type(node: Node, target: type[T]) -> T:
    """The value as an instance of a type; all errors at once."""
    if dataclasses.is_dataclass(target):
        diagnostics: list[Diagnostic] = []
        made = _made(node, target, (), diagnostics)
        if diagnostics:
            raise Fault(*diagnostics)
        return typing.cast(T, made)
    return _validated(node, target)


def _validated(node: Node, target: type[T]) -> T:
    from pydantic import TypeAdapter, ValidationError  # an extra

    try:
        return TypeAdapter(target).validate_python(plain_value(node, reveal=True))
    except ValidationError as wrong:
        errors = [_located(node, tuple(error["loc"]), error["msg"], target) for error in wrong.errors()]
        raise Fault(*errors) from None


def _located(root: Node, place: tuple[Any, ...], why: str, target: object) -> Diagnostic:
    """The error at the deepest place of the path that is there."""
    node, path = root, ()
    for step in place:
        below = step_into(node, step)
        if below is None:
            break
        node, path = below, (*path, step)  # type: ignore[assignment]
    rest = [str(step) for step in place[len(path) :]]
    return _misfit(node, (*path, *rest), why, target)


def _misfit(node: Node, path: Path, why: str, target: object, hint: str = "") -> Diagnostic:
    name = getattr(target, "__name__", str(target))
    return BAD_FIT(Label(node.origin), path=format_path(path) or "the document", type=name, why=why, hint=hint)


# Dataclasses


def _made(node: Node, target: Any, path: Path, diagnostics: list[Diagnostic]) -> Any:
    """A value as a type. It goes as deep as the types do."""
    if dataclasses.is_dataclass(target) and isinstance(target, type):
        return _instance(node, target, path, diagnostics)
    origin, arguments = typing.get_origin(target), typing.get_args(target)
    if origin in (typing.Union, types.UnionType):
        return _first(node, arguments, path, diagnostics)
    if origin is list or target is list:
        return _items(node, arguments[0] if arguments else Any, path, diagnostics)
    if origin is dict or target is dict:
        return _entries(node, arguments[1] if arguments else Any, path, diagnostics)
    return _plain(node, target, path, diagnostics)


def _instance(node: Node, target: type, path: Path, diagnostics: list[Diagnostic]) -> Any:
    if not isinstance(node, MapNode):
        diagnostics.append(_misfit(node, path, f"a map is expected, not a {node.kind}", target))
        return None
    hints = typing.get_type_hints(target)
    fields = {field.name: field for field in dataclasses.fields(target) if field.init}
    given: dict[str, Any] = {}
    for key, child in node.entries.items():
        name = key_text(key)
        if name in fields:
            given[name] = _made(child, hints[name], (*path, name), diagnostics)
        else:
            diagnostics.append(
                _misfit(child, (*path, name), "there is no such field", target, did_you_mean(name, fields))
            )
    for name, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if name not in given and required:
            diagnostics.append(_misfit(node, (*path, name), "the value is missing", target))
    return target(**given) if not diagnostics else None


def _first(node: Node, arguments: tuple[Any, ...], path: Path, diagnostics: list[Diagnostic]) -> Any:
    """The first alternative that fits; the errors of the first one where none does."""
    errors: list[list[Diagnostic]] = []
    for argument in arguments:
        errors.append([])
        made = _made(node, argument, path, errors[-1])
        if not errors[-1]:
            return made
    diagnostics += errors[0]
    return None


def _items(node: Node, inner: Any, path: Path, diagnostics: list[Diagnostic]) -> Any:
    if not isinstance(node, ListNode):
        diagnostics.append(_misfit(node, path, f"a list is expected, not a {node.kind}", list))
        return None
    return [_made(item, inner, (*path, index), diagnostics) for index, item in enumerate(node.items)]


def _entries(node: Node, inner: Any, path: Path, diagnostics: list[Diagnostic]) -> Any:
    if not isinstance(node, MapNode):
        diagnostics.append(_misfit(node, path, f"a map is expected, not a {node.kind}", dict))
        return None
    return {
        key_text(key): _made(child, inner, (*path, key_text(key)), diagnostics) for key, child in node.entries.items()
    }


def _plain(node: Node, target: Any, path: Path, diagnostics: list[Diagnostic]) -> Any:
    value = plain_value(node, reveal=True)
    if target is Any:
        return value
    if target is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    wanted = type(None) if target is None else target if isinstance(target, type) else object
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is int):
        shown = f"`{node.text}`" if isinstance(node, Scalar) else f"a {node.kind}"
        diagnostics.append(_misfit(node, path, f"{shown} is not of type {wanted.__name__}", wanted))
    return value
