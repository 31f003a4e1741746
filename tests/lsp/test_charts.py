"""Charts while they are edited: templates know the values that they name, and values the templates that name them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import Buffer, shown, write

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEMPLATE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  {{- if .Values.image.tag }}
  replicas: {{ .Values.replicas }}
  {{- end }}
  image: {{ printf "%s" $.Values.image.tag | quote }}
"""
FILES = {
    "plait.yaml": "targets:\n- {name: dev, chart: helm/web}\n- {name: prod, chart: helm/web, values: env/prod.yaml}\n",
    "env/prod.yaml": "replicas: 4\n",
    "helm/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "helm/web/values.yaml": "replicas: 1\nimage: {tag: v1}\nunused: 1\n",
    "helm/web/templates/web.yaml": TEMPLATE,
}


def names(found: types.CompletionList | list[types.CompletionItem] | None) -> list[str]:
    items = found.items if isinstance(found, types.CompletionList) else found or []
    return [item.label for item in items]


async def references(buffer: Buffer, words: str, inside: int) -> set[str]:
    at = types.ReferenceParams(types.ReferenceContext(True), buffer.document, buffer.position(words, inside))
    return set(shown(await buffer.client.text_document_references_async(at)))


async def test_a_template_knows_the_values_that_it_names(client: Any, folder: Path) -> None:
    write(folder, FILES)
    template = Buffer(client, folder / "helm/web/templates/web.yaml")
    assert await template.findings() == []
    told = await template.hover(".Values.replicas", 10)
    assert "**.Values.replicas**" in told
    assert "- dev: `1` (helm/web/values.yaml:1)" in told
    assert "- prod: `4` (env/prod.yaml:1, overrides helm/web/values.yaml:1 `1`)" in told
    assert await template.definition("Values.replicas", 10) == ["values.yaml:1:11", "prod.yaml:1:11"]
    assert "- prod: `{tag: v1}`" in await template.hover("$.Values.image.tag", 9)
    template.close()


async def test_values_are_suggested_in_a_template_that_is_not_complete(client: Any, folder: Path) -> None:
    write(folder, FILES)
    template = Buffer(client, folder / "helm/web/templates/web.yaml")
    template.replace("replicas: {{ .Values.replicas }}", "replicas: {{ .Values.image. }}")
    at = types.CompletionParams(template.document, template.position(".Values.image. ", 14))
    assert names(await client.text_document_completion_async(at)) == ["tag"]
    template.replace(".Values.image. ", ".Values.re ")
    at = types.CompletionParams(template.document, template.position(".Values.re ", 10))
    assert {"replicas", "image"} <= set(names(await client.text_document_completion_async(at)))
    template.close()


async def test_an_error_of_a_template_is_at_its_line(client: Any, folder: Path) -> None:
    write(folder, FILES)
    template = Buffer(client, folder / "helm/web/templates/web.yaml")
    template.replace("{{ .Values.replicas }}", '{{ fail "no" }}')
    (found,) = await template.findings()
    assert found.range.start.line == 5
    assert "no" in found.message
    assert "invalid YAML" not in found.message
    template.close()


async def test_a_value_knows_the_templates_that_name_it(client: Any, folder: Path) -> None:
    write(folder, FILES)
    values = Buffer(client, folder / "helm/web/values.yaml")
    (found,) = await values.findings()
    assert "no template uses `unused`" in found.message
    assert "used in helm/web/templates/web.yaml:6" in await values.hover("replicas: 1", 10)
    assert {"web.yaml:6:24", "prod.yaml:1:11"} <= await references(values, "replicas: 1", 10)
    assert {"web.yaml:5:18", "web.yaml:8:34"} <= await references(values, "tag: v1", 5)
    values.close()
