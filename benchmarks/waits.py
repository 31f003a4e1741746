"""Where people wait: edits in large files, origins of every line, many mistakes, long lists in templates; each against
the smaller question that it contains, and against four times as much."""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measure import PLAIT, PYTHON, Report, call_cpu, command_cpu, command_peak, interleaved, reading_cpu
from plait.gotemplate import parse

GROWTH = 4.6
PLACE = "services.service-77.replicas"
TEMPLATE = """{{- range $i, $s := .services }}
- name: {{ $s.name | quote }}
  image: {{ printf "%s:%s" $s.image $s.tag }}
  {{- if $s.enabled }}
  replicas: {{ $s.replicas | default 1 }}
  {{- end }}
  ports: {{ range $s.ports }}{{ . }} {{ end }}
{{- end }}
"""


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        edits(report, folder)
        origins(report, folder)
        mistakes(report, folder)
    long_list(report)


def edits(report: Report, folder: Path) -> None:
    """One value of a file of 9 MB, set and read."""
    file = folder / "large.yaml"
    file.write_text(services(16_000))
    get = [PLAIT, "get", str(file), PLACE, "--no-cache"]
    change = [PLAIT, "set", str(file), PLACE, "11", "--dry-run", "--no-cache"]
    took = interleaved({"get": partial(command_cpu, get), "set": partial(command_cpu, change)}, 3, min)
    report("set in a file of 9 MB / get", took["set"] / took["get"], 1.5, seconds=round(took["set"], 2))
    peaks = command_peak(change), command_peak(get)
    report("set in a file of 9 MB / get, memory", peaks[0] / peaks[1], 1.5, megabytes=round(peaks[0]))


def origins(report: Report, folder: Path) -> None:
    """The origins of 40,000 values, beside the merge alone: of nested maps, and of keys in one map. The floor is to
    read both layers with PyYAML in C."""
    few, many, flat = layers(folder, 600), layers(folder, 2400), one_map(folder, 40_000)
    words = {"merge": ["merge"], "origins": ["merge", "--origins"], "blame": ["blame"]}
    measures = {
        f"{name} of {shape}": partial(quiet, [PLAIT, *some, *files, "--no-cache"])
        for shape, files in (("values", many), ("keys", flat))
        for name, some in words.items()
    }
    measures["less"] = partial(quiet, [PLAIT, "blame", *few, "--no-cache"])
    measures["floor"] = partial(reading_cpu, many)
    took = interleaved(measures, 3, min)
    for shape in ("values", "keys"):
        ratio = took[f"blame of {shape}"] / took[f"merge of {shape}"]
        report(f"blame of 40,000 {shape} / merge", ratio, 2.0, seconds=round(took[f"blame of {shape}"], 2))
        report(
            f"merge --origins of 40,000 {shape} / merge", took[f"origins of {shape}"] / took[f"merge of {shape}"], 2.0
        )
    report("blame of 40,000 values / CSafeLoader of the layers", took["blame of values"] / took["floor"], 0.8)
    report("blame: four times as many values take", took["blame of values"] / took["less"], GROWTH)


def mistakes(report: Report, folder: Path) -> None:
    """References of a spiff template that are misspelt, among as many names that are there, beside right ones."""
    few, many, right = unresolved(folder, 1000), unresolved(folder, 4000), unresolved(folder, 4000, "net_")
    files = {"few": few, "many": many, "right": right}
    merge = [PLAIT, "spiff", "merge", "--no-cache"]
    took = interleaved({name: partial(quiet, [*merge, file]) for name, file in files.items()}, 3, min)
    report("4,000 unresolved references / resolved", took["many"] / took["right"], 5.0, seconds=round(took["many"], 2))
    report("unresolved references: four times as many take", took["many"] / took["few"], GROWTH)


def long_list(report: Report) -> None:
    """A Go template that goes through 10,000 items, beside the same lines made by a loop in Python, and by gotpl."""
    few, many = ({"services": [item(number) for number in range(count)]} for count in (2500, 10_000))
    template = parse(TEMPLATE)
    assert template.render(few) == in_python(few)
    measures = {
        "few": lambda: call_cpu(lambda: template.render(few)),
        "many": lambda: call_cpu(lambda: template.render(many)),
        "python": lambda: call_cpu(lambda: in_python(many)),
    }
    peer = by_gotpl(few)
    took = interleaved(measures | ({"gotpl": lambda: call_cpu(peer)} if peer is not None else {}), of=min)
    report("Go template over 10,000 items / 2,500", took["many"] / took["few"], GROWTH, seconds=round(took["many"], 2))
    report("Go template over 10,000 items / a loop in Python", took["many"] / took["python"], 22)
    if peer is None:
        print("gotpl: not installed, not compared (make bench installs it)")
    else:
        report("Go template over 2,500 items / gotpl", took["few"] / took["gotpl"], 1 / 3)


