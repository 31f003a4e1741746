"""Many targets of one chart: its templates are read once and rendered for each, and the budgets of a run allow that,
also where several processes render."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.workspace import Workspace
from tests.forks import counted_forks
from tests.patterns.test_growth import calls_of

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
    _write(tmp_path)
    monkeypatch.chdir(tmp_path)
    alone = rendered(["e0"], 3_000_000)
    assert rendered([f"e{number}" for number in range(COUNT)], alone) > 3 * alone


@pytest.mark.long
def test_workers_print_what_one_process_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path, 12)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLAIT_CACHE", str(tmp_path / "cache"))

    def printed(*words: str) -> tuple[int, str, str]:
        status = main(["render", "--no-cache", *words])
        return status, *capsys.readouterr()

    assert printed("--jobs", "2") == printed()
    (tmp_path / "env" / "e7.yaml").write_text("size: {a: b\n", encoding="utf-8")
    failed = printed("--jobs", "2")
    assert failed[0]
    assert "env/e7.yaml:1" in failed[2]
    assert failed == printed()


@pytest.mark.long
def test_what_workers_use_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, 12)
    monkeypatch.chdir(tmp_path)

    def work(jobs: int) -> tuple[set[int], tuple[int, ...]]:
        workspace = Workspace(".", cache=False, jobs=jobs)
        targets = workspace.targets()

        def rendered(name: str) -> int:
            assert len(targets[name].rendered()) == 1
            return os.getpid()

        return set(workspace.for_names(rendered, list(targets.names()))), workspace.meter.used()

    started = counted_forks(monkeypatch)
    (alone, used), (several, used_by_all) = work(1), work(2)
    assert started
    assert alone == {os.getpid()} < several
    assert used[1:] == used_by_all[1:]


@pytest.mark.long
def test_work_is_linear_in_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(count: int) -> int:
        _write(tmp_path / str(count), count)
        monkeypatch.chdir(tmp_path / str(count))
        return calls_of(lambda: rendered([f"e{number}" for number in range(count)], 3_000_000))

    work(1)  # what is imported and compiled once
    few, some, many = work(4), work(8), work(16)
    assert many - some < 2.2 * (some - few)


def _write(folder: Path, count: int = COUNT) -> None:
    files = {
        "chart/Chart.yaml": "apiVersion: v2\nname: a\nversion: 0.1.0\n",
        "chart/templates/a.yaml": TEMPLATE + WORK + FILLING,
        "plait.yaml": 'targets: [{name: "{e}", chart: chart, values: ["env/{e}.yaml"], for: {e: "env/*.yaml"}}]\n',
        **{f"env/e{number}.yaml": f"size: {number}\n" for number in range(count)},
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
