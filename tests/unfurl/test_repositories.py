"""`git-local://COMMIT:PATH`: the repository around the document whose first commit that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.fronts.project import Project
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.query.data import plain
from tests.outside.project import git


def test_a_repository_by_its_first_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    first = git(tmp_path, "rev-parse", "HEAD").strip()
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "second")
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "base.yaml").write_text("x: 1\n")
    (tmp_path / "inner").mkdir()
    main = tmp_path / "inner" / "main.yaml"
    text = (
        "repositories: {spec: {url: 'git-local://COMMIT:/spec#main'}}\na: {+include: {file: base.yaml, "
        "repository: spec}}\n"
    )
    main.write_text(text.replace("COMMIT", first))
    assert plain(DirectiveDocument(Project(str(tmp_path)), str(main)).expanded())["a"] == {"x": 1}  # type: ignore[index]
    main.write_text(text.replace("COMMIT", "0" * 40))
    with pytest.raises(PlaitError, match="is not available locally"):
        DirectiveDocument(Project(str(tmp_path)), str(main)).expanded()
