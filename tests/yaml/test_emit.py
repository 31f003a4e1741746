"""Tree to text: the look of it, and that every reader reads it back as it was."""

from __future__ import annotations

import json

import pytest
import yaml
import yaml12
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core import native
from plait.core.diagnostic import PlaitError
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.walk import leaf_nodes
from plait.report.render import render_one
from plait.yaml.emit import Style, emit, emit_documents, emit_json, emit_rows, emit_styled, flow, lines
from plait.yaml.schema import CORE
from tests.clock import taking, within
from tests.examples import examples
from tests.yaml.nodes import core, of, plain_values, scalars, texts, trees


@given(trees)
@settings(max_examples=examples(50))
def test_emit_then_read_gives_the_same(node: Node) -> None:
    text = emit(node)
    assert core(text) == node
    assert emit(node) == text
    assert emit(core(text)) == text


@given(trees, st.integers(2, 8), st.integers(0, 8))
def test_every_style_reads_the_same(node: Node, indent: int, dash: int) -> None:
    assert core(emit(node, indent=indent, dash=dash)) == node
    assert core(emit(node, sort_keys=True)) == node
    assert core(emit_styled(node, Style(indent, dash, prefer='"', always=True, item=indent))) == node


@given(trees)
@settings(max_examples=examples(40))
def test_flow_reads_the_same(node: Node) -> None:
    assert core(flow(node, Style())) == node
    assert core("- {k: [" + flow(node, Style(prefer='"')) + "]}") == ListNode([MapNode({"k": ListNode([node])})])


@given(trees, st.integers(2, 4), st.integers(0, 4), st.booleans())
@settings(max_examples=examples(35))
def test_line_by_line_it_is_the_same_text(node: Node, indent: int, dash: int, sort_keys: bool) -> None:
    """What blame and provenance print is what merge prints."""
    style = Style(indent, dash, sort_keys, item=indent)
    assert "".join(f"{text}\n" for text, *_ in lines(node, style)) == emit_styled(node, style)


@given(trees, st.integers(2, 4), st.integers(0, 4))
@settings(max_examples=examples(35))
def test_rows_are_where_a_reader_finds_the_values(node: Node, indent: int, dash: int) -> None:
    check_rows(node, Style(indent, dash, item=indent))


def check_rows(node: Node, style: Style) -> None:
    """What `--origins` and blame write beside a line is about the value on it; both emitters say so."""
    text, rows = emit_rows(node, style)
    assert text == emit_styled(node, style)
    assert rows.of_values == [leaf.origin.line for leaf in leaf_nodes(core(text))]
    texts = [line for line, *_ in lines(node, style)]
    starts = sorted([*rows.values, *(row for row, _, _ in rows.holders)])
    assert starts == [1 + sum(one.count("\n") + 1 for one in texts[:number]) for number in range(len(texts))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "emit", None)
        assert emit_rows(node, style)[1].lists == rows.lists


def test_line_by_line_tags_and_keys_of_any_kind() -> None:
    text = "? a: 1\n: 2\n? - x\n  - y\n: q: 1\n? !t\n  - z\n: - 1\n  - !u\n    b: 2\nt: !t\n- ? [x]\n  : 1\nn: yes\n"
    node, style = core(text), Style(schema=CORE)
    rows = [row for row, *_ in lines(node, style)]
    assert "".join(f"{row}\n" for row in rows) == emit_styled(node, style)
    assert rows[:3] == ["? a: 1\n: 2", "? - x\n  - y\n: q: 1", "? !t\n  - z\n: - 1"]
    assert lines(core("!t {a: 1}"), style)[0][0] == "--- !t"
    for one in (text, "!t {a: {b: 1}}", "? {a: 1}\n: !t\n  b: |\n    x\n\n    y\nc:\n- |\n  é\n  ö\n- []\n"):
        check_rows(core(one), style)


@given(plain_values)
@settings(max_examples=examples(35))
def test_yaml_11_readers_read_the_same(value: object) -> None:
    """For texts: PyYAML reads some floats as text, which is a matter of the number, not of our quoting."""
    assert yaml.safe_load(emit(of(value))) == value


@given(plain_values)
@settings(max_examples=examples(35))
def test_a_second_yaml_12_reader_reads_the_same(value: object) -> None:
    assert yaml12.parse_yaml(emit(of(value))) == value


@given(texts)
@settings(max_examples=examples(50))
def test_texts_in_every_position(text: str) -> None:
    value = {text: [text, {text: text}], "k": [[text]]}
    out = emit(of(value))
    assert core(out) == of(value)
    assert yaml.safe_load(out) == value
    assert yaml12.parse_yaml(out) == value


@given(trees)
def test_json_is_what_json_reads(node: Node) -> None:
    try:
        text = emit_json(node)
    except PlaitError as trouble:  # infinity, or 1 beside "1"
        if trouble.diagnostics[0].code not in ("PL1203", "PL1102"):
            raise
        return
    assert json.loads(emit_json(node, indent=0), parse_int=str) == json.loads(text, parse_int=str)


@given(plain_values)
def test_json_of_plain_values(value: object) -> None:
    assert json.loads(emit_json(of(value))) == value


