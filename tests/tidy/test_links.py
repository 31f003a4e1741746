"""Files that links lead to are told, and changed, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.apps.cli import main

FILES = {
    "plait.yaml": """\
targets:
- {name: t, layers: [app/base/x.yaml, env.yaml]}
- {name: u, layers: [base/x.yaml, env.yaml]}
""",
    "base/x.yaml": "a: 1\nb: 2\n",
    "base/y.yaml": "c: 1\n",
    "env.yaml": "a: 1\nb: 3\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "app").mkdir()
    (tmp_path / "app/base").symlink_to("../base")
    (tmp_path / "more").symlink_to("base")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_with_several_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["tidy", "--no-cache", "--write"])
    out, _ = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines() if "whole file" in line] == ["base/y.yaml:1"]
    assert (folder / "env.yaml").read_text() == "b: 3\n"
    assert (folder / "base/x.yaml").read_text() == "a: 1\nb: 2\n", "what both targets replace stays: it is a default"
    assert (folder / "app/base").is_symlink()
