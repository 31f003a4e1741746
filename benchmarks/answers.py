"""Answers that stay: what a question costs again, when nothing changed and after one changed line, in units of reading
the 813 files with CSafeLoader."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import PLAIT, Report, call_cpu, command_cpu, interleaved, on_stacks
from benchmarks.stacks import floor, plait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.layers import Siblings

ROUNDS = 3
COMPONENT = ("c07", "-s", "t03-ue1-prod")
UNCHANGED = {
    ("describe", "stacks"): 0.6,
    ("validate", "stacks"): 0.5,
    ("list", "components"): 0.4,
    ("list", "instances"): 0.4,
    ("describe", "dependents", *COMPONENT): 0.4,
    ("explain", "component", *COMPONENT, "vars.name"): 0.25,
    ("describe", "component", *COMPONENT): 0.2,
    ("list", "stacks"): 0.2,
}
CHANGES = {
    "a line of a leaf": ("stacks/orgs/t03/prod/layers/ue1/apps.yaml", "memory: ", "memory: 1", 0.8),
    "a line of a mixin": ("stacks/catalog/c07/mixin.yaml", "level: info", "level: debug", 0.9),
}
"""The file, what it says, and what it is to say."""
EVERYTHING = ("describe", "stacks")
AFTER = (
    EVERYTHING,
    ("list", "instances"),
    ("list", "components"),
    ("list", "dependencies"),
    ("list", "vars"),
    ("describe", "dependents", *COMPONENT),
)
"""What is asked again after a change."""


def run(report: Report) -> None:
    on_stacks(report, writing, unchanged, changed, in_memory)


def units(folder: Path, measure: dict[str, object]) -> dict[str, float]:
    """Measures, in units of reading the files."""
    took = interleaved({"floor": lambda: floor(folder), **measure}, ROUNDS)  # type: ignore[dict-item]
    return {name: seconds / took["floor"] for name, seconds in took.items()}


def clear() -> float:
    return command_cpu([PLAIT, "cache", "clear"], stderr=-3)


def writing(report: Report, folder: Path) -> None:
    """What keeping costs the first run."""

    def first(*words: str) -> float:
        clear()
        return plait(folder, *words)

    took = units(
        folder,
        {
            "without": lambda: plait(folder, "list", "stacks", "--no-cache"),
            "first": lambda: first("list", "stacks"),
            "all without": lambda: plait(folder, *EVERYTHING, "--no-cache"),
            "all first": lambda: first(*EVERYTHING),
        },
    )
    report("list stacks, first run / floor more than without a cache", took["first"] - took["without"], 0.1)
    report("describe stacks, first run / without a cache", took["all first"] / took["all without"], 1.1)


def unchanged(report: Report, folder: Path) -> None:
    for words in UNCHANGED:
        plait(folder, *words)
    took = units(folder, {" ".join(words): lambda words=words: plait(folder, *words) for words in UNCHANGED})
    for words, limit in UNCHANGED.items():
        name = " ".join(words)
        report(f"{name}, nothing changed / floor", took[name], limit, **work(folder, *words))


def changed(report: Report, folder: Path) -> None:
    for name, (file, old, new, limit) in CHANGES.items():
        path = folder / file
        text = path.read_text()

        def again(words: tuple[str, ...], path: Path = path, text: str = text, old: str = old, new: str = new) -> float:
            path.write_text(text)
            plait(folder, *words)
            path.write_text(text.replace(old, new, 1))
            return plait(folder, *words)

        took = units(folder, {" ".join(words): lambda words=words, again=again: again(words) for words in AFTER})
        for words in AFTER:
            path.write_text(text)
            work(folder, *words)
            path.write_text(text.replace(old, new, 1))
            counted = work(folder, *words)
            report(f"{' '.join(words)}, {name} changed / floor", took[" ".join(words)], limit, **counted)
        path.write_text(text)


def in_memory(report: Report, folder: Path) -> None:
    """A workspace that lives: one edit of a leaf, then the same component again."""
    from plait.workspace import Workspace

    file, old, new, _ = CHANGES["a line of a leaf"]
    leaf = folder / file
    text = leaf.read_text()

    def ask(workspace: Workspace) -> None:
        stacks = workspace.stacks(str(folder))
        stacks.describe_component("c40", "t03-ue1-prod", stacks.shape())

    living = Workspace(str(folder), cache=False)
    ask(living)
    number = iter(range(10**6))

    def edited() -> float:
        living.edit(str(leaf), text.replace(old, f"{new}{next(number)}", 1))
        return call_cpu(lambda: ask(living))

    took = interleaved(
        {"cold": lambda: call_cpu(lambda: ask(Workspace(str(folder), cache=False))), "edited": edited}, 5
    )
    report("in memory: an edit of a leaf, then the component / cold", took["edited"] / took["cold"], 0.05)


def work(folder: Path, *words: str) -> dict[str, int]:
    """What one run of a command does: answers that are kept, files that are read, components that are worked out."""
    from plait.apps.cli import main
    from plait.fronts.stacks.assemble.components import Component
    from plait.keeping.folder import contents
    from plait.workspace import Workspace

    counted = {"files": 0, "computed": 0}
    close, put_together = Workspace.close, Component.__init__

    def closed(self: Workspace) -> None:
        counted["files"] += self.counters.files
        close(self)

    def counting(self: Component, siblings: Siblings, name: str) -> None:
        counted["computed"] += 1
        put_together(self, siblings, name)

    Workspace.close, Component.__init__ = closed, counting  # type: ignore[method-assign]
    try:
        with silence():
            main([*words, "--chdir", str(folder)])
    finally:
        Workspace.close, Component.__init__ = close, put_together  # type: ignore[method-assign]
    return {**counted, "kept": contents()["answers"][0]}


@contextmanager
def silence() -> Iterator[None]:
    out, err = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding=out.encoding) as nowhere:
        sys.stdout = sys.stderr = nowhere
        try:
            yield
        finally:
            sys.stdout, sys.stderr = out, err
