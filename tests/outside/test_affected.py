"""`describe affected`: what it tells. That it is sound and exact is a law of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.fronts.project import Project
from plait.fronts.stacks.answers.changes import BRANCHES, COMMITS, default_base
from plait.workspace import Workspace
from tests.outside.project import Repository, git

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
    cause = {
        "reason": "stack.vars",
        "path": "vars.cidr",
        "before": "10.0.0.0/8",
        "after": "10.9.0.0/8",
        "file": "stacks/catalog/base.yaml",
        "line": 13,
    }
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
    assert [(row["component"], row["cause"]) for row in rows["dev", "vpc"]["dependents"]] == [
        ("user", "!terraform.state vpc .id // null")
    ]  # type: ignore[attr-defined]
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
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=repository.folder, capture_output=True, text=True
    ).stdout
    assert status == ""


def test_a_revision_that_is_not_there(repository: Repository) -> None:
    said = repository.plait("describe", "affected", "--base", "nope", "-f", "yaml")
    assert said.status == 1
    assert "this repository has no revision `nope`" in said.err
    assert "fetch it first" in said.err


def test_what_git_ignores_is_the_same_before_and_after(repository: Repository) -> None:
    """A state beside the code that is not tracked; one that is tracked is compared."""
    repository.write(".gitignore", "*.tfstate.d/\n")
    dev = repository.folder / "stacks/deploy/dev.yaml"
    dev.write_text(dev.read_text() + '    user:\n      vars: {id: !terraform.state vpc .id // "none"}\n')
    repository.provision("vpc", "dev", {"id": "vpc-1"})
    git(repository.folder, "add", "-A")
    git(repository.folder, "commit", "-qm", "two")
    assert affected(repository) == {}
    repository.provision("vpc", "dev", {"id": "vpc-2"})
    assert affected(repository) == {}
    git(repository.folder, "add", "-Af")
    git(repository.folder, "commit", "-qm", "three")
    repository.provision("vpc", "dev", {"id": "vpc-3"})
    rows = affected(repository)
    assert rows["dev", "user"]["causes"] == [
        {
            "reason": "stack.vars",
            "path": "vars.id",
            "before": "vpc-2",
            "after": "vpc-3",
            "file": "stacks/deploy/dev.yaml",
            "line": 20,
        }
    ]
    assert rows["dev", "user"]["changed_files"] == [
        "components/terraform/vpc/terraform.tfstate.d/dev/terraform.tfstate"
    ]


def test_a_state_beside_the_code_lies_in_the_project(repository: Repository) -> None:
    dev = repository.folder / "stacks/deploy/dev.yaml"
    dev.write_text(
        dev.read_text() + "    user:\n      vars: {id: !terraform.state vpc .id}\nterraform: {backend_type: local, "
        "backend: {local: {workspace_dir: /etc}}}\n"
    )
    said = repository.plait("describe", "component", "user", "-s", "dev")
    assert "`/etc/dev/terraform.tfstate` is outside the project" in said.err


def change_vpc(repository: Repository) -> None:
    base = repository.folder / "stacks/catalog/base.yaml"
    base.write_text(base.read_text().replace("zones: 3", "zones: 4"))


def test_rows_of_one_stack_with_settings_and_without_locked_components(repository: Repository) -> None:
    change_vpc(repository)
    assert set(affected(repository, "-s", "prod")) == {("prod", "vpc")}
    assert affected(repository, "--include-settings")["dev", "vpc"]["settings"] == {"tier": "low"}
    prod = repository.folder / "stacks/deploy/prod.yaml"
    prod.write_text(prod.read_text() + "    vpc: {metadata: {locked: true}}\n")
    assert ("prod", "vpc") not in affected(repository, "--exclude-locked")
    assert ("prod", "vpc") in affected(repository)


def test_dependents_of_dependents(repository: Repository) -> None:
    prod = repository.folder / "stacks/deploy/prod.yaml"
    needs = "{{dependencies: {{components: [{{component: {0}}}]}}}}"
    lines = [f"    {name}: {needs.format(other)}\n" for name, other in (("one", "vpc"), ("two", "one"), ("vpc", "two"))]
    prod.write_text(prod.read_text() + "".join(lines))
    git(repository.folder, "commit", "-qam", "two")
    change_vpc(repository)
    row = affected(repository, "--include-dependents", "-s", "prod")["prod", "vpc"]
    (one,) = row["dependents"]  # type: ignore[misc]
    (two,) = one["dependents"]  # type: ignore[index]
    assert (one["component"], two["component"], two["dependents"]) == ("one", "two", [])  # type: ignore[index]


def test_only_the_sections_that_the_configuration_names_count(repository: Repository) -> None:
    config = repository.folder / "atmos.yaml"
    config.write_text(config.read_text() + "describe: {affected: {sections: [settings]}}\n")
    git(repository.folder, "commit", "-qam", "two")
    change_vpc(repository)
    assert affected(repository) == {}
    base = repository.folder / "stacks/catalog/base.yaml"
    base.write_text(base.read_text().replace("cost: low", "cost: high"))
    assert {key for key, row in affected(repository).items() if row["affected"] == "stack.settings"} == {
        ("dev", "app"),
        ("prod", "web"),
    }


def test_a_clone_to_compare_with(repository: Repository, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(repository.folder, clone)
    change_vpc(repository)
    git(repository.folder, "commit", "-qam", "two")
    rows = repository.plait("describe", "affected", "--repo-path", str(clone)).data
    assert [(row["stack"], row["component"]) for row in rows] == [("dev", "vpc"), ("prod", "vpc")]  # type: ignore[union-attr]


def test_new_files_that_no_manifest_reads_are_not_compared(repository: Repository) -> None:
    repository.write("README.md", "welcome\n")
    repository.write("docs/values.yaml", "a: 1\n")
    said = repository.plait("describe", "affected", "--base", "HEAD", "--verbose")
    assert said.data == []
    repository.write("stacks/deploy/new.yaml", "vars: {stage: new}\ncomponents: {terraform: {x: {}}}\n")
    assert {key: row["affected"] for key, row in affected(repository).items()} == {("new", "x"): "added"}


def test_the_base_from_continuous_integration_and_its_outputs(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repository.folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    change_vpc(repository)
    git(repository.folder, "commit", "-qam", "two")
    outputs = tmp_path / "outputs"
    outputs.write_text("before=1\n")
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    monkeypatch.setenv("GITHUB_OUTPUT", str(outputs))
    said = repository.plait("describe", "affected", "--format", "matrix", "--verbose")
    assert "by GITHUB_BASE_REF" in said.err
    assert "components looked at: " in said.err
    before, matrix, count = outputs.read_text().splitlines()
    assert (before, count) == ("before=1", "affected_count=2")
    assert matrix.startswith('matrix={"include": [{"component": "vpc"')
    monkeypatch.setenv("GITHUB_BASE_REF", "nowhere")
    assert "origin/nowhere" in repository.plait("describe", "affected").err


def test_a_broken_manifest_is_reported_and_not_called_deleted(repository: Repository) -> None:
    prod = repository.folder / "stacks/deploy/prod.yaml"
    prod.write_text("vars: [}\n")
    said = repository.plait("describe", "affected", "--base", "HEAD")
    assert said.status == 1
    rows = json.loads(said.out)
    assert [(row["stack"], row["component"]) for row in rows] == [("dev", "app")]  # it reads a component of prod
    assert "stacks/deploy/prod.yaml" in said.err


def test_the_list_formats(repository: Repository) -> None:
    change_vpc(repository)
    told = repository.plait("list", "affected", "--base", "HEAD", "--format", "csv").out
    assert told.splitlines() == ["Component,Stack,Affected", "vpc,dev,stack.vars", "vpc,prod,stack.vars"]
    told = repository.plait("list", "affected", "--base", "HEAD", "--format", "tree", "--filter", '.stack == "dev"').out
    assert told.splitlines() == ["dev", "└── vpc", "    └── stack.vars"]


CI = {
    "GITHUB_BASE_REF": "main",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
    "BITBUCKET_PR_DESTINATION_BRANCH": "main",
    "SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/main",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH": "main",
    "CHANGE_TARGET": "main",
    "CI_MERGE_REQUEST_DIFF_BASE_SHA": "{first}",
    "CI_COMMIT_BEFORE_SHA": "{first}",
    "GITHUB_EVENT_PATH": "{event}",
}


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of continuous integration is set, whoever runs the tests."""
    for name in (*BRANCHES, *COMMITS, "GITHUB_EVENT_PATH", "GITHUB_OUTPUT"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("variable", CI)
def test_every_continuous_integration_names_the_base(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    first = git(repository.folder, "rev-parse", "HEAD")
    git(repository.folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    change_vpc(repository)
    git(repository.folder, "commit", "-qam", "two")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"before": first}))
    monkeypatch.setenv(variable, CI[variable].format(first=first, event=event))
    base, why = default_base(Project(str(repository.folder)), str(repository.folder))
    assert base == first
    assert f"by {variable}" in why


