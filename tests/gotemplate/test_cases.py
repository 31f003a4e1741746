"""Cases as files: template and data go in, text, lines or an error come out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from plait.gotemplate import Budget, ParseError, TemplateError, builtins, field_refs, has_actions, parse, sprig
from plait.notations.gotemplate.parse import parse as parse_tree
from plait.notations.gotemplate.tables import stacks

CASES = Path(__file__).parent / "cases"


def cases(name: str) -> list[Any]:
    found = yaml.load((CASES / f"{name}.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    return [pytest.param(case, id=case["template"][:60] or "empty") for case in found]


def rendered(case: dict[str, Any]) -> str:
    budget = Budget(steps=case.get("steps", 10_000_000), size=case.get("size", 64_000_000))
    delimiters = tuple(case["delimiters"]) if "delimiters" in case else None
    functions = sprig() if case.get("sprig", True) else builtins()
    return parse(case["template"], functions=functions, delimiters=delimiters).render(
        case.get("data"), missing=case.get("missing", "default"), budget=budget
    )


@pytest.mark.parametrize("case", cases("values"))
def test_value(case: dict[str, Any]) -> None:
    assert rendered(case) == case["output"]


CORNERS = yaml.load((CASES / "corners.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)


@pytest.mark.parametrize(("call", "output"), CORNERS, ids=[call for call, _ in CORNERS])
def test_a_function_at_the_ends_of_what_it_takes(call: str, output: str) -> None:
    assert parse(f"{{{{ {call} }}}}", functions=stacks()).render({}) == output


GOMPLATE = yaml.load((CASES / "gomplate.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)


@pytest.mark.parametrize(("call", "output"), GOMPLATE["values"], ids=[call for call, _ in GOMPLATE["values"]])
def test_a_function_of_gomplate(call: str, output: str) -> None:
    assert parse(f"{{{{ {call} }}}}", functions=stacks()).render({}) == output


@pytest.mark.parametrize(("call", "said"), GOMPLATE["errors"], ids=[call for call, _ in GOMPLATE["errors"]])
def test_an_error_of_a_function_of_gomplate(call: str, said: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(f"{{{{ {call} }}}}", functions=stacks()).render({})
    assert said in f"{caught.value}"


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


@pytest.mark.parametrize("case", cases("trees"))
def test_tree(case: dict[str, Any]) -> None:
    """A template printed from its tree, in the form that Go prints; it reads as the same tree again."""
    printed = str(parse_tree(case["template"]))
    assert printed == case["printed"]
    assert str(parse_tree(printed)) == printed
    assert has_actions(case["template"]) is case.get("actions", True)


@pytest.mark.parametrize("case", cases("refs"))
def test_refs(case: dict[str, Any]) -> None:
    """What a template may read: below a prefix where one is given, else as paths from the root."""
    assert list(field_refs(case["template"], case.get("prefix"))) == case["refs"]


def test_refs_of_what_is_not_a_template() -> None:
    with pytest.raises(ParseError, match="unclosed action"):
        field_refs("{{ .a")
