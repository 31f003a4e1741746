"""Tests in several processes: one process loads and collects everything once, and then forks the others.

Processes that start anew would each load pytest, its plugins and all files of tests again, which takes ten seconds on
a slow machine. And only what did not pass is told in full: to make texts of all reports took 5 ms a test.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, NoReturn

import pytest

Work = list[int]
"""The numbers of tests that one worker runs, one after the other."""
NO_MORE: Work = []
PHASES = ("setup", "call", "teardown")


def run_in_workers(session: pytest.Session, count: int, work_of: Callable[[str], str]) -> None:
    """Run the tests that were collected; `work_of` tells by the name of a test with which ones it stays together."""
    works: dict[str, Work] = {}
    for number, item in enumerate(session.items):
        works.setdefault(work_of(item.nodeid), []).append(number)
    Workers(session, deque(works.values())).run(count)


class Told(NamedTuple):
    """What a worker tells about a test."""

    reports: list[Any]
    """When each part of it began and ended; or, if not all of them passed in silence, the reports as data."""
    warnings: list[dict[str, Any]]

    def reports_of(self, item: pytest.Item) -> list[pytest.TestReport]:
        if isinstance(self.reports[0], dict):
            read = item.config.hook.pytest_report_from_serializable
            return [read(config=item.config, data=one) for one in self.reports]
        return [
            pytest.TestReport(item.nodeid, item.location, {}, "passed", None, when, (), stop - start, start, stop)
            for when, (start, stop) in zip(PHASES, self.reports, strict=True)
        ]


# In the process that forks


class Worker:
    """A process that runs tests, seen from the one that forked it."""

    def __init__(self, session: pytest.Session, number: int, others: list[Worker]) -> None:
        self.line, theirs = Pipe()
        self.process = os.fork()
        if not self.process:
            for one in (*others, self):
                one.line.close()
            _work_on(session, number, theirs)
        theirs.close()
        self.left: Work = []
        """The tests that it has not told about."""
        self._is_ending = False

    def feed(self, works: deque[Work]) -> None:
        """Give it more before it begins its last test: it must know which one comes next. One that has died since it
        was heard gets nothing that it could take."""
        while len(self.left) <= 1 and not self._is_ending:
            more = works.popleft() if works else NO_MORE
            self._is_ending = not more
            self.left += more
            with suppress(BrokenPipeError):
                self.line.send(more)

    def told(self) -> Told | None:
        """What it tells about the first test that is left; None if it has ended."""
        try:
            told: Told = self.line.recv()
        except (EOFError, ConnectionResetError):  # the latter where it has not read all that it was given
            return None
        return told


class Workers:
    """All of them, and the work that none of them has yet."""

    def __init__(self, session: pytest.Session, works: deque[Work]) -> None:
        self._session = session
        self._works = works
        self._workers: list[Worker] = []
        self._started = 0

    def run(self, count: int) -> None:
        """Let so many processes do the work."""
        _folders(self._session).getbasetemp()  # which they share
        while self._works and self._started < count:  # one may take all that there is
            self._start()
        try:
            while self._workers:
                heard = wait([one.line for one in self._workers])
                for worker in [one for one in self._workers if one.line in heard]:
                    self._hear(worker)
        finally:
            for worker in self._workers:
                os.kill(worker.process, 9)
                os.waitpid(worker.process, 0)

    def _start(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        self._started += 1
        self._workers.append(Worker(self._session, self._started, self._workers))
        self._workers[-1].feed(self._works)

    def _hear(self, worker: Worker) -> None:
        told = worker.told()
        if told is None:
            self._ended(worker)
            return
        item = self._session.items[worker.left.pop(0)]
        for warning in told.warnings:
            item.config.hook.pytest_warning_recorded.call_historic(kwargs=warning)
        _show(item, told.reports_of(item))
        worker.feed(self._works)
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)

    def _ended(self, worker: Worker) -> None:
        """A worker that dies has a test that failed; another one runs what is left."""
        self._workers.remove(worker)
        worker.line.close()
        status = os.waitstatus_to_exitcode(os.waitpid(worker.process, 0)[1])
        if worker.left:
            item = self._session.items[worker.left.pop(0)]
            why = f"the process that ran this test ended with status {status}"
            _show(item, [pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call")])
            if worker.left:
                self._works.appendleft(worker.left)
            if self._works:
                self._start()
        elif status:
            raise RuntimeError(f"a process that had run all its tests ended with status {status}")


def _show(item: pytest.Item, reports: list[pytest.TestReport]) -> None:
    hook = item.config.hook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for one in reports:
        hook.pytest_runtest_logreport(report=one)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


# In a process of its own


class Listener:
    """Hears what pytest says of the test that runs."""

    def __init__(self) -> None:
        self._reports: list[pytest.TestReport] = []
        self.warnings: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._reports.append(report)

    def pytest_warning_recorded(self, warning_message: Any, when: str, nodeid: str, location: Any) -> None:
        words = {"when": when, "nodeid": nodeid, "location": location}
        self.warnings.append({"warning_message": warning_message, **words})

    def told(self, config: pytest.Config) -> Told:
        made, warnings = self._reports, self.warnings
        self._reports, self.warnings = [], []
        if len(made) == len(PHASES) and all(one.passed and not one.sections for one in made):
            return Told([(one.start, one.stop) for one in made], warnings)
        write = config.hook.pytest_report_to_serializable
        return Told([write(config=config, report=one) for one in made], warnings)


def _work_on(session: pytest.Session, number: int, line: Connection[Any, Any]) -> NoReturn:
    try:
        plugins = session.config.pluginmanager
        capture = plugins.get_plugin("capturemanager")
        capture.stop_global_capturing()  # whose files it shares with the others
        capture.start_global_capturing()
        capture.suspend_global_capture()
        for name in ("terminalreporter", "at-once"):
            plugins.unregister(name=name)
        folders = _folders(session)
        folders._basetemp = folders.getbasetemp() / f"worker{number}"
        folders._basetemp.mkdir(mode=0o700)
        listener = Listener()
        plugins.register(listener)
        listener.warnings.clear()  # a plugin that is new hears what was said before
        _run(session, listener, line)
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)
    os._exit(0)


def _run(session: pytest.Session, listener: Listener, line: Connection[Any, Any]) -> None:
    """Run tests until there are no more. A test ends what the next one does not need: so that one is asked for
    first."""
    numbers: Iterator[int | None] = (number for work in iter(line.recv, NO_MORE) for number in work)
    number = next(numbers)
    while number is not None:
        following = next(numbers, None)
        item = session.items[number]
        after = None if following is None else session.items[following]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        line.send(listener.told(session.config))
        number = following


def _folders(session: pytest.Session) -> Any:
    """What makes the folders of tests."""
    return session.config._tmp_path_factory  # type: ignore[attr-defined]
