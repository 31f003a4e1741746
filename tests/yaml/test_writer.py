"""Writing: all or none, nothing lost, nothing left behind; with faults at every step."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.core.diagnostic import PlaitError
from plait.report.render import render_one
from plait.yaml import lock as lock_module
from plait.yaml.journal import Journal
from plait.yaml.lock import Lock
from plait.yaml.state import NoState, is_own, open_state
from plait.yaml.step import digest
from plait.yaml.writer import WriteChoices, Writer, replace_file
from tests.examples import every
from tests.files import stamp

STEPS = ("open", "write", "fsync", "replace", "link", "unlink", "mkdir", "close", "fchown", "fchmod", "ftruncate")
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


def writer(folder: Path, **options: object) -> Writer:
    return Writer(str(folder), WriteChoices(**options))  # type: ignore[arg-type]


def recovered(folder: Path) -> list[str]:
    """Settle what an interrupted run left, as the next command that writes does; the codes of what it says. Who only
    reads knew before what would be there."""
    said: list[str] = []
    open_before = open_handles()
    there = sorted(os.listdir(folder)), held(folder)
    foretold = {os.path.basename(name): data for name, data in writer(folder).unfinished().items()}
    assert (sorted(os.listdir(folder)), held(folder)) == there
    try:
        writer(folder, tell=lambda diagnostic: said.append(diagnostic.code)).recover()
    finally:
        assert held(folder) == {name: foretold.get(name, data) for name, data in there[1].items()}
    assert open_handles() == open_before, "a server does this often"
    return said


def open_handles() -> int:
    """How many files this process has open, where the system tells."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


def report(function: Callable[[], object]) -> str:
    with pytest.raises(PlaitError) as caught:
        function()
    return render_one(caught.value.diagnostics[0])


MEMORY = "/dev/shm"


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is flushed without waiting for a disk, where there is one: some tests flush thousands of times."""
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        monkeypatch.setenv("PLAIT_STATE", os.path.join(name, "state"))
        open_state()  # made once, so that all writes take the same steps
        folder = Path(name, "files")
        folder.mkdir()
        yield folder


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
    changed = writer(tmp_path).write(in_folder(tmp_path, NEW))
    assert held(tmp_path) == NEW
    assert sorted(os.listdir(tmp_path)) == ["0.yaml", "1.yaml", "2.yaml", "3.yaml"]
    assert changed == [str(tmp_path / name) for name in NEW]


def test_no_change_writes_nothing(tmp_path: Path) -> None:
    put(tmp_path, OLD)
    before = stamp(tmp_path / "0.yaml")
    assert writer(tmp_path).write(in_folder(tmp_path, OLD)) == []
    assert stamp(tmp_path / "0.yaml") == before


def test_folders_are_made(tmp_path: Path) -> None:
    writer(tmp_path).write({str(tmp_path / "a" / "b" / "c.yaml"): b"x"})
    assert (tmp_path / "a" / "b" / "c.yaml").read_bytes() == b"x"


def test_folders_of_a_write_that_is_refused_go_again(tmp_path: Path) -> None:
    """Those that it made, and no other."""

    def refuse(_: object) -> None:
        raise PlaitError

    (tmp_path / "there").mkdir()
    for names in (["there/a/b.yaml"], ["there/a/b.yaml", "c/d/e.yaml", "f.yaml"]):
        with pytest.raises(PlaitError):
            writer(tmp_path).write({str(tmp_path / name): b"x" for name in names}, check=refuse)
        assert sorted(tmp_path.rglob("*")) == [tmp_path / "there"]


class Flushing:
    """Watches whether the disk has what it must have: what is written before it gets its name, and what got a name
    before the journal that announced it is forgotten."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waiting: set[str] = set()
        """Files with bytes, and folders with names, that are not flushed yet."""
        for name in ("open", "link", "write", "fsync", "replace", "unlink"):
            monkeypatch.setattr(os, name, partial(getattr(self, name), getattr(os, name)))

    def open(self, real: Callable[..., int], path: str, flags: int, mode: int = 0o777, **folders: int) -> int:
        if flags & os.O_CREAT and folders:
            self.waiting.add(os.readlink(f"/proc/self/fd/{folders['dir_fd']}"))
        return real(path, flags, mode, **folders)

    def link(self, real: Callable[..., None], old: str, new: str, **named: int) -> None:
        self.waiting.add(os.readlink(f"/proc/self/fd/{named['dst_dir_fd']}"))
        real(old, new, **named)

    def write(self, real: Callable[..., int], handle: int, data: bytes) -> int:
        self.waiting.add(os.readlink(f"/proc/self/fd/{handle}"))
        return real(handle, data)

    def fsync(self, real: Callable[..., None], handle: int) -> None:
        self.waiting.discard(os.readlink(f"/proc/self/fd/{handle}"))
        real(handle)

    def replace(self, real: Callable[..., None], old: str, new: str, **folders: int) -> None:
        within = os.readlink(f"/proc/self/fd/{folders['src_dir_fd']}") if folders else os.path.dirname(old)
        assert os.path.join(within, os.path.basename(old)) not in self.waiting, "it has a name before it has its bytes"
        assert folders or not self.waiting, "the journal stands before all is there"
        self.waiting.add(within)
        real(old, new, **folders)

    def unlink(self, real: Callable[..., None], name: str, **folders: int | None) -> None:
        if os.path.basename(os.path.dirname(name)) == "journals" and os.path.exists(name):
            assert not self.waiting, "the journal goes before all is there"
        real(name, **folders)


