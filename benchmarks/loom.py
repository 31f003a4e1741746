"""The loom: merging, references, start-up and memory, against PyYAML and plain dictionaries."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.measure import (
    PLAIT,
    PYTHON,
    Report,
    command_cpu,
    command_instructions,
    command_peak,
    interleaved,
    workload,
)
from plait.core import native

FLOOR = """
import sys, yaml

def merge(low, high):
    for key, value in high.items():
        if isinstance(value, dict) and isinstance(low.get(key), dict):
            merge(low[key], value)
        elif key == "items" and isinstance(value, list) and isinstance(low.get(key), list):
            index = {item["name"]: item for item in low[key]}
            for item in value:
                if item["name"] in index:
                    merge(index[item["name"]], item)
                else:
                    low[key].append(item)
        else:
            low[key] = value

result = {}
for name in sys.argv[1:]:
    with open(name) as file:
        merge(result, yaml.load(file, yaml.CSafeLoader))
yaml.dump(result, sys.stdout, Dumper=yaml.CSafeDumper, sort_keys=False)
"""


def chain(count: int, folder: Path) -> str:
    """One file of references, each to the one before it, written in reverse."""
    file = folder / f"chain-{count}.yaml"
    links = "".join(f"  k{i}: !ref chain.k{i - 1}\n" for i in range(count, 0, -1))
    file.write_text(f"chain:\n{links}  k0: seed\n")
    return str(file)


def counters(files: list[str], **options: object) -> dict[str, int]:
    """The work that a merge does."""
    import plait

    document = plait.merge(files, **options)  # type: ignore[arg-type]
    document.value()
    return document.counters


def growth(name: str, small: list[str], large: list[str], empty: str, report: Report) -> None:
    """How much longer ten times as much takes, less an empty merge."""
    took = interleaved(
        {
            "empty": lambda: command_cpu([PLAIT, "merge", "--no-cache", empty]),
            "small": lambda: command_cpu([PLAIT, "merge", "--no-cache", *small]),
            "large": lambda: command_cpu([PLAIT, "merge", "--no-cache", *large]),
        },
        7,
    )
    report(f"{name}: ten times as much takes", (took["large"] - took["empty"]) / (took["small"] - took["empty"]), 12)


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        floor = folder / "floor.py"
        floor.write_text(FLOOR)
        empty = folder / "empty.yaml"
        empty.write_text("{}\n")
        start_up(folder, report)
        merging("deep-merge", [], str(floor), folder, str(empty), report, 0.16 if native.scan else 0.55)
        lists = ["--list", "items=key:name"]
        merging("keyed-merge", lists, str(floor), folder, str(empty), report, 0.25 if native.scan else 0.55)
        references(folder, str(empty), report)


def start_up(folder: Path, report: Report) -> None:
    small = []
    for index in range(2):
        file = folder / f"small-{index}.yaml"
        file.write_text("".join(f"key{i}: {{value: {i + index}, text: some words}}\n" for i in range(14)))
        small.append(str(file))
    took = interleaved(
        {
            "python": lambda: command_cpu([PYTHON, "-c", "pass"]),
            "help": lambda: command_cpu([PLAIT, "--help"]),
            "merge": lambda: command_cpu([PLAIT, "merge", *small]),
        },
        15,
        min,
    )
    report("plait --help / python -c pass", took["help"] / took["python"], 3)
    limit = 2.5 if native.scan else 5
    report("merging two 500-byte files / python -c pass", took["merge"] / took["python"], limit)
    counted = [command_instructions(argv) for argv in ([PYTHON, PLAIT, "merge", *small], [PYTHON, "-c", "pass"])]
    if counted[0] is None or counted[1] is None:
        print("valgrind: not installed, instructions are not counted")
    else:
        report("the same, instructions", counted[0] / counted[1], limit, merge=counted[0])


def merging(name: str, options: list[str], floor: str, folder: Path, empty: str, report: Report, limit: float) -> None:
    files = {}
    for count in (1000, 3000, 10000, 30000):
        target = folder / f"{name}-{count}"
        target.mkdir()
        files[count] = workload(name, count, target, "--dialect", "plain")
    if not files[10000]:
        return
    took = interleaved(
        {
            "floor": lambda: command_cpu([PYTHON, floor, *files[10000]]),
            "cold": lambda: command_cpu([PLAIT, "merge", "--no-cache", *options, *files[10000]]),
            "warm": lambda: command_cpu([PLAIT, "merge", *options, *files[10000]]),
        }
    )
    lists = {"lists": [options[1]]} if options else {}
    report(f"{name} 10000 / floor", took["cold"] / took["floor"], limit, **counters(files[10000], **lists))
    report(f"{name} 10000 / floor, warm cache", took["warm"] / took["floor"])
    if not options:
        peaks = [
            command_peak([PLAIT, "merge", "--no-cache", *files[10000]]),
            command_peak([PYTHON, floor, *files[10000]]),
        ]
        report(f"{name} 10000 peak memory / floor", peaks[0] / peaks[1], 3, megabytes=round(peaks[0]))
    growth(name, [*options, *files[3000]], [*options, *files[30000]], empty, report)


def references(folder: Path, empty: str, report: Report) -> None:
    small, large = chain(3_000, folder), chain(30_000, folder)
    huge = chain(100_000, folder)
    growth("chain of !ref", [small], [large], empty, report)
    counted = counters([huge])
    report("chain of 100,000 !ref: forced once each", counted["forced"] / 100_000, 1, **counted)
