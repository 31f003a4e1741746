"""The careful reader: it agrees with libyaml where libyaml is right, with YAML 1.2 where it is not, and says what is
wrong."""

from __future__ import annotations

import pytest
import yaml12
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from yaml import YAMLError
from yaml._yaml import CParser

from plait.core.diagnostic import PlaitError
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.source import Source
from plait.yaml import reader12
from plait.yaml.build import Reading, build
from plait.yaml.emit import Style, emit, flow
from plait.yaml.events import documents, reading_carefully, reading_events, reading_quickly
from plait.yaml.load import load
from plait.yaml.outline import columns
from tests.examples import examples
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
    return [shape(event) for event in reader12.read(text)]


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
@settings(max_examples=examples(50))
def test_it_reads_what_libyaml_reads(node: Node, in_flow: bool) -> None:
    text = f"- {flow(node, Style())}\n" if in_flow else emit(node)
    assert events(text) == libyaml(text)


def plain(node: Node) -> object:
    if isinstance(node, Scalar):
        return "" if node.value in (None, "\n") else node.value
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    assert isinstance(node, MapNode)
    return {
        key.strip("\n") and key if isinstance(key, str) else repr(plain(key)): plain(value)
        for key, value in node.entries.items()
    }


def other(value: object) -> object:
    """The second reader's values in the same form.

    It takes an empty block for a line end, and a tag's nothing for text.
    """
    if isinstance(value, dict):
        return {other(key) if isinstance(key, str) else repr(other(key)): other(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [other(item) for item in value]
    if isinstance(value, yaml12.Yaml):
        return other(value.value)
    return "" if value in (None, "\n") else value


@given(texts)
@settings(max_examples=examples(60))
def test_a_second_reader_of_yaml_12_agrees(text: str) -> None:
    assume("\n---" not in text)  # it takes a document's mark for a line of a block at the root
    try:
        theirs = other(yaml12.parse_yaml(text, multi=True))
    except ValueError:
        return
    try:
        ours = [plain(node) for node in read(text)]
    except (reader12.Wrong, PlaitError):
        return
    assert repr(ours) == repr(theirs)


SIGNS = [
    "\t",
    "*x ",
    "*x",
    "&x:",
    "%",
    "---\n",
    "...\n",
    "'",
    "\\",
    "|2\n",
    ">1\n",
    "|+\n",
    " \n",
    "\r\n",
    "?",
    "?x",
    "-x",
]
SIGNS += [
    "!",
    " #",
    "é",
    "\x85",
    "\u2028",
    "- - ",
    "- ? ",
    "- !t\n",
    "&x\n",
    "{\n",
    "}\n",
    "[\n",
    "]\n",
    ",\n",
    "a: |\n  t\n",
]
more = st.lists(st.sampled_from([*WORDS, *SIGNS, *WORDS]), max_size=12).map("".join)


@given(more)
@settings(max_examples=examples(60))
def test_both_readers_agree_or_libyaml_is_doubted(text: str) -> None:
    """Whichever reader a text is given to, it means the same; where libyaml is believed, the careful reader says so
    too."""
    source = Source("x", text)
    try:
        quickly = reading_quickly(source, 1000, documents)
    except (YAMLError, PlaitError):
        return
    carefully = reading_carefully(source, 1000, documents)
    assert [columns(program) for program in quickly] == [columns(program) for program in carefully]


def test_without_libyaml_the_careful_reader_reads_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("x", "a: [1, {b: x}]\nc: |\n  text\n--- &d\n- *d\n")
    before = [columns(program) for program in reading_events(source, 50, documents)]
    monkeypatch.setattr("plait.yaml.events.CParser", None)
    with pytest.raises(YAMLError):
        reading_quickly(source, 50, documents)
    assert [columns(program) for program in reading_events(source, 50, documents)] == before


def read(text: str) -> list[Node]:
    found = iter(reader12.read(text))
    source = Source("x", text)
    programs = documents(lambda: next(found), source, 1000)
    return [build(program, source, Reading(merge_keys=False)) for program in programs]


def test_a_plain_scalar_may_begin_with_a_colon() -> None:
    assert core("a: { eval: ::root::inputs }\nb: [::x, :y]\n") == of(
        {"a": {"eval": "::root::inputs"}, "b": ["::x", ":y"]}
    )


def test_places_are_told_as_libyaml_tells_them() -> None:
    node = core("a: { eval: ::root::inputs }\n")
    assert isinstance(node, MapNode)
    inner = node.entries["a"]
    assert isinstance(inner, MapNode)
    assert (str(inner.entries["eval"].origin), inner.marks) == ("x.yaml:1:12", (5,))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: >\n  one\n  two\n\n  three\n   more\n  last\n", {"a": "one two\nthree\n more\nlast\n"}),
        ("a: |+\n  x\n\nb: [::z]\n", {"a": "x\n\n", "b": ["::z"]}),
        ("{a: [b: c, ? d : ::e], 'f':1}\n", {"a": [{"b": "c"}, {"d": "::e"}], "f": 1}),
        ("? - a\n: [::b]\n", None),
        ("a: [::b]\nc: !!str", {"a": ["::b"], "c": ""}),
        ("%TAG !e! tag:e,2000:\n---\n- !e!x ::y\n- {a: ::b}\n", None),
        ('"a": "x\\\n  y \\u00e9\n\n  z"\nb: {::c}\n', {"a": "xy é\nz", "b": {"::c": None}}),
    ],
)
def test_what_only_it_reads(text: str, value: object) -> None:
    node = read(text)[0]
    assert value is None or node == of(value)


