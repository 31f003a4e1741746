"""`plait set` and `plait unset` on real files: encodings, permissions, other writers."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.fronts.editing import Editor
from tests.files import stamp

PLAIT = [sys.executable, "-c", "from plait.__main__ import run; run()"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_and_marks_stay(encoding: str) -> None:
    Path("a.yaml").write_bytes("a: ü\r\nb: 1\r\n".encode(encoding))
    assert main(["set", "a.yaml", "b", "é"]) == 0
    assert Path("a.yaml").read_bytes() == "a: ü\r\nb: é\r\n".encode(encoding)


def test_no_edit_writes_no_file() -> None:
    path = Path("a.yaml")
    path.write_text("a:   1\n")
    before = stamp(path)
    assert main(["set", "a.yaml", "a", "1"]) == 0
    assert stamp(path) == before


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a: 1 # c\n")))
    assert main(["set", "-", "a", "2"]) == 0
    assert capsys.readouterr().out == "a: 2 # c\n"


def test_a_read_only_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_text("a: 1\n")
    Path("a.yaml").chmod(0o444)
    assert main(["set", "a.yaml", "a", "2"]) == 1
    assert "PL1201: cannot write `a.yaml`: it is read-only" in capsys.readouterr().err
    assert Path("a.yaml").read_text() == "a: 1\n"


def test_a_read_only_folder(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_text("a: 1\n")
    real = os.open

    def refuse(name: str, flags: int, *rest: int, **folder: int) -> int:
        if flags & os.O_CREAT:  # root may write everywhere, so the system is made to refuse
            raise PermissionError(13, "Permission denied")
        return real(name, flags, *rest, **folder)

    monkeypatch.setattr(os, "open", refuse)
    assert main(["set", "a.yaml", "a", "2", "--no-cache"]) == 1
    assert "PL1201: cannot write `a.yaml`: Permission denied" in capsys.readouterr().err
    assert sorted(os.listdir()) == ["a.yaml"]


def test_a_file_that_somebody_else_edits_in_between(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.yaml").write_text("a: 1\n")
    real = Editor.set

    def slow(self: Editor, *args: object, **named: object) -> str:
        text = real(self, *args, **named)  # type: ignore[arg-type]
        Path("a.yaml").write_text("a: theirs\n")
        return text

    monkeypatch.setattr(Editor, "set", slow)
    assert main(["set", "a.yaml", "a", "2"]) == 1
    assert "PL1204: `a.yaml` changed since it was read" in capsys.readouterr().err
    assert Path("a.yaml").read_text() == "a: theirs\n"


def test_two_processes_lose_no_edit() -> None:
    Path("a.yaml").write_text("".join(f"k{number}: 0\n" for number in range(8)))
    running = [subprocess.Popen([*PLAIT, "set", "a.yaml", f"k{number}", "1"]) for number in range(8)]
    assert [process.wait() for process in running] == [0] * 8
    assert Path("a.yaml").read_text() == "".join(f"k{number}: 1\n" for number in range(8))
