"""Nothing in a git folder is data: a file that names such a path gets an error with its line, and what searches or
lists does not see it, in every front and however the path is written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from plait.apps.cli.run import run
from tests.outside.project import git

WORD = "CANARY7Xk2"
CHART = {"c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "c/values.yaml": "a: visible\n"}
RESOURCE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  seen: visible\n"
ATMOS = (
    "base_path: .\ncomponents: {terraform: {base_path: comps}}\n"
    "stacks: {base_path: stacks, included_paths: ['*.yaml'], name_template: '{{ .vars.stage }}'}\n"
)
STACK = "vars: {stage: dev}\ncomponents: {terraform: {x: {vars: {seen: visible}}}}\n"
IN_GIT = {
    "x.yaml": f"k: {WORD}\n", "x.txt": WORD, "vars": f"A={WORD}\n", "env/x.yaml": f"k: {WORD}\n",
    "chart/Chart.yaml": f"apiVersion: v2\nname: sub\nversion: 1.0.0\ndescription: {WORD}\n",
    "chart/templates/a.yaml": f"{RESOURCE}  v: {WORD}\n", "kust/kustomization.yaml": "resources: [r.yaml]\n",
    "kust/r.yaml": f"{RESOURCE}  v: {WORD}\n", "compose.yaml": f"services: {{b: {{image: {WORD}}}}}\n",
    "schema.json": f'{{"properties": {{"a": {{"const": "{WORD}"}}}}}}', "stacks/s.yaml": STACK,
    "plait.yaml": f"targets: [{{name: {WORD}, layers: [a.yaml]}}]\n", "pattern/pattern.yaml": f"name: {WORD}\n",
    "comps/x/main.tf": f'variable "a" {{ default = "{WORD}" }}\n', "group_vars/all.yaml": f"k: {WORD}\n",
}  # fmt: skip


def layers(**more: str) -> dict[str, str]:
    return {"plait.yaml": "targets: [{name: t, layers: [a.yaml]}]\n", "a.yaml": "seen: visible\n", **more}


def chart(action: str, **more: str) -> dict[str, str]:
    return {**CHART, "c/templates/a.yaml": f"{RESOURCE}  v: {action}\n", **more}


def kustomize(text: str) -> dict[str, str]:
    return {"k/kustomization.yaml": f"resources: [r.yaml]\n{text}\n", "k/r.yaml": RESOURCE}


def compose(service: str, top: str = "") -> dict[str, str]:
    return {"compose.yaml": f"services:\n  seen: {{image: visible}}\n  a: {{image: x, {service}}}\n{top}\n"}


def stacks(vars: str = "", config: str = "", stack: str = "") -> dict[str, str]:
    text = STACK.replace("seen: visible", f"seen: visible{vars}")
    return {"atmos.yaml": ATMOS + config, "stacks/dev.yaml": stack + text, "comps/x/main.tf": ""}


def settings(text: str) -> dict[str, str]:
    return {"plait.yaml": text, "a.yaml": "seen: visible\n"}


DESCRIBE = "describe component x -s dev --query .vars"
ERRORS = {
    "include": (layers(**{"a.yaml": "v: !include .git/x.yaml\n"}), "merge a.yaml", "a.yaml:1"),
    "include, raw": (layers(**{"a.yaml": "v: !include.raw .git/x.txt\n"}), "merge --target t", "a.yaml:1"),
    "a layer": (settings("targets:\n- name: t\n  layers: [a.yaml, .git/x.yaml]\n"), "merge --target t", "plait.yaml:3"),
    "a template": (settings("targets:\n- {name: t, template: .git/x.yaml}\n"), "render t", "plait.yaml:2"),
    "stubs": (settings("targets:\n- {name: t, template: a.yaml, stubs: [.git/x.yaml]}\n"), "render t", "plait.yaml:2"),
    "a chart of plait.yaml": (settings("targets:\n- {name: t, chart: .git/chart}\n"), "render t", "plait.yaml:2"),
    "values of a chart": ({**chart("x"), "plait.yaml": "targets:\n- {name: t, chart: c, values: [.git/x.yaml]}\n"},
                          "render t", "plait.yaml:2"),
    "a Compose file of plait.yaml": (settings("targets:\n- {name: t, compose: .git/compose.yaml}\n"), "render t",
                                     "plait.yaml:2"),
    "a kustomization of plait.yaml": (settings("targets:\n- {name: t, kustomization: .git/kust}\n"), "render t",
                                      "plait.yaml:2"),
    "a resource": (kustomize("components: []\nbases: [../.git/kust]"), "render k", "kustomization.yaml:3"),
    "resources": (kustomize("generators: []").__or__({"k/kustomization.yaml": "resources:\n- ../.git/kust/r.yaml\n"}),
                  "render k", "kustomization.yaml:2"),
    "a patch": (kustomize("patches: [{path: ../.git/x.yaml}]"), "render k", "kustomization.yaml:2"),
    "a merge patch": (kustomize("patchesStrategicMerge: [../.git/x.yaml]"), "render k", "kustomization.yaml:2"),
    "a replacement": (kustomize("replacements: [{path: ../.git/x.yaml}]"), "render k", "kustomization.yaml:2"),
    "a component": (kustomize("components: [../.git/kust]"), "render k", "kustomization.yaml:2"),
    "files of a generator": (kustomize("configMapGenerator: [{name: g, files: [../.git/x.txt]}]"), "render k",
                             "kustomization.yaml:2"),
    "variables of a generator": (kustomize("secretGenerator: [{name: g, envs: [../.git/vars]}]"), "render k",
                                 "kustomization.yaml:2"),
    "a chart of a kustomization": (kustomize("helmGlobals: {chartHome: ../.git}\nhelmCharts: [{name: chart}]"),
                                   "render k", "kustomization.yaml"),
    "values of such a chart": ({**chart("x"), **kustomize(
        "helmGlobals: {chartHome: ..}\nhelmCharts: [{name: c, valuesFile: ../.git/x.yaml}]")}, "render k",
        "kustomization.yaml:3"),
    "an environment of Compose": (compose("env_file: [.git/vars]"), "render . --interpolate", "compose.yaml:3"),
    "one that may be missing": (compose("env_file: [{path: .git/vars, required: false}]"), "render . --interpolate",
                                "compose.yaml:3"),
    "labels of Compose": (compose("label_file: [.git/vars]"), "render . --interpolate", "compose.yaml:3"),
    "an extension of Compose": (compose("extends: {service: b, file: .git/compose.yaml}"), "render .",
                                "compose.yaml:3"),
    "an include of Compose": (compose("cpus: 1", "include: [.git/compose.yaml]"), "render .", "compose.yaml:4"),
    "spiff": ({"a.yml": 'v: (( read(".git/x.txt", "text") ))\n'}, "spiff merge a.yml --explain-errors", "a.yml:1"),
    "include in a stack": (stacks(", v: !include ../.git/x.yaml"), DESCRIBE, "dev.yaml:2"),
    "an import": (stacks(stack="import: [../.git/x.yaml]\n"), DESCRIBE, "dev.yaml:1"),
    "Unfurl": ({"a.yaml": "v: {+include: .git/x.yaml}\n"}, "expand a.yaml", "a.yaml:1"),
    "Unfurl, optional": ({"a.yaml": "v: {+?include: .git/x.yaml}\n"}, "expand a.yaml", "a.yaml:1"),
    "a query": ({"a.yaml": "v: {eval: {file: .git/x.txt}, select: contents}\n"}, "query v a.yaml", "a.yaml:1"),
    "Jinja": ({"a.yaml": "v: \"{{ {'eval': {'file': '.git/x.txt'}, 'select': 'contents'} | map_value }}\"\n"},
              "query v a.yaml", "a.yaml:1"),
    "gomplate": (stacks(", v: '{{ file.Read \".git/x.txt\" }}'", "templates: {settings: {enabled: true}}\n"), DESCRIBE,
                 "dev.yaml:2"),
    "a datasource": (stacks(", v: '{{ datasource \"d\" }}'", "templates: {settings: {enabled: true, gomplate: "
                            "{enabled: true, datasources: {d: {url: ./.git/x.yaml}}}}}\n"), DESCRIBE, "dev.yaml:2"),
    "stacks in a git folder": (stacks() | {"atmos.yaml": ATMOS.replace("base_path: stacks", "base_path: .git/stacks")},
                               DESCRIBE, "atmos.yaml"),
    "components in git": (stacks() | {"atmos.yaml": ATMOS.replace("base_path: comps", "base_path: .git/comps")},
                          DESCRIBE, "atmos.yaml:2"),
    "a base path": (stacks() | {"atmos.yaml": ATMOS.replace("base_path: .\n", "base_path: .git\n")}, DESCRIBE,
                    "atmos.yaml:1"),
    "an import of atmos.yaml": (stacks(config="import: [.git/x.yaml]\n"), DESCRIBE, "atmos.yaml:4"),
    "Argo CD": ({**chart("x"), "apps/a.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
                 "metadata: {name: argo}\nspec:\n  source:\n    path: c\n    repoURL: x\n    helm:\n"
                 "      valueFiles: [../.git/x.yaml]\n"}, "render argo", "a.yaml:9"),
    "helmfile": ({**chart("x"), "helmfile.yaml": "releases:\n- name: web\n  chart: ./c\n  values:\n"
                  "  - .git/x.yaml\n"}, "render web", "helmfile.yaml:5"),
    "settings that are a link": ({"plait.yaml": "-> .git/plait.yaml", "a.yaml": "seen: visible\n"}, "targets", ""),
}  # fmt: skip
"""What names a path, in which front: the files, a command, and the place of the error."""
NOTHING = {
    "a glob of layers": (settings("targets:\n- {name: t, layers: [a.yaml, '**/x.yaml', '*/b.yaml']}\n")
                         | {"d/b.yaml": "other: visible\n", "d/x.yaml": "n: 1\n"}, "merge --target t"),
    "for": (settings("targets:\n- {name: 't-{d}', for: {d: 'd/*.yaml'}, layers: [a.yaml]}\n"
                     "- {name: o, layers: [a.yaml]}\n") | {"d/b.yaml": "x: 1\n", "d/.git/x.yaml": f"k: {WORD}\n"},
            "merge --target t-b"),
    "spiff looks for a file": ({"a.yml": 'v: (( lookup_file("x.txt", ".git") ))\nseen: visible\n'},
                               "spiff merge a.yml"),
    "stacks, every kind of pattern": (stacks() | {"atmos.yaml": ATMOS.replace("stacks, included_paths: ['*.yaml']",
                                                   "., included_paths: ['**/*', 'stacks/*.yaml']")}, DESCRIBE),
    "names that look alike": ({"a.yaml": "a: !include .github/x.yaml\nb: !include.raw .gitignore\n"
                               "c: !include d.git/x.yaml\n", ".github/x.yaml": "s: visible\n",
                               ".gitignore": "visible\n", "d.git/x.yaml": "s: visible\n"}, "merge a.yaml"),
    "a file of a chart": (chart('{{ .Files.Get "../.git/x.txt" | quote }}'), "render c"),
    "files of a chart": (chart('{{ range $n, $b := .Files.Glob "**" }}{{ $n }} {{ end }}'), "render c"),
    "imports of a folder": (stacks(stack="import: ['../**/x.yaml']\n") | {"x.yaml": "vars: {more: visible}\n"},
                            "describe stacks"),
    "discovery": ({**CHART, "c/templates/a.yaml": RESOURCE, "compose.yaml": "services: {a: {image: visible}}\n"},
                  "targets"),
}  # fmt: skip
"""What searches, lists or looks up, in which front."""


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            file.symlink_to(text[3:])
        else:
            file.write_text(text)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for kind in ("CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    git(root, "init", "-q")
    put(root / ".git", IN_GIT)
    monkeypatch.chdir(root)
    return root


def printed(words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = run(words.split())
    text = "".join(capsys.readouterr())
    assert WORD not in text, words
    return status, text


@pytest.mark.parametrize("what", ERRORS)
def test_what_names_a_path_of_git_is_an_error_at_its_line(
    what: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, words, place = ERRORS[what]
    put(project, files)
    status, text = printed(words, capsys)
    assert status == 1, text
    assert "belongs to git" in text
    assert place in text


@pytest.mark.parametrize("what", NOTHING)
def test_what_searches_does_not_see_git(what: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files, words = NOTHING[what]
    put(project, files)
    status, text = printed(words, capsys)
    assert status == 0, text
    assert "visible" in text or words == "targets"


MAKERS = {
    "a link": "ln -s .git/x.yaml p.yaml",
    "a chain of links": "ln -s l p.yaml; ln -s .git/x.yaml l",
    "a linked folder": "ln -s .git g; echo 'v: !include g/x.yaml' > a.yaml",
    "a hard link": "ln .git/x.yaml p.yaml",
    "dots": "mkdir d; echo 'v: !include ./d/../.git/x.yaml' > a.yaml",
    "a name that is not there": "echo 'v: !include .git/none.yaml' > a.yaml",
    "another case": "echo 'v: !include .GIT/x.yaml' > a.yaml",
    "an absolute path": "echo \"v: !include $PWD/.git/x.yaml\" > a.yaml",
    "a nested clone": "git init -q n; cp .git/x.yaml n/.git/; echo 'v: !include n/.git/x.yaml' > a.yaml",
    "the file of a work tree": "mkdir n; echo 'gitdir: ../m' > n/.git; echo 'v: !include n/.git' > a.yaml",
    "a separate git folder": "git init -q --separate-git-dir other n; cp .git/x.yaml other/; ln -s other/x.yaml p.yaml",
    "a bare repository": "git init -q --bare b; cp .git/x.yaml b/; ln -s b/x.yaml p.yaml",
    "a bare repository inside of its folder": "git init -q --bare b; cp .git/x.yaml b/refs; ln -s b/refs/x.yaml p.yaml",
    "a submodule": "mkdir -p .git/modules/m; cp .git/x.yaml .git/modules/m; ln -s .git/modules/m/x.yaml p.yaml",
    "the folder of the repository moved": "mv .git ../g; echo \"gitdir: $PWD/../g\" > .git; ln ../g/x.yaml p.yaml",
}  # fmt: skip
"""How a path leads into a git folder, by commands; `a.yaml` includes `p.yaml` unless it is written there."""


@pytest.mark.parametrize("what", MAKERS)
@pytest.mark.parametrize("more", ["", " --allow files", " --reveal"])
def test_however_the_path_is_written(what: str, more: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "a.yaml").write_text("v: !include p.yaml\n")
    subprocess.run(["sh", "-ec", MAKERS[what]], check=True)
    status, text = printed(f"merge a.yaml{more}", capsys)
    assert (status, "belongs to git" in text, "a.yaml:1" in text) == (1, True, True), text


def test_all_such_errors_come_in_one_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "a.yaml").write_text("a: !include .git/x.yaml\nb: !include.raw .git/x.txt\nc: !include .git\n")
    assert printed("merge a.yaml", capsys)[1].count("belongs to git") == 3


def test_a_file_of_git_that_the_user_names_is_read(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".git/own.yaml").write_text("seen: visible\nv: !include .git/x.yaml\n")
    (project / "link.yaml").symlink_to(".git/own.yaml")
    assert "visible" in printed("get .git/own.yaml seen", capsys)[1]
    assert "belongs to git" in printed("get link.yaml seen", capsys)[1], "the user did not name the file of git"
    status, text = printed("merge .git/own.yaml", capsys)
    assert (status, "belongs to git" in text) == (1, True), "only that file was named"


def test_a_work_tree_in_a_bare_repository_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only what is below the root of the project counts."""
    bare = tmp_path / "b.git"
    bare.mkdir()
    git(bare, "init", "-q", "--bare")
    tree = git(bare, "mktree", "--missing").strip()
    commit = git(bare, "commit-tree", tree, "-m", "x").strip()
    git(bare, "worktree", "add", "-q", "wt", commit)
    (bare / "wt/a.yaml").write_text("a: !include d/b.yaml\n")
    (bare / "wt/d").mkdir()
    (bare / "wt/d/b.yaml").write_text("seen: visible\n")
    monkeypatch.chdir(bare / "wt")
    assert printed("merge a.yaml", capsys) == (0, "a:\n  seen: visible\n")
    monkeypatch.chdir(tmp_path)
    assert "visible" in printed(f"merge {bare}/wt/d/b.yaml", capsys)[1]


def test_questions_to_git_go_on_working(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project, stacks(", sha: !git.sha"))
    git(project, "add", "-A")
    git(project, "commit", "-qm", "x")
    sha = git(project, "rev-parse", "HEAD").strip()
    assert sha in printed(DESCRIBE, capsys)[1]
    assert printed("describe affected --ref HEAD", capsys)[0] == 0
    assert printed("blame stacks/dev.yaml", capsys)[0] == 0
    assert printed("review HEAD", capsys)[0] == 0