AT_THE_ENDS = [
    ("# first\na: 1", {"a": 1}),
    ("\ufeff# first\na: 1", {"a": 1}),
    ("a: 1 # last", {"a": 1}),
    ("a: 1\n#", {"a": 1}),
    ("a:", {"a": None}),
    ("-", [None]),
    ("--- # first\na: 1", {"a": 1}),
    ("- 1\r\n-", [1, None]),
    ("a: |\n  x", {"a": "x"}),
    ("a: 'x'", {"a": "x"}),
]
"""What stands at the very beginning, and texts that end without a line break."""


@pytest.mark.parametrize(("text", "value"), AT_THE_ENDS, ids=[repr(text) for text, _ in AT_THE_ENDS])
def test_texts_are_read_to_their_ends(text: str, value: object) -> None:
    assert read(text) == [of(value)]


READ_BY_12 = [
    ("[?x]\n", ["?x"]),
    ("{?foo: b}\n", {"?foo": "b"}),
    ("key: &an:chor value\n", {"key": "value"}),
    ("a: &x:y 1\nb: *x:y\n", {"a": 1, "b": 1}),
    ('"\\ud83d\\ude00"\n', "\U0001f600"),
    ('{"a": "\\uD834\\uDD1E!"}', {"a": "\U0001d11e!"}),
    ("a: x\x85y\n", {"a": "x\x85y"}),
    ("a: x\x85y\nb: {c: ::d}\n", {"a": "x\x85y", "b": {"c": "::d"}}),
    ("- |+\n   ", ["\n"]),
    ("?\n- a\n:\n- b\n", None),
    ("a: [\n  1\n]\n", {"a": [1]}),
    ("a:\n&x : v\n", None),
    ("{a: 1,\n?\n}\n", None),
]
"""What YAML 1.2 says, where libyaml says something else or nothing."""


@pytest.mark.parametrize(("text", "value"), READ_BY_12, ids=[repr(text) for text, _ in READ_BY_12])
def test_texts_are_read_as_yaml_12_says(text: str, value: object) -> None:
    found = load(Source("x.yaml", text), Reading(merge_keys=False))[0]
    assert value is None or found == of(value)
    assert [found] == read(text)


