"""Four times as many names, documents and layers: what may cost more than four times as much."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from benchmarks.measure import PLAIT, Report, command_cpu, interleaved, reading_cpu

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
GROWTH = 4.6


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lint = ["lint", "--no-cache"]
        few, many = resources(folder, 250), resources(folder, 1000)
        grown(report, "lint, files with 250 / 1,000 names each", lint, few, many, 4.0)
        merge = ["merge", "--profile", "kubernetes", "--no-cache"]
        few, many = resources(folder, 1000), resources(folder, 4000)
        grown(report, "merge --profile kubernetes, 2,000 / 8,000 documents", merge, few, many, 0.6)
        join = ["merge", "--no-cache"]
        grown(report, "merge, 200 / 800 layers with !append", join, layers(folder, 200), layers(folder, 800), 1.5)


def grown(report: Report, name: str, words: list[str], few: list[str], many: list[str], times: float) -> None:
    """How many times longer four times as much takes, and how many times the floor that is."""
    measures = {
        "few": lambda: command_cpu([PLAIT, *words, *few]),
        "many": lambda: command_cpu([PLAIT, *words, *many]),
        "floor": lambda: reading_cpu(many),
    }
    took = interleaved(measures, 3, min)
    report(name, took["many"] / took["few"], GROWTH, seconds=round(took["many"], 2))
    report(f"{name}: the larger / CSafeLoader", took["many"] / took["floor"], times)


def resources(folder: Path, count: int) -> list[str]:
    """Two files of Deployments with random names, none of them in both."""
    chance = random.Random(count)
    files = []
    for side in ("base", "prod"):
        file = folder / f"{side}-{count}.yaml"
        names = ["".join(chance.choice(LETTERS) for _ in range(chance.randint(8, 16))) for _ in range(count)]
        file.write_text("---\n".join(map(deployment, names)))
        files.append(str(file))
    return files


def deployment(name: str) -> str:
    return f"""\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: a{name}
  labels: {{app: {name}}}
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: main
        image: registry.example/{name}:1.0
        env:
        - {{name: MODE, value: "on"}}
"""


def layers(folder: Path, count: int) -> list[str]:
    """Files that each append twenty items to one list."""
    files = [folder / f"layer-{count}-{number}.yaml" for number in range(count)]
    for number, file in enumerate(files):
        file.write_text("vars:\n  tags: !append\n" + "".join(f"  - tag-{number}-{item}\n" for item in range(20)))
    return [str(file) for file in files]
