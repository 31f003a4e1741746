"""The sides of a change, as a table: what is a view of the new side, and what has to be a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.access.door import Door
from plait.review.hunks import FileChange
from plait.review.sides import TreeChange, between_folders
from plait.workspace import Workspace

NEW = {"a.yaml": "x: 2\n", "plait.yaml": "targets: []\n"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def door(allow: tuple[str, ...] = ()) -> Door:
    return Workspace(".", cache=False, allow=list(allow)).project.door


ROWS: dict[str, tuple[dict[str, tuple[str | None, str | None]], tuple[str, ...], bool, bool]] = {
    "a file with other lines": ({"a.yaml": ("x: 1\n", "x: 2\n")}, (), True, True),
    "other settings": ({"plait.yaml": ("{}\n", "targets: []\n")}, (), True, True),
    "a new file": ({"a.yaml": (None, "x: 2\n")}, (), True, True),
    "new settings: they decide where a project is": ({"plait.yaml": (None, "targets: []\n")}, (), False, False),
    "new settings in a folder": ({"more/atmos.yaml": (None, "a: 1\n")}, (), False, False),
    "a file that goes": ({"b.yaml": ("x: 1\n", None)}, (), False, True),
    "settings that go": ({"plait.yaml": ("{}\n", None)}, (), False, False),
    "commands may run: they see the disk": ({"a.yaml": ("x: 1\n", "x: 2\n")}, ("exec",), True, False),
}
"""The files with their texts, what is allowed, whether the new side has all that the old one has, and whether a state
between both is a view."""


@pytest.mark.parametrize("name", ROWS)
def test_what_is_a_view(name: str, folder: Path) -> None:
    texts, allow, keeps, views = ROWS[name]
    files = [FileChange(name, *sides) for name, sides in texts.items()]
    change = TreeChange(door(allow), str(folder), files, "", "old")
    assert (change.keeps, change.views) == (keeps, views)
    assert change.before.folder == change.after.folder == str(folder)
    assert change.before.altered == {
        str(folder / name): None if before is None else before.encode() for name, (before, _) in texts.items()
    }


def test_a_file_that_is_the_same_is_no_part_of_a_change(folder: Path) -> None:
    files = [FileChange("a.yaml", "x: 1\n", "x: 1\n"), FileChange("b.yaml", "x: 1\n", "x: 2\n")]
    change = TreeChange(door(), str(folder), files, "", "old")
    assert [file.name for file in change.files] == ["b.yaml"]
    assert change.before.altered == {str(folder / "b.yaml"): b"x: 1\n"}


@pytest.mark.parametrize("allow", [(), ("exec",)], ids=["views", "copies"])
def test_a_state_with_some_lines_undone(allow: tuple[str, ...], folder: Path) -> None:
    for side, texts in (("old", "x: 1\ny: 1\n"), ("new", "x: 2\ny: 2\n")):
        (folder / side).mkdir()
        (folder / side / "a.yaml").write_text(texts)
    files = [FileChange("a.yaml", "x: 1\ny: 1\n", "x: 2\ny: 2\n")]
    change = TreeChange(door(allow), str(folder / "new"), files, "", "old")
    assert not change.is_copied
    places: set[Path] = set()
    for undone, expected in (([0], "x: 1\ny: 2\n"), ([1], "x: 2\ny: 1\n"), ([0, 1], "x: 1\ny: 1\n")):
        side = change.partly(frozenset(change.hunks[number] for number in undone))
        place = Path(side.folder) / "a.yaml"
        found = place.read_bytes() if side.altered is None else side.altered[str(place)]
        assert (found or b"").decode() == expected
        places.add(place)
    assert change.is_copied == bool(allow)
    assert (places == {folder / "new/a.yaml"}) == (not allow)
    assert (folder / "new/a.yaml").read_text() == "x: 2\ny: 2\n"
    change.close()
    assert all(place.exists() == (not allow) for place in places), "copies are gone"


def test_both_sides_may_be_read(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    for side in ("old", "new"):
        (outside / side).mkdir()
        (outside / side / "a.yaml").write_text(f"side: {side}\n")
    opened = door()
    change = between_folders(opened, str(outside / "old"), str(outside / "new"))
    assert [file.name for file in change.files] == ["a.yaml"]
    for side in (change.before, change.after):
        assert opened.read(f"{side.folder}/a.yaml", 100)
