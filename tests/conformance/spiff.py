"""The cases of spiff: `merge`, `diff` and `parse`."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.core.node import Node, plain_value
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.diff import compare
from plait.notations.dynaml import tree as kinds
from plait.notations.dynaml.parse import NotDynaml, parse

ALLOWED = Guard(frozenset({"exec"}))


@contextmanager
def files(*texts: str) -> Iterator[list[str]]:
    """The texts as files of a folder of their own, the first one called `test`, from within that folder."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        names = ["test", *(f"stub{number}.yml" for number in range(1, len(texts)))]
        for name, text in zip(names, texts, strict=True):
            Path(folder, name).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            yield names
        finally:
            os.chdir(before)


def data(text: str) -> Any:
    """A text as spiff reads it, without evaluating anything."""
    with files(text) as names:
        return plain_value(Spiff(Project(".")).read(names[0], expressions=False))


def same(left: Any, right: Any) -> bool:
    """Equal as data; numbers compare numerically, but a boolean is no number."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)


def merged(names: list[str]) -> tuple[Any, str | None]:
    """The manifest, or what is wrong."""
    try:
        return plain_value(Spiff(Project(".", guard=ALLOWED)).merge(names)[0]), None
    except PlaitError as trouble:
        return None, str(trouble)


def merge(case: dict[str, Any], folder: str) -> None:
    error = case.get("error")
    with files(case["template"], *case["stubs"]) as names:
        found, said = merged(names)
    if said is not None:
        assert error, f"it fails: {said}"
        assert error is True or error in said, f"it says {said}"
        return
    assert not error, f"it gives {found}"
    expected = data(case["expected"])
    assert same(found, expected), f"it gives {found}, not {expected}"


def diff(case: dict[str, Any], folder: str) -> None:
    with files(case["template"], *case["stubs"]) as names:
        front = Spiff(Project("."))
        a, b = (front.read(name, expressions=False) for name in names)
    found = [{"path": list(each.path), "a": side(each.a), "b": side(each.b)} for each in compare(a, b)]
    expected = yaml.load(case["expected"], yaml.CSafeLoader)
    missing = [each for each in expected if not any(same(each, other) for other in found)]
    extra = [each for each in found if not any(same(each, other) for other in expected)]
    assert not missing, f"it does not find {missing}, but {found}"
    assert case.get("match") == "contains" or not extra, f"it also finds {extra}"


def side(node: Node | None) -> Any:
    return None if node is None else {"value": plain_value(node)}


SIGNS = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division", "%": "modulo"}


def as_data(tree: kinds.Term, path: list[str]) -> Any:
    """A tree in the words of the cases: operators of two operands each."""
    if isinstance(tree, kinds.Literal):
        names = {str: "string", bool: "boolean", int: "integer", type(None): "nil"}
        return {names[type(tree.value)]: tree.value}
    if isinstance(tree, kinds.Bracketed):
        return as_data(tree.inner, path)
    if isinstance(tree, kinds.Operations):
        made = as_data(tree.first, path)
        for sign, operand in tree.rest:
            made = {SIGNS[sign]: [made, as_data(operand, path)]}
        return made
    if isinstance(tree, kinds.Many):
        made = as_data(tree.items[0], path)
        for item in tree.items[1:]:
            made = {"or" if isinstance(tree, kinds.Or) else "concatenation": [made, as_data(item, path)]}
        return made
    return _other(tree, path)


def _other(tree: kinds.Term, path: list[str]) -> Any:
    if isinstance(tree, kinds.ListOf):
        return {"list": [as_data(item, path) for item in tree.items]}
    if isinstance(tree, kinds.Reference):
        return {"reference": [*([""] if tree.rooted else []), *tree.steps]}
    if isinstance(tree, kinds.CallTerm):
        return {"call": {"name": str(tree.name), "args": [as_data(item, path) for item in tree.arguments]}}
    if isinstance(tree, kinds.Each):
        assert isinstance(tree.to, kinds.Lambda)
        names, to = list(tree.to.names), as_data(tree.to.to, path)
        return {"map": {"over": as_data(tree.over, path), "names": names, "to": to}}
    if isinstance(tree, kinds.Merge):
        return {
            "merge": {
                "path": list(tree.path.steps) if tree.path is not None else path,
                "redirect": tree.path is not None,
                "replace": tree.replace,
                "required": tree.required or tree.replace or tree.path is not None,
                "on": tree.key or None,
            }
        }
    return {"auto": path} if isinstance(tree, kinds.Auto) else {type(tree).__name__: str(tree)}


def parsed_text(text: str) -> tuple[kinds.Term, bool] | str:
    try:
        return parse(text)
    except NotDynaml as trouble:
        return trouble.why


def check_parse(case: dict[str, Any], folder: str) -> None:
    """It parses, or fails where it must.

    The trees of the cases are for orientation: ours must say the same where they speak.
    """
    parsed = parsed_text(case["template"])
    assert isinstance(parsed, str) is bool(case.get("error")), f"it gives {parsed}"
    if isinstance(parsed, str):
        return
    tree, prefer = parsed
    expected = yaml.load(case["expected"], yaml.CSafeLoader) if case.get("expected") else None
    found = as_data(tree, case.get("path") or [])
    if prefer:
        found = {"prefer": found}
    if isinstance(expected, dict) and expected.keys() == found.keys():
        assert same(found, expected), f"it is {found}, not {expected}"


KINDS = {"spiff/merge": merge, "spiff/diff": diff, "spiff/parse": check_parse}
