"""A language server in a process of its own, and a client that talks to it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra plait[lsp]")
pytest_lsp = pytest.importorskip("pytest_lsp", reason="tests of the language server need pytest-lsp")

from pytest_lsp import LanguageClient  # noqa: E402

from tests.lsp.editor import start  # noqa: E402

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example repositories."""
    made = tmp_path_factory.mktemp("lsp") / "examples"
    shutil.copytree(EXAMPLES, made)
    return made


@pytest_lsp.fixture(
    scope="module",
    config=pytest_lsp.ClientServerConfig(server_command=[sys.executable, "-m", "plait", "lsp", "--no-cache"]),
)
async def client(lsp_client: LanguageClient, folder: Path) -> AsyncIterator[None]:
    await start(lsp_client, [folder])
    yield
    await lsp_client.shutdown_session()
