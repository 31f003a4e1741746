"""What the processes that run tests tell about them: what passed, what did not and why, and who died."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import deque
from multiprocessing import Pipe
from pathlib import Path

import pytest

from tests.workers import Worker

ROOT = Path(__file__).parents[1]
TESTS = """\
import os, warnings
import pytest

def test_passes(tmp_path):
    assert tmp_path.is_dir()

def test_fails():
    print("printed before")
    assert 1 == 2

@pytest.mark.skip(reason="not today")
def test_is_skipped(): ...

def test_dies():
    os._exit(7)

def test_comes_after_the_one_that_died(): ...

@pytest.fixture
def broken():
    yield
    raise ValueError("cannot clean up")

def test_ends_badly(broken): ...

def test_warns():
    warnings.warn("careful")

@pytest.mark.xfail
def test_is_known_to_fail():
    assert 0
"""
WITHOUT = ("xdist", "pytest-lsp", "asyncio", "hypothesispytest", "cacheprovider")


@pytest.mark.long
def test_every_end_of_a_test_is_told(tmp_path: Path) -> None:
    for name in ("test_one.py", "test_two.py", "test_three.py"):
        (tmp_path / name).write_text(TESTS, encoding="utf-8")
    plugins = [word for name in WITHOUT for word in ("-p", f"no:{name}")]
    words = ["-c", "/dev/null", "--rootdir", str(tmp_path), "-p", "tests.conftest", *plugins, "-n", "2", "-rs"]
    argv = [sys.executable, "-m", "pytest", *words, str(tmp_path)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    ends = re.findall(r"(\d+) (\w+)", done.stdout.splitlines()[-1].partition(" in ")[0])
    expected = {"failed": "6", "passed": "12", "skipped": "3", "xfailed": "3", "warnings": "3", "errors": "3"}
    assert {kind: count for count, kind in ends} == expected, done.stdout + done.stderr
    assert done.returncode == 1
    for told in ("assert 1 == 2", "printed before", "ended with status 7", "cannot clean up", "careful", "not today"):
        assert told in done.stdout
    assert "During handling" not in done.stdout


@pytest.mark.parametrize(("files", "tests"), [(2, 1), (3, 1)])
def test_there_may_be_fewer_tests_than_workers_can_take(files: int, tests: int, tmp_path: Path) -> None:
    body = "".join(f"def test_{number}(): ...\n" for number in range(tests))
    for number in range(files):
        (tmp_path / f"test_{number}.py").write_text(body, encoding="utf-8")
    plugins = [word for name in WITHOUT for word in ("-p", f"no:{name}")]
    words = ["-c", "/dev/null", "--rootdir", str(tmp_path), "-p", "tests.conftest", *plugins, "-n", "3", "-q"]
    argv = [sys.executable, "-m", "pytest", *words, str(tmp_path)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


class Dead(Worker):
    """A worker that died after it was heard, with something that it has not read."""

    def __init__(self) -> None:
        self.line, theirs = Pipe()
        self.line.send([1])
        theirs.close()
        self.left = [1]
        self._is_ending = False


def test_a_worker_that_is_dead_is_given_nothing_and_tells_nothing() -> None:
    worker, works = Dead(), deque([[2], [3]])
    worker.feed(works)
    assert (worker.told(), worker.left, [*works]) == (None, [1, 2], [[3]])
