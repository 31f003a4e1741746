"""Edits of a text through the library: every kind of edit, in every surrounding, and what is refused."""

from __future__ import annotations

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.node import MapNode, Scalar
from plait.core.path import Path, parse_path
from plait.core.source import Source
from plait.report.render import render_one
from plait.yaml.edits import END, Delete, Edit, Insert, Move, Raw, Rename, Replace
from plait.yaml.nested import with_text
from plait.yaml.patch import apply, are_written
from tests.clock import taking, within
from tests.yaml.nodes import of


def at(path: str) -> tuple[str | int, ...]:
    return parse_path(path)  # type: ignore[return-value]


CASES: list[tuple[str, str, list[Edit], str]] = [
    ("replace beside a comment", "a: 1  # c\n", [Replace(at("a"), of(2))], "a: 2  # c\n"),
    ("replace with another comment", "a: 1  # c\n", [Replace(at("a"), of(2), comment="new")], "a: 2  # new\n"),
    ("replace and drop the comment", "a: 1  # c\n", [Replace(at("a"), of(2), comment="")], "a: 2\n"),
    ("a tab before the comment stays", "a: 1\t# c\n", [Replace(at("a"), of(2))], "a: 2\t# c\n"),
    ("quotes stay", "a: 'x'\nb: \"y\"\n", [Replace(at("a"), of("z")), Replace(at("b"), of("w"))], "a: 'z'\nb: \"w\"\n"),
    (
        "lines before a comment that a block would take in",
        "a:\n  - 1\n  # deep\nc: 2\n",
        [Insert(at("x"), of("one\ntwo\n"), before="c")],
        'a:\n  - 1\nx: "one\\ntwo\\n"\n  # deep\nc: 2\n',
    ),
    ("scalar to block", "a: 1  # c\nb: 2\n", [Replace(at("a"), of({"x": [1]}))], "a:  # c\n  x:\n  - 1\nb: 2\n"),
    ("block to scalar", "a:  # c\n  x: 1\n\nb: 2\n", [Replace(at("a"), of(5))], "a: 5  # c\n\nb: 2\n"),
    ("nothing to something", "a:\nb: # c\n", [Replace(at("a"), of(1)), Replace(at("b"), of(2))], "a: 1\nb: 2 # c\n"),
    ("a literal and its comment", "a: |-  # c\n  x\n  y\n\nb: 1\n", [Replace(at("a"), of("z"))], "a: z  # c\n\nb: 1\n"),
    ("folded, kept lines", "a: >+\n  x\n\nb: 1\n", [Replace(at("b"), of(2))], "a: >+\n  x\n\nb: 2\n"),
    ("an anchor stays", "a: &x 1\nb: *x\n", [Replace(at("a"), of(2))], "a: &x 2\nb: *x\n"),
    ("a tag goes with its value", "a: !t 1\n", [Replace(at("a"), of(2))], "a: 2\n"),
    ("a tagged value", "a: 1\n", [Replace(at("a"), Scalar("x", "x", tag="!t"))], "a: !t x\n"),
    ("an alias is replaced where it stands", "a: &x 1\nb: *x\n", [Replace(at("b"), of(2))], "a: &x 1\nb: 2\n"),
    ("an item that is a mapping", "- a: 1\n  b: 2\n- c\n", [Replace(at("[0]"), of("x"))], "- x\n- c\n"),
    ("brackets stay brackets", "a: [1, 2]  # c\n", [Replace(at("a"), of([1, 2, 3]))], "a: [1, 2, 3]  # c\n"),
    (
        "inside brackets over lines",
        "a: [\n  1,  # one\n  2\n]\n",
        [Replace(at("a[0]"), of(9))],
        "a: [\n  9,  # one\n  2\n]\n",
    ),
    ("non-ASCII before it", "ü: 日本  # é\nb: 🎈\n", [Replace(at("b"), of("é"))], "ü: 日本  # é\nb: é\n"),
    (
        "a number and a text that look alike",
        "1: a\n'1': b\n",
        [Replace(("1",), of("c")), Replace((Scalar(1, "1"),), of("d"))],
        "1: d\n'1': c\n",
    ),
    (
        "a text and a number that look alike",
        "'1': a\n1: b\n",
        [Replace(("1",), of("c")), Replace((Scalar(1, "+1"),), of("d"))],
        "'1': c\n1: d\n",
    ),
    ("a number written otherwise", "+1: a\n0x2: b\n", [Replace(("1",), of("c")), Delete(("2",))], "+1: c\n"),
    ("a text beside a number", "1: a\n", [Insert(("1",), of("b"))], "1: a\n'1': b\n"),
    ("insert last", "a: 1\n\n# end\n", [Insert(at("b"), of(2))], "a: 1\nb: 2\n\n# end\n"),
    (
        "insert first",
        "# head\n\n# about a\na: 1\n",
        [Insert(at("b"), of(2), before="a")],
        "# head\n\nb: 2\n# about a\na: 1\n",
    ),
    ("insert after", "a: 1\nc: 3\n", [Insert(at("b"), of(2), after="a")], "a: 1\nb: 2\nc: 3\n"),
    (
        "insert with comments",
        "a: 1\n",
        [Insert(at("b"), of(2), above="why\nso", comment="two")],
        "a: 1\n# why\n# so\nb: 2  # two\n",
    ),
    ("insert without a final line end", "a: 1", [Insert(at("b"), of(2))], "a: 1\nb: 2"),
    ("insert after a block that ends the text", "a: |\n  x", [Insert(at("b"), of(2))], "a: |-\n  x\nb: 2"),
    ("insert into {}", "a: {}  # c\n", [Insert(at("a.b"), of(2))], "a:  # c\n  b: 2\n"),
    ("insert into [] behind a dash", "- []\n", [Insert(at("[0][0]"), of(2))], "- - 2\n"),
    ("insert into nothing", "a:\n", [Insert(at("a.b"), of(2)), Insert(at("a.c"), of(3))], "a:\n  b: 2\n  c: 3\n"),
    ("insert into an empty text", "", [Insert(at("a"), of(1))], "a: 1\n"),
    ("insert behind comments", "# c", [Insert(at("a"), of(1))], "# c\na: 1\n"),
    (
        "insert at the end of a list",
        "a:\n  - x\n",
        [Insert((*at("a"), END), of({"k": 1, "l": 2}))],
        "a:\n  - x\n  - k: 1\n    l: 2\n",
    ),
    ("insert into brackets", "{a: 1}\n", [Insert(at("b"), of([1]))], "{a: 1, b: [1]}\n"),
    ("insert into JSON", '{\n  "a": 1\n}\n', [Insert(at("b"), of("x"))], '{\n  "a": 1,\n  "b": "x"\n}\n'),
    ("a comma at the end stays", "[\n  a,\n]\n", [Insert((END,), of("b"))], "[\n  a,\n  b,\n]\n"),
    ("delete with its comments", "a: 1\n# about b\nb: 2  # b\nc: 3\n", [Delete(at("b"))], "a: 1\nc: 3\n"),
    ("delete first behind a dash", "- a: 1  # a\n  b: 2\n", [Delete(at("[0].a"))], "- b: 2\n"),
    ("delete and keep what is next", "- a: 1\n  # about b\n  b: 2\n", [Delete(at("[0].a"))], "- # about b\n  b: 2\n"),
    ("delete the only one", "a:\n  b: 1\nc: 2\n", [Delete(at("a.b"))], "a: {}\nc: 2\n"),
    ("delete all of a list", "a:\n- 1\n- 2\n", [Delete(at("a[0]")), Delete(at("a[1]"))], "a: []\n"),
    ("delete last without a final line end", "a: 1\nb: 2", [Delete(at("b"))], "a: 1"),
    ("delete in brackets", "[a, b, c]\n", [Delete(at("[0]")), Delete(at("[2]"))], "[b]\n"),
    ("delete with CRLF", "a: 1\r\nb: 2\r\n", [Delete(at("a"))], "b: 2\r\n"),
    ("delete below a kept block", "a: |+\n  x\nb: 1\n\nc: 2\n", [Delete(at("b"))], "a: |+\n  x\nc: 2\n"),
    ("replace all members", "a:\n  b: 1\n", [Delete(at("a.b")), Insert(at("a.c"), of(2))], "a:\n  c: 2\n"),
    ("rename", "a: &x\n  'b c': 1\n", [Rename(at('a["b c"]'), "d"), Rename(at("a"), "e")], "e: &x\n  'd': 1\n"),
    ("move within", "a: 1  # a\nb: 2\nc: 3\n", [Move(at("a"), after="c")], "b: 2\nc: 3\na: 1  # a\n"),
    (
        "move deeper",
        "# about a\na:\n  - 1\nb:\n  c: 1\n",
        [Move(at("b.c"), at("c"))],
        "# about a\na:\n  - 1\nb: {}\nc: 1\n",
    ),
    (
        "move a block that ends the text",
        "a: 1\nb: |2+  # c\n   x",
        [Move(at("b"), before="a")],
        "b: |2-  # c\n   x\na: 1",
    ),
    ("move and rename", "a:\n  x: 1\nb: {}\n", [Move(at("a.x"), at("b.y"))], "a: {}\nb:\n  'y': 1\n"),
    ("raw text", "a: 1\n", [Insert(at("b"), Raw("x: 1  # one\ny: 2\n"))], "a: 1\nb:\n  x: 1  # one\n  y: 2\n"),
    ("raw text in its place", "a: 1\n", [Replace(at("a"), Raw("0x10  # hex"))], "a: 0x10  # hex\n"),
    ("explicit keys", "? a\n? b\n: 2\n", [Replace(at("a"), of(1)), Replace(at("b"), of(3))], "? a\n: 1\n? b\n: 3\n"),
    ("the second document", "a: 1\n---\na: 2\n...\n", [Replace(at("a"), of(3), document=1)], "a: 1\n---\na: 3\n...\n"),
    ("the root", "# c\n--- 5  # five\n", [Replace((), of({"a": 1}))], "# c\n---  # five\na: 1\n"),
    (
        "the indentation of others",
        "a:\n    b:\n        c: 1\n",
        [Insert(at("d"), of({"e": 1}))],
        "a:\n    b:\n        c: 1\nd:\n    e: 1\n",
    ),
]