def test_every_variable_of_continuous_integration_is_tried() -> None:
    assert set(CI) == {*BRANCHES, *COMMITS, "GITHUB_EVENT_PATH"}


@pytest.mark.usefixtures("alone")
def test_without_continuous_integration_the_main_branch_or_the_last_commit(repository: Repository) -> None:
    project, root = Project(str(repository.folder)), str(repository.folder)
    assert default_base(project, root) == ("HEAD", "the last commit")
    first = git(repository.folder, "rev-parse", "HEAD")
    git(repository.folder, "update-ref", "refs/remotes/origin/HEAD", "HEAD")
    assert default_base(project, root) == (first, "where this branch left origin/HEAD")


def command(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    assert main(["describe", "affected", *words]) == 0
    rows = json.loads(capsys.readouterr().out or "[]")
    assert isinstance(rows, list)
    return rows


@pytest.mark.usefixtures("alone")
def test_a_reference_a_commit_and_a_file_to_write_to(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository.folder)
    first = git(repository.folder, "rev-parse", "HEAD")
    git(repository.folder, "branch", "old")
    change_vpc(repository)
    git(repository.folder, "commit", "-qam", "two")
    assert command(capsys) == []  # since the last commit
    rows = command(capsys, "--base", "old")
    assert [row["stack"] for row in rows] == ["dev", "prod"]
    assert command(capsys, "--ref", "refs/heads/old") == rows
    assert command(capsys, "--sha", first) == rows
    assert command(capsys, "--sha", first, "--file", "rows.json") == []
    assert json.loads((repository.folder / "rows.json").read_text()) == rows


@pytest.mark.usefixtures("alone")
def test_a_new_file_needs_no_copy_of_the_revision(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository.folder)
    monkeypatch.setattr("plait.access.checkout.checkout", None)

    def rows() -> tuple[dict[tuple[str, str], str], int]:
        found = Workspace(".", cache=False).stacks(".").affected("HEAD")
        return {(str(row["stack"]), str(row["component"])): str(row["affected"]) for row in found.rows}, found.looked_at

    assert rows() == ({}, 0)
    repository.write("README.md", "welcome\n")
    reading = 3  # the components of dev, which reads files and components that it does not import
    assert rows() == ({}, reading)
    repository.write("stacks/catalog/region.yaml", "vars: {region: us}\n")  # no manifest imports it
    assert rows() == ({}, reading)
    repository.write("stacks/deploy/new.yaml", "vars: {stage: new}\ncomponents: {terraform: {x: {}}}\n")
    assert rows() == ({("new", "x"): "added"}, reading + 1)
    dev = repository.folder / "stacks/deploy/dev.yaml"
    dev.write_text(dev.read_text().replace("shared/motd.txt", "README.md"))
    assert rows() == ({("dev", "job"): "stack.vars", ("new", "x"): "added"}, reading + 1)


@pytest.mark.usefixtures("alone")
def test_only_what_a_change_can_reach_is_validated(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository.folder)
    region = repository.folder / "stacks/mixins/region.yaml"  # imported by dev alone
    prod = repository.folder / "stacks/deploy/prod.yaml"
    prod.write_text(prod.read_text().replace("vars:\n        size", "vras: {}\n      vars:\n        size"))
    git(repository.folder, "commit", "-qam", "two")
    assert main(["validate", "stacks"]) == 1
    assert "vras" in capsys.readouterr().err
    words = ["validate", "stacks", "--affected", "--base", "HEAD"]
    assert main(words) == 0
    assert "0 of 2 manifests checked" in capsys.readouterr().err
    region.write_text("vars: {region: us}\ncomponents: {terraform: {r: {setings: {}}}}\n")
    assert main(words) == 1
    told = capsys.readouterr().err
    assert "compared with HEAD (as asked); 1 of 2 manifests checked\n" in told
    assert "stacks/mixins/region.yaml:2:30: error" in told
    assert "vras" not in told
    repository.write("stacks/catalog/more.yaml", "components: {terraform: {m: {setings: {}}}}\n")  # nothing imports it
    assert main(words) == 1
    assert "stacks/catalog/more.yaml:1:30: error" in capsys.readouterr().err
