"""A plan of `plait tidy` is made for certain files, targets and settings: for others it is refused, and nothing is
written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.apps.cli import main

FILES = {
    "plait.yaml": 'targets:\n- {name: "{env}", layers: [base.yaml, "env/{env}.yaml"], for: {env: "env/*.yaml"}}\n'
    "- {name: web, chart: chart, values: [web.yaml]}\n",
    "base.yaml": "a: 1\nb: 2\n",
    "env/dev.yaml": "a: 1\n",
    "env/prod.yaml": "a: 1\nb: 3\n",
    "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "chart/values.yaml": "size: 1\n",
    "chart/templates/a.yaml": "kind: ConfigMap\nmetadata: {name: a}\ndata: {size: '{{ .Values.size }}'}\n",
    "web.yaml": "size: 1\n",
}


def more(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text((folder / name).read_text() + text)


def without(**changed: object) -> Callable[[Path], object]:
    """The plan with another first change."""

    def change(folder: Path) -> None:
        plan = json.loads((folder / "plan.json").read_text())
        plan["changes"][0].update(changed)
        (folder / "plan.json").write_text(json.dumps(plan))

    return change


STALE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a layer": (more("base.yaml", "c: 1\n"), "`base.yaml` has other content"),
    "a comment": (more("env/dev.yaml", "# said\n"), "`env/dev.yaml` has other content"),
    "a template": (more("chart/templates/a.yaml", "more: 1\n"), "`chart/templates/a.yaml` has other content"),
    "a setting": (more("plait.yaml", "keep: [a]\n"), "`plait.yaml` has other content"),
    "a new target": (lambda folder: (folder / "env/new.yaml").write_text("b: 1\n"), "target `new` is new"),
    "a target that is gone": (lambda folder: (folder / "env/dev.yaml").unlink(), "target `dev` is gone"),
    "a file that is gone": (lambda folder: (folder / "env/dev.yaml").unlink(), "`env/dev.yaml` is not read any more"),
    "a new file of a chart": (
        lambda folder: (folder / "chart/templates/b.yaml").write_text("kind: B\nmetadata: {name: b}\n"),
        "`chart/templates/b.yaml` is read now",
    ),
    "a change at another line": (without(line=7), "env/dev.yaml:7 a (redundant)"),
    "a change of another kind": (without(kind="dead"), "env/dev.yaml:1 a (dead)"),
    "a change of another file": (without(file="/etc/passwd"), "/etc/passwd:1 a (redundant)"),
}


@pytest.mark.parametrize("name", STALE)
def test_a_plan_for_something_else_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["tidy", "--plan", "plan.json"]) == 0
    change, said = STALE[name]
    change(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert main(["tidy", "--apply", "plan.json"]) == 1
    error = capsys.readouterr().err
    assert ("PL9110" if name.startswith("a change") else "PL9109") in error
    assert said in error
    assert "nothing was written" in error
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
