"""How the work of generating again, of an edit and of a comparison grows: never with the square of what there is."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import plait
from plait.apps.cli import main
from plait.core.meter import Meter
from plait.core.node import ListNode
from plait.fronts.patterns.resources import TextFile
from plait.merging.differing import _Search as Search
from plait.merging.differing import changes
from tests.steps import steps_of

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
    """How many functions a command calls."""

    def run() -> None:
        assert main(words) in (0, 1)

    return calls_of(run)


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, of Python and of C: the comparisons of a search are among them."""
    count = 0

    def counted(*event: object) -> None:
        nonlocal count
        count += event[1] in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
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


def test_the_clock_is_looked_at_for_each_resource(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that `--max-seconds` ends a run that merges, too, and not only one that renders."""
    home = tmp_path / "patterns" / "many"
    (home / "resources").mkdir(parents=True)
    (home / "pattern.yaml").write_text(PATTERN)
    (home / "resources" / "made.yaml").write_text(RESOURCE)
    monkeypatch.chdir(tmp_path)
    looked: dict[int, int] = {}
    glance = Meter.glance
    for count in (5, 50):
        words = ["create", "many", "--output-dir", f"out-{count}", "--no-cache"]
        assert main([*words, "--count", str(count)]) == 0
        edit_a_tenth(tmp_path / f"out-{count}" / "made.yaml")
        looked[count] = 0

        def counted(meter: Meter, count: int = count) -> None:
            looked[count] += 1
            glance(meter)

        with monkeypatch.context() as patch:
            patch.setattr(Meter, "glance", counted)
            assert main(words) == 0
        capsys.readouterr()
    assert looked[50] - looked[5] >= 3 * 45


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


def item(number: int) -> str:
    return f"- host: h{number}\n  port: {number % 7}\n  path: /p/{number}\n  args: [a, b{number}]\n"


def sides(count: int) -> tuple[str, str, str]:
    """Three versions of a list in which a tenth of the items is changed on both sides, in different fields, and items
    come and go."""
    base, ours, theirs = [], [], []
    for number in range(count):
        base.append(item(number))
        mine, other = item(number), item(number)
        if number % 10 == 0:
            mine, other = mine.replace("port: ", "port: 1"), other.replace("/p/", "/q/") + "  new: 1\n"
        ours.append("" if number % 50 == 5 else mine)
        theirs.append("" if number % 50 == 25 else other)
        if number % 50 == 35:
            ours.append(item(count + number))
            theirs.append(item(2 * count + number))
    return tuple(f"list:\n{''.join(side)}" for side in (base, ours, theirs))  # type: ignore[return-value]


def in_conflict(count: int) -> tuple[str, str, str]:
    """Three versions of a list in which both sides changed the same field of a tenth of the items."""
    base, ours, theirs = [], [], []
    for number in range(count):
        made = item(number)
        base.append(made)
        ours.append(made.replace("port: ", "port: 1" if number % 10 == 0 else "port: "))
        theirs.append(made.replace("port: ", "port: 2" if number % 10 == 0 else "port: "))
    return tuple(f"list:\n{''.join(side)}" for side in (base, ours, theirs))  # type: ignore[return-value]


MERGES: dict[str, Callable[[str, str, str], int]] = {
    "merge3": lambda base, ours, theirs: len(plait.merge3(base, ours, theirs).conflicts),
    "regenerate": lambda base, ours, theirs: plait.regenerate(ours, theirs, base).conflicts,
}


@pytest.mark.long
@pytest.mark.parametrize("merged", MERGES)
@pytest.mark.parametrize("versions", [sides, in_conflict])
def test_four_times_as_many_items(merged: str, versions: Callable[[int], tuple[str, str, str]]) -> None:
    taken = []
    for count in (10, 60, 240):  # the first one loads what is needed
        made = versions(count)
        wanted = count // 10 if versions is in_conflict else 0
        assert MERGES[merged](*made) == wanted
        taken.append(steps_of(lambda: MERGES[merged](*made)))  # noqa: B023
    assert taken[2] <= 4.6 * taken[1]


def counting(monkeypatch: pytest.MonkeyPatch, kind: type, size: Callable[..., int]) -> list[int]:
    """What is made of a kind from here on, by its size: one number, which the caller reads."""
    made, total = kind.__init__, [0]  # type: ignore[misc]

    def counted(self: object, *arguments: object, **named: object) -> None:
        total[0] += size(*arguments)
        made(self, *arguments, **named)

    monkeypatch.setattr(kind, "__init__", counted)
    return total


def test_a_text_is_read_as_often_for_many_conflicts_as_for_few(monkeypatch: pytest.MonkeyPatch) -> None:
    read = counting(monkeypatch, TextFile, lambda *_: 1)
    times = []
    for count in (10, 60, 240):
        before = read[0]
        assert len(plait.merge3(*in_conflict(count)).conflicts) == count // 10
        times.append(read[0] - before)
    assert times[0] == times[1] == times[2] < 20


def test_four_times_as_many_conflicts_in_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "patterns" / "app" / "resources"
    home.mkdir(parents=True)
    (home.parent / "pattern.yaml").write_text("name: app\nversion: 1.0.0\n")
    taken, copied = [], []
    total = counting(monkeypatch, ListNode, lambda items, *_: len(items))
    for count in (10, 60, 240):
        base, ours, theirs = (f"kind: Conf\nmetadata: {{name: c}}\n{side}" for side in in_conflict(count))
        words = ["create", "app", "--output-dir", f"out-{count}", "--no-cache"]
        (home / "conf.yaml").write_text(base)
        assert main(words) == 0
        (tmp_path / f"out-{count}" / "conf.yaml").write_text(ours)
        (home / "conf.yaml").write_text(theirs)
        before = total[0]
        taken.append(steps_of(lambda: main(words)))  # noqa: B023
        copied.append(total[0] - before)
        assert capsys.readouterr().out.count("default: 2") == count // 10
    assert taken[2] <= 4.6 * taken[1]
    assert copied[2] <= 4.6 * copied[1]


def test_four_times_as_many_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortest script of long texts would cost the square of what differs: the steps of its search are counted."""
    steps: list[int] = []
    middle = Search.middle

    def counted(search: Search, limit: int) -> tuple[int, int]:
        found = middle(search, limit)
        steps[-1] += search.cost**2
        return found

    monkeypatch.setattr(Search, "middle", counted)
    for count in (1_500, 6_000):
        steps.append(0)
        items = [item(number).splitlines() for number in range(2 * count)]
        before = [line for number in range(count) for line in items[number]]
        after = [
            line
            for number in range(count)
            for line in [*(items[count + number] if number % 10 == 0 else ()), *(items[number] if number % 10 else ())]
        ]
        assert changes(before, after)
    assert 0 < steps[1] <= 5 * steps[0]
