"""How the work of generating again, of an edit and of a comparison grows: never with the square of what there is."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from plait.apps.cli import main

PATTERN = """\
name: many
version: 1.0.0
inputs:
  count: {type: integer, default: 1}
  memory: {type: integer, default: 128}
"""
RESOURCE = """\
{{- range $i := until (int .count) }}
---
apiVersion: lambda.aws.upbound.io/v1beta1
kind: Function
metadata:
  name: function-{{ $i }}
spec:
  memory: {{ $.memory }}
  timeout: 10
  ports:
  - {name: http, port: 80}
{{- end }}
"""


def calls(words: list[str]) -> int:
    """How many functions a command calls, of Python and of C: the comparisons of a search are among them."""
    count = 0

    def counted(*event: object) -> None:
        nonlocal count
        count += event[1] in ("call", "c_call")

    sys.setprofile(counted)
    try:
        assert main(words) in (0, 1)
    finally:
        sys.setprofile(None)
    return count


def edit_a_tenth(file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)
    timeouts = [at for at, line in enumerate(lines) if "timeout" in line]
    for at in timeouts[::10]:
        lines[at] = re.sub("10", "99", lines[at])
    file.write_text("".join(lines))


@pytest.mark.parametrize("more", [[], ["--memory", "256"]], ids=["a tenth edited", "and an input moved"])
def test_four_times_as_many_resources(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "patterns" / "many"
    (home / "resources").mkdir(parents=True)
    (home / "pattern.yaml").write_text(PATTERN)
    (home / "resources" / "made.yaml").write_text(RESOURCE)
    monkeypatch.chdir(tmp_path)
    taken = []
    for count in (5, 50, 200):  # the first one loads what the command needs
        words = ["create", "many", "--output-dir", f"out-{count}", "--no-cache"]
        assert main([*words, "--count", str(count)]) == 0
        edit_a_tenth(tmp_path / f"out-{count}" / "made.yaml")
        taken.append(calls([*words, *more]))
        capsys.readouterr()
    assert taken[2] <= 4.5 * taken[1]


@pytest.mark.parametrize("command", ["set", "diff"])
def test_four_times_as_long_a_file(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    taken = []
    for count in (5, 250, 1000):  # the first one loads what the command needs
        text = "".join(f"key{number}:\n  name: value {number}\n  list: [1, 2]\n" for number in range(count))
        Path("a.yaml").write_text(text)
        Path("b.yaml").write_text(re.sub("value (\\d*)0\n", "other \\1\n", text))
        words = {"set": ["set", "a.yaml", "key3.name", "other"], "diff": ["diff", "a.yaml", "b.yaml"]}[command]
        taken.append(calls([*words, "--no-cache"]))
        capsys.readouterr()
    assert taken[2] <= 4.5 * taken[1]
