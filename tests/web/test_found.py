"""The explorer in a repository without plait.yaml: a chart with environments, an overlay and a Compose project."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.web.serving import serving
from tests.web.test_safety import asked
from tests.web.test_targets import page

FILES = {
    "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "chart/values.yaml": "replicas: 1\nport: 80\n",
    "chart/values-dev.yaml": "replicas: 2\n",
    "chart/values-prod.yaml": "replicas: 5\n",
    "chart/templates/web.yaml": "kind: ConfigMap\nmetadata: {name: web}\ndata:\n  n: '{{ .Values.replicas }}'\n"
    "  port: '{{ .Values.port }}'\n",
    "base/kustomization.yaml": "resources: [api.yaml]\n",
    "base/api.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec:\n  replicas: 1\n",
    "overlays/live/kustomization.yaml": "resources: [../../base]\npatches:\n- path: more.yaml\n",
    "overlays/live/more.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec:\n  replicas: 4\n",
    "shop/compose.yaml": "services:\n  db:\n    image: postgres:15\n",
    "shop/compose.override.yaml": "services:\n  db:\n    image: postgres:16\n",
}


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_targets_that_were_found_are_shown_compared_and_edited(found: Path) -> None:
    with serving("--edit") as server:
        assert "4 targets, 3 documents" in page(server, "/")
        live = page(server, "/value", target="live", document="Deployment/api", path="spec.replicas")
        assert "overlays/live/more.yaml:5 layer wins 4" in live
        text = asked(server, "/value?target=live&document=Deployment/api")[1]
        files = re.findall(r'aria-label="([^"]*[.]yaml)"', text)
        assert files == ["base/api.yaml", "overlays/live/kustomization.yaml", "overlays/live/more.yaml"]
        (marks,) = re.findall(r'data-key="spec.replicas" data-from="([^"]*)"', text)
        assert marks == "1:3 2:5 0:5"  # the line that names the patch, the patch, and the base
        assert 'data-at="2:5"' in text
        image = page(server, "/value", target="shop", document="document", path="services.db.image")
        assert "shop/compose.override.yaml:3 layer wins postgres:16" in image
        assert "chart/values-prod.yaml:1 layer wins 5" in page(
            server, "/value", target="chart-prod", document="values", path="replicas"
        )
        across = page(server, "/across", document="values", path="replicas")
        assert "replicas of values in 2 targets 2 different values" in across
        assert "values in 2 targets" in page(server, "/across", document="values")
        wish = {"target": "chart-prod", "document": "values", "path": "port", "value": "81"}
        assert "chart/values-prod.yaml:1 the only values file changes 1 value in chart-prod" in page(
            server, "/try", **wish
        )
        own = f"http://127.0.0.1:{server.port}"
        words = urlencode({**wish, "file": "chart/values-prod.yaml", "place": "port"})
        assert asked(server, "/write", "POST", words, Origin=own)[0] == 200
    assert (found / "chart/values-prod.yaml").read_text() == "replicas: 5\nport: 81\n"
