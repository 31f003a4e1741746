"""A real browser for tests of pages: Debian's Chromium, driven by Playwright. `make services` installs both."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

MISSING = "needs chromium and playwright: make services"
COMMANDS = ("chromium-headless-shell", "chromium")
"""The first that is there is used: the same engine without windows takes a quarter less CPU time."""


class OpenPage:
    """A page in a browser, and what went wrong in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.problems: list[str] = []
        self.fetched: list[str] = []
        page.on("console", lambda message: message.type in ("error", "warning") and self.problems.append(message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("dialog", lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: self.fetched.append(request.url))


def installed() -> bool:
    return _command() is not None and find_spec("playwright") is not None


def _command() -> str | None:
    return next(filter(None, map(shutil.which, COMMANDS)), None)


@contextmanager
def browser() -> Iterator[Any]:
    """A browser of its own; the test is skipped where there is none."""
    if not installed():
        pytest.skip(MISSING)
    from playwright import sync_api

    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=_command(), args=["--no-sandbox"])
        try:
            yield found
        finally:
            found.close()


@contextmanager
def opened(chromium: Any, file: Path) -> Iterator[OpenPage]:
    """A page from a file, in a window of its own."""
    found = OpenPage(chromium.new_page())
    found.page.goto(file.as_uri())
    yield found
    found.page.close()
