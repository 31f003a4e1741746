"""Links inside of a git folder: git would follow them out of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.outside.project import git
from tests.test_safety import Clone


@pytest.fixture
def shared(clone: Clone) -> tuple[str, str]:
    """A file that a private repository and a commit of the clone have in common: the commit, and the blob."""
    for folder in (clone.out, clone.root):
        git(folder, "init", "-q")
        (folder / "same.yaml").write_text("a: TOPSECRET\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "x")
    found = git(clone.root, "rev-parse", "HEAD").strip(), git(clone.root, "rev-parse", "HEAD:same.yaml").strip()
    (clone.root / "same.yaml").write_text("a: 2\n")
    git(clone.root, "commit", "-qam", "y")
    return found


@pytest.mark.parametrize("how", ["absolute", "relative", "a link to a link"])
def test_a_linked_object_is_not_read(clone: Clone, shared: tuple[str, str], how: str) -> None:
    commit, blob = shared
    inner = f".git/objects/{blob[:2]}/{blob[2:]}"
    theirs, ours = clone.out / inner, clone.root / inner
    ours.unlink()
    target: Path | str = theirs
    if how == "relative":
        target = os.path.relpath(theirs, ours.parent)
    elif how == "a link to a link":
        (clone.root / "between").symlink_to(theirs)
        target = "../../../between"
    ours.symlink_to(target)
    for words in (("merge", f"{commit}:same.yaml"), ("get", f"{commit}:same.yaml", "a"), ("review", commit)):
        assert "is outside the project" in clone.refused(*words, "--no-cache")


@pytest.mark.parametrize("name", ["refs/heads/evil", "logs/HEAD", "info/exclude", "refs/tags/deep/er/evil"])
def test_a_linked_file_of_git_is_not_read(clone: Clone, shared: tuple[str, str], name: str) -> None:
    place = clone.root / ".git" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(clone.out / "plain.txt")
    assert "is outside the project" in clone.refused("merge", "HEAD:same.yaml", "--no-cache")


def test_a_pipe_in_a_git_folder_is_not_waited_for(clone: Clone, shared: tuple[str, str]) -> None:
    os.mkfifo(clone.root / ".git/refs/heads/pipe")
    assert "not a regular file" in clone.refused("merge", "HEAD:same.yaml", "--no-cache")
