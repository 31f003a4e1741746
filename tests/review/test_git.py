"""Reviews in real git repositories: what is compared, and clear answers where that is not possible."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.workspace import Workspace
from tests.outside.project import git

SETTINGS = "targets: [{name: a, layers: [base.yaml, a.yaml]}]\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    write(folder, {"plait.yaml": SETTINGS, "base.yaml": "x: 1\ny: 1\n", "a.yaml": "y: 2\n"})
    git(folder, "init", "-q", "-b", "main", ".")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "more")


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["review", "--no-cache", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_default_is_where_the_branch_left_main(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(repository, "checkout", "-q", "-b", "topic")
    write(repository, {"base.yaml": "x: 2\ny: 1\n"})
    commit(repository)
    git(repository, "checkout", "-q", "main")
    write(repository, {"a.yaml": "y: 3\n"})
    commit(repository)
    git(repository, "checkout", "-q", "topic")
    status, out, err = asked(capsys)
    assert (status, err) == (0, "")
    assert "base.yaml:1    x: 1 -> 2    1 value, 1 target" in out
    assert "a.yaml" not in out
    assert asked(capsys, "main...topic")[1] == out
    assert "a.yaml:1    y: 3 -> 2" in asked(capsys, "main..topic")[1]


def test_a_dirty_tree_is_reviewed_and_said(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, {"base.yaml": "x: 5\ny: 1\n"})
    commit(repository)
    write(repository, {"a.yaml": "y: 7\n", "new.yaml": "z: 1\n"})
    _, out, err = asked(capsys, "HEAD~1")
    assert "2 values change" in out
    assert "no effect: new.yaml (no target reads this file)" in out
    assert err == (
        "note: 2 files with uncommitted changes are part of this review; `HEAD~1..HEAD` leaves them out\n"
        "note: masked because the commit does not have it: new.yaml (`git add FILE`, or --reveal)\n"
    )
    _, out, err = asked(capsys, "HEAD~1..HEAD")
    assert (out.splitlines()[0][:14], err) == ("1 value change", "")
    assert asked(capsys, "HEAD~1..") == asked(capsys, "HEAD~1...") == (0, out, ""), "what is left out is HEAD"
    assert asked(capsys, "..HEAD")[1].startswith("0 values change")


def test_an_unknown_revision(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = asked(capsys, "nowhere")
    assert (status, out) == (1, "")
    assert "cannot compare with `nowhere`: git does not know this revision" in err
    assert "see `git log --oneline`" in err


def test_a_shallow_clone_says_how_to_fetch(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {"base.yaml": "x: 5\n"})
    commit(repository)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    status, _, err = asked(capsys, "HEAD~1")
    assert status == 1
    assert "this is a shallow clone; fetch its history: git fetch --unshallow" in err


def test_a_broken_base(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, {"plait.yaml": "targets: [{name: a}]\n"})
    commit(repository)
    write(repository, {"plait.yaml": SETTINGS})
    status, out, err = asked(capsys, "HEAD")
    assert (status, out) == (1, "")
    assert "PL9105: cannot compare with `HEAD`: its settings are broken" in err
    assert "plait.yaml:1:11: PL9003 a target has a `name` and one of" in err


def test_an_error_of_the_base_that_the_change_mends(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, {"a.yaml": "y: !ref nowhere\n"})
    commit(repository)
    write(repository, {"a.yaml": "y: 2\n"})
    status, out, _ = asked(capsys, "HEAD")
    assert status == 0
    assert "1 error fixed" in out
    assert "errors fixed by this change:\n  a    caused by a.yaml:1" in out


def test_a_target_that_matches_no_file(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, {"plait.yaml": "targets: [{name: a, layers: ['none/*.yaml']}]\n"})
    status, _, err = asked(capsys, "HEAD")
    assert status == 1
    assert "PL9102: no file matches `none/*.yaml`\n  plait.yaml:1:30" in err


def test_no_repository_and_no_main_branch(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repository, "branch", "-m", "trunk")
    status, _, err = asked(capsys)
    assert status == 1
    assert "cannot compare with `the main branch`: none of" in err
    assert "name the revision: plait review REVISION" in err
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    assert "cannot compare with `HEAD`: this is not a git repository" in asked(capsys, "HEAD")[2]
    assert "cannot compare with `the main branch`: this is not a git repository" in asked(capsys)[2]


def test_new_deleted_and_hidden_files(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files that git would leave out of an archive are compared; a deleted file is a cause."""
    write(repository, {".gitattributes": "*.yaml export-ignore\n", "gone/b.yaml": "z: 1\n"})
    settings = "targets: [{name: a, layers: [base.yaml, 'gone/*.yaml']}]\n"
    write(repository, {"gone/c.yaml": "c: 1\n", "plait.yaml": settings})
    commit(repository)
    (repository / "gone" / "b.yaml").unlink()
    status, out, _ = asked(capsys, "HEAD")
    assert (status, out.splitlines()[0]) == (0, "1 value changes in 1 of 1 target; 1 cause; 0 new errors")
    assert "gone/b.yaml    file deleted    1 value, 1 target\n  z    removed: 1    in a" in out


