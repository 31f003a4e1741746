"""Many targets of one chart: its templates are read once and rendered for each, and the budgets of a run allow that."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.workspace import Workspace

COUNT = 6
TEMPLATE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {size: '{{ .Values.size }}'}\n"
WORK = "# {{ range until 3000 }}{{ . | toString | len }}{{ end }}\n"
FILLING = "# a line of a long template\n" * 11_000


def rendered(names: list[str], steps: int) -> int:
    workspace = Workspace(".", budgets={"steps": steps}, cache=False)
    targets = workspace.targets()
    assert [len(targets[name].rendered()) for name in names] == [1] * len(names)
    return workspace.meter.steps


def test_the_budget_of_steps_grows_with_the_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "chart/Chart.yaml": "apiVersion: v2\nname: a\nversion: 0.1.0\n",
        "chart/templates/a.yaml": TEMPLATE + WORK + FILLING,
        "plait.yaml": 'targets: [{name: "{e}", chart: chart, values: ["env/{e}.yaml"], for: {e: "env/*.yaml"}}]\n',
        **{f"env/e{number}.yaml": f"size: {number}\n" for number in range(COUNT)},
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    alone = rendered(["e0"], 3_000_000)
    assert rendered([f"e{number}" for number in range(COUNT)], alone) > 3 * alone
