"""Secrets through what makes targets: charts, kustomizations, Compose projects, and the manifests that declare them."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from plait.apps.cli.run import run
from tests.outside.project import git

SECRET = "SECRET8W3q"
SPELLINGS = (
    SECRET, SECRET.lower(), SECRET.swapcase(), SECRET[::-1], "-".join(SECRET), "_".join(SECRET), f"x{SECRET[:6]}",
    base64.b64encode(SECRET.encode()).decode(), "0-S", "it-is-S",
)  # fmt: skip
FLOWS = r"""
  plain: {{ .Values.pw }}
  coded: {{ .Values.pw | b64enc }}
  parts: {{ .Values.pw | splitList "" | join "-" }}
  kept: {{ (dict "k" (splitList "" .Values.pw)).k | join "_" }}
  cut: x{{ substr 0 6 .Values.pw }}
  all: {{ .Values | toJson | quote }}
  nested: {{ include "inner" (dict "x" .Values.deep.er) }}
  told: {{ if hasPrefix "S" .Values.pw }}it-is-{{ upper "s" }}{{ else }}no{{ end }}
  chosen: {{ ternary (printf "it-is-%s" "S") "no" (hasPrefix "S" .Values.pw) }}
  stored: {{ $v := "no" }}{{ if hasPrefix "S" .Values.pw }}{{ $v = printf "it-is-%s" "S" }}{{ end }}{{ $v }}
  file: {{ .Files.Get "secret.yaml" | quote }}
  block: |
    some {{ .Values.pw }} text
  {{- range $at, $letter := splitList "" .Values.pw }}
  letter{{ $at }}: "{{ $at }}-{{ $letter }}"
  {{- end }}
  {{- with .Values.deep }}
  within: {{ .er | lower }}
  {{- end }}
  yaml:
    {{- toYaml .Values.deep | nindent 4 }}
  known: {{ .Values.known }}
"""
FAILURES = [
    "{{ fail .Values.pw }}",
    '{{ fail (.Values.pw | splitList "" | join "-") }}',
    "{{ required (.Values.pw | swapcase) .Values.none }}",
    '{{ define "x" }}{{ fail (.Values.pw | splitList "" | join "_") }}{{ end }}{{ include "x" . }}',
    "a: {{ .Values.pw }}: [",
    "a: *{{ .Values.pw | swapcase }}",
    "{{ .Values.pw | swapcase }}: a key",
    "{{ $d := dict (swapcase .Values.pw) 1 }}{{ range $k, $v := $d }}{{ $k }}: 1{{ end }}",
    "kind: A\nmetadata: {name: {{ .Values.pw | lower }}}",
    "kind: A\nmetadata: {name: a}\nx: !{{ .Values.pw | swapcase }} {y: 1}",
]
FILES = {
    "chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 1.0.0\n",
    "chart/values.yaml": f"pw: !sensitive {SECRET}\ndeep: {{er: !sensitive {SECRET}}}\nknown: shown\n",
    "chart/secret.yaml": f"pw: !sensitive {SECRET}\n",
    "chart/templates/_inner.tpl": '{{ define "inner" }}{{ .x | swapcase }}{{ end }}',
    "chart/templates/a.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata:{FLOWS}",
    "apps/argo.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: argo}\nspec:\n  source:\n"
    f"    path: chart\n    repoURL: x\n    helm: {{valuesObject: {{pw: !sensitive {SECRET}}}, "
    f"parameters: [{{name: deep.er, value: !sensitive {SECRET}}}]}}\n",
    "over/kustomization.yaml": f"""\
resources: [r.yaml]
helmCharts: [{{name: sub, valuesInline: {{pw: !sensitive {SECRET}, l: [!sensitive {SECRET}]}}}}]
secretGenerator:
- {{name: s, literals: [!sensitive 'pw={SECRET}', 'known=shown'], files: [k=s.yaml]}}
configMapGenerator:
- {{name: c, literals: [!sensitive 'pw={SECRET}'], files: [s.yaml]}}
images: [{{name: nginx, newTag: !sensitive {SECRET}}}, {{name: {SECRET.lower()}, newTag: '2'}}]
commonLabels: {{l: !sensitive {SECRET}}}
replacements:
- source: {{kind: Deployment, name: r, fieldPath: spec.pw}}
  targets:
  - {{select: {{kind: Deployment, name: r}}, fieldPaths: [spec.made], options: {{create: true}}}}
  - {{select: {{kind: Deployment, name: r}}, fieldPaths: [spec.part], options: {{delimiter: '-', index: 1}}}}
