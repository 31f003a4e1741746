"""Values of targets of plait.yaml: where they could be written, what that would change, and the write."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.path import format_path
from plait.edits.value import ResultEdit
from plait.fronts.typed import typed_path
from plait.fronts.typed_values import typed_value
from plait.workspace import Workspace

PROJECT = """targets:
- {name: dev, layers: [base.yaml, dev.yaml]}
- {name: prod, layers: [base.yaml, prod.yaml]}
- {name: cf, template: manifest.yml, stubs: [stub.yml]}
- {name: page, document: page.yaml}
- {name: made, files: "k8s/*.yaml"}
"""
FILES = {
    "plait.yaml": PROJECT,
    "base.yaml": "server:\n  port: 80  # of all\n  host: a\nurl: !ref server.host\n",
    "dev.yaml": "debug: true\n",
    "prod.yaml": "server: {port: 443}\n",
    "manifest.yml": "name: web\nmeta: {zone: z1}\nsize: (( merge || 1 ))\njobs: [(( meta.zone ))]\n",
    "stub.yml": "size: 3\n",
    "page.yaml": "title: one\nbody: {size: 1}\n",
    "k8s/all.yaml": "kind: A\nmetadata: {name: one}\nn: 1\n---\nkind: B\nmetadata: {name: two}\nn: 2\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def edit(target: str, path: str, value: str, document: str = "document") -> ResultEdit:
    workspace = Workspace(".", cache=False)
    found = workspace.targets().find(target)
    named = found.named("" if document == "document" else document)
    return ResultEdit(found, named, typed_path(path), typed_value(value, False, path))


def told(found: ResultEdit) -> list[tuple[str, str, str]]:
    """Each place, what it is, and what a write there would do."""
    rows = []
    for trial in found.trials():
        changes = ", ".join(f"{change.target} {format_path(change.path)}" for change in trial.changes)
        rows.append((trial.site.where, trial.site.about, trial.obstacle or changes))
    return rows


def test_layers_narrowest_first(project: Path) -> None:
    assert told(edit("prod", "server.host", "b")) == [
        ("prod.yaml:1", "layer 2 of 2", "prod server.host, prod url"),
        ("base.yaml:3", "layer 1 of 2", "dev server.host, dev url, prod server.host, prod url"),
    ]
    assert told(edit("prod", "server.port", "444")) == [
        ("prod.yaml:1", "layer 2 of 2", "prod server.port"),
        ("base.yaml:2", "layer 1 of 2", "does not set it: overridden by prod.yaml:1"),
    ]


def test_an_expression_is_not_overwritten(project: Path) -> None:
    assert told(edit("dev", "url", "b")) == [
        ("dev.yaml:1", "layer 2 of 2", "dev url"),
        ("base.yaml:4", "layer 1 of 2", "cannot be written: `url` is computed by `!ref server.host`"),
    ]


def test_a_template_and_its_stubs(project: Path) -> None:
    assert told(edit("cf", "size", "5")) == [
        ("stub.yml:1", "stub 1", "cf size"),
        ("manifest.yml:3", "the template", "cannot be written: `size` is computed by `(( merge || 1 ))`"),
    ]
    assert told(edit("cf", "meta.zone", "z2")) == [
        ("stub.yml:1", "stub 1", "cf meta.zone, cf jobs[0]"),
        ("manifest.yml:2", "the template", "cf meta.zone, cf jobs[0]"),
    ]


def test_a_document_and_files_with_several(project: Path) -> None:
    assert told(edit("page", "body.size", "2")) == [("page.yaml:2", "the file itself", "page body.size")]
    assert told(edit("made", "n", "7", "B/two")) == [("k8s/all.yaml:7", "the file itself", "made n")]


def test_a_write_changes_the_value_and_no_other_byte(project: Path) -> None:
    found = edit("dev", "server.port", "8080")
    wide = next(trial for trial in found.trials() if trial.site.file == "base.yaml")
    found.commit(wide)
    assert (project / "base.yaml").read_text() == FILES["base.yaml"].replace("80 ", "8080 ")
    other = edit("made", "n", "7", "B/two")
    other.commit(other.trials()[0])
    assert (project / "k8s/all.yaml").read_text() == FILES["k8s/all.yaml"].replace("n: 2", "n: 7")


def test_a_write_is_refused_where_more_would_change_than_was_shown(project: Path) -> None:
    found = edit("dev", "server.host", "b")
    trial = next(trial for trial in found.trials() if trial.site.file == "base.yaml")
    (project / "prod.yaml").write_text("server: {port: 443, host: own}\n")
    with pytest.raises(PlaitError, match=r"base\.yaml"):
        found.commit(trial)
    assert (project / "base.yaml").read_text() == FILES["base.yaml"]


TOPICS = {
    "plait.yaml": """targets:
