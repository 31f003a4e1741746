"""Writing: all or none, nothing lost, nothing left behind; with faults at every step."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.fronts.project import Project
from plait.report.render import render_one
from plait.yaml import lock as lock_module
from plait.yaml.lock import Lock
from plait.yaml.write import finish_interrupted, lock_for, replace_file, write_files

STEPS = ("open", "write", "fsync", "replace", "link", "unlink", "mkdir", "close")
OLD = {f"{n}.yaml": f"old {n}\n".encode() if n != 3 else None for n in range(5)}
NEW = {f"{n}.yaml": f"new {n}\n".encode() if n != 4 else None for n in range(5)}
"""Three files change, one appears, one goes."""


def put(folder: Path, files: dict[str, bytes | None]) -> None:
    for name, data in files.items():
        if data is not None:
            (folder / name).write_bytes(data)


def held(folder: Path) -> dict[str, bytes | None]:
    return {name: (folder / name).read_bytes() if (folder / name).exists() else None for name in OLD}


def in_folder(folder: Path, files: dict[str, bytes | None]) -> dict[str, bytes | None]:
    return {str(folder / name): data for name, data in files.items()}


def report(function: Callable[[], object]) -> str:
    with pytest.raises(PlaitError) as caught:
        function()
    return render_one(caught.value.diagnostics[0])


def count_steps(monkeypatch: pytest.MonkeyPatch, at: int, happens: Callable[[], None]) -> list[str]:
    """Let something happen before the step number `at` that goes to the system."""
    taken: list[str] = []

    def watch(name: str) -> None:
        real = getattr(os, name)

        def step(*args: object, **named: object) -> object:
            taken.append(name)
            if len(taken) == at:
                happens()
            return real(*args, **named)

        monkeypatch.setattr(os, name, step)

    for name in STEPS:
        watch(name)
    return taken


def test_write_and_remove(tmp_path: Path) -> None:
    put(tmp_path, OLD)
    changed = write_files(in_folder(tmp_path, NEW), root=str(tmp_path))
    assert held(tmp_path) == NEW
    assert sorted(os.listdir(tmp_path)) == ["0.yaml", "1.yaml", "2.yaml", "3.yaml"]
    assert changed == [str(tmp_path / name) for name in NEW]


def test_no_change_writes_nothing(tmp_path: Path) -> None:
    put(tmp_path, OLD)
    before = os.stat(tmp_path / "0.yaml")
    assert write_files(in_folder(tmp_path, OLD), root=str(tmp_path)) == []
    assert os.stat(tmp_path / "0.yaml") == before


def test_folders_are_made(tmp_path: Path) -> None:
    write_files({str(tmp_path / "a" / "b" / "c.yaml"): b"x"}, root=str(tmp_path))
    assert (tmp_path / "a" / "b" / "c.yaml").read_bytes() == b"x"


def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    path.chmod(0o640)
    if os.getuid() == 0:
        os.chown(path, 12, 34)
    before = path.stat()
    write_files({str(path): b"2"}, root=str(tmp_path))
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_read_only_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    path.chmod(0o444)
    text = report(lambda: write_files({str(path): b"2"}, root=str(tmp_path)))
    assert text == f"error PL1201: cannot write `{path}`: it is read-only\n  chmod u+w {path}\n"
    assert path.read_bytes() == b"1"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert "Is a directory" in report(lambda: write_files({str(tmp_path): b"2"}))


def test_a_link_inside_the_project_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"1")
    (tmp_path / "link").symlink_to("real")
    write_files({str(tmp_path / "link"): b"2"}, root=str(tmp_path))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"2"


@pytest.mark.parametrize("name", ["link", "folder/real"])
def test_a_link_out_of_the_project_is_not(tmp_path: Path, name: str) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (outside / "real").write_bytes(b"1")
    (project / "link").symlink_to(outside / "real")
    (project / "folder").symlink_to(outside)
    text = report(lambda: write_files({str(project / name): b"2"}, root=str(project)))
    assert text == (
        f"error PL1206: `{project / name}` is a symbolic link to a file outside the project\n"
        f"  it leads to {outside / 'real'}\n  name that file itself\n"
    )
    assert (outside / "real").read_bytes() == b"1"


def test_a_file_that_changed_since_it_was_read(tmp_path: Path) -> None:
    put(tmp_path, OLD)
    names = in_folder(tmp_path, NEW)
    seen = {**in_folder(tmp_path, OLD), str(tmp_path / "2.yaml"): b"something else\n"}
    text = report(lambda: write_files(names, root=str(tmp_path), seen=seen))
    assert text == (
        f"error PL1204: `{tmp_path / '2.yaml'}` changed since it was read\n  look at it, then run this again\n"
    )
    assert held(tmp_path) == OLD


def test_a_file_that_changes_at_the_last_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, OLD)
    taken = count_steps(monkeypatch, 6, lambda: (tmp_path / "1.yaml").write_bytes(b"theirs"))
    assert "changed since" in report(lambda: write_files(in_folder(tmp_path, NEW), root=str(tmp_path)))
    assert len(taken) > 6
    assert held(tmp_path) == {**OLD, "1.yaml": b"theirs"}


def steps_of_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    folder = tmp_path / "counting"
    folder.mkdir()
    put(folder, OLD)
    with monkeypatch.context() as patch:
        taken = count_steps(patch, 0, lambda: None)
        write_files(in_folder(folder, NEW), root=str(folder))
    return len(taken)


def test_a_full_disk_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = steps_of_a_set(tmp_path, monkeypatch)
    assert steps > 30
    failed = 0
    for at in range(1, steps + 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        put(folder, OLD)

        def full() -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        try:
            with monkeypatch.context() as patch:
                count_steps(patch, at, full)
                write_files(in_folder(folder, NEW), root=str(folder))
        except (PlaitError, OSError) as trouble:
            failed += 1
            if isinstance(trouble, PlaitError) and "No space left" in str(trouble):
                assert held(folder) == OLD
        finish_interrupted(str(folder))
        assert held(folder) in (OLD, NEW), f"step {at}"
    assert failed > 20


@pytest.mark.parametrize("then", ["finish", "write again"])
def test_a_kill_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    steps = steps_of_a_set(tmp_path, monkeypatch)
    ends = []
    for at in range(1, steps + 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        put(folder, OLD)
        if (child := os.fork()) == 0:
            count_steps(monkeypatch, at, lambda: os._exit(9))
            write_files(in_folder(folder, NEW), root=str(folder))
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        if then == "finish":
            finish_interrupted(str(folder))
            ends.append(held(folder) == NEW)
            assert held(folder) in (OLD, NEW), f"step {at}"
        write_files(in_folder(folder, NEW), root=str(folder))
        assert held(folder) == NEW
        assert sorted(os.listdir(folder)) == ["0.yaml", "1.yaml", "2.yaml", "3.yaml"]
    if then == "finish":
        assert ends == sorted(ends), "before the journal stands, nothing; after it, everything"
        assert {*ends} == {True, False}


def kill_while_renaming(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a set of five interrupted after its second file took its place."""
    put(folder, OLD)
    if os.fork() == 0:
        renames: list[str] = []
        real = os.replace

        def replace(old: str, new: str) -> None:
            renames.append(new)
            if len(renames) == 4:  # the journal's own, then two files
                os._exit(9)
            real(old, new)

        monkeypatch.setattr(os, "replace", replace)
        write_files(in_folder(folder, NEW), root=str(folder))
    os.wait()
    assert held(folder) == {**OLD, "0.yaml": NEW["0.yaml"], "1.yaml": NEW["1.yaml"]}


