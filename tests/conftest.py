"""Properties draw the same examples in every run of the suite, so that a red run is a change, not luck.

`PLAIT_RANDOM=1 make test` draws others: the way to look for what nobody thought of.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import browser
from tests.conformance.runner import MISSING, SHARED
from tests.examples import examples
from tests.workers import run_in_workers

settings.register_profile(
    "suite",
    max_examples=examples(30),
    derandomize=not os.environ.get("PLAIT_RANDOM"),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
"""A busy machine is not a mistake, and a folder may serve all examples of a property."""
settings.load_profile("suite")

gc.set_threshold(100_000, 20, 50)
"""Thousands of tests and all of plait are objects that stay: to look at them again and again costs minutes."""


def pytest_collection_finish() -> None:
    """What was loaded is not looked at by the collector any more."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("general")._addoption("-n", dest="workers", type=int, default=0, help="run tests in N processes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Several processes run the tests, where that is wanted and all of them could be collected."""
    options = session.config.option
    if not options.workers or options.collectonly or session.testsfailed:
        return None
    run_in_workers(session, options.workers, work_of)
    return True


ONE_WORKER = ("tests/outside/", "tests/web/", "tests/lsp/")
"""Folders whose tests share servers or a browser, which one worker starts, not each."""
APART = "tests/cases/test_cases.py::test_case["
"""Tests that share nothing but a program that is ready to run, which each worker has: a folder of them is one work."""

LONG = {
    *("outside/", "web/", "lsp/", "test_conformance.py", "test_architecture.py", "test_docs.py"),
    *("test_bad_input.py", "test_failing.py", "keeping/test_answers.py", "keeping/test_law.py"),
    *("keeping/test_documents_law.py", "review/test_comment.py", "distributed/test_executor.py"),
    *("battery/test_growth.py", "merging/test_account.py", "merging/test_laws.py"),
    *("unfurl/test_laws.py", "unfurl/test_growth.py", "yaml/test_edits_real.py", "yaml/test_writer.py"),
    *("patterns/test_runs.py", "patterns/test_histories.py", "patterns/test_threeway.py", "patterns/test_growth.py"),
    *("stacks/test_matrix.py", "model/test_model.py", "attacks/test_environment.py", "charts/test_many_targets.py"),
}
"""What takes more than three seconds and has few tests, as measured in November 2026."""


def work_of(nodeid: str) -> str:
    """What one worker runs: the tests of a file share what one of them worked out."""
    if nodeid.startswith(APART):
        return nodeid.rpartition("/")[0]
    return next((folder for folder in ONE_WORKER if nodeid.startswith(folder)), nodeid.partition("::")[0])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that no worker begins it when the others are about to end; then what has many
    tests."""
    works = [work_of(item.nodeid) for item in items]
    sizes = Counter(works)
    ranks = {work: (work.removeprefix("tests/") not in LONG, -size, work) for work, size in sizes.items()}
    items[:] = [item for _, item in sorted(zip(works, items, strict=True), key=lambda pair: ranks[pair[0]])]


@pytest.fixture(autouse=True, scope="session")
def _own_state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Journals, keys and trust of the tests do not go to the home of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.delenv("PLAIT_STATE", raising=False)
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests; each opens windows of its own."""
    with browser() as found:
        yield found


MANY = 300
"""More open files than the servers and the browser of all tests need: `select` takes no descriptor above 1,023."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Commands turn the garbage collector off for their process. This comes before a test, when what the last one
    patched is as it was."""
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """A test that leaves many files open fails: nothing in plait waits for the collector to close what it opened."""
    count = len(os.listdir("/dev/fd"))
    assert count < MANY, f"{count} files are open after {item.nodeid}"


class AtOnce:
    """Shows a failure when it happens: who waits for minutes, or sees only the first part of a log, can begin."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self.terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.terminal.ensure_newline()
            self.terminal.write_line(f"FAILED {report.nodeid} ({report.when})")
            for line in report.longreprtext.splitlines()[-12:]:
                self.terminal.write_line(f"    {line[:300]}")


def pytest_sessionstart(session: pytest.Session) -> None:
    plugins = session.config.pluginmanager
    terminal = plugins.get_plugin("terminalreporter")
    if terminal is not None:
        plugins.register(AtOnce(terminal), "at-once")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line says that conformance was not judged, where its cases are missing: a skip alone is silent."""
    if not SHARED.is_dir():
        terminalreporter.write_line(f"conformance not judged: {MISSING}")
