"""Text to tree: what nodes come out, and how bombs are answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.source import Source
from plait.report.render import render_one
from plait.yaml.build import Reading
from plait.yaml.load import load
from plait.yaml.schema import YAML11
from tests.clock import taking, within
from tests.yaml.nodes import core, of


def refusal(text: str, **how: object) -> str:
    with pytest.raises(PlaitError) as caught:
        load(Source("x.yaml", text), Reading(**how))  # type: ignore[arg-type]
    return render_one(caught.value.diagnostics[0])


def test_several_documents_and_empty_ones() -> None:
    assert load(Source("x", ""), Reading()) == []
    assert load(Source("x", "# only a comment\n"), Reading()) == []
    assert load(Source("x", "---\n---\na: 1\n...\n"), Reading()) == [of(None), of({"a": 1})]


def test_a_key_that_stands_twice() -> None:
    assert refusal("a: 1\nb: 2\na: 3\n") == (
        "error PL1102: duplicate key `a`\n  x.yaml:1:1    a: 1\n  x.yaml:3:1    a: 3\n  remove one of them\n"
    )
    assert load(Source("x", "a: 1\na: 2\n"), Reading(duplicates="last")) == [of({"a": 2})]
    assert core("1: a\n'1': b\n") == MapNode({of(1): of("a"), "1": of("b")})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n", {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}}),
        ("- &a {x: 1}\n- &b {x: 2, y: 2}\n- {<<: [*a, *b]}\n", [{"x": 1}, {"x": 2, "y": 2}, {"x": 1, "y": 2}]),
        ("<<: text\n", {"<<": "text"}),
        ("'<<': {a: 1}\n", {"<<": {"a": 1}}),
    ],
)
def test_merge_keys(text: str, value: object) -> None:
    assert core(text) == of(value)


def test_merge_keys_are_a_choice() -> None:
    text = "a: {<<: {x: 1}}\n"
    assert load(Source("x", text), Reading(merge_keys=False)) == [of({"a": {"<<": {"x": 1}}})]


def test_anchors_share_nodes() -> None:
    node = core("a: &x [1]\nb: *x\n&k c: 1\nd: *k\n")
    assert isinstance(node, MapNode)
    assert node.entries["a"] is node.entries["b"]
    assert node.entries["d"] == of("c")


def test_tags_are_kept() -> None:
    node = core("- !t 1\n- !!str 12\n- !!set {a: }\n- !!map {}\n- !t {b: 1}\n- !!float 1\n- !!binary aGk=\n")
    assert isinstance(node, ListNode)
    tags = [item.tag for item in node.items if isinstance(item, Scalar | ListNode | MapNode)]
    assert tags == ["!t", None, "tag:yaml.org,2002:set", None, "!t", None, "tag:yaml.org,2002:binary"]
    assert [item.value for item in node.items if isinstance(item, Scalar)] == [1, "12", 1.0, "aGk="]


def test_keys_of_every_kind() -> None:
    node = core("? [a, b]\n: 1\n12: 2\nnull: 3\n!t k: 4\n{x: y}: 5\n")
    assert isinstance(node, MapNode)
    assert [node.entries[of(key)] for key in (["a", "b"], 12, None, {"x": "y"})] == [of(1), of(2), of(3), of(5)]


def test_places_of_keys_and_values() -> None:
    node = core("a: 1\nb:\n  c: !t 'x'\n")
    assert isinstance(node, MapNode)
    assert [str(node.key_origin(key)) for key in node.entries] == ["x.yaml:1:1", "x.yaml:2:1"]
    assert str(node.entries["b"].origin) == "x.yaml:3:3"


def test_the_schema_is_a_parameter() -> None:
    text = "[yes, 012, 0o17, 1_000, 2024-01-01]"
    new = load(Source("x", text), Reading())[0]
    old = load(Source("x", text), Reading(schema=YAML11))[0]
    assert new == of(["yes", 12, 15, "1_000", "2024-01-01"])
    assert old == of([True, 10, 15, 1000, "2024-01-01"])


def test_a_type_that_the_text_does_not_have() -> None:
    assert refusal("a: !!int x\n").startswith("error PL1105: `x` is not a valid int\n  x.yaml:1:4\n")


def nested_aliases() -> str:
    lines = ["a0: &a0 [" + ", ".join(["x"] * 10) + "]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return "\n".join(lines)


def merged_again_and_again() -> str:
    keys = "".join(f"  key{number}: {number}\n" for number in range(20_000))
    return f"base: &b\n{keys}all:\n" + "- <<: *b\n" * 20_000


BOMBS: dict[str, tuple[Callable[[], str], str]] = {
    "100,000 brackets": (lambda: "[" * 100_000, "PL5001"),
    "100,000 maps": (lambda: "".join("{a: " for _ in range(100_000)), "PL5001"),
    "10,000 blocks": (lambda: "".join(" " * n + "a:\n" for n in range(2_000)), "PL5001"),
    "dashes": (lambda: "- " * 50_000 + "x", "PL5001"),
    "ten levels of ten aliases": (nested_aliases, "PL5002"),
    "a mapping merged again and again": (merged_again_and_again, "PL5002"),
    "an alias in its own anchor": (lambda: "a: &a [*a]\n", "PL1104"),
    "an alias without an anchor": (lambda: "a: *b\n", "PL1103"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_answered_at_once(name: str) -> None:
    make, code = BOMBS[name]
    text = make()
    assert f"error {code}: " in refusal(text)
    within(2, lambda: taking(lambda: refusal(text)))


def test_very_long_integers() -> None:
    node: Node = core("9" * 5_000)
    assert isinstance(node, Scalar)
    assert node.value == 10**5_000 - 1


def test_many_keys_that_are_no_text() -> None:
    """Keys that are containers are told apart without comparing each with each."""
    text = "".join(f"? [k{number}]\n: {number}\n" for number in range(3_000))
    node = core(text)
    assert isinstance(node, MapNode)
    assert len(node.entries) == 3_000
    within(2, lambda: taking(lambda: core(text)))
