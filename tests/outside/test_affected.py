"""`describe affected`: sound and exact against rendering everything before and after; and what it tells."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.node import plain_value
from plait.workspace import Workspace
from tests.outside.project import Repository

FILES = {
    "shared/ports.yaml": "web: 80\nadmin: 8080\nunused: 1\n",
    "shared/motd.txt": "hello\n",
    "stacks/mixins/region.yaml": "vars:\n  region: eu\n  zone: a\nsettings:\n  tier: low\n",
    "stacks/catalog/base.yaml": """\
components:
  terraform:
    base:
      metadata: {type: abstract}
      vars:
        size: 1
        tags:
          a: 1
          b: 2
      settings: {cost: low}
    vpc:
      vars:
        cidr: 10.0.0.0/8
        zones: 3
""",
    "stacks/deploy/dev.yaml": """\
import: [mixins/region, catalog/base]
vars: {stage: dev}
locals:
  prefix: "dev-{{ .vars.stage }}"
  spare: unused
components:
  terraform:
    app:
      metadata: {inherits: [base]}
      vars:
        name: "{{ .locals.prefix }}-app"
        ports: !include shared/ports.yaml .web
        net: '{{ (atmos.Component "vpc" "dev").vars.cidr }}'
        more: '{{ (atmos.Component "vpc" "prod").vars.extra | default "none" }}'
    job:
      vars:
        motd: !include.raw shared/motd.txt
        tier: '{{ .settings.tier }}'
""",
    "stacks/deploy/prod.yaml": """\
import: [catalog/base]
vars: {stage: prod}
components:
  terraform:
    web:
      metadata: {inherits: [base]}
      vars:
        size: 2
        level: '{{ if eq .vars.size 2 }}two{{ else }}other{{ end }}'
