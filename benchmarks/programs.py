"""The same work by helm, kustomize and spiff++ themselves, where these programs are on the PATH: CPU time of whole
commands, on this machine and with this version of plait."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measure import PLAIT, Report, command_cpu, interleaved

RESOURCES = 200
TEMPLATE = """\
{{- range $i, $_ := until (int .Values.count) }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ printf "%s-%d" $.Release.Name $i }}}
data: {size: {{ $.Values.size | quote }}, text: {{ printf "%d of %d" $i (int $.Values.count) | quote }}}
{{- end }}
"""
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: map-{0}}}\ndata: {{size: '1'}}\n"


def files() -> dict[str, str]:
    """Return a chart, an overlay over a base, and a template with references, each with as many resources or values."""
    maps = "---\n".join(MAP.format(number) for number in range(RESOURCES))
    references = "".join(f"  v{number}: (( values.v{max(number - 1, 0)} ))\n" for number in range(1, RESOURCES))
    return {
        "chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 1.0.0\n",
        "chart/values.yaml": f"count: {RESOURCES}\nsize: small\n",
        "chart/templates/maps.yaml": TEMPLATE,
        "base/kustomization.yaml": "resources: [maps.yaml]\n",
        "base/maps.yaml": maps,
        "prod/kustomization.yaml": "resources: [../base]\nnamePrefix: prod-\nlabels: [{pairs: {env: prod}}]\n",
        "template.yaml": f"values:\n  v0: 1\n{references}",
    }


WORK: dict[str, tuple[tuple[str, ...], list[str], list[str]]] = {
    "helm": (("helm",), ["template", "web", "chart"], ["render", "chart", "--release", "web"]),
    "kustomize": (("kustomize",), ["build", "prod"], ["render", "prod"]),
    "spiff++": (("spiff++", "spiff"), ["merge", "template.yaml"], ["spiff", "merge", "template.yaml"]),
}
"""For each tool the names of its program, its words, and those of plait for the same."""


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as name:
        for path, text in files().items():
            (Path(name) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(name) / path).write_text(text, encoding="utf-8")
        for tool, (names, words, ours) in WORK.items():
            program = next(filter(None, map(shutil.which, names)), None)
            if program is None:
                print(f"{tool}: not on the PATH, not measured")
                continue
            taken = interleaved(
                {
                    "plait": partial(command_cpu, [PLAIT, "-C", name, *ours, "--no-cache"]),
                    tool: partial(command_cpu, ["env", "-C", name, program, *words]),
                }
            )
            report(f"plait / {tool}", taken["plait"] / taken[tool], resources=RESOURCES)
