"""Proposals of `plait tidy` drawn by a seed from repositories that look real, for people to judge:
`python -m benchmarks.proposals [SEED]`. The verdicts are in docs/decisions/0106-tidy-has-a-room.md."""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import stacks_repository

SEED, DRAWN = 4711, 50
EXAMPLES = Path(__file__).parents[1] / "examples"
SERVICES = ("api", "web", "worker", "billing", "search")
STAGES = ("dev", "staging", "prod")
ENVIRONMENTS = ("dev", "test", "staging", "prod", "dr")
REGIONS = ("eu", "us")
SOME, OFTEN, MOSTLY = 0.2, 0.6, 0.8
REMARKS = ("for the audit", "see the runbook", "agreed with the database team", "until the migration is done")


def copied(chance: random.Random, defaults: dict[str, object], own: dict[str, list[object]], indent: str = "") -> str:
    """The lines of a file that began as a copy: some are left out, some differ, some got a remark."""
    lines = []
    for key, value in defaults.items():
        if isinstance(value, dict):
            inner = copied(chance, value, own, f"{indent}  ")
            lines += [f"{indent}{key}:\n{inner}"] if inner else []
        elif chance.random() < OFTEN:
            chosen = chance.choice(own[key]) if key in own and chance.random() < OFTEN else value
            remark = f"  # {chance.choice(REMARKS)}" if chance.random() < SOME else ""
            lines.append(f"{indent}{key}: {chosen}{remark}\n")
    return "".join(lines)


def whole(defaults: dict[str, object], indent: str = "") -> str:
    """Defaults as lines."""
    return "".join(
        f"{indent}{key}:\n{whole(value, indent + '  ')}" if isinstance(value, dict) else f"{indent}{key}: {value}\n"
        for key, value in defaults.items()
    )


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
    """A chart with files of values for environments, which began as copies of its defaults."""
    defaults: dict[str, object] = {
        "replicaCount": 2,
        "image": {"repository": "shop/web", "tag": "1.4.2", "pullPolicy": "IfNotPresent"},
        "service": {"type": "ClusterIP", "port": 80},
        "resources": {"limits": {"cpu": "500m", "memory": "256Mi"}, "requests": {"cpu": "100m", "memory": "128Mi"}},
        "ingress": {"enabled": "false", "host": "shop.example.org"},
        "logLevel": "info",
        "podDisruptionBudget": {"enabled": "true", "minAvailable": 1},
    }
    own: dict[str, list[object]] = {
        "replicaCount": [1, 3], "tag": ["1.5.0", "1.4.1"], "memory": ["512Mi"], "enabled": ["true", "false"],
        "logLevel": ["debug", "warn"], "host": ["dev.example.org"],
    }  # fmt: skip
    fields = "".join(f"  {name.replace('.', '_')}: {{{{ .Values.{name} | quote }}}}\n" for name in paths(defaults))
    files = {
        "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
        "chart/values.yaml": whole(defaults) + "oldTag: v0\n",
        "chart/templates/settings.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: shop}}\ndata:\n{fields}",
    }
    targets = []
    for stage in ENVIRONMENTS:
        files[f"values/{stage}.yaml"] = copied(chance, defaults, own) or "{}\n"
        targets.append(f"- {{name: {stage}, chart: chart, values: [values/{stage}.yaml]}}\n")
    write(folder, {**files, "plait.yaml": "targets:\n" + "".join(targets)})


def paths(values: dict[str, object], above: str = "") -> list[str]:
    """The paths of all values."""
    rows = [(f"{above}{key}", value) for key, value in values.items()]
    return [one for path, value in rows for one in (paths(value, f"{path}.") if isinstance(value, dict) else [path])]


