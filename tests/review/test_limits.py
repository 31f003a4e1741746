"""What a review says where it stops looking: the limits are small here, the words are those of large repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.review import idle

OLD = {
    "plait.yaml": "targets:\n- {name: a, layers: [base.yaml, a.yaml]}\n- {name: b, layers: [base.yaml, b.yaml]}\n",
    "base.yaml": "size: 1\nname: x\n",
    "a.yaml": "size: 2\nname: a\n",
    "b.yaml": "size: 3\nname: b\n",
}


@pytest.mark.parametrize(
    ("most", "why"),
    [
        (1, "overridden or unused in every target that reads it, for example by a.yaml:{line}"),
        (2, "overridden everywhere by a.yaml:{line}, b.yaml:{line}"),
    ],
)
@pytest.mark.parametrize(("new", "line"), [("size: 9\nname: x\n", 1), ("size: 1\n", 2)], ids=["changed", "deleted"])
def test_lines_without_effect_in_more_documents_than_are_looked_through(
    most: int, why: str, new: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    for side, files in (("old", OLD), ("new", {**OLD, "base.yaml": new})):
        for name, text in files.items():
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(idle, "MOST", most)
    assert main(["review", "old", "new"]) == 0
    shown = capsys.readouterr().out
    assert f"no effect: base.yaml:{line} ({why.format(line=line)})" in shown
