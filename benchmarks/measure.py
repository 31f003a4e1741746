"""How things are measured: CPU time of whole commands and of pieces, medians of interleaved rounds."""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PYTHON = sys.executable
PLAIT = str(Path(sys.executable).with_name("plait"))
ROUNDS = int(os.environ.get("PLAIT_BENCH_ROUNDS", "5"))

LONG = bool(os.environ.get("PLAIT_BENCH_LONG"))
"""Whether sizes are measured, too, that take minutes."""

READ = """
import sys, yaml
yaml.CSafeLoader.add_constructor("!append", lambda loader, node: loader.construct_sequence(node, deep=True))
for name in sys.argv[1:]:
    with open(name) as file:
        list(yaml.load_all(file, yaml.CSafeLoader))
"""
"""The floor of whatever reads files: PyYAML in C reads them, and does nothing with them."""

Report = Callable[..., None]
"""`report(name, value, limit, **counters)` prints one row; a value above its limit makes the run fail."""


def command_cpu(argv: Sequence[str], **kwargs: object) -> float:
    """Seconds of CPU time that one command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True, **kwargs)  # type: ignore[call-overload]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def command_instructions(argv: Sequence[str]) -> int | None:
    """Instructions of one command outside the kernel, which other work on the machine does not change; None without
    valgrind."""
    if shutil.which("valgrind") is None:
        return None
    counting = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run([*counting, *argv], capture_output=True, check=True, text=True)
    return int(run.stderr.rpartition("refs:")[2].split()[0].replace(",", ""))


def command_peak(argv: Sequence[str], folder: Path | None = None) -> float:
    """Megabytes that one command needs at its peak."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    out = subprocess.run([PYTHON, "-c", code, *argv], capture_output=True, check=True, text=True, cwd=folder).stdout
    return int(out) / 1024


def reading_cpu(files: Sequence[str]) -> float:
    """Seconds of CPU time that reading files takes at least; see `READ`."""
    return command_cpu([PYTHON, "-c", READ, *files])


def call_cpu(function: Callable[[], object]) -> float:
    """Seconds of CPU time that one call takes."""
    before = time.process_time()
    function()
    return time.process_time() - before


def interleaved(
    measures: Mapping[str, Callable[[], float]],
    rounds: int = ROUNDS,
    of: Callable[[list[float]], float] = statistics.median,
) -> dict[str, float]:
    """The median of each measure, taken in turns so that a slow moment hits all of them.

    Of commands that take equally long, the least may be compared: other work on the machine only adds.
    """
    taken: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            taken[name].append(measure())
    return {name: of(values) for name, values in taken.items()}


def workload(name: str, count: int, folder: Path, *options: str) -> list[str]:
    """The files of a shared workload, or nothing where the generator is not at hand."""
    generator = Path(__file__).parents[2] / "shared" / "workloads.py"
    if not generator.exists():
        return []
    argv = [PYTHON, str(generator), name, str(count), "--out", str(folder), *options]
    return subprocess.run(argv, capture_output=True, check=True, text=True).stdout.split()


def on_stacks(report: Report, *parts: Callable[[Report, Path], None]) -> None:
    """Run the parts of a benchmark on one large repository of stacks; nothing without the workloads."""
    with stacks_repository() as folder:
        if folder is not None:
            for part in parts:
                part(report, folder)


@contextmanager
def stacks_repository(count: int = 195) -> Iterator[Path | None]:
    """The large repository of stacks in a folder of its own, with a cache of its own; None without the workloads."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "repository"
        os.environ["XDG_CACHE_HOME"] = str(Path(place) / "cache")
        yield folder if workload("stacks", count, folder) else None
