"""Regenerating: each case goes through `plait regenerate` as users call it, or, where a pattern owns fields, through
`plait create`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from plait.merging.threeway import KEPT
from tests.answers import answer, project

FILE, FRESH, BASE = "file.yaml", "given/fresh.yaml", "given/base.yaml"
PATTERN, RESOURCES = "patterns/app/pattern.yaml", f"patterns/app/resources/{FILE}"


class Run:
    """One regeneration: the text afterwards, the report, and the exit status."""

    def __init__(self, case: dict[str, Any]) -> None:
        sets = [f"--set={path}={_written(value)}" for path, value in (case.get("set") or {}).items()]
        words = [*sets, *(case.get("flags") or ())]
        call = _create if case.get("owned") else _regenerate
        self.status, self.after, report = call(case, [*words, "--format=json"])
        told = json.loads(report)["report"] if report else []
        self.entries = [entry for entry in told if entry["kind"] in KEPT]
        self.lines = call(case, words)[2].splitlines() if case.get("lines") else []


def _regenerate(case: dict[str, Any], words: list[str]) -> tuple[int, str | None, str]:
    base = {BASE: case["base"]} if "base" in case else {}
    with project({FRESH: case["fresh"], **base, **_existing(case)}):
        status, out, _ = answer(["regenerate", FILE, f"--fresh={FRESH}", *(f"--base={name}" for name in base), *words])
        return status, _text_now(), out


def _create(case: dict[str, Any], words: list[str]) -> tuple[int, str | None, str]:
    """By a pattern that owns fields; a run of its last version leaves the record."""
    pattern = json.dumps({"name": "app", "version": "1.0.0", "description": "A case.", "owned": case["owned"]})
    with project({PATTERN: pattern, RESOURCES: case.get("base", case["fresh"])}):
        if "base" in case:
            answer(["create", "app"])
        Path(RESOURCES).write_text(case["fresh"])
        for name, text in _existing(case).items():
            Path(name).write_text(text)
        status, out, _ = answer(["create", "app", *words])
        return status, _text_now(), out


def _existing(case: dict[str, Any]) -> dict[str, str]:
    return {FILE: case["existing"]} if case.get("existing") is not None else {}


def _text_now() -> str | None:
    return Path(FILE).read_text() if Path(FILE).exists() else None


def _written(value: object) -> str:
    return yaml.safe_dump(value, default_flow_style=True).removesuffix("...\n").strip()


def _documents(text: str | None) -> list[Any]:
    return [document for document in yaml.load_all(text or "", Loader=yaml.CSafeLoader) if document is not None]


def _same(actual: object, expected: object, what: str) -> None:
    assert _tagged(actual) == _tagged(expected), f"{what}: {actual!r} is not {expected!r}"


def _tagged(value: object) -> object:
    """Data in which 1, 1.0, True and "1" differ."""
    if isinstance(value, dict):
        return {key: _tagged(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_tagged(item) for item in value]
    return (type(value).__name__, value)


def _in_order(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(entries, key=lambda entry: (entry["resource"], entry["path"], entry["kind"]))


def preserve(case: dict[str, Any], folder: object) -> None:
    run = Run(case)
    assert run.status == case.get("exit", 0), f"exit {run.status}"
    if case.get("compare") == "text":
        assert run.after == case["expected"], f"text is {run.after!r}"
    elif case.get("expected") is not None:
        _same(_documents(run.after), _documents(case["expected"]), "file")
    _same(_in_order(run.entries), _in_order(case.get("conflicts") or []), "conflicts")
    wanted = [line.replace("xpand", "plait") for line in case.get("lines") or ()]
    assert all(line in run.lines for line in wanted), f"lines are {run.lines}"


def threeway(case: dict[str, Any], folder: object) -> None:
    run = Run(case)
    assert run.status == 0, f"exit {run.status}"
    _same(_documents(run.after), _documents(case["expected"]), "file")
    if "reports" in case:
        told = [{key: value for key, value in entry.items() if key != "resource"} for entry in run.entries]
        for report in case["reports"]:
            wanted = {key: value for key, value in report.items() if key != "resource"}
            assert any({key: entry.get(key) for key in wanted} == wanted for entry in told), (
                f"{wanted} is not told: {told}"
            )


KINDS = {"preserve/preserve": preserve, "preserve/threeway": threeway}
