"""The first things that people do: open, hover, jump, type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.editor import Buffer

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_hover_tells_the_winner_and_the_losers(client: Any, folder: Path) -> None:
    prod = Buffer(client, folder / "stacks/stacks/deploy/prod.yaml")
    assert (await prod.hover("8192")).splitlines() == [
        "**vars.limits.memory** = `8192`",
        "",
        "web in ue1-prod",
        "",
        "- set by stacks/deploy/prod.yaml:24 `8192`",
        "  - overrides stacks/catalog/app.yaml:11 `4096`: the component overrides its base",
    ]
    assert await prod.findings() == []
    prod.close()


async def test_an_unsaved_text_is_what_counts(client: Any, folder: Path) -> None:
    dev = Buffer(client, folder / "stacks/stacks/deploy/dev.yaml")
    dev.replace('"{{ .locals.prefix }}-web"', '"{{ .locals.prefx }}-web"')
    (found,) = await dev.findings()
    assert (found.code, found.source) == ("PL3201", "plait")
    assert found.message.splitlines()[0] == 'undefined local "prefx" referenced in stacks/deploy/dev.yaml'
    assert (found.range.start.line, found.range.start.character, found.range.end.character) == (22, 18, 31)
    dev.replace("prefx", "prefix")
    assert await dev.findings() == []
    dev.close()


async def test_from_a_loser_to_the_line_that_decides(client: Any, folder: Path) -> None:
    dev = Buffer(client, folder / "stacks/stacks/deploy/dev.yaml")
    catalog = Buffer(client, folder / "stacks/stacks/catalog/app.yaml")
    assert await dev.definition("memory: 1024", 9) == ["dev.yaml:24:26"]
    assert await catalog.definition("enabled: true", 10) == ["app.yaml:10:18"]
    dev.close()
    catalog.close()
