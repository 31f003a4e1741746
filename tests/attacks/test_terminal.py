"""What a file says reaches a terminal only escaped, and JSON has no character that deceives."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.core.visible import in_json, on_terminal
from tests.cases import PLAIT, environment

EVIL = "x\x1b]52;c;cm0=\x07\x1b[2J\x1b[8m\x9b2J\u202e\u2066\x7f y"
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]")
STYLED = re.compile(r"\x1b\[(?:0|1;31|1;33|2|36|31|32)m|\r\x1b\[K(?:reading \d+ files?)?")
"""Our own colours, and our own progress on a slow machine."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "e.yaml").write_text(f"a: {json.dumps(EVIL)}\n{json.dumps(EVIL)}: 1\n")
    (tmp_path / "f.yaml").write_text("a: 1\n")
    (tmp_path / "plait.yaml").write_text(json.dumps({"targets": [{"name": EVIL, "layers": ["e.yaml"]}]}))
    pattern = tmp_path / "patterns" / "p"
    pattern.mkdir(parents=True)
    (pattern / "pattern.yaml").write_text(f"description: {json.dumps(EVIL)}\n")
    return tmp_path


def on_a_terminal(folder: Path, *words: str) -> str:
    """What a command writes to a terminal."""
    env = {**environment(folder), "TERM": "xterm"}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PLAIT, *words, "--no-pager"], cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    written = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        written += piece
    process.wait(30)
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


COMMANDS = [
    ("get", "e.yaml", "a"), ("get", "e.yaml"), ("get", "e.yaml", "*"), ("query", "::a", "e.yaml"), ("merge", "e.yaml"),
    ("merge", "e.yaml", "--format", "json"), ("explain", "a", "f.yaml", "e.yaml"), ("targets",),
    ("diff", "f.yaml", "e.yaml"), ("merge", EVIL), ("patterns", "list"), ("blame", "f.yaml", "e.yaml"),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]).encode("ascii", "replace").decode())
def test_no_command_drives_a_terminal(folder: Path, words: tuple[str, ...]) -> None:
    written = on_a_terminal(folder, *words)
    assert written
    assert not BAD.search(STYLED.sub("", written)), repr(written)


@pytest.mark.parametrize(
    "words", [("get", "e.yaml", "a"), ("merge", "e.yaml"), ("explain", "a", "e.yaml"), ("targets",)]
)
def test_json_has_nothing_that_deceives(folder: Path, words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [*PLAIT, *words, "--format", "json"], cwd=folder, env=environment(folder), capture_output=True, text=True
    )
    assert not BAD.search(done.stdout)
    assert EVIL in json.dumps(json.loads(done.stdout), ensure_ascii=False).replace("\\u001b", "\x1b").replace(
        "\\u0007", "\x07"
    ) or words == ("targets",)


@given(st.text())
def test_escaped_json_means_the_same(text: str) -> None:
    written = in_json(json.dumps({text: [text]}, ensure_ascii=False))
    assert json.loads(written) == {text: [text]}
    assert not BAD.search(written)


@given(st.text(alphabet=st.sampled_from("a\x1b[0;31m\n\x9b8\u202e")))
def test_a_terminal_gets_no_sequence_but_our_colours(text: str) -> None:
    shown = on_terminal(text, {"0", "1;31", "31"})
    assert not BAD.search(re.sub(r"\x1b\[(?:0|1;31|31)m", "", shown))