LOOK = """\
name: web
empty: {}
none: []
jobs:
- name: api
  ports:
  - 80
  - 0x1F
- - nested
  - 1e3
- {}
note: |
  two
  lines
bare: |-
  no
  end
many: |+
  kept

spaced: |2
   leading
tab: "a\\tb"
'yes': 'no'
on call: it's 5 o'clock
'2024-01-01': 1.2.3
cidr: 10.0.0.0/8
url: http://x/#y
tagged: !ref a.b
map: !m
  a: null
? - a
: b
12: c
"""


def test_look() -> None:
    assert emit(core(LOOK)) == LOOK


def test_style() -> None:
    node = core("b:\n- x: 1\n  z: [1]\na: 1\n")
    assert emit(node, dash=2, sort_keys=True) == "a: 1\nb:\n  - x: 1\n    z:\n      - 1\n"
    assert emit(node, indent=4) == "b:\n- x: 1\n  z:\n  - 1\na: 1\n"


def test_documents() -> None:
    assert emit_documents([core("a: 1"), core("!t {b: 2}"), core("x")]) == "a: 1\n--- !t\nb: 2\n---\nx\n"


def test_numbers_keep_their_text() -> None:
    digits = "1" + "0" * 4999
    text = f"- {digits}\n- 1.50\n- +5\n- 0o17\n- 1e3\n- .INF\n- 007\n"
    assert emit(core(text)) == text


def test_a_number_whose_text_means_something_else() -> None:
    assert emit(ListNode([Scalar(83, "0123"), Scalar(True, "yes"), Scalar(1.0, "1"), Scalar(1e16, "x")])) == (
        "- 83\n- true\n- 1.0\n- 1.0e+16\n"
    )
    assert emit(Scalar(-(10**5000), "")) == "-1" + "0" * 5000 + "\n"


def test_secrets_are_masked_in_both_formats() -> None:
    node = MapNode({"a": Scalar("hunter2", "hunter2", secret=True), "b": ListNode([Scalar(5, "5", secret=True)])})
    assert emit(node) == "a: <sensitive>\nb:\n- <sensitive>\n"
    assert json.loads(emit_json(node)) == {"a": "<sensitive>", "b": ["<sensitive>"]}
    assert emit(node, reveal=True) == "a: hunter2\nb:\n- 5\n"
    assert json.loads(emit_json(node, reveal=True)) == {"a": "hunter2", "b": [5]}
    same = ListNode([Scalar("hunter2", "hunter2"), Scalar("hunter2", "hunter2", secret=True)])
    assert emit(same) == "- hunter2\n- <sensitive>\n"


def test_json_look() -> None:
    node = core(f"a: {{b: [1, 0x1F, 1.50, 1e3, +5, {'9' * 5000}], c: {{}}, d: [], é: ü}}\n1: x\n[k]: z\n")
    assert emit_json(node) == (
        '{\n  "a": {\n    "b": [\n      1,\n      31,\n      1.50,\n      1e3,\n      5,\n      '
        + "9" * 5000
        + '\n    ],\n    "c": {},\n    "d": [],\n    "é": "ü"\n  },\n  "1": "x",\n  "[k]": "z"\n}\n'
    )
    assert emit_json(core("{a: [1, {b: c}]}"), indent=0) == '{"a": [1,{"b": "c"}]}\n'


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("a: .inf\n", "PL1203: `.inf` cannot be written as JSON\n  x.yaml:1:4\n"),
        ("a: .nan\n", "PL1203: `.nan` cannot be written as JSON\n"),
        ("1: a\n'1': b\n", "PL1102: duplicate key `1`\n"),
    ],
)
def test_what_json_cannot_say(text: str, report: str) -> None:
    with pytest.raises(PlaitError) as caught:
        emit_json(core(text))
    assert report in render_one(caught.value.diagnostics[0])


def test_json_of_bytes_and_of_signs_that_terminals_obey() -> None:
    assert emit_json(ListNode([Scalar(b"\x00\xff", "AP8="), of("a\x7f\x9bü")])) == (
        '[\n  "AP8=",\n  "a\\u007f\\u009bü"\n]\n'
    )


def test_keys() -> None:
    """A key on one line is shorter than the 1024 characters that YAML allows; nothing with a tag is `null`."""
    long = "k" * 1000
    assert emit(of({long: 1, long + "k": 2})) == f"{long}: 1\n? {long}k\n: 2\n"
    assert emit(core("? !t\n: 1\n? ''\n: 2\n")) == "!t null: 1\n'': 2\n"


def test_half_a_character() -> None:
    with pytest.raises(PlaitError) as caught:
        emit(of({"a": "\ud800"}))
    assert "PL1202: U+D800 cannot be encoded" in render_one(caught.value.diagnostics[0])
    assert emit_json(of("\ud800ü")) == '"\\ud800ü"\n'


def test_depth_needs_no_python_stack() -> None:
    node: Node = of("x")
    for level in range(20_000):
        node = ListNode([node]) if level % 2 else MapNode({"k": node})
    assert len(emit_json(node, indent=0)) > 20_000
    assert len(flow(node, Style())) > 20_000
    within(2, lambda: taking(lambda: (emit_json(node, indent=0), flow(node, Style()))))


@given(scalars)
def test_a_shared_node_is_written_out(node: Node) -> None:
    assert emit(ListNode([node, node])) == emit(ListNode([node])) * 2
