"""Stacks on the large repository (813 files, 195 stacks, 9,165 instances), against CSafeLoader of all its files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import (
    PLAIT,
    PYTHON,
    ROUNDS,
    Report,
    call_cpu,
    command_cpu,
    command_peak,
    interleaved,
    on_stacks,
)
from plait.core import native

FLOOR = """
import os, sys, yaml

class Loader(yaml.CSafeLoader):
    pass

Loader.add_multi_constructor("!", lambda loader, suffix, node: loader.construct_scalar(node))
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith(".yaml"):
            with open(os.path.join(folder, name)) as file:
                yaml.load(file, Loader)
"""
QUESTIONS = {
    "list stacks": ["list", "stacks"],
    "describe component": ["describe", "component", "c07", "-s", "t03-ue1-prod"],
}
LOCALS = 20


def run(report: Report) -> None:
    on_stacks(report, small_questions, everything, provenance, counters, affected, file_of_locals)
    not_known(report)


def plait(folder: Path, *words: str) -> float:
    return command_cpu([PLAIT, *words, "--chdir", str(folder)])


def floor(folder: Path) -> float:
    return command_cpu([PYTHON, "-c", FLOOR, str(folder)])


def small_questions(report: Report, folder: Path) -> None:
    """Two questions that need little of a repository: without a cache, and with a warm one."""
    for words in QUESTIONS.values():
        plait(folder, *words)  # fills the cache
    measures = {"floor": lambda: floor(folder)}
    for name, words in QUESTIONS.items():
        measures[f"{name} cold"] = lambda words=words: plait(folder, *words, "--no-cache")  # type: ignore[misc]
        measures[f"{name} warm"] = lambda words=words: plait(folder, *words)  # type: ignore[misc]
    took = interleaved(measures)
    for name in QUESTIONS:
        report(f"{name}, cold / floor", took[f"{name} cold"] / took["floor"], 0.4 if native.scan else 0.9)
        report(f"{name}, warm / floor", took[f"{name} warm"] / took["floor"], 0.35)


def everything(report: Report, folder: Path) -> None:
    """All stacks, templates and functions on."""
    words = ("describe", "stacks", "--no-cache")
    beside = {
        "floor": lambda: sum(floor(folder) for _ in range(5)) / 5,
        "all": lambda: plait(folder, *words),
    }  # about as long
    took = interleaved(beside, 3)
    report("describe stacks, cold / floor", took["all"] / took["floor"], 2.5 if native.scan else 4.4)
    report("describe stacks, MB at its peak", command_peak([PLAIT, *words, "--chdir", str(folder)]), 600)


def provenance(report: Report, folder: Path) -> None:
    """What the comments cost."""
    words = (*QUESTIONS["describe component"], "--no-cache")
    took = interleaved(
        {"with": lambda: plait(folder, *words), "without": lambda: plait(folder, *words, "--provenance=false")},
        3 * ROUNDS,
        min,
    )
    report("describe component, provenance / without", took["with"] / took["without"], 1.1)


CHANGES = {
    "catalog": ("stacks/catalog/c07/defaults.yaml", "10.1.7.0", "10.2.7.0"),
    "leaf": ("stacks/orgs/t07/dev/uw2.yaml", "cidr: 10.107.0.0", "cidr: 10.108.0.0"),
}
"""A line of a shared catalog, and one of the manifest of one stack: the file, what it says, and what it is to say."""


def affected(report: Report, folder: Path) -> None:
    """What one changed line touches, without any kept answers."""
    from plait.workspace import Workspace

    git = ("git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "gc.auto=0")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "before")):
        command_cpu([*git, *words])
    beside = {"catalog": ("describe stacks", 2.5), "leaf": ("list stacks", 2.0)}
    for name, (file, old, new) in CHANGES.items():
        text = (folder / file).read_text()
        (folder / file).write_text(text.replace(old, new))
        other, limit = beside[name]
        took = interleaved(
            {
                "affected": lambda: plait(folder, "describe", "affected", "--base", "HEAD", "--no-cache"),
                "other": lambda other=other: plait(folder, *other.split(), "--no-cache"),  # type: ignore[misc]
            },
            3,
        )
        workspace = Workspace(str(folder), cache=False)
        found = workspace.stacks(str(folder)).affected("HEAD")
        report(
            f"describe affected, a line of a {name} / {other}",
            took["affected"] / took["other"],
            limit,
            rows=len(found.rows),
            looked_at=found.looked_at,
            computed=found.computed,
        )
        (folder / file).write_text(text)


def counters(report: Report, folder: Path) -> None:
    """The work that questions do, which does not vary with the machine."""
    from plait.workspace import Workspace

    def asked(question: str) -> dict[str, int]:
        workspace = Workspace(str(folder), cache=False)
        stacks = workspace.stacks(str(folder))
        stacks.names() if question == "names" else stacks.describe_component("c07", "t03-ue1-prod", stacks.shape())
        return workspace.counters.as_dict()

    names, component = asked("names"), asked("component")
    report("list stacks: functions called", names["calls"], 0, files=names["files"])
    report(
        "describe component: functions called",
        component["calls"],
        1,
        files=component["files"],
        forced=component["forced"],
    )


def file_of_locals(report: Report, repository: Path) -> None:
    """A file with twenty locals that refer to each other, resolved."""
    from plait.workspace import Workspace

    times = {}
    for count in (0, LOCALS):
        folder = repository.parent / f"locals-{count}"
        (folder / "stacks").mkdir(parents=True)
        (folder / "atmos.yaml").write_text("base_path: .\nstacks: {base_path: stacks}\n")
        chain = "".join(f'  l{index}: "{{{{ .locals.l{index - 1} }}}}-{index}"\n' for index in range(1, count))
        head = f"locals:\n  l0: seed\n{chain}" if count else ""
        value = f"{{{{ .locals.l{count - 1} }}}}" if count else "{{ .vars.y }}"
        (folder / "stacks" / "dev.yaml").write_text(
            f'{head}components: {{terraform: {{c: {{vars: {{y: 1, x: "{value}"}}}}}}}}\n'
        )

        def ask(folder: Path = folder) -> None:
            stacks = Workspace(str(folder), cache=False).stacks(str(folder))
            stacks.describe_component("c", "dev", stacks.shape())

        ask()
        times[count] = lambda ask=ask: call_cpu(ask)
    took = interleaved({str(count): measure for count, measure in times.items()}, 9, min)
    more = took[str(LOCALS)] - took["0"]
    report(f"a file with {LOCALS} locals, ms", 1000 * more, 10, of_a_question=round(more / took["0"], 1))


UNKNOWN = 1_000


def not_known(report: Report) -> None:
    """A repository with so many functions that may not be called, beside one in which as many values are computed: a
    value that is not known is evaluated, too. Beside plain values, which nobody evaluates, it is told without a
    limit."""
    values = {"plain": "text{number}", "computed": "'{{{{ .vars.v1 }}}}-{number}'", "unknown": "!exec echo {number}"}
    with TemporaryDirectory() as folder:
        sides = {name: Path(folder, name) for name in values}
        for name, value in values.items():
            _stacks_of(sides[name], value)
        words = ("describe", "stacks", "--no-cache")
        took = interleaved({name: partial(plait, side, *words) for name, side in sides.items()})
    report(f"describe stacks, {UNKNOWN:,} values not known / computed", took["unknown"] / took["computed"], 1.2)
    report(f"describe stacks, {UNKNOWN:,} values not known / plain", took["unknown"] / took["plain"])


def _stacks_of(folder: Path, value: str) -> None:
    """Stacks of ten components of 42 values, one of which is as given."""
    stacks = folder / "stacks"
    stacks.mkdir(parents=True)
    (folder / "atmos.yaml").write_text(
        'stacks: {base_path: stacks, included_paths: ["*"], name_template: "{{ .vars.stage }}"}\n'
    )
    for stack in range(UNKNOWN // 10):
        lines = [f"vars: {{stage: s{stack}}}", "components:", "  terraform:"]
        for number in range(10):
            lines += [f"    c{number}:", "      vars:", f"        id: {value.format(number=number)}"]
            lines += [f"        v{one}: {one}" for one in range(40)]
        (stacks / f"s{stack}.yaml").write_text("\n".join(lines) + "\n")
