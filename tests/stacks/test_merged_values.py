"""What several layers write at a place, and what templates make of it: the texts alone say what the component has."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait import PlaitError
from plait.core.node import Node, plain_value
from plait.evaluate.engine import Evaluator
from plait.fronts.stacks.answers.merged_values import MergedValues
from plait.fronts.stacks.answers.written_values import ROOT, UNSURE, WrittenValues, ranks_of
from plait.fronts.stacks.read.imports import merged_files
from plait.library import Stacks
from plait.workspace import Workspace
from tests.examples import examples
from tests.stacks.repository import repository

CONFIG = """\
stacks: {{base_path: stacks, included_paths: ["deploy/**/*"], name_template: "{{{{ .vars.stage }}}}"}}
settings: {{list_merge_strategy: {strategy}}}
templates: {{settings: {{enabled: true, sprig: {{enabled: true}}}}}}
"""
PLAIN = ("1", "two", "'{x'", "[1, two]", "{x: 1}", "{x: {y: [1]}, z: 2}", "{x: two}")
RARE = ("null", "!env NOWHERE none", "!unset")
TEMPLATES = (
    *("'{{ .settings.a }}'", "'{{ .settings.a.x }}-{{ .vars.b }}'", "'{{ .vars.c | upper }}'", "'{{ .vars.m.x }}'"),
    *("!template '{{ toJson .settings.a }}'", "!template '{{ toJson .vars.m }}'", "'{{ .locals.l }}'"),
    *("!template '[{{ .vars.b }}, {{ .settings.a.x }}]'", "'{{ .settings }}'", "'{{ if .vars.b }}yes{{ end }}'"),
    *('\'{{ printf "%s %s" "!env" "HOME" }}\'', "'{{ index .settings \"a\" }}'", "'{{ .settings.c.nowhere }}'"),
)
LAYERS = (ROOT, "terraform", ("terraform", "base"), ("terraform", "web"))
"""The lowest first."""
PLACES = [("vars", name) for name in "abcm"] + [("settings", name) for name in "ab"] + [("vars", "m", "x")]
plain = st.one_of(*[st.sampled_from(PLAIN)] * 5, st.sampled_from(RARE))
anything = st.one_of(plain, plain, st.sampled_from(TEMPLATES))


GIVEN = {"vars": {"b": "two", "m": "{x: 1}"}, "settings": {"a": "{x: 1}"}}
"""What the root of the catalog says, if nothing else is drawn for it."""


@st.composite
def sections(draw: st.DrawFn, values: st.SearchStrategy[str], given: dict[str, dict[str, str]]) -> list[str]:
    """What one layer of one file says, section by section."""
    lines: list[str] = []
    for name in ("vars", "settings"):
        own = draw(st.dictionaries(st.sampled_from("abcm"), values, max_size=2))
        found = {**given.get(name, {}), **own}
        lines.append(f"{name}: {{{', '.join(f'{key}: {text}' for key, text in found.items())}}}")
    return lines


@st.composite
def manifests(draw: st.DrawFn) -> dict[str, str]:
    """A stack, and a catalog that it imports."""
    stage: dict[str, dict[str, str]] = {"vars": {"stage": "dev"}}
    files: dict[str, str] = {}
    for name, first, said in (("deploy/dev.yaml", "import: [catalog/base]", stage), ("catalog/base.yaml", "", GIVEN)):
        root, typed = draw(sections(plain, said)), ", ".join(draw(sections(plain, {})))
        base, web = (", ".join(draw(sections(anything, {}))) for _ in range(2))
        entries = [f"    base: {{{base}}}", f"    web: {{metadata: {{inherits: [base]}}, {web}}}"]
        lines = [first, "locals: {l: text}", *root, f"terraform: {{{typed}}}", "components:", "  terraform:", *entries]
        files[name] = "\n".join([*lines, ""])
    return files


def merged_values(place: str, stacks: Stacks) -> tuple[MergedValues, Evaluator]:
    """What the texts say of the one manifest of a repository, and what evaluates it; PlaitError where it cannot be
    opened."""
    found = Workspace(place, cache=False).stacks(place).repository
    stacks.component("web", stack="dev")
    (manifest,) = found.manifests()
    texts = {file.path: file.source for file in merged_files(manifest)}
    written = WrittenValues(found, texts, ranks_of({"dev": list(texts)}))
    return MergedValues(found, written), found.session.evaluator


@settings(max_examples=examples(60), deadline=None)
@given(manifests(), st.sampled_from(["replace", "append"]))
def test_what_is_merged_from_texts_is_what_the_component_has(files: dict[str, str], strategy: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        stacks = repository(Path(place), files, CONFIG.format(strategy=strategy))
        try:
            merged, _ = merged_values(place, stacks)
        except PlaitError:
            return
        for path in PLACES:
            value = merged.value(path, LAYERS, "dev")
            if not isinstance(value, Node):
                continue
            try:
                whole = stacks.component("web", stack="dev").value(".".join(path))
            except PlaitError as error:
                whole = str(error)
            assert json.dumps(plain_value(value)) == json.dumps(whole), (path, files)


SURE = {
    "maps of two layers": ("vars: {a: {x: 1}}", "vars: {a: {y: 2}}", {"x": 1, "y": 2}),
    "a template, and one name": ("settings: {b: two}", "vars: {a: '{{ .settings.b }}'}", "two"),
    "a member of a map": ("settings: {m: {x: 7}}", "vars: {a: '{{ .settings.m.x }}'}", 7),
    "a map, and a member of it": (
        *("vars: {m: {x: 7}}", "vars: {a: '{{ .vars.m.x }} of {{ toJson .vars.m }}'}"),
        '7 of {"x":7}',
    ),
    "two members, and no map": ("vars: {m: {x: 7, y: 8}}", "vars: {a: '{{ .vars.m.x }}{{ .vars.m.y }}'}", "78"),
    "a map that layers merge": ("vars: {m: {x: 7}}", "vars: {m: {y: 8}, a: '{{ toJson .vars.m }}'}", '{"x":7,"y":8}'),
    "data over a map": (
        "vars: {a: {z: 1}, m: {x: 7}}",
        "vars: {a: !template '{{ toJson .vars.m }}'}",
        {"z": 1, "x": 7},
    ),
    "what nobody writes": ("vars: {b: two}", "vars: {a: '{{ .vars.c.d }}'}", "<no value>"),
    "a local value": ("vars: {b: two}", "vars: {a: '{{ .locals.l }}'}", "text"),
    "names of several parts": ("env: {B: two}", "vars: {a: '{{ .env.B }}'}", "two"),
}
"""What the root says and what the component does, and what `vars.a` of the component is then."""
NOT_SURE = {
    "a text over another value": ("vars: {a: one, b: two}", "vars: {a: '{{ .vars.b }}'}"),
    "itself": ("vars: {b: two}", "vars: {a: '{{ .vars.a }}'}"),
    "a whole section": ("vars: {b: two}", "vars: {a: '{{ toJson .settings }}'}"),
    "what is no section": ("vars: {b: two}", "vars: {a: '{{ .atmos_component }}'}"),
    "what is no plain section": ("vars: {b: two}", "vars: {a: '{{ .metadata.component }}'}"),
    "what a function gives": ("vars: {b: !env NOWHERE two}", "vars: {a: '{{ .vars.b }}'}"),
    "what another template gives": ("vars: {c: two}", "vars: {b: '{{ .vars.c }}', a: '{{ .vars.b }}'}"),
    "a function whose call is printed": ("vars: {b: two}", """vars: {a: '{{ printf "!env" }} NOWHERE two'}"""),
    "null": ("vars: {b: two}", "vars: {a: null}"),
    "null over a map": ("vars: {a: {x: 1}}", "vars: {a: null}"),
    "null in data": ("vars: {b: two}", """vars: {a: !template '{{ "null" }}'}"""),
    "nothing": ("vars: {b: two}", "vars: {b: two}"),
    "a name below a text": ("vars: {b: two}", "vars: {a: '{{ .vars.b.x }}'}"),
    "an error": ("vars: {b: two}", """vars: {a: '{{ fail "no" }}'}"""),
    "a function beside a template": ("vars: {a: !env NOWHERE two}", "vars: {a: !template '{{ toJson .vars.b }}'}"),
}
"""What the texts do not decide."""


def one_stack(root: str, own: str) -> dict[str, str]:
    text = f"locals: {{l: text}}\n{root}\ncomponents: {{terraform: {{web: {{settings: {{s: 1}}, {own}}}}}}}\n"
    return {
        "deploy/dev.yaml": text.replace("vars: {", "vars: {stage: dev, ", 1)
        if "vars" in root
        else f"vars: {{stage: dev}}\n{text}"
    }


@pytest.mark.parametrize(("root", "own", "expected"), SURE.values(), ids=SURE)
def test_a_value_that_texts_decide(root: str, own: str, expected: object, tmp_path: Path) -> None:
    stacks = repository(tmp_path, one_stack(root, own), CONFIG.format(strategy="replace"))
    merged, evaluator = merged_values(str(tmp_path), stacks)
    before = evaluator.mark()
    value = merged.value(("vars", "a"), LAYERS, "dev")
    assert isinstance(value, Node)
    assert plain_value(value) == expected == stacks.component("web", stack="dev").value("vars.a")
    assert merged.value(("vars", "a"), LAYERS, "dev") is value, "it is found once"
    assert evaluator.mark() == before, "nothing of it is kept by the evaluator"


@pytest.mark.parametrize(("root", "own"), NOT_SURE.values(), ids=NOT_SURE)
def test_a_value_that_texts_do_not_decide(root: str, own: str, tmp_path: Path) -> None:
    stacks = repository(tmp_path, one_stack(root, own), CONFIG.format(strategy="replace"))
    merged, _ = merged_values(str(tmp_path), stacks)
    assert merged.value(("vars", "a"), LAYERS, "dev") is UNSURE
