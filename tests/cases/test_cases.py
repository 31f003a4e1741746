"""Every `.case` file below this folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases import Case

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.case"))


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(HERE)) for path in FILES])
def test_case(path: Path, tmp_path: Path) -> None:
    case = Case(path)
    folder = tmp_path / "project"
    folder.mkdir()
    outputs = case.run(folder)
    if os.environ.get("PLAIT_UPDATE"):
        path.write_text(case.updated(outputs), encoding="utf-8")
        return
    for step, output in zip(case.steps, outputs, strict=True):
        assert output.rstrip("\n") == "".join(step.expected).rstrip("\n"), step.command
