"""All stacks, written piece by piece: the same bytes as from printing the whole tree, however values are shared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.node import plain_value
from plait.core.source import Source
from plait.fronts.stacks.answers import pages
from plait.fronts.stacks.answers.stacks_data import gathered
from plait.fronts.stacks.assemble.components import Component
from plait.workspace import Workspace
from plait.yaml.build import Reading, build
from plait.yaml.emit import Style, emit_styled
from plait.yaml.scan import scan
from tests.examples import examples
from tests.stacks.repository import CONFIG, repository

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
@settings(max_examples=examples(25))
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


TAME = (
    *("1", "2", "word", "[1, 2]", "{k: 1}", "{k: {l: 2}, m: 3}", "{k: [4]}", "'{{ .locals.name }}'"),
    *("!template '{{ toJson .settings.s }}'", "!env NOT_SET word", "!env NOT_SET other", "null", "{}"),
)
WILD = (
    *("[]", "'a: b'", "'{{ .locals.map }}'", "'{{ .vars.stage }}-x'", "'{{ .settings.s.k }}'", "!env"),
    *("!template '{{ .vars.a }}'", "'{{ .atmos_component }}'", "{k: !env NOT_SET word}", "'{{ .nowhere.at.all }}'"),
    *("!unset", "!append [3]", "{l: '{{ .locals.name }}'}", "!literal '{{ a }}'"),
)
tame = st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(TAME), max_size=3)
wild = st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(TAME + WILD), max_size=3)
others = st.sampled_from(
    [
        *[""] * 8,
        *("settings: {s: {k: other}}", "settings: {list_merge_strategy: append}", "env: {NOT_SET: given}"),
        *("overrides: {vars: {a: over}}", "terraform: {vars: {b: typed}}", "env: {NOT_SET: '{{ .vars.stage }}'}"),
        *("settings: {t: '{{ .vars.stage }}'}", "settings: {templates: {settings: {enabled: false}}}"),
        *("terraform: {backend_type: s3, backend: {s3: {bucket: '{{ .vars.stage }}'}}}", "metadata: {custom: {e: 1}}"),
        "terraform: {backend_type: s3, backend: {s3: {bucket: b}}}",
    ]
)
members = st.sampled_from([*[""] * 8, "env: {NOT_SET: own}", "settings: {u: 1}", "hooks: {h: {on: x}}"])
NAMES = {
    "m": "{type: abstract}",
    "d": "{type: abstract, inherits: [m]}",
    "x": "{component: x/y}",
    "y": "{}",
    "z": "{inherits: [d]}",
    "w": "{inherits: [m]}",
}


OWN_METADATA = (
    *["{inherits: [d]}"] * 4,
    *("{inherits: [d], component: x/y}", "{inherits: [d], name: n}", "{inherits: [m, d]}", "{inherits: [m]}", "{}"),
    *("{inherits: [d], custom: {e: 2}}", "{inherits: [d], tags: [a]}", "{inherits: [d], tags: ['1', b]}"),
    *("{inherits: [d], labels: {e: '1'}}", "{inherits: [d], locked: true}", "{inherits: [d], locked: 'true'}"),
    *("!replace {inherits: [d]}", "{inherits: [d], terraform_workspace: w}", "{inherits: [d], custom: !env NOT_SET f}"),
    *("{inherits: [d], tags: [1, b]}", "{inherits: ['{{ .locals.name }}']}", "{inherits: [d], type: abstract}"),
)
"""What the component that each stack writes itself may say about itself."""


def flow(entries: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {text}" for key, text in entries.items()) + "}"


def many_stacks(
    written: list[dict[str, str]], above: list[str], beside: list[str], metadata: list[str]
) -> dict[str, str]:
    """Three stacks that import components which they do not write, and write one themselves."""
    head = "locals: {name: n, map: {k: 9}}\nsettings: {s: {k: v}}\ncomponents:\n  terraform:\n"
    part = "    {}:\n      metadata: {}\n      vars: {}\n      {}\n"
    rows = [part.format(*row) for row in zip(NAMES, NAMES.values(), map(flow, written), beside, strict=False)]
    files = {"catalog/base.yaml": head + "".join(rows)}
    stages = zip(("dev", "prod", "test"), written[6:9], written[9:], above, metadata, strict=True)
    for stage, root, own, more, said in stages:
        files[f"deploy/{stage}.yaml"] = (
            f"import: [catalog/base]\nlocals: {{name: {stage}}}\n{more}\nvars: {flow({'stage': stage, **root})}\n"
            f"components:\n  terraform:\n{part.format('c', said, flow(own), '')}"
        )
    return files


def told(folder: Path, form: str) -> tuple[str, list[str]]:
    """All stacks as text, and what is wrong with them; an error that ends the answer is all that is told."""
    stacks = Workspace(str(folder), cache=False).stacks(str(folder))
    try:
        text = "".join(stacks.describe_stacks(stacks.filter(), stacks.shape(form)))
    except PlaitError as error:
        return "", [str(error)]
    return text, [one.message for one in stacks.problems()]


@pytest.mark.long
@given(
    st.lists(tame, min_size=12, max_size=12) | st.lists(wild, min_size=12, max_size=12),
    st.lists(others, min_size=3, max_size=3),
    st.lists(members, min_size=6, max_size=6),
    st.lists(st.sampled_from(OWN_METADATA), min_size=3, max_size=3),
    st.sampled_from(("yaml", "json")),
)
@settings(max_examples=examples(25))
def test_what_stacks_share_changes_no_byte(
    tmp_path_factory: pytest.TempPathFactory,
    written: list[dict[str, str]],
    above: list[str],
    beside: list[str],
    metadata: list[str],
    form: str,
) -> None:
    """The answer is that of a run in which every component is put together and evaluated by itself."""
    folder = tmp_path_factory.mktemp("repository")
    repository(
        folder, many_stacks(written, above, beside, metadata), f"{CONFIG}templates: {{settings: {{enabled: true}}}}\n"
    )
    together = told(folder, form)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Component, "_plain", lambda component: None)
        patch.setattr(pages, "known_value", lambda session, node, root: None)
        assert told(folder, form) == together