def test_nothing_is_left(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(repository, "rm", "-qr", ".")
    status, out, _ = asked(capsys, "HEAD")
    assert (status, out.splitlines()[0]) == (0, "1 value changes in 1 of 1 target; 1 cause; 0 new errors")
    assert "(everything)    removed: {x: 1, y: 2}    in a" in out


def test_a_link_that_leads_to_another_file(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, {"one.yaml": "y: 3\n", "two.yaml": "y: 4\n"})
    link = repository / "a.yaml"
    link.unlink()
    link.symlink_to("one.yaml")
    commit(repository)
    link.unlink()
    link.symlink_to("two.yaml")
    status, out, _ = asked(capsys, "HEAD")
    assert status == 0
    assert "y    3 -> 4    in a" in out


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_files_that_git_was_told_not_to_look_at(
    repository: Path, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """git calls them unchanged, which is not what was asked."""
    git(repository, "update-index", flag, "base.yaml", "a.yaml")
    assert "0 values change" in asked(capsys, "HEAD")[1], "what did not change is not reported"
    write(repository, {"base.yaml": "x: 5\ny: 1\n"})
    _, out, err = asked(capsys, "HEAD")
    assert "base.yaml:1    x: 1 -> 5    1 value, 1 target" in out
    assert "1 file with uncommitted changes is part" in err
    assert "0 values change" in asked(capsys, "HEAD..HEAD")[1], "between two revisions the work tree does not count"
    (repository / "a.yaml").unlink()
    left_out = flag == "--skip-worktree"  # as in a sparse checkout
    changes = asked(capsys, "HEAD")[1].partition("not compared:")[
        0
    ]  # there, the missing file is an error of both sides
    assert ("a.yaml" in changes) != left_out


def test_settings_of_a_repository_do_not_hide_changes(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With these, git takes a file for unchanged whose size and time are as they were."""
    for setting in ("core.trustctime=false", "core.checkStat=minimal", "core.ignoreStat=true"):
        git(repository, "config", *setting.split("="))
    os.utime(repository / "base.yaml", (1_000_000_000, 1_000_000_000))
    git(repository, "update-index", "--refresh", "--no-assume-unchanged", "base.yaml")
    write(repository, {"new": "x: 5\ny: 1\n"})
    (repository / "new").rename(repository / "base.yaml")
    os.utime(repository / "base.yaml", (1_000_000_000, 1_000_000_000))
    assert git(repository, "diff") == "", "the test shows nothing"
    assert "x: 1 -> 5" in asked(capsys, "HEAD")[1]


def test_the_work_tree_stays_as_it_is(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(repository, {"base.yaml": "x: 5\n", "other.yaml": "x: 5\n"})
    before = {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()}
    asked(capsys, "HEAD")
    assert {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()} == before


def test_two_folders_outside_of_the_project(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each folder has its own settings, and includes stay inside of it."""
    for side, number in (("old", 1), ("new", 2)):
        settings = "targets: [{name: one, layers: [a.yaml]}, {name: both, layers: [a.yaml, b.yaml]}]\n"
        write(tmp_path / side, {"plait.yaml": settings, "a.yaml": f"x: {number}\n", "b.yaml": "y: !include a.yaml\n"})
    status, out, err = asked(capsys, "../old", str(tmp_path / "new"))
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "3 values change in 2 of 2 targets; 1 cause; 0 new errors"
    assert (
        "a.yaml:1    x: 1 -> 2    3 values, 2 targets\n  x      1 -> 2    in 2 targets\n  y.x    1 -> 2    in both"
        in out
    )
    monkeypatch.chdir(tmp_path / "new")
    assert asked(capsys, "../old", ".")[1] == out
    write(tmp_path / "new", {"b.yaml": f"y: !include {repository / 'base.yaml'}\n"})
    status, out, _ = asked(capsys, "../old", "../new")
    assert status == 1
    assert "new errors:" in out
    assert "PL4001" in out or "outside" in out


STACKS = """\
stacks: {base_path: stacks, included_paths: ["*"], name_pattern: "{stage}"}
components: {terraform: {base_path: components}}
"""


def test_stacks_below_a_folder_with_settings(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = "vars: {stage: dev, x: 1}\ncomponents: {terraform: {net: {}}}\n"
    write(repository, {"infra/atmos.yaml": STACKS, "infra/stacks/dev.yaml": manifest, "infra/sub/note.txt": "-"})
    commit(repository)
    write(repository, {"infra/stacks/dev.yaml": manifest.replace("x: 1", "x: 2"), "base.yaml": "x: 2\ny: 1\n"})
    assert "1 value changes in 1 of 1 target" in asked(capsys, "HEAD")[1], "the folder of plait.yaml has no stacks"
    for folder in ("infra", "infra/sub"):
        monkeypatch.chdir(repository / folder)
        _, out, _ = asked(capsys, "HEAD")
        assert "net vars.x    1 -> 2    in dev" in out
        assert "base.yaml:1    x: 1 -> 2" in out, "and the targets that plait.yaml declares"
    assert main(["targets"]) == 0
    assert "dev" in capsys.readouterr().out


def test_a_new_folder_of_stacks(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {"infra/atmos.yaml": STACKS, "infra/stacks/dev.yaml": "components: {terraform: {net: {}}}\n"})
    monkeypatch.chdir(repository / "infra")
    status, out, _ = asked(capsys, "HEAD")
    assert status == 0
    assert "net" in out


def test_a_change_reads_and_evaluates_only_what_it_reaches(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters: of twelve stacks, a new one costs its own components; nothing is read twice, and nothing is copied."""
    monkeypatch.setattr("plait.access.checkout.checkout", lambda *_: pytest.fail("the repository was copied"))
    catalog = "components: {terraform: {net: {vars: {a: 1}}, app: {vars: {b: 1}}}}\n"
    config = STACKS.replace('["*"]', '["deploy/*"]')
    stacks = {f"stacks/deploy/s{n}.yaml": f"import: [catalog]\nvars: {{stage: s{n}}}\n" for n in range(12)}
    write(repository, {"atmos.yaml": config, "stacks/catalog.yaml": catalog, **stacks})
    commit(repository)

    def counted() -> tuple[int, int, int]:
        report = Workspace(".", cache=False).review("HEAD", None)
        return report.looked_at, report.files_read, len(report.values)

    files = len(stacks) + 5  # the catalog, atmos.yaml, plait.yaml, and the layers of its target
    write(repository, {"README.txt": "new\n"})
    assert counted() == (0, files, 0), "a file that no target reads"
    write(repository, {"stacks/deploy/new.yaml": "import: [catalog]\nvars: {stage: new}\n"})
    assert counted() == (2, files + 1, 2), "a new stack: its two components, on the new side"
    commit(repository)
    write(repository, {"stacks/deploy/s3.yaml": "import: [catalog]\nvars: {stage: s3, more: 1}\n"})
    assert counted() == (4, files + 2, 2), "a manifest: its two components on both sides, read twice"
    git(repository, "checkout", "-q", ".")
    write(repository, {"stacks/catalog.yaml": catalog.replace("a: 1", "a: 2")})
    assert counted()[0] == 26, "one component of thirteen stacks, on both sides"


def test_copies_of_a_working_tree(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands run in copies. In a working tree beside the repository `.git` is a file, which no copy takes over."""
    write(repository, {"base.yaml": "x: 5\ny: 1\n", "a.yaml": "y: 3\n"})
    commit(repository)
    between = asked(capsys, "HEAD~1..HEAD")
    assert "2 values change" in between[1]
    assert asked(capsys, "HEAD~1..HEAD", "--allow", "exec") == between
    git(repository, "worktree", "add", "-q", "../beside")
    monkeypatch.chdir(tmp_path / "beside")
    assert asked(capsys, "HEAD~1", "--allow", "exec") == between
    assert asked(capsys, str(repository), ".", "--allow", "exec")[1].startswith("0 values change")
