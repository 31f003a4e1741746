"""plait as a library: lazy, typed, told where things come from, usable from threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import plait
from plait.manifests import BadArguments, read_call

BASE = """\
settings: {net: {cidr: 172.16.0.0/12, zones: [a, b]}}
net: !ref settings.net
broken: !ref nowhere
1: one
gone: 1
"""
PROD = """\
net: {cidr: 10.0.0.0/8}
gone: !unset
"""


@pytest.fixture
def document(tmp_path: Path) -> plait.Document:
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "prod.yaml").write_text(PROD)
    return plait.merge([str(tmp_path / "base.yaml"), str(tmp_path / "prod.yaml")], folder=str(tmp_path))


def test_it_is_a_mapping_of_plain_values(document: plait.Document) -> None:
    assert list(document) == ["settings", "net", "broken", "1"]
    assert len(document) == 4
    assert document["net"]["cidr"] == "10.0.0.0/8"
    assert document["net"]["zones"] == ["a", "b"]
    assert list(document["net"]["zones"][:1]) == ["a"]
    assert "gone" not in document
    assert dict(document["net"]) == {"cidr": "10.0.0.0/8", "zones": ["a", "b"]}
    assert document["1"] == "one"
    with pytest.raises(KeyError):
        document["nothing"]


def test_only_what_is_looked_at_is_computed(document: plait.Document) -> None:
    assert document["net"]["cidr"] == "10.0.0.0/8"
    counted = document.counters
    assert (counted["files"], counted["forced"], counted["calls"]) == (2, 2, 0)
    with pytest.raises(plait.PlaitError, match="`nowhere` is not defined"):
        document["broken"]


def test_value_gives_everything_or_all_errors(document: plait.Document) -> None:
    assert document.value("net") == {"cidr": "10.0.0.0/8", "zones": ["a", "b"]}
    with pytest.raises(plait.PlaitError) as caught:
        document.value()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL2101"
    assert diagnostic.labels[0].origin.line == 3


def test_explain(document: plait.Document) -> None:
    leaf = document.explain("net.cidr").leaves[0]
    assert leaf.winner.node.origin.line == 1
    assert [(loser.node.origin.column, reason) for loser, reason in leaf.losers] == [(24, "later layer")]


def test_text(document: plait.Document) -> None:
    assert document.text(path="net") == "cidr: 10.0.0.0/8\nzones:\n- a\n- b\n"
    assert document.text("json", path="net.zones[0]") == '"a"\n'
    assert document.get_path("net.zones")[1] == "b"


def test_documents_are_independent_of_each_other(tmp_path: Path) -> None:
    files = []
    for number in range(8):
        file = tmp_path / f"{number}.yaml"
        file.write_text(f"a: {number}\nb: !ref a\nc: [!ref b]\n")
        files.append(str(file))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda file: plait.merge([file], folder=str(tmp_path)).value("c"), files * 5))
    assert found == [[number] for number in range(8)] * 5


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'mrege'"):
        plait.mrege  # noqa: B018


def test_calls_and_imports_of_manifests_are_read_without_evaluating_them(tmp_path: Path) -> None:
    call = read_call("!terraform.state vpc prod .id")
    assert call is not None
    assert (call.function, call.deferred) == ("terraform.state", True)
    assert (call.arguments.component, call.arguments.stack, call.arguments.expression) == ("vpc", "prod", ".id")
    assert read_call("terraform.state vpc") is None
    bad = read_call("!store.get one")
    assert bad is not None
    with pytest.raises(BadArguments, match="takes NAME KEY"):
        _ = bad.arguments
    (tmp_path / "atmos.yaml").write_text("base_path: .\n")
    (tmp_path / "a.yaml").write_text("import: [b, {path: c, skip_if_missing: true, context: {x: 1}}]\n")
    rows = plait.stacks(str(tmp_path)).imports(str(tmp_path / "a.yaml"))
    assert rows == [{"path": "b"}, {"path": "c", "context": {"x": 1}, "skip_if_missing": True}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("!random 1 2 3", r"takes \[\[MIN\] MAX\], not 3 words"),
        ("!terraform.output", r"takes COMPONENT \[STACK\] OUTPUT"),
        ("!store s c k | nope x", "an option is one of .*default.* and a value"),
        ("!store s c k | default a b", "`b` is one word too many"),
        ('!env "open', "unterminated quote"),
    ],
)
def test_arguments_of_calls_are_checked(text: str, why: str) -> None:
    call = read_call(text)
    assert call is not None
    with pytest.raises(BadArguments, match=why):
        _ = call.arguments


def test_a_doubled_quote_is_one_letter() -> None:
    call = read_call('!env "a""b"')
    assert call is not None
    assert call.arguments.name == 'a"b'


def test_components_and_locals_of_stacks() -> None:
    stacks = plait.stacks(str(Path(__file__).parents[1] / "examples" / "stacks"))
    web = stacks.component("web", stack="ue1-prod")
    assert web["vars"]["stage"] == "prod"
    assert "prod.yaml" in str(web.explain("vars.stage"))
    scopes = stacks.locals("web", stack="ue1-prod")
    assert (scopes["component"], scopes["merged"]["prefix"]["value"]) == ("web", "shop-ue1")
    assert stacks.locals(stack="ue1-prod") != scopes


def test_a_document_is_shown_although_two_keys_have_one_text() -> None:
    document = plait.merge(["? [a, b]\n: 1\n'[a, b]': 2\n"])
    assert repr(document) == "<plait document: [a, b], [a, b]>"
    with pytest.raises(plait.PlaitError, match="duplicate key"):
        document.to_dict()
