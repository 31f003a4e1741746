"""What is written where in a text: keys, values, lines, pieces of values; and the style that a text has."""

from __future__ import annotations

import pytest

from plait.core.path import Path
from plait.core.source import Source
from plait.yaml.layout import lay_out
from plait.yaml.local_style import column, line_end, line_start, next_line, style_of
from plait.yaml.nested import with_text
from plait.yaml.places import Written, place_in

TEXT = """\
a: 1
"b c": !t &x [one, {name: two}, "three"]
d: *x
e:
- name: first
  v: |
    long
    text
- ~
---
80: last
"""
SPOTS: dict[tuple[int, Path], tuple[str, str, str, str, str]] = {
    (0, ("a",)): ("a", "1", "a: 1", "1", "1"),
    (0, ("b c",)): ('"b c"', '!t &x [one, {name: two}, "three"]', TEXT.splitlines()[1], "b c", ""),
    (0, ("b c", 0)): ("one", "one", "one", "one", ""),
    (0, ("b c", 1)): ("{name: two}", "{name: two}", "{name: two}", "two", ""),
    (0, ("b c", 1, "name")): ("name", "two", "name: two", "two", "two"),
    (0, ("b c", 2)): ('"three"', '"three"', '"three"', "three", ""),
    (0, ("d",)): ("d", "*x", "d: *x", "d", ""),
    (0, ("e", 0, "name")): ("name", "first", "name: first", "first", "first"),
    (0, ("e", 0, "v")): ("v", "|\n    long\n    text", "v: |\n    long\n    text", "long\ntext\n", "long"),
    (0, ("e", 1)): ("~", "~", "~", "~", ""),
    (1, ("80",)): ("80", "last", "80: last", "last", "last"),
}
"""For a document and a path: the key, the value, both, the title, and the beginning of a scalar."""


def written(text: str = TEXT) -> Written:
    return Written(Source("a.yaml", text))


def cut(text: str, span: tuple[int, int]) -> str:
    return text[span[0] : span[1]]


@pytest.mark.parametrize(("document", "path"), SPOTS)
def test_what_is_written_at_a_path(document: int, path: Path) -> None:
    spot = written().find(path, document)
    assert spot is not None
    spans = (cut(TEXT, one) for one in (spot.key_span, spot.value_span, spot.whole_span))
    assert (*spans, spot.title, spot.detail) == SPOTS[document, path]
    assert (spot.path, spot.document, spot.size) == (path, document, len(SPOTS[document, path][2]))
    assert cut(TEXT, spot.name_span) == SPOTS[document, path][0].strip('"')
    assert spot.is_scalar is (path not in (("b c",), ("b c", 1), ("d",)))
    assert spot.is_map is (path == ("b c", 1))


def test_properties_and_what_is_not_there() -> None:
    found = written()
    listed, alias = found.find(("b c",)), found.find(("d",))
    assert listed is not None
    assert alias is not None
    assert (listed.tag, listed.anchor, listed.alias) == ("!t", "x", None)
    assert (alias.tag, alias.anchor, alias.alias, alias.text) == ("", None, "x", None)
    assert [found.find(path) for path in (("f",), ("a", "b"), ("e", 2), ("b c", "0"), ("80",))] == [None] * 5
    assert [found.find(("a",), 1), found.find(("a",), 2)] == [None, None]
    assert [spot.path for spot in found.spots()] == [
        (), ("a",), ("b c",), ("b c", 0), ("b c", 1), ("b c", 1, "name"), ("b c", 2), ("d",), ("e",), ("e", 0),
        ("e", 0, "name"), ("e", 0, "v"), ("e", 1), (), ("80",),
    ]  # fmt: skip
    assert [spot.path for spot in found.walk(deep=1)] == [(), ("a",), ("b c",), ("d",), ("e",), (), ("80",)]
    first, last = TEXT.index("d: *x"), TEXT.index("- ~")
    assert [spot.path for spot in found.walk(first, first + 1)] == [(), ("d",), ()]
    assert [spot.path for spot in found.walk(last + 2, last + 3)] == [(), ("e",), ("e", 1), ()]
    assert [spot.path for spot in found.walk(end=1)] == [(), ("a",), ()]
    assert [spot.path for spot in found.walk(TEXT.index("80"))] == [(), (), ("80",)]


