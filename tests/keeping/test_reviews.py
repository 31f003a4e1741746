"""What a review takes over from an earlier one of the same question: findings about targets that read nothing of the
further change. The law is in `test_law.py` and `test_documents_law.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait.apps.cli.command
import plait.workspace
from plait.review.compared import ComparedTargets
from plait.review.review import Reviewer
from tests.keeping.commands import CONFIG, run_here
from tests.review.test_git import commit, git, write

CATALOG = "components:\n  terraform:\n    base: {metadata: {type: abstract}, vars: {a: 1}}\n"
LEAF = "import: [catalog]\nvars: {stage: %s}\ncomponents:\n  terraform:\n    web:\n      metadata: {inherits: [base]}\n"
LEAF += "      vars:\n        b: 1\n"
STAGES = ("dev", "prod", "test")
LAYERS = "targets: [{name: 'app-{e}', layers: [base.yaml, 'env/{e}.yaml'], for: {e: 'env/*.yaml'}}]\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(plait.apps.cli.command, "TINY", -1)
    monkeypatch.setattr(plait.workspace, "WORTHWHILE", 0)
    git(tmp_path, "init", "-q", "-b", "main", ".")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def with_stacks(folder: Path) -> None:
    leaves = {f"stacks/deploy/{stage}.yaml": LEAF % stage for stage in STAGES}
    write(folder, {"atmos.yaml": CONFIG, "stacks/catalog.yaml": CATALOG, **leaves})
    commit(folder)
    edit(folder, "stacks/catalog.yaml", "a: 1", "a: 2")


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    write(folder, {name: text.replace(old, new)})


def reused(*words: str) -> str:
    """What a review says it took over; it is what a fresh one prints."""
    status, out, err = run_here("review", "HEAD", *words, "--why-computed")
    told = err.splitlines()[-1]
    fresh = run_here("review", "HEAD", *words, "--no-cache")
    assert (status, out) == fresh[:2]
    return told.partition("; ")[2]


@pytest.fixture
def old_sides(monkeypatch: pytest.MonkeyPatch) -> list[list[str] | None]:
    """The targets that are asked of each old side that is opened; None for all."""
    found: list[list[str] | None] = []
    base = Reviewer.base

    def noted(self: Reviewer, wanted: frozenset[str] | None = None) -> ComparedTargets:
        if self.kept is not None:
            found.append(wanted if wanted is None else sorted(wanted))
        return base(self, wanted)

    monkeypatch.setattr(Reviewer, "base", noted)
    return found


def test_the_old_side_is_asked_about_what_is_compared_again_alone(
    repository: Path, old_sides: list[list[str] | None]
) -> None:
    with_stacks(repository)
    reused()
    edit(repository, "stacks/deploy/dev.yaml", "b: 1", "b: 2")
    reused()
    edit(repository, "stacks/deploy/dev.yaml", "b: 2", "b: 3")
    edit(repository, "stacks/deploy/prod.yaml", "b: 1", "b: 3")
    assert reused() == "the answers about 1 target are as before"
    assert old_sides == [None, ["dev"], ["dev", "prod"]]
    old_sides.clear()
    git(repository, "add", "stacks/deploy")
    git(repository, "-c", "user.name=x", "-c", "user.email=x@y.z", "commit", "-qm", "two")
    reused()
    edit(repository, "stacks/deploy/dev.yaml", "b: 3", "b: 4")
    assert reused() == "the answers about 2 targets are as before"
    assert old_sides == [None, ["dev"]], "the first is about another revision"


def test_a_stack_that_comes_or_goes(repository: Path) -> None:
    with_stacks(repository)
    reused()
    write(repository, {"stacks/deploy/next.yaml": LEAF % "next"})
    assert reused() == "the answers about 3 targets are as before"
    (repository / "stacks/deploy/next.yaml").unlink()
    assert reused() == "the answers about 3 targets are as before"
    (repository / "stacks/deploy/dev.yaml").unlink()
    assert reused() == "", "targets of the old side alone are found anew"


def test_what_fails_is_found_anew(repository: Path) -> None:
    """An error may have a cause that nobody has read."""
    with_stacks(repository)
    edit(repository, "stacks/deploy/prod.yaml", "b: 1", "b: !include gone.yaml")
    reused()
    edit(repository, "stacks/deploy/dev.yaml", "b: 1", "b: 2")
    assert reused() == "the answers about 1 target are as before"


def test_a_further_line_that_all_targets_read(repository: Path) -> None:
    with_stacks(repository)
    reused()
    edit(repository, "stacks/catalog.yaml", "a: 2", "a: 3")
    assert reused() == ""


def test_a_new_file_and_a_further_line_of_it(repository: Path) -> None:
    with_stacks(repository)
    reused()
    write(repository, {"stacks/deploy/qa.yaml": LEAF % "qa"})
    assert reused() == "the answers about 3 targets are as before"
    edit(repository, "stacks/deploy/qa.yaml", "b: 1", "b: 2")
    assert reused() == "the answers about 3 targets are as before"
    write(repository, {"stacks/deploy/more.yaml": LEAF % "dev"})
    assert reused() == "the answers about 3 targets are as before", "git does not track it: which stack it is is masked"
    (repository / "stacks/deploy/more.yaml").unlink()
    assert reused() == "the answers about 3 targets are as before"


def test_a_new_file_that_a_pattern_finds(repository: Path) -> None:
    with_stacks(repository)
    edit(repository, "stacks/deploy/dev.yaml", "import: [catalog]", "import: [catalog, 'more/*']")
    write(repository, {"stacks/more/one.yaml": "vars: {c: 1}\n"})
    reused()
    write(repository, {"stacks/more/two.yaml": "vars: {d: 1}\n"})
    assert reused() == "the answers about 2 targets are as before"


def test_a_new_layer_may_matter_to_every_target(repository: Path) -> None:
    with_layers(repository)
    reused()
    write(repository, {"env/qa.yaml": "stage: qa\n"})
    assert reused() == ""


def test_another_revision(repository: Path) -> None:
    with_stacks(repository)
    edit(repository, "stacks/deploy/dev.yaml", "b: 1", "b: 2")
    reused()
    git(repository, "add", "stacks/deploy")
    git(repository, "-c", "user.name=x", "-c", "user.email=x@y.z", "commit", "-qm", "two")
    assert reused() == "the answers about 2 targets are as before", "these read nothing that the revision has otherwise"
    commit(repository)
    edit(repository, "stacks/deploy/dev.yaml", "b: 2", "b: 3")
    assert reused() == ""


def test_a_line_without_effect_is_looked_for_again(repository: Path) -> None:
    with_stacks(repository)
    edit(repository, "stacks/catalog.yaml", "a: 2", "a: 1, b: 7")
    reused()
    edit(repository, "stacks/deploy/dev.yaml", "b: 1", "b: 2")
    assert reused() == "", "every stack overrides it, and dev at another line"


def with_layers(folder: Path) -> None:
    layers = {f"env/{stage}.yaml": f"stage: {stage}\nb: 1\n" for stage in STAGES}
    write(folder, {"plait.yaml": LAYERS, "base.yaml": "a: 1\n", **layers})
    commit(folder)
    edit(folder, "base.yaml", "a: 1", "a: 2")


def test_layers_are_not_evaluated_again(repository: Path) -> None:
    with_layers(repository)
    reused()
    edit(repository, "env/dev.yaml", "b: 1", "b: 2")
    assert reused() == "the answers about 2 targets are as before"


def test_what_holds_a_secret_is_found_anew(repository: Path) -> None:
    with_stacks(repository)
    reused()
    edit(repository, "stacks/deploy/dev.yaml", "b: 1", "b: !sensitive hush")
    assert reused() == "the answers about 2 targets are as before; not kept: a sensitive value"
    edit(repository, "stacks/deploy/prod.yaml", "b: 1", "b: 2")
    assert "not kept: a sensitive value" in reused()
