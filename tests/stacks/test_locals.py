"""Locals in the expressions that people write, and that deferring is invisible through imports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait import PlaitError
from tests.examples import examples
from tests.stacks.repository import repository, vars_of

LOCALS = """
vars: {stage: dev}
locals:
  flag: true
  off: false
  x: yes-x
  y: no-y
  items: [a, b]
  config: {name: inner, nested: {value: 7}}
  prefix: p
"""
EXPRESSIONS = {
    "{{ if .locals.flag }}{{ .locals.x }}{{ else }}{{ .locals.y }}{{ end }}": "yes-x",
    "{{ if .locals.off }}{{ .locals.x }}{{ else }}{{ .locals.y }}{{ end }}": "no-y",
    '{{ .locals.x | printf "%s-%s" .locals.y }}': "no-y-yes-x",
    "{{ range .locals.items }}{{ $.locals.prefix }}{{ . }} {{ end }}": "pa pb ",
    "{{ with .locals.config }}{{ .name }}{{ end }}": "inner",
    "{{ .locals.config.nested.value }}": 7,
    "{{ .locals.x | upper | quote }}": '"YES-X"',
    '{{ index .locals "x" }}': "yes-x",
    "{{ $c := .locals.config }}{{ $c.name }}": "inner",
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(expression: str, tmp_path: Path) -> None:
    text = (
        LOCALS + f"  result: {json.dumps(expression)}\ncomponents: {{terraform: {{c: {{vars: {{direct: "
        f"{json.dumps(expression)}, local: '{{{{ .locals.result }}}}'}}}}}}}}\n"
    )
    found = vars_of(tmp_path, "c", {"deploy/dev.yaml": text})
    assert found == {"stage": "dev", "direct": EXPRESSIONS[expression], "local": EXPRESSIONS[expression]}


@pytest.mark.parametrize(
    "where",
    [
        "settings: {x: '%s'}",
        "env: {X: '%s'}",
        "terraform: {vars: {x: '%s'}}",
        "overrides: {vars: {x: ['%s']}}",
        "components: {helmfile: {h: {vars: {'%s': 1}}}}",
    ],
)
def test_an_undefined_local_is_found_wherever_it_stands(where: str, tmp_path: Path) -> None:
    text = "vars: {stage: dev}\nlocals: {known: 1}\n" + where % "{{ .locals.knwon }}" + "\n"
    stacks = repository(tmp_path, {"deploy/dev.yaml": text})
    assert [problem.code for problem in stacks.problems()] == ["PL3201"]


def test_missing_locals_can_be_ignored(tmp_path: Path) -> None:
    config = (
        "stacks: {base_path: stacks, included_paths: [deploy/*]}\ntemplates: {settings: "
        "{ignore_missing_template_values: true}}\n"
    )
    stacks = repository(
        tmp_path, {"deploy/dev.yaml": "components: {terraform: {c: {vars: {x: 'a {{ .locals.x }}'}}}}\n"}, config
    )
    assert stacks.component("c", stack="deploy/dev").value("vars") == {"x": "a <no value>"}


LEAVES = st.one_of(st.integers(-9, 9), st.booleans(), st.sampled_from(["a", "b", ""]))
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)),
    max_leaves=8,
)


@settings(max_examples=examples(25), deadline=None)
@given(
    low=TREES,
    high=TREES,
    deferred=st.tuples(st.booleans(), st.booleans()),
    strategy=st.sampled_from(["replace", "append", "merge"]),
)
def test_deferring_is_invisible_through_imports(
    low: object, high: object, deferred: tuple[bool, bool], strategy: str, tmp_path: Path
) -> None:
    def written(value: object, hidden: bool) -> str:
        return f"!template {json.dumps(json.dumps(value))}" if hidden else json.dumps(value)

    def asked(hide: tuple[bool, bool]) -> object:
        settings_line = f"settings: {{list_merge_strategy: {strategy}}}\n"
        files = {
            "catalog/base.yaml": f"components: {{terraform: {{c: {{vars: {{x: {written(low, hide[0])}}}}}}}}}\n",
            "deploy/dev.yaml": f"import: [catalog/base]\nvars: {{stage: dev}}\n{settings_line}components: "
            f"{{terraform: {{c: {{vars: {{x: {written(high, hide[1])}}}}}}}}}\n",
        }
        return vars_of(tmp_path, "c", files)

    assert asked(deferred) == asked((False, False))


def test_a_component_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlaitError, match="Could not find the component"):
        vars_of(tmp_path, "nope", {"deploy/dev.yaml": "vars: {stage: dev}\ncomponents: {terraform: {c: {}}}\n"})
