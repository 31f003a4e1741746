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


WIDE = "a:\n    b: 1\nl:\n- x\n"
"""Keys are indented by four columns."""

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
CASES += [
    (
        "insert before a key with an anchor",
        "a: 1\n&k b: 2\nc: *k\n",
        [Insert(at("x"), of(3), before="b")],
        "a: 1\nx: 3\n&k b: 2\nc: *k\n",
    ),
    ("insert before an item with an anchor", "- &x 1\n- *x\n", [Insert(at("[0]"), of(0))], "- 0\n- &x 1\n- *x\n"),
    (
        "insert before an item with an anchor in brackets",
        "[a, &x 1, *x]\n",
        [Insert(at("[1]"), of([0]))],
        "[a, [0], &x 1, *x]\n",
    ),
    ("insert lines last without a final line end", "a: 1", [Insert(at("b"), of("x\ny\n"))], "a: 1\nb: |\n  x\n  y\n"),
    (
        "lines of a text where lines end with CRLF",
        "- []\r\n",
        [Replace(at("[0]"), of("one\ntwo\n"))],
        "- |\r\n  one\r\n  two\r\n",
    ),
    (
        "a literal and another comment",
        "a: |-\n  x\nb: 1\n",
        [Replace(at("a"), of("z"), comment="new")],
        "a: z  # new\nb: 1\n",
    ),
    (
        "the comment on the last line of a block goes with it",
        "a:\n  b: 1   # as tested\nc: 2\n",
        [Replace(at("a"), of("x"))],
        "a: x\nc: 2\n",
    ),
    ("a block and another comment", "a:\n  b: 1\n", [Replace(at("a"), of(2), comment="new")], "a: 2  # new\n"),
    (
        "a block behind a dash",
        "- a: 1\n  b: 2\n- c\n",
        [Replace(at("[0]"), of({"k": [1], "l": 2}))],
        "- k:\n  - 1\n  l: 2\n- c\n",
    ),
    ("a list in the place of a mapping", "a:\n  b: 1\nc: 2\n", [Replace(at("a"), of([1]))], "a:\n- 1\nc: 2\n"),
    ("a list in the place of a list", "a:\n  - 1\nc: 2\n", [Replace(at("a"), of([3, 4]))], "a:\n  - 3\n  - 4\nc: 2\n"),
    (
        "an item whose text begins with a space, where keys are indented by four",
        WIDE,
        [Replace(at("l[0]"), of(" y\n"))],
        "a:\n    b: 1\nl:\n- |2\n   y\n",
    ),
    (
        "a key whose text begins with a space, where keys are indented by four",
        WIDE,
        [Replace(at("a.b"), of(" y\n"))],
        "a:\n    b: |4\n         y\nl:\n- x\n",
    ),
    (
        "a value on the line below its key",
        "a: # c\n  x\nb:\n  y\n",
        [Replace(at("a"), of({"k": 1})), Replace(at("b"), of("z"))],
        "a: # c\n  k: 1\nb:\n  z\n",
    ),
    (
        "brackets of a hundred columns stay on one line",
        "a: [1]\n",
        [Replace(at("a"), of(["x" * 98]))],
        f"a: [{'x' * 98}]\n",
    ),
    ("longer ones do not", "a: [1]\n", [Replace(at("a"), of(["x" * 99]))], f"a:\n- {'x' * 99}\n"),
    ("a key without a value in braces", "{a, b: 1}\n", [Replace(at("a"), of(2))], "{a: 2, b: 1}\n"),
    ("a colon without a value in braces", "{a: , b: 1}\n", [Replace(at("a"), of(2))], "{a: 2 , b: 1}\n"),
    (
        "an explicit key without a value below others",
        "a:\n  ? b\n  ? c\n",
        [Replace(at("a.b"), of({"d": 1}))],
        "a:\n  ? b\n  :\n    d: 1\n  ? c\n",
    ),
    ("the root on a line of its own", "# c\n5\n", [Replace((), of({"a": 1}))], "# c\na: 1\n"),
    ("a text as the root", "# c\n5\n", [Replace((), of("x"))], "# c\nx\n"),
    ("a root that is nothing", "--- # c\n", [Replace((), of({"a": 1}))], "--- # c\na: 1\n"),
    ("a root that is a mapping", "# c\na: 1\nb: 2\n", [Replace((), of([1]))], "# c\n- 1\n"),
    ("a first item", "", [Insert((0,), of({"a": 1, "b": 2}))], "- a: 1\n  b: 2\n"),
    ("a first root", "# c", [Replace((), of("x"))], "# c\nx\n"),
    ("first lines as raw text", "# c\n", [Replace((), Raw("a: 1  # one\nb: 2"))], "# c\na: 1  # one\nb: 2\n"),
    (
        "raw text of several lines",
        "a: 1\nb: 2\n",
        [Replace(at("a"), Raw("|\n  one\n  two\n"))],
        "a: |\n  one\n  two\nb: 2\n",
    ),
    ("raw text of a list", "- a: 1\n", [Replace(at("[0].a"), Raw("- x\n- y"))], "- a:\n  - x\n  - y\n"),
    (
        "raw text of an item, where keys are indented by four",
        WIDE,
        [Replace(at("l[0]"), Raw("c: 1\n\nd: 2"))],
        "a:\n    b: 1\nl:\n- c: 1\n\n  d: 2\n",
    ),
    (
        "raw text of an entry, where keys are indented by four",
        WIDE,
        [Replace(at("a.b"), Raw("c: 1"))],
        "a:\n    b:\n        c: 1\nl:\n- x\n",
    ),
    (
        "raw text of an item with an anchor",
        "- &x 1\n- *x\n",
        [Replace(at("[0]"), Raw("a: 1\nb: 2"))],
        "- &x\n  a: 1\n  b: 2\n- *x\n",
    ),
    (
        "raw text of one line of an item with an anchor",
        "- &x 1\n- *x\n",
        [Replace(at("[0]"), Raw("a: 1"))],
        "- &x\n  a: 1\n- *x\n",
    ),
    ("a raw scalar of an item with an anchor", "- &x 1\n- *x\n", [Replace(at("[0]"), Raw("0x2"))], "- &x 0x2\n- *x\n"),
    (
        "raw lines of an item with an anchor",
        "- &x 1\n- *x\n",
        [Replace(at("[0]"), Raw("|\n  t\n"))],
        "- &x |\n  t\n- *x\n",
    ),
    ("rename a key whose quotes it needed", "'on': 1\nb: 2\n", [Rename(at("on"), "c")], "c: 1\nb: 2\n"),
    ("rename such a key where others have quotes", "'a': 1\n'on': 2\n", [Rename(at("on"), "c")], "'a': 1\n'c': 2\n"),
    ("rename such a key where others have none", "a: 1\n'on': 2\n", [Rename(at("on"), "c")], "a: 1\nc: 2\n"),
    ("rename to a name with a space", "a: 'one'\n", [Rename(at("a"), "b c")], "b c: 'one'\n"),
    ("rename in braces", "{a: 1}\n", [Rename(at("a"), "b, c")], "{'b, c': 1}\n"),
    ("rename to a number", "a: 1\n", [Rename(at("a"), Scalar(1, "1"))], "1: 1\n"),
    ("rename to a list", "a: 1\n", [Rename(at("a"), of(["x", 2]))], "[x, 2]: 1\n"),
    ("rename a key with an anchor", "&k a: 1\nb: *k\n", [Rename(at("a"), "c")], "&k c: 1\nb: *k\n"),
    ("rename to itself", "a: 1\n", [Rename(at("a"), "a")], "a: 1\n"),
    ("delete the only item below a tag", "a: !t # c\n- 1\n", [Delete(at("a[0]"))], "a: !t [] # c\n"),
    ("delete the only entry below an anchor", "a: &x\n  b: 1\nc: *x\n", [Delete(at("a.b"))], "a: &x {}\nc: *x\n"),
    ("delete the only entry behind a dash", "- a: 1  # c\n- 2\n", [Delete(at("[0].a"))], "- {}\n- 2\n"),
    ("delete the only entry of the root", "# c\na: 1\n", [Delete(at("a"))], "# c\n{}\n"),
    ("delete all without a final line end", "a:\n  b: 1\n  c: 2", [Delete(at("a.b")), Delete(at("a.c"))], "a: {}"),
    ("delete the last two without a final line end", "a: 1\nb: 2\nc: 3", [Delete(at("b")), Delete(at("c"))], "a: 1"),
    (
        "delete two that are apart without a final line end",
        "a: 1\nb: 2\n# x\n\nc: 3\nd: 4",
        [Delete(at("b")), Delete(at("d"))],
        "a: 1\n# x\n\nc: 3",
    ),
    (
        "delete the last two, with a comment in between, without a final line end",
        "a: 1\nb: 2\n  # deep\nc: 3",
        [Delete(at("b")), Delete(at("c"))],
        "a: 1\n  # deep",
    ),
    ("delete last with CRLF without a final line end", "a: 1\r\nb: 2", [Delete(at("b"))], "a: 1"),
    ("delete last with CR without a final line end", "a: 1\rb: 2", [Delete(at("b"))], "a: 1"),
    ("delete last behind a block without a final line end", "a: |\n  x\nb: 1", [Delete(at("b"))], "a: |\n  x\n"),
    ("delete last behind a stripped block, with CRLF", "a: |-\r\n  x\r\nb: 1", [Delete(at("b"))], "a: |-\r\n  x\r\n"),
    ("delete below a kept block at the end", "a: |+\n  x\nb: 1\n\n", [Delete(at("b"))], "a: |+\n  x\n"),
    (
        "insert first above the comment of the first",
        "# about a\na: 1\n",
        [Insert(at("b"), of(2), before="a")],
        "b: 2\n# about a\na: 1\n",
    ),
    (
        "insert first below a comment of another column",
        "a:\n# low\n  # high\n  b: 1\n",
        [Insert(at("a.c"), of(2), before="b")],
        "a:\n# low\n  c: 2\n  # high\n  b: 1\n",
    ),
    (
        "insert first behind a dash",
        "- a: 1\n",
        [Insert(at("[0].b"), of([2]), before="a", above="why")],
        "- # why\n  b:\n  - 2\n  a: 1\n",
    ),
    (
        "replace the first behind a dash",
        "- a: 1\n  b: 2\n",
        [Delete(at("[0].a")), Insert(at("[0].c"), of(3), before="b")],
        "- c: 3\n  b: 2\n",
    ),
    (
        "replace the only one behind a dash",
        "- a: 1\n- 2\n",
        [Delete(at("[0].a")), Insert(at("[0].c"), of(3))],
        "- c: 3\n- 2\n",
    ),
    ("delete all in brackets", "a: [1, 2]  # c\n", [Delete(at("a[0]")), Delete(at("a[1]"))], "a: []  # c\n"),
    (
        "replace all in brackets",
        "{a: 1}\n",
        [Delete(at("a")), Insert(at("b"), of(2)), Insert(at("c"), of(3))],
        "{b: 2, c: 3}\n",
    ),
    (
        "delete the first of lines in brackets",
        "[\n  a,  # one\n  # about b\n  b,\n]\n",
        [Delete(at("[0]"))],
        "[\n  # about b\n  b,\n]\n",
    ),
    ("insert between in brackets", "[a, c]\n", [Insert(at("[1]"), of("b"))], "[a, b, c]\n"),
    ("insert between lines in brackets", "[\n  a,\n  c\n]\n", [Insert(at("[1]"), of("b"))], "[\n  a,\n  b,\n  c\n]\n"),
    (
        "insert last behind a comment in braces",
        "{\n  k: v,\n  l: w,  # c\n}\n",
        [Insert(at("m"), of(1))],
        "{\n  k: v,\n  l: w,  # c\n  m: 1,\n}\n",
    ),
    (
        "insert last behind a comment in brackets without a comma at the end",
        "[\n  a,\n  b  # two\n]\n",
        [Insert((END,), of("c")), Insert((END,), of("d"))],
        "[\n  a,\n  b,  # two\n  c,\n  d\n]\n",
    ),
    (
        "insert last where the bracket is on the line of the last",
        "[a,\n b]\n",
        [Insert((END,), of("c"))],
        "[a,\n b,\n c]\n",
    ),
    ("insert into braces with a comment", "a: {  # c\n}\n", [Insert(at("a.b"), of(1))], "a: {  # c\n  b: 1\n}\n"),
    (
        "insert two into brackets with comments",
        "- a: [ # c\n      # d\n    ]\n",
        [Insert(at("[0].a[0]"), of(1)), Insert((*at("[0].a"), END), of(2))],
        "- a: [ # c\n      # d\n      1,\n      2\n    ]\n",
    ),
    (
        "insert into a document of braces with a comment",
        "# a\n{\n# b\n}\n# c\n",
        [Insert(at("b"), of(1))],
        "# a\n{\n# b\n  b: 1\n}\n# c\n",
    ),
    ("delete all below a comment in braces", "a: {  # c\n  b: 1  # b\n}\n", [Delete(at("a.b"))], "a: {  # c\n}\n"),
    ("delete all below a comment before a brace", "a: {  # c\n  b: 1}\n", [Delete(at("a.b"))], "a: {  # c\n  }\n"),
    (
        "exchange all below a comment in braces",
        "a: {  # c\n  b: 1}\n",
        [Delete(at("a.b")), Insert(at("a.c"), of(2))],
        "a: {  # c\n  c: 2}\n",
    ),
    (
        "delete the last below a comment in brackets",
        "[\n  a,  # a\n  b  # b\n]\n",
        [Delete(at("[1]"))],
        "[\n  a,  # a\n]\n",
    ),
    ("delete the last behind a comment", "[a,  # a\n  b]\n", [Delete(at("[1]"))], "[a,  # a\n  ]\n"),
    (
        "exchange the last below a comment",
        "[\n  a,  # a\n  b  # b\n]\n",
        [Delete(at("[1]")), Insert((END,), of("c"))],
        "[\n  a,  # a\n  c  # b\n]\n",
    ),
    ("delete last in brackets, and add one", "[a, b]\n", [Delete(at("[1]")), Insert((END,), of("c"))], "[a, c]\n"),
    ("insert into braces in brackets", "[{}]\n", [Insert(at("[0].a"), of([]))], "[{a: []}]\n"),
    (
        "insert into braces in an item",
        "- {}  # c\n- 1\n",
        [Insert(at("[0].a"), of(1)), Insert(at("[0].b"), of(2))],
        "- a: 1  # c\n  b: 2\n- 1\n",
    ),
    (
        "insert into braces with an anchor in an item",
        "- &x {}\n- *x\n",
        [Insert(at("[0].a"), of(1))],
        "- &x\n  a: 1\n- *x\n",
    ),
    (
        "insert into an empty list below a key",
        "a:\n  b: []  # c\n",
        [Insert((*at("a.b"), END), of(1))],
        "a:\n  b:  # c\n  - 1\n",
    ),
    (
        "insert into braces that are the root",
        "{}\n",
        [Insert(at("a"), of(1)), Insert(at("b"), of({"c": 2}))],
        "a: 1\nb:\n  c: 2\n",
    ),
    ("insert into braces over lines", "a: {\n}\n", [Insert(at("a.b"), of(1))], "a:\n  b: 1\n"),
    ("insert into a list after an item", "- a\n- c\n", [Insert((END,), of("b"), after=0)], "- a\n- b\n- c\n"),
    ("insert an item before the last one", "- a\n- c\n", [Insert((END,), of("b"), before=-1)], "- a\n- b\n- c\n"),
    ("an item that is the one text", "- a\n- b\n", [Replace(at("[=b]"), of("c"))], "- a\n- c\n"),
    (
        "an item by its keys",
        "- {n: a, v: 1}\n- {n: b, v: 2}\n",
        [Replace(at("[n=b].v"), of(3))],
        "- {n: a, v: 1}\n- {n: b, v: 3}\n",
    ),
    ("an item beside scalars, by its key", "- a\n- {n: a}\n", [Delete(at("[n=a]"))], "- a\n"),
    ("move an item", "- a  # one\n- b\n- c\n", [Move(at("[0]"), after=1)], "- b\n- a  # one\n- c\n"),
    ("move first behind a dash", "- a: 1  # one\n  c: 3\n", [Move(at("[0].c"), before="a")], "- c: 3\n  a: 1  # one\n"),
    ("move from behind a dash", "- a: 1  # one\n  c: 3\n", [Move(at("[0].a"), after="c")], "- c: 3\n  a: 1  # one\n"),
    ("move an item to a key", "a: [x]\nb:\n- y  # why\n", [Move(at("b[0]"), to=at("c"))], "a: [x]\nb: []\nc: 'y'\n"),
    ("move out of braces", "a: {b: 1, c: [2]}\n", [Move(at("a.c"), to=at("c"))], "a: {b: 1}\nc:\n- 2\n"),
    (
        "move with an empty line inside",
        "a:\n  x: |\n    1\n\n    2\nb:\n  y: 3\n",
        [Move(at("a.x"), to=at("b.x"))],
        "a: {}\nb:\n  y: 3\n  x: |\n    1\n\n    2\n",
    ),
    ("two edits that touch", "? a\n? b\n: 2\n", [Delete(at("a")), Delete(at("b"))], "{}\n"),
    (
        "insert an item and delete the one before it",
        "- a\n- b\n",
        [Delete(at("[0]")), Insert(at("[1]"), of("c"))],
        "- c\n- b\n",
    ),
    ("a number as a key", "a: 1\n", [Insert((5,), of(2))], "a: 1\n'5': 2\n"),
    ("fill nothing with a list", "a:\n", [Insert(at("a[0]"), of(1)), Insert(at("a[1]"), of(2))], "a:\n- 1\n- 2\n"),
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
REFUSED += [
    ("a: {x: 1}\nx: 2\n", [Move(at("a.x"), at("x"))], "PL1304: `x` already exists\n  x.yaml:2:1"),
    ("a: 1\nb: 2\n", [Move(at("a"), at("b.a"))], "PL1303: this cannot be edited in place\n  x.yaml:1:4"),
    ("a: 1\n", [Move((), at("b"))], "it can only be moved from one container to another"),
    ("a: {b: 1}\n", [Move(at("a"), at("a.b.c"))], "it can only be moved from one container to another"),
    ("a: {b: 1}\n", [Move(at("a"), at("a.c"))], "PL1302: two edits change the same place"),
    ("a: {b: 1}\n", [Delete(at("a")), Delete(at("a.b"))], "PL1302: two edits change the same place\n  x.yaml:1:5"),
    (
        "a: {b: 1}\n",
        [Replace(at("a"), of(1)), Insert(at("a.c"), of(2))],
        "PL1302: two edits change the same place\n  x.yaml:1:8",
    ),
    ("a: 1\n", [Insert(at("c"), of(1), after="b")], "PL9002: no value at `b`"),
    (
        "l: [1]\n",
        [Insert(at("l[0]"), of(1), before=3)],
        "PL9002: no value at `l[3]`\n  x.yaml:1:1\n  1 | l: [1]\n    | ^\n  the list has 1 item\n",
    ),
    (
        "l: []\n",
        [Delete(at("l[0].x"))],
        "PL9002: no value at `l[0]`\n  x.yaml:1:1\n  1 | l: []\n    | ^\n  the list has 0 items\n",
    ),
    ("- 1\n", [Insert((-1,), of(1))], "an item of a list needs an index"),
    ("- 1\n", [Insert(at("a"), of(1))], "an item of a list needs an index"),
    ("- 1\n- {n: x}\n", [Delete(at("[n=y]"))], "PL9002: no value at `[n=y]`"),
    ("- 1\n- {n: x}\n", [Delete(at("[=x]"))], "PL9002: no value at `[=x]`"),
    (
        "a:\n",
        [Insert(at("a.b"), of(1), comment="c")],
        "PL1303: this cannot be edited in place\n  x.yaml:1:3\n  1 | a:\n    |   ^\n  give its container a value first",
    ),
    ("a:\n", [Insert(at("a.b"), of(1), above="c")], "give its container a value first"),
    ("a:\n", [Insert(at("a.b"), Raw("1"))], "give the new mapping or list as a value, not as text"),
    ("a: 1\n", [Insert(at("a.b"), of(2))], "PL2102: cannot look up ``: `1` is a scalar\n  x.yaml:1:4"),
    ("a: '~'\n", [Insert(at("a.b"), of(2))], "`~` is a scalar"),
    ("", [Delete(())], "PL1303: this cannot be edited in place\n  x.yaml:1:1\n  a document keeps its root"),
    ("a: {alpha: 1}\n", [Delete(at("a.alhpa"))], "did you mean `a.alpha`?"),
    ("a: 1\n", [Delete(at("b"))], "--create adds it"),
    (
        "a: &x {k: 1}\nb:\n  <<: *x\n",
        [Delete(at("b.k"))],
        "PL1301: `b.k` is defined elsewhere: it comes from `&x`\n  x.yaml:3:3",
    ),
    ("a: &x {k: 1}\nb:\n  '<<': *x\n", [Delete(at("b.k"))], "PL9002: no value at `b.k`"),
    ("a: &x {k: 1}\nb:\n  <<: [*x]\n", [Delete(at("b.l"))], "PL9002: no value at `b.l`"),
    ("a: &x 1\nb: *x\n", [Delete(at("a"))], "`*x` still refers to this; change or remove that first"),
]


@pytest.mark.parametrize(("before", "edits", "report"), REFUSED)
def test_refusal(before: str, edits: list[Edit], report: str) -> None:
    with pytest.raises(PlaitError) as caught:
        apply(Source("x.yaml", before), edits)
    assert report in render_one(caught.value.diagnostics[0])


ALIASES: list[tuple[str, list[Edit], str, str]] = [
    ("a: &x {k: 1}\nb: *x\n", [Replace(at("b.k"), of(2))], "a: &x {k: 2}\nb: *x\n", "a: &x {k: 1}\nb:\n  k: 2\n"),
    (
        "r:\n  s: &x\n    k: 1\nb: *x\n",
        [Delete(at("b.k"))],
        "r:\n  s: &x {}\nb: *x\n",
        "r:\n  s: &x\n    k: 1\nb: {}\n",
    ),
    ("- &x\n  k: 1\n- *x\n", [Delete(at("[1].k"))], "- &x {}\n- *x\n", "- &x\n  k: 1\n- {}\n"),
    ("- [&x {}]\n- *x\n", [Insert(at("[1].k"), of(1))], "- [&x {k: 1}]\n- *x\n", "- [&x {}]\n- k: 1\n"),
    ("- &x {}\n- *x\n", [Insert(at("[1].k"), of(1))], "- &x\n  k: 1\n- *x\n", "- &x {}\n- k: 1\n"),
    ("- &x [a, b]\n- *x\n", [Delete(at("[1][0]"))], "- &x [b]\n- *x\n", "- &x [a, b]\n- - b\n"),
    (
        "- &x [a, b]\n- *x\n",
        [Insert(at("[1][1]"), of("c"))],
        "- &x [a, c, b]\n- *x\n",
        "- &x [a, b]\n- - a\n  - c\n  - b\n",
    ),
    (
        "- &x [a, {b: 1}]\n- *x\n",
        [Replace(at("[1][1].b"), of(2)), Insert(at("[1][1].c"), of(3))],
        "- &x [a, {b: 2, c: 3}]\n- *x\n",
        "- &x [a, {b: 1}]\n- - a\n  - b: 2\n    c: 3\n",
    ),
    ("- &x [a]\n- *x\n", [Insert((1, END), of("b"))], "- &x [a, b]\n- *x\n", "- &x [a]\n- - a\n  - b\n"),
    (
        "a: &x {k: 1}\nb: &x {k: 2}\nc: *x\nd: &x {k: 3}\n",
        [Replace(at("c.k"), of(9))],
        "a: &x {k: 1}\nb: &x {k: 9}\nc: *x\nd: &x {k: 3}\n",
        "a: &x {k: 1}\nb: &x {k: 2}\nc:\n  k: 9\nd: &x {k: 3}\n",
    ),
    (
        "x: &x {a: 1}\ny: &y {b: 2}\nz:\n  <<: [*x, *y]\n  c: 3\n",
        [Replace(at("z.b"), of(4))],
        "x: &x {a: 1}\ny: &y {b: 4}\nz:\n  <<: [*x, *y]\n  c: 3\n",
        "x: &x {a: 1}\ny: &y {b: 2}\nz:\n  <<: [*x, *y]\n  c: 3\n  b: 4\n",
    ),
    (
        "z:\n  <<: {a: 1}\n  c: 3\n",
        [Replace(at("z.a"), of(4))],
        "z:\n  <<: {a: 4}\n  c: 3\n",
        "z:\n  <<: {a: 4}\n  c: 3\n",
    ),
    (
        "x: &x {a: {p: 1}}\nz:\n  <<: *x\n",
        [Replace(at("z.a.p"), of(2)), Insert(at("z.a.q"), of(3))],
        "x: &x {a: {p: 2, q: 3}}\nz:\n  <<: *x\n",
        "x: &x {a: {p: 1}}\nz:\n  <<: *x\n  a:\n    p: 2\n    q: 3\n",
    ),
    (
        "&r\na: 1\nb: *r\n",
        [Replace(at("b.a"), of(2))],
        "&r\na: 2\nb: *r\n",
        "PL1104: alias `r` is inside its own anchor",
    ),
    (
        "&k a: 1\nb: *k\n",
        [Insert(at("b.x"), of(2))],
        "the anchor is on a key; edit the file by hand",
        "PL2102: cannot look up `b.x`: `b` is a scalar",
    ),
    ("x: &x {a: 1}\nz:\n  <<: *x\n", [Delete(at("z.a"))], "x: &x {}\nz:\n  <<: *x\n", "PL1301"),
    (
        "x: &x\n  a: 1\nz: {<<: *x, b: 2}\n",
        [Replace(at("z.a"), of([1]))],
        "x: &x\n  a:\n  - 1\nz: {<<: *x, b: 2}\n",
        "x: &x\n  a: 1\nz: {<<: *x, b: 2, a: [1]}\n",
    ),
    (
        "x: &x\n  y:\n    a: 1\nz:\n  <<: *x\n",
        [Delete(at("z.y.a"))],
        "x: &x\n  y: {}\nz:\n  <<: *x\n",
        "x: &x\n  y:\n    a: 1\nz:\n  <<: *x\n  'y': {}\n",
    ),
    (
        "x: &x {1: a}\nz:\n  <<: *x\n",
        [Replace((*at("z"), Scalar(1, "1")), of("b"))],
        "x: &x {1: b}\nz:\n  <<: *x\n",
        "x: &x {1: a}\nz:\n  <<: *x\n  1: b\n",
    ),
    (
        "z:\n  <<:\n  - {a: 1}\n  - {b: 2}\n",
        [Delete(at("z.b"))],
        "z:\n  <<:\n  - {a: 1}\n  - {}\n",
        "z:\n  <<:\n  - {a: 1}\n  - {}\n",
    ),
    (
        "x: &x {a: 1}\nz: *x\n",
        [Replace(at("z.a"), Raw("2"))],
        "x: &x {a: 2}\nz: *x\n",
        "give the new value as a value, not as text",
    ),
    (
        "x: &x {a: 1}\nz:\n  <<: *x\n",
        [Replace(at("z.a"), Raw("2"))],
        "x: &x {a: 2}\nz:\n  <<: *x\n",
        "give the new value as a value, not as text",
    ),
    ("x: &x {1: a}\nz: *x\n", [Replace(at("z.1"), of("b"))], "x: &x {1: b}\nz: *x\n", "x: &x {1: a}\nz:\n  1: b\n"),
    ("x: &x {1: a}\nz: *x\n", [Delete(at("z.1"))], "x: &x {}\nz: *x\n", "x: &x {1: a}\nz: {}\n"),
    (
        "x: &x !t {a: 1}\nz: *x\n",
        [Insert(at("z.b"), of(2))],
        "x: &x !t {a: 1, b: 2}\nz: *x\n",
        "x: &x !t {a: 1}\nz: !t\n  a: 1\n  b: 2\n",
    ),
    (
        "x: &x 1\nz: *x\n",
        [Insert(at("z.b"), of(2))],
        "PL2102: cannot look up ``: `1` is a scalar",
        "PL2102: cannot look up `z.b`: `z` is a scalar\n  x.yaml:1:4",
    ),
    (
        "x: &x {a: 1}\nz: *x\n",
        [Insert(at("z.a"), of(2))],
        "PL1304: `z.a` already exists",
        "PL1304: `z.a` already exists",
    ),
    ("x: &x {a: 1}\nz: *x\n", [Replace(at("z.b"), of(2))], "PL9002: no value at `z.b`", "PL9002: no value at `z.b`"),
    (
        "x: &x {a: 1}\nz: *x\n",
        [Replace(at("z.b.c"), of(2))],
        "PL9002: no value at `z.b`",
        "PL9002: no value at `z.b.c`",
    ),
    ("x: &x {a: 1}\nz: *x\n", [Delete(at("z.b"))], "PL9002: no value at `z.b`", "PL9002: no value at `z.b`"),
    ("x: &x [{n: a}]\nz: *x\n", [Replace(at("z[n=a]"), of(2))], "x: &x [2]\nz: *x\n", "x: &x [{n: a}]\nz:\n- 2\n"),
    (
        "x: &x [{n: a, v: 1}]\nz: *x\n",
        [Replace(at("z[n=a].v"), of(2))],
        "x: &x [{n: a, v: 2}]\nz: *x\n",
        "x: &x [{n: a, v: 1}]\nz:\n- 'n': a\n  v: 2\n",
    ),
    (
        "x: &x [a]\nz: *x\n",
        [Insert(at("z.b"), of(2))],
        "an item of a list needs an index",
        "an item of a list needs an index",
    ),
    (
        "x: &x [a]\nz: *x\n",
        [Insert((*at("z"), -1), of(2))],
        "an item of a list needs an index",
        "an item of a list needs an index",
    ),
    ("x: &x !t [a]\nz: *x\n", [Delete(at("z[0]"))], "x: &x !t []\nz: *x\n", "x: &x !t [a]\nz: !t []\n"),
]
"""Edits of what an alias or a merge key brings: what comes of them at the anchor, and here."""


def edited(before: str, edits: list[Edit], aliases: str) -> str:
    """The text, or what is wrong."""
    try:
        return apply(Source("x.yaml", before), edits, aliases=aliases)
    except PlaitError as trouble:
        return render_one(trouble.diagnostics[0])


@pytest.mark.parametrize(("before", "edits", "anchor", "here"), ALIASES)
def test_edits_through_aliases(before: str, edits: list[Edit], anchor: str, here: str) -> None:
    for aliases, after in (("anchor", anchor), ("here", here)):
        result = edited(before, edits, aliases)
        assert result == after or (result.startswith("error") and after in result)


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