""",
}
TEXTS = [(name, number) for name, text in FILES.items() for number in range(text.count("\n"))]


def git(folder: Path, *words: str) -> None:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True, capture_output=True, env=env)


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("affected") / "repo"
    made = Repository(folder)
    (folder / ".git").rmdir()
    for name, text in FILES.items():
        made.write(name, text)
    made.write("components/terraform/vpc/main.tf", 'module "m" {\n  source = "../../modules/m"\n}\n')
    made.write("components/modules/m/main.tf", "# a module\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def rendered(folder: Path) -> dict[tuple[str, str], object]:
    """Everything that every component is, the slow way."""
    stacks = Workspace(str(folder)).stacks(str(folder))
    found: dict[tuple[str, str], object] = {}
    for component in list(stacks.repository.components()):
        if component.abstract:
            continue
        made, failures = stacks.run.evaluator.finish(component.root, component.place)
        told = sorted(d.message for failure in failures for d in failure.diagnostics)
        entries = {name: plain_value(node) for name, node in made.entries.items() if name not in ("imports", "component_info")} if not failures else {}
        found[(component.stack, component.name)] = (entries, told)
    if stacks.repository.problems():
        raise PlaitError(*stacks.repository.problems())
    return found


def edited(text: str, number: int, how: str) -> str:
    lines = text.splitlines(keepends=True)
    line = lines[number]
    if how == "delete":
        del lines[number]
    elif how == "comment":
        lines[number] = line.rstrip("\n") + " # changed\n"
    elif how == "again":
        indent = len(line) - len(line.lstrip())
        lines.insert(number, " " * indent + "extra: 7\n")
    else:
        lines[number] = line.replace("1", "9").replace("low", "high").replace("dev", "dve").replace("prod", "prd") if how == "value" else line
    return "".join(lines)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(["delete", "comment", "again", "value"])), min_size=1, max_size=3))
def test_affected_is_what_rendering_everything_finds(committed: Path, changes: list[tuple[tuple[str, int], str]]) -> None:
    before = rendered(committed)
    try:
        for (name, number), how in changes:
            file = committed / name
            text = file.read_text()
            if number < text.count("\n"):
                file.write_text(edited(text, number, how))
        try:
            after = rendered(committed)
        except PlaitError:
            with pytest.raises(PlaitError):
                Workspace(str(committed)).stacks(str(committed)).affected("HEAD")
            return
        rows = Workspace(str(committed)).stacks(str(committed)).affected("HEAD")
        expected = {key for key in {*before, *after} if before.get(key) != after.get(key)}
        assert {(row["stack"], row["component"]) for row in rows} == expected
    finally:
        git(committed, "checkout", "-q", "--", ".")


@pytest.fixture
def repository(committed: Path, tmp_path: Path) -> Repository:
    shutil.copytree(committed, tmp_path / "repo")
    made = Repository.__new__(Repository)
    made.folder = tmp_path / "repo"
    return made


def affected(repository: Repository, *words: str) -> dict[tuple[str, str], dict[str, object]]:
    rows = repository.plait("describe", "affected", "--base", "HEAD", *words).data
    assert isinstance(rows, list)
    return {(row["stack"], row["component"]): row for row in rows}


def test_nothing_changed(repository: Repository) -> None:
    assert affected(repository) == {}


def test_a_cause_is_told_with_its_place(repository: Repository) -> None:
    base = repository.folder / "stacks/catalog/base.yaml"
    base.write_text(base.read_text().replace("10.0.0.0/8", "10.9.0.0/8"))
    rows = affected(repository)
    assert set(rows) == {("dev", "vpc"), ("prod", "vpc"), ("dev", "app")}
    vpc = rows["dev", "vpc"]
    assert vpc["affected_all"] == ["stack.vars"]
    cause = {"reason": "stack.vars", "path": "vars.cidr", "before": "10.0.0.0/8", "after": "10.9.0.0/8", "file": "stacks/catalog/base.yaml", "line": 13}
    assert vpc["causes"] == [cause]
    assert rows["dev", "app"]["changed_files"] == ["stacks/catalog/base.yaml"]
    assert rows["dev", "app"]["causes"][0]["path"] == "vars.net"  # type: ignore[index]


def test_code_modules_new_and_deleted_components(repository: Repository) -> None:
    repository.write("components/modules/m/main.tf", "# another\n")
    repository.write("components/terraform/app/main.tf", "# new\n")
    prod = repository.folder / "stacks/deploy/prod.yaml"
    prod.write_text(prod.read_text().replace("    web:", "    site:"))
    rows = affected(repository)
    assert {key: row["affected_all"] for key, row in rows.items()} == {
        ("dev", "app"): ["component"],
        ("dev", "vpc"): ["component.module"],
        ("prod", "vpc"): ["component.module"],
        ("prod", "web"): ["deleted"],
        ("prod", "site"): ["added"],
    }


def test_files_that_a_component_names(repository: Repository) -> None:
    dev = repository.folder / "stacks/deploy/dev.yaml"
    dev.write_text(dev.read_text() + "      settings: {depends_on: {1: {file: shared/x.txt}, 2: {folder: docs}}}\n")
    repository.write("shared/x.txt", "1")
    git(repository.folder, "add", "-A")
    git(repository.folder, "commit", "-qm", "two")
    repository.write("shared/x.txt", "2")
    assert affected(repository)["dev", "job"]["affected_all"] == ["file"]
    repository.write("docs/a/b.md", "2")
    assert affected(repository)["dev", "job"]["affected_all"] == ["file", "folder"]


def test_formats_and_dependents(repository: Repository) -> None:
    base = repository.folder / "stacks/catalog/base.yaml"
    base.write_text(base.read_text().replace("zones: 3", "zones: 4"))
    dev = repository.folder / "stacks/deploy/dev.yaml"
    dev.write_text(dev.read_text() + "    user:\n      vars: {id: !terraform.state vpc .id // null}\n")
    rows = affected(repository, "--include-dependents")
    assert [(row["component"], row["cause"]) for row in rows["dev", "vpc"]["dependents"]] == [("user", "!terraform.state vpc .id // null")]  # type: ignore[attr-defined]
    table = repository.plait("describe", "affected", "--base", "HEAD", "-f", "table").out
    assert table.splitlines()[0].split() == ["Component", "Stack", "Affected"]
    matrix = repository.plait("describe", "affected", "--base", "HEAD", "-f", "matrix").data
    assert matrix["include"][0]["stack_slug"] == "dev-user"  # type: ignore[index,call-overload]
    dependents = repository.plait("describe", "dependents", "vpc", "-s", "dev", "-f", "json").data
    assert [row["component"] for row in dependents] == ["user"]  # type: ignore[union-attr]


def test_files_that_are_not_exported_are_compared_too(repository: Repository) -> None:
    repository.write(".gitattributes", "*.yaml export-ignore\n")
    git(repository.folder, "add", "-A")
    git(repository.folder, "commit", "-qm", "two")
    assert affected(repository) == {}
    status = subprocess.run(["git", "status", "--porcelain"], cwd=repository.folder, capture_output=True, text=True).stdout
    assert status == ""


def test_a_revision_that_is_not_there(repository: Repository) -> None:
    said = repository.plait("describe", "affected", "--base", "nope", "-f", "yaml")
    assert said.status == 1
    assert "this repository has no revision `nope`" in said.err
    assert "fetch it first" in said.err
