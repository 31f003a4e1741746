"""Cases as files: template and data go in, text, lines or an error come out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from plait.gotemplate import Budget, TemplateError, parse

CASES = Path(__file__).parent / "cases"


def cases(name: str) -> list[Any]:
    found = yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["template"][:60] or "empty") for case in found]


def rendered(case: dict[str, Any]) -> str:
    budget = Budget(steps=case.get("steps", 10_000_000), size=case.get("size", 64_000_000))
    delimiters = tuple(case["delimiters"]) if "delimiters" in case else None
    return parse(case["template"], delimiters=delimiters).render(
        case.get("data"), missing=case.get("missing", "default"), budget=budget
    )


@pytest.mark.parametrize("case", cases("values"))
def test_value(case: dict[str, Any]) -> None:
    assert rendered(case) == case["output"]


@pytest.mark.parametrize("case", cases("errors"))
def test_error(case: dict[str, Any]) -> None:
    with pytest.raises(TemplateError) as caught:
        rendered(case)
    error = caught.value
    assert error.message == case["message"]
    assert (error.kind, f"{error.line}:{error.column}", error.hint) == (case["kind"], case["at"], case.get("hint", ""))
    usual = {"parse": "PL3501", "exec": "PL3502"}[case["kind"]]
    assert error.diagnostics[0].code == case.get("code", usual)
    assert error.source_line == case["template"].split("\n")[error.line - 1]


@pytest.mark.parametrize("case", cases("lines"))
def test_lines(case: dict[str, Any]) -> None:
    made = parse(case["template"]).render_lines(case["data"])
    texts = made.text.split("\n")
    assert [f"{line + 1} {text}" for line, text in zip(made.line_map, texts, strict=True)] == case["lines"]
    assert made.text == parse(case["template"]).render(case["data"])
