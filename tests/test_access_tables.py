"""The small parts of the door to the outside, each beside a folder that is made for it."""

from __future__ import annotations

import os
import socket
from contextlib import nullcontext
from http.client import BadStatusLine, HTTPMessage
from io import BytesIO
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import OpenerDirector

import pytest

from plait.access import gitlinks, objects, owners
from plait.access.checkout import checkout, copy_of
from plait.access.door import Door
from plait.access.gitfolder import MOST, GitFolder, commit_at, repositories_at
from plait.access.gitlinks import FolderLinks
from plait.access.http import get
from plait.access.outputs import append_outputs
from plait.access.owners import foreign_owner, trusted_owners
from plait.access.trouble import MEGABYTE
from plait.core.diagnostic import PlaitError
from tests.outside.project import git

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def tree(folder: Path, files: dict[str, str]) -> Path:
    """A work tree whose git folder has some files."""
    for name, text in {"HEAD": "ref: refs/heads/main\n", **files}.items():
        (folder / ".git" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / ".git" / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("files", "commit"),
    [
        ({"refs/heads/main": f"{COMMIT}\n"}, COMMIT),
        ({"HEAD": f"{COMMIT}\n"}, COMMIT),  # no branch is checked out
        ({"refs/heads/main": "ref: refs/heads/other\n"}, ""),
        ({"refs/heads/main": COMMIT[:39]}, ""),
        ({}, ""),  # the branch is packed
        ({"HEAD": "x" * (MOST + 1)}, ""),
    ],
)
def test_the_commit_of_a_tree(files: dict[str, str], commit: str, tmp_path: Path) -> None:
    assert commit_at(str(tree(tmp_path, files))) == commit


def test_the_commit_of_a_worktree_is_in_its_main_repository(tmp_path: Path) -> None:
    tree(tmp_path / "main", {"refs/heads/side": f"{COMMIT}\n", "worktrees/side/HEAD": "ref: refs/heads/side\n"})
    own = tmp_path / "main/.git/worktrees/side"
    (own / "commondir").write_text("../..\n")
    (own / "gitdir").write_text(f"{tmp_path}/side/.git\n")
    (tmp_path / "side").mkdir()
    (tmp_path / "side/.git").write_text(f"gitdir: {own}\n")
    assert commit_at(str(tmp_path / "side")) == COMMIT
    found = GitFolder.of_tree(str(tmp_path / "side"))
    assert (found.folder, found.common) == (str(own), str(tmp_path / "main/.git"))
    assert list(found.own()) == [str(own), str(tmp_path / "main/.git")]
    assert found.elsewhere(lambda place: False, FolderLinks().below) == ""
    (own / "gitdir").write_text(f"{tmp_path}/other/.git\n")  # it belongs to another tree
    assert list(found.own()) == []
    assert found.elsewhere(lambda place: False, FolderLinks().below) == str(own)
    assert found.elsewhere(lambda place: True, FolderLinks().below) == ""


def test_a_submodule_says_which_tree_it_belongs_to(tmp_path: Path) -> None:
    tree(tmp_path / "main", {"modules/sub/HEAD": "x", "modules/sub/config": "[core]\n\tworktree = ../../../sub\n"})
    own = tmp_path / "main/.git/modules/sub"
    (tmp_path / "main/sub").mkdir()
    (tmp_path / "main/sub/.git").write_text("gitdir: ../.git/modules/sub\n")
    assert list(GitFolder.of_tree(str(tmp_path / "main/sub")).own()) == [str(own)]
    (own / "config").write_text("[core]\n")
    assert list(GitFolder.of_tree(str(tmp_path / "main/sub")).own()) == []


