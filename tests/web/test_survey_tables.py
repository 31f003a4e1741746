"""The survey in tables: what files contribute, what lines do, and values folded, each worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.core.node import plain_value
from plait.core.path import format_path
from plait.survey.survey import FoldedValue, Survey, low_first, target_shares
from plait.workspace import Workspace
from tests.web.shop import write_shop

LAYERS = {
    "plait.yaml": """
lists: {ports: "key:name"}
targets:
- {name: dev, layers: [base.yaml]}
- {name: test, layers: [base.yaml]}
- {name: prod, layers: [base.yaml, more.yaml, prod.yaml]}
""",
    "base.yaml": """host: low
size: 1
password: !sensitive one
url: !ref host
ports:
- {name: http, port: 80}
- {name: admin, port: 81}
limits: {cpu: 1, memory: 2}
gone: {deep: 1, other: 2}
whole: {x: 1}
""",
    "more.yaml": "size: 2\nlimits: {cpu: 3}\n",
    "prod.yaml": """size: 3
password: !sensitive two
ports:
- {name: http, port: 8080}
gone: !unset
whole: !replace {y: 2}
limits: {memory: 4}
""",
}


@pytest.fixture
def surveyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], Survey]:
    def write(files: dict[str, str]) -> Survey:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        return Workspace(".", cache=False).survey()

    return write


def folded(rows: list[FoldedValue]) -> list[tuple[object, list[tuple[str, str]], str]]:
    return [(None if row.value is None else plain_value(row.value), row.places, row.error) for row in rows]


def shown(survey: Survey, file: str) -> dict[int, tuple[str, list[str], list[object]]]:
    """What each line of a file decides: the most that it does, where it wins, and which lines override it."""
    return {line: (fate.kind, fate.winning_targets, list(fate.overridden)) for line, fate in survey.fates(file).items()}


def test_what_lines_of_layers_do(surveyed: Callable[[dict[str, str]], Survey]) -> None:
    survey = surveyed(LAYERS)
    two, three = ["dev", "test"], ["dev", "test", "prod"]
    assert shown(survey, "base.yaml") == {
        1: ("wins", three, []),
        2: ("wins", two, [("prod.yaml", 1)]),
        3: ("wins", two, [("prod.yaml", 2)]),
        4: ("wins", three, []),
        6: ("wins", two, [("prod.yaml", 4)]),
        7: ("wins", three, []),
        8: ("wins", two, [("more.yaml", 2), ("prod.yaml", 7)]),
        9: ("wins", two, [("prod.yaml", 5)]),
        10: ("wins", two, [("prod.yaml", 6)]),
    }
    assert shown(survey, "more.yaml") == {1: ("overridden", [], [("prod.yaml", 1)]), 2: ("wins", ["prod"], [])}
    assert [fate.kind for fate in survey.fates("base.yaml", ["prod"]).values()][1:3] == ["overridden", "overridden"]
    read = survey.fates("base.yaml")
    assert [(target, path) for target, _, path in read[1].read] == [(name, ("url",)) for name in three]
    assert [(target, format_path(path)) for target, _, path in read[6].read] == [("prod", "ports[name=http].name")]


def test_what_layers_contribute(
    surveyed: Callable[[dict[str, str]], Survey], capsys: pytest.CaptureFixture[str]
) -> None:
    survey = surveyed(LAYERS)
    rows = [(one.name, one.gives, one.wins, one.over) for one in target_shares(survey.of["prod"])]
    assert rows == [
        ("base.yaml", 13, 5, {}),
        ("more.yaml", 2, 1, {"base.yaml": 1}),
        ("prod.yaml", 6, 6, {"base.yaml": 7, "more.yaml": 1}),
    ]
    assert main(["layers", "--target", "prod", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(one["layer"], one["values"], one["in_result"]) for one in told] == [row[:3] for row in rows]
    for target in survey.targets():
        assert not survey.is_known(target)
        found = survey.uses(target)["document"]
        assert survey.is_known(target)
        assert (found.values, found.overrides) == {"prod": (11, 5)}.get(target, (13, 0))
    assert {file: (share.wins, share.lost) for file, share in survey.shares().items()} == {
        "base.yaml": (30, 8), "more.yaml": (1, 1), "prod.yaml": (6, 0),
    }  # fmt: skip


def test_one_value_in_all_targets(surveyed: Callable[[dict[str, str]], Survey]) -> None:
    survey = surveyed(LAYERS)
    two = [("dev", "base.yaml:2"), ("test", "base.yaml:2")]
    assert folded(survey.values("document", ("size",))) == [(1, two, ""), (3, [("prod", "prod.yaml:1")], "")]
    assert folded(survey.values("document", ("size",), ["prod"])) == [(3, [("prod", "prod.yaml:1")], "")]
    assert [places for _, places, _ in folded(survey.values("document", ("password",)))] == [
        [("dev", "base.yaml:3"), ("test", "base.yaml:3")],  # secrets that are not equal are not the same
        [("prod", "prod.yaml:2")],
    ]
    gone = folded(survey.values("document", ("gone", "deep")))
    assert gone == [(1, [("dev", "base.yaml:9"), ("test", "base.yaml:9")], ""), (None, [("prod", "")], "")]
    assert survey.values("nothing", ("size",)) == []


def test_all_values_are_the_values_of_each_path(surveyed: Callable[[dict[str, str]], Survey]) -> None:
    survey = surveyed({**LAYERS, "more.yaml": LAYERS["more.yaml"] + "bad: !ref nowhere\n"})
    found = survey.all_values("document", survey.targets())
    assert found
    for path, rows in found.items():
        if path[0] == "ports":  # a merged list calls its items by their keys
            continue
        single = [row for row in folded(survey.values("document", path)) if row[0] is not None]
        assert [row for row in folded(rows) if row[0] is not None] == single, path
    assert folded(found["bad",]) == [(None, [("prod", "more.yaml:3")], "`nowhere` is not defined")]
    missing = [(None, [("dev", ""), ("test", "")], ""), (None, [("prod", "")], "`nowhere` is not defined")]
    assert folded(survey.values("document", ("bad",))) == missing


def test_files_are_listed_with_the_lowest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = {
        "stacks/deploy/x.yaml": "import: [catalog/network, mixins/a]\nvars: {environment: x, stage: y}\n",
        "stacks/mixins/a.yaml": "import: [defaults, mixins/dev]\n",
    }
    monkeypatch.chdir(write_shop(tmp_path, ring))
    survey = Workspace(".", cache=False).survey()
    assert low_first(survey.of["x-y"]) == [
        f"stacks/{name}.yaml" for name in ("catalog/network", "defaults", "mixins/dev", "mixins/a", "deploy/x")
    ]
    assert survey.importers("stacks/defaults.yaml") == {
        "stacks/deploy/eu/dev.yaml": 1, "stacks/deploy/eu/prod.yaml": 2, "stacks/deploy/us/dev.yaml": 1,
        "stacks/deploy/us/prod.yaml": 2, "stacks/mixins/a.yaml": 1,
    }  # fmt: skip
    assert (survey.kind, survey.part) == ("stack", "component")
    assert survey.readers("stacks/nowhere.yaml") == []
    assert survey.mentions({"queue", "10.1.0.0", "nowhere"}) == {"eu-prod": 2, "us-prod": 1}


def test_a_target_that_cannot_be_read_says_so(surveyed: Callable[[dict[str, str]], Survey]) -> None:
    survey = surveyed({**LAYERS, "prod.yaml": "a: [\n"})
    assert survey.documents("prod") == ["document"]
    assert len(survey.uses("prod")["document"].errors) == 1
    assert survey.uses("dev")["document"].errors == []
    assert [(row.targets, bool(row.error)) for row in survey.values("document", ("size",))] == [
        (["dev", "test"], False),
        (["prod"], True),
    ]
    assert list(survey.sections("prod", "document")) == []
    assert survey.fates("prod.yaml") == {}
    assert survey.fates("base.yaml")[2].winning_targets == ["dev", "test"]


def test_texts_that_results_keep_secret(surveyed: Callable[[dict[str, str]], Survey]) -> None:
    survey = surveyed({**LAYERS, "prod.yaml": "password: plain\n", "other/base.yaml": "password: mine\n"})
    survey.values("document", ("password",))
    assert survey.secrets("base.yaml") == {"one"}
    assert survey.secrets("prod.yaml") == {"plain"}
    assert survey.secrets("other/base.yaml") == frozenset()


RESOURCES = {
    "plait.yaml": """targets:
