"""Which tests run which lines: each case and each test, with the lines of plait that it reaches."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

from tests.mutants.forked import forked
from tests.reach import run_case

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
EACH = 30.0
"""Seconds for one case."""


def reached(cases: list[str], tests: list[str], file: str, seconds: float) -> tuple[dict[str, list[int]], bool]:
    """The cases and tests that run lines of a file, and which; and whether there was time to try them all."""
    ends = time.monotonic() + seconds / 2
    own = [name for name in tests if Path(file).stem in name]
    paths = [path for name in cases for path in sorted((TESTS / name).rglob("*.case"))]
    found: dict[str, list[int]] = {}
    for name in [*own, *paths, *(name for name in tests if name not in own)]:
        left = ends - time.monotonic()
        if left <= 0:
            return found, False
        if isinstance(name, Path):
            lines = forked(lambda path=name: _of_case(path, file), min(EACH, left))  # type: ignore[misc]
            found |= {str(name.relative_to(ROOT)): lines} if lines else {}
        else:
            found |= forked(lambda name=name: _of_tests([str(TESTS / name)], file), left) or {}  # type: ignore[misc]
    return found, True


def _of_case(path: Path, file: str) -> list[int]:
    recorder = Coverage(data_file=None, include=[file], config_file=False)
    recorder.start()
    run_case(path)
    recorder.stop()
    return sorted(recorder.get_data().lines(file) or ())


def _of_tests(names: list[str], file: str) -> dict[str, list[int]]:
    with tempfile.TemporaryDirectory() as folder:
        recorder = Coverage(data_file=os.path.join(folder, "data"), include=[file], config_file=False)
        noting = _Noting(recorder)
        recorder.start()
        pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *names], plugins=[noting])
        recorder.stop()
        found: dict[str, list[int]] = {}
        for line, contexts in recorder.get_data().contexts_by_lineno(file).items():
            for context in filter(None, contexts):
                found.setdefault(context, []).append(line)
        return found


class _Noting:
    """Tells the recorder which test runs."""

    def __init__(self, recorder: Coverage) -> None:
        self.recorder = recorder

    def pytest_runtest_setup(self, item: Any) -> None:
        self.recorder.switch_context(item.nodeid)