- source: {{kind: Deployment, name: r, fieldPath: spec.known}}
  targets:
  - {{select: {{kind: Deployment, name: r}}, fieldPaths: [spec.both], options: {{delimiter: '-', index: 1}}}}
vars: [{{name: V, objref: {{kind: Deployment, name: r, apiVersion: apps/v1}}, fieldref: {{fieldPath: spec.pw}}}}]
""",
    "over/r.yaml": f"""\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: r}}
spec:
  pw: !sensitive {SECRET}
  known: shown
  part: a-b-c
  both: !sensitive {SECRET}-x
  template:
    spec:
      containers:
      - {{name: a, image: 'nginx:1', args: [$(V)], command: ["x$(V)y"]}}
      - {{name: b, image: !sensitive '{SECRET.lower()}:1'}}
""",
    "over/s.yaml": f"pw: !sensitive {SECRET}\n",
    "over/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
    "over/charts/sub/templates/b.yaml": "kind: B\nmetadata: {name: b}\nx: {{ .Values.pw | swapcase }}\n"
    'l: {{ first .Values.l | splitList "" | join "-" }}\n',
    "compose.yaml": f"""\
services:
  a:
    image: !sensitive "img{SECRET}:${{KNOWN}}"
    environment: [!sensitive "PW={SECRET}", !sensitive "PE={SECRET}${{KNOWN}}", "X=shown"]
    command: !sensitive "run --pw {SECRET} -x"
    volumes: [!sensitive "./{SECRET}:/x"]
    extra_hosts: [!sensitive "{SECRET}=1.2.3.4"]
    depends_on: [c]
  b: {{extends: {{service: a}}, hostname: shown}}
  c: {{image: c}}
configs: {{c: {{content: !sensitive "x {SECRET}"}}}}
""",
    ".env": "KNOWN=1\n",
}
LINES = [
    "render chart", "render chart --format json", "render chart --origins", "render over", "render over --origins",
    "render compose.yaml", "render compose.yaml --interpolate", "render argo", "render",
    "explain --target chart **", "explain --target over **", "explain --target argo ConfigMap/a:data.told",
    "blame --target over", "blame --target chart", "layers --target chart", "layers --target over", "lint",
    "lint --format sarif", "targets", "targets --format json", "init --check", "diff --target chart --target argo",
    "why-not values:pw chart/values.yaml --target argo", "set --target chart values:pw other --dry-run",
    "set --target over Deployment/r:spec.known other --dry-run", "verify --against saved --format json",
    "review HEAD", "review HEAD --full --format json", "review HEAD --full --format markdown",
    "review HEAD --full --format sarif", "review HEAD --full --format html", "doctor",
]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for kind in ("CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    git(root, "init", "-q")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-qm", "x")
    monkeypatch.chdir(root)
    return root


def check(root: Path, line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints, in which no secret may be, and neither in what it leaves in the cache."""
    status = run(line.split())
    printed = "".join(capsys.readouterr())
    assert status in range(6), printed
    assert [spelling for spelling in SPELLINGS if spelling in printed] == [], line
    for folder, _, names in os.walk(root.parent / "CACHE"):
        for name in names:
            assert SECRET.encode() not in Path(folder, name).read_bytes(), line
    return printed


def test_no_command_shows_a_secret_of_a_target(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "saved").mkdir()
    (project / "saved/chart.yaml").write_text("kind: ConfigMap\nmetadata: {name: a}\ndata: {known: shown}\n")
    printed = {line: check(project, line, capsys) for line in LINES if not line.startswith("review")}
    for line in ("render chart", "render over", "render argo", "render compose.yaml --interpolate"):
        assert "<sensitive>" in printed[line], line
        assert "shown" in printed[line], line
    for name, text in FILES.items():
        if "templates" not in name:  # a template may have any text: it is no secret
            (project / name).write_text(text.replace(SECRET, f"{SECRET}9").replace("shown", "seen"))
    printed = {line: check(project, line, capsys) for line in LINES if line.startswith("review")}
    assert "seen" in printed["review HEAD"]


@pytest.mark.parametrize("template", FAILURES)
def test_no_error_of_a_chart_shows_a_secret(template: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "chart/templates/a.yaml").write_text(template)
    check(project, "render chart", capsys)


def test_no_message_quotes_a_secret_of_its_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "over/kustomization.yaml").write_text(f"resources: [!sensitive ./{SECRET}]\n")
    assert "file not found: `<sensitive>`" in check(project, "render over", capsys)
    (project / "compose.yaml").write_text(f"services: {{a: {{image: x, depends_on: [!sensitive {SECRET}]}}}}\n")
    assert "uses the service `<sensitive>`" in check(project, "render compose.yaml", capsys)
    (project / "over/kustomization.yaml").write_text(f"namePrefix: !sensitive {SECRET}-\nresources: [r.yaml]\n")
    assert "PL3723" in check(project, "render over", capsys)


