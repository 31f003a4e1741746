"""Sections: the table is that of the published schema, and each section of each type goes through every question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from plait.apps.cli import main
from plait.fronts.stacks.answers.describe import HIDDEN
from plait.fronts.stacks.answers.places import sites_of
from plait.fronts.stacks.assemble.section_layers import is_section
from plait.fronts.stacks.config import sections
from plait.fronts.stacks.config.sections import TYPES, sections_of_type
from plait.workspace import Workspace
from tests.web.serving import serving
from tests.web.shop import commit
from tests.web.test_targets import page

PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "atmos-manifest-1.0.json"
CONFIG = """
base_path: ./
stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_template: "{{ .settings.stage }}"}
components: {terraform: {base_path: components/terraform}}
"""
ALL = {
    type: [name for name in (*sections_of_type(type), "vars", "unlisted") if is_section(name, type)]
    for type in (*TYPES, "widget")
}
"""The sections of each type, one that no schema has, and a type that no schema has."""
SOME = ("terraform", "helm", "widget")
"""Types for the questions that take long."""


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published schema is not at hand")
def test_the_table_is_that_of_the_published_schema() -> None:
    schema = json.loads(PUBLISHED.read_text())

    def keys(name: str) -> tuple[set[str], bool]:
        (whole,) = (one for one in schema["definitions"][name]["oneOf"] if "properties" in one)
        return set(whole["properties"]), whole["additionalProperties"]

    at_root = set(schema["properties"])
    types = set(keys("components")[0])
    assert set(sections.COMPONENTS) == types
    assert set(sections.ROOT) == at_root - types
    for type in types:
        assert (set(sections.COMPONENTS[type]), type in sections.OPEN) == keys(f"{type}_component_manifest")
    assert {type: set(names) for type, names in sections.ALL_OF_TYPE.items()} == {
        type: keys(type)[0] for type in types & at_root
    }
    assert set(sections.OVERRIDES) == keys("overrides")[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A component of each type that has every section, half of it inherited; the text of each value names it."""
    components = {
        type: {
            "base": {"metadata": {"type": "abstract"}, **{name: {"low": f"{type} {name} low"} for name in names}},
            "one": {
                "metadata": {"inherits": ["base"]},
                **{name: {"high": f"{type} {name} high"} for name in names},
            },
        }
        for type, names in ALL.items()
    }
    (tmp_path / "stacks/deploy").mkdir(parents=True)
    (tmp_path / "atmos.yaml").write_text(CONFIG)
    for type, members in components.items():
        manifest = {"settings": {"stage": type}, "components": {type: members}}
        (tmp_path / f"stacks/deploy/{type}.yaml").write_text(yaml.safe_dump(manifest, sort_keys=False))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_describe_explain_and_blame_tell_every_section(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = json.loads(answer(capsys, "describe", "stacks", "--format", "json"))
    for type, names in ALL.items():
        one = whole[type]["components"][type]["one"]
        blamed = answer(capsys, "blame", "component", "one", "-s", type)
        plain = answer(capsys, "describe", "component", "one", "-s", type, "--format", "json", "--query", ".")
        traced = answer(capsys, "describe", "component", "one", "-s", type)
        shown = json.loads(answer(capsys, "describe", "component", "one", "-s", type, "--format", "json"))
        usual = set(names).difference(HIDDEN)
        assert usual <= set(shown)
        for name in names:
            texts = {"low": f"{type} {name} low", "high": f"{type} {name} high"}
            assert texts.items() <= one[name].items()
            assert texts.items() <= json.loads(plain)[name].items()
            assert all(text in blamed for text in texts.values())
            assert name not in usual or all(text in traced for text in texts.values())
    told = answer(capsys, "explain", "component", "one", "-s", "widget", "unlisted.low")
    assert "widget unlisted low" in told
    assert "base component `base`" in told


def test_lists_read_every_section(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for type, names in ALL.items():
        columns = ",".join(f"{name}.low" for name in names)
        rows = answer(capsys, "list", "instances", "-s", type, "--columns", columns, "--format", "tsv").splitlines()
        assert rows[1].split("\t") == [f"{type} {name} low" for name in names]
        filters = [f'.{name}.high == "{type} {name} high"' for name in names]
        found = answer(capsys, "list", "instances", "--filter", " and ".join(filters), "--columns", "stack")
        assert found == f"Stack\n{type}\n"


def test_comparisons_see_every_section(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(folder)
    for type in SOME:
        path = folder / f"stacks/deploy/{type}.yaml"
        path.write_text(path.read_text().replace(" low", " new"))
    affected = json.loads(answer(capsys, "describe", "affected", "--base", "main"))
    reasons = {row["stack"]: set(row["affected_all"]) for row in affected if row["component"] == "one"}
    for type in SOME:
        assert {f"stack.{name}" for name in ALL[type]} <= reasons[type]
    review = json.loads(answer(capsys, "review", "main", "--format", "json"))
    paths = {(one["target"], one["path"]) for cause in review["causes"] for one in cause["values"]}
    assert paths >= {(type, f"{name}.low") for type in SOME for name in ALL[type]}


def test_every_section_can_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = Workspace(str(folder))
    for type, names in ALL.items():
        for name in names:
            found = workspace.stacks(str(folder)).component("one", type)
            assert found is not None
            assert [site.layer for site in sites_of(found, (name, "low"))][:2] == ["component", "base"]
    answer(capsys, "stack", "set", "one", "-s", "helm", "values.low", "x", "--at", "narrowest")
    assert "low: x" in (folder / "stacks/deploy/helm.yaml").read_text()


def test_the_explorer_shows_every_section(folder: Path) -> None:
    with serving() as server:
        for type in SOME:
            shown = page(server, "/value", target=type, document="one")
            assert [name for name in ALL[type] if f"{type} {name} low" not in shown] == []
