"""What becomes of a mutant: the tests that run its statement are run, in a process that has it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from types import CodeType
from typing import Any, NamedTuple

import pytest
import yaml

from tests.mutants.changes import Mutant, code_of
from tests.mutants.forked import Overdue, bounded, case_passes, commands_are_forks, forked
from tests.mutants.live import Functions
from tests.mutants.reach import OPTIONS, ROOT, Witness, witnesses
from tests.mutants.rooms import named_tests

PACKAGE = ROOT / "src" / "plait"
EQUIVALENT: dict[str, str] = (
    yaml.safe_load((Path(__file__).parent / "equivalent.yaml").read_text(encoding="utf-8")) or {}
)
MOST = 300.0
"""Seconds by the clock for the tests of one mutant."""
SPARE = 5
"""A mutant that hangs is noticed: a test may take so many seconds of CPU time, and so many times what it takes."""
WORDS = ("killed", "survived", "equivalent", "undecided")


Row = tuple[tuple[str, ...], tuple[str, ...]]
"""Folders of cases, and test files."""


class Verdict(NamedTuple):
    """A word of WORDS, and the test that noticed it or why none did."""

    word: str
    why: str


class Judge:
    def __init__(self, mutants: Sequence[Mutant], seconds: float) -> None:
        self.ends = time.monotonic() + seconds
        self.functions = Functions()
        self.found: dict[Mutant, list[Witness]] = {}
        self.silent: dict[Mutant, list[str]] = {}
        """Tests that cannot tell: what survives beside them is not decided."""
        self.rows: dict[Row, list[Mutant]] = {}
        """The mutants that have the same tests, in the order in which they are tried."""
        for mutant in mutants:
            self.rows.setdefault(_row(mutant), []).append(mutant)

    def verdicts(self) -> Iterator[tuple[Mutant, Verdict]]:
        """What becomes of each, as far as there is time: half of what is left is for finding the tests of a row."""
        for row, own in self.rows.items():
            self._ask(row, own, (self.ends - time.monotonic()) / 2)
            for mutant in own:
                if time.monotonic() > self.ends:
                    return
                yield mutant, self.judged(mutant)

    def _ask(self, row: Row, own: list[Mutant], seconds: float) -> None:
        found, silent = witnesses(*row, own, self.functions, seconds)
        for number, mutant in enumerate(own):
            self.found[mutant] = sorted((w for w in found if number in w.runs), key=lambda witness: witness.seconds)
            self.silent[mutant] = [witness.name for witness in silent if number in witness.runs]

    def judged(self, mutant: Mutant) -> Verdict:
        code = code_of(mutant)
        if not self.functions.knows(code):
            return Verdict("undecided", "its function is not loaded")
        verdict = self._tried(code, self.found[mutant])
        if verdict.word == "killed" or mutant.name not in EQUIVALENT:
            if verdict.word == "survived" and self.silent[mutant]:
                return Verdict("undecided", f"no time, or they fail as it is: {_some(self.silent[mutant])}")
            return verdict
        return Verdict("equivalent", EQUIVALENT[mutant.name])

    def _tried(self, code: CodeType, found: list[Witness]) -> Verdict:
        if not found:
            return Verdict("survived", "no test of its room runs it")
        try:
            told = forked(lambda: _noticed(found, self.functions, code), min(MOST, self.ends - time.monotonic()))
        except Overdue:
            return Verdict("undecided", "there was no time for all of its tests")
        except RuntimeError as error:
            return Verdict("undecided", str(error).strip().splitlines()[-1])
        if told == "":
            return Verdict("survived", f"tests that run it: {len(found)}")
        return Verdict("killed", told or "it does not end, or ends the process")


def _row(mutant: Mutant) -> Row:
    cases, files = named_tests(str(Path(mutant.file).relative_to(PACKAGE)))
    return tuple(cases), tuple(files)


def _some(names: list[str]) -> str:
    return " ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _noticed(found: list[Witness], functions: Functions, code: CodeType) -> str:
    """The test that fails with the changed code, or nothing; the quick ones first."""
    functions.change(code)
    cases = [witness for witness in found if witness.name.endswith(".case")]
    for name, seconds, _ in cases:
        bounded(SPARE + SPARE * seconds + process_time())
        if not case_passes(ROOT / name):
            return name
    others = [witness for witness in found if witness not in cases]
    if not others:
        return ""
    bounded(SPARE + SPARE * sum(witness.seconds for witness in others) + process_time())
    first = _First()
    with commands_are_forks():
        status = pytest.main([*OPTIONS, "-x", *(str(ROOT / witness.name) for witness in others)], plugins=[first])
    return first.name or ("" if status == 0 else f"pytest ended with {int(status)}")


class _First:
    """Notes the first test that fails."""

    def __init__(self) -> None:
        self.name = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome == "failed" and not self.name:
            self.name = report.nodeid