- {name: a, kustomization: a}
- {name: b, kustomization: b}
- {name: small, chart: web, release: small}
- {name: large, chart: web, release: large, values: large.yaml}
""",
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "base/web.yaml": """apiVersion: v1
kind: Service
metadata: {name: web}
spec: {port: 80}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
""",
    "a/kustomization.yaml": "resources: [../base]\nnamespace: a\n",
    "b/kustomization.yaml": "resources: [../base]\nnamespace: b\n",
    "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "web/values.yaml": "size: 1\nunread: 2\n",
    "web/templates/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: '{{ .Release.Name }}-web'}\n"
    "spec: {size: {{ .Values.size }}}\n",
    "large.yaml": "size: 9\n",
}


def test_documents_have_labels_names_and_titles(surveyed: Callable[[dict[str, str]], Survey]) -> None:
    survey = surveyed(RESOURCES)
    assert {name: survey.documents(name) for name in survey.targets()} == {
        "a": ["ConfigMap/a/web", "Service/a/web"], "b": ["ConfigMap/b/web", "Service/b/web"],
        "small": ["Pod/small-web"], "large": ["Pod/large-web"],
    }  # fmt: skip
    assert survey.titles() == {
        "a": {"Service/a/web": "Service/web", "ConfigMap/a/web": "ConfigMap/web"},
        "b": {"Service/b/web": "Service/web", "ConfigMap/b/web": "ConfigMap/web"},
        "large": {"Pod/large-web": "Pod/small-web"},
    }
    for target, text, meant in (
        ("a", "Service/a/web", "Service/a/web"),  # by its label
        ("a", "Service/web", "Service/a/web"),  # by one of its names
        ("a", "web", None),  # two have it
        ("a", "values", None),
        ("large", "values", "values"),  # what the chart is given
    ):
        found = survey.document(target, text)
        assert (None if found is None else "/".join(filter(None, found[1:]))) == meant, text
    assert survey.called("b", "Service/a/web") == "Service/b/web"
    assert survey.called("large", "Pod/small-web") == "Pod/large-web"
    assert survey.called("large", "Service/a/web") == ""
    ports = folded(survey.values("Service/a/web", ("spec", "port")))
    assert ports == [(80, [("a", "base/web.yaml:4"), ("b", "base/web.yaml:4")], "")]
    assert [row[0] for row in folded(survey.values("Pod/small-web", ("spec", "size")))] == [1, 9]


def test_what_lines_of_a_kustomization_and_of_a_patch_do(surveyed: Callable[[dict[str, str]], Survey]) -> None:
    patch = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  port: 81\n"
    files = {"a/kustomization.yaml": "resources: [../base]\nnamespace: a\npatches:\n- path: port.yaml\n"}
    survey = surveyed({**RESOURCES, **files, "a/port.yaml": patch})
    kinds = {
        file: {line: fate.kind for line, fate in survey.fates(file).items()}
        for file in ("a/kustomization.yaml", "a/port.yaml", "web/Chart.yaml")
    }
    assert kinds == {
        "a/kustomization.yaml": {1: "steers", 2: "wins", 4: "steers"},
        "a/port.yaml": {1: "steers", 2: "steers", 4: "steers", 6: "wins"},
        "web/Chart.yaml": dict.fromkeys((1, 2, 3), "steers"),
    }


def test_values_of_charts_are_read(surveyed: Callable[[dict[str, str]], Survey]) -> None:
    survey = surveyed(RESOURCES)
    fates = survey.fates("web/values.yaml")
    assert {line: (fate.kind, [one[0] for one in fate.read], fate.losing_targets) for line, fate in fates.items()} == {
        1: ("read", ["small"], ["large"]),
        2: ("never read", [], []),
    }
    for name in ("small", "large"):
        survey.uses(name)
    shares = survey.shares()
    assert {file: (shares[file].wins, shares[file].lost) for file in ("web/values.yaml", "large.yaml")} == {
        "web/values.yaml": (3, 1),
        "large.yaml": (1, 0),
    }
