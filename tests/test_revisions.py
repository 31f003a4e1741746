"""Revisions as layers: `HEAD:file` in merge, explain, get and diff, and `HEAD:folder` in diff."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.fronts.project import Project
from plait.fronts.revisions import split_revision

CONFIG = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def git(*words: str) -> None:
        subprocess.run(["git", *CONFIG, *words], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "values").mkdir()
    (tmp_path / "values" / "base.yaml").write_text("a: 1\nb: 1\n")
    git("init", "-q", ".")
    git("add", "-A")
    git("commit", "-qm", "one")
    (tmp_path / "values" / "base.yaml").write_text("a: 2\nb: 1\n")
    (tmp_path / "values" / "new.yaml").write_text("c: 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["merge", "HEAD:values/base.yaml"], "a: 1\nb: 1\n"),
        (["merge", "HEAD:values/base.yaml", "values/new.yaml"], "a: 1\nb: 1\nc: 1\n"),
        (["get", "HEAD:values/base.yaml", "a"], "1\n"),
        (["explain", "a", "HEAD:values/base.yaml", "values/base.yaml"], "HEAD:values/base.yaml:1:4"),
        (["diff", "HEAD:values", "values"], "new.yaml:\n"),
        (["diff", "HEAD:values", "values"], "a    1 -> 2    values/base.yaml:1:4"),
        (["merge", "HEAD:nowhere.yaml"], ""),
        (["merge", "HEAD:values"], ""),
    ],
)
def test_revisions(repository: Path, capsys: pytest.CaptureFixture[str], words: list[str], printed: str) -> None:
    status = main([*words[:1], "--no-cache", *words[1:]])
    out, err = capsys.readouterr()
    if printed:
        assert printed in out, err
    else:
        assert status == 1
        assert "PL1" in err


def test_an_option_of_git_is_no_revision(repository: Path) -> None:
    assert split_revision(Project(str(repository)), "--output=x:values/base.yaml") == ("", "")


def test_a_profile_is_recognised_at_the_revision_of_the_lowest_layer(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = repository / "values"
    (folder / "values.yaml").write_text("a: {b: 1}\n")
    (folder / "Chart.yaml").write_text("name: x\n")
    subprocess.run(["git", "add", "-A"], cwd=repository, check=True)
    subprocess.run(["git", *CONFIG, "commit", "-qm", "chart"], cwd=repository, check=True)
    (folder / "Chart.yaml").unlink()
    (repository / "over.yaml").write_text("a: null\n")
    assert main(["merge", "HEAD:values/values.yaml", "over.yaml"]) == 0
    there = capsys.readouterr()
    assert (there.out, "merging as helm does" in there.err) == ("{}\n", True)
    assert main(["merge", "values/values.yaml", "over.yaml"]) == 0
    here = capsys.readouterr()
    assert (here.out, here.err) == ("a: null\n", "")