def in_python(data: dict[str, list[dict[str, Any]]]) -> str:
    """What the template writes, by a loop that knows it."""
    out = []
    for service in data["services"]:
        out.append(f'\n- name: "{service["name"]}"\n  image: {service["image"]}:{service["tag"]}')
        if service["enabled"]:
            out.append(f"\n  replicas: {service['replicas']}")
        out.append("\n  ports: ")
        out.extend(f"{port} " for port in service["ports"])
    return "".join(out) + "\n"


def by_gotpl(data: dict[str, list[dict[str, Any]]]) -> Callable[[], str] | None:
    """The template as gotpl renders it, where that is installed."""
    try:
        import gotpl
        from gotpl.funcs.sprig import text_func_map
    except ImportError:
        return None
    template = gotpl.Environment(functions=text_func_map()).from_string(TEMPLATE)
    return lambda: str(template.render(data))


def item(number: int) -> dict[str, Any]:
    """One service as a template reads it."""
    on = number % 3 > 0
    ports = [80, 443]
    return {"name": f"s{number}", "image": f"app{number}", "tag": "1.2", "enabled": on, "replicas": 2, "ports": ports}


def quiet(argv: list[str]) -> float:
    """The CPU time of a command that reports something, or ends with a status of its own."""
    return command_cpu([PYTHON, "-c", f"import subprocess, sys; subprocess.run({argv!r}, stderr={subprocess.DEVNULL})"])


def services(count: int, seed: int = 1) -> str:
    """Values as charts have them: maps of five levels with lists, comments and quotes; about 600 bytes a service."""
    chance = random.Random(seed)
    return "# all services\nservices:\n" + "".join(service(number, chance) for number in range(count))


def service(number: int, chance: random.Random) -> str:
    return f"""\
  service-{number}:  # number {number}
    enabled: {chance.choice(["true", "false"])}
    image:
      repository: "registry.example/team/app-{number}"
      tag: "1.{chance.randrange(100)}.{chance.randrange(10)}"
    replicas: {chance.randrange(1, 9)}
    # what it may use
    resources:
      limits: {{cpu: {chance.randrange(1, 20)}00m, memory: {chance.randrange(64, 512)}Mi}}
      requests:
        cpu: 50m
        memory: 64Mi
    ports: [{8000 + number % 1000}, {chance.randrange(9000, 9999)}]
    probes:
      ready:
        http:
          path: /ready
          headers:
          - name: Host
            value: app-{number}.example
    env:
    - name: LOG_LEVEL
      value: {chance.choice(["info", "debug", "warning"])}
    - name: REGION
      value: eu-central-1
"""


def layers(folder: Path, count: int) -> list[str]:
    """A base and an override that changes a fifth of its services."""
    base, prod = folder / f"values-{count}.yaml", folder / f"values-{count}-prod.yaml"
    base.write_text(services(count))
    prod.write_text(
        "services:\n"
        + "".join(
            f"  service-{number}:\n    replicas: 12\n    image: {{tag: '2.{number}'}}\n"
            f"    resources:\n      limits:\n        memory: 1Gi\n"
            for number in range(0, count, 5)
        )
    )
    return [str(base), str(prod)]


def one_map(folder: Path, count: int) -> list[str]:
    """A base of keys in one map, and an override that changes a fifth of them."""
    base, prod = folder / f"keys-{count}.yaml", folder / f"keys-{count}-prod.yaml"
    base.write_text("".join(f"key_{number}: value {number}\n" for number in range(count)))
    prod.write_text("".join(f"key_{number}: other {number}\n" for number in range(0, count, 5)))
    return [str(base), str(prod)]


def unresolved(folder: Path, count: int, prefix: str = "nte_") -> str:
    """A spiff template in which so many references are misspelt, or not, among as many that are found."""
    file = folder / f"{prefix}{count}.yml"
    networks = "".join(f"  net_{number}: {{range: 10.0.0.{number % 256}}}\n" for number in range(count))
    jobs = "".join(
        f"  - name: job-{number}\n    properties:\n      network: (( networks.{prefix}{number}.range ))\n"
        f"      domain: (( meta.domain ))\n"
        for number in range(count)
    )
    file.write_text(f"meta:\n  domain: example.org\nnetworks:\n{networks}jobs:\n{jobs}")
    return str(file)
