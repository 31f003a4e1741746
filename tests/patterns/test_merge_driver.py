"""plait as a merge driver that `plait merge3 --install` registered, run by git itself."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

BASE = "replicas: 1\nimage: a\nports:\n- 80\n- 443\n"
PLAIT = [sys.executable, "-P", "-m", "plait"]
NAMES = ["app.yaml", "deep/my app.yaml", "it's.yml", "-dash.yaml", "$(touch pwned).yaml"]


def run(folder: Path, *words: str, status: int = 0) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.stdout, done.stderr)
    return done.stdout + done.stderr


def git(folder: Path, *words: str, status: int = 0) -> str:
    return run(folder, "git", *words, status=status)


def plait(folder: Path, *words: str, status: int = 0) -> str:
    return run(folder, *PLAIT, *words, status=status)


def commit(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "change")


def branches(folder: Path, base: dict[str, str], ours: dict[str, str], theirs: dict[str, str]) -> Path:
    """Make a repository with the driver, on main with our side, and with theirs on a branch."""
    folder.mkdir(exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    for name, value in (("user.name", "A"), ("user.email", "a@example"), ("commit.gpgsign", "false")):
        git(folder, "config", name, value)
    attributes = [line for line in plait(folder, "merge3", "--install").splitlines() if "merge=plait" in line]
    commit(folder, {**base, ".gitattributes": "\n".join(line.strip() for line in attributes) + "\n"})
    git(folder, "checkout", "-q", "-b", "theirs")
    commit(folder, theirs)
    git(folder, "checkout", "-q", "main")
    commit(folder, ours)
    return folder


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


def test_files_of_any_name_are_merged_by_fields(tmp_path: Path) -> None:
    ours = dict.fromkeys(NAMES, BASE.replace("replicas: 1", "replicas: 5"))
    theirs = dict.fromkeys(NAMES, BASE.replace("image: a", "image: b"))
    folder = branches(tmp_path / "r", dict.fromkeys(NAMES, BASE), ours, theirs)
    git(folder, "merge", "theirs", "-m", "merged")
    merged = BASE.replace("replicas: 1\nimage: a", "replicas: 5\nimage: b")
    assert {name: (folder / name).read_text() for name in NAMES} == dict.fromkeys(NAMES, merged)
    assert not list(tmp_path.rglob("pwned"))
    assert git(folder, "status", "--porcelain") == ""


def test_a_conflict_names_the_file_and_keeps_our_comment_on_our_side(tmp_path: Path) -> None:
    name = "deep/my app.yaml"
    ours, theirs = BASE.replace("1", "3   # two were too few", 1), BASE.replace("1", "2", 1)
    folder = branches(tmp_path / "r", {name: BASE}, {name: ours}, {name: theirs})
    said = git(folder, "merge", "theirs", status=1)
    assert f"{name}: conflict at replicas: ours 3, theirs 2, was 1" in said
    marked = (
        "<<<<<<< ours: replicas\nreplicas: 3   # two were too few\n=======\nreplicas: 2\n>>>>>>> theirs: replicas\n"
    )
    assert (folder / name).read_text() == marked + BASE.removeprefix("replicas: 1\n")
    assert git(folder, "status", "--porcelain").split(None, 1)[0] == "UU"


def test_git_rebases_with_it(tmp_path: Path) -> None:
    ours, theirs = BASE.replace("replicas: 1", "replicas: 5"), BASE.replace("image: a", "image: b")
    folder = branches(tmp_path / "r", {"app.yaml": BASE}, {"app.yaml": ours}, {"app.yaml": theirs})
    git(folder, "checkout", "-q", "theirs")
    git(folder, "rebase", "main")
    assert (folder / "app.yaml").read_text() == BASE.replace("replicas: 1\nimage: a", "replicas: 5\nimage: b")


@pytest.mark.parametrize("broken", ["missing", "failing", "killed"])
def test_without_plait_no_side_is_lost(broken: str, tmp_path: Path) -> None:
    """A plait that is gone, or that fails before it wrote anything: git merges by lines, with markers."""
    ours, theirs = BASE.replace("1", "3", 1), BASE.replace("1", "2", 1)
    folder = branches(tmp_path / "r", {"app.yaml": BASE}, {"app.yaml": ours}, {"app.yaml": theirs})
    driver = git(folder, "config", "merge.plait.driver").strip()
    program = tmp_path / "plait"
    if broken != "missing":
        program.write_text("#!/bin/sh\n" + {"failing": "exit 1\n", "killed": "kill -9 $$\n"}[broken])
        program.chmod(0o755)
    git(folder, "config", "merge.plait.driver", driver.replace(sys.executable, str(program)))
    said = git(folder, "merge", "theirs", status=1)
    assert ("git merges by lines: app.yaml" in said) == (broken == "missing")
    marked = "<<<<<<< ours\nreplicas: 3\n=======\nreplicas: 2\n>>>>>>> theirs\n"
    assert (folder / "app.yaml").read_text() == marked + BASE.removeprefix("replicas: 1\n")


def test_what_plait_cannot_read_has_both_sides(tmp_path: Path) -> None:
    sides = [f"a: [\n{number}\n" for number in (1, 2, 3)]
    base, ours, theirs = ({"app.yaml": text} for text in sides)
    folder = branches(tmp_path / "r", base, ours, theirs)
    git(folder, "merge", "theirs", status=1)
    text = (folder / "app.yaml").read_text()
    assert "<<<<<<<" in text
    assert "\n2\n" in text
    assert "\n3\n" in text


def spent(folder: Path, *words: str, status: int = 0) -> tuple[float, str]:
    """Return the seconds of the processor that a program and all that it starts take, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = run(folder, *words, status=status)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said