def test_the_disk_has_each_file_before_its_name_and_all_of_them_before_the_journal_goes(
    quick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(quick, OLD)
    (quick / "linked").write_bytes(b"old")
    (quick / "other").hardlink_to(quick / "linked")
    flushing = Flushing(monkeypatch)
    writer(quick).write({str(quick / "0.yaml"): b"first"})
    assert not flushing.waiting
    files = {**in_folder(quick, NEW), str(quick / "deep" / "new.yaml"): b"x", str(quick / "linked"): b"longer"}
    writer(quick, in_place=True, tell=lambda _: None).write(files)
    assert not flushing.waiting


@pytest.mark.parametrize("mode", [0o640, 0o4755, 0o2750, 0o201])
def test_permissions_stay(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    if os.getuid() == 0:
        os.chown(path, 12, 34)
    path.chmod(mode)
    before = path.stat()
    writer(tmp_path).write({str(path): b"2"})
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("allowed", ["nothing", "the group"])
def test_a_file_that_cannot_keep_its_owner_loses_what_runs_as_that_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    os.chown(path, 12, 34)
    path.chmod(0o6755)
    real = os.fchown

    def fchown(handle: int, owner: int, group: int) -> None:
        if allowed == "nothing" or owner != -1:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        real(handle, owner, group)

    monkeypatch.setattr(os, "fchown", fchown)
    writer(tmp_path).write({str(path): b"2"})
    after = path.stat()
    assert (after.st_mode & 0o7777, after.st_gid) == (0o755, 34 if allowed == "the group" else os.getgid())


@pytest.mark.parametrize("becomes", ["other bytes", "gone", "a pipe"])
def test_a_file_that_was_only_read_and_changed_since(tmp_path: Path, becomes: str) -> None:
    """Whoever computed a file from another one must have read that one as it is."""
    other = tmp_path / "other"
    other.write_bytes(b"read")
    files, seen = {str(tmp_path / "a"): b"x"}, {str(other): b"read"}
    assert writer(tmp_path).write(files, seen) == [*files]
    other.unlink()
    if becomes == "a pipe":
        os.mkfifo(other)
    elif becomes == "other bytes":
        other.write_bytes(b"written")
    text = report(lambda: writer(tmp_path).write({str(tmp_path / "a"): b"y"}, seen))
    assert text == f"error PL1204: `{other}` changed since it was read\n  check the file, then run the command again\n"
    assert (tmp_path / "a").read_bytes() == b"x"


def test_files_of_several_folders_are_written_together(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    files = {str(tmp_path / name / "x"): name.encode() for name in ("a", "b")}
    assert writer(tmp_path).write(files) == [*files]
    assert [Path(name).read_bytes() for name in files] == [b"a", b"b"]


def test_a_project_that_is_not_there_yet_is_made_and_no_folder_stays_open(tmp_path: Path) -> None:
    before = open_handles()
    root = tmp_path / "new" / "project"
    writer(root).write({str(root / "deep" / "a"): b"x", str(root / "b"): b"y"})
    assert (root / "deep" / "a").read_bytes() == b"x"
    assert open_handles() == before


def test_who_only_reads_makes_no_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_STATE", str(tmp_path / "state"))
    (tmp_path / "project").mkdir()
    assert writer(tmp_path / "project").unfinished() == {}
    assert os.listdir(tmp_path) == ["project"]


def test_the_journal_is_closed_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mask = os.umask(0)
    try:
        kill_while_renaming(tmp_path, monkeypatch)
    finally:
        os.umask(mask)
    journal = journal_of(tmp_path)
    assert (journal.parent.stat().st_mode & 0o777, journal.stat().st_mode & 0o777) == (0o700, 0o600)
    assert recovered(tmp_path) == ["PL1211"]


@pytest.mark.parametrize("mode", [0o444, 0o555, 0o001])
def test_read_only_file(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    path.chmod(mode)
    text = report(lambda: writer(tmp_path).write({str(path): b"2"}))
    assert text == f"error PL1201: cannot write `{path}`: it is read-only\n  chmod u+w {path}\n"
    assert path.read_bytes() == b"1"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert "`: it is a folder" in report(lambda: Writer().write({str(tmp_path): b"2"}))


def test_a_link_inside_the_project_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"1")
    (tmp_path / "link").symlink_to("real")
    writer(tmp_path).write({str(tmp_path / "link"): b"2"})
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
    text = report(lambda: writer(project).write({str(project / name): b"2"}))
    assert text == (
        f"error PL1206: `{project / name}` is a symbolic link to a file outside the project\n"
        f"  it points to {outside / 'real'}\n  name that file instead\n"
    )
    assert (outside / "real").read_bytes() == b"1"


def test_a_file_that_changed_since_it_was_read(tmp_path: Path) -> None:
    put(tmp_path, OLD)
    names = in_folder(tmp_path, NEW)
    seen = {**in_folder(tmp_path, OLD), str(tmp_path / "2.yaml"): b"something else\n"}
    text = report(lambda: writer(tmp_path).write(names, seen))
    assert text == (
        f"error PL1204: `{tmp_path / '2.yaml'}` changed since it was read\n"
        "  check the file, then run the command again\n"
    )
    assert held(tmp_path) == OLD


def test_a_file_that_changes_at_the_last_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, OLD)
    real = os.fsync

    def theirs(handle: int) -> None:
        (tmp_path / "1.yaml").write_bytes(b"theirs")
        real(handle)

    monkeypatch.setattr(os, "fsync", theirs)
    assert "changed since" in report(lambda: writer(tmp_path).write(in_folder(tmp_path, NEW)))
    assert held(tmp_path) == {**OLD, "1.yaml": b"theirs"}


def steps_of_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    folder = tmp_path / "counting"
    folder.mkdir()
    put(folder, OLD)
    with monkeypatch.context() as patch:
        taken = count_steps(patch, 0, lambda: None)
        writer(folder).write(in_folder(folder, NEW))
    return len(taken)


def test_a_full_disk_at_every_step(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = steps_of_a_set(quick, monkeypatch)
    assert steps > 30
    failed = 0
    for at in range(1, steps + 1):
        folder = quick / str(at)
        folder.mkdir()
        put(folder, OLD)

        def full() -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        try:
            with monkeypatch.context() as patch:
                count_steps(patch, at, full)
                writer(folder).write(in_folder(folder, NEW))
        except (PlaitError, OSError) as trouble:
            failed += 1
            if isinstance(trouble, PlaitError) and "No space left" in str(trouble):
                assert held(folder) == OLD
        recovered(folder)
        assert held(folder) in (OLD, NEW), f"step {at}"
    assert failed > 20


@pytest.mark.parametrize("then", ["finish", "write again"])
def test_a_kill_at_every_step(quick: Path, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    steps = steps_of_a_set(quick, monkeypatch)
    ends = []
    for at in range(1, steps + 1, every(3 if then == "finish" else 5)):
        folder = quick / str(at)
        folder.mkdir()
        put(folder, OLD)
        if (child := os.fork()) == 0:
            count_steps(monkeypatch, at, lambda: os._exit(9))
            writer(folder).write(in_folder(folder, NEW))
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        if then == "finish":
            recovered(folder)
            ends.append(held(folder) == NEW)
            assert held(folder) in (OLD, NEW), f"step {at}"
        writer(folder).write(in_folder(folder, NEW))
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

        def replace(old: str, new: str, **folders: int) -> None:
            renames.append(new)
            if len(renames) == 4:  # the journal's own, then two files
                os._exit(9)
            real(old, new, **folders)

        monkeypatch.setattr(os, "replace", replace)
        writer(folder).write(in_folder(folder, NEW))
    os.wait()
    assert held(folder) == {**OLD, "0.yaml": NEW["0.yaml"], "1.yaml": NEW["1.yaml"]}


def test_an_interrupted_set_is_undone_where_a_file_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_while_renaming(tmp_path, monkeypatch)
    (tmp_path / "2.yaml").write_bytes(b"theirs")
    assert recovered(tmp_path) == ["PL1212"]
    assert held(tmp_path) == {**OLD, "2.yaml": b"theirs"}
    assert recovered(tmp_path) == []


def test_an_interrupted_set_that_can_be_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_while_renaming(tmp_path, monkeypatch)
    (tmp_path / "1.yaml").write_bytes(b"theirs, on top of ours")
    (tmp_path / "2.yaml").write_bytes(b"theirs")
    text = report(lambda: recovered(tmp_path))
    assert text == (
        f"error PL1207: an interrupted run left `{tmp_path}/1.yaml` half written\n  compare it with the "
        "version in your version control\n"
    )
    assert held(tmp_path) == {**OLD, "1.yaml": b"theirs, on top of ours", "2.yaml": b"theirs"}
    assert not recovered(tmp_path)


def test_a_kill_while_undoing(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(1, 12):
        folder = quick / str(at)
        folder.mkdir()
        kill_while_renaming(folder, monkeypatch)
        (folder / "2.yaml").write_bytes(b"theirs")
        if os.fork() == 0:
            count_steps(monkeypatch, at, lambda: os._exit(9))
            recovered(folder)
            os._exit(0)
        os.wait()
        recovered(folder)
        assert held(folder) == {**OLD, "2.yaml": b"theirs"}
        assert len(os.listdir(folder)) == 4


def test_an_interrupted_set_is_undone_where_a_file_became_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_while_renaming(tmp_path, monkeypatch)
    (tmp_path / "2.yaml").rename(tmp_path / "elsewhere")
    (tmp_path / "2.yaml").symlink_to("elsewhere")
    assert recovered(tmp_path) == ["PL1212"]
    assert held(tmp_path) == OLD
    assert (tmp_path / "2.yaml").is_symlink()


def refuse_to_rename(patch: pytest.MonkeyPatch, *failing: int) -> None:
    """The disk fails when some files get their names, the journal among them."""
    real, renames = os.replace, []

    def replace(old: str, new: str, **folders: int) -> None:
        renames.append(new)
        if len(renames) in failing:
            raise OSError(errno.EIO, "Input/output error")
        real(old, new, **folders)

    patch.setattr(os, "replace", replace)


def test_a_set_that_fails_in_the_middle_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, OLD)
    with monkeypatch.context() as patch:
        refuse_to_rename(patch, 4)
        text = report(lambda: writer(tmp_path).write(in_folder(tmp_path, NEW)))
    assert text == (f"error PL1201: cannot write `{tmp_path}/2.yaml`: Input/output error\n  nothing was changed\n")
    assert held(tmp_path) == OLD
    assert len(os.listdir(tmp_path)) == 4
    assert recovered(tmp_path) == []


def test_a_set_that_can_neither_be_written_nor_undone_is_undone_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, OLD)
    names = {str(tmp_path / name): NEW[name] for name in ("0.yaml", "1.yaml")}
    with monkeypatch.context() as patch:
        refuse_to_rename(patch, 3, 5)  # the second file, and putting the first one back
        text = report(lambda: writer(tmp_path).write(names))
    assert text == (
        f"error PL1207: an interrupted run left `{tmp_path}/0.yaml` half written\n"
        "  Input/output error; the next command that writes completes or undoes it\n"
    )
    assert held(tmp_path) == {**OLD, "0.yaml": NEW["0.yaml"]}
    assert recovered(tmp_path) == ["PL1212"]
    assert held(tmp_path) == OLD


def test_new_files_have_the_usual_mode_and_others_are_closed_until_they_have_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"1")
    old.chmod(0o604)
    modes: list[int] = []
    real = os.fchown

    def fchown(handle: int, owner: int, group: int) -> None:
        modes.append(os.fstat(handle).st_mode & 0o777)
        real(handle, owner, group)

    monkeypatch.setattr(os, "fchown", fchown)
    mask = os.umask(0o022)
    try:
        writer(tmp_path).write({str(old): b"2", str(new): b"2"})
    finally:
        os.umask(mask)
    assert modes == [0o600]
    assert (old.stat().st_mode & 0o777, new.stat().st_mode & 0o777) == (0o604, 0o644)


def kill_while_overwriting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a file with two names interrupted after its first bytes were overwritten."""
    (folder / "a").write_bytes(b"old " * 5)
    (folder / "b").hardlink_to(folder / "a")
    if os.fork() == 0:
        real, name = os.write, str(folder / "a")

        def write(handle: int, data: bytes) -> int:
            if os.readlink(f"/proc/self/fd/{handle}") != name:
                return real(handle, data)
            real(handle, data[:6])
            os._exit(9)

        monkeypatch.setattr(os, "write", write)
        writer(folder, in_place=True, tell=lambda _: None).write({str(folder / "a"): b"new " * 9})
        os._exit(0)
    os.wait()
    assert (folder / "a").read_bytes() == b"new ne" + (b"old " * 5)[6:]


@pytest.mark.parametrize(
    ("gone", "code", "holds"),
    [
        ("nothing", "PL1211", b"new " * 9),
        (".plait-*.old", "PL1207", None),
        (".plait-*.new", "PL1207", None),
        ("a", "PL1212", b""),
    ],
)
def test_what_becomes_of_a_file_that_was_half_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str, code: str, holds: bytes | None
) -> None:
    """It is finished where its old and its new bytes are still there; otherwise it is never said to be whole."""
    kill_while_overwriting(tmp_path, monkeypatch)
    half = (tmp_path / "a").read_bytes()
    for path in tmp_path.glob(gone):
        path.unlink()
    said: list[str] = []
    try:
        writer(tmp_path, tell=lambda diagnostic: said.append(diagnostic.code)).recover()
    except PlaitError as trouble:
        said += [one.code for one in trouble.diagnostics]
    assert said == [code]
    assert (tmp_path / "a").exists() is bool(holds or holds is None)
    assert not (tmp_path / "a").exists() or (tmp_path / "a").read_bytes() == (half if holds is None else holds)


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_bytes(b"0")
    children = []
    for _ in range(2):
        if (child := os.fork()) == 0:
            for _ in range(25):
                with writer(tmp_path).hold([str(path)]) as lock:
                    data = path.read_bytes()
                    writer(tmp_path).write({str(path): b"%d" % (int(data) + 1)}, {str(path): data}, lock)
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
    writer(tmp_path).write({str(tmp_path / "a"): b"x"})
    assert (tmp_path / "a").read_bytes() == b"x"


def test_replace_file_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"a.{os.getpid()}.new").write_bytes(b"what a killed run left")
    replace_file(str(tmp_path / "a"), b"x")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.EIO, "broken")))
    with pytest.raises(OSError, match="broken"):
        replace_file(str(tmp_path / "a"), b"y")
    assert os.listdir(tmp_path) == ["a"]


def test_only_a_command_that_writes_recovers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kill_while_renaming(tmp_path, monkeypatch)
    half = held(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["get", "0.yaml"]) == 0
    (tmp_path / "other.yaml").write_text("a: 1\n")
    assert main(["merge", "other.yaml"]) == 0
    assert held(tmp_path) == half
    assert "PL12" not in capsys.readouterr().err
    assert main(["set", "other.yaml", "a", "2"]) == 0
    assert held(tmp_path) == NEW
    lines = "".join(f"  {tmp_path}/{name}\n" for name in OLD)
    assert (
        capsys.readouterr().err
        == f"warning PL1211: an interrupted write of 5 files was finished\n{lines}\n1 warning\nother.yaml: set a\n"
    )


def journal_of(folder: Path) -> Path:
    return Path(Journal(open_state(), str(folder)).forward)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "not text", "another folder"])
def test_a_damaged_journal_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    kill_while_renaming(folder, monkeypatch)
    half, file = held(folder), journal_of(folder)
    data = file.read_bytes()
    if damage == "another folder":
        folder.rename(tmp_path / "moved")
        shutil.copytree(tmp_path / "moved", folder)
    else:
        cases = {"cut": data[:-1], "flipped": data.replace(b"30", b"31", 1), "empty": b"", "not text": b"\xff\n\xff"}
        file.write_bytes(cases[damage])
    assert recovered(folder) == ["PL1213"]
    assert held(folder) == half
    assert recovered(folder) == []


def test_a_journal_in_the_repository_means_nothing(tmp_path: Path) -> None:
    put(tmp_path, OLD)
    was = digest(OLD["0.yaml"])
    (tmp_path / ".plait-journal").write_text(f"{b'0.yaml'.hex()} {was} -")
    (tmp_path / "journals").mkdir()
    (tmp_path / "journals" / journal_of(tmp_path).name).write_text("x")
    assert recovered(tmp_path) == []
    writer(tmp_path).write({str(tmp_path / "1.yaml"): b"new"})
    assert held(tmp_path) == {**OLD, "1.yaml": b"new"}
    assert (tmp_path / ".plait-journal").exists()


def test_temporary_files_that_were_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`git clean` in between: what is left cannot be finished, and what can be undone is."""
    kill_while_renaming(tmp_path, monkeypatch)
    for file in tmp_path.glob(".plait-*.new"):
        file.unlink()
    assert recovered(tmp_path) == ["PL1212"]
    assert held(tmp_path) == OLD


SPECIAL = {
    "pipe": lambda path: os.mkfifo(path),
    "folder": lambda path: os.mkdir(path),
    "socket": lambda path: bound(path),
}


def bound(path: str) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as one:
        one.bind(os.path.relpath(path))


@pytest.mark.parametrize("kind", SPECIAL)
def test_special_files_are_never_replaced(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "a")
    SPECIAL[kind](path)
    before = stamp(path)
    text = report(lambda: writer(tmp_path).write({path: b"x", str(tmp_path / "b"): b"y"}))
    assert text == f"error PL1201: cannot write `{path}`: it is a {kind}\n"
    assert stamp(path) == before
    assert os.listdir(tmp_path) == ["a"]


def test_devices_are_never_replaced() -> None:
    assert "`: it is a device" in report(lambda: Writer("/dev").write({"/dev/null": b"x"}))


def test_hard_links(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"before, and longer")
    other.hardlink_to(path)
    assert report(lambda: writer(tmp_path).write({str(path): b"after"})) == (
        f"error PL1208: `{path}` has 2 hard links\n"
        "  --in-place overwrites it and keeps the links; an interrupted write can then leave it damaged\n"
    )
    assert other.read_bytes() == b"before, and longer"
    said: list[str] = []
    one = writer(tmp_path, in_place=True, tell=lambda diagnostic: said.append(render_one(diagnostic)))
    one.write({str(path): b"after"})
    assert other.read_bytes() == b"after"
    assert path.stat().st_nlink == 2
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
    assert said == [
        f"warning PL1209: `{path}` is overwritten in place: it keeps its links, but an interrupted write "
        "can leave it damaged\n"
    ]


def test_a_kill_at_every_step_of_overwriting(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal finishes even a file that was half overwritten."""
    old, new = b"old " * 5, b"new " * 9
    real = os.write
    for at in range(1, 120, every(3)):
        folder = quick / str(at)
        folder.mkdir()
        (folder / "a").write_bytes(old)
        (folder / "b").hardlink_to(folder / "a")
        if (child := os.fork()) == 0:
            monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:16]))
            count_steps(monkeypatch, at, lambda: os._exit(9))
            writer(folder, in_place=True).write({str(folder / "a"): new})
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        recovered(folder)
        assert (folder / "a").read_bytes() in (old, new)
        assert (folder / "a").samefile(folder / "b")
        if not status:
            break
    assert status == 0
    assert at > 30


@pytest.mark.parametrize("names", [["user.note"], ["user.a", "user.b"]])
def test_extended_attributes_stay(tmp_path: Path, names: list[str]) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    try:
        for name in names:
            os.setxattr(path, name, b"kept")
    except OSError:
        pytest.skip("no extended attributes here")
    writer(tmp_path).write({str(path): b"2"})
    assert {name: os.getxattr(path, name) for name in os.listxattr(path)} == dict.fromkeys(names, b"kept")


@pytest.mark.parametrize("code", [errno.ENOTSUP, errno.ENODATA, errno.ENOSYS, errno.EIO])
def test_a_file_system_without_extended_attributes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """Where there are none, none are lost; where they cannot be read, the file stays as it is."""
    path = tmp_path / "a"
    path.write_bytes(b"1")

    def refused(handle: int) -> list[str]:
        raise OSError(code, "refused")

    monkeypatch.setattr(os, "listxattr", refused, raising=False)
    with pytest.raises(PlaitError) if code == errno.EIO else contextlib.nullcontext():
        writer(tmp_path).write({str(path): b"2"})
    assert path.read_bytes() == (b"1" if code == errno.EIO else b"2")


ACL = bytes.fromhex("0200000001000600ffffffff020007002a00000004000400ffffffff10000700ffffffff20000000ffffffff")
"""Its owner reads and writes, user 42 does everything, the group reads, others do nothing."""


def test_access_control_lists_stay(tmp_path: Path) -> None:
    path, plain = tmp_path / "a", tmp_path / "plain"
    path.write_bytes(b"1")
    plain.write_bytes(b"1")
    try:
        os.setxattr(path, "system.posix_acl_access", ACL)
        os.setxattr(tmp_path, "system.posix_acl_default", ACL)  # must not fall on a file that has no list of its own
    except OSError:
        pytest.skip("no access control lists here")
    before = plain.stat().st_mode
    writer(tmp_path).write({str(path): b"2", str(plain): b"2"})
    assert os.getxattr(path, "system.posix_acl_access") == ACL
    assert os.listxattr(plain) == []
    assert plain.stat().st_mode == before


def test_an_attribute_that_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    monkeypatch.setattr(os, "listxattr", lambda handle: ["user.note"] if os.fstat(handle).st_size == 1 else [])
    monkeypatch.setattr(os, "getxattr", lambda handle, name: b"x")

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "setxattr", refuse)
    text = report(lambda: writer(tmp_path).write({str(path): b"22"}))
    assert text == f"error PL1201: cannot write `{path}`: its attribute `user.note` cannot be preserved\n"
    assert path.read_bytes() == b"1"
    assert os.listdir(tmp_path) == ["a"]


def test_the_same_file_under_two_names(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").symlink_to("a")
    names = {str(tmp_path / "a"): b"2", str(tmp_path / "b"): b"3"}
    assert "is the same file as" in report(lambda: writer(tmp_path).write(names))


# The state folder


@pytest.fixture
def no_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    (tmp_path / "flat").write_text("a file, where the state folder would be")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "flat"))
    project = tmp_path / "project"
    project.mkdir()
    put(project, OLD)
    return project


def test_one_file_needs_no_state_folder(no_state: Path) -> None:
    writer(no_state).write({str(no_state / "0.yaml"): b"new"})
    assert held(no_state) == {**OLD, "0.yaml": b"new"}
    assert len(os.listdir(no_state)) == 4


def test_several_files_need_one(no_state: Path, tmp_path: Path) -> None:
    text = report(lambda: writer(no_state).write(in_folder(no_state, NEW)))
    assert text == (
        f"error PL1210: 5 files cannot be written together: `{tmp_path}/flat/plait` cannot be used: Not a directory\n"
        "  name a folder of your own with --journal or PLAIT_STATE\n"
    )
    assert held(no_state) == OLD
    writer(no_state, journal=str(tmp_path / "mine")).write(in_folder(no_state, NEW))
    assert held(no_state) == NEW


def test_the_folder_for_journals_of_the_environment(no_state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_STATE", "state")
    assert "PLAIT_STATE is a relative path" in report(lambda: writer(no_state).write(in_folder(no_state, NEW)))
    monkeypatch.setenv("PLAIT_STATE", str(no_state / "state"))
    assert "is inside the project" in report(lambda: writer(no_state).write(in_folder(no_state, NEW)))
    monkeypatch.setenv("PLAIT_STATE", str(no_state.parent / "state"))
    writer(no_state).write(in_folder(no_state, NEW))
    assert held(no_state) == NEW


@pytest.mark.parametrize("bit", [1 << place for place in range(6)])
def test_what_others_may_do_in_a_state_folder(bit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they can write it is refused; where they can look it is closed to them, and a key that they know is made
    anew."""
    monkeypatch.setenv("PLAIT_STATE", str(tmp_path))
    folder = tmp_path / "plait"
    folder.mkdir()
    folder.chmod(0o700 | bit)
    if bit & 0o022:
        with pytest.raises(NoState, match="other users can write to"):
            open_state()
        folder.chmod(0o700)
    state = open_state()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "key").stat().st_mode & 0o777 == 0o600
    assert open_state().key == state.key
    (folder / "key").chmod(0o600 | bit)
    assert open_state().key != state.key
    assert (folder / "key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o700, 0o701, 0o755, 0o750])
def test_a_folder_that_is_made_for_a_cache_is_closed_to_others(mode: int, tmp_path: Path) -> None:
    assert not is_own(str(tmp_path / "missing"))
    assert not (tmp_path / "missing").exists(), "who only reads makes none"
    mask = os.umask(0)
    try:
        assert is_own(str(tmp_path / "new" / "one"), make=True)
    finally:
        os.umask(mask)
    assert (tmp_path / "new" / "one").stat().st_mode & 0o777 == 0o700
    there = tmp_path / "there"
    there.mkdir()
    there.chmod(mode)
    assert is_own(str(there))
    assert there.stat().st_mode & 0o777 == mode
    assert is_own(str(there), make=True)
    assert there.stat().st_mode & 0o777 == 0o700
    assert not is_own(__file__)


def test_where_the_state_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, repository = tmp_path / "home", tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    monkeypatch.chdir(repository)
    monkeypatch.setenv("HOME", str(home))
    for name in ("PLAIT_STATE", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    home.mkdir()
    assert open_state().path == str(home / ".local" / "state" / "plait")
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert open_state().path == str(home / ".local" / "state" / "plait")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert open_state().path == str(tmp_path / "other" / "plait")
    monkeypatch.setenv("PLAIT_STATE", str(repository / "state"))
    with pytest.raises(NoState, match="is inside the project"):
        open_state()
    monkeypatch.setenv("HOME", str(repository))
    assert open_state().path == str(repository / "state" / "plait"), "a home may be a repository"


def test_folders_that_are_closed_already_may_be_on_a_disk_that_is_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAIT_STATE", str(tmp_path))
    key = open_state().key

    def refuse(path: str, mode: int) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "chmod", refuse)
    assert open_state().key == key
    assert is_own(str(tmp_path / "plait"), make=True)


def test_making_a_key_leaves_no_file_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_STATE", str(tmp_path))
    before = open_handles()
    open_state()
    assert open_handles() == before
    assert os.listdir(tmp_path / "plait") == ["key"]


@pytest.mark.parametrize("damage", ["short", "long", "pipe"])
def test_a_key_that_is_none_is_made_anew(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_STATE", str(tmp_path))
    key, made = tmp_path / "plait" / "key", open_state().key
    if damage == "pipe":
        key.unlink()
        os.mkfifo(key, 0o600)
    else:
        key.write_bytes(made[1:] if damage == "short" else made + b"x")
    again = open_state().key
    assert len(again) == len(made)
    assert again not in (made[1:], made)
    assert open_state().key == again


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_a_state_folder_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_STATE", str(tmp_path / "theirs"))
    (tmp_path / "theirs").mkdir()
    os.chown(tmp_path / "theirs", 12, 34)
    with pytest.raises(NoState, match="belongs to another user"):
        open_state()
    (tmp_path / "theirs" / "plait").mkdir()
    os.chown(tmp_path / "theirs" / "plait", 12, 34)
    with pytest.raises(NoState, match="belongs to another user"):
        open_state()


def test_two_runs_make_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_STATE", str(tmp_path))
    with ThreadPoolExecutor(8) as pool:
        keys = {one.key for one in pool.map(lambda _: open_state(), range(32))}
    assert len(keys) == 1
    assert os.listdir(tmp_path / "plait") == ["key"]


def test_short_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:3]))
    put(tmp_path, OLD)
    writer(tmp_path).write(in_folder(tmp_path, NEW))
    assert held(tmp_path) == NEW
