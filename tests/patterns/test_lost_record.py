"""A record that git has is not lost silently."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from plait.apps.cli import main


def git(*words: str) -> str:
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    return subprocess.run(["git", *who, *words], capture_output=True, check=True, text=True).stdout.strip()


def test_the_error_names_the_commit_and_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    home = Path("patterns/app/resources")
    home.mkdir(parents=True)
    (home.parent / "pattern.yaml").write_text(
        "name: app\nversion: 1.0.0\ninputs: {mem: {type: integer, default: 256}}\n"
    )
    (home / "app.yaml").write_text("kind: App\nmetadata: {name: one}\nmem: {{ .mem }}\n")
    git("init", "-q", ".")
    assert main(["create", "app", "--mem", "512", "--output-dir", "out"]) == 0
    git("add", "-A")
    git("commit", "-q", "-m", "generated")
    record = Path("out/.plait-meta.yaml")
    before, generated = record.read_bytes(), Path("out/app.yaml").read_bytes()
    record.unlink()
    capsys.readouterr()
    assert main(["create", "app", "--output-dir", "out"]) == 3
    told = capsys.readouterr().err
    commit = git("log", "-1", "--format=%h")
    assert f"commit {commit} has it" in told
    assert not record.exists()
    git(*told.partition("git ")[2].splitlines()[0].split())
    assert record.read_bytes() == before
    record.unlink()
    assert main(["create", "app", "--output-dir", "out", "--without-record"]) == 0
    assert "Inputs that were not given, at their defaults: mem=256" in capsys.readouterr().out
    assert Path("out/app.yaml").read_bytes() == generated