- {name: dev, pattern: topic, inputs: {name: jobs, env: dev, partitions: 6}}
- {name: prod, pattern: topic, inputs: {name: jobs, env: prod}}
- {name: more, pattern: topic, inputs: {name: mail, env: prod}}
""",
    "patterns/topic/pattern.yaml": """name: topic
version: 1.0.0
description: A topic
inputs:
  name: {required: true}
  env: {required: true, enum: [dev, prod]}
  partitions: {type: integer, default: 3}
  replicas: {type: integer, default: {dev: 1, prod: 2}}
""",
    "patterns/topic/resources/topic.yaml": """apiVersion: v1
kind: Topic
metadata: {name: "{{ .name }}"}
spec: {partitions: !ref inputs.partitions, replicas: !ref inputs.replicas, retention: 7d, cleanup: delete}
""",
    "patterns/topic/resources/rule.yaml": """apiVersion: v1
kind: Rule
metadata: {name: "{{ .name }}-rule"}
{{ if eq .env "prod" }}
spec: {severity: high}
{{ end }}
""",
    "patterns/topic/environments/prod.yaml": "kind: Topic\nspec:\n  retention: 30d\n",
}


@pytest.fixture
def topics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in TOPICS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_what_a_pattern_makes_is_changed_by_its_inputs(topics: Path) -> None:
    assert told(edit("dev", "spec.partitions", "9", "Topic/jobs")) == [
        ("plait.yaml:2", "input `partitions` of the target", "dev spec.partitions"),
        (
            "patterns/topic/resources/topic.yaml:4",
            "the pattern's template",
            "cannot be written: `spec.partitions` is computed by `!ref inputs.partitions`",
        ),
    ]
    assert told(edit("prod", "spec.partitions", "9", "Topic/jobs"))[:3] == [
        ("plait.yaml:3", "input `partitions` of the target", "prod spec.partitions"),
        (
            "patterns/topic/pattern.yaml:7",
            "default of input `partitions`",
            "prod spec.partitions, more spec.partitions",
        ),
        (
            "patterns/topic/environments/prod.yaml:3",
            "the pattern's layer of `prod`",
            "prod spec.partitions, more spec.partitions",
        ),
    ]


def test_a_default_of_one_environment_and_a_layer(topics: Path) -> None:
    rows = told(edit("prod", "spec.replicas", "5", "Topic/jobs"))
    default = ("patterns/topic/pattern.yaml:8", "default of input `replicas`", "prod spec.replicas, more spec.replicas")
    assert default in rows
    cleanup = told(edit("prod", "spec.cleanup", "keep", "Topic/jobs"))
    everywhere = "dev spec.cleanup, prod spec.cleanup, more spec.cleanup"
    assert ("patterns/topic/resources/topic.yaml:4", "the pattern's template", everywhere) in cleanup
    layer = told(edit("prod", "spec.retention", "9d", "Topic/jobs"))
    assert layer == [
        (
            "patterns/topic/environments/prod.yaml:3",
            "the pattern's layer of `prod`",
            "prod spec.retention, more spec.retention",
        ),
        (
            "patterns/topic/resources/topic.yaml:4",
            "the pattern's template",
            "does not set it: overridden by patterns/topic/environments/prod.yaml:3",
        ),
    ]


def test_a_template_that_is_not_yaml_is_edited_by_hand(topics: Path) -> None:
    found = edit("prod", "spec.severity", "low", "Rule/jobs-rule")
    assert (found.sites, found.decider) == ([], ("patterns/topic/resources/rule.yaml", 5))


def test_an_input_of_a_pattern_is_written(topics: Path) -> None:
    found = edit("dev", "spec.partitions", "9", "Topic/jobs")
    found.commit(found.trials()[0])
    assert (topics / "plait.yaml").read_text() == TOPICS["plait.yaml"].replace("partitions: 6", "partitions: 9")
