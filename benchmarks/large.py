"""Repositories that outgrow one process: several of them on this machine, and ten times as many stacks."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.measure import PLAIT, Report, command_cpu, command_peak, interleaved, stacks_repository

SMALL, LARGE = 195, 1950
WORDS = [PLAIT, "describe", "stacks", "--no-cache", "--max-seconds", "900"]


def run(report: Report) -> None:
    with stacks_repository(SMALL) as folder:
        if folder is None:
            return
        several_processes(report, folder)
        small = cost(folder)
    with stacks_repository(LARGE) as folder:
        assert folder is not None
        large = cost(folder)
    times = LARGE / SMALL
    report("ten times the stacks, CPU time per stack", large[0] / small[0] / times, 1.15)
    report("ten times the stacks, memory per stack", large[1] / small[1] / times, 1.15, megabytes=round(large[1]))


def asked(folder: Path, *words: str) -> list[str]:
    return [*WORDS, "--chdir", str(folder), *words]


def cost(folder: Path) -> tuple[float, float]:
    """The CPU time and the memory that describing everything takes."""
    return command_cpu(asked(folder)), command_peak(asked(folder))


def several_processes(report: Report, folder: Path) -> None:
    """Two processes against one: needs two idle cores to mean anything."""

    def wall(*words: str) -> float:
        began = time.monotonic()
        command_cpu(asked(folder, *words))
        return time.monotonic() - began

    took = interleaved({"one": wall, "two": lambda: wall("--jobs", "2")}, 5, min)
    report("describe stacks, --jobs 2 / one process, wall time", took["two"] / took["one"], 0.65)
    took = interleaved(
        {"one": lambda: command_cpu(asked(folder)), "two": lambda: command_cpu(asked(folder, "--jobs", "2"))}, 3, min
    )
    report("describe stacks, --jobs 2 / one process, CPU time", took["two"] / took["one"])
