"""The account of a Compose project says of every value what the result has there, whatever was extended, included and
brought into another form."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from plait.core.node import plain_value
from plait.workspace import Workspace
from tests.judges.test_compose import draw_project
from tests.laws.trees import replay


@pytest.mark.parametrize("seed", range(12))
def test_account_of_a_project_is_its_result(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw_project(random.Random(seed), tmp_path)
    monkeypatch.chdir(tmp_path)
    target = Workspace(str(tmp_path), cache=False).in_folder(".", [], {"compose": {"profiles": ["*"]}})
    assert target is not None
    tree = target.tree(target.id())
    account = tree.account()
    assert plain_value(replay(account)) == plain_value(tree.root)
