"""Which tests run which mutants: before each statement that has one, a probe notes that it was run.

Probes are put into the loaded functions of a forked process, in the way in which mutants are: nothing else slows down,
and commands that a test starts as forks are seen, too. A test that fails without any mutant is no witness.
"""

from __future__ import annotations

import builtins
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.mutants.changes import Mutant
from tests.mutants.forked import Overdue, case_passes, commands_are_forks, forked
from tests.mutants.live import Functions
from tests.mutants.probes import PROBE, probed

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
OPTIONS = ("-q", "-n", "0", "-p", "no:cacheprovider")


class Witness(NamedTuple):
    """A test that passes, the CPU seconds that it takes, and the numbers of the mutants that it runs."""

    name: str
    seconds: float
    runs: list[int]


def witnesses(
    cases: Sequence[str], tests: Sequence[str], mutants: Sequence[Mutant], functions: Functions, seconds: float
) -> tuple[list[Witness], list[Witness]]:
    """The cases and tests that run mutants; and those that cannot tell: there was no time, or they fail as it is."""
    ends = time.monotonic() + seconds
    codes = probed(mutants)
    work = [(name, _case(name)) for name in _files(cases, "*.case")]
    work += [(name, _tests(name)) for name in _files(tests, "test_*.py")]
    found: list[Witness] = []
    silent: list[Witness] = []
    for name, run in work:
        try:
            told = forked(lambda run=run: _with_probes(functions, codes, run), ends - time.monotonic())  # type: ignore[misc]
        except Overdue:
            silent.append(Witness(name, 0, [*range(len(mutants))]))
            continue
        found += [Witness(test, spent, runs) for test, spent, passed, runs in told if passed and runs]
        silent += [Witness(test, spent, runs) for test, spent, passed, runs in told if runs and not passed]
    return found, silent


def _files(names: Sequence[str], kind: str) -> list[str]:
    """The files that are meant by names of files and folders."""
    places = [TESTS / name for name in names]
    found = [path for place in places for path in (sorted(place.rglob(kind)) if place.is_dir() else [place])]
    return [str(path.relative_to(ROOT)) for path in found]


Seen = Callable[[], list[int]]
"""What the probes noted since it was asked last."""


def _with_probes(functions: Functions, codes: list[Any], run: Callable[[Seen], Any]) -> Any:
    for code in codes:
        functions.change(code)
    with _notes() as seen:
        return run(seen)


@contextmanager
def _notes() -> Iterator[Seen]:
    """Probes write into a file that this process and its forks share."""
    with tempfile.TemporaryFile("a+b") as notes:
        handle = notes.fileno()
        noted: set[int] = set()

        def probe(number: int) -> None:
            if number not in noted:
                noted.add(number)
                os.write(handle, b"%d\n" % number)

        def seen() -> list[int]:
            noted.clear()
            os.lseek(handle, 0, os.SEEK_SET)
            numbers = sorted({int(line) for line in notes.read().split()})
            os.ftruncate(handle, 0)
            return numbers

        setattr(builtins, PROBE, probe)
        yield seen


def _spent() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _case(path: str) -> Callable[[Seen], Any]:
    def run(seen: Seen) -> Any:
        before = _spent()
        passed = case_passes(ROOT / path)
        return [(path, _spent() - before, passed, seen())]

    return run


def _tests(name: str) -> Callable[[Seen], Any]:
    def run(seen: Seen) -> Any:
        noting = _Noting(seen)
        with commands_are_forks():
            pytest.main([*OPTIONS, str(ROOT / name)], plugins=[noting])
        return noting.found

    return run


class _Noting:
    """Notes for each test what it runs, how long it takes, and whether it passes."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.found: list[tuple[str, float, bool, list[int]]] = []
        self.began = 0.0
        self.failed: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.seen()
        self.began = _spent()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.found.append((nodeid, _spent() - self.began, nodeid not in self.failed, self.seen()))
