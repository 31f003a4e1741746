"""Which tests run which mutants: before each statement that has one, a probe notes that it was run.

Probes are put into the loaded functions of a forked process, in the way in which mutants are: nothing else slows down,
and commands that a test starts as forks are seen, too. A test that fails without any mutant is no witness.
"""

from __future__ import annotations

import builtins
import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest

from tests.mutants.forked import case_passes, commands_are_forks, forked
from tests.mutants.limits import Limit, spent
from tests.mutants.live import Functions
from tests.mutants.probes import PROBE

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
OPTIONS = ("-q", "-n", "0", "-p", "no:cacheprovider")
LOOKED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
"""How pytest ends where each test was run, or there is none. A file that it cannot look at tells nothing."""


Seen = Callable[[], list[int]]
"""What the probes noted since it was asked last."""


class Witness(NamedTuple):
    """A test, the CPU seconds that it takes, whether it passes as it is, and the numbers of mutants that it runs."""

    name: str
    seconds: float
    passes: bool
    runs: list[int]


class Unit(NamedTuple):
    """A case or a file of tests: what is looked at in one process."""

    name: str
    work: Callable[[Seen], list[Witness]]


def units(names: Sequence[str]) -> list[Unit]:
    """The cases and files of tests of some folders, in their order; cases with few commands come first."""
    found: list[Unit] = []
    for name in names:
        if name.startswith("cases/"):
            found += [Unit(case, _case(case)) for case in sorted(_files(name, "*.case"), key=_commands)]
        else:
            found += [Unit(file, work_of_tests(file)) for file in _files(name, "test_*.py")]
    return found


def _commands(case: str) -> int:
    return (ROOT / case).read_text(encoding="utf-8").count("\n$ ")


def witnesses(unit: Unit, probes: Sequence[CodeType], functions: Functions, limit: Limit) -> list[Witness] | None:
    """The tests of a unit that run probes; None where a signal ended it."""
    told = forked(lambda: _with_probes(functions, probes, unit.work), limit)
    return None if told is None else [Witness(*each) for each in told if each[-1]]


def _files(name: str, kind: str) -> list[str]:
    """The files that are meant by the name of a file or folder."""
    place = TESTS / name
    return [str(path.relative_to(ROOT)) for path in (sorted(place.rglob(kind)) if place.is_dir() else [place])]


def _with_probes(functions: Functions, codes: Sequence[CodeType], run: Callable[[Seen], Any]) -> Any:
    for code in codes:
        functions.change(code)
    with _notes() as seen:
        return run(seen)


@contextmanager
def _notes() -> Iterator[Seen]:
    """Probes write into a file that this process and its forks share."""
    with tempfile.TemporaryFile() as notes:
        handle = notes.fileno()
        fcntl.fcntl(
            handle, fcntl.F_SETFL, os.O_APPEND
        )  # `open` does not: wherever somebody has read, it grows at its end
        noted: set[int] = set()

        def probe(number: int) -> None:
            if number not in noted:
                noted.add(number)
                os.write(handle, b"%d\n" % number)

        def seen() -> list[int]:
            noted.clear()
            numbers = sorted({int(line) for line in os.pread(handle, os.fstat(handle).st_size, 0).split()})
            os.ftruncate(handle, 0)
            return numbers

        setattr(builtins, PROBE, probe)
        yield seen


def _case(path: str) -> Callable[[Seen], list[Witness]]:
    def run(seen: Seen) -> list[Witness]:
        before = spent()
        passes = case_passes(ROOT / path)
        return [Witness(path, spent() - before, passes, seen())]

    return run


def work_of_tests(name: str) -> Callable[[Seen], list[Witness]]:
    """Looks at the tests of a file."""

    def run(seen: Seen) -> list[Witness]:
        noting = _Noting(seen)
        with commands_are_forks():
            status = pytest.main([*OPTIONS, str(ROOT / name)], plugins=[noting])
        if status not in LOOKED:
            raise RuntimeError(f"pytest could not look at {name}: it ended with {int(status)}")
        return noting.found

    return run


class _Noting:
    """Notes for each test what it runs, how long it takes, and whether it passes."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.found: list[Witness] = []
        self.began = 0.0
        self.failed: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.seen()
        self.began = spent()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.found.append(Witness(nodeid, spent() - self.began, nodeid not in self.failed, self.seen()))
