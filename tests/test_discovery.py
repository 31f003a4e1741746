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
