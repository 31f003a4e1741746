"""Every rule of lint finds something in its own example, and nothing once it is silenced."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.fronts.lint import RULES, ResourceSchemas, Rule
from plait.workspace import Workspace

IDS = [rule.code.code for rule in RULES]


def found(folder: Path, rule: Rule, **choice: list[str]) -> list[str]:
    names = []
    for name, text in rule.example.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        names += [str(file)] if "/" not in name and name != "plait.yaml" else []
    workspace = Workspace(str(folder), cache=False)
    terms = workspace.merge_options()
    named = {rule.options[0]: str(folder / rule.options[1])} if rule.options else {}
    schemas = ResourceSchemas(workspace.project, named["--schemas"]) if "--schemas" in named else None
    bundle = workspace.layers(names, terms)
    findings = workspace.lint(bundle, terms, templates=named.get("--templates", ""), schemas=schemas, **choice)
    return [one.code for one in findings]


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_a_rule_finds_its_example(tmp_path: Path, rule: Rule) -> None:
    code = rule.code.code
    assert code in found(tmp_path, rule)
    assert found(tmp_path, rule, select=[code]) == [code]
    assert code not in found(tmp_path, rule, ignore=[code])


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_a_comment_silences_a_rule(tmp_path: Path, rule: Rule) -> None:
    """At any of the lines that a finding names; what is declared in plait.yaml has no line in a layer."""
    code = rule.code.code
    commented = {
        name: "".join(f"{line}  # plait: ignore {code}\n" for line in text.splitlines())
        for name, text in rule.example.items()
        if name != "plait.yaml"
    }
    silent = Rule(rule.code, rule.why, {**rule.example, **commented}, rule.check, rule.options)
    if "plait.yaml" not in rule.example and not rule.options:
        assert code not in found(tmp_path, silent)
