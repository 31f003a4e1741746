"""Charts: CPU time against `helm template` for the same chart, and many targets of a large chart.

helm's time is that of the whole command; ours is that of the command in a process that has rendered a tiny chart
before, so that Python's start and imports are left out. helm is the one of PLAIT_HELM, or of PATH; without it the rows
that compare are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import PLAIT, PYTHON, Report, command_cpu, interleaved

HELM = os.environ.get("PLAIT_HELM") or shutil.which("helm")
CORPUS = Path(__file__).parents[2] / "shared" / "corpora" / "helm"
FLAGS = ("--namespace", "prod", "--kube-version", "1.32.0")
CODE = """
import contextlib, io, sys, time
from plait.apps.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    main(["render", sys.argv[1], "--no-cache"])
    before = time.process_time()
    main(["render", *sys.argv[2:], "--no-cache"])
    took = time.process_time() - before
print(took)
"""
GROUPS = 40
"""Of the large chart: it has five templates for each."""

CHART = "apiVersion: v2\nname: {name}\nversion: 1.2.3\nappVersion: 4.5.6\n"
HELPERS = """
{{- define "shop.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- define "shop.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}
{{- define "shop.selectorLabels" -}}
app.kubernetes.io/name: {{ include "shop.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "shop.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "shop.selectorLabels" . }}
{{- if .Chart.AppVersion }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
"""
DEPLOYMENT = """
{{- $app := index .Values.apps "NAME" }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "shop.fullname" . }}-NAME
  labels:
    {{- include "shop.labels" . | nindent 4 }}
spec:
  {{- if not $app.autoscaling.enabled }}
  replicas: {{ $app.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "shop.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      annotations:
        checksum/config: {{ include (print $.Template.BasePath "/NAME-config.yaml") . | sha256sum }}
        {{- with $app.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      labels:
        {{- include "shop.selectorLabels" . | nindent 8 }}
    spec:
      {{- with .Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      serviceAccountName: {{ default "default" .Values.serviceAccount.name }}
      containers:
        - name: NAME
          image: "{{ $app.image.repository }}:{{ $app.image.tag | default .Chart.AppVersion }}"
          imagePullPolicy: {{ $app.image.pullPolicy }}
          env:
          {{- range $key, $value := $app.env }}
            - name: {{ $key | upper }}
              value: {{ tpl $value $ | quote }}
          {{- end }}
          ports:
            - name: http
              containerPort: {{ $app.service.port }}
              protocol: TCP
          livenessProbe:
            httpGet: {path: {{ $app.health | default "/healthz" }}, port: http}
          resources:
            {{- toYaml $app.resources | nindent 12 }}
      {{- with .Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
"""
SERVICE = """
{{- $app := index .Values.apps "NAME" }}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "shop.fullname" . }}-NAME
  labels:
    {{- include "shop.labels" . | nindent 4 }}
spec:
  type: {{ $app.service.type }}
  ports:
    - {port: {{ $app.service.port }}, targetPort: http, protocol: TCP, name: http}
  selector:
    {{- include "shop.selectorLabels" . | nindent 4 }}
"""
CONFIG = """
{{- $app := index .Values.apps "NAME" }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "shop.fullname" . }}-NAME
  labels:
    {{- include "shop.labels" . | nindent 4 }}
data:
  {{- range $key, $value := $app.config }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
  app.yaml: |
    {{- toYaml $app.settings | nindent 4 }}
"""
INGRESS = """
{{- $app := index .Values.apps "NAME" }}
{{- if $app.ingress.enabled -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "shop.fullname" . }}-NAME
  labels:
    {{- include "shop.labels" . | nindent 4 }}
  {{- with $app.ingress.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  rules:
    {{- range $app.ingress.hosts }}
    - host: {{ .host | quote }}
      http:
        paths:
          {{- range .paths }}
          - path: {{ .path }}
            pathType: {{ .pathType }}
            backend:
              service: {name: {{ include "shop.fullname" $ }}-NAME, port: {number: {{ $app.service.port }}}}
          {{- end }}
    {{- end }}
{{- end }}
"""
SCALER = """
{{- $app := index .Values.apps "NAME" }}
{{- if $app.autoscaling.enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "shop.fullname" . }}-NAME
  labels:
    {{- include "shop.labels" . | nindent 4 }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ include "shop.fullname" . }}-NAME}
  minReplicas: {{ $app.autoscaling.minReplicas }}
  maxReplicas: {{ $app.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ $app.autoscaling.cpu }}}}
{{- end }}
"""
KINDS = {"deployment": DEPLOYMENT, "service": SERVICE, "config": CONFIG, "ingress": INGRESS, "scaler": SCALER}
VALUES = """
nameOverride: ""
fullnameOverride: ""
imagePullSecrets: [{name: registry}]
serviceAccount: {name: ""}
nodeSelector: {kubernetes.io/os: linux}
tolerations: []
tier: base
apps:
"""
APP = """
  NAME:
    replicas: 2
    image: {repository: example.org/NAME, tag: "", pullPolicy: IfNotPresent}
    podAnnotations: {prometheus.io/scrape: "true"}
    env: {log_level: info, release: "{{ .Release.Name }}", tier: "{{ .Values.tier }}"}
    service: {type: ClusterIP, port: 8080}
    health: /ready
    config: {greeting: hello, colour: green}
    settings:
      database: {host: db.example.org, port: 5432, pool: {min: 1, max: 10}}
      features: [search, cart, checkout]
    ingress:
      enabled: true
      annotations: {kubernetes.io/ingress.class: nginx}
      hosts:
        - host: NAME.example.org
          paths: [{path: /, pathType: Prefix}]
    autoscaling: {enabled: false, minReplicas: 2, maxReplicas: 10, cpu: 80}
    resources:
      limits: {cpu: 500m, memory: 256Mi}
      requests: {cpu: 100m, memory: 128Mi}
"""


def large_chart(folder: Path, groups: int = GROUPS) -> Path:
    """A chart of five templates for each of so many programs, written into a folder."""
    names = [f"app{number}" for number in range(groups)]
    files = {
        "Chart.yaml": CHART.format(name="shop"),
        "values.yaml": VALUES.lstrip() + "".join(APP.replace("NAME", name)[1:] for name in names),
        "templates/_helpers.tpl": HELPERS,
        **{
            f"templates/{name}-{kind}.yaml": text.replace("NAME", name).lstrip()
            for name in names
            for kind, text in KINDS.items()
        },
    }
    _write(folder, files)
    return folder


def targets(folder: Path, count: int) -> None:
    """So many targets of the chart in `shop`, each with a file of values."""
    declared = 'targets: [{name: "{e}", chart: shop, values: ["env/{e}.yaml"], for: {e: "env/*.yaml"}}]\n'
    scaled = "{replicas: 3, autoscaling: {enabled: true}}"
    some = "".join(f"  app{number}: {scaled}\n" for number in range(0, GROUPS, 4))
    files = {f"env/e{number}.yaml": f"tier: t{number}\napps:\n{some}" for number in range(count)}
    _write(folder, {"plait.yaml": declared, **files})


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def ours(tiny: Path, chart: Path, values: list[Path]) -> float:
    """CPU seconds of one rendering, without Python's start."""
    files = [word for name in values for word in ("-f", str(name))]
    argv = [PYTHON, "-c", CODE, str(tiny), str(chart), "--release", "demo", *FLAGS, *files]
    return float(subprocess.run(argv, capture_output=True, check=True, text=True).stdout)


def theirs(chart: Path, values: list[Path]) -> float:
    files = [word for name in values for word in ("-f", str(name))]
    return command_cpu([str(HELM), "template", "demo", str(chart), *FLAGS, *files], stderr=subprocess.DEVNULL)


def charts(folder: Path) -> Iterator[tuple[str, Path, list[Path]]]:
    """The charts that are compared: a large one, and those of the corpus where it is at hand."""
    yield "a chart of 200 templates", large_chart(folder / "shop"), []
    if CORPUS.exists():
        for chart in sorted((CORPUS / "charts").iterdir()):
            yield chart.name, chart, []


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.environ["PLAIT_CACHE"] = str(folder / "cache")
        tiny = folder / "tiny"
        _write(tiny, {"Chart.yaml": CHART.format(name="tiny"), "templates/a.yaml": "kind: A\nmetadata: {name: a}\n"})
        against_helm(report, folder, tiny)
        many_targets(report, folder)


def against_helm(report: Report, folder: Path, tiny: Path) -> None:
    for name, chart, values in charts(folder) if HELM else ():
        if not (chart / "Chart.yaml").exists():
            continue
        try:
            theirs(chart, values)
        except subprocess.CalledProcessError:
            continue  # a library, or it needs values
        took = interleaved({"ours": lambda: ours(tiny, chart, values), "helm": lambda: theirs(chart, values)}, of=min)  # noqa: B023
        figures = {key: round(value, 3) for key, value in took.items()}
        report(f"{name} / helm template", took["ours"] / took["helm"], 1, **figures)


def many_targets(report: Report, folder: Path) -> None:
    """Commands as people give them, Python's start included."""
    large_chart(folder / "shop")
    argv = [PLAIT, "render", "--no-cache"]
    took: dict[int, float] = {}
    for count in (25, 50):
        targets(folder, count)
        took[count] = min(command_cpu(argv, cwd=folder) for _ in range(2))
    report("50 targets of a chart of 200 templates: CPU seconds", took[50], 10)
    report("50 targets / 25 targets", took[50] / took[25])
