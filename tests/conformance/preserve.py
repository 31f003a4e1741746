"""Regenerating: the cases' three texts through the same plan that `plait create` and `plait regenerate` follow."""

from __future__ import annotations

from typing import Any

import yaml

from plait.apps.cli.create import USAGE, status_of
from plait.core.diagnostic import PlaitError
from plait.core.node import plain_value
from plait.core.plain import from_plain
from plait.core.source import Source
from plait.fronts.patterns.flags import CreateFlags, instructions_of
from plait.fronts.patterns.plan import Plan
from plait.fronts.patterns.record import Record
from plait.fronts.patterns.report import LOST, entry_data, report_lines
from plait.fronts.patterns.resources import TextFile
from plait.fronts.patterns.texts import planned_texts
from plait.merging.threeway import KEPT

FILE = "file.yaml"
VALUED = ("--preserve", "--accept", "--list", "--tracker", "--absent")


class Run:
    """One regeneration in memory: the text afterwards, the report, and the exit status."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.after = case.get("existing")
        self.entries: list[Any] = []
        self.lines: list[str] = []
        try:
            self.status = self._run(case, _flags(case))
        except PlaitError as trouble:
            self.status = max(map(status_of, trouble.diagnostics))

    def _run(self, case: dict[str, Any], flags: CreateFlags) -> int:
        existing = [_text(case["existing"])] if case.get("existing") is not None else []
        record = Record.of_texts([_text(case["base"])]) if "base" in case else Record()
        instructions = instructions_of(
            flags, owned=case.get("owned", ()), sets=[_setting(*item) for item in (case.get("set") or {}).items()]
        )
        plan = Plan(existing, [_text(case["fresh"])], record, instructions)
        self.entries = [plain_value(from_plain(entry_data(line))) for line in plan.lines if line.kind in KEPT]
        self.lines = report_lines(plan)
        if flags.strict and plan.conflicts:
            return 3
        if (
            flags.overwrite
            and not (flags.yes or flags.dry_run or flags.check)
            and any(line.kind in LOST for line in plan.lines)
        ):
            return USAGE  # no terminal to ask on
        texts = planned_texts(plan)
        if not flags.dry_run and FILE in texts:
            self.after = texts[FILE]
        return 0


def _text(text: str) -> TextFile:
    return TextFile(FILE, Source(FILE, text))


def _setting(path: str, value: object) -> str:
    return f"{path}={yaml.safe_dump(value, default_flow_style=True).removesuffix('...' + chr(10)).strip()}"


def _flags(case: dict[str, Any]) -> CreateFlags:
    flags = CreateFlags()
    for flag in case.get("flags") or ():
        name, _, value = flag.partition("=")
        key = name.lstrip("-").replace("-", "_")
        if name not in VALUED:
            setattr(flags, key, True)
        elif isinstance(getattr(flags, key), list):
            getattr(flags, key).append(value)
        else:
            setattr(flags, key, value)
    return flags


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
