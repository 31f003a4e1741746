"""What commands print with `--format json` fits the schema that `plait schema` prints; so do the files of people.

The outputs are those of the cases, which other tests compare with what the commands print.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import defaultdict
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from plait.apps.cli.commands import COMMANDS, load
from plait.apps.cli.run import find
from plait.apps.cli.schema import schema_of, table
from plait.apps.schemas.files import INPUT_FIELDS, KINDS_OF_TARGETS, PATTERN_FIELDS, PATTERN_NEEDS, SETTINGS, TARGET
from plait.fronts.entries import KINDS as TARGET_KINDS
from plait.fronts.entries import OPTIONS as TARGET_OPTIONS
from plait.fronts.patterns import pattern
from plait.fronts.patterns.inputs import KINDS
from plait.fronts.settings import ProjectSettings
from plait.profiles.rules import SETTINGS as PROFILE_SETTINGS
from plait.profiles.table import PROFILES
from tests.cases import Case

ROOT = Path(__file__).parents[1]
SILENT = {
    *("set", "unset", "apply", "merge3", "patterns new", "completion", "help", "version", "schema", "lsp", "serve"),
    *("watch", "cache clear"),
}
"""Commands that print no data: a sentence, a script, or what `--format` does not concern."""


def outputs() -> dict[str, list[tuple[str, object]]]:
    """What the cases show on standard output as JSON, by command, with the case that shows it."""
    found: dict[str, list[tuple[str, object]]] = defaultdict(list)
    for path in sorted((ROOT / "tests" / "cases").rglob("*.case")):
        for step in Case(path).steps:
            if re.search(r"(-f|--format|--output)[ =]json", step.command) and not re.search(r"[|;>]", step.command):
                words = shlex.split(step.command)
                name, _ = find(words[words.index("plait") + 1 :])
                lines = [line for line in step.expected if not line.startswith("2>")]
                text = "".join(line for line in lines if not re.fullmatch(r"exit \d+\n?", line))
                errors = "".join(line[3:] for line in step.expected if line.startswith("2> "))
                where = f"{path.name}: {step.command}"
                found[name or ""] += [(where, value) for value in values(text, where)] if name not in SILENT else []
                found["diagnostics"] += [(where, value) for value in values(errors, where)] if errors[:1] == "{" else []
    return found


def values(text: str, where: str) -> list[object]:
    """The values of a text of JSON, one behind the other."""
    found = []
    decoder = json.JSONDecoder()
    text = text.strip()
    while text:
        try:
            value, end = decoder.raw_decode(text)
        except ValueError:
            pytest.fail(f"this is not JSON: {where}\n{text[:200]}")
        found.append(value)
        text = text[end:].strip()
    return found


OUTPUTS = outputs()


@pytest.mark.parametrize("name", table())
def test_a_schema_is_a_schema(name: str) -> None:
    schema = schema_of(name)
    jsonschema_rs.validator_for(schema)
    assert str(schema["$id"]).endswith(":1")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in SILENT])
def test_every_output_has_a_schema_and_fits_it(name: str) -> None:
    validator = jsonschema_rs.validator_for(schema_of(name))
    for where, output in OUTPUTS[name]:
        assert [str(error) for error in validator.iter_errors(output)] == [], where
    assert OUTPUTS[name], "no case shows this output: write one into tests/cases/outputs"


def test_diagnostics_fit_their_schema() -> None:
    validator = jsonschema_rs.validator_for(schema_of("diagnostics"))
    assert len(OUTPUTS["diagnostics"]) > 3
    assert [where for where, output in OUTPUTS["diagnostics"] if not validator.is_valid(output)] == []


def test_silent_commands_are_commands() -> None:
    known = {name for name in SILENT if name in COMMANDS}
    assert [name for name in known if name in table()] == []
    assert all(load(name) for name in known)


# Files of people

REJECTED = ("PL3602", "PL9003", "PL9005")
"""The codes of a file that plait rejects."""


def files(name: str) -> list[tuple[str, object]]:
    """Every file of a name in the examples, the patterns of plait and the cases."""
    found = [(str(path), path.read_text(encoding="utf-8")) for path in (ROOT / "examples").rglob(name)]
    found += [(str(path), path.read_text(encoding="utf-8")) for path in (ROOT / "src").rglob(name)]
    for path in sorted((ROOT / "tests" / "cases").rglob("*.case")):
        case = Case(path)
        if not any(code in line for code in REJECTED for step in case.steps for line in step.expected):
            found += [(f"{path.name}: {inner}", text) for inner, text in case.files.items() if Path(inner).name == name]
    return [(where, yaml.safe_load(text)) for where, text in found if not text.startswith("bytes: ")]


@pytest.mark.parametrize(("name", "file"), [("plait", "plait.yaml"), ("pattern", "pattern.yaml")])
def test_files_that_plait_accepts_fit_their_schema(name: str, file: str) -> None:
    validator = jsonschema_rs.validator_for(schema_of(name))
    checked = files(file)
    assert len(checked) > 5
    wrong = {where: [str(error) for error in validator.iter_errors(data)] for where, data in checked if data}
    assert {where: errors for where, errors in wrong.items() if errors} == {}


def test_schemas_have_the_keys_that_plait_reads() -> None:
    assert set(SETTINGS) == set(ProjectSettings.__slots__)
    assert {**PATTERN_NEEDS, **PATTERN_FIELDS}.keys() == pattern.FIELDS.keys()
    assert INPUT_FIELDS.keys() == pattern.INPUT_FIELDS.keys()
    assert INPUT_FIELDS["type"]["enum"] == list(KINDS)
    assert set(KINDS_OF_TARGETS) == set(TARGET_KINDS)
    properties = TARGET["properties"]
    assert isinstance(properties, dict)
    assert set(properties) == {*TARGET_KINDS, *TARGET_OPTIONS}
    assert SETTINGS["profile"]["enum"] == [*PROFILES, "none"]
    assert SETTINGS["nulls"]["enum"] == list(PROFILE_SETTINGS["nulls"])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("plait", {"lists": {"a": "by-name"}}),
        ("plait", {"targts": []}),
        ("plait", {"targets": [{"name": "x"}]}),
        ("pattern", {"name": "x"}),
        ("pattern", {"name": "x", "version": "1", "inputs": {"a": {"type": "text"}}}),
        ("explain", {"path": "a"}),
        ("blame", {"leaves": [{"path": "a"}]}),
        ("diagnostics", {"diagnostics": [{"code": "X"}]}),
    ],
)
def test_a_schema_refuses(name: str, data: object) -> None:
    assert not jsonschema_rs.validator_for(schema_of(name)).is_valid(data)
