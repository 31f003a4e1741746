"""Whole runs: the same twice, several at once, killed at every step, on a full disk, and as a library."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import yaml

import plait
from plait.apps.cli import main
from plait.fronts.patterns.render import PatternRenderer
from plait.workspace import Workspace
from tests.cases import PLAIT
from tests.examples import every
from tests.terminal import answering

GO = ["create", "serverless-event-app", "--env", "dev", "--account", "123456789012", "--output", "json"]
STEPS = ("open", "write", "fsync", "replace", "unlink", "remove", "rename", "link", "rmdir", "mkdir")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that was generated once, and edited."""
    monkeypatch.chdir(tmp_path)
    assert main(GO) == 0
    compute = tmp_path / "compute.yaml"
    compute.write_text(compute.read_text().replace("memorySize: 128", "memorySize: 192"))
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def journals() -> list[Path]:
    """What runs announced and did not finish."""
    return sorted(Path(os.environ["XDG_STATE_HOME"], "plait", "journals").glob("*"))


def test_the_same_command_twice_changes_no_byte(made: Path) -> None:
    assert main(GO) == 0
    before = files(made)
    stamps = {path.name: path.stat().st_mtime_ns for path in made.iterdir()}
    assert main(GO) == 0
    assert files(made) == before
    assert {path.name: path.stat().st_mtime_ns for path in made.iterdir()} == stamps


