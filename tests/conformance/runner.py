"""Running the cases of a folder: each kind's adapter is asked about each of its cases."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.conformance import Skip

SHARED = Path(__file__).parents[3] / "shared" / "conformance"
CORPORA = SHARED.parent / "corpora"
MISSING = "its cases are not in this repository, and ../shared/conformance is missing; tests/cases has our own"
ADAPTERS = ("spiff", "spiffpp", "stacks", "unfurl", "preserve", "gotemplate", "compose", "helm", "kustomize")
Case = dict[str, Any]
Check = Callable[[Case, str], None]


class Outcome:
    """What became of the cases of one kind."""

    def __init__(self) -> None:
        self.passed = 0
        self.failures: list[dict[str, str]] = []
        self.skips: list[dict[str, str]] = []

    def as_data(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "failed": len(self.failures),
            "skipped": len(self.skips),
            "failures": self.failures,
            "skips": self.skips,
        }


def adapters() -> dict[str, Check]:
    """Every kind that has an adapter."""
    kinds: dict[str, Check] = {}
    for name in ADAPTERS:
        if (Path(__file__).parent / f"{name}.py").exists():
            kinds.update(importlib.import_module(f"tests.conformance.{name}").KINDS)
    return kinds


def case_files(folder: Path, only: str | None) -> Iterator[tuple[str, Path]]:
    """The kinds of a folder and their files, in order."""
    for file in sorted(folder.glob("*/cases-*.*")):
        kind = f"{file.parent.name}/{file.stem.removeprefix('cases-')}"
        if only is None or kind == only or kind.startswith(f"{only}/"):
            yield kind, file


def read_cases(file: Path) -> list[Case]:
    """The cases of a file. What a file says besides its cases is handed to each of them as `_shared`."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    data = yaml.load(text, yaml.CSafeLoader)
    if isinstance(data, dict):
        shared = {key: value for key, value in data.items() if key != "cases"}
        return [{**case, "_shared": shared} for case in data.get("cases") or []]
    return list(data or [])


def run_kind(check: Check, file: Path) -> Outcome:
    outcome = Outcome()
    for number, case in enumerate(read_cases(file), 1):
        name = str(case.get("id") or case.get("name") or number)
        try:
            check(case, str(file.parent))
            outcome.passed += 1
        except Skip as skip:
            outcome.skips.append({"id": name, "why": str(skip)})
        except AssertionError as wrong:
            outcome.failures.append({"id": name, "why": str(wrong)[:500]})
        except Exception as trouble:
            outcome.failures.append({"id": name, "why": f"{type(trouble).__name__}: {trouble}"[:500]})
    return outcome


def run(folder: Path, only: str | None = None) -> dict[str, Outcome]:
    """Every kind that the folder has and an adapter serves. A kind without an adapter counts as failed."""
    checks = adapters()
    outcomes: dict[str, Outcome] = {}
    for kind, file in case_files(folder, only):
        if kind in checks:
            outcomes[kind] = run_kind(checks[kind], file)
        else:
            outcomes[kind] = Outcome()
            outcomes[kind].failures = [{"id": "*", "why": "no adapter serves this kind"}]
    return outcomes
