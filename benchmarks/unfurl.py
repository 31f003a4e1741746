"""Documents with directives: loading and expanding, saving one edit, asking questions.

The document has 1 MB and 1,000 directives: services that share bases, one in ten of them by a relative path. The
yardstick is the time that PyYAML's CSafeLoader takes to load the same text as plain data.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import yaml

from benchmarks.measure import Report, call_cpu, interleaved
from plait.core.node import text
from plait.fronts.project import Project
from plait.fronts.unfurl.asking import ask
from plait.fronts.unfurl.edit import ValueEdit
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.fronts.unfurl.working import Working
from plait.yaml.scan import no_garbage_collection

SERVICES, BASES = 1000, 20


def document_text(services: int = SERVICES) -> str:
    """Bases with defaults, and services that bring one in and say what differs."""
    lines = ["bases:"]
    for number in range(BASES):
        lines += [f"  base{number}:", "    image: registry/base", "    limits: {cpu: 2, memory: 512}", "    labels:"]
        lines += [f"      label{i}: value-{number}-{i}" for i in range(10)]
    lines.append("services:")
    for number in range(services):
        base = f"base{number % BASES}"
        lines += [f"  service{number}:", f"    {f'+/bases/{base}' if number % 10 else f'+.../bases/{base}'}:"]
        lines += [
            f"    name: service-{number}",
            f"    replicas: {number % 7}",
            "    limits: {cpu: 4}",
            "    environment:",
        ]
        lines += [f"      VARIABLE_{i}: some-value-{number}-{i}" for i in range(20)]
        lines += ["    ports:", *(f"    - {{name: port{i}, number: {8000 + i}}}" for i in range(5))]
    return "\n".join(lines) + "\n"


def save_one_edit(working: Working) -> None:
    working.change([ValueEdit(("services", "service500", "image"), text("registry/other"))])
    working.save()


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        name = str(Path(folder) / "main.yaml")
        written = document_text()
        Path(name).write_text(written, encoding="utf-8")

        def load_and_save() -> float:
            Path(name).write_text(written, encoding="utf-8")
            return call_cpu(lambda: save_one_edit(Working(Project(folder), name)))

        def save() -> float:
            Path(name).write_text(written, encoding="utf-8")
            working = Working(Project(folder), name)
            return call_cpu(lambda: save_one_edit(working))

        with no_garbage_collection():  # as every command does
            taken = interleaved(
                {
                    "loader": lambda: call_cpu(lambda: yaml.load(written, yaml.CSafeLoader)),
                    "expand": lambda: call_cpu(lambda: DirectiveDocument(Project(folder), name).expanded()),
                    "load and save": load_and_save,
                    "save": save,
                }
            )
        Path(name).write_text(written, encoding="utf-8")
        project = Project(folder)
        document = DirectiveDocument(project, name)
        document.expanded()
        size = f"{len(written) / 1e6:.2f} MB"
        report(
            "expand 1,000 directives / CSafeLoader",
            taken["expand"] / taken["loader"],
            1.5,
            size=size,
            forced=project.counters.forced,
        )
        report("load, save one edit / CSafeLoader", taken["load and save"] / taken["loader"], 1.5)
        report("save one edit / load and expand", taken["save"] / taken["expand"], 1.5)
        linear(report)


def linear(report: Report) -> None:
    """Ten times the matches, ten times the time: with expressions in every item.

    Both sizes take long beside starting up.
    """
    with tempfile.TemporaryDirectory() as folder:
        names = {count: str(Path(folder) / f"{count}.yaml") for count in (10_000, 100_000)}
        for count, name in names.items():
            items = "".join(f"- {{n: {i}, m: {{eval: '.::n'}}}}\n" for i in range(count))
            Path(name).write_text(f"items:\n{items}", encoding="utf-8")

        def measure(count: int) -> float:
            document = DirectiveDocument(Project(folder, budgets={"seconds": 600}), names[count], Expressions())
            with no_garbage_collection():  # as every command does
                return call_cpu(lambda: ask(document, "items::m", (), "list", ()))

        taken = interleaved({str(count): lambda count=count: measure(count) for count in names})  # type: ignore[misc]
        report("query over 10 times the matches / 10", taken["100000"] / taken["10000"] / 10, 1.5)