REFUSED = [
    "[a]#b\n",
    '"a"#b\n',
    "[a,#b\n]\n",
    "a: >#b\n  c\n",
    "[-]\n",
    "[a, -, b]\n",
    "k: [a,\nb]\n",
    'k: "a\nb"\n',
    "k:\n|\n x\n",
    '"a"\n%YAML 1.2\n---\nb\n',
    "---\n%YAML 1.2\n---\n",
    "%YAML 1.1#x\n---\n",
    "a: >\n   \n  b\n",
    'a: "b\n\tc"\n',
    "- [\n\ta\n ]\n",
    "s:\n&a\n- b\n",
    "k: &x\n!!map\n  a: b\n",
    "a: |\n\t\nb: 1\n",
    "{?}\n",
    '"\\ud83d"\n',
    '"\\ude00\\ud83d"\n',
]
"""What YAML 1.2 forbids; libyaml accepts most of it."""


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_yaml_12_is_refused(text: str) -> None:
    with pytest.raises(PlaitError, match="invalid YAML"):
        load(Source("x.yaml", text), Reading())


def test_depth_needs_no_python_stack() -> None:
    assert len(reader12.read("[" * 20_000 + "]" * 20_000)) == 40_003


@pytest.mark.parametrize("level", ["[", "- ", "? ", "{a: ", "- ? "])
def test_reading_ends_where_a_text_nests_twice_as_deep_as_it_may(level: str) -> None:
    """And not before: a key after a `?` is no level."""
    levels = 5 if level == "- ? " else 10
    closed = {"[": "]", "{a: ": "}"}.get(level, "") * levels
    assert reader12.read(level * levels + closed, 10)
    with pytest.raises(reader12.TooDeep) as caught:
        reader12.read(level * 1000, 10)
    assert caught.value.at <= 22 * len(level)


ERRORS = [
    ("a: [1, 2\nb: 3\n", "1:4", "this `[` is not closed before a line that is indented less"),
    ("a: {b: 1\n", "1:4", "this `{` is not closed"),
    ("a: !x\n  !y\n", "2:3", "a value can have only one tag and one anchor"),
    ("a: b: c\n", "1:4", "two keys on one line"),
    ("a:\n  - b\n c: 1\n", "3:2", "this is indented more than the keys above it"),
    (
        "a: 1\n  b: 2\n",
        "2:3",
        "this line continues the text above it, so a key is not allowed here; check its indentation",
    ),
    ("x: 'unclosed\n", "1:4", "missing closing quote"),
    ("a:\n\tb: 1\n", "2:2", "a tab cannot indent a key"),
    ("a:\n\t- 1\n", "2:2", "a tab cannot indent a list"),
    ("a: @x\n", "1:4", "an unquoted value cannot begin with `@`; put it in quotes"),
    ("a: %x\n", "1:4", "an unquoted value cannot begin with `%`; put it in quotes"),
    ("- a\nb: 1\n", "2:1", "an item of this list begins with a dash"),
    ("a: 1\nb\nc: 2\n", "2:1", "expected a key and a colon"),
    ('a: "\\q"\n', "1:5", "unknown escape `\\q`; write a backslash as `\\\\`"),
    ("a: !x!y z\n", "1:4", "no `%TAG` directive declares `!x!`"),
    ("%YAML x\n---\n", "1:1", "a YAML directive names one version, as in `%YAML 1.2`"),
    ("a: |x\n  b\n", "1:4", "after `|` only an indentation, `+` or `-`, and a comment are allowed"),
    ("[a, , b]\n", "1:5", "there is nothing before this comma"),
    ("[a b: c\n d]: e\n", "1:1", "a key must be on one line"),
    ("{a: b]\n", "1:6", "this does not close the `{` that is open"),
    ('["a" "b"]\n', "1:6", "a comma or `]` is missing before this"),
    ("a\n--- b: c\n", "2:5", "two keys on one line"),
    ("&a &b c\n", "1:4", "a value can have only one anchor"),
    ("&a *b\n", "1:1", "an alias cannot have a tag or an anchor"),
    ("a:\nb\n", "2:1", "this is not indented enough to be a value"),
]


@pytest.mark.parametrize(("text", "place", "why"), ERRORS, ids=[repr(error[0]) for error in ERRORS])
def test_what_is_wrong(text: str, place: str, why: str) -> None:
    """What the reader itself says; `hints` may know better what people meant."""
    with pytest.raises(reader12.Wrong) as caught:
        reader12.read(text)
    line, column = Source("x.yaml", text).position(min(caught.value.at, len(text)))
    assert (caught.value.why, f"{line}:{column}") == (why, place)
