"""A rendered resource beside its templates and values, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import serving
from tests.web.visit import Visit

FILES = {
    "plait.yaml": "targets:\n- {name: prod, chart: web, values: prod.yaml}\n",
    "prod.yaml": "replicas: 4\n",
    "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "web/values.yaml": "replicas: 1\npassword: !sensitive hunter2\nimage: {name: shop, tag: v1}\n",
    "web/templates/_helpers.tpl": '{{ define "image" }}{{ .Values.image.name }}:{{ .Values.image.tag }}{{ end }}\n',
    "web/templates/web.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n"
    '  replicas: {{ .Values.replicas }}\n  image: {{ include "image" . }}\n  password: {{ .Values.password }}\n',
}


def test_pointing_at_a_line_lights_up_where_it_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Any
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with serving() as server:
        visit = Visit(chromium, server.address)
        visit.ask(**{"": "/value", "target": "prod", "document": "Pod/web"})
        names = [one.split(":")[0] for one in visit.page.locator(".sources h2").all_inner_texts()]
        assert set(names) == {"web/templates/web.yaml", "web/templates/_helpers.tpl", "web/values.yaml", "prod.yaml"}
        visit.row("spec.replicas").locator("summary").hover()
        visit.see(".sources .lit code", ["replicas: {{ .Values.replicas }}", "replicas: 4", "replicas: 1"])
        visit.row("spec.image").locator("summary").focus()
        visit.see(
            ".sources .lit code",
            [
                'image: {{ include "image" . }}',
                "image: {name: shop, tag: v1}",
                '{{ define "image" }}{{ .Values.image.name }}:{{ .Values.image.tag }}{{ end }}',
            ],
        )
        visit.page.locator(".sources .row", has_text="replicas: 4").hover()
        visit.expect(visit.page.locator(".line.lit")).to_have_attribute("data-key", "spec.replicas")
        assert "hunter2" not in visit.page.content()
        visit.close()
