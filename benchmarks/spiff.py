"""spiff: chains, jobs, references and sums, against reading the same files with PyYAML, and against ten times as much.

The original is not at hand; on the machine of the requirement it needs 21 s for the chain, 8.5 s for the jobs, 4.0 s
for the references.
"""

from __future__ import annotations

import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

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
        _sums(folder, report)
        _beside_jsonnet(folder, report)


SUMS = {
    "a sum": "base.x + {0}",
    "a longer sum": "(base.x - {0}) * {1} + base.y",
    "a text": '"n" base.x "-" {0}',
    "a list": "[{0}, base.x, {1}]",
    "a choice": "base.x + {0} > {1} ? base.y :{1}",
}
"""Expressions of several shapes, with literals that are other ones in each text."""


def _written(folder: Path, name: str, form: str, count: int) -> list[str]:
    file = folder / f"{name.replace(' ', '-')}-{count}.yml"
    lines = (f"  v{number}: (( {form.format(number, number * 7 + 1)} ))\n" for number in range(count))
    file.write_text("base: {x: 3, y: 5}\nvalues:\n" + "".join(lines))
    return [str(file)]


def _sums(folder: Path, report: Report) -> None:
    """20,000 expressions that differ in literals, beside 20,000 references to as many values."""
    count = 20_000
    plain = folder / "plain.yml"
    values = "".join(f"  x{number}: {number}\n" for number in range(count))
    plain.write_text("base:\n" + values + "values:\n" + "".join(f"  v{n}: (( base.x{n} ))\n" for n in range(count)))
    files = {name: _written(folder, name, form, count) for name, form in SUMS.items()}
    measures = {name: partial(merge, names) for name, names in files.items()}
    took = interleaved({"references": partial(merge, [str(plain)])} | measures, 3, min)
    for name in SUMS:
        limit = 2.0 if "sum" in name or "text" in name else None
        report(f"20,000 of {name} / references", took[name] / took["references"], limit, parsed=parsed(files[name]))


def parsed(files: list[str]) -> int:
    """How many texts of expressions a merge parses."""
    from plait.notations.dynaml import shapes
    from plait.notations.dynaml.parse import parse

    shapes._SHAPES.clear()
    with patch.object(shapes, "parse", wraps=parse) as parser:
        counters(files)
    return parser.call_count


def _jobs(folder: Path, report: Report) -> None:
    """Jobs of ten expressions in a long list: what all of them take, and the memory at its peak."""
    for count, (seconds, megabytes) in JOBS.items():
        files = _files("jobs", count, folder)
        if files:
            argv = [PLAIT, "spiff", "merge", "--no-cache", "--max-seconds", "900", *files]
            report(f"{count:,} jobs, seconds", command_cpu(argv), seconds)
            report(f"{count:,} jobs, MB at its peak", command_peak(argv), megabytes)


def _beside_jsonnet(folder: Path, report: Report) -> None:
    """100,000 references and as many sums beside the same in Jsonnet, computed in Rust and without origins."""
    target = folder / "jsonnet"
    target.mkdir()
    theirs = workload("refs", 100_000, target, "--dialect", "jsonnet")
    if not theirs or find_spec("rjsonnet") is None:
        print("rjsonnet: not installed, not compared (make bench installs it)")
        return
    ours = [str(folder / "refs-100000" / "refs.yml")]
    sums = target / "sums.jsonnet"
    fields = "".join(f"v{number}: base.x + {number},\n" for number in range(100_000))
    sums.write_text(f"local base = {{x: 3}}; {{values: {{{fields}}}}}")
    measures = {
        "references": partial(merge, ours),
        "sums": partial(merge, _written(folder, "sum", SUMS["a sum"], 100_000)),
        "their references": partial(command_cpu, [PYTHON, "-c", JSONNET, *theirs]),
        "their sums": partial(command_cpu, [PYTHON, "-c", JSONNET, str(sums)]),
    }
    took = interleaved(measures, 3, min)
    for name, limit in (("references", 1.0), ("sums", 3.0)):
        ratio = took[name] / took[f"their {name}"]
        report(f"100,000 {name} / rjsonnet", ratio, limit, seconds=round(took[name], 2))


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
