"""What earlier work is worth after a change: one line, a pull of one file in twenty, many catalogs at once.

The unit is the time to read the 813 files with CSafeLoader; reviews are compared with a cold `describe stacks`.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.measure import PLAIT, Report, command_cpu, command_peak, interleaved, on_stacks, stacks_repository
from benchmarks.review import GIT, commit
from benchmarks.stacks import floor

LEAF = ("stacks/orgs/t03/prod/layers/ue1/apps.yaml", "memory: ", "memory: 1")
MIXIN = ("stacks/catalog/c07/mixin.yaml", "level: info", "level: debug")
OTHER = ("stacks/catalog/c08/mixin.yaml", "level: info", "level: debug")
ASKED = {
    ("describe", "stacks"): (0.8, 0.6),
    ("validate", "stacks"): (0.8, 0.8),
    ("list", "instances"): (0.4, 0.4),
    ("describe", "affected", "--base", "HEAD"): (None, None),
}
"""What is asked after one changed line of a leaf and of a mixin, with the limits of both."""
CATALOGS = {1: 1.5, 4: 2.0, 16: 2.5, 47: 3.0}
"""How many catalogs change, and how many times a `describe stacks` their review may cost."""
PULLED = (
    ("memory: ", "memory: 1"),
    ("cidr: 10.", "cidr: 11."),
    ("tier: ", "tier: 1"),
    ("level: info", "level: debug"),
    ("enabled: true", "enabled: false"),
    ("vars: {", "vars: {pulled: 1, "),
)
"""What a pull may change in a file: the first of these that it has."""
ROUNDS = 3


def run(report: Report) -> None:
    on_stacks(report, commit, one_line, further_change, pull)
    with stacks_repository(45) as folder:
        if folder is not None:
            commit(report, folder)
            many_catalogs(report, folder)


def plait(folder: Path, *words: str) -> float:
    return command_cpu([PLAIT, *words], cwd=folder, stderr=subprocess.DEVNULL)


def original(folder: Path) -> None:
    subprocess.run([*GIT, "checkout", "-q", "."], cwd=folder, check=True)


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))


def after(folder: Path, words: tuple[str, ...], *changes: Callable[[], None]) -> float:
    """What a command costs after changes, each of which follows a run of it."""
    original(folder)
    for edit in changes:
        plait(folder, *words)
        edit()
    return plait(folder, *words)


def one_line(report: Report, folder: Path) -> None:
    lines = {"a leaf": LEAF, "a mixin": MIXIN}
    measures = {"floor": lambda: floor(folder)}
    for words in ASKED:
        for name, edit in lines.items():
            measures[f"{' '.join(words)}, a line of {name}"] = lambda words=words, edit=edit: after(  # type: ignore[misc]
                folder, words, lambda: change(folder, *edit)
            )
    took = interleaved(measures, ROUNDS)
    for words, limits in ASKED.items():
        for name, limit in zip(lines, limits, strict=True):
            row = f"{' '.join(words)}, a line of {name}"
            report(f"{row} / floor", took[row] / took["floor"], limit)


def further_change(report: Report, folder: Path) -> None:
    """Commands that compare with a revision, after one change more than the last time."""
    for words in (("describe", "affected", "--base", "HEAD"), ("review", "HEAD")):
        for name, line in {"leaf": LEAF, "mixin": OTHER}.items():

            def once(words: tuple[str, ...] = words, line: tuple[str, str, str] = line) -> float:
                original(folder)
                change(folder, *MIXIN)
                change(folder, *line)
                return plait(folder, *words, "--no-cache")

            def again(words: tuple[str, ...] = words, line: tuple[str, str, str] = line) -> float:
                return after(folder, words, lambda: change(folder, *MIXIN), lambda: change(folder, *line))

            took = interleaved({"first": once, "further": again}, ROUNDS)
            row = f"{' '.join(words)}, a further line of a {name} / first"
            report(row, took["further"] / took["first"], 0.5)


def pull(report: Report, folder: Path) -> None:
    """One file in twenty changes."""
    files = sorted((folder / "stacks").rglob("*.yaml"))
    chosen = random.Random(5).sample(files, len(files) // 20)

    def pulled() -> None:
        for file in chosen:
            text = file.read_text()
            old, new = next(pair for pair in PULLED if pair[0] in text)
            file.write_text(text.replace(old, new, 1))

    def cold(*words: str) -> float:
        return plait(folder, *words, "--no-cache")

    for words in (("describe", "stacks"), ("validate", "stacks"), ("list", "instances")):
        measures = {"cold": partial(cold, *words), "pull": partial(after, folder, words, pulled)}
        took = interleaved(measures, ROUNDS)
        report(f"{' '.join(words)}, a pull / cold", took["pull"] / took["cold"], 0.5, files=len(chosen))
    original(folder)
    pulled()
    review = ("review", "HEAD", "--no-cache", "--max-seconds", "900")
    took = interleaved({"review": lambda: plait(folder, *review), "describe": lambda: cold("describe", "stacks")}, 1)
    report("review of a pull / describe stacks", took["review"] / took["describe"], 2.5)
    report("review of a pull, MB at its peak", command_peak([PLAIT, *review], folder), 300)


def many_catalogs(report: Report, folder: Path) -> None:
    """All 45 stacks import every catalog."""
    for count, limit in CATALOGS.items():
        original(folder)
        for number in range(count):
            change(folder, f"stacks/catalog/c{number:02}/mixin.yaml", *MIXIN[1:])
        words = ("review", "HEAD", "--no-cache", "--max-seconds", "900")
        took = interleaved(
            {
                "review": partial(plait, folder, *words),
                "describe": lambda: plait(folder, "describe", "stacks", "--no-cache"),
            },
            1,
        )
        row = f"review of {count} catalogs, 45 stacks / describe stacks"
        report(row, took["review"] / took["describe"], limit, seconds=round(took["review"], 2))
