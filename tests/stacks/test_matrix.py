"""Every read-only command about stacks over every example: no traceback, no error that is not listed with its reason.

The suite runs each command for one component of each repository. `make matrix` runs it for all of them
(`PLAIT_MATRIX=all`). The commands come from the table of commands: a new one without a row here fails.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.apps.cli.commands import GROUPS
from plait.workspace import Workspace
from tests.conformance.runner import SHARED

ROOT = SHARED / "stacks/scenarios"
EXAMPLES = sorted(path.parent for path in ROOT.rglob("atmos.yaml")) if ROOT.is_dir() else []
SKIPPED = "the shared examples are not here"
WHOLE = os.environ.get("PLAIT_MATRIX") == "all"
OF_ALL = {
    "describe stacks": [],
    "describe config": [],
    "describe workflows": [],
    "config get": ["stacks"],
    "explain config": ["stacks"],
    "validate stacks": [],
    "validate config": [],
    "validate schema": [],
}
"""Commands about everything, with the words that follow them; every `list` command is one of them."""
OF_ONE = {
    "describe component": [],
    "describe dependents": [],
    "explain component": ["vars"],
    "blame component": [],
    "validate component": [],
    "stack get": ["vars"],
    "stack set": ["vars.plait_matrix", "1", "--at", "narrowest", "--dry-run"],
    "describe locals": [],
}
"""Commands about one component of one stack."""
ELSEWHERE = {
    "stack unset": "needs a value that is there: tests/stacks/test_edit.py",
    "describe affected": "needs two revisions: tests/outside, tests/cases",
    "list affected": "needs two revisions",
}
"""Commands that are tried elsewhere, and why."""
EXPECTED = {
    ("*", "*"): ("PL4001", "commands and the network must be allowed"),
    ("*", "describe locals"): ("stack has no locals defined", "a stack without locals says so, as Atmos does"),
    ("remote-state-backend-type-mismatch", "*"): ("backend_type does not match any key", "one of its stacks is broken"),
    ("yaml-functions-circular-deps", "*"): ("PL2104", "it is about a circular reference"),
    ("locals-settings-cross-file", "*"): ('PL3204.* no entry for key "settings"', "it reads settings of another file"),
    ("atmos-include-yaml-function", "*"): ("PL3702|PL4001", "it includes a file from the network"),
}
"""Errors that are right: in which example, of which command, what they say, and why."""


def commands() -> list[str]:
    return [name for name in GROUPS["Stacks (Atmos)"] if name not in ELSEWHERE]


def instances(folder: Path) -> list[tuple[str, str]]:
    """The components that there are, each with its stack; the first of each stack comes first."""
    found = [
        (one.name, one.stack)
        for one in Workspace(str(folder), cache=False).stacks(str(folder)).repository.components()
        if not one.abstract
    ]
    return found if WHOLE else found[:1]


def lines(folder: Path) -> list[tuple[str, list[str]]]:
    """What is run in an example: the command, and its words."""
    found = [(name, [*name.split(), *OF_ALL.get(name, [])]) for name in commands() if name not in OF_ONE]
    for component, stack in instances(folder):
        for name, words in OF_ONE.items():
            found.append((name, [*name.split(), component, "-s", stack, *words]))
    return found


def unexpected(example: str, command: str, text: str) -> list[str]:
    """The errors in a report that no row lists."""
    rows = [what for (where, name), (what, _) in EXPECTED.items() if where in ("*", example) and name in ("*", command)]
    errors = re.findall(r"^(?:error PL.*|- .*error: .*)$", text, re.MULTILINE)
    return [error for error in errors if not any(re.search(row, error) for row in rows)]


def test_every_command_has_a_row() -> None:
    known = {*OF_ALL, *OF_ONE, *ELSEWHERE}
    assert [name for name in GROUPS["Stacks (Atmos)"] if name not in known and not name.startswith("list ")] == []


@pytest.mark.long
@pytest.mark.skipif(not EXAMPLES, reason=SKIPPED)
@pytest.mark.parametrize("folder", EXAMPLES, ids=[folder.name for folder in EXAMPLES])
def test_matrix(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("ATMOS_GIT_ROOT_BASEPATH", "false")
    monkeypatch.chdir(folder)
    wrong: list[str] = []
    for name, words in lines(folder):
        status = main([*words, "--no-cache"])
        out, err = capsys.readouterr()
        is_unchecked = status == 5 and "not checked" in err + out  # a schema that a repository names is not there
        if (status not in (0, 1) and not is_unchecked) or "Traceback" in err or unexpected(folder.name, name, err):
            wrong.append(f"{' '.join(words)}: {status}\n{err}{out[:200]}")
    assert not wrong, "\n".join(wrong)
