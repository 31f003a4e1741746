"""Work in forked processes: what it finds comes back as a pickle, and what hangs is ended."""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import tests.cases
from tests.cases import Case
from tests.cases.preloaded import Ended, Preloaded, become, command, folder_of_its_own, taken
from tests.lsp import started
from tests.mutants.limits import Limit, Overdue, spent_by

MEMORY = 4 << 30
MOST_OPEN = 4096
READ_FIRST = ("PLAIT_NATIVE", "PYTHONPATH")
"""Variables that count while a program is loaded: with others, it is a process that loads everything itself."""


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
    """Commands, language servers and Python programs that tests start run in forks of this process, with its
    functions."""
    with contextlib.ExitStack() as open_ones:
        homes: list[tuple[Any, str, Any]] = [
            (tests.cases, "preloaded", Forks),
            (sys.modules["tests.cases.preloaded"], "preloaded", Forks),
            (started, "forking", partial(servers_are_forks, started.ADDRESS, become)),
            (subprocess, "Popen", partial(Programs.started, Programs(open_ones))),
        ]
        for home, name, own in homes:
            open_ones.callback(setattr, home, name, getattr(home, name))
            setattr(home, name, own)
        yield


@contextlib.contextmanager
def servers_are_forks(address: str, become: started.Becoming) -> Iterator[None]:
    """The process that forks for each launcher is a fork of this one."""
    (given, ours), (told, ready) = os.pipe(), os.pipe()
    child = _fork()
    if not child:
        os.dup2(given, 0)
        os.dup2(ready, 1)
        os.closerange(3, MOST_OPEN)  # the terminal of a test ends only where nobody has it open
        try:
            started.serve_forks(address, become)
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


class Programs:
    """`python -c CODE WORDS...` of tests: a launcher, and a fork that does it."""

    def __init__(self, open_ones: contextlib.ExitStack) -> None:
        self._open = open_ones
        self._popen = subprocess.Popen
        self._address = ""

    def started(self, words: Any, *more: Any, **options: Any) -> subprocess.Popen[Any]:
        given = options.get("env") or os.environ
        starts_alike = all(given.get(name) == os.environ.get(name) for name in READ_FIRST)
        if isinstance(words, list) and words[:2] == [sys.executable, "-c"] and starts_alike:
            if not self._address:
                self._address = f"\0plait-mutants-{os.getpid()}"
                self._open.enter_context(servers_are_forks(self._address, _run))
            words = [words[0], "-ISc", started.LAUNCHER.format(address=self._address), *words[2:]]
        return self._popen(words, *more, **options)


def _run(words: list[str], folder: str, env: dict[str, str], streams: list[int]) -> None:
    """In a process of its own: become `python -c WORDS...`."""
    status = 1
    try:
        taken(words[1:], folder, env, streams)
        exec(words[0], {"__name__": "__main__"})
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _fork() -> int:
    """A fork whose streams are those of the process, without what this one has still to print: pytest has put others
    there, which keep what is printed."""
    streams = (sys.__stdin__, sys.__stdout__, sys.__stderr__)
    for stream in streams[1:]:
        stream.flush()  # type: ignore[union-attr]
    child = os.fork()
    if not child:
        sys.stdin, sys.stdout, sys.stderr = streams  # type: ignore[assignment]
    return child


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


class Forks(Preloaded):
    """Commands of cases as forks of this process, which has the mutant."""

    def __init__(self) -> None:
        self._last = Ended(0, 0.0, 0)

    def _ask(self, request: dict[str, object]) -> None:
        child = _fork()
        if not child:
            _become(request)
        _, status, used = os.wait4(child, 0)
        self._last = Ended(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss)

    def _ended(self) -> Ended:
        return self._last
