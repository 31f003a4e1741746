"""Every rule of lint finds something in its own example, and nothing once it is silenced."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.fronts.lint import RULES, ResourceSchemas, Rule, Subject
from plait.report.catalog import LIST_LOST
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


@pytest.mark.parametrize(("keys", "steps"), [(398, 0), (399, 1), (798, 1), (799, 2)])
def test_a_large_merge_is_looked_at_in_steps(keys: int, steps: int, tmp_path: Path) -> None:
    """An editor answers after each: of 400 places, the document itself is one."""
    names = [str(tmp_path / name) for name in ("a.yaml", "b.yaml")]
    for layer, name in enumerate(names):
        Path(name).write_text("".join(f"key-{number}: {layer}\n" for number in range(keys)), encoding="utf-8")
    workspace = Workspace(str(tmp_path), cache=False)
    bundle = workspace.layers(names, workspace.merge_options())
    assert len(list(Subject(workspace.project, bundle).prepare({LIST_LOST.code}))) == steps


@pytest.mark.parametrize(("alias", "steps"), [("1", 0), ("*x", 2)])
def test_what_one_layer_has_alone_is_not_looked_through(alias: str, steps: int, tmp_path: Path) -> None:
    """Nothing of it is dropped; but what an alias stands for may be."""
    text = "a: &x 1\nm:\n" + "".join(f"  key-{number}: {alias}\n" for number in range(799))
    names = [str(tmp_path / name) for name in ("a.yaml", "b.yaml")]
    for name, written in zip(names, (text, "c: 1\n"), strict=True):
        Path(name).write_text(written, encoding="utf-8")
    workspace = Workspace(str(tmp_path), cache=False)
    bundle = workspace.layers(names, workspace.merge_options())
    assert len(list(Subject(workspace.project, bundle).prepare({LIST_LOST.code}))) == steps