CHART = {"c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n"}
HEAD = "kind: A\nmetadata: {name: a}\n"
MAP = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: r}\ndata: {a: b}\n"
ARGO = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: argo}\nspec:\n  source:\n    path: c\n"
ALIASES = "dependencies: [" + ", ".join(f"{{name: d, version: 1.0.0, alias: x{at}}}" for at in range(30)) + "]\n"
SET = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators:\n"
ELEMENTS = ", ".join(f"{{NAME: '{at}'}}" for at in range(5000))
DOUBLED = r'{{ define "a" }}{{ if gt . 0 }}{{ include "a" (sub . 1) }}{{ include "a" (sub . 1) }}{{ end }}{{ end }}'
MULTIPLYING = {
    "includes": (
        {**CHART, "c/templates/a.yaml": f'{HEAD}{DOUBLED}x: "{{{{ include "a" 40 }}}}"'},
        "render c",
        "PL5004",
    ),
    "subcharts": (
        {
            f"c/{'charts/d/' * depth}Chart.yaml": f"apiVersion: v2\nname: {'d' if depth else 'c'}\nversion: 1.0.0\n"
            + (ALIASES if depth < 6 else "")
            for depth in range(7)
        },
        "render c",
        "PL5004",
    ),
    "copies": (
        {
            "k/kustomization.yaml": "resources: [r.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n"
            + "".join(f"    - {{op: copy, from: /data, path: /data/x{at}}}\n" for at in range(60)),
            "k/r.yaml": MAP,
        },
        "render k",
        "PL5004",
    ),
    "replacements": (
        {
            "k/kustomization.yaml": "resources: [r.yaml]\nreplacements:\n"
            + "".join(
                "- {source: {kind: ConfigMap, fieldPath: data}, targets: "
                f"[{{select: {{kind: ConfigMap}}, fieldPaths: [data.x{at}], options: {{create: true}}}}]}}\n"
                for at in range(60)
            ),
            "k/r.yaml": MAP,
        },
        "render k",
        "PL5004",
    ),
    "folders": (
        {
            **{
                f"{letter}{at}/kustomization.yaml": f"resources: [../a{at + 1}, ../b{at + 1}]\nnamePrefix: {letter}\n"
                for at in range(30)
                for letter in "ab"
            },
            **{f"{letter}30/kustomization.yaml": "resources: [r.yaml]\n" for letter in "ab"},
            **{f"{letter}30/r.yaml": MAP.replace("name: r", f"name: {letter}") for letter in "ab"},
        },
        "render a0",
        "PL5004",
    ),
    "positions": (
        {
            **CHART,
            "apps/a.yaml": f"{ARGO}    repoURL: x\n    helm:\n      parameters:\n"
            + "".join(f"      - {{name: 'a{at}[65535]', value: x}}\n" for at in range(3000)),
        },
        "render argo",
        "positions",
    ),
    "variables": (
        {
            "compose.yaml": "services: {a: {image: '${A40}'}}\n",
            ".env": "A0=xxxxxxxxxx\n" + "".join(f"A{at}=${{A{at - 1}}}${{A{at - 1}}}\n" for at in range(1, 41)),
        },
        "render compose.yaml --interpolate",
        "PL50",
    ),
    "defaults": (
        {"compose.yaml": "services: {a: {image: '" + "${A:-" * 20000 + "x" + "}" * 20000 + "'}}\n"},
        "render compose.yaml --interpolate",
        "nested more than",
    ),
    "matrix": (
        {
            **CHART,
            "apps/a.yaml": f"{SET}  - matrix:\n      generators:\n"
            f"      - list: {{elements: [{ELEMENTS.replace('NAME', 'a')}]}}\n"
            f"      - list: {{elements: [{ELEMENTS.replace('NAME', 'b')}]}}\n"
            "  template: {metadata: {name: 'x-{{a}}-{{b}}'}, spec: {source: {path: c, repoURL: x}}}\n",
        },
        "targets",
        "PL5004",
    ),
    "ports": (
        {"compose.yaml": "services:\n" + "".join(f"  s{at}: {{ports: ['1-65535']}}\n" for at in range(20))},
        "render compose.yaml",
        "PL5002",
    ),
    "extends": (
        {
            "compose.yaml": "services:\n"
            + "".join(f"  s{at}: {{extends: {{service: s{at + 1}}}}}\n" for at in range(2000))
            + "  s2000: {image: x}\n"
        },
        "render compose.yaml",
        "extend one another",
    ),
    "chain": (
        {
            **{f"k{at}/kustomization.yaml": f"resources: [../k{at + 1}]\n" for at in range(400)},
            "k400/kustomization.yaml": "resources: [r.yaml]\n",
            "k400/r.yaml": MAP,
        },
        "render k0",
        "PL500",
    ),
    "hosts": (
        {"inv/hosts": "[web]\nh[a:z][a:z][a:z][a:z][a:z][a:z][a:z]\nx[0:9:0]\n", "inv/group_vars/all.yml": "a: 1\n"},
        "targets",
        "PL5004",
    ),
    "groups": (
        {
            "inv/hosts": "".join(
                f"[{name}{at}:children]\ng{at + 1}\nh{at + 1}\n" for at in range(60) for name in "gh"
            )
            + "[g60]\nx\n[h60]\nx\n[a:children]\nb\n[b:children]\na\n",
            "inv/group_vars/all.yml": "a: 1\n",
        },
        "targets",
        "inv/group_vars/all.yml",
    ),
    "bases": (
        {**CHART, "helmfile.yaml": "bases: [helmfile.yaml]\nreleases: [{name: a, chart: ./c}]\n"},
        "targets",
        "a    chart",
    ),
    "configurations": (
        {
            "main.py": "import hydra\n@hydra.main(config_path='conf', config_name='a0')\ndef m(c): pass\n",
            **{f"conf/a{at}.yaml": f"defaults: [a{at + 1}, a{at + 1}@x, a{at + 1}@y]\n" for at in range(40)},
        },
        "targets",
        "PL5004",
    ),
}  # fmt: skip
FEW = ("--max-steps", "100000")
"""Whatever is counted, it ends soon."""
USUAL = ("includes", "copies", "positions", "defaults", "ports", "extends", "hosts", "groups", "bases")
"""What `make test` tries; `make attack` tries all."""


