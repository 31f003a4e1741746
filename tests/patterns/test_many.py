"""Many instances of a pattern generated again, by one process and by several."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.fronts.patterns import many

PATTERN = "name: app\nversion: {version}\ninputs:\n  name: {{required: true}}\n  size: {{type: integer, default: 1}}\n"
RESOURCE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .name }}"}
data: {size: {{ .size }}, version: VERSION, other: 1}
"""
COUNT = many.PAYS + 2


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started."""
    found: list[int] = []
    fork = os.fork

    def counted() -> int:
        process = fork()
        found.append(process)
        return process

    monkeypatch.setattr("plait.access.workers._has_threads", lambda: False)
    monkeypatch.setattr(os, "fork", counted)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    return found


def plait(folder: Path, *words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(list(words))
    return status, out.getvalue(), err.getvalue()


def write_pattern(folder: Path, version: str, resource: str = RESOURCE) -> None:
    home = folder / "patterns" / "app"
    (home / "resources").mkdir(parents=True, exist_ok=True)
    (home / "pattern.yaml").write_text(PATTERN.format(version=version))
    (home / "resources" / "made.yaml").write_text(resource.replace("VERSION", f'"{version}"'))


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each of some instances, one of them with two, and an edit in one of them."""
    folder = tmp_path_factory.mktemp("generated")
    write_pattern(folder, "1.0.0")
    for number in range(COUNT):
        words = ("create", "app", "--name", f"n{number}", "--size", str(number), "--output-dir", f"out/d{number}")
        assert plait(folder, *words)[0] == 0
    assert plait(folder, "create", "app", "--name", "second", "--output-dir", "out/d3")[0] == 0
    edited = folder / "out/d5/made.yaml"
    edited.write_text(edited.read_text().replace("other: 1", "other: 7"))
    write_pattern(folder, "2.0.0")
    return folder


def files_of(folder: Path) -> dict[str, str]:
    return {str(one.relative_to(folder)): one.read_text() for one in (folder / "out").rglob("*") if one.is_file()}


def test_the_same_from_one_process_and_from_several(generated: Path, tmp_path: Path, started: list[int]) -> None:
    told = []
    for jobs in ("1", "3"):
        shutil.copytree(generated, tmp_path / jobs)
        told.append(plait(tmp_path / jobs, "create", "--all", "--output-dir", "out", "--jobs", jobs))
    assert len(started) == 3, "the second instance of a folder is one alone"
    assert told[0] == told[1]
    assert told[0][0] == 0
    assert files_of(tmp_path / "1") == files_of(tmp_path / "3")
    made = files_of(tmp_path / "3")
    assert all('version: "2.0.0"' in made[f"out/d{number}/made.yaml"] for number in range(COUNT))
    assert made["out/d3/made.yaml"].count('version: "2.0.0"') == 2
    assert "size: 6" in made["out/d6/made.yaml"], "each has the inputs of its last run"
    assert "other: 7" in made["out/d5/made.yaml"], "and what others changed"
    status, out, _ = plait(tmp_path / "3", "create", "app", "--all", "--output-dir", "out", "--check", "--jobs", "2")
    assert status == 0
    assert out.count("Nothing was written.") == COUNT + 1


def test_a_report_for_programs(generated: Path, started: list[int]) -> None:
    words = ("create", "--all", "--output-dir", "out", "--check", "--output", "json")
    alone, together = (plait(generated, *words, "--jobs", jobs) for jobs in ("1", "2"))
    assert alone == together
    assert alone[0] == 3
    rows = json.loads(alone[1])
    assert [row["instance"] for row in rows][-1] == "app/second"
    assert {row["folder"] for row in rows} == {f"out/d{number}" for number in range(COUNT)}


def test_an_error_is_the_same_and_nothing_is_written(generated: Path, tmp_path: Path, started: list[int]) -> None:
    shutil.copytree(generated, tmp_path / "copy")
    write_pattern(tmp_path / "copy", "3.0.0", "{{ if eq .name `n4` }}{{ fail `no` }}{{ end }}" + RESOURCE)
    before = files_of(tmp_path / "copy")
    words = ("create", "--all", "--output-dir", "out")
    alone, together = (plait(tmp_path / "copy", *words, "--jobs", jobs) for jobs in ("1", "3"))
    assert alone == together
    assert alone[0] == 1
    assert "no" in alone[2]
    assert files_of(tmp_path / "copy") == before


def test_what_would_be_lost_is_asked_about_first(generated: Path, tmp_path: Path) -> None:
    shutil.copytree(generated, tmp_path / "copy")
    words = ("create", "--all", "--output-dir", "out", "--overwrite")
    status, _, told = plait(tmp_path / "copy", *words)
    assert status == 2
    assert "add --yes" in told
    assert plait(tmp_path / "copy", *words, "--yes")[0] == 0
    assert "other: 7" not in files_of(tmp_path / "copy")["out/d5/made.yaml"]


def test_nothing_is_recorded(tmp_path: Path) -> None:
    status, _, told = plait(tmp_path, "create", "--all")
    assert status != 0
    assert "any pattern" in told
    status, _, told = plait(tmp_path, "create", "--all", "--set", "size=3")
    assert status == 2
    assert "--all takes no inputs" in told
