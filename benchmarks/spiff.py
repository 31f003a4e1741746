"""spiff: chains, jobs and references, against reading the same files with PyYAML, and against ten times as much.

The original is not at hand; on the machine of the requirement it needs 21 s for the chain, 8.5 s for the jobs, 4.0 s
for the references.
"""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import LONG, PLAIT, PYTHON, Report, command_cpu, command_peak, interleaved, workload
from plait.core import native

FLOOR = """
import sys, yaml

class Loader(yaml.CSafeLoader):
    def flatten_mapping(self, node):  # `<<` is an ordinary key here
        pass

Loader.add_constructor("tag:yaml.org,2002:merge", Loader.construct_yaml_str)

for name in sys.argv[1:]:
    with open(name) as file:
        yaml.load(file, Loader)
"""

JSONNET = "import sys, rjsonnet; sys.stdout.write(rjsonnet.evaluate_file(sys.argv[1]))"

WORKLOADS = {
    # name: (size that is limited, seconds more than an empty merge, times the floor, sizes that show the growth)
    "chain": (3000, 1.0, 3.0, (10_000, 100_000)),
    "jobs": (1000, 2.0, 6.0, (1_000, 10_000)),
    "refs": (10000, 1.5, 1.3 if native.scan else 3.0, (10_000, 100_000)),
}
JOBS = {10_000: (20.0, 80)} | ({100_000: (60.0, 500)} if LONG else {})
"""How many jobs: the seconds and the megabytes that they may take. 100,000 are for `PLAIT_BENCH_LONG=1` only."""
GROWTH = 12
"""Ten times as much may take twelve times as long, less an empty merge. Both sizes take long beside starting up: 10,000
and 100,000 references."""


def merge(files: list[str]) -> float:
    return command_cpu([PLAIT, "spiff", "merge", "--no-cache", *files])


def counters(files: list[str]) -> dict[str, int]:
    """The work that a merge does."""
    from plait.fronts.project import Project
    from plait.fronts.spiff import Spiff

    front = Spiff(Project("."))
    front.merge([front.project.admit(name) for name in files])
    return front.project.counters.as_dict()


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        floor = folder / "floor.py"
        floor.write_text(FLOOR)
        empty = folder / "empty.yml"
        empty.write_text("{}\n")
        for kind, (count, seconds, times, sizes) in WORKLOADS.items():
            files = {size: _files(kind, size, folder) for size in {count, *sizes}}
            if files[count]:
                _limits(f"{kind} {count}", files[count], str(floor), str(empty), seconds, times, report)
                _growth(kind, [files[size] for size in sizes], str(empty), report)
        _jobs(folder, report)
        _beside_jsonnet(folder, report)


def _jobs(folder: Path, report: Report) -> None:
    """Jobs of ten expressions in a long list: what all of them take, and the memory at its peak."""
    for count, (seconds, megabytes) in JOBS.items():
        files = _files("jobs", count, folder)
        if files:
            argv = [PLAIT, "spiff", "merge", "--no-cache", "--max-seconds", "900", *files]
            report(f"{count:,} jobs, seconds", command_cpu(argv), seconds)
            report(f"{count:,} jobs, MB at its peak", command_peak(argv), megabytes)


def _beside_jsonnet(folder: Path, report: Report) -> None:
    """100,000 references beside the same in Jsonnet, computed in Rust and without origins."""
    target = folder / "jsonnet"
    target.mkdir()
    theirs = workload("refs", 100_000, target, "--dialect", "jsonnet")
    if not theirs or find_spec("rjsonnet") is None:
        print("rjsonnet: not installed, not compared (make bench installs it)")
        return
    ours = [str(folder / "refs-100000" / "refs.yml")]
    took = interleaved(
        {"ours": lambda: merge(ours), "theirs": lambda: command_cpu([PYTHON, "-c", JSONNET, *theirs])}, 3, min
    )
    report("100,000 references / rjsonnet", took["ours"] / took["theirs"], 1.0, seconds=round(took["ours"], 2))


def _files(kind: str, count: int, folder: Path) -> list[str]:
    target = folder / f"{kind}-{count}"
    target.mkdir(exist_ok=True)
    return workload(kind, count, target, *(() if kind == "jobs" else ("--dialect", "spiff")))


def _limits(name: str, files: list[str], floor: str, empty: str, seconds: float, times: float, report: Report) -> None:
    took = interleaved(
        {
            "empty": lambda: merge([empty]),
            "merge": lambda: merge(files),
            "floor": lambda: command_cpu([PYTHON, floor, *files]),
        }
    )
    report(f"{name}: seconds more than an empty merge", took["merge"] - took["empty"], seconds, **counters(files))
    report(f"{name} / CSafeLoader of the same files", took["merge"] / took["floor"], times)


def _growth(kind: str, sizes: list[list[str]], empty: str, report: Report) -> None:
    small, large = sizes
    measures = {"empty": lambda: merge([empty]), "small": lambda: merge(small), "large": lambda: merge(large)}
    took = interleaved(measures, 4, min)
    ratio = (took["large"] - took["empty"]) / (took["small"] - took["empty"])
    work = counters(large)["steps"] / counters(small)["steps"]
    report(f"{kind}: ten times as much takes", ratio, GROWTH, steps=f"{work:.2f} times")
