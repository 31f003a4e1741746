"""Two layers merged by other Python tools: CPU time of whole commands, each as a script of a few lines."""

from __future__ import annotations

import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import PLAIT, PYTHON, Report, command_cpu, interleaved

SERVICES, CHANGED = 1000, 100
MERGE = """
def merge(low, high):
    for key, value in high.items():
        if isinstance(value, dict) and isinstance(low.get(key), dict):
            merge(low[key], value)
        else:
            low[key] = value
    return low
"""
PEERS = {
    "PyYAML, C loader": (
        "yaml",
        "import sys, yaml" + MERGE + "low, high = (yaml.load(open(name), yaml.CSafeLoader) for name in sys.argv[1:])\n"
        "yaml.dump(merge(low, high), sys.stdout, yaml.CSafeDumper, sort_keys=False)",
    ),
    "PyYAML, Python loader": (
        "yaml",
        "import sys, yaml" + MERGE + "low, high = (yaml.safe_load(open(name)) for name in sys.argv[1:])\n"
        "yaml.safe_dump(merge(low, high), sys.stdout, sort_keys=False)",
    ),
    "ruamel.yaml, comments kept": (
        "ruamel.yaml",
        "import sys\nfrom ruamel.yaml import YAML\nyaml = YAML()" + MERGE + "low, high = (yaml.load(open(name)) "
        "for name in sys.argv[1:])\nyaml.dump(merge(low, high), sys.stdout)",
    ),
    "hiyapyco": (
        "hiyapyco",
        "import sys, hiyapyco\nmerged = hiyapyco.load(*sys.argv[1:], method=hiyapyco.METHOD_MERGE)\n"
        "print(hiyapyco.dump(merged))",
    ),
    "OmegaConf": (
        "omegaconf",
        "import os, sys\nos.environ['OMEGACONF_MAX_YAML_EXPANDED_NODES'] = '1000000'  # it reads 10,000 by itself\n"
        "from omegaconf import OmegaConf\nmerged = OmegaConf.merge(*map(OmegaConf.load, sys.argv[1:]))\n"
        "print(OmegaConf.to_yaml(merged))",
    ),
}
"""What a tool is called, the module it needs, and the same merge with it."""


def layers(folder: Path) -> list[str]:
    """Services with nested settings, and a layer that changes some of them."""
    names = [str(folder / "base.yaml"), str(folder / "prod.yaml")]
    for name, count, replicas in ((names[0], SERVICES, 1), (names[1], CHANGED, 3)):
        text = "".join(
            f"  service-{number}:\n    image: registry.example/service-{number}:1.0\n    replicas: {replicas}\n"
            f"    env: {{LOG: info, REGION: eu-central-1}}\n    resources:\n      memory: 256\n      cpu: 0.5\n"
            for number in range(count)
        )
        Path(name).write_text(f"services:\n{text}", encoding="utf-8")
    return names


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as name:
        files = layers(Path(name))
        scripts = {peer: script for peer, (module, script) in PEERS.items() if find_spec(module) is not None}
        measures = {"plait": partial(command_cpu, [PLAIT, "merge", *files, "--no-cache"])}
        measures |= {peer: partial(command_cpu, [PYTHON, "-c", script, *files]) for peer, script in scripts.items()}
        taken = interleaved(measures)
    for peer in scripts:
        report(f"plait merge / {peer}", taken["plait"] / taken[peer], services=SERVICES, changed=CHANGED)
    for peer in PEERS.keys() - scripts.keys():
        print(f"{peer}: not installed, not compared (make bench installs it)")
