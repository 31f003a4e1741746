"""Work in forked processes: what it finds comes back as a pickle, and what hangs is ended."""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tests.cases
from tests.cases import Case
from tests.cases.preloaded import Ended, Preloaded, command, folder_of_its_own
from tests.lsp import started
from tests.mutants.limits import Limit, Overdue, spent_by

MEMORY = 4 << 30


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
    """Commands and language servers of tests run in forks of this process, with its functions."""
    homes: list[tuple[Any, str, Any]] = [
        (tests.cases, "preloaded", Forks),
        (sys.modules["tests.cases.preloaded"], "preloaded", Forks),
        (started, "forking", servers_are_forks),
    ]
    before = [getattr(home, name) for home, name, _ in homes]
    for home, name, own in homes:
        setattr(home, name, own)
    try:
        yield
    finally:
        for (home, name, _), was in zip(homes, before, strict=True):
            setattr(home, name, was)


@contextlib.contextmanager
def servers_are_forks() -> Iterator[None]:
    """The process that forks for each language server is a fork of this one."""
    (given, ours), (told, ready) = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        _own_streams()
        os.dup2(given, 0)
        os.dup2(ready, 1)
        try:
            started.serve_forks(started.ADDRESS)
        finally:
            os._exit(1)
    os.close(given)
    os.close(ready)
    os.read(told, 1)
    os.close(told)
    try:
        yield
    finally:
        os.close(ours)
        os.waitpid(child, 0)


def _own_streams() -> None:
    """Python's streams are those of the process: pytest has put others there, which keep what is printed."""
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__  # type: ignore[assignment]


def _become(request: dict[str, object]) -> None:
    """Run a command and end as it ends."""
    status = 1
    _own_streams()
    try:
        command(request)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


class Forks(Preloaded):
    """Commands of cases as forks of this process, which has the mutant."""

    def __init__(self) -> None:
        self._last = Ended(0, 0.0, 0)

    def _ask(self, request: dict[str, object]) -> None:
        child = os.fork()
        if not child:
            _become(request)
        _, status, used = os.wait4(child, 0)
        self._last = Ended(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss)

    def _ended(self) -> Ended:
        return self._last
