"""The survey: what lines decide over all targets, values folded, imports and heirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.core.node import plain_value
from plait.survey.survey import Survey
from plait.workspace import Workspace
from tests.web.shop import write_shop

NAMED = "import: [catalog/{base}]\nvars: {{environment: x, stage: y}}\n"
BROKEN = "components: {terraform: {network: {vars: {a: !template '{{ fail \"no size\" }}'}}}}\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Survey]:
    monkeypatch.chdir(write_shop(tmp_path))
    workspace = Workspace(".", cache=False)
    yield workspace.survey()
    workspace.close()


def test_the_map_has_every_deployed_component_and_no_abstract_one(shop: Survey) -> None:
    assert {target: shop.documents(target) for target in shop.targets()} == {
        "eu-dev": ["network", "api", "web"],
        "eu-prod": ["network", "api", "web", "queue"],
        "us-dev": ["network", "api", "web"],
        "us-prod": ["network", "api", "web", "queue"],
    }


def test_a_component_that_a_higher_file_makes_real_is_on_the_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = NAMED.format(base="queue") + "components: {terraform: {queue-legacy: {metadata: {type: real}}}}\n"
    monkeypatch.chdir(write_shop(tmp_path, {"stacks/deploy/x.yaml": real}))
    workspace = Workspace(".", cache=False)
    survey = workspace.survey()
    assert survey.documents("x-y") == ["queue", "queue-legacy"]


def test_fates_of_a_catalog(shop: Survey) -> None:
    fates = shop.fates("stacks/catalog/service.yaml")
    shown = {line: (fate.kind, len(fate.winning_targets), len(fate.losing_targets)) for line, fate in fates.items()}
    assert shown == {
        2: ("read", 0, 0),  # domain, by the template of url
        6: ("steers", 0, 4),  # metadata of a base
        8: ("wins", 3, 2),  # replicas: wins for web in us-prod, for both in the dev stacks; prod stacks override it
        9: ("wins", 4, 4),  # memory: web everywhere; api has its own
        10: ("overridden", 0, 4),  # image: both components have their own
        11: ("wins", 4, 0),
        12: ("wins", 4, 0),
        13: ("wins", 4, 1),  # debug: eu-dev's api overrides it
    }
    assert list(fates[10].overridden) == [("stacks/catalog/api.yaml", 7), ("stacks/catalog/web.yaml", 7)]


def test_a_value_that_nobody_inherits_is_never_read(shop: Survey) -> None:
    assert shop.fates("stacks/catalog/queue.yaml")[10].kind == "never read"


def test_a_value_over_all_targets_is_folded(shop: Survey) -> None:
    rows = [
        (plain_value(row.value) if row.value is not None else None, row.targets)
        for row in shop.values("api", ("vars", "replicas"))
    ]
    assert rows == [(1, ["eu-dev", "us-dev"]), (6, ["eu-prod"]), (4, ["us-prod"])]


def test_importers_and_heirs(shop: Survey) -> None:
    assert shop.importers("stacks/catalog/service.yaml") == {"stacks/catalog/api.yaml": 1, "stacks/catalog/web.yaml": 1}
    assert shop.readers("stacks/catalog/queue.yaml") == ["eu-prod", "us-prod"]


def test_the_errors_of_a_component_do_not_stop_a_survey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = NAMED.format(base="network") + BROKEN
    monkeypatch.chdir(write_shop(tmp_path, {"stacks/deploy/x.yaml": broken}))
    workspace = Workspace(".", cache=False)
    survey = workspace.survey()
    assert survey.uses("x-y")["network"].errors
    assert not survey.uses("eu-prod")["network"].errors
    rows = [(row.value, row.targets, row.error) for row in survey.values("network", ("vars", "a"))]
    assert [row[:2] for row in rows] == [(None, ["eu-dev", "eu-prod", "us-dev", "us-prod"]), (None, ["x-y"])]
    assert rows[0][2] == ""
    assert "no size" in rows[1][2]


def test_targets_of_plait_yaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("base.yaml").write_text("a: 1\nb: {c: 2}\n")
    Path("prod.yaml").write_text("a: 3\n")
    Path("plait.yaml").write_text(
        "targets:\n- {name: dev, layers: [base.yaml]}\n- {name: prod, layers: [base.yaml, prod.yaml]}\n"
    )
    survey = Workspace(".", cache=False).survey()
    assert {target: survey.documents(target) for target in survey.targets()} == {
        "dev": ["document"],
        "prod": ["document"],
    }
    fates = survey.fates("base.yaml")
    assert {line: (fate.winning_targets, fate.losing_targets) for line, fate in fates.items()} == {
        1: (["dev"], ["prod"]),
        2: (["dev", "prod"], []),
    }
    assert survey.importers("base.yaml") == {"prod.yaml": 1}
    for target in survey.targets():
        survey.uses(target)
    shares = {file: (share.wins, share.lost) for file, share in survey.shares().items()}
    assert shares == {"base.yaml": (3, 1), "prod.yaml": (1, 0)}


def test_stacks_and_targets_of_plait_yaml_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = {
        "plait.yaml": "targets:\n- {name: site, layers: [page.yaml, stacks/defaults.yaml]}\n",
        "page.yaml": "title: one\nvars: {namespace: page}\n",
    }
    monkeypatch.chdir(write_shop(tmp_path, more))
    workspace = Workspace(".", cache=False)
    survey = workspace.survey()
    assert survey.targets() == ["eu-dev", "eu-prod", "us-dev", "us-prod", "site"]
    assert survey.documents("site") == ["document"]
    assert survey.readers("stacks/defaults.yaml") == survey.targets()
    namespace = survey.fates("stacks/defaults.yaml")[2]
    assert namespace.winning_targets == survey.targets()
    assert survey.fates("page.yaml")[2].losing_targets == ["site"]
    assert not survey.uses("site")["document"].errors
    assert (survey.of["eu-dev"].kind, survey.of["site"].kind) == ("stack", "layers")


def test_a_target_with_the_name_of_a_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = {"plait.yaml": "targets:\n- {name: eu-dev, document: page.yaml}\n", "page.yaml": "title: one\n"}
    monkeypatch.chdir(write_shop(tmp_path, more))
    workspace = Workspace(".", cache=False)
    survey = workspace.survey()
    assert survey.targets() == ["stack:eu-dev", "eu-prod", "us-dev", "us-prod", "document:eu-dev"]
    assert survey.documents("stack:eu-dev") == ["network", "api", "web"]
    assert survey.documents("document:eu-dev") == ["document"]
    assert survey.fates("page.yaml")[1].winning_targets == ["document:eu-dev"]
    assert [survey.of[name].name for name in survey.targets()[-2:]] == ["us-prod", "eu-dev"]
    assert [survey.of[name].kind for name in survey.targets()[-2:]] == ["stack", "document"]


def test_lines_of_values_are_read_by_a_chart_that_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {
        "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
        "web/values.yaml": "size: 1\nport: 80\n",
        "web/values-prod.yaml": "size: 3\n",
        "web/templates/web.yaml": "kind: ConfigMap\nmetadata: {name: web}\ndata: {size: '{{ .Values.size }}'}\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    survey = Workspace(".", cache=False).survey()
    assert {line: fate.kind for line, fate in survey.fates("web/values-prod.yaml").items()} == {1: "read"}
    assert {line: fate.kind for line, fate in survey.fates("web/values.yaml").items()} == {
        1: "overridden",
        2: "never read",
    }
    assert plain_value(survey.tree("web-prod", "values").value(("size",))) == 3
