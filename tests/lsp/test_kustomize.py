"""Kustomizations while they are edited: the build, not the file alone, answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.editor import Buffer, write

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILES = {
    "built/base/kustomization.yaml": "resources: [web.yaml]\n",
    "built/base/web.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n",
    "built/prod/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 3}]\n",
}


async def test_a_resource_tells_what_the_overlay_makes_of_it(client: Any, folder: Path) -> None:
    write(folder, FILES)
    overlay = Buffer(client, folder / "built/prod/kustomization.yaml")
    assert await overlay.findings() == []
    web = Buffer(client, folder / "built/base/web.yaml")
    assert await web.findings() == []
    told = await web.hover("replicas: 1")
    assert "`3`" in told.splitlines()[0]
    assert "built/prod/kustomization.yaml:2" in told
    overlay.replace("name: web,", "name: wbe,")
    (found,) = await overlay.findings()
    assert "did you mean `web`?" in found.message
    overlay.close()
    web.close()


async def test_a_line_of_a_kustomization_tells_which_fields_it_decides(client: Any, folder: Path) -> None:
    patch = "patches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /spec/paused, value: true}\n"
    more = {"built/prod/kustomization.yaml": f"{FILES['built/prod/kustomization.yaml']}namePrefix: p-\n{patch}"}
    write(folder, {**FILES, **more})
    overlay = Buffer(client, folder / "built/prod/kustomization.yaml")
    assert await overlay.findings() == []
    assert (await overlay.hover("count: 3")).startswith("**spec.replicas** = `3`")
    assert (await overlay.hover("p-")).startswith("**metadata.name** = `p-web`")
    assert (await overlay.hover("value: true")).startswith("**spec.paused** = `true`")
    assert await overlay.hover("kind: Deployment") == ""
    overlay.close()
