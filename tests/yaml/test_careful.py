"""The careful reader: it agrees with libyaml where libyaml is right, with YAML 1.2 where it is not, and says what is wrong."""

from __future__ import annotations

import re

import pytest
import yaml12
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from yaml._yaml import CParser

from plait.core.diagnostic import PlaitError
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.core.source import Source
from plait.yaml import careful
from plait.yaml.build import Reading, build
from plait.yaml.emit import Style, emit, flow
from plait.yaml.events import documents
from tests.yaml.nodes import core, of, trees

WORDS = [
    *(
        "a",
        "b",
        "c: ",
        "a: ",
        "- ",
        "? ",
        ": ",
        ":",
        "::x",
        "\n",
        "\n",
        "\n",
        "  ",
        "  ",
        " ",
        "    ",
        "[",
        "]",
        "{",
        "}",
        ", ",
    ),
    *(
        '"q"',
        "'s'",
        '"a\n b"',
        "&x ",
        "!t ",
        "!!str ",
        "|\n",
        ">\n",
        "|-\n",
        "# c\n",
        "#",
        "-",
        '"',
        "k:\n",
        "- a\n",
        "x y",
    ),
    *("&y\n", "a:b", "{a: b}", "[1, 2]", ">-\n", "'a\n\n  b'", '"a\\\n  b"'),
]
texts = st.lists(st.sampled_from(WORDS), max_size=10).map(lambda words: "".join(words) + "\n")


def events(text: str) -> list[tuple[object, ...]]:
    return [shape(event) for event in careful.read(text)]


def shape(event: object) -> tuple[object, ...]:
    names = ("anchor", "tag", "value", "flow_style")
    kind = event.__class__.__name__
    places = [getattr(event, mark).index for mark in ("start_mark", "end_mark")] if kind == "ScalarEvent" else []
    style = (getattr(event, "style", None) or None,)
    return (kind, *(getattr(event, name, None) for name in names), *style, *places)


def libyaml(text: str) -> list[tuple[object, ...]]:
    parser = CParser(text)
    found = []
    while (event := parser.get_event()) is not None:
        found.append(shape(event))
    return found[1:]


@given(trees, st.booleans())
@settings(max_examples=300)
def test_it_reads_what_libyaml_reads(node: Node, in_flow: bool) -> None:
    text = f"- {flow(node, Style())}\n" if in_flow else emit(node)
    assert events(text) == libyaml(text)


def plain(node: Node) -> object:
    if isinstance(node, Scalar):
        return "" if node.value in (None, "\n") else node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    assert isinstance(node, Mapping)
    return {
        key.strip("\n") and key if isinstance(key, str) else repr(plain(key)): plain(value)
        for key, value in node.entries.items()
    }


def other(value: object) -> object:
    """The second reader's values in the same form. It takes an empty block for a line end, and a tag's nothing for text."""
    if isinstance(value, dict):
        return {other(key) if isinstance(key, str) else repr(other(key)): other(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [other(item) for item in value]
    if isinstance(value, yaml12.Yaml):
        return other(value.value)
    return "" if value in (None, "\n") else value


NAMELESS_KEY = re.compile(r"^ *[&!]\S* +:", re.M)
"""An empty key with an anchor or a tag."""


@given(texts)
@settings(max_examples=2000)
def test_a_second_reader_of_yaml_12_agrees(text: str) -> None:
    assume("\n---" not in text)  # it takes a document's mark for a line of a block at the root
    assume(not NAMELESS_KEY.search(text))  # a gap of ours: docs/yaml.md names it
    try:
        theirs = other(yaml12.parse_yaml(text, multi=True))
    except ValueError:
        return
    try:
        ours = [plain(node) for node in read(text)]
    except (careful.Wrong, PlaitError):
        return
    assert repr(ours) == repr(theirs)


def read(text: str) -> list[Node]:
    found = iter(careful.read(text))
    source = Source("x", text)
    programs = documents(lambda: next(found), source, 1000)
    return [build(program, source, Reading(merge_keys=False)) for program in programs]


def test_a_plain_scalar_may_begin_with_a_colon() -> None:
    assert core("a: { eval: ::root::inputs }\nb: [::x, :y]\n") == of(
        {"a": {"eval": "::root::inputs"}, "b": ["::x", ":y"]}
    )


def test_places_are_told_as_libyaml_tells_them() -> None:
    node = core("a: { eval: ::root::inputs }\n")
    assert isinstance(node, Mapping)
    inner = node.entries["a"]
    assert isinstance(inner, Mapping)
    assert (str(inner.entries["eval"].origin), inner.marks) == ("x.yaml:1:12", (5,))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: >\n  one\n  two\n\n  three\n   more\n  last\n", {"a": "one two\nthree\n more\nlast\n"}),
        ("a: |+\n  x\n\nb: [::z]\n", {"a": "x\n\n", "b": ["::z"]}),
        ("{a: [b: c, ? d : ::e], 'f':1}\n", {"a": [{"b": "c"}, {"d": "::e"}], "f": 1}),
        ("? - a\n: [::b]\n", None),
        ("%TAG !e! tag:e,2000:\n---\n- !e!x ::y\n- {a: ::b}\n", None),
        ('"a": "x\\\n  y \\u00e9\n\n  z"\nb: {::c}\n', {"a": "xy é\nz", "b": {"::c": None}}),
    ],
)
def test_what_only_it_reads(text: str, value: object) -> None:
    node = read(text)[0]
    assert value is None or node == of(value)


