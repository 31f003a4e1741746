"""Processes that run our own code: what they are given, and what they say where they fail."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.access.ourselves import own_process

ECHO = """import os, sys
def main():
    print(sys.stdin.read(), os.getcwd(), sorted(name for name in os.environ if name != "LC_CTYPE"))
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "echoing.py").write_text(ECHO)
    (tmp_path / "failing.py").write_text("def main():\n    raise SystemExit('a' * 2000 + 'the disk is full')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return str(tmp_path)


def test_a_process_gets_its_data_and_knows_only_its_folder_and_its_variables(module: str) -> None:
    said = own_process("echoing", b"data", module, {"GIVEN": "1"}, 60)
    assert said.decode() == f"data {os.path.realpath(module)} ['GIVEN']\n"


def test_a_process_that_fails_says_why_and_not_all_that_it_said(module: str) -> None:
    with pytest.raises(OSError, match=r"^it ended with exit status 1: a{983}the disk is full\n$"):
        own_process("failing", b"", module, {}, 60)
