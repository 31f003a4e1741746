"""A values file of 4,700 lines with an override, as people of Helm have them, and reading by the rules of YAML 1.1."""

from __future__ import annotations

import random
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measure import PLAIT, PYTHON, Report, call_cpu, command_cpu, interleaved
from plait.core.source import Source
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan
from plait.yaml.schema import CORE, YAML11

LINES = 4700
SCHEMAS = {"1.2": CORE, "1.1": YAML11}


def values(seed: int) -> str:
    """About 4,700 lines: sections of a chart, with comments, switches, resources, lists and quoted texts."""
    rng = random.Random(seed)
    lines: list[str] = []
    while len(lines) < LINES:
        number = len(lines)
        lines += [
            f"## @param service{number} One of many",
            f"service{number}:",
            f"  enabled: {rng.choice(['true', 'false'])}",
            "  image:",
            f"    repository: registry.example/team/app-{number}",
            f'    tag: "1.{number}"',
            "    pullPolicy: IfNotPresent",
            "  resources:",
            f"    limits: {{cpu: {number}m, memory: {rng.randrange(64, 512)}Mi}}",
            "    requests: {}",
            f"  ports: [{8000 + number % 1000}, 9090]",
            "  nodeSelector:",
            "    kubernetes.io/os: linux",
            "  extraEnv:",
            f"  - name: MODE_{number}",
            "    value: 'on'",
        ]
    return "\n".join(lines[:LINES]) + "\n"


def override(seed: int) -> str:
    return "".join(f"service{16 * at}: {{enabled: true, image: {{tag: '2'}}}}\n" for at in range(20))


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base, prod = Path(folder) / "values.yaml", Path(folder) / "values-prod.yaml"
        base.write_text(values(1), encoding="utf-8")
        prod.write_text(override(1), encoding="utf-8")
        merge = [PLAIT, "merge", str(base), str(prod), "--profile", "helm"]
        took = interleaved(
            {
                "python": lambda: command_cpu([PYTHON, "-c", "pass"]),
                "cold": lambda: command_cpu([*merge, "--no-cache"]),
                "cached": lambda: command_cpu(merge, cwd=folder),
            },
            of=min,
        )
        report("merging 4,700 lines of values, cold / python -c pass", took["cold"] / took["python"], 5)
        report("merging 4,700 lines of values, cached / python -c pass", took["cached"] / took["python"], 5)
    source = Source("values.yaml", values(1))

    def read(version: str) -> float:
        reading = Reading(schema=SCHEMAS[version], text_keys=version == "1.1")
        return call_cpu(lambda: [build(program, source, reading) for program in scan(source)])

    took = interleaved({version: partial(read, version) for version in SCHEMAS}, rounds=15, of=min)
    report("reading by the rules of YAML 1.1 / of YAML 1.2", took["1.1"] / took["1.2"], 1.05, lines=LINES)