@pytest.mark.parametrize(("before", "edits", "after"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_edit(before: str, edits: list[Edit], after: str) -> None:
    assert apply(before, edits) == after


def test_no_edit_is_no_change() -> None:
    assert apply("a:   1\n", []) == "a:   1\n"
    assert apply("a:   1\n", [Replace(at("a"), of(1))]) == "a:   1\n"


REFUSED: list[tuple[str, list[Edit], str]] = [
    ("a: 1\n", [Replace(at("b"), of(1))], "PL9002: no value at `b`\n  x.yaml:1:1"),
    ("alpha: 1\n", [Replace(at("alhpa"), of(1))], "did you mean `alpha`?"),
    ("a: 1\n", [Replace(at("a.b"), of(1))], "PL2102: cannot look up `a.b`: `a` is a scalar\n  x.yaml:1:4"),
    ("a: 1\n", [Insert(at("a"), of(1))], "PL1304: `a` already exists\n  x.yaml:1:1"),
    ("a: 1\nb: 2\n", [Rename(at("a"), "b")], "PL1304: `b` already exists\n  x.yaml:2:1"),
    ("a: {b: 1}\n", [Replace(at("a"), of(1)), Replace(at("a.b"), of(2))], "PL1302: two edits change the same place"),
    ("a:\n  b: 1\n", [Delete(at("a")), Insert(at("a.c"), of(2))], "PL1302: two edits change the same place"),
    ("a: &x {k: 1}\nb: *x\n", [Replace(at("b.k"), of(1))], "PL1301: `b.k` is defined elsewhere: it comes from `&x`"),
    ("- a\n", [Rename(at("[0]"), "b")], "PL1303: this cannot be edited in place\n  x.yaml:1:3"),
    ("a: 1\n", [Delete(())], "a document keeps its root"),
    ("a: 1\n", [Insert(at("b"), Raw("[1"))], "PL1101: invalid YAML"),
]


@pytest.mark.parametrize(("before", "edits", "report"), REFUSED)
def test_refusal(before: str, edits: list[Edit], report: str) -> None:
    with pytest.raises(PlaitError) as caught:
        apply(Source("x.yaml", before), edits)
    assert report in render_one(caught.value.diagnostics[0])


def test_of_a_text_inside_of_a_text_only_the_lines_that_differ_are_written() -> None:
    written = Source("x.yaml", "p: |-\n    a:   1\n    b: 2\n\n    c: 3")
    assert with_text(written, at("p"), 0, "a:   1\nb: 4\n\nc: 3\n") == "p: |-\n    a:   1\n    b: 4\n\n    c: 3"
    assert with_text(written, at("p"), 0, "a:   1\nb: 2\n\nc: 5\n") == "p: |-\n    a:   1\n    b: 2\n\n    c: 5"


def test_a_result_that_reads_otherwise_is_never_given_out() -> None:
    """Raw text that breaks its surroundings."""
    with pytest.raises(PlaitError, match="PL1303"):
        apply("a: 1\nb: 2\n", [Replace(at("a"), Raw("x\n---\ny"))])


def test_a_large_file_takes_about_as_long_as_reading_it() -> None:
    from plait.yaml.build import Reading
    from plait.yaml.load import load

    text = "".join(f"key-{number}:\n  value: {number}\n  list: [a, b]\n" for number in range(12_000))
    source = Source("big.yaml", text)
    reading = taking(lambda: load(source, Reading()))
    within(6 * reading, lambda: taking(lambda: apply(source, [Replace(at("key-9000.value"), of("new"))])))


def test_many_new_members_at_once() -> None:
    edits: list[Edit] = [Insert(("m", f"k{number}"), of(number)) for number in range(500)]
    text = apply("m:\n  a: 1\nz: 1\n", edits)
    assert text.startswith("m:\n  a: 1\n  k0: 0\n  k1: 1\n")
    assert text.endswith("  k499: 499\nz: 1\n")


def test_secrets_are_written_as_they_are() -> None:
    assert apply("a: 1\n", [Replace(at("a"), Scalar("pw", "pw", secret=True))]) == "a: pw\n"
    assert apply("a: 1\n", [Replace(at("a"), MapNode({"b": Scalar("pw", "pw", secret=True)}))]) == "a:\n  b: pw\n"


def test_edits_in_one_alias_are_made_together_where_it_stands() -> None:
    before = "a: &x {k: [1, 2, 3]}\nb: *x\n"
    edits: list[Edit] = [
        Delete(at("b.k[0]")),
        Replace(at("b.k[2]"), of(9)),
        Insert(at("b.l"), of(4)),
        Insert(at("b.k[1]"), of(7)),
    ]
    assert apply(before, edits, aliases="here") == "a: &x {k: [1, 2, 3]}\nb:\n  k:\n  - 7\n  - 2\n  - 9\n  l: 4\n"


SHARED = "base: &b {x: 1}\ncopy: *b\nlist: [*b, 1]\nmerged:\n  <<: *b\n  own: 1\nplain: {k: 1}\n"
HERE: list[Path] = [(), ("plain",), ("plain", "k"), ("plain", "new"), ("merged", "own"), ("merged", "new"), ("new",)]
ELSEWHERE: list[Path] = [("copy", "x"), ("copy", "new"), ("list", 0, "new"), ("merged", "x"), ("plain", "new", "deep")]


def test_what_an_alias_or_a_merge_key_brings_is_written_elsewhere() -> None:
    assert [path for path in HERE if are_written(Source("", SHARED), [path]) != [True]] == []
    assert [path for path in ELSEWHERE if are_written(Source("", SHARED), [path]) != [False]] == []
    assert are_written(Source("", SHARED), [("copy",), ("list", 0)]) == [True, True], "the alias itself stands here"


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_in_an_empty_file_a_first_key_can_be_written(text: str) -> None:
    assert are_written(Source("", text), [(), ("a",), ("a", "b")]) == [True, True, False]
