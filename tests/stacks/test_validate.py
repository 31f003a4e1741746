"""`validate stacks` where the package that checks schemas is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plait.workspace import Workspace
from tests.stacks.repository import repository

MANIFEST = "vars: {stage: dev}\ncomponents: {terraform: {a: {metadata: {inherits: [nobody]}}, b: {vars: [1]}}}\n"


def messages(folder: Path) -> list[str]:
    return [found.message for found in Workspace(str(folder), cache=False).stacks(str(folder)).validate()]


def test_without_the_package_the_structure_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(tmp_path, {"deploy/dev.yaml": MANIFEST})
    with_schema = messages(tmp_path)
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    without = messages(tmp_path)
    line = "the schema was not checked: install it with pip install 'plait[schema]'"
    assert without.count(line) == 1
    assert line not in with_schema
    assert any("nobody" in message for message in without)
    assert any("expected object, but got array" in message for message in with_schema)


def test_without_the_package_every_other_check_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "the schema was not checked: install it with pip install 'plait[schema]'"
    component = (
        "vars: {stage: dev}\ncomponents: {terraform: {a: {settings: {validation: {x: {schema_type: "
        "jsonschema, schema_path: x.json}}}}}}\n"
    )
    repository(tmp_path, {"deploy/dev.yaml": component})
    (tmp_path / "x.json").write_text('{"required": ["nothing"]}')
    stacks = Workspace(str(tmp_path), cache=False).stacks(str(tmp_path))
    assert [one.message for one in stacks.validate_component("a", "dev").findings] == [
        "the component: `nothing` is missing"
    ]
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    assert [one.message for one in stacks.validate_component("a", "dev").findings] == [line]
    assert [one.message for one in stacks.validate_config()] == [line]