def test_depth_needs_no_python_stack() -> None:
    assert len(careful.read("[" * 20_000 + "]" * 20_000)) == 40_003


ERRORS = [
    ("a: [1, 2\nb: 3\n", "1:4", "this `[` is not closed before a line that is indented less"),
    ("a: {b: 1\n", "1:4", "this `{` is never closed"),
    ("a: b: c\n", "1:4", "a key cannot stand behind another on the same line"),
    ("a:\n  - b\n c: 1\n", "3:2", "this is indented more than the keys above it"),
    (
        "a: 1\n  b: 2\n",
        "2:3",
        "this line goes on with the text above it, so no key can stand here; check its indentation",
    ),
    ("x: 'unclosed\n", "1:4", "this quote is never closed"),
    ("a:\n\tb: 1\n", "2:2", "a tab cannot indent a key"),
    ("a:\n\t- 1\n", "2:2", "a tab cannot indent a list"),
    ("a: @x\n", "1:4", "a text cannot begin with `@`; put it in quotes"),
    ("a: %x\n", "1:4", "a text cannot begin with `%`; put it in quotes"),
    ("- a\nb: 1\n", "2:1", "an item of this list begins with a dash"),
    ("a: 1\nb\nc: 2\n", "2:1", "a key and a colon belong here"),
    ('a: "\\q"\n', "1:5", "there is no escape `\\q`; a backslash is written `\\\\`"),
    ("a: !x!y z\n", "1:4", "no `%TAG` directive declares `!x!`"),
    ("%YAML x\n---\n", "1:1", "a YAML directive names one version, as in `%YAML 1.2`"),
    ("a: |x\n  b\n", "1:4", "behind `|` stand at most an indentation, `+` or `-`, and a comment"),
    ("[a, , b]\n", "1:5", "there is nothing before this comma"),
    ("[a b: c\n d]: e\n", "1:1", "a key stands on one line"),
    ("{a: b]\n", "1:6", "this does not close the `{` that is open"),
    ('["a" "b"]\n', "1:6", "a comma or `]` is missing before this"),
    ("a\n--- b: c\n", "2:5", "a key cannot stand behind another on the same line"),
    ("&a &b c\n", "1:4", "a value has one anchor"),
    ("&a *b\n", "1:1", "an alias has no tag and no anchor of its own"),
    ("a:\nb\n", "2:1", "this is not indented enough to be a value"),
]


@pytest.mark.parametrize(("text", "place", "why"), ERRORS, ids=[repr(error[0]) for error in ERRORS])
def test_what_is_wrong(text: str, place: str, why: str) -> None:
    """What the reader itself says; `hints` may know better what people meant."""
    with pytest.raises(careful.Wrong) as caught:
        careful.read(text)
    line, column = Source("x.yaml", text).position(min(caught.value.at, len(text)))
    assert (caught.value.why, f"{line}:{column}") == (why, place)