@pytest.mark.parametrize(
    ("lent", "outside"),
    [
        ("", ""),
        ("# a comment\n", ""),
        ("../../borrowed\n", ""),
        ("{away}\n", "away"),
        ("../../borrowed\n{away}\n", "away"),
    ],
)
def test_objects_that_are_borrowed(lent: str, outside: str, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    folder = tree(tmp_path / "main", {"objects/info/alternates": lent.format(away=tmp_path / "away"), "borrowed/x": ""})
    found = GitFolder.of_tree(str(folder)).elsewhere(lambda place: False, FolderLinks().below)
    assert found == (str(tmp_path / outside) if outside else "")


@pytest.mark.parametrize("lent", ['"quoted"\n', "x" * MOST, "".join(f"../../{number}\n" for number in range(101))])
def test_objects_that_are_borrowed_in_ways_of_which_git_reads_more(lent: str, tmp_path: Path) -> None:
    folder = tree(tmp_path, {"objects/info/alternates": lent})
    with pytest.raises(PlaitError, match="alternates"):
        GitFolder.of_tree(str(folder)).elsewhere(lambda place: False, FolderLinks().below)


def test_a_pipe_in_the_folder_of_git_is_refused(tmp_path: Path) -> None:
    folder = tree(tmp_path, {})
    os.mkfifo(folder / ".git/config")
    with pytest.raises(PlaitError, match="not a regular file"):
        GitFolder.of_tree(str(folder)).elsewhere(lambda place: False, FolderLinks().below)


def test_a_link_out_of_the_folder_of_git_is_found(tmp_path: Path) -> None:
    folder = tree(tmp_path / "main", {"refs/heads/main": COMMIT})
    (tmp_path / "secret").write_text("x")
    (folder / ".git/refs/heads/sly").symlink_to(tmp_path / "secret")
    found = GitFolder.of_tree(str(folder)).elsewhere(lambda place: False, FolderLinks().below)
    assert found == str(tmp_path / "secret")


def test_what_git_may_take_for_a_repository(tmp_path: Path) -> None:
    tree(tmp_path / "a", {})
    (tmp_path / "b.git").mkdir()
    names = {"a": ["a/.git", "a"], "b": ["b.git"], "c": []}
    for name, marks in names.items():
        found = [one.mark for one in repositories_at(str(tmp_path / name))]
        assert found == [str(tmp_path / mark) for mark in marks]


@pytest.mark.parametrize("settled", [True, False])
def test_folders_without_links_are_listed_once_they_are_settled(
    settled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/file").write_text("x")
    listed: list[str] = []
    scan = os.scandir
    monkeypatch.setattr(gitlinks, "is_settled", lambda stamp: settled)
    monkeypatch.setattr(gitlinks.os, "scandir", lambda name: listed.append(name) or scan(name))
    links = FolderLinks()
    assert list(links.below(str(tmp_path))) == list(links.below(str(tmp_path))) == []
    assert listed == [str(tmp_path), str(tmp_path / "a"), str(tmp_path / "a/b")] * (1 if settled else 2)
    (tmp_path / "a/b/link").symlink_to("/")
    assert list(links.below(str(tmp_path))) == [str(tmp_path / "a/b/link")]
    assert list(links.below(str(tmp_path))) == [str(tmp_path / "a/b/link")]  # it is found each time
    assert list(links.below(str(tmp_path / "nowhere"))) == []


@pytest.mark.parametrize(
    ("sizes", "why"),
    [
        ([], ""),
        (["7", "3"], ""),
        (["7", "4"], "its files have more than 10 bytes"),
        (["7", "-", "3"], ""),  # a submodule has no size
        (["1", "1", "1"], ""),
        (["1", "1", "1", "1"], "it has more than 3 files"),
    ],
)
def test_a_revision_that_would_fill_the_disk(sizes: list[str], why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "LIMIT", 10)
    monkeypatch.setattr(objects, "FILES", 3)
    rows = [f"100644 blob {COMMIT} {size:>7}\ta name {number}\0" for number, size in enumerate(sizes)]
    assert objects.too_much("".join(rows).encode()) == why


@pytest.mark.parametrize(
    ("me", "sudo", "trusted"),
    [(1000, "", {1000, 0}), (1000, "7", {1000, 0}), (0, "", {0}), (0, "7", {0, 7}), (0, "x", {0})],
)
def test_whose_files_count(me: int, sudo: str, trusted: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners.os, "geteuid", lambda: me)
    monkeypatch.setenv("SUDO_UID", sudo)
    assert trusted_owners() == trusted


def test_a_file_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = os.stat(tmp_path).st_uid
    assert foreign_owner(str(tmp_path)) is None
    monkeypatch.setattr(owners, "trusted_owners", lambda: frozenset({own + 1}))
    assert foreign_owner(str(tmp_path)) == own
    monkeypatch.setattr(owners, "trusted_owners", frozenset)  # a system without users
    assert foreign_owner(str(tmp_path)) is None


def test_outputs_of_a_step(tmp_path: Path) -> None:
    append_outputs(str(tmp_path / "out"), {"a": "1", "b": "two\nlines"})
    append_outputs(str(tmp_path / "out"), {"c": "3"})
    assert (tmp_path / "out").read_text() == "a=1\nb=two lines\nc=3\n"
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
    (tmp_path / "link").symlink_to(tmp_path / "out")
    with pytest.raises(OSError, match="link"):
        append_outputs(str(tmp_path / "link"), {"d": "4"})


def test_copies_have_git_and_the_ignored_files_of_the_tree(tmp_path: Path) -> None:
    root, away = tmp_path / "main", tmp_path / "away"
    (root / "deep").mkdir(parents=True)
    away.mkdir()
    for name, text in {".gitignore": "*.tmp\ncache/\n", "a.yaml": "a: 1\n", "deep/b.yaml": "b: 1\n"}.items():
        (root / name).write_text(text)
    (root / "out").symlink_to(away)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    (root / "a.yaml").write_text("a: 2\n")
    (root / "out").unlink()
    for name in ("cache/x", "deep/y.tmp", "out/z.tmp", "new.yaml"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(name)
    door = Door([str(root)])
    names = ("a.yaml", "deep/b.yaml", "gone.yaml")
    for copy, text in ((checkout(str(root), "HEAD"), "a: 1\n"), (copy_of(str(root), names, door), "a: 2\n")):
        here = Path(copy.folder)
        assert (here / "a.yaml").read_text() == text
        assert (here / "deep/b.yaml").read_text() == "b: 1\n"
        assert [(here / name).readlink() for name in ("cache", "deep/y.tmp")] == [root / "cache", root / "deep/y.tmp"]
        assert git(here, "rev-parse", "HEAD") == git(root, "rev-parse", "HEAD")
        assert [name for name in ("gone.yaml", "new.yaml") if (here / name).exists()] == []
        copy.close()
        assert not here.exists()
    assert list(away.iterdir()) == [], "a link of the revision leads there"


def answered(code: int) -> HTTPError:
    return HTTPError("http://host/a/b", code, "as it says", HTTPMessage(), None)


ANSWERS: dict[str, tuple[Exception, str]] = {
    "no such host": (URLError(socket.gaierror(-2, "no")), "cannot be reached: unknown host name"),
    "silent": (URLError(TimeoutError()), "cannot be reached: no answer within 10 seconds"),
    "silent in the middle": (TimeoutError(), "cannot be reached: no answer within 10 seconds"),
    "closed": (URLError(ConnectionRefusedError(111, "refused")), "cannot be reached: refused"),
    "without words": (URLError(OSError()), "cannot be reached"),
    "no HTTP": (BadStatusLine("220 ftp"), "cannot be reached: 220 ftp"),
    "not there": (answered(404), "has no `a/b`"),
    "not there any more": (answered(410), "has no `a/b`"),
    "busy": (answered(503), "cannot be reached: it answers 503 as it says"),
    "too many requests": (answered(429), "cannot be reached: it answers 429 as it says"),
    "refused": (answered(403), "refused the request: it answers 403 as it says"),
}
"""What happens to a request, and what is said."""


@pytest.mark.parametrize("trouble", ANSWERS)
def test_what_is_said_of_a_request_that_fails(trouble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raised, said = ANSWERS[trouble]

    def fail(*_: object, **__: object) -> object:
        raise raised

    monkeypatch.setattr(OpenerDirector, "open", fail)
    for secure in ("", "s"):
        with pytest.raises(PlaitError) as caught:
            get(f"http{secure}://host/a/b", what="the page")
        assert f"the page {said}" in str(caught.value)


@pytest.mark.parametrize(
    ("size", "limit", "said"),
    [(5, 5, ""), (6, 5, "5 bytes"), (MEGABYTE + 1, MEGABYTE, "1 MB"), (MEGABYTE, 5, "5 bytes")],
)
def test_an_answer_may_be_as_large_as_the_limit(
    size: int, limit: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenerDirector, "open", lambda *_, **__: BytesIO(bytes(size)))
    with nullcontext() if not said else pytest.raises(PlaitError, match=said):
        assert len(get("http://host/a", limit=limit)) == size
