"""Targets that nobody declared, while their files are edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.editor import Buffer, write

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILES = {
    "found/chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
    "found/chart/values.yaml": "replicas: 1\n",
    "found/chart/values-prod.yaml": "replicas: 3\n",
    "found/chart/templates/web.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {n: '{{ .Values.replicas }}'}\n"
    ),
    "found/web/compose.yaml": "services:\n  db:\n    image: postgres:15\n",
    "found/web/compose.override.yaml": "services:\n  db:\n    image: postgres:16\n",
}


async def test_values_of_a_chart_and_files_of_a_compose_project_that_were_found(client: Any, folder: Path) -> None:
    write(folder, FILES)
    values = Buffer(client, folder / "found/chart/values-prod.yaml")
    assert await values.findings() == []
    own = Buffer(client, folder / "found/chart/values.yaml")
    for buffer in (values, own):
        assert (await buffer.hover("replicas")).splitlines() == [
            "**replicas** = `3`",
            "",
            "chart-prod: values",
            "",
            "- set by found/chart/values-prod.yaml:1 `3`",
            "  - overrides found/chart/values.yaml:1 `1`: later layer",
            "",
            "used in found/chart/templates/web.yaml:4",
        ]
    compose = Buffer(client, folder / "found/web/compose.yaml")
    told = await compose.hover("image")
    assert told.splitlines()[0] == "**services.db.image** = `postgres:16`"
    assert "overrides found/web/compose.yaml:3" in told
    values.replace("replicas", "replicsa")
    (found,) = await values.findings()
    assert "did you mean `replicas`?" in found.message
    for buffer in (values, own, compose):
        buffer.close()
