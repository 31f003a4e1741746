"""Trying a mutant: a copy of the sources that has it, and tests that run with that copy."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.mutants.near import PACKAGE, ROOT
from tests.mutants.operators import Mutant, text_of

TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 15
"""A busy machine decides nothing: so many times as much as of CPU time may pass of the clock's."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.M)


class Run(NamedTuple):
    """How tests ended: the first that failed, or empty; whether they came to an end; their seconds of CPU time."""

    failed: str
    is_complete: bool
    seconds: float


class Sources:
    """A copy of plait's sources, in which one file at a time is another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.place = folder / "src"
        shutil.copytree(PACKAGE, self.place / "plait")

    @contextlib.contextmanager
    def having(self, mutant: Mutant | None) -> Iterator[None]:
        """While this holds, the copy has the mutant."""
        if mutant is None:
            yield
            return
        file = self.place / mutant.file.relative_to(PACKAGE.parent)
        for compiled in file.parent.glob(f"__pycache__/{file.stem}.*"):
            compiled.unlink()
        file.write_text(text_of(mutant), encoding="utf-8")
        try:
            yield
        finally:
            shutil.copy2(mutant.file, file)

    def run(self, tests: list[str], seconds: float) -> Run:
        """Run tests up to the first that fails, for so many seconds of CPU time."""
        words = [sys.executable, "-m", "pytest", "-x", "-n", "0", "--no-header", "-p", "no:cacheprovider", "-rfE"]
        home = self._folder / "home"
        home.mkdir(exist_ok=True)
        own = {"PYTHONPATH": str(self.place), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(home), "PLAIT_NATIVE": "0"}
        with tempfile.TemporaryFile("w+") as out:
            child = subprocess.Popen(
                [*words, *tests], cwd=ROOT, env={**os.environ, **own}, stdout=out, stderr=out, start_new_session=True
            )
            spent, is_complete = _waited(child, seconds)
            out.seek(0)
            told = out.read()
        shutil.rmtree(home, ignore_errors=True)
        failed = FAILED.search(told)
        if failed is None and is_complete and child.returncode:
            return Run(told.strip().rpartition("\n")[2] or "pytest does not start", True, spent)
        return Run(failed[1] if failed else "", is_complete, spent)


def _waited(child: subprocess.Popen[str], seconds: float) -> tuple[float, bool]:
    """Wait for a process and what it started: its CPU time, and whether it ended by itself."""
    ends, spent = time.monotonic() + PATIENCE * seconds, 0.0
    while child.poll() is None:
        spent = max(spent, _spent(child.pid))
        if spent > seconds or time.monotonic() > ends:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return spent, False
        time.sleep(0.1)
    return spent, True


def _spent(session: int) -> float:
    """The CPU time of the processes of a session, and of those that they waited for."""
    ticks = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            told = Path("/proc", name, "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            ticks += sum(map(int, told[11:15])) if int(told[3]) == session else 0
    return ticks / TICKS