def test_nothing_depends_on_the_day_or_the_folder(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert main([*GO, "--output-dir", str(tmp_path / name)]) == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")


def in_child(work: Callable[[], None]) -> int:
    """Run something in a process of its own; its exit status."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def failing_at(number: int, fail: Callable[[], Any]) -> None:
    """Make the n-th step that changes the disk fail, from now on in this process."""
    count = iter(range(1, 1_000_000))
    opens = os.open

    def wrapped(step: Callable[..., Any]) -> Callable[..., Any]:
        def once(*args: Any, **kwargs: Any) -> Any:
            only_reads = step is opens and not args[1] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if not only_reads and next(count) == number:
                fail()
            return step(*args, **kwargs)

        return once

    for name in STEPS:
        setattr(os, name, wrapped(getattr(os, name)))


def outcomes(made: Path, fail: Callable[[], Any]) -> Iterator[dict[str, bytes]]:
    """The folder after a run that fails at its first step, at its third, and so on until none is left; `make laws`
    tries each step."""
    before = files(made)
    for number in range(1, 500, every(3)):

        def work(number: int = number) -> None:
            failing_at(number, fail)
            if main([*GO, "--set", "timeout=30"]) != 0:
                os._exit(7)

        status = in_child(work)
        yield files(made)
        if status == 0:
            return
        for path in (*made.iterdir(), *journals()):
            path.unlink()
        for name, data in before.items():
            (made / name).write_bytes(data)
    raise AssertionError("it never ran through")


def visible(found: dict[str, bytes]) -> dict[str, bytes]:
    """What counts: the generated files and the record, without what a killed run leaves beside them."""
    return {
        name: data
        for name, data in found.items()
        if name.endswith(".yaml") and "plait-new" not in name and "plait-old" not in name
    }


def next_run() -> None:
    """Another command that writes in the folder."""
    Path("note.yaml").write_text("a: 1\n")
    if main(["set", "note.yaml", "a", "2"]) != 0:
        os._exit(1)
    Path("note.yaml").unlink()


def dry_run(folder: Path) -> str:
    """What another run would do."""
    told = folder.with_name("told.txt")

    def work() -> None:
        with told.open("w") as out, redirect_stdout(out):
            main([*GO, "--dry-run"])

    assert in_child(work) == 0
    assert told.stat().st_size
    return told.read_text()


def test_killed_at_any_step_the_next_run_finds_the_old_set_or_the_new_one(made: Path) -> None:
    old = files(made)
    new = None
    seen = []
    left = []
    for found in outcomes(made, lambda: os._exit(9)):
        state = found, [(path.name, path.read_bytes()) for path in journals()]
        if state in left:  # many steps leave the same files
            continue
        left.append(state)
        planned = dry_run(made)
        assert files(made) == found, "a dry run writes nothing, not even what is left to do"
        assert in_child(next_run) == 0
        seen.append(visible(files(made)))
        assert planned == dry_run(made), "planned on half of a set"
    new = seen[-1]
    assert new != visible(old)
    for found in seen:
        assert found in (visible(old), new), "half of a set"


def test_on_a_full_disk_nothing_changes(made: Path) -> None:
    old = files(made)

    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    *failed, last = outcomes(made, full)
    assert last != old
    for found in failed:
        assert visible(found) in (visible(old), visible(last))


def test_several_runs_at_once_do_not_mix(made: Path) -> None:
    runs = [
        subprocess.Popen([*PLAIT, *GO, "--set", f"timeout={number}"], cwd=made, stdout=subprocess.PIPE)
        for number in (21, 22, 23, 24)
    ]
    assert [run.wait() for run in runs] == [0, 0, 0, 0]
    for run in runs:
        assert run.stdout is not None
        run.stdout.close()
    written = {
        line.split()[1] for line in (made / "compute.yaml").read_text().splitlines() if line.startswith("    timeout:")
    }
    record = yaml.safe_load((made / ".plait-meta.yaml").read_text())
    remembered = {str(record["instances"]["serverless-event-app"]["inputs"]["timeout"]["value"])}
    assert len(written) == 1
    assert written == remembered
    assert (made / "compute.yaml").read_text().count("memorySize: 192") == 2


def test_the_library_does_what_the_command_does(made: Path) -> None:
    found = plait.create("serverless-event-app", {"env": "dev", "account": "123456789012", "timeout": 30}, str(made))
    assert found["status"] == "success"
    assert {(entry["resource"], entry["kind"]) for entry in found["report"]} == {
        ("Function/api-handler", "changed"), ("Function/api-handler", "set"),
        ("Function/snapshot-writer", "changed"), ("Function/snapshot-writer", "set"),
    }  # fmt: skip
    assert "timeout: 30 # seconds" in (made / "compute.yaml").read_text()


def test_regenerate_keeps_comments_and_style() -> None:
    found = plait.regenerate(
        "a:   2 # mine\nb: [1, 2]\n", "a: 1\nb: [1, 3]\n# new\nc: {x: 1} # one\n", "a: 1\nb: [1, 2]\n"
    )
    assert found.text == "a:   2 # mine\nb: [1, 3]\n# new\nc: {x: 1} # one\n"
    assert found.conflicts == 0
    assert [entry["kind"] for entry in found.entries] == ["changed", "updated", "added"]


def test_a_confirmation_is_asked_on_a_terminal(made: Path) -> None:
    """`--overwrite` lists what would be lost, and takes no for an answer unless answered yes."""
    before = files(made)
    for answer, expected in ((b"\n", 1), (b"no\n", 1), (b"y\n", 0)):
        status, shown = answering(made, answer, *GO[:-2], "--overwrite")
        assert status == expected, shown
        assert "spec.forProvider.memorySize: 192 -> 128" in shown
        assert "Discard 2 changes? [y/N]" in shown
        assert (files(made) == before) == (status == 1)


def test_inputs_are_asked_for_on_a_terminal(tmp_path: Path) -> None:
    answers = b"dev\n123456789012\n\n\n\n\n\n\n"
    status, shown = answering(tmp_path, answers, "create", "serverless-event-app", "--interactive")
    assert status == 0, shown
    assert "env (dev/staging/prod) - the environment:" in shown
    assert "Created 17 resources in 4 files." in shown


def test_a_question_about_an_input_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    """What a pattern says about an input is printed like everything else that files contain."""
    about = {"type": "string", "description": "one\x1b[2J\ntwo"}
    home = tmp_path / "patterns/mine"
    (home / "resources").mkdir(parents=True)
    (home / "resources" / "one.yaml").write_text("a: 1\n")
    (home / "pattern.yaml").write_text(json.dumps({"name": "mine", "version": "1.0.0", "inputs": {"a": about}}))
    shown = answering(tmp_path, b"x\n", "create", "mine", "--interactive")[1]
    assert "a - one\\x1b[2J\\ntwo:" in shown


def test_git_knows_who_changed_a_line(made: Path) -> None:
    """`explain`, and the report on a terminal, name the last author of what was kept."""
    quiet = {"cwd": made, "check": True, "capture_output": True}
    subprocess.run(["git", "init", "-q", "."], **quiet)  # type: ignore[call-overload]
    subprocess.run(["git", "add", "."], **quiet)  # type: ignore[call-overload]
    author = {"GIT_AUTHOR_DATE": "2026-01-31T12:00:00Z", "GIT_COMMITTER_DATE": "2026-01-31T12:00:00Z"}
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    subprocess.run(["git", *who, "commit", "-q", "-m", "Right-size"], env={**os.environ, **author}, **quiet)  # type: ignore[call-overload]
    patterns = Workspace().patterns
    found = patterns.why("Function/api-handler:spec.forProvider.memorySize", "compute.yaml")
    assert found is not None
    assert found.touched.startswith("Ann, 2026-01-31 (")
    report = patterns.create(patterns.pattern("serverless-event-app"), object(), {}).report(blame=True)
    assert report.count("192 (plait default: 128)   Ann, 2026-01-31 (") == 2
    (made / "compute.yaml").write_text((made / "compute.yaml").read_text().replace("192", "200"))
    found = patterns.why("Function/api-handler:spec.forProvider.memorySize", "compute.yaml")
    assert found is not None
    assert found.touched == "not committed yet"


def test_without_a_record_nothing_of_another_instance_is_pruned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instances share the label of their pattern, so it proves nothing."""
    monkeypatch.chdir(tmp_path)
    for name in ("shop", "cart"):
        assert main(["create", "web-service", "--name", name, "--image", "x:1", "--output", "json"]) == 0
    (tmp_path / ".plait-meta.yaml").unlink()
    assert main(["create", "web-service", "--name", "shop", "--image", "x:1", "--prune", "--output", "json"]) == 0
    assert (tmp_path / "deployment.yaml").read_text().count("kind: Deployment") == 2


def test_one_changed_input_generates_once(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the pattern is the same and one input changed, nothing is generated again to find out what it moves."""
    rendered = []
    generate = PatternRenderer.generate

    def counted(self: PatternRenderer, values: Any, *here: Any) -> Any:
        rendered.append(values)
        return generate(self, values, *here)

    monkeypatch.setattr(PatternRenderer, "generate", counted)
    assert main([*GO, "--set", "timeout=30"]) == 0
    assert len(rendered) == 1
    assert main([*GO, "--set", "timeout=31", "--memory", "300"]) == 0
    assert len(rendered) <= 1 + 3
