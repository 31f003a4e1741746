"""What several layers write at a place, and what templates make of it: the texts alone say what the component has."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from plait import PlaitError
from plait.core.node import Node, plain_value
from plait.fronts.stacks.answers.merged_values import MergedValues
from plait.fronts.stacks.answers.written_values import ROOT, WrittenValues, ranks_of
from plait.fronts.stacks.read.imports import merged_files
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


@settings(max_examples=examples(60), deadline=None)
@given(manifests(), st.sampled_from(["replace", "append"]))
def test_what_is_merged_from_texts_is_what_the_component_has(files: dict[str, str], strategy: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        stacks = repository(Path(place), files, CONFIG.format(strategy=strategy))
        found = Workspace(place, cache=False).stacks(place).repository
        try:
            component = stacks.component("web", stack="dev")
            (manifest,) = found.manifests()
        except PlaitError:
            return
        texts = {file.path: file.source for file in merged_files(manifest)}
        merged = MergedValues(found, WrittenValues(found, texts, ranks_of({"dev": list(texts)})))
        for path in PLACES:
            value = merged.value(path, LAYERS, "dev")
            if not isinstance(value, Node):
                continue
            try:
                whole = component.value(".".join(path))
            except PlaitError as error:
                whole = str(error)
            assert json.dumps(plain_value(value)) == json.dumps(whole), (path, files)
