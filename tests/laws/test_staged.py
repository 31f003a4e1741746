"""A door through which files look different answers as one to a folder in which they are so."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from plait.access.door import Door, Staged
from plait.access.guard import Guard
from plait.core.diagnostic import Fault
from tests.merging.test_laws import MANY

FOLDERS = ("", "a", "a/b", "a/b/c", "d")
PATHS = [f"{folder}/{name}".lstrip("/") for folder, name in product(FOLDERS, ("one.yaml", "two.yaml"))]
NAMES = [*PATHS, *FOLDERS[1:], "no", "no/one.yaml"]
TREES = st.dictionaries(st.sampled_from(PATHS), st.sampled_from([b"x: 1\n", b"x: 2\n"]))


def write(folder: Path, tree: Mapping[str, bytes]) -> Path:
    for name, data in {".kept": b"", **tree}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def answer(ask: Callable[[], object], folder: Path) -> str:
    try:
        return repr(ask()).replace(str(folder), "HERE")
    except Fault as fault:
        return str(fault).replace(str(folder), "HERE")


def answers(door: Door, folder: Path) -> dict[tuple[str, str], str]:
    asks: dict[str, Callable[[str], object]] = {
        "file": door.is_file,
        "folder": door.is_folder,
        "exists": door.exists,
        "read": door.read,
        "entries": door.entries,
        "below": door.below,
        "first": lambda name: door.first_files([[f"{name}/two.yaml", f"{name}/one.yaml"], [name]]),
    }
    places = ["", *NAMES]
    return {(what, one): answer(lambda: ask(str(folder / one)), folder) for what, ask in asks.items() for one in places}  # noqa: B023


@MANY
@given(TREES, TREES)
def test_a_staged_door_is_as_a_written_folder(disk: dict[str, bytes], wanted: dict[str, bytes]) -> None:
    assume(disk != wanted)
    with tempfile.TemporaryDirectory() as here:
        root = Path(here).resolve()
        was, now = write(root / "was", disk), write(root / "now", wanted)
        differing = {name: wanted.get(name) for name in {**disk, **wanted} if disk.get(name) != wanted.get(name)}
        staged = Staged([str(was)], Guard(), {str(was / name): data for name, data in differing.items()})
        assert answers(staged, was) == answers(Door([str(now)]), now)


def test_a_link_to_a_file_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, {"a/one.yaml": b"x: 1\n"})
    (tmp_path / "to").symlink_to("a")
    staged = Staged([str(tmp_path)], Guard(), {str(tmp_path / "a/one.yaml"): None, str(tmp_path / "d/two.yaml"): b""})
    assert not staged.exists(str(tmp_path / "to"))
    assert not staged.exists(str(tmp_path / "to/one.yaml"))
    assert staged.names(str(tmp_path)) == [".kept", "d", "to"]
