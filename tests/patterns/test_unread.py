"""Files that have the text that is generated again are not read into trees; every answer is as if they were."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.fronts.patterns import resources
from plait.fronts.patterns.resources import TextFile

PATTERN = """\
name: app
version: 1.0.0
inputs: {size: {type: integer, default: 1}}
"""
OWNED = 'owned: ["spec.hosts[name=a].port"]\n'
RESOURCE = "apiVersion: v1\nkind: Conf\nmetadata: {name: %s}\nspec:\n  mode: a # why\n  hosts: [{name: a, port: 1}]\n"
FILES = {
    "one.yaml": RESOURCE % "one" + "---\n" + RESOURCE % "two" + "  more: [x, y]\n",
    "moving.yaml": RESOURCE % "moving" + "  size: {{ .size }}\n",
    "secret.yaml": RESOURCE % "secret" + "  word: !sensitive abc\n",
    "nameless.yaml": "v: 1\n---\nw: 1\n",
    "bare.yaml": "kind: Conf\nmetadata: {name: bare}\nspec: {mode: a}\n",
}

Edit = Callable[[Path], None]


def written(name: str, old: str, new: str) -> Edit:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))

    return edit


EDITS: dict[str, Edit] = {
    "nothing": lambda folder: None,
    "a value": written("out/one.yaml", "mode: a", "mode: b"),
    "a comment": written("out/moving.yaml", "# why", "# because"),
    "a file moved": lambda folder: shutil.move(folder / "out/one.yaml", folder / "out/other.yaml"),
    "the record lost": lambda folder: (folder / "out/.plait-meta.yaml").unlink(),
    "the record of another text": written("out/.plait-meta.yaml", "mode: a", "mode: z"),
    "a pattern that makes less": lambda folder: (folder / "patterns/app/resources/one.yaml").unlink(),
    "a pattern under other names": written("patterns/app/resources/one.yaml", "name: one", "name: uno"),
}
FLAGS = (
    [],
    ["--dry-run"],
    ["--set", "Conf/two:spec.mode=c", "--size", "2"],
    ["--overwrite", "--yes", "--prune"],
    ["--preserve", "spec.hosts[name=a].port", "--accept", "spec.mode", "--format", "json"],
    ["--tracker", "annotations"],
    ["--tracker", "diff", "--check"],
)
ALL = list(product(EDITS, FLAGS))
CHOSEN = ALL if os.environ.get("PLAIT_EXAMPLES") else ALL[:: len(FLAGS) - 2]
"""Every edit and every flag; with `PLAIT_EXAMPLES`, each with each."""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder that was generated once."""
    home = tmp_path / "made"
    (home / "patterns/app/resources").mkdir(parents=True)
    (home / "patterns/app/pattern.yaml").write_text(PATTERN)
    for name, text in FILES.items():
        (home / "patterns/app/resources" / name).write_text(text)
    monkeypatch.chdir(home)
    assert main(["create", "app", "--output-dir", "out"]) == 0
    capsys.readouterr()
    return home


def test_every_answer_is_as_if_all_trees_were_read(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {name for name, _ in CHOSEN} == set(EDITS)
    assert {*map(tuple, FLAGS)} == {tuple(flags) for _, flags in CHOSEN}
    written("patterns/app/pattern.yaml", PATTERN, PATTERN + OWNED)(made)
    let_go = TextFile.let_go
    large = resources.LARGE
    for number, (name, flags) in enumerate(CHOSEN):
        answers = []
        monkeypatch.setattr(resources, "LARGE", number % 2 * large)  # of little, only what did not change is let go of
        for way in (let_go, lambda file: None):
            folder = made.with_name("copy")
            shutil.copytree(made, folder)
            monkeypatch.chdir(folder)
            monkeypatch.setattr(TextFile, "let_go", way)
            EDITS[name](folder)
            status = main(["create", "app", "--output-dir", "out", *flags])
            files = {path.name: path.read_bytes() for path in sorted((folder / "out").iterdir())}
            answers.append((status, capsys.readouterr(), files))
            shutil.rmtree(folder)
        assert answers[0] == answers[1], (name, flags)


def test_what_did_not_change_is_not_read_into_trees(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    tree, let_go = TextFile.tree, TextFile.let_go
    gone: list[str] = []
    monkeypatch.setattr(TextFile, "tree", lambda file, at: (read.append(f"{file.name} {at}"), tree(file, at))[1])
    monkeypatch.setattr(TextFile, "let_go", lambda file: (gone.append(file.name), let_go(file))[1])
    assert main(["create", "app", "--output-dir", "out"]) == 0
    assert sorted({*gone}) == ["bare.yaml", "moving.yaml", "nameless.yaml", "one.yaml"]
    assert {name.split()[0] for name in read} <= {"bare.yaml", "nameless.yaml"}


def test_of_much_only_what_was_edited_is_read_into_trees_again(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once on each side, and not a second time after the merge."""
    read: list[str] = []
    tree = TextFile.tree
    monkeypatch.setattr(resources, "LARGE", 0)
    monkeypatch.setattr(TextFile, "tree", lambda file, at: (read.append(f"{file.name} {at}"), tree(file, at))[1])
    EDITS["a value"](made)
    assert main(["create", "app", "--output-dir", "out"]) == 0
    assert [name for name in read if name.startswith("one")] == ["one.yaml 0"] * 2
