"""Kustomizations: 500 resources and 20 overlays, beside the kustomize that is in kubectl, and four times as many
resources."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from benchmarks.measure import PLAIT, Report, command_cpu, interleaved

TIMES = 2.0
"""Of the CPU time of kustomize."""
GROWTH = 6
"""Four times as many resources may take six times as long."""
OVERLAYS = 20
RESOURCE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web-{n}, labels: {{app: web-{n}}}}}
spec:
  replicas: 1
  selector: {{matchLabels: {{app: web-{n}}}}}
  template:
    metadata: {{labels: {{app: web-{n}}}}}
    spec:
      containers:
      - name: web
        image: web:1.0
        envFrom: [{{configMapRef: {{name: settings-{n}}}}}]
        env: [{{name: A, value: "{n}"}}, {{name: B, value: b}}]
---
apiVersion: v1
kind: Service
metadata: {{name: web-{n}}}
spec: {{selector: {{app: web-{n}}}, ports: [{{port: 80}}]}}
"""
OVERLAY = """\
resources: [../../base]
namePrefix: {name}-
namespace: {name}
labels: [{{pairs: {{env: {name}}}, includeSelectors: true}}]
images: [{{name: web, newTag: "2.0"}}]
replicas: [{{name: web-1, count: 3}}]
patches:
- target: {{kind: Deployment, name: web-2}}
  patch: |-
    - {{op: replace, path: /spec/replicas, value: 5}}
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {{name: web-3}}
    spec: {{template: {{spec: {{containers: [{{name: web, env: [{{name: B, value: c}}]}}]}}}}}}
"""


def write(folder: Path, resources: int, overlays: int = 1) -> list[Path]:
    """A base of so many resources (half of them deployments, half services) and its overlays."""
    base = folder / "base"
    base.mkdir(parents=True)
    numbers = range(resources // 2)
    (base / "app.yaml").write_text("---\n".join(RESOURCE.format(n=n) for n in numbers))
    generated = "".join(f"- {{name: settings-{n}, literals: [a={n}]}}\n" for n in numbers)
    (base / "kustomization.yaml").write_text(f"resources: [app.yaml]\nconfigMapGenerator:\n{generated}")
    found = []
    for number in range(overlays):
        over = folder / "overlays" / f"env-{number}"
        over.mkdir(parents=True)
        (over / "kustomization.yaml").write_text(OVERLAY.format(name=over.name))
        found.append(over)
    return found


def judge() -> str:
    """The kubectl of `make judges`; empty where it is not there."""
    place = os.environ.get("PLAIT_JUDGES") or str(Path(__file__).parents[1] / ".venv" / "judges")
    path = os.path.join(place, "kubectl")
    return path if os.path.exists(path) else ""


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as name:
        small, large = Path(name, "small"), Path(name, "large")
        write(small, 500, OVERLAYS)
        write(large, 2000)
        one = "overlays/env-0"
        measures = {
            "plait": lambda: command_cpu([PLAIT, "render", "--no-cache", one], cwd=small),
            "large": lambda: command_cpu([PLAIT, "render", "--no-cache", one], cwd=large),
        }
        kubectl = judge()
        if kubectl:
            measures["kustomize"] = lambda: command_cpu([kubectl, "kustomize", one], cwd=small)
        taken = interleaved(measures, 3)
        limit = TIMES * taken["kustomize"] if kubectl else None
        said = f"{taken['kustomize']:.2f}" if kubectl else "-"
        report("kustomize: one overlay over 500 resources, CPU seconds", taken["plait"], limit, kustomize=said)
        report("kustomize: four times as many resources, growth", taken["large"] / taken["plait"], GROWTH)
        every = command_cpu([PLAIT, "lint", "--no-cache"], cwd=small)
        report("kustomize: 20 overlays over 500 resources, CPU seconds", every, OVERLAYS * limit if limit else None)