@pytest.mark.parametrize("name", MULTIPLYING if os.environ.get("PLAIT_PROMISES") == "all" else USUAL)
def test_a_few_lines_of_a_target_do_not_multiply_without_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files, line, expected = MULTIPLYING[name]
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run([*line.split(), *FEW]) in (0, 1)
    assert expected in "".join(capsys.readouterr())


VALUE = "ENVVALUE77"
COMPOSE = """\
name: proj-${SOME_NAME}
services:
  a: {image: "x:${SOME_NAME}", environment: ["A=${SOME_NAME}", "B=${MADE}"], env_file: [more.env]}
"""
PUBLISHED = [
    *(f"review HEAD --full --format {kind}" for kind in ("text", "markdown", "json", "sarif", "github", "html")),
    *(f"verify --against saved --format {kind}" for kind in ("text", "markdown", "json", "html")),
    "lint --format sarif", "verify --tools --allow exec --format json",
]  # fmt: skip


def test_no_report_of_a_compose_project_shows_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "project"
    (root / "saved").mkdir(parents=True)
    declared = "targets: [{name: p, compose: [compose.yaml], interpolate: true}]\n"
    (root / "plait.yaml").write_text(declared)
    (root / "compose.yaml").write_text(COMPOSE)
    (root / ".env").write_text("MADE=made-${SOME_NAME}\n")
    (root / "more.env").write_text("C=${SOME_NAME}\nSOME_NAME\n")
    (root / "saved/p.yaml").write_text("services: {a: {image: q}}\n")
    git(root, "init", "-q")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-qm", "x")
    (root / "compose.yaml").write_text(COMPOSE.replace("x:", "y:") + "volumes: {v: {}}\n")
    tool = tmp_path / "bin/docker-compose"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho \"name: proj-$SOME_NAME\"\necho \"token: ['$GITHUB_TOKEN', '$SOME_NAME']\"\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SOME_NAME", VALUE)
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_secret")
    monkeypatch.chdir(root)
    for line in PUBLISHED:
        run(line.split())
        printed = "".join(capsys.readouterr())
        assert [word for word in (VALUE, VALUE.lower(), "ghp_secret") if word in printed] == [], line
        assert "sensitive" in printed or "lint" in line, line
    run(["render", "p"])
    assert VALUE in capsys.readouterr().out, "the test would not see it"
    for wrong in ("a: [$SOME_NAME: ,", "a: b: $SOME_NAME"):
        tool.write_text(f'#!/bin/sh\necho "{wrong}"\n')
        run(PUBLISHED[-1].split())
        assert VALUE not in "".join(capsys.readouterr()), wrong
    (root / "compose.yaml").write_text('services: {a: {image: x, environment: ["${SOME_NAME}=1"]}}\n')
    run(["review", "HEAD", "--format", "json"])
    assert VALUE not in "".join(capsys.readouterr())
