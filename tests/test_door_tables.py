"""What a door lets in: a project, files that the user named, links, and everything where that is allowed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.access.door import Door
from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError

FILES = ("project/a.yaml", "project/deep/b.yaml", "project-2/c.yaml", "given/d.yaml", "given/e.yaml", "away/f.yaml")
HERE, NAMED, NEIGHBOUR, AWAY = "project/deep/b.yaml", "given/d.yaml", "given/e.yaml", "away/f.yaml"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"name: {name}\n")
    (tmp_path / "project/in").symlink_to("a.yaml")
    (tmp_path / "project/in-again").symlink_to("in")
    (tmp_path / "project/out").symlink_to("../away/f.yaml")
    (tmp_path / "project/folder-out").symlink_to("../away")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answers(door: Door, names: tuple[str, ...]) -> list[tuple[bool, bool, bool, bool]]:
    """Of each name: may it be read, is it in a root, is it foreign, and was it named?"""
    real = os.path.realpath
    return [(door.allows(one), door.inside(real(one)), door.is_foreign(one), door.is_named(one)) for one in names]


def test_who_may_be_read(place: Path) -> None:
    door = Door(["project"])
    door.admit(NAMED)
    names = (HERE, NAMED, os.path.realpath(NAMED), NEIGHBOUR, AWAY, "project-2/c.yaml", "project/out", "project")
    assert answers(door, names) == [
        (True, True, False, False),
        (True, True, False, True),
        (True, True, False, True),
        (False, False, False, False),
        (False, False, False, False),
        (False, False, False, False),  # its name only begins alike
        (False, False, False, False),  # a link that leads out
        (True, True, False, False),
    ]
    door.admit("given")  # a folder, with all that is in it
    assert answers(door, (NEIGHBOUR, AWAY)) == [(True, True, False, True), (False, False, False, False)]


def test_everything_in_a_folder_that_is_named_first_is_named(place: Path) -> None:
    door = Door(["project"])
    door.admit("given")
    assert answers(door, (NEIGHBOUR, HERE)) == [(True, True, False, True), (True, True, False, False)]


def test_who_may_be_read_where_files_are_allowed(place: Path) -> None:
    door = Door(["project"], Guard(frozenset({"files"})))
    door.admit(NAMED)
    assert answers(door, (HERE, NAMED, AWAY)) == [
        (True, True, False, False),
        (True, True, False, True),
        (True, False, True, False),
    ]
    assert answers(Door(), (AWAY,)) == [(True, True, False, False)]
    assert door.read(AWAY) == f"name: {AWAY}\n".encode()


@pytest.mark.parametrize("name", ["project/a.yaml", HERE, "project/in", "project/in-again", "project/deep/../a.yaml"])
def test_files_inside_are_read(name: str, place: Path) -> None:
    door = Door(["project"])
    wanted = Path(name).read_bytes()
    assert door.read(name) == door.read(name) == wanted
    assert door.text(name) == wanted.decode()


@pytest.mark.parametrize("name", [AWAY, "project/out", "project/folder-out/f.yaml", "project-2/c.yaml"])
def test_files_outside_are_refused(name: str, place: Path) -> None:
    door = Door(["project"])
    for ask in (door.read, door.check_inside):
        with pytest.raises(PlaitError, match="outside") as refused:
            ask(name)
        assert refused.value.diagnostics[0].notes == (f"the project is {place}/project",)
    assert door.text(name) == ""


def test_folders_are_listed(place: Path) -> None:
    door = Door(["project"])
    assert door.names("project") == ["a.yaml", "deep", "folder-out", "in", "in-again", "out"]
    (place / "project/.hidden").write_text("")
    (place / "project/deep/up").symlink_to("..")
    (place / "project/folder-out").unlink()
    files = ["a.yaml", "in", "in-again", "out", "deep/b.yaml"]
    assert sorted(door.below("project")) == sorted([".hidden", *files])
    assert sorted(door.below("project", hidden=False)) == sorted(files)
    assert door.below("nowhere") == []
    with pytest.raises(PlaitError, match="outside"):
        door.names("away")


def test_another_folder_of_the_same_name_is_read(place: Path) -> None:
    door = Door(["project"])
    assert door.read(HERE)
    os.rename("project/deep", "project/old")
    (place / "project/deep").mkdir()
    (place / HERE).write_text("new\n")
    assert door.read(HERE) == b"new\n"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("project", "name the files in it, as in: project/a.yaml"),
        ("many", "name the files in it, as in: many/a.yaml many/b.yml many/c.yaml ..."),
        ("project/deep/none", "name the files in it"),
        ("nowhere/a.yaml", "folder not found: `nowhere`"),
        ("project/a.yml", "did you mean `project/a.yaml`?"),
        ("project/something.txt", "no file in `project` has a similar name"),
        ("one.yaml,two.yaml", "names of files are separated by spaces: one.yaml two.yaml"),
        ("one.yaml,three.yaml", "no file in `.` has a similar name"),  # one of them is not there
        ("*.yaml", "patterns are expanded by the shell: leave out the quotes"),
    ],
)
def test_what_to_do_about_a_name_that_is_no_file(name: str, hint: str, place: Path) -> None:
    for one in ("one.yaml", "two.yaml", "many/a.yaml", "many/b.yml", "many/c.yaml", "many/d.yaml", "many/e.txt"):
        (place / one).parent.mkdir(exist_ok=True)
        (place / one).write_text("")
    (place / "project/deep/none").mkdir()
    with pytest.raises(PlaitError) as refused:
        Door(["."]).read(name)
    assert refused.value.diagnostics[0].hint == hint
