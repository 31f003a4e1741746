"""Proposals of `plait tidy` drawn by a fixed seed from repositories that look real, for people to judge:
`python -m benchmarks.proposals`. The verdicts are in docs/decisions/0106-tidy-has-a-room.md."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

from benchmarks.measure import stacks_repository

SEED, DRAWN = 47, 50
EXAMPLES = Path(__file__).parents[1] / "examples"
SERVICES = ("api", "web", "worker", "billing", "search")
STAGES = ("dev", "staging", "prod")
REGIONS = ("eu", "us")
SOME_SERVICES = 0.4


def layers(folder: Path, chance: random.Random) -> None:
    """Services in stages and regions, whose files were copied from each other and then changed here and there."""
    targets = []
    files = {
        "base.yaml": "log: {level: info, format: json}\nhttp:\n  port: 8080\n  timeout: 30\nlegacy:\n  queue: q1\n"
    }
    for stage in STAGES:
        level = "debug" if stage == "dev" else "info"
        files[f"stage/{stage}.yaml"] = f"log: {{level: {level}}}\nlegacy:\n  queue: {stage}\nstage: {stage}\n"
    for service in SERVICES:
        port = chance.choice((8080, 8080, 9000))
        files[f"services/{service}.yaml"] = f"name: {service}\nhttp:\n  port: {port}  # behind the proxy\n"
        for stage in STAGES:
            for region in REGIONS:
                name = f"{service}-{stage}-{region}"
                size = chance.choice((1, 2, 2)) if stage != "prod" else 4
                timeout = chance.choice((30, 30, 60))
                files[f"deploy/{name}.yaml"] = (
                    f"region: {region}\nreplicas: {size}\nhttp:\n  timeout: {timeout}\nteam: platform\n"
                )
                parts = ("base", f"stage/{stage}", f"services/{service}", f"deploy/{name}")
                targets.append(f"- {{name: {name}, layers: [{', '.join(f'{one}.yaml' for one in parts)}]}}\n")
    write(folder, {**files, "plait.yaml": "targets:\n" + "".join(targets)})


def chart(folder: Path, chance: random.Random) -> None:
    """A chart with files of values for environments, which repeat some of its defaults."""
    defaults = {"replicas": 2, "port": 80, "tag": "v1", "debug": "false", "cpu": "100m", "memory": "128Mi"}
    fields = "".join(f"  {name}: {{{{ .Values.{name} | quote }}}}\n" for name in defaults)
    files = {
        "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
        "chart/values.yaml": "".join(f"{name}: {value}\n" for name, value in defaults.items()) + "oldTag: v0\n",
        "chart/templates/settings.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: shop}}\ndata:\n{fields}",
    }
    targets = []
    for stage in STAGES:
        own = {name: chance.choice((value, value, f"{stage}1")) for name, value in defaults.items()}
        files[f"values/{stage}.yaml"] = "".join(f"{name}: {value}\n" for name, value in own.items())
        targets.append(f"- {{name: {stage}, chart: chart, values: [values/{stage}.yaml]}}\n")
    write(folder, {**files, "plait.yaml": "targets:\n" + "".join(targets)})


def overlays(folder: Path, chance: random.Random) -> None:
    """A base of kustomize, and overlays whose patches were copied."""
    files = {"base/kustomization.yaml": f"resources: [{', '.join(f'{one}.yaml' for one in SERVICES)}]\n"}
    form = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {name}\nspec:\n  replicas: {count}\n{more}"
    for name in SERVICES:
        files[f"base/{name}.yaml"] = form.format(name=name, count=2, more="  paused: false\n")
    for stage in STAGES:
        patched = [name for name in SERVICES if chance.random() > SOME_SERVICES]
        rows = "".join(f"- path: {name}.yaml\n" for name in patched)
        files[f"overlays/{stage}/kustomization.yaml"] = f"resources: [../../base]\npatches:\n{rows}"
        for name in patched:
            files[f"overlays/{stage}/{name}.yaml"] = form.format(
                name=name, count=chance.choice((2, 2, 5)), more=f"  minReadySeconds: {chance.choice((5, 10))}\n"
            )
    write(folder, files)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def rows(name: str, folder: Path) -> list[tuple[str, str, str, str, str]]:
    """Every proposal for a repository that is proved."""
    from plait.workspace import Workspace

    found = Workspace(str(folder), cache=False).tidy().proposals
    above = os.path.relpath(folder) + "/"
    return [
        (one.kind, name, str(Path(one.file.path).relative_to(folder)) + f":{one.line}", one.text or one.path,
         one.reason.replace(above, ""))
        for one in found
    ]  # fmt: skip


def drawn(place: Path) -> list[tuple[str, str, str, str, str]]:
    """The proposals to judge: of each kind in each repository as many, as far as there are so many."""
    chance = random.Random(SEED)
    found: list[tuple[str, str, str, str, str]] = []
    for made in (layers, chart, overlays):
        made(place / made.__name__, chance)
        found += rows(made.__name__, place / made.__name__)
    for name in ("review/after", "stacks"):
        shutil.copytree(EXAMPLES / name, place / name)
        found += rows(name, place / name)
    with stacks_repository(6) as folder:
        found += rows("generated stacks", folder) if folder is not None else []
    kinds: dict[tuple[str, str], list[tuple[str, str, str, str, str]]] = {}
    for row in sorted(found):
        kinds.setdefault(row[:2], []).append(row)
    for several in kinds.values():
        chance.shuffle(several)
    picked = [row for turn in range(DRAWN) for several in kinds.values() for row in several[turn : turn + 1]]
    return sorted(picked[:DRAWN])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        for number, row in enumerate(drawn(Path(name).resolve()), 1):
            print(f"| {number} | {' | '.join(row)} |")
