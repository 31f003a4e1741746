"""A language server in a process of its own, and a client that talks to it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp", reason="tests of the language server need pytest-lsp")

from pytest_lsp import LanguageClient  # noqa: E402

from tests.lsp.editor import start  # noqa: E402
from tests.lsp.started import SERVER, forking  # noqa: E402

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module", autouse=True)
def _no_other_loop() -> Iterator[None]:
    """A browser that other tests opened keeps its loop set as the running one, between its own calls, too."""
    other = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(other)


@pytest.fixture(scope="session", autouse=True)
def _forking() -> Iterator[None]:
    with forking():
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example repositories."""
    made = tmp_path_factory.mktemp("lsp") / "examples"
    shutil.copytree(EXAMPLES, made)
    return made


@pytest_lsp.fixture(
    scope="module",
    config=pytest_lsp.ClientServerConfig(server_command=SERVER),
)
async def client(lsp_client: LanguageClient, folder: Path) -> AsyncIterator[None]:
    await start(lsp_client, [folder])
    yield
    await lsp_client.shutdown_session()
