"""All stacks, written piece by piece: the same bytes as from printing the whole tree, however values are shared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.node import plain_value
from plait.core.source import Source
from plait.fronts.stacks.answers import pages
from plait.fronts.stacks.answers.stacks_data import gathered
from plait.workspace import Workspace
from plait.yaml.build import Reading, build
from plait.yaml.emit import Style, emit_styled
from plait.yaml.scan import scan
from tests.examples import examples
from tests.stacks.repository import repository

STYLE = {"indent": 2, "dash": 2, "sort_keys": True, "prefer": '"'}
LAYERS = ("catalog/base.yaml", "deploy/dev.yaml", "deploy/prod.yaml")


def described(folder: Path, form: str = "yaml") -> str:
    stacks = Workspace(str(folder), cache=False).stacks(str(folder))
    return "".join(stacks.describe_stacks(stacks.filter(), stacks.shape(form)))


words = st.text("ab:#-' \"\n01{}[]", max_size=6).filter(lambda text: "{{" not in text)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 20) | words,
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(words.filter(lambda text: text != "<<"), below, max_size=3)
    ),
    max_leaves=8,
)


def files(found: list[object]) -> dict[str, str]:
    """Two stacks that share a base; some values come from one file, some are merged from several."""
    own = [json.dumps({"v": value, "deep": {"er": {"still": value}}}) for value in found]
    part = "components:\n  terraform:\n    {name}:\n      metadata: {metadata}\n      vars: {own}\n"
    base = part.format(name="b", metadata="{type: abstract}", own=own[0])
    tops = [part.format(name="c", metadata="{inherits: [b]}", own=text) for text in own[1:]]
    heads = [f"import: [catalog/base]\nvars: {{stage: {stage}}}\n" for stage in ("dev", "prod")]
    return dict(zip(LAYERS, [base, heads[0] + tops[0], heads[1] + tops[1]], strict=True))


@given(st.lists(values, min_size=3, max_size=3))
@settings(max_examples=examples(40))
def test_the_bytes_of_the_whole_tree(tmp_path_factory: pytest.TempPathFactory, found: list[object]) -> None:
    folder = tmp_path_factory.mktemp("repository")
    repository(folder, files(found))
    text = described(folder)
    source = Source("all", text)
    tree = build(scan(source)[0], source, Reading())
    assert emit_styled(tree, Style(**STYLE)) == text  # type: ignore[arg-type]
    assert plain_value(tree) == json.loads(described(folder, "json"))


@given(st.lists(values, min_size=3, max_size=3))
@settings(max_examples=examples(30))
def test_a_query_over_all_stacks_finds_what_is_printed(
    tmp_path_factory: pytest.TempPathFactory, found: list[object]
) -> None:
    folder = tmp_path_factory.mktemp("repository")
    repository(folder, files(found))
    stacks = Workspace(str(folder), cache=False).stacks(str(folder))
    answer = "".join(stacks.describe_stacks(stacks.filter(), stacks.shape("json", ".")))
    assert answer == described(folder, "json")


def test_a_query_reads_no_text_and_shares_what_components_share(tmp_path: Path) -> None:
    text = "vars: {stage: dev}\nsettings: {a: {b: [1, 2]}}\ncomponents: {terraform: {c: {}, d: {vars: {x: 1}}}}\n"
    repository(tmp_path, {LAYERS[1]: text})
    stacks = Workspace(str(tmp_path), cache=False).stacks(str(tmp_path))
    data: Any = gathered(stacks.repository, stacks.filter(), False, False)
    members = data["dev"]["components"]["terraform"]
    assert members["c"]["settings"] == {"a": {"b": [1, 2]}}
    assert members["c"]["settings"] is members["d"]["settings"]


def test_a_key_that_is_too_long_for_one_line(tmp_path: Path) -> None:
    key = "k" * 1200
    repository(
        tmp_path,
        {
            LAYERS[1]: f"vars: {{stage: dev}}\ncomponents: {{terraform: {{c: {{vars: {{? {key} : 1, text: 'two\n\n\n  "
            f"lines'}}}}}}}}\n"
        },
    )
    text = described(tmp_path)
    assert f"          ? {key}\n          : 1\n" in text
    source = Source("all", text)
    assert plain_value(build(scan(source)[0], source, Reading())) == json.loads(described(tmp_path, "json"))


def test_what_is_kept_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(
        tmp_path,
        {
            LAYERS[
                1
            ]: "vars: {stage: dev, a: [1, 2], b: {c: 3}}\ncomponents: {terraform: {c: {}, d: {}, e: {vars: {x: 1}}}}\n"
        },
    )
    whole = described(tmp_path)
    monkeypatch.setattr(pages, "ROOM", 0)
    assert described(tmp_path) == whole
