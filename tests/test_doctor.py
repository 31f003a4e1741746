"""`plait doctor --check` must see a wrong answer: here one way of asking is made to lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.access import ourselves
from plait.apps.cli import checking
from plait.apps.cli.checking import Check
from tests.cases.preloaded import preloaded

FILES = {
    "plait.yaml": "targets: [{name: dev, layers: [a.yaml]}, {name: prod, layers: [a.yaml, b.yaml]}]\n",
    "a.yaml": "size: 1\n",
    "b.yaml": "size: 2\n",
}
STACKS = {
    "atmos.yaml": "stacks: {base_path: stacks, included_paths: ['*'], name_template: '{{ .vars.stage }}'}\n",
    "stacks/dev.yaml": "vars: {stage: dev}\ncomponents: {terraform: {net: {vars: {size: 1}}}}\n",
}


def asked(folder: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch, lie: str) -> Check:
    """A check in which every command with some word gets 7 where it should get 1."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    def command(words: tuple[str, ...], inside: str, more: dict[str, str]) -> tuple[int, str, str]:
        if more:  # the native reader is chosen by a Python that starts
            status, text, error = ourselves.own_command(words, inside, more)
        else:
            status, out, err = preloaded().run(list(words), Path(inside), dict(os.environ), b"")
            text, error = out.decode(), err.decode()
        return status, text.replace("1", "7") if lie in (*words, *more) else text, error

    monkeypatch.setattr(checking, "own_command", command)
    check = Check(str(folder))
    assert check.find()[0] == 0
    check.ask()
    return check


@pytest.mark.parametrize(
    ("files", "lie", "ways"),
    [
        (FILES, "nothing", set()),
        (FILES, "PLAIT_NATIVE", {"without the native reader"}),
        (STACKS, "--jobs", {"in two processes"}),
        (STACKS, "component", {"one component alone"}),
    ],
)
def test_a_wrong_answer_is_told(
    files: dict[str, str], lie: str, ways: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = asked(tmp_path, files, monkeypatch, lie)
    assert {one.way for one in check.made if one.difference} == ways
    assert [*check.lines()][-1].endswith("not the same" if ways else "all the same")
    assert any(line.startswith("      differs at ") for line in check.lines()) == bool(ways)
