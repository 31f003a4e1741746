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
    depends_on: [b]
  b: {{extends: {{service: a}}, hostname: shown}}
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