def test_sixty_conflicts_take_no_longer_than_five_seconds(tmp_path: Path) -> None:
    """Five seconds where Python itself starts in 12 ms; where other programs slow both down, as much longer."""
    names = [f"app{number}.yaml" for number in range(60)]
    ours, theirs = BASE.replace("1", "3", 1), BASE.replace("1", "2", 1)
    folder = branches(tmp_path / "r", *(dict.fromkeys(names, text) for text in (BASE, ours, theirs)))
    plain = sum(spent(folder, sys.executable, "-c", "pass")[0] for _ in range(10)) / 10
    took, said = spent(folder, "git", "merge", "theirs", status=1)
    plain = (plain + sum(spent(folder, sys.executable, "-c", "pass")[0] for _ in range(10)) / 10) / 2
    assert said.count("conflict at replicas") == 60
    assert took <= 5 * max(1.0, plain / 0.012), f"{took:.1f} s, and Python starts in {plain * 1000:.0f} ms"


def test_installing_twice_changes_nothing_and_uninstalling_removes_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    before = (tmp_path / ".git" / "config").read_text()
    first = plait(tmp_path, "merge3", "--install")
    assert first.startswith("registered the merge driver `plait` in the configuration of this repository\n")
    written = (tmp_path / ".git" / "config").read_text()
    assert sys.executable in written
    assert "is registered already" in plait(tmp_path, "merge3", "--install")
    assert (tmp_path / ".git" / "config").read_text() == written
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "home"], "no other file is written"
    assert plait(tmp_path, "merge3", "--uninstall").startswith("removed the merge driver `plait`")
    assert (tmp_path / ".git" / "config").read_text() == before
    assert plait(tmp_path, "merge3", "--uninstall").startswith("there is no merge driver `plait`")


def test_the_user_can_have_it_everywhere(tmp_path: Path) -> None:
    plait(tmp_path, "merge3", "--install", "--global")
    assert "merge3 %O %A %B" in (tmp_path / "home" / ".gitconfig").read_text()
    plait(tmp_path, "merge3", "--uninstall", "--global")
    assert (tmp_path / "home" / ".gitconfig").read_text() == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--install"], "there is no git repository here"),
        (["--install", "--uninstall"], "stand alone"),
        (["--install", "a.yaml"], "stand alone"),
        (["a.yaml", "b.yaml"], "BASE, OURS and THEIRS are needed"),
    ],
)
def test_what_cannot_be_done_says_so(words: list[str], expected: str, tmp_path: Path) -> None:
    assert expected in plait(tmp_path, "merge3", *words, status=2)
