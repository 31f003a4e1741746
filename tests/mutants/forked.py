"""Work in forked processes: what it finds comes back as a pickle, and what hangs is ended."""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tests.cases
from tests.cases import Case
from tests.cases.preloaded import command
from tests.mutants.limits import Limit, Overdue, spent_by

MEMORY = 4 << 30


@contextlib.contextmanager
def folder_of_its_own() -> Iterator[str]:
    """A folder that only the process that made it removes: forks end with what is left to clean up, too."""
    name = tempfile.mkdtemp()
    try:
        yield name
    finally:
        shutil.rmtree(name, ignore_errors=True)


def forked(work: Callable[[], Any], limit: Limit) -> Any:
    """What a function gives in a process of its own; None where a signal ended it, as one for too much CPU time."""
    if limit.is_over:
        raise Overdue
    with folder_of_its_own() as folder:
        answer = Path(folder, "answer")
        child = os.fork()
        with contextlib.suppress(OSError):  # both do it: either may be first, and the child may have ended
            os.setpgid(child, child)
        if not child:
            silent = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(silent, stream)
            try:
                told = {"gives": work()}
            except BaseException:
                told = {"fails": traceback.format_exc()}
            answer.write_bytes(pickle.dumps(told))
            os._exit(0)
        _wait(child, limit)
        told = pickle.loads(answer.read_bytes()) if answer.exists() else {"gives": None}
        if "fails" in told:
            raise RuntimeError(told["fails"])
        return told["gives"]


def _wait(child: int, limit: Limit) -> None:
    ends = time.monotonic() + limit.clock
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > ends or spent_by(child) > limit.cpu:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise Overdue
        time.sleep(0.02)


def bounded(seconds: float) -> None:
    """This process and each that it starts may take so much CPU time, and no more than MEMORY bytes."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def case_passes(path: Path) -> bool:
    """Whether a case prints what it says, with the functions of this process."""
    case = Case(path)
    with folder_of_its_own() as name, commands_are_forks():
        folder = Path(name, "project")
        folder.mkdir()
        outputs = case.run(folder)
    return all(
        output.rstrip("\n") == "".join(step.expected).rstrip("\n")
        for step, output in zip(case.steps, outputs, strict=True)
    )


@contextlib.contextmanager
def commands_are_forks() -> Iterator[None]:
    """Commands of tests run in forks of this process, with its functions."""
    homes = (tests.cases, sys.modules["tests.cases.preloaded"])
    before = [home.preloaded for home in homes]
    for home in homes:
        home.preloaded = Forks  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for home, was in zip(homes, before, strict=True):
            home.preloaded = was  # type: ignore[attr-defined]


def _become(request: dict[str, object]) -> None:
    """Run a command and end as it ends."""
    status = 1
    try:
        command(request)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


class Forks:
    """Commands of cases as forks of this process, which has the mutant."""

    def run(
        self, argv: list[str], folder: Path, env: dict[str, str], fed: bytes, scene: str = ""
    ) -> tuple[int, bytes, bytes]:
        with folder_of_its_own() as place:
            names = [os.path.join(place, name) for name in ("in", "out", "err")]
            Path(names[0]).write_bytes(fed)
            child = os.fork()
            if not child:
                _become({"argv": argv, "folder": str(folder), "env": env, "streams": names, "scene": scene})
            _, status = os.waitpid(child, 0)
            return os.waitstatus_to_exitcode(status), Path(names[1]).read_bytes(), Path(names[2]).read_bytes()
