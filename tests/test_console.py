"""How commands speak on a terminal, and what they keep to themselves elsewhere."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.apps.cli.console import Progress
from plait.apps.cli.run import run
from tests.cases import PLAIT, environment

ROOT = Path(__file__).parents[1]
STYLE = re.compile(r"\x1b\[[0-9;]*m")


def on_a_terminal(folder: Path, *words: str, env: dict[str, str] | None = None) -> str:
    """What a command shows where standard error is a terminal."""
    ours, theirs = pty.openpty()
    subprocess.run(
        [*PLAIT, *words],
        cwd=folder,
        env={**environment(folder), **(env or {})},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return shown.decode()


def coloured(text: str) -> bool:
    """Whether a text changes colours. A slow machine also shows progress, and clears its line."""
    return STYLE.search(text) is not None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    (made / "bad.yaml").write_text("a: !ref nowhere\n")
    return made


def test_colours_only_on_a_terminal(folder: Path) -> None:
    assert "\x1b[1;31merror PL2101\x1b[0m" in on_a_terminal(folder, "merge", "bad.yaml")
    assert not coloured(on_a_terminal(folder, "merge", "bad.yaml", "--color", "never"))
    assert not coloured(on_a_terminal(folder, "merge", "bad.yaml", env={"NO_COLOR": "1"}))
    done = subprocess.run([*PLAIT, "merge", "bad.yaml"], cwd=folder, env=environment(folder), capture_output=True)
    assert b"\x1b" not in done.stderr


def test_explain_and_blame_have_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("x: {y: 1, z: 2}\n")
    (tmp_path / "b.yaml").write_text("x: {y: 3, z: !unset }\n")

    def shown(*words: str) -> str:
        assert run([*words, "a.yaml", "b.yaml", "--color", "always"]) == 0
        coloured = capsys.readouterr().out
        assert run([*words, "a.yaml", "b.yaml"]) == 0
        assert STYLE.sub("", coloured) == capsys.readouterr().out
        return coloured

    explained = shown("explain", "x.y")
    assert "\x1b[36mb.yaml:1:8\x1b[0m" in explained
    assert "\x1b[2moverrides 1 (a.yaml:1:8): later layer\x1b[0m" in explained
    assert "removed by    \x1b[36mb.yaml:1:14\x1b[0m    !unset" in shown("explain", "x.z")
    blamed = shown("blame")
    assert "\x1b[36mb.yaml:1\x1b[0m          \x1b[2moverrides a.yaml:1\x1b[0m" in blamed


class Recorder:
    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_progress_waits_a_second_and_clears_its_line() -> None:
    stream = Recorder()
    progress = Progress(stream)  # type: ignore[arg-type]
    progress.tell("reading 1 files")
    assert stream.text == ""
    progress.next = 0
    progress.tell("reading 2 of 3 files")
    assert stream.text == "\r\x1b[Kreading 2 of 3 files"
    progress.clear()
    assert stream.text.endswith("\r\x1b[K")


def test_progress_says_how_long_the_rest_takes() -> None:
    stream = Recorder()
    progress = Progress(stream)  # type: ignore[arg-type]
    progress.next = 0
    progress.tell("evaluating 0 of 30 stacks")
    assert "left" not in stream.text
    progress.began -= 10
    progress.next = 0
    progress.tell("evaluating 10 of 30 stacks")
    assert stream.text.endswith("evaluating 10 of 30 stacks, about 20 s left")
    progress.stop()
    progress.tell("evaluating 20 of 30 stacks")
    assert stream.text.endswith("\r\x1b[K")


COUNTED = {
    "describe stacks": ("stacks", ["describe", "stacks"], "evaluating 1 of 2 stacks"),
    "validate": ("stacks", ["validate", "stacks"], "checking 1 of 2 stacks"),
    "lint": ("review/before", ["lint"], "linting 1 of 2 targets"),
    "verify": (
        "review/before",
        ["verify", "--command", "cat base.yaml", "--allow", "exec"],
        "comparing 1 of 2 targets",
    ),
    "review": ("review", ["review", "before", "after"], "comparing 1 of 2 targets"),
    "create": ("layers", ["create", "web-service", "--name", "x", "--image", "x:1"], "generating 1 of 2 files"),
}


@pytest.mark.parametrize("name", COUNTED)
def test_long_work_is_counted(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, words, expected = COUNTED[name]
    shutil.copytree(ROOT / "examples" / folder, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    told: list[str] = []
    monkeypatch.setattr(Progress, "tell", lambda self, text: told.append(text))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    main([*words, "--no-cache"])
    assert expected in told
