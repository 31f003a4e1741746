"""Properties draw the same examples in every run of the suite, so that a red run is a change, not luck.

`PLAIT_RANDOM=1 make test` draws others: the way to look for what nobody thought of.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings, strategies

from tests.browser import browser
from tests.conformance.runner import MISSING, SHARED
from tests.examples import examples

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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Work out Hypothesis's table of characters, which takes seconds in a new clone, before workers start that would
    all do it."""
    strategies.text().validate()


ONE_WORKER = ("tests/outside/", "tests/web/")
"""Folders whose tests share servers or a browser, which one worker starts, not each."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The tests of a file share what one of them worked out, so that one worker runs them all; large files first."""
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((folder for folder in ONE_WORKER if nodeid.startswith(folder)), super()._split_scope(nodeid))

    return Together(config, log)


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
    if terminal is not None and not hasattr(session.config, "workerinput"):
        plugins.register(AtOnce(terminal))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line says that conformance was not judged, where its cases are missing: a skip alone is silent."""
    if not SHARED.is_dir():
        terminalreporter.write_line(f"conformance not judged: {MISSING}")
