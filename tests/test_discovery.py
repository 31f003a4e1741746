"""What it costs to find targets: one listing of each folder, and the files whose names say that they matter."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from plait.access.door import Door
from plait.workspace import Workspace


def test_a_repository_without_targets_is_listed_once_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        folder = tmp_path / f"src/part{number % 6}/module{number}"
        folder.mkdir(parents=True)
        for name in ("a.py", "b.yaml", "c.json", "README.md", "d.yml"):
            (folder / name).write_text("a: 1\n", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    listed: Counter[str] = Counter()
    entries, read = Door.entries, Door.read
    texts: list[str] = []
    monkeypatch.setattr(Door, "entries", lambda self, folder: listed.update([folder]) or entries(self, folder))
    monkeypatch.setattr(Door, "read", lambda self, name, *more: texts.append(name) or read(self, name, *more))
    assert len(Workspace(".").targets()) == 0
    assert set(listed.values()) == {1}
    assert len(listed) == 1 + 1 + 6 + 60
    assert texts == []


def test_variables_that_two_inventories_share_by_a_link_are_found_and_those_outside_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "repository"
    for name, text in {
        "sample/group_vars/all.yml": "port: 80\n",
        "local/hosts.ini": "node1\n",
        "away/hosts.ini": "node2\n",
        "../secret/all.yml": "port: 1\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / ".git").mkdir()
    (root / "local/group_vars").symlink_to("../sample/group_vars")
    (root / "sample/group_vars/group_vars").symlink_to("..")
    (root / "away/group_vars").symlink_to("../../secret")
    monkeypatch.chdir(root)
    targets = Workspace(".").targets()
    assert list(targets.names()) == ["node1-local"]
    assert targets["node1-local"].declaration.files == ["local/group_vars/all.yml"]


def test_targets_of_a_plait_yaml_above_the_repository_count_if_they_are_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be about several repositories: `lint` and `render` stopped at the files of the others."""
    outside = "- {name: other, layers: [base.yaml]}\n- {name: 'each-{x}', layers: ['{x}'], for: {x: '*.yaml'}}\n"
    for name, text in {
        "base.yaml": "a: 1\n",
        "plait.yaml": f"targets:\n{outside}- {{name: mine, layers: [repository/x.yaml]}}\n",
        "repository/x.yaml": "a: 2\n",
        "repository/charts/web/Chart.yaml": "{apiVersion: v2, name: web, version: 1.0.0}\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "repository" / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "repository")
    assert list(Workspace(".").targets().names()) == ["mine"]
    everything = list(Workspace(".", allow=["files"]).targets().names())
    assert everything == ["other", "each-base", "each-plait", "mine"]
    (tmp_path / "plait.yaml").write_text(f"targets:\n{outside}", encoding="utf-8")
    assert list(Workspace(".").targets().names()) == ["web"]
