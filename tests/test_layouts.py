"""Repositories without plait.yaml, and the targets that `plait targets` must find in them: those of ../shared."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

from plait.apps.cli.run import run
from tests.conformance.runner import SHARED

LAYOUTS = SHARED.parent / "layouts"
NAMES = sorted(file.name.removesuffix(".expected.yaml") for file in LAYOUTS.glob("*.expected.yaml"))


def rows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    monkeypatch.chdir(folder)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert run(["targets", "--format", "json", "--no-cache"]) == 0
    found: list[dict[str, Any]] = json.loads(out.getvalue())
    return found


@pytest.mark.parametrize("name", NAMES)
def test_targets_of_a_layout(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "repository"
    shutil.copytree(LAYOUTS / name, folder)
    subprocess.run(["git", "init", "-q", folder], check=True)
    expected = yaml.safe_load((LAYOUTS / f"{name}.expected.yaml").read_text(encoding="utf-8"))
    found = rows(folder, monkeypatch)
    targets = [row for row in found if "ambiguous" not in row]
    assert len({row["name"] for row in targets}) == len(targets)
    for wanted in expected["targets"]:
        alike = [row for row in targets if said(row) == said(wanted)]
        assert len(alike) == 1, wanted
        check(alike[0], wanted)
        targets.remove(alike[0])
    optional = [(one["kind"], one["files"]) for one in expected.get("optional", ())]
    assert [row for row in targets if (row["kind"], row["files"]) not in optional] == []
    files = [file for row in found if "ambiguous" not in row for file in row["files"]]
    assert [file for file in files for glob in expected.get("never", ()) if fnmatchcase(file, glob)] == []
    questions = [row for row in found if "ambiguous" in row]
    if expected["ambiguous"] is not None:
        assert bool(questions) == expected["ambiguous"]
    if expected.get("candidates"):
        assert {file for row in questions for file in row["files"]} & set(expected["candidates"])


def said(row: dict[str, Any]) -> tuple[object, ...]:
    return row["kind"], row.get("profile"), tuple(row["files"])


def check(row: dict[str, Any], wanted: dict[str, Any]) -> None:
    for word in wanted["about"]:
        assert word.lower() in row["name"].lower()
    if "from" in wanted:
        file, _, line = row["from"].rpartition(":")
        first, last = wanted["from"]["lines"]
        assert (file, True) == (wanted["from"]["file"], first <= int(line) <= last), row["from"]
    if "inline" in wanted:
        assert [place.rpartition(":")[0] for place in row["inline"]] == wanted["inline"]
