"""Adapters for the cases of Unfurl: expanding, restoring, asking."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from plait.access.door import Door
from plait.access.guard import CAPABILITIES, VARIABLE, Guard
from plait.core.diagnostic import PlaitError
from plait.core.node import Bound, ListNode, MapNode, Node, Suspension, key_text
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator
from plait.fronts.project import Project
from plait.fronts.services import shared_services
from plait.fronts.unfurl.edit import ValueEdit, edited
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.fronts.unfurl.restore import saved
from plait.notations.query.context import QuerySettings
from plait.notations.query.data import plain, plain_key
from plait.notations.query.language import QueryExpression
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan
from tests.conformance.described import Described, Resource

Case = dict[str, Any]
GUARD = Guard(frozenset({*CAPABILITIES, f"{VARIABLE}PLAIT_T"}))
"""Cases read `PLAIT_T`; variables of that name are not for files otherwise."""


@contextmanager
def folder_of(case: Case) -> Iterator[None]:
    """The files of a case in a folder of their own, which is the working folder meanwhile."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in case["files"].items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def expanded(name: str) -> Any:
    return plain(DirectiveDocument(Project(".", guard=GUARD), name).expanded())


CODES = {
    "bad-arguments": "PL3404",
    "bad-include": "PL3304",
    "include-load": "PL3305",
    "merge-non-map": "PL3303",
    "misplaced-keyword": "PL3407",
    "missing-include": "PL3302",
    "not-a-map": "PL3308",
    "recursive": "PL2104",
    "required": "PL3405",
    "template": "PL3406",
    "undefined-input": "PL3409",
    "unknown-function": "PL3403",
    "unsafe-function": "PL3408",
}
"""The code of each kind of error that cases expect. A case that expects `any`, or a kind that has no code of its own,
is content with every error that has a place and a text."""


def refused(case: Case, error: PlaitError) -> None:
    if "error" not in case:
        raise AssertionError(f"refused: {error}") from error
    assert error.diagnostics, "an error that says nothing"
    kind = case["error"]["kind"]
    codes = {diagnostic.code for diagnostic in error.diagnostics}
    assert codes == {CODES.get(kind)} or kind not in CODES, (
        f"expected an error of the kind {kind}, got {codes}: {error}"
    )
    vague = [diagnostic for diagnostic in error.diagnostics if not diagnostic.message or not diagnostic.labels]
    assert not vague, f"errors without a place or a text: {vague}"


def at(data: Any, path: list[Any]) -> Any:
    for step in path:
        data = data[step]
    return data


def check_expand(case: Case, folder: str) -> None:
    with folder_of(case):
        try:
            found = expanded(case["main"])
        except PlaitError as error:
            refused(case, error)
            return
    assert "error" not in case, f"no error, but {found}"
    if "expected" in case:
        assert found == case["expected"], f"{found} is not {case['expected']}"
    for part in case.get("expected_at", ()):
        assert at(found, part["path"]) == part["value"], f"{found} at {part['path']}"


# Restoring


def check_restore(case: Case, folder: str) -> None:
    with folder_of(case):
        document = DirectiveDocument(Project(".", guard=GUARD), case["main"])
        wanted = edited(document.expanded(), [change(edit) for edit in case["edits"]])
        text = saved(document, wanted)
        again = plain(document.with_text(text).expanded())
    data = yaml.load(text, yaml.CSafeLoader)
    if "expected_saved" in case:
        assert data == case["expected_saved"], f"{data} is not {case['expected_saved']}"
    for part in case.get("saved_at", ()):
        assert at(data, part["path"]) == part["value"], f"{data} at {part['path']}"
    for path in case.get("absent", ()):
        assert path[-1] not in at(data, path[:-1]), f"{data} has {path}"
    if case.get("round_trip"):
        assert again == plain(wanted), f"{again} is not {plain(wanted)}"


def change(edit: Case) -> ValueEdit:
    value = None if edit.get("delete") else node_of(edit["value"], Expressions(templates=False))
    return ValueEdit(tuple(edit["path"]), value)


# Asking


def node_of(value: Any, expressions: Expressions) -> Node:
    """Data of a case, read like a document."""
    markers, marked = expressions.marked(None)
    source = Source("the case", json.dumps(value))
    reading = Reading(markers=markers, marked=marked, closed=lambda node: expressions.closed(node, None))
    return build(scan(source)[0], source, reading)


def resource_of(data: Case, expressions: Expressions) -> Resource:
    attributes = node_of(data.get("attributes") or {}, expressions)
    assert isinstance(attributes, MapNode)
    return Resource(data["name"], attributes, [resource_of(child, expressions) for child in data.get("children") or ()])


class Later:
    """A tree that is described after the expressions in it are read."""

    def __init__(self) -> None:
        self.tree: Described | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tree, name)


def check_eval(case: Case, folder: str) -> None:
    described = case["tree"]
    if isinstance(described, str):
        described = case["_shared"]["trees"][described]
    tree = Later()
    settings = QuerySettings(safe=case.get("safe", False), strict=case.get("strict", True))
    expressions = Expressions(settings, tree)  # type: ignore[arg-type]
    tree.tree = Described(resource_of(described, expressions))
    place = tree.tree.place_of(case["current"])
    variables = node_of(case.get("vars") or {}, expressions)
    assert isinstance(variables, MapNode)
    evaluator = Evaluator(Door(guard=GUARD), services=shared_services(Project(".")))
    evaluator.placeholder = expressions.placeholder
    before = dict(os.environ)
    os.environ.update(case.get("env") or {})
    try:
        question = QueryExpression(
            node_of(case["expression"], expressions), tree, place, case["mode"], settings, variables
        )  # type: ignore[arg-type]
        answer = evaluator.answer(Suspension(question, variables.source, 0), place)
        found = told(answer, place, evaluator, tree.tree)
    except PlaitError as error:
        refused(case, error)
        return
    finally:
        os.environ.clear()
        os.environ.update(before)
    assert "error" not in case, f"no error, but {found}"
    assert found == case["expected"], f"{found} is not {case['expected']}"


def told(node: Node, place: Place, evaluator: Evaluator, tree: Described) -> Any:
    """An answer as the cases write it: a resource by its name. What was found in the tree has a place there."""
    is_found = False
    while isinstance(node, Bound | Suspension):
        if isinstance(node, Suspension):
            node = evaluator.answer(node, place)
        else:
            is_found, node, place = True, node.node, node.place
    node = evaluator.force(node, place)
    if node.kind == "failure":
        raise PlaitError(*node.diagnostics)  # type: ignore[attr-defined]
    if is_found and isinstance(node, MapNode) and place in tree.names:
        return {"$resource": tree.names[place]}
    if isinstance(node, MapNode):
        inner = [(plain_key(key), key, child) for key, child in node.entries.items()]
        return {name: told(child, place.child(key_text(key)), evaluator, tree) for name, key, child in inner}
    if isinstance(node, ListNode):
        return [told(child, place.child(index), evaluator, tree) for index, child in enumerate(node.items)]
    return plain(node)


KINDS = {"unfurl/expand": check_expand, "unfurl/restore": check_restore, "unfurl/eval": check_eval}
