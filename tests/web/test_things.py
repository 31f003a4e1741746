"""Documents of several targets that are the same thing under other names: of overlays, of releases of a chart."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.fronts.counterparts import counterparts
from plait.fronts.front import DocumentId
from tests.web.serving import ExplorerServer, serving
from tests.web.test_safety import asked
from tests.web.test_targets import complete, page

FILES = {
    "plait.yaml": "targets:\n"
    "- {name: dev, kustomization: dev}\n- {name: live, kustomization: live}\n"
    "- {name: small, chart: web, values: small.yaml, release: small}\n"
    "- {name: large, chart: web, values: large.yaml, release: large}\n",
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "base/web.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {port: 80}\n",
    "dev/kustomization.yaml": "resources: [../base]\nnamespace: dev\n",
    "live/kustomization.yaml": "resources: [../base]\nnamespace: live\nnameSuffix: -eu\n",
    "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "web/values.yaml": "replicas: 1\nlimits: {}\n",
    "web/templates/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Release.Name }}-web}\n"
    "spec: {replicas: {{ .Values.replicas }}}\n",
    "small.yaml": "replicas: 2\n",
    "large.yaml": "replicas: 9\n",
}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExplorerServer:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with serving() as server:
        yield server  # type: ignore[misc]


def test_one_thing_has_one_column_and_is_compared(server: ExplorerServer) -> None:
    shown = page(server, "/")
    assert "4 targets, 2 documents 4 instances" in shown
    assert '"live":{"Service/web":"Service/live/web-eu"}' in shown
    assert '"Pod/small-web":[' in asked(server, "/cells?target=large")[1].replace(" ", "")
    differ = page(server, "/differences")
    assert "metadata.namespace Service/web dev dev live live" in differ
    assert "spec.replicas Pod/small-web 2 small 9 large" in differ
    assert "document=Service/live/web-eu&amp;path=metadata.namespace" in complete(server, "/differences")


def test_the_page_of_one_value_has_all_that_are_the_same_thing(server: ExplorerServer) -> None:
    found = page(server, "/across", document="Pod/large-web", path="spec.replicas")
    assert "of Pod/large-web in 2 targets 2 different values" in found
    everything = page(server, "/across", document="Service/dev/web")
    assert "Service/dev/web in 2 targets" in everything
    assert "2 values differ metadata.name web in dev base/web.yaml:3 web-eu in live" in everything


def test_a_search_finds_what_charts_are_given_and_a_card_leads_there(server: ExplorerServer) -> None:
    assert "values: replicas 2 in small small.yaml:1 9 in large large.yaml:1" in page(
        server, "/search", find="replicas"
    )
    card = asked(server, "/cards?target=large&document=Pod/large-web&path=spec.replicas")[1]
    assert "document=values&amp;path=replicas" in card
    assert "overrides web/values.yaml:1 1" in page(
        server, "/cards", target="large", document="Pod/large-web", path="spec.replicas"
    )
    assert "All values" in page(server, "/layers", target="large")


def test_an_empty_mapping_of_the_result_is_not_overridden(server: ExplorerServer) -> None:
    assert "2 values from 2 files" in page(server, "/layers", target="large")
    assert "web/values.yaml decides 1 value, 1 overridden" in page(server, "/layers", target="large")


def key(text: str) -> DocumentId:
    return DocumentId("", *text.split("/"))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ({"S/a/web": ""}, {"S/b/web": ""}, {"S/a/web": "S/b/web"}),
        ({"S/a/web": "", "S/b/web": ""}, {"S/b/web": ""}, {"S/b/web": "S/b/web"}),  # not the one that has its own
        ({"S/a/web": "", "S/b/web": ""}, {"S/c/web": ""}, {}),  # nobody can tell which
        ({"S/a/x": "f:1"}, {"S/a/y": "f:1"}, {"S/a/x": "S/a/y"}),
        ({"S/a/x": "f:1"}, {"P/a/y": "f:1"}, {}),
        ({"S/a/x": "f:1"}, {"S/a/y": "f:1", "S/a/z": "f:1"}, {}),  # a loop made several
        ({"S/a/x": ""}, {"S/a/y": ""}, {}),
    ],
)
def test_documents_are_paired_by_name_then_by_place(
    old: dict[str, str], new: dict[str, str], found: dict[str, str]
) -> None:
    pairs = counterparts({key(one): at for one, at in old.items()}, {key(one): at for one, at in new.items()})
    assert pairs == {key(one): key(other) for one, other in found.items()}
