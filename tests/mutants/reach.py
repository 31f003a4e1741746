"""Which tests run which mutants: before each statement that has one, a probe notes that it was run.

Probes are put into all loaded functions, in the way in which mutants are: commands that a test starts as forks are
seen, too. A test that fails without any mutant is no witness.
"""

from __future__ import annotations

import builtins
import mmap
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from tests.mutants.forked import case_passes, commands_are_forks, forked
from tests.mutants.limits import Limit, spent
from tests.mutants.live import Functions
from tests.mutants.probes import ROOT, Probes, Spot, probe_of

TESTS = ROOT / "tests"
OPTIONS = ("-q", "-o", "addopts=", "-p", "no:xdist", "-p", "no:cacheprovider")
LOOKED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
"""How pytest ends where each test was run, or there is none. A file that it cannot look at tells nothing."""


QUICK = 10
"""So many cases of a folder are asked first because they are short."""
Seen = Callable[[], bytes]
"""What the probes noted since it was asked last."""


class Witness(NamedTuple):
    """A test, the CPU seconds that it takes, whether it passes as it is, and what probes noted, packed."""

    name: str
    seconds: float
    passes: bool
    notes: bytes


class Look(NamedTuple):
    """The tests of a unit, and the number of the first statement of each function that had probes."""

    tests: list[Witness]
    functions: Mapping[str, int]

    def knows(self, spot: Spot) -> bool:
        """Whether it tells about a statement: its function is the same, or no test ran what the function was before."""
        return spot[0] in self.functions or self._left_alone(*spot[0].split()[:2])

    def _left_alone(self, file: str, name: str) -> bool:
        own = [first for other, first in self.functions.items() if other.startswith(f"{file} {name} ")]
        spans = [(first, min((one for one in self.functions.values() if one > first), default=None)) for first in own]
        noted = [zlib.decompress(test.notes) for test in self.tests] if own else []
        return bool(own) and not any(any(notes[first:end]) for notes in noted for first, end in spans)

    def notes_of(self, file: str) -> slice:
        """Where the notes about a file are, as it was when it was looked at; an empty one where none are."""
        own = [first for name, first in self.functions.items() if name.partition(" ")[0] == file]
        if not own:
            return slice(0, 0)
        return slice(min(own), min((first for first in self.functions.values() if first > max(own)), default=None))

    def running(self, spots: Sequence[Spot]) -> list[list[Witness]]:
        """For each statement the tests that run it."""
        numbers = [self.functions[name] + number if name in self.functions else None for name, number in spots]
        found: list[list[Witness]] = [[] for _ in spots]
        for test in self.tests:
            notes = zlib.decompress(test.notes)
            for at, number in enumerate(numbers):
                if number is not None and notes[number]:
                    found[at].append(test)
        return found


class Unit(NamedTuple):
    """A case or a file of tests: what is looked at in one process."""

    name: str
    work: Callable[[Seen], list[Witness]]

    @property
    def folder(self) -> str:
        """The folder of a case."""
        return self.name.rpartition("/")[0] if self.name.endswith(".case") else ""


def units(names: Sequence[str]) -> list[Unit]:
    """The cases and files of tests of some folders, in their order; some cases with few commands come first, then those
    with the most."""
    found: list[Unit] = []
    for name in names:
        if name.startswith("cases/"):
            cases = sorted(_files(name, "*.case"), key=_commands)
            found += [Unit(case, _case(case)) for case in [*cases[:QUICK], *reversed(cases[QUICK:])]]
        else:
            found += [Unit(file, work_of_tests(file)) for file in _files(name, "test_*.py")]
    return found


def _commands(case: str) -> int:
    return (ROOT / case).read_text(encoding="utf-8").count("\n$ ")


def all_units() -> list[Unit]:
    """The cases, and the files of tests without those about mutants themselves."""
    cases = [Unit(case, _case(case)) for case in _files("cases", "*.case")]
    files = [file for file in _files("", "test_*.py") if not file.endswith("/test_rooms.py")]
    return cases + [Unit(file, work_of_tests(file)) for file in files]


class Probed:
    """This process, with probes: to put them into each fork would cost more than most tests."""

    def __init__(self, probes: Probes, functions: Functions) -> None:
        self._functions = probes.functions
        self._notes = mmap.mmap(-1, max(probes.size, 1))  # which forks share
        for file, (first, end) in probes.spans.items():
            setattr(builtins, probe_of(file), memoryview(self._notes)[first:end])
        for code in probes.codes:
            functions.change(code)

    def look(self, unit: Unit, limit: Limit) -> Look | None:
        """What the tests of a unit run; None where a signal ended it."""
        self._taken()
        told = forked(lambda: unit.work(self._taken), limit)
        return None if told is None else Look(told, self._functions)

    def _taken(self) -> bytes:
        """What probes noted; they begin again."""
        noted = self._notes[:]
        self._notes[:] = bytes(len(noted))
        return zlib.compress(noted, 1)


def _files(name: str, kind: str) -> list[str]:
    """The files that are meant by the name of a file or folder."""
    place = TESTS / name
    return [str(path.relative_to(ROOT)) for path in (sorted(place.rglob(kind)) if place.is_dir() else [place])]


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
    """Notes for each test what it runs, how long it takes, and whether it passes. One that is skipped here is
    none: what only it would notice survives."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.found: list[Witness] = []
        self.began = 0.0
        self.failed: set[str] = set()
        self.skipped: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.seen()
        self.began = spent()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome == "failed":
            self.failed.add(report.nodeid)
        elif report.outcome == "skipped":
            self.skipped.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        if nodeid not in self.skipped:
            self.found.append(Witness(nodeid, spent() - self.began, nodeid not in self.failed, self.seen()))
