"""What a run asked of the world, beside every change of a small world: an answer that would be another one now is told,
and what was not asked makes no difference."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.access import trace
from plait.access.door import Door
from plait.access.guard import Guard
from plait.access.trace import TEXT, AccessTrace, FileTrace
from plait.core.diagnostic import Fault

Input = tuple[str, str] | None
FILES = {"project/a.yaml": "a: 1\n", "project/sub/b.yaml": "b: 1\n", "away/c.yaml": "c: 1\n", "project/d/.git": ""}
LINKS = {"project/link": "a.yaml", "project/folder": "sub", "project/out": "../away/c.yaml", "project/lost": "none"}
NAMES = ("a.yaml", "sub/b.yaml", "sub", "link", "folder/b.yaml", "folder", "none", "none/x", "out", "lost", "d/e")


def _written(name: str, text: str) -> Callable[[], None]:
    def change() -> None:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
        os.utime(name, ns=(1, 1))  # another stamp, however quick this is

    return change


def _linked(name: str, target: str) -> Callable[[], None]:
    def change() -> None:
        Path(name).unlink()
        Path(name).symlink_to(target)

    return change


def _moved(name: str, other: str) -> Callable[[], None]:
    return lambda: os.rename(name, other)


CHANGES: dict[str, tuple[Callable[[], None], str]] = {
    "other bytes": (_written("a.yaml", "a: 2\n"), ""),
    "more bytes": (_written("a.yaml", "a: 1\nb: 2\n"), ""),
    "a new file": (_written("none", "x\n"), "none is new"),
    "a new file below": (_written("sub/z.yaml", "x\n"), "sub/z.yaml is new"),
    "a new folder": (_written("none/x", "x\n"), "none is new"),
    "an empty new folder": (lambda: os.mkdir("none"), "none is new"),
    "a deleted file": (lambda: os.unlink("sub/b.yaml"), "sub/b.yaml was deleted"),
    "a deleted folder": (lambda: shutil.rmtree("sub"), "sub was deleted"),
    "a file that is a folder now": (lambda: (os.unlink("a.yaml"), os.mkdir("a.yaml"))[1], "a.yaml has changed"),
    "another link": (_linked("link", "sub/b.yaml"), "link leads to another place"),
    "a link that leads out": (_linked("link", "../away/c.yaml"), "link leads to another place"),
    "another folder": (_linked("folder", "../away"), "folder leads to another place"),
    "a lost link that is found": (_written("none", "y\n"), "lost leads to another place"),
    "a renamed folder": (_moved("sub", "bus"), "bus is new"),
    "another repository": (_moved("d/.git", ".git"), ".git is new"),
    "settings": (_written("d/plait.yaml", ""), "d/plait.yaml is new"),
    "a variable": (lambda: os.environ.update(PLAIT_X="2"), "the variable PLAIT_X has another value"),
    "no variable": (lambda: os.environ.pop("PLAIT_X"), "the variable PLAIT_X has another value"),  # type: ignore[dict-item, return-value]
    "nothing that was asked": (_written("../away/more", "x"), ""),
}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name, target in LINKS.items():
        (tmp_path / name).symlink_to(target)
    (tmp_path / "project/d/e").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("PLAIT_X", "1")
    return tmp_path


def questions() -> dict[str, Callable[[Door], object]]:
    """Everything that a door is asked, about every kind of name."""
    found: dict[str, Callable[[Door], object]] = {
        "environment": lambda door: door.environment("PLAIT_X", "unset"),
        "first files": lambda door: door.first_files([["none", "lost", "a.yaml"], ["none/x", "d"], []]),
        "below": lambda door: door.below("sub"),
    }
    for name in NAMES:
        for ask in ("read", "text", "is_file", "is_folder", "exists", "names"):
            found[f"{ask} {name}"] = lambda door, ask=ask, name=name: getattr(door, ask)(name)  # type: ignore[misc]
        found[f"around {name}"] = lambda door, name=name: door.trace.surroundings(name)  # type: ignore[misc]
    return found


def answer(ask: Callable[[Door], object], is_free: bool) -> tuple[str, AccessTrace, set[Input]]:
    """What is answered, what it depends on, and what was noted meanwhile."""
    door = Door(["."], Guard(frozenset({"files"}) if is_free else frozenset()))
    door.trace = AccessTrace()
    door.trace.reads = set()
    try:
        said = repr(ask(door))
    except Fault as refused:
        said = refused.diagnostics[0].message
    return said, door.trace, door.trace.reads


def differences(found: AccessTrace) -> set[Input]:
    return {asked for asked, _ in found.told_differences()} | {(TEXT, name) for name in found.changed_files()}


@pytest.mark.long
@pytest.mark.parametrize("is_free", [True, False])
@pytest.mark.parametrize("is_settled", [True, False])
@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_that_would_be_another_one_is_told(
    change: str, is_settled: bool, is_free: bool, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "YOUNG", -1 if is_settled else 10**18)
    act, words = CHANGES[change]
    asked = questions()
    before = {name: answer(ask, is_free) for name, ask in asked.items()}
    assert [name for name, (_, found, _) in before.items() if differences(found)] == [], "nothing has changed"
    act()
    told: set[str] = set()
    changed = 0
    for name, ask in asked.items():
        said, found, noted = before[name]
        different = differences(found)
        if answer(ask, is_free)[0] != said:
            changed += 1
            assert different, f"{name}: {said}"
        assert different <= noted, name
        again = AccessTrace.of(found.data())
        assert bool(differences(again)) == bool(different)
        assert differences(again) <= different
        assert again.surroundings_hold() == (not set(again.told_differences()))
        told |= {words for _, words in found.told_differences()}
    assert (words in told) or not words
    assert (changed > 0) == (change != "nothing that was asked")
    if not changed:
        assert told == set()


def test_a_file_is_the_same_by_its_bytes_its_mode_and_its_owner(world: Path) -> None:
    def read() -> FileTrace:
        return FileTrace.of(os.stat("a.yaml"), Path("a.yaml").read_bytes())

    found = read()
    _written("a.yaml", "a: 1\n")()
    assert found.holds("a.yaml")
    assert found.stamp == read().stamp, "the new stamp is remembered"
    os.chmod("a.yaml", 0o600 if os.stat("a.yaml").st_mode & 0o777 != 0o600 else 0o640)
    assert not found.holds("a.yaml")
    assert not found.holds("none")
    again = read()
    _written("a.yaml", "a: 3\n")()
    assert not again.holds("a.yaml")


def test_what_several_runs_asked_is_asked_together(world: Path) -> None:
    """A trace that grows: what came since some size is what another process has to know."""
    door = Door(["."])
    door.trace = whole = AccessTrace()
    assert whole.since(whole.size()) is None
    door.read("a.yaml")
    size = whole.size()
    door.is_folder("sub")
    door.names("sub")
    door.environment("PLAIT_X")
    whole.unfollow("the clock")
    since = whole.since(size)
    assert since is not None
    other = AccessTrace()
    other.reads = set()
    other.depend_on(*since)
    assert set(other.inputs()) == {("folder", "sub"), ("listing", "sub"), ("variable", "PLAIT_X"), None}
    assert other.reads == set(other.inputs())
    other.depend_on(whole.data(), [])
    assert set(other.inputs()) == set(whole.inputs())
    other.drop([("folder", "sub"), (TEXT, "a.yaml"), None, ("file", "never asked")])
    assert set(whole.inputs()) - set(other.inputs()) == {("folder", "sub"), (TEXT, "a.yaml")}
    os.unlink("a.yaml")
    assert (list(whole.changed_files()), list(other.changed_files())) == (["a.yaml"], [])


def test_what_was_asked_beside_is_not_asked_again(world: Path) -> None:
    door, other = Door(["."]), Door(["."])
    door.trace, other.trace = AccessTrace(), AccessTrace()
    other.read("a.yaml")
    assert other.is_folder("sub")
    assert not other.is_file("none")
    os.unlink("a.yaml")
    os.rename("sub", "none")
    door.trace.share(other.trace)
    assert door.is_file("a.yaml"), "it was read"
    assert door.is_folder("sub")
    assert not door.is_file("none")
    assert door.is_folder("none"), "this was not asked"
    assert not door.is_file("sub")
    files = {("file", name) for name in ("a.yaml", "none", "sub")}
    assert {*door.trace.inputs()} == {*files, ("folder", "sub"), ("folder", "none")}, "it depends on all of it"
