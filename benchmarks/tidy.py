"""`plait tidy` on the large repository (813 files, 195 stacks), against `describe stacks`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measure import PLAIT, Report, command_cpu, interleaved, on_stacks


def run(report: Report) -> None:
    on_stacks(report, against_describe, counters)


def against_describe(report: Report, folder: Path) -> None:
    took = interleaved(
        {
            "describe": lambda: command_cpu([PLAIT, "describe", "stacks", "--no-cache"], cwd=folder),
            "tidy": lambda: command_cpu([PLAIT, "tidy", "--no-cache"], cwd=folder),
        },
        3,
    )
    report("tidy / describe stacks", took["tidy"] / took["describe"], 2.0)


def counters(report: Report, folder: Path) -> None:
    """The work, which does not vary with the machine: how often results are evaluated with edits, and how much is
    looked at for each proposal."""
    from plait.workspace import Workspace

    found = Workspace(str(folder), cache=False).tidying.proposals()
    report("tidy: tries of the proof", found.proof.tried, 1, proposals=len(found.proposals))
