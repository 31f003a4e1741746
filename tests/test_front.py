"""A front in thirty lines: what it says about itself is enough for every surface."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.core.plain import from_plain
from plait.edits.value import ResultEdit
from plait.evaluate.engine import Evaluator
from plait.evaluate.tree import Tree
from plait.fronts import catalog
from plait.fronts.front import Declaration, DocumentId, Target, World
from plait.fronts.typed_values import typed_value
from plait.workspace import Workspace
from plait.yaml.build import Reading

# The front


def find(world: World) -> Iterator[Declaration]:
    """Each `NAME.toy.yaml` of the folder declares a target."""
    for name in sorted(world.project.door.below(world.project.folder)):
        if name.endswith(".toy.yaml"):
            yield Declaration("toy", name.removesuffix(".toy.yaml"), world.project.folder, [name])


class ToyTarget(Target):
    """Each file is a document of the type `Toy`."""

    front = "toy"

    def trees(self) -> dict[DocumentId, Tree]:
        evaluator = Evaluator(self.project.door, self.project.meter, {}, self.project.counters)
        root = self.project.read(self.files[0], lambda source: Reading())[0]
        return {self.id("Toy", "", self.name): Tree(root, evaluator)}

    def place_words(self, at: int, count: int) -> str:
        return "the toy's file"


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    finder = catalog.TargetFinder((), find, "toy")
    monkeypatch.setattr(catalog, "FINDERS", (*catalog.FINDERS, finder))
    monkeypatch.setitem(catalog.FRONTS, "toy", ToyTarget)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "box.toy.yaml").write_text("size: 1\ncolour: red\n")
    return tmp_path


# The surfaces


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main([*words, "--no-cache"])
    return capsys.readouterr().out


def test_the_command_line(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "targets") == "box    toy    box.toy.yaml\n"
    assert said(capsys, "render", "box") == "size: 1\ncolour: red\n"
    assert said(capsys, "merge", "--target", "toy:box", "--path", "Toy/box:size") == "1\n"
    assert "box.toy.yaml:1:7" in said(capsys, "explain", "Toy/box:size", "--target", "box")
    assert "colour: red  box.toy.yaml:2" in said(capsys, "blame", "--target", "box")
    assert said(capsys, "lint", "--target", "box") == "nothing found\n"
    assert said(capsys, "lint") == "nothing found\n"
    assert said(capsys, "diff", "--target", "box", "--target", "toy:box") == "no difference\n"


def test_a_review(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, size in (("old", 1), ("new", 3)):
        (toys / folder).mkdir()
        (toys / folder / "a.toy.yaml").write_text(f"size: {size}\n")
    row = json.loads(said(capsys, "review", "old", "new", "--format", "json"))["causes"][0]["values"][0]
    assert (row["target"], row["document"], row["path"], row["before"], row["after"]) == ("a", "Toy/a", "size", 1, 3)


def test_an_edit_and_the_explorer(toys: Path) -> None:
    workspace = Workspace(".", cache=False)
    target = workspace.targets().find("box")
    edit = ResultEdit(target, target.named("Toy/box"), ("size",), typed_value("5", False, "size"))
    assert main(["set", "--target", "box", "Toy/box:size", "5"]) == 0
    assert (toys / "box.toy.yaml").read_text() == "size: 5\ncolour: red\n"
    survey = workspace.survey()
    assert survey.documents("box") == ["Toy/box"]
    assert [trial.site.about for trial in edit.trials()] == ["the toy's file"]
    assert survey.readers("box.toy.yaml") == ["box"]
    assert survey.fates("box.toy.yaml")[2].winning_targets == ["box"]


def test_the_editor(toys: Path) -> None:
    authoring = Workspace(".", cache=False).authoring()
    path = os.path.realpath("box.toy.yaml")
    assert [unit.name for unit in authoring.units_of(path)] == ["box"]
    assert authoring.check_text(path) == []
    pointed = authoring.point(path, len("size: "))
    assert pointed is not None
    values = list(authoring.values(pointed))
    assert [(value.result.label, value.decides, value.node) for value in values] == [("box", True, from_plain(1))]