POINTED: list[tuple[str, Path, bool]] = [
    ("a: 1", ("a",), True),
    (": 1", ("a",), True),  # right after it
    ("1\n", ("a",), False),
    ("b c", ("b c",), True),
    ("!t", ("b c",), False),
    ("one", ("b c", 0), False),
    (", {", ("b c", 0), False),
    ("two", ("b c", 1, "name"), False),
    ("*x", ("d",), False),
    ("first", ("e", 0, "name"), False),
    ("text\n", ("e", 0, "v"), False),
    ("~", ("e", 1), False),
    ("80", ("80",), True),
    ("last", ("80",), False),
]
"""The text that a place is before, what is there, and whether it is the key."""


@pytest.mark.parametrize(("before", "path", "on_key"), POINTED)
def test_what_is_at_a_place(before: str, path: Path, on_key: bool) -> None:
    found, at = written(), TEXT.index(before)
    spot = found.at(at)
    assert spot is not None
    assert (spot.path, spot.on_key) == (path, on_key)
    assert spot.span == (spot.key_span if on_key else spot.value_span)
    assert [one.path for one in found.around(at)] == [path[:depth] for depth in range(len(path) + 1)]
    assert found.document_at(at) == spot.document


def test_what_begins_at_a_place() -> None:
    found = written()
    starts = ("1", "!t", "one", "{name", "two", "*x", "- name", "first")
    begun = [found.starting(TEXT.index(one)) for one in starts]
    assert [spot.path if spot else None for spot in begun] == [
        ("a",), ("b c",), ("b c", 0), ("b c", 1), ("b c", 1, "name"), ("d",), ("e",), ("e", 0, "name"),
    ]  # fmt: skip
    assert found.starting(TEXT.index("ne,")) is None
    whole = found.starting(0)
    assert whole is not None
    assert whole.path == ()


PIECES: list[tuple[str, int, str, str]] = [
    ("k: one two\n", 0, "one", "k: [one] two"),
    ("k: one two\n", 4, "two", "k: one [two]"),
    ("k: 'one two'\n", 4, "two", "k: 'one [two]'"),
    ("k: 'it''s two two'\n", 5, "two", "k: 'it''s [two] two'"),  # escapes before it: the first one
    ("k: 'it''s two two'\n", 9, "two", "k: 'it''s two [two]'"),
    ("k: |\n  one\n  one\n", 4, "one", "k: |\n  one\n  [one]"),
    ("k: >\n  one\n  two\n", 4, "two", "k: >\n  one\n  [two]"),
    ('k: "\\x6fne two"\n', 0, "one", ""),  # it is not written so
    ("k: one\nl: two\n", 0, "two", ""),
    ("k: []\n", 0, "one", ""),
]
"""A text, where a piece of the value of `k` begins, the piece, and the text with it in brackets; nothing where it is
not found."""


@pytest.mark.parametrize(("text", "at", "words", "expected"), PIECES)
def test_where_a_piece_of_a_value_is(text: str, at: int, words: str, expected: str) -> None:
    spot = written(text).find(("k",))
    assert spot is not None
    found = place_in(spot, at, words)
    shown = f"{text[: found[0]]}[{cut(text, found)}]{text[found[1] :]}" if found is not None else ""
    assert shown.startswith(expected)
    assert bool(shown) is bool(expected)


