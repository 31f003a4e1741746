"""One explorer for all tests that change nothing, and pages of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import ExplorerServer, serving
from tests.web.shop import commit, write_shop
from tests.web.visit import Visit


@pytest.fixture(scope="session")
def steady_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop that no test changes: committed, and then one line of it is another one."""
    folder = write_shop(tmp_path_factory.mktemp("explorer") / "shop")
    commit(folder)
    file = folder / "stacks/catalog/service.yaml"
    file.write_text(file.read_text().replace("memory: 512", "memory: 768"))
    return folder


@pytest.fixture(scope="session")
def reading(steady_shop: Path) -> Iterator[ExplorerServer]:
    """The explorer of that shop, which compares it with its commit and may write; no test does."""
    with serving("-C", str(steady_shop), "--edit", "--base", "HEAD") as server:
        yield server


@pytest.fixture
def visit(reading: ExplorerServer, chromium: Any) -> Iterator[Visit]:
    """A page of that explorer."""
    made = Visit(chromium, reading.address)
    yield made
    made.close()


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shop of the test's own, in the working folder."""
    folder = write_shop(tmp_path / "shop")
    monkeypatch.chdir(folder)
    return folder
