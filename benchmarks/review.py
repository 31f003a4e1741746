"""Reviews of one-line changes in the large repository (813 files, 195 stacks), against listing and describing it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchmarks.measure import PLAIT, Report, command_cpu, command_peak, interleaved, on_stacks

GIT = ("git", "-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false")
LEAF = ("stacks/orgs/t07/dev/uw2.yaml", "cidr: 10.107", "cidr: 10.108")
CATALOG = ("stacks/catalog/c07/mixin.yaml", "level: info", "level: debug")
REVIEW = ("review", "HEAD", "--no-cache")


def run(report: Report) -> None:
    on_stacks(report, commit, leaf, new_manifest, catalog)


def commit(report: Report, folder: Path) -> None:
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "one")):
        subprocess.run([*GIT, *words], cwd=folder, check=True)


def plait(folder: Path, *words: str) -> float:
    return command_cpu([PLAIT, *words], cwd=folder)


def changed(folder: Path, file: str, old: str, new: str) -> None:
    """The repository as it was committed, with one line changed."""
    subprocess.run([*GIT, "checkout", "-q", "."], cwd=folder, check=True)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


def leaf(report: Report, folder: Path) -> None:
    """A change of one leaf manifest."""
    changed(folder, *LEAF)
    took = interleaved(
        {
            "review": lambda: plait(folder, *REVIEW),
            "list": lambda: plait(folder, "list", "stacks", "--no-cache"),
        }
    )
    report("review of a leaf manifest / list stacks", took["review"] / took["list"], 1.5, **counters(folder))


def new_manifest(report: Report, folder: Path) -> None:
    """A new stack beside the others: nothing is copied, and only its components are evaluated."""
    subprocess.run([*GIT, "checkout", "-q", "."], cwd=folder, check=True)
    text = (folder / LEAF[0]).read_text(encoding="utf-8")
    new = folder / "stacks/orgs/t07/dev/new.yaml"
    new.write_text(text.replace("\nvars:\n", "\nvars:\n  environment: new\n"), encoding="utf-8")
    took = interleaved(
        {
            "review": lambda: plait(folder, *REVIEW),
            "list": lambda: plait(folder, "list", "stacks", "--no-cache"),
        }
    )
    report("review of a new manifest / list stacks", took["review"] / took["list"], 1.5, **counters(folder))
    new.unlink()


def catalog(report: Report, folder: Path) -> None:
    """A change of a catalog that all stacks import."""
    changed(folder, *CATALOG)
    took = interleaved(
        {
            "review": lambda: plait(folder, *REVIEW),
            "describe": lambda: plait(folder, "describe", "stacks", "--no-cache"),
        },
        3,
    )
    report("review of a catalog / describe stacks", took["review"] / took["describe"], 2.5, **counters(folder))
    words = ("describe", "stacks", "--no-cache")
    peaks = [command_peak([PLAIT, *asked], folder) for asked in (REVIEW, words)]
    report("review of a catalog / describe stacks, memory", peaks[0] / peaks[1], 1.5)


def counters(folder: Path) -> dict[str, int]:
    """The work of a review, which does not vary with the machine."""
    from plait.workspace import Workspace

    report = Workspace(str(folder), cache=False).review("HEAD", None)
    return {"components": report.looked_at, "files": report.files_read, "values": len(report.values)}
