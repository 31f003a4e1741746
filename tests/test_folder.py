"""`-C DIR`, before and after each command: what is printed is what `cd DIR` and the command print."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.apps.cli.commands import COMMANDS

STACKS = Path(__file__).parents[1] / "examples" / "stacks"
FILES = {
    "base.yaml": "a: 1\nwhere: !env PWD\n",
    "prod.yaml": "a: 2\n",
    "plait.yaml": "targets:\n- {name: prod, layers: [base.yaml, prod.yaml]}\n",
    "template.yml": "a: (( merge ))\n",
    "patterns/app/pattern.yaml": "description: An app.\ninputs: {name: {type: string}}\n",
    "patterns/app/templates/app.yaml": "kind: App\nmetadata: {name: '{{ .name }}'}\n",
}
WORDS = {
    "merge": "merge base.yaml prod.yaml",
    "explain": "explain a base.yaml prod.yaml",
    "blame": "blame base.yaml prod.yaml",
    "lint": "lint base.yaml prod.yaml",
    "layers": "layers base.yaml prod.yaml",
    "why-not": "why-not a base.yaml base.yaml prod.yaml",
    "get": "get base.yaml a",
    "set": "set base.yaml a 3 --dry-run",
    "unset": "unset base.yaml a --dry-run",
    "diff": "diff base.yaml prod.yaml",
    "review": "review base.yaml prod.yaml",
    "verify": "verify --target prod",
    "render": "render layers:prod",
    "spiff merge": "spiff merge template.yml prod.yaml",
    "spiff diff": "spiff diff base.yaml prod.yaml",
    "expand": "expand base.yaml",
    "query": "query a base.yaml",
    "apply": "apply base.yaml prod.yaml --dry-run",
    "create": "create app --name shop --dry-run",
    "merge3": "merge3 base.yaml base.yaml prod.yaml -o -",
    "regenerate": "regenerate --base base.yaml --fresh prod.yaml base.yaml --dry-run",
    "patterns describe": "patterns describe app",
    "patterns new": "patterns new app",
    "patterns check": "patterns check app",
    "explain component": "explain component web -s ue1-prod vars.limits",
    "blame component": "blame component web -s ue1-prod",
    "describe component": "describe component web -s ue1-prod",
    "describe locals": "describe locals vpc -s ue1-prod",
    "describe dependents": "describe dependents vpc -s ue1-prod",
    "config get": "config get stacks.base_path",
    "list vars": "list vars web",
    "list values": "list values web",
    "list settings": "list settings web",
    "list metadata": "list metadata web",
    "validate component": "validate component web -s ue1-prod",
    "stack get": "stack get web -s ue1-prod vars.limits",
    "stack set": "stack set web -s ue1-prod vars.limits.cpu 3 --dry-run",
    "stack unset": "stack unset web -s ue1-prod vars.limits.cpu --dry-run",
    "serve": "serve --export out --target prod",
    "watch": "watch set",
    "lsp": "lsp --tcp 70000",
    "completion": "completion candidates plait\x1fget\x1fbase.yaml\x1f",
    "help": "help merge",
    "trust": "trust --list",
}
"""The words for a command that needs some."""


def write_files(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def made(folder: Path) -> Path:
    """Make a project of every kind in a folder."""
    write_files(folder / "in", FILES)
    shutil.copytree(STACKS, folder / "in", dirs_exist_ok=True)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_it_prints_in_the_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = WORDS.get(name, name).split(" ")
    answers = []
    for place in ("before", "after", "inside"):
        folder = made(tmp_path / "one")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache-{place}"))
        monkeypatch.chdir(folder / "in" if place == "inside" else folder)
        monkeypatch.setenv("PWD", os.getcwd())
        given = {"before": ["-C", "in", *words], "after": [*words, "-C", "in"], "inside": words}[place]
        status = main(given)
        printed = capsys.readouterr()
        answers.append((status, *(text.replace(f"cache-{place}", "CACHE") for text in printed)))
        assert os.getcwd() == os.environ["PWD"], "the process is where it was"
        shutil.rmtree(folder)
    assert answers[0] == answers[2]
    assert answers[1] == answers[2]


@pytest.mark.parametrize(
    "words", [["-C", "nowhere", "merge", "a.yaml"], ["merge", "a.yaml", "--chdir=file"], ["get", "-C"]]
)
def test_a_folder_that_is_not_there_is_wrong_usage(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("plait: -C")


def test_several_folders_follow_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"a/b/c.yaml": "x: 1\n"})
    monkeypatch.chdir(tmp_path)
    assert main(["-C", "a", "get", "c.yaml", "x", "-Cb"]) == 0
    assert capsys.readouterr().out == "1\n"


def test_names_are_completed_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(made(tmp_path))
    for line, expected in (
        ("plait\x1f-C\x1fin\x1flint\x1f--target\x1f", "prod"),
        ("plait\x1frender\x1f-C\x1f", ":files"),
        ("plait\x1flint\x1f-C\x1fnowhere\x1f--target\x1f", ""),
    ):
        assert main(["completion", "candidates", line]) == 0
        assert expected in capsys.readouterr().out