LINES = [
    ("ab\ncd", [(0, 2, 3), (0, 2, 3), (0, 2, 3), (3, 5, 5), (3, 5, 5), (3, 5, 5)]),
    ("a\r\nb", [(0, 1, 3), (0, 1, 3), (2, 2, 3), (3, 4, 4), (3, 4, 4)]),
    ("a\rb\n", [(0, 1, 2), (0, 1, 2), (2, 3, 4), (2, 3, 4), (4, 4, 4)]),
    ("\n", [(0, 0, 1), (1, 1, 1)]),
    ("", [(0, 0, 0)]),
]
"""A text; for each offset where its line begins and ends, and where the next one begins."""


@pytest.mark.parametrize(("text", "places"), LINES)
def test_lines(text: str, places: list[tuple[int, int, int]]) -> None:
    found = [(line_start(text, at), line_end(text, at), next_line(text, at)) for at in range(len(text) + 1)]
    assert found == places
    assert [column(text, at) for at in range(len(text) + 1)] == [at - start for at, (start, _, _) in enumerate(places)]


STYLES = [
    ("a: 1\n", (2, 0, "'", False)),
    ("a:\n    b: 1\nc:\n- d\n", (4, 0, "'", False)),
    ("a:\n   b: 1\nc:\n  - d\n", (3, 2, "'", False)),
    ("a:\n  b: 1\nc:\n    d: 1\ne:\n    f: 1\n", (4, 0, "'", False)),
    ("a:\n b: 1\n", (2, 0, "'", False)),
    ("a:\n            b: 1\n", (9, 0, "'", False)),
    ('a: "x"\nb: \'y\'\nc: "z"\n', (2, 0, '"', True)),
    ("a: \"x\"\nb: 'y'\n", (2, 0, "'", False)),
    ("a: 'x'\nb: 'y'\nc: 'z'\nd: w\n", (2, 0, "'", False)),
    ("a: 'x'\nb: 'y'\nc: 'z'\nd: 'w'\ne: 'v'\nf: u\ng: 1\n", (2, 0, "'", True)),
    ("a: |\n  x\nb: >\n  y\n", (2, 0, "'", False)),
]
"""A text, and how what is new in it is written: the indent of maps, that of lists, the quote, and whether texts are
always quoted: at least three are, and more than four times as many as are not."""


@pytest.mark.parametrize(("text", "expected"), STYLES)
def test_the_style_of_a_text(text: str, expected: tuple[int, int, str, bool]) -> None:
    style = style_of(lay_out(Source("a.yaml", text))[0])
    assert (style.indent, style.dash, style.prefer, style.always) == expected


NESTED = [
    ("a: |\n  x: 1\n  y: 2\nb: 3\n", "x: 1\ny: 5", "a: |\n  x: 1\n  y: 5\nb: 3\n"),
    ("a: |\n  x: 1\n\n  y: 2\n\nb: 3\n", "x: 1\n\ny: 2\nz: 3", "a: |\n  x: 1\n\n  y: 2\n  z: 3\n\nb: 3\n"),
    ("a: |\n  x: 1\n  y: 2\n", "y: 2", "a: |\n  y: 2\n"),
    ("a: |  # why\n    x: 1\n    y: 2\n", "w: 0\nx: 1\ny: 2", "a: |  # why\n    w: 0\n    x: 1\n    y: 2\n"),
    ("a: |\r\n  x: 1\r\n  y: 2\r\nb: 3\r\n", "x: 1\ny: 5\nz: 6", "a: |\r\n  x: 1\r\n  y: 5\r\n  z: 6\r\nb: 3\r\n"),
    ("a: |-\n  x: 1\n  y: 2", "x: 2\ny: 2", "a: |-\n  x: 2\n  y: 2"),
    ("a: 'x: 1'\n", "x: 2", "a: 'x: 2'\n"),
]
"""A file, the text that its value `a` becomes, and the file with it: of a block only the lines that differ."""


@pytest.mark.parametrize(("before", "text", "after"), NESTED)
def test_a_text_in_a_text(before: str, text: str, after: str) -> None:
    assert with_text(Source("a.yaml", before), ("a",), 0, text) == after
