"""Patterns with many `**`: memory and time grow with their length, not with the ways in which they match."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

DEEP = "a: {b: {c: {d: {e: {f: {g: {h: [1]}}}}}}}\n"
STARS = {"alone": "**." * 30 + "h", "between": "**.*." * 15 + "h", "names": "**.a.**.b." * 10 + "h"}
MEMORY = 500_000_000


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (15, 15))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are those of Linux")
@pytest.mark.parametrize("stars", STARS)
@pytest.mark.parametrize("words", ["merge a.yaml a.yaml --list {}=append", "get a.yaml {}", "explain {} a.yaml"])
def test_a_pattern_of_ninety_characters_is_harmless(tmp_path: Path, words: str, stars: str) -> None:
    (tmp_path / "a.yaml").write_text(DEEP, encoding="utf-8")
    command = [sys.executable, "-m", "plait", *words.format(STARS[stars]).split(), "--no-cache"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=limit)
    assert ended.returncode in (0, 1, 2), ended.stderr[-500:]  # 2: a rule that matches no list
    assert "not enough memory" not in ended.stderr
    if stars == "alone":
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout.strip().startswith(("a:", "- 1", "a.b.c.d.e.f.g.h", "[1]"))
