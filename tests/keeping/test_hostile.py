"""The cache folder of a user who keeps it in the project: what a repository brings there is neither believed nor a way
to other files."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import plait.workspace
from plait.access.environment import answers_folder
from plait.apps.cli import main
from plait.yaml.folder import make_room
from tests.keeping.commands import answers, run, write

FILES = {"deploy/dev.yaml": "vars: {stage: dev}\ncomponents: {terraform: {web: {vars: {size: 1}}}}\n"}
LIST = ("list", "stacks")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "repository"
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / ".cache"))
    monkeypatch.setattr(plait.workspace, "WORTHWHILE", 0)
    place.mkdir()
    subprocess.run(["git", "init", "-q", str(place)], check=True)
    write(place, FILES)
    return place


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Files of the user that have nothing to do with plait; the name of one looks like one of plait's."""
    place = tmp_path / "documents"
    place.mkdir()
    for name in ("letter.txt", "0123456789abcdef" * 2):
        (place / name).write_text("dear reader", encoding="utf-8")
    return place


@pytest.mark.parametrize("link", [".cache/plait", ".cache/plait/answers"])
def test_a_link_leads_to_no_other_folder(
    folder: Path, documents: Path, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / link).parent.mkdir(parents=True)
    (folder / link).symlink_to(documents)
    monkeypatch.setattr("plait.yaml.folder.FOLDER_LIMIT", 0)
    assert run(folder, *LIST) == run(folder, *LIST) == (0, "dev\n", "")
    make_room("")
    assert main(["cache", "clear"]) == 0
    assert sorted(os.listdir(documents)) == ["0123456789abcdef" * 2, "letter.txt"]


def test_only_files_of_the_cache_are_deleted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(folder, *LIST)
    kept = Path(answers_folder(), "notes.txt")
    kept.write_text("dear reader", encoding="utf-8")
    monkeypatch.setattr("plait.yaml.folder.FOLDER_LIMIT", 0)
    make_room("")
    assert main(["cache", "clear"]) == 0
    assert answers() == [str(kept)]


def test_a_key_in_the_project_seals_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a repository could bring the key together with answers that it sealed itself."""
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / ".state"))
    monkeypatch.chdir(folder)
    assert run(folder, *LIST) == (0, "dev\n", "")
    assert answers() == []
    assert not (folder / ".state").exists()


def test_a_file_that_waits_under_the_next_name_is_not_written_to(
    folder: Path, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(folder, *LIST)
    (name,) = answers()
    os.unlink(name)
    monkeypatch.setattr("plait.keeping.store.os.urandom", lambda count: b"\0" * count)
    victim = documents / "letter.txt"
    os.link(victim, f"{name}.{os.getpid()}.{'00' * 4}.new")
    assert run(folder, *LIST) == (0, "dev\n", "")
    assert victim.read_text(encoding="utf-8") == "dear reader"


def test_folders_of_the_cache_are_closed_to_others(folder: Path) -> None:
    run(folder, *LIST)
    place = Path(answers_folder())
    assert [at.stat().st_mode & 0o077 for at in (place, place.parent)] == [0, 0]


def test_a_pipe_in_place_of_an_answer_is_not_waited_for(folder: Path) -> None:
    run(folder, *LIST)
    (name,) = answers()
    os.unlink(name)
    os.mkfifo(name)
    assert run(folder, *LIST) == (0, "dev\n", "")
