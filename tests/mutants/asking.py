"""Loading plait, and asking tests: the first of them that fails in this process."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.cases.preloaded import load
from tests.mutants.forked import bounded, case_passes, commands_are_forks
from tests.mutants.probes import ROOT
from tests.mutants.reach import OPTIONS, Witness

SPARE = 5
"""A mutant that hangs is noticed: a test may take so many seconds of CPU time, and so many times what it takes."""
NOTHING_FAILED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)

PACKAGE = ROOT / "src" / "plait"


def loaded(files: Iterable[str]) -> None:
    """Load modules of plait, since only what is loaded can be changed."""
    load()
    for file in files:
        path = Path(file).relative_to(PACKAGE.parent).with_suffix("")
        with suppress(ImportError):  # it belongs to an extra that is not installed
            importlib.import_module(".".join(path.parts).removesuffix(".__init__"))


def failing(tests: list[Witness]) -> str:
    """The first of some tests that fails, or nothing; cases are the first."""
    cases = [witness for witness in tests if witness.name.endswith(".case")]
    for name, seconds, *_ in cases:
        bounded(SPARE + SPARE * seconds + process_time())
        if not _passes(name):
            return name
    others = [witness for witness in tests if witness not in cases]
    if not others:
        return ""
    bounded(SPARE + SPARE * sum(witness.seconds for witness in others) + process_time())
    first = _First({witness.name for witness in others})
    files = dict.fromkeys(str(ROOT / witness.name.partition("::")[0]) for witness in others)
    settings.register_profile("mutants", settings.default, phases=(Phase.explicit, Phase.generate))
    settings.load_profile("mutants")  # one example is enough: nobody reads a smaller one
    with commands_are_forks():
        status = pytest.main([*OPTIONS, "-x", *files], plugins=[first])
    return first.name or ("" if status in NOTHING_FAILED else f"pytest ended with {int(status)}")


def _passes(case: str) -> bool:
    try:
        return case_passes(ROOT / case)
    except Exception:
        return False  # what a command printed is no text, or a pipe broke


class _First:
    """Runs only some tests, and notes the first that fails. Names of tests may hold `::` or be no words of a command
    line: they are compared, not given to pytest."""

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self.name = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.names]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome == "failed" and not self.name:
            self.name = report.nodeid