def test_an_interrupted_set_is_undone_where_a_file_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_while_renaming(tmp_path, monkeypatch)
    (tmp_path / "2.yaml").write_bytes(b"theirs")
    assert finish_interrupted(str(tmp_path))
    assert held(tmp_path) == {**OLD, "2.yaml": b"theirs"}
    assert not finish_interrupted(str(tmp_path))


def test_an_interrupted_set_that_can_be_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_while_renaming(tmp_path, monkeypatch)
    (tmp_path / "1.yaml").write_bytes(b"theirs, on top of ours")
    (tmp_path / "2.yaml").write_bytes(b"theirs")
    text = report(lambda: finish_interrupted(str(tmp_path)))
    assert text == (
        f"error PL1207: an interrupted run left `{tmp_path}/1.yaml` half written\n  compare it with your version control\n"
    )
    assert held(tmp_path) == {**OLD, "1.yaml": b"theirs, on top of ours", "2.yaml": b"theirs"}
    assert not finish_interrupted(str(tmp_path))


def test_a_kill_while_undoing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(1, 12):
        folder = tmp_path / str(at)
        folder.mkdir()
        kill_while_renaming(folder, monkeypatch)
        (folder / "2.yaml").write_bytes(b"theirs")
        if os.fork() == 0:
            count_steps(monkeypatch, at, lambda: os._exit(9))
            finish_interrupted(str(folder))
            os._exit(0)
        os.wait()
        finish_interrupted(str(folder))
        assert held(folder) == {**OLD, "2.yaml": b"theirs"}
        assert len(os.listdir(folder)) == 4


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_bytes(b"0")
    children = []
    for _ in range(2):
        if (child := os.fork()) == 0:
            for _ in range(25):
                with lock_for([str(path)], str(tmp_path)) as lock:
                    data = path.read_bytes()
                    write_files(
                        {str(path): b"%d" % (int(data) + 1)}, root=str(tmp_path), seen={str(path): data}, lock=lock
                    )
            os._exit(0)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
    assert path.read_bytes() == b"50"


def test_the_lock_has_a_time_limit(tmp_path: Path) -> None:
    path = str(tmp_path / "a")
    with Lock([path]):
        started = time.monotonic()
        text = report(lambda: Lock([path], patience=0.1).__enter__())
        assert 0.1 <= time.monotonic() - started < 5
        assert text == (f"error PL1205: `{tmp_path}` is locked by another process\n  try again when it is done\n")
    with Lock([path], patience=0):
        pass


def test_the_lock_waits(tmp_path: Path) -> None:
    path = str(tmp_path / "a")
    first = Lock([path])
    first.__enter__()
    threading.Timer(0.1, first.release).start()
    with Lock([path], patience=10) as second:
        assert second.covers(path)


def test_systems_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_module, "fcntl", None)
    write_files({str(tmp_path / "a"): b"x"}, root=str(tmp_path))
    assert (tmp_path / "a").read_bytes() == b"x"


def test_replace_file_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_file(str(tmp_path / "a"), b"x")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.EIO, "broken")))
    with pytest.raises(OSError, match="broken"):
        replace_file(str(tmp_path / "a"), b"y")
    assert os.listdir(tmp_path) == ["a"]


def test_the_next_run_reads_a_finished_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that only reads also finishes what an interrupted one had announced."""
    kill_while_renaming(tmp_path, monkeypatch)
    assert held(tmp_path) not in (OLD, NEW)
    (tmp_path / "plait.yaml").write_text("lists: {}\n")
    Project(str(tmp_path))
    (tmp_path / "plait.yaml").unlink()
    assert held(tmp_path) == NEW
