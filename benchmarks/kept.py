"""Answers about layers, templates and documents that are kept between runs: what a command costs again when nothing
changed, and what keeping costs the first run.

The yardstick is the time that PyYAML's CSafeLoader takes to load the files that the command reads. Targets without
large files of their own are measured against a run without the cache.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.answers import silence
from benchmarks.measure import PLAIT, PYTHON, Report, command_cpu, interleaved, workload
from benchmarks.spiff import FLOOR
from benchmarks.unfurl import document_text

ROUNDS = 5
AGAIN, FIRST = 0.5, 1.1
"""Of loading the files, of a run without the cache: what may be used when nothing changed, and by the first run."""
PATTERN = "name: many\nversion: 1.0.0\ndescription: Many functions.\ninputs: {count: {type: integer, default: 1}}\n"
RESOURCE = """\
{{- range $i := until (int .count) }}
---
apiVersion: lambda.aws.upbound.io/v1beta1
kind: Function
metadata: {name: function-{{ $i }}, labels: {app: wall, env: dev}}
spec: {forProvider: {region: us-east-1, memorySize: 128, handler: api.handler, s3Key: function-{{ $i }}.zip}}
{{- end }}
"""
TARGETS = "targets:\n- {name: many, pattern: many, inputs: {count: 3000}}\n"


def layers(folder: Path) -> tuple[list[str], list[str]]:
    files = workload("deep-merge", 10_000, folder / "layers")
    return ["merge", *files], files


def template(folder: Path) -> tuple[list[str], list[str]]:
    files = workload("refs", 10_000, folder / "refs", "--dialect", "spiff")
    return ["spiff", "merge", *files], files


def document(folder: Path) -> tuple[list[str], list[str]]:
    path = folder / "main.yaml"
    path.write_text(document_text(), encoding="utf-8")
    return ["expand", str(path)], [str(path)]


def pattern(folder: Path) -> tuple[list[str], list[str]]:
    """Its files are small: it makes many resources of them."""
    (folder / "patterns/many/resources").mkdir(parents=True)
    (folder / "patterns/many/pattern.yaml").write_text(PATTERN, encoding="utf-8")
    (folder / "patterns/many/resources/all.yaml").write_text(RESOURCE, encoding="utf-8")
    (folder / "plait.yaml").write_text(TARGETS, encoding="utf-8")
    return ["merge", "--target", "many"], []


SUBJECTS: dict[str, Callable[[Path], tuple[list[str], list[str]]]] = {
    "merge of 10 layers": layers,
    "spiff merge of 10,000 references": template,
    "expand of 1,000 directives": document,
    "merge of a target of a pattern": pattern,
}
"""What is asked, and the files that it reads."""


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = str(Path(place) / "cache")
        for number, (name, make) in enumerate(SUBJECTS.items()):
            folder = Path(place) / f"subject{number}"
            folder.mkdir()
            words, files = make(folder)
            if files or make is pattern:
                measured(report, name, folder, words, files)


def measured(report: Report, name: str, folder: Path, words: list[str], files: list[str]) -> None:
    for file in [path for path in folder.rglob("*") if path.is_file()]:
        os.utime(file, (1, 1))  # a file that was just written counts by its content

    def command(*more: str) -> float:
        return command_cpu([PLAIT, *words, *more], cwd=folder)

    def first() -> float:
        subprocess.run([PLAIT, "cache", "clear"], stderr=subprocess.DEVNULL, check=True)
        return command()

    took = interleaved(
        {
            "floor": lambda: command_cpu([PYTHON, "-c", FLOOR, *files]),
            "without": lambda: command("--no-cache"),
            "first": first,
            "again": command,
        },
        ROUNDS,
    )
    counted = work(folder, words)
    if files:
        report(f"{name}, nothing changed / floor", took["again"] / took["floor"], AGAIN, **counted)
    report(f"{name}, nothing changed / without a cache", took["again"] / took["without"], AGAIN, **counted)
    report(f"{name}, first run / without a cache", took["first"] / took["without"], FIRST)


def work(folder: Path, words: list[str]) -> dict[str, int]:
    """What one run of a command does: answers that are kept, workspaces that compute, files that they read."""
    from plait.apps.cli import main
    from plait.keeping.folder import contents
    from plait.workspace import Workspace

    counted = {"computed": 0, "files": 0}
    close, here = Workspace.close, os.getcwd()

    def closed(self: Workspace) -> None:
        counted["computed"] += 1
        counted["files"] += self.counters.files
        close(self)

    Workspace.close = closed  # type: ignore[method-assign]
    os.chdir(folder)
    try:
        with silence():
            main(list(words))
    finally:
        os.chdir(here)
        Workspace.close = close  # type: ignore[method-assign]
    return {**counted, "kept": contents()["answers"][0]}
