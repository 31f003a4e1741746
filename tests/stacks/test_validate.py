"""`validate stacks` where the package that checks schemas is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plait.fronts.stacks.answers.questions import StackQuestions
from plait.report.installing import how_to_install
from plait.workspace import Workspace
from tests.stacks.repository import repository

LINE = f"the schema was not checked: {how_to_install('schema')}"
MANIFEST = "vars: {stage: dev}\ncomponents: {terraform: {a: {metadata: {inherits: [nobody]}}, b: {vars: [1]}}}\n"


def messages(folder: Path) -> list[str]:
    return [found.message for found in Workspace(str(folder), cache=False).stacks(str(folder)).validate()]


def test_without_the_package_the_structure_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(tmp_path, {"deploy/dev.yaml": MANIFEST})
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    without = messages(tmp_path)
    assert without.count(LINE) == 1
    assert any("nobody" in message for message in without)


def test_with_the_package_the_schema_is_checked(tmp_path: Path) -> None:
    repository(tmp_path, {"deploy/dev.yaml": MANIFEST})
    with_schema = messages(tmp_path)
    assert LINE not in with_schema
    assert any("expected object, but got array" in message for message in with_schema)


COMPONENT = (
    "vars: {stage: dev}\ncomponents: {terraform: {a: {settings: {validation: {x: {schema_type: "
    "jsonschema, schema_path: x.json}}}}}}\n"
)


def with_a_schema(folder: Path) -> StackQuestions:
    """A repository with a component that has a schema of its own, and breaks it."""
    repository(folder, {"deploy/dev.yaml": COMPONENT})
    (folder / "x.json").write_text('{"required": ["nothing"]}')
    return Workspace(str(folder), cache=False).stacks(str(folder))


def test_without_the_package_every_other_check_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stacks = with_a_schema(tmp_path)
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    assert [one.message for one in stacks.validate_component("a", "dev").findings] == [LINE]
    assert [one.message for one in stacks.validate_config()] == [LINE]


def test_with_the_package_a_component_is_checked(tmp_path: Path) -> None:
    found = with_a_schema(tmp_path).validate_component("a", "dev").findings
    assert [one.message for one in found] == ["the component: `nothing` is missing"]