def landscape(folder: Path, chance: random.Random) -> None:
    """Stacks as a company has them: a catalog, mixins of stages and regions, an account for each stage."""
    defaults: dict[str, dict[str, object]] = {
        "vpc": {"cidr": "10.0.0.0/16", "nat_gateways": 1, "flow_logs": "true", "zones": "[a, b]"},
        "cluster": {
            "kubernetes_version": '"1.29"',
            "nodes": {"min": 2, "max": 6, "type": "m5.large"},
            "public": "false",
        },
        "database": {"engine_version": '"15.4"', "size": "db.t3.medium", "storage": 50, "deletion_protection": "true"},
        "web": {"replicas": 2, "memory": 512, "image_tag": "v1.9.0", "timeout": 30},
    }
    own: dict[str, list[object]] = {
        "cidr": ["10.1.0.0/16"], "nat_gateways": [2], "max": [10], "size": ["db.m5.large"], "storage": [200],
        "replicas": [1, 4], "memory": [1024], "image_tag": ["v1.8.3"], "engine_version": ['"14.9"'], "timeout": [60],
    }  # fmt: skip
    name = 'name_template: "{{ .vars.stage }}-{{ .vars.region }}"'
    files = {"atmos.yaml": f'stacks: {{base_path: stacks, included_paths: ["orgs/**/*"], {name}}}\n'}
    head = "components:\n  terraform:\n"
    for one, values in defaults.items():
        base = f"    {one}/defaults:\n      metadata: {{type: abstract, component: {one}}}\n      vars:\n"
        files[f"stacks/catalog/{one}.yaml"] = f"{head}{base}{whole(values, '        ')}"
    for stage in STAGES:
        files[f"stacks/mixins/stage/{stage}.yaml"] = f"vars:\n  stage: {stage}\n  owner: platform\n"
    for region in REGIONS:
        files[f"stacks/mixins/region/{region}.yaml"] = f"vars:\n  region: {region}\n  owner: platform\n"
    for stage in STAGES:
        for region in REGIONS:
            imports = [*(f"catalog/{one}" for one in defaults), f"mixins/stage/{stage}", f"mixins/region/{region}"]
            text = "import:\n" + "".join(f"- {one}\n" for one in imports) + f"vars:\n  owner: platform\n{head}"
            for one, values in defaults.items():
                lines = copied(chance, values, own, "        ") or "        {}\n"
                kind = f"metadata: {{component: {one}, inherits: [{one}/defaults]}}"
                text += f"    {one}:\n      {kind}\n      vars:\n{lines}"
            files[f"stacks/orgs/shop/{stage}/{region}.yaml"] = text
    write(folder, files)


def stubs(folder: Path, chance: random.Random) -> None:
    """A template of spiff with a stub for each environment, which began as a copy of the others."""
    defaults: dict[str, object] = {"instances": 2, "port": 8080, "log_level": '"info"', "release": '"3.1"'}
    own: dict[str, list[object]] = {"instances": [1, 5], "log_level": ["debug"], "release": ['"3.0"']}
    rows = "".join(f"  {key}: (( merge || {value} ))\n" for key, value in defaults.items())
    files = {"template.yml": f"properties:\n{rows}  domain: (( merge ))\n"}
    targets = []
    for stage in STAGES:
        lines = copied(chance, defaults, own, "  ")
        files[f"stubs/{stage}.yml"] = f"properties:\n  domain: {stage}.example.org\n{lines}"
        targets.append(f"- {{name: {stage}, template: template.yml, stubs: [stubs/{stage}.yml]}}\n")
    write(folder, {**files, "plait.yaml": "targets:\n" + "".join(targets)})


def overlays(folder: Path, chance: random.Random) -> None:
    """A base of kustomize, and overlays whose patches were copied."""
    files = {"base/kustomization.yaml": f"resources: [{', '.join(f'{one}.yaml' for one in SERVICES)}]\n"}
    form = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {name}\nspec:\n  replicas: {count}\n{more}"
    for name in SERVICES:
        files[f"base/{name}.yaml"] = form.format(name=name, count=2, more="  paused: false\n")
    for stage in STAGES:
        patched = [name for name in SERVICES if chance.random() < OFTEN]
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

    found = Workspace(str(folder), cache=False).tidying.proposals().proposals
    above = os.path.relpath(folder) + "/"
    return [
        (one.kind, name, str(Path(one.file.path).relative_to(folder)) + f":{one.line}", one.text or one.path,
         one.reason.replace(above, ""))
        for one in found
    ]  # fmt: skip


def drawn(place: Path, seed: int) -> list[tuple[str, str, str, str, str]]:
    """The proposals to judge: of each kind in each repository as many, as far as there are so many."""
    chance = random.Random(seed)
    found: list[tuple[str, str, str, str, str]] = []
    for made in (layers, chart, landscape, stubs, overlays):
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
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    with tempfile.TemporaryDirectory() as name:
        for number, row in enumerate(drawn(Path(name).resolve(), asked), 1):
            print(f"| {number} | {' | '.join(row)} |")
