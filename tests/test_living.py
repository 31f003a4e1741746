"""A workspace that lives while its files change: `edit` and `refresh`."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.apps.cli import main
from plait.core.diagnostic import PlaitError
from plait.core.node import Node, plain_value
from plait.workspace import Workspace
from tests.examples import examples
from tests.stacks.repository import repository

BASE = "components: {terraform: {web: {vars: {size: 1}}}}\n"
FILES = {
    "catalog/base.yaml": BASE,
    "deploy/dev.yaml": "import: [catalog/base]\nvars: {stage: dev}\n",
    "deploy/prod.yaml": "import: [catalog/base]\nvars: {stage: prod}\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    repository(tmp_path, FILES)
    return Workspace(str(tmp_path), cache=False)


def size(workspace: Workspace, stack: str = "dev") -> object:
    folder = workspace.project.folder
    return plain_value(workspace.value(workspace.stacks(folder).tree("web", stack), "vars.size"))


def names(workspace: Workspace) -> list[str]:
    return workspace.stacks(workspace.project.folder).names()


def place(workspace: Workspace, name: str) -> Path:
    return Path(workspace.project.folder) / "stacks" / name


def test_an_unsaved_text_counts_until_it_is_taken_away(workspace: Workspace) -> None:
    assert size(workspace) == 1
    workspace.edit(str(place(workspace, "catalog/base.yaml")), BASE.replace("1", "2"))
    assert (size(workspace), size(workspace, "prod")) == (2, 2)
    workspace.edit(str(place(workspace, "catalog/base.yaml")), None)
    assert size(workspace) == 1


def test_an_unsaved_file_need_not_exist(workspace: Workspace) -> None:
    fresh = str(place(workspace, "deploy/new.yaml"))
    workspace.edit(fresh, "import: [catalog/base]\nvars: {stage: new}\n")
    assert names(workspace) == ["dev", "new", "prod"]
    assert size(workspace, "new") == 1
    workspace.edit(fresh, None)
    assert names(workspace) == ["dev", "prod"]


def test_an_unsaved_file_outside_the_project_is_refused_as_ever(workspace: Workspace, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.yaml"
    workspace.edit(str(outside), "a: 1\n")
    with pytest.raises(PlaitError, match="outside the project"):
        workspace.project.source(str(outside))


def test_only_what_changed_is_read_again(workspace: Workspace) -> None:
    size(workspace)
    assert workspace.counters.files == 4
    workspace.edit(str(place(workspace, "deploy/dev.yaml")), "import: [catalog/base]\nvars: {stage: test}\n")
    assert names(workspace) == ["prod", "test"]
    assert workspace.counters.files == 1


def test_refresh_tells_what_changed_on_the_disk(workspace: Workspace) -> None:
    size(workspace)
    assert workspace.refresh() == []
    place(workspace, "catalog/base.yaml").write_text(BASE.replace("1", "3"), encoding="utf-8")
    assert workspace.refresh() == [str(place(workspace, "catalog/base.yaml").resolve())]
    assert size(workspace) == 3
    assert workspace.refresh() == []


def test_refresh_tells_of_new_and_deleted_files(workspace: Workspace) -> None:
    assert names(workspace) == ["dev", "prod"]
    fresh = place(workspace, "deploy/new.yaml")
    fresh.write_text("import: [catalog/base]\nvars: {stage: new}\n", encoding="utf-8")
    assert workspace.refresh() == [str(fresh.resolve())]
    assert names(workspace) == ["dev", "new", "prod"]
    fresh.unlink()
    assert workspace.refresh() == [str(fresh.resolve())]
    assert names(workspace) == ["dev", "prod"]


def test_refresh_tells_of_a_file_that_was_looked_for_in_vain(workspace: Workspace) -> None:
    size(workspace)
    better = place(workspace, "catalog/base.yaml.tmpl")
    place(workspace, "catalog/base.yaml").rename(better)
    assert str(better.resolve()) in workspace.refresh()
    assert size(workspace) == 1


def test_a_touched_file_has_not_changed(workspace: Workspace) -> None:
    size(workspace)
    place(workspace, "deploy/dev.yaml").touch()
    assert workspace.refresh() == []


def test_refresh_finds_new_settings(workspace: Workspace) -> None:
    assert size(workspace) == 1
    settings = Path(workspace.project.folder) / "plait.yaml"
    settings.write_text("nonsense: 1\n", encoding="utf-8")
    assert workspace.refresh() == [str(settings.resolve())]
    with pytest.raises(PlaitError, match="nonsense"):
        size(workspace)
    settings.write_text("budgets: {depth: 500}\n", encoding="utf-8")
    workspace.refresh()
    assert size(workspace) == 1
    assert workspace.project.budgets.depth == 500
    settings.unlink()
    workspace.refresh()
    assert workspace.project.budgets.depth == 1000


def test_threads_may_ask_at_the_same_time(workspace: Workspace) -> None:
    found: list[object] = []

    def ask(number: int) -> None:
        for turn in range(5):
            with workspace.asking():
                text = BASE.replace("1", str(number * 10 + turn))
                workspace.edit(str(place(workspace, "catalog/base.yaml")), text)
                found.append(size(workspace) == number * 10 + turn)

    threads = [Thread(target=ask, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 20


@settings(max_examples=examples(15))
@given(st.lists(st.tuples(st.sampled_from(sorted(FILES)), st.integers(0, 3), st.booleans()), min_size=1, max_size=5))
def test_a_living_workspace_answers_like_a_fresh_one(steps: list[tuple[str, int, bool]]) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place).resolve()
        repository(folder, FILES)
        living = Workspace(str(folder), cache=False)
        unsaved: dict[Path, str] = {}
        for name, number, saved in steps:
            path = folder / "stacks" / name
            text = FILES[name].replace("size: 1", f"size: {number}") + f"settings: {{number: {number}}}\n"
            if saved:
                path.write_text(text, encoding="utf-8")
                assert living.refresh() in ([], [str(path)])
            else:
                living.edit(str(path), text)
                unsaved[path] = text
            fresh = Workspace(str(folder), cache=False)
            for path, text in unsaved.items():
                fresh.edit(str(path), text)
            assert described(living) == described(fresh)


def described(workspace: Workspace) -> str:
    stacks = workspace.stacks(workspace.project.folder)
    return "".join(stacks.describe_stacks(stacks.filter(), stacks.shape()))


def test_what_is_trusted_stays_so_with_other_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text("town: !exec echo Ulm\n", encoding="utf-8")
    living = Workspace(cache=False)
    for number in range(2):
        Path("plait.yaml").write_text(f"targets: [{{name: a, layers: [a.yaml]}}]  # {number}\n", encoding="utf-8")
        assert main(["trust", "--allow", "exec", "."]) == 0
        living.refresh()
        [(_, found)] = living.targets().find("a").results()
        assert isinstance(found, Node)
        assert plain_value(found) == {"town": "Ulm"}


def test_the_names_of_a_text_are_looked_for_within_the_time_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\nb: !ref a\n")
    authoring = Workspace(str(tmp_path), budgets={"seconds": 10}).authoring()
    assert len(authoring.symbols.mentions(str(tmp_path / "a.yaml"))) == 2
    authoring.edit(str(tmp_path / "a.yaml"), "a: 2\nb: !ref a\n")
    elapsed = count(step=11)
    monkeypatch.setattr("plait.core.meter.cpu_seconds", lambda: next(elapsed))
    with pytest.raises(PlaitError, match="the time limit of 10 s is exceeded"):
        authoring.symbols.mentions(str(tmp_path / "a.yaml"))
