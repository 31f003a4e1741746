"""A file or folder that does not exist has one code and one exit status, whatever it was for and whichever command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plait.apps.cli import main
from tests.names import COMMANDS

STACKS = tuple(
    name
    for name in COMMANDS
    if name.partition(" ")[0] in ("describe", "list", "validate", "stack", "config")
    or name in ("explain component", "explain config", "blame component")
)
"""Commands about stacks, which all find their files in the same way."""
LINES = (
    *("merge no.yaml", "merge -f no.yaml", "merge a.yaml --policy no.yaml", "explain a no.yaml", "blame no.yaml"),
    *("lint no.yaml", "lint a.yaml --schemas no", "lint a.yaml --templates no", "layers no.yaml"),
    *("why-not a no.yaml a.yaml", "why-not a a.yaml no.yaml", "get no.yaml a", "set no.yaml a 1", "unset no.yaml a"),
    *("diff no.yaml a.yaml", "diff a.yaml no.yaml", "review no a", "review . no", "render no.yaml", "render ./no"),
    *("render charts -f no.yaml", "tidy no", "tidy --apply no.json", "verify --against no", "doctor no"),
    *("doctor no --check", "trust no", "spiff merge no.yaml", "spiff merge a.yaml no.yaml", "expand no.yaml"),
    *("spiff merge a.yaml --bindings no.yaml", "spiff merge a.yaml --tag t:no.yaml", "query a no.yaml"),
    *("apply no.yaml", "merge3 no.yaml a.yaml a.yaml", "merge3 a.yaml a.yaml no.yaml", "create x --patterns no"),
    *("patterns list --patterns no", "patterns describe x --patterns no", "patterns check x --patterns no"),
    *("regenerate no.yaml", "regenerate --fresh no a.yaml", "regenerate --fresh a.yaml --base no a.yaml"),
    "serve no.yaml --export out",
)
OTHERS = {
    **dict.fromkeys(STACKS, "they look for their files from the working folder; -C is in test_folder.py"),
    "spiff diff": "it has the statuses of spiff: 2 for trouble",
    **dict.fromkeys(("targets", "init", "patterns new"), "it reads no file that a user names"),
    **dict.fromkeys(("cache info", "cache clear", "functions", "lsp", "completion", "schema", "help", "version"), ""),
    "watch": "it runs another command",
}
"""Commands without such a line, and why."""


def test_every_command_is_in_the_table() -> None:
    named = {name for name in COMMANDS for line in LINES if f"{line} ".startswith(f"{name} ")}
    assert named | OTHERS.keys() == set(COMMANDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "a.yaml").write_text("a: 1\n")
    (folder / "plait.yaml").write_text("targets: [{name: t, layers: [a.yaml]}]\n")
    (folder / "charts").mkdir()
    (folder / "charts" / "Chart.yaml").write_text("{apiVersion: v2, name: c, version: 1.0.0}\n")
    return folder


@pytest.mark.parametrize("line", LINES)
def test_a_missing_path(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    status = main(line.split())
    printed = "".join(capfd.readouterr())
    assert (re.findall(r"PL\d{4}", printed), status) == (["PL1001"], 1), printed
    assert re.search(r"file not found: `(\./)?no", printed)
