"""A document by its parts, as it was scanned and as the cache keeps it: each says what the whole document says."""

from __future__ import annotations

import marshal

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.node import ListNode, MapNode, Node
from plait.core.path import Path
from plait.core.source import Source
from plait.yaml.build import Reading, build
from plait.yaml.emit import emit
from plait.yaml.outline import Outline, Pack, Steps, columns, has_braces, key_steps, paths_at, whole
from plait.yaml.program import Program
from plait.yaml.scan import scan

TEXT = """\
# head
a: 1
"b c": !t [x, &y {z: w}]
d:
  e: {f: {g: h}, i: [j]}
  k:
    - l: m
    - !n o
p: [q, "r", 's', !u v]
w: [x, 3]
x: [x, {}]
y: []
z:
"""
SOURCE = Source("x.yaml", TEXT.replace("&y ", ""))
KEYS = ["a", "b c", "d", "p", "w", "x", "y", "z"]


def outlines(reading: Reading) -> list[Outline]:
    """The same document, scanned, from the cache, and from a cache that keeps only its first level apart."""
    scanned = Steps.of(scan(SOURCE)[0])
    assert scanned is not None
    packs = [Pack(marshal.loads(marshal.dumps(scanned.packed(levels)))) for levels in (3, 1)]
    return [Outline(branch, SOURCE, reading) for branch in (scanned, *packs)]


def places(node: Node) -> list[str]:
    """Where everything in it is."""
    if isinstance(node, MapNode):
        return [str(node.origin), *(place for value in node.entries.values() for place in places(value))]
    if isinstance(node, ListNode):
        return [str(node.origin), *(place for value in node.items for place in places(value))]
    return [str(node.origin)]


def test_each_part_says_what_the_document_says() -> None:
    document = build(scan(SOURCE)[0], SOURCE, Reading())
    assert isinstance(document, MapNode)
    for outline in outlines(Reading()):
        assert outline.keys() == KEYS
        assert [key in outline for key in ("a", "e", "z")] == [True, False, True]
        for key, value in document.entries.items():
            found = outline.get(key)  # type: ignore[arg-type]
            assert found is not None
            assert (emit(found), places(found)) == (emit(value), places(value))
            assert outline.get(key) is found  # type: ignore[arg-type]
        assert outline.get("nothing") is None
        assert (emit(outline.whole()), places(outline.whole())) == (emit(document), places(document))
        assert outline.whole().marks == document.marks
        assert outline.text("y") == "y: []\n"
        assert outline.text("z") == "z:\n"


def test_mappings_below_have_outlines_of_their_own() -> None:
    for outline in outlines(Reading()):
        assert [key for key in KEYS if outline.below(key) is not None] == ["d"]
        below = outline.below("d")
        assert below is not None
        assert outline.below("d") is below
        assert below.keys() == ["e", "k"]
        inner = below.below("e")
        assert inner is not None
        assert inner.keys() == ["f", "i"]
        assert below.below("k") is None
        found = inner.get("f")
        assert found is not None
        assert (emit(found), str(found.origin)) == ("g: h\n", "x.yaml:5:10")
        assert inner.text("f") == "f: {g: h}, "
        whole_value = outline.get("d")
        assert isinstance(whole_value, MapNode)
        assert whole_value.entries["e"] is inner.whole()
        assert outline.below("nothing") is None


def test_where_values_begin_and_which_are_mappings() -> None:
    text = "a: 1\nb: !t {c: 2}\nd:\n  e: f\ng: [{h: i}]\nj: {}\n"
    scanned = Steps.of(scan(Source("x.yaml", text))[0])
    assert scanned is not None
    begins = {"a": "1", "b": "!t", "d": "e:", "g": "[{", "j": "{}"}
    assert {key: scanned.offset(key) for key in begins} == {key: text.index(words) for key, words in begins.items()}
    assert scanned.values() == [text.index(words) for words in begins.values()]
    assert [key for key in begins if scanned.is_map(key)] == ["b", "d", "j"]


WORDS = [("p", ["q", "r", "s", "v"]), ("w", None), ("x", None), ("y", []), ("a", None), ("d", None), ("none", None)]


@pytest.mark.parametrize(("key", "words"), WORDS)
def test_the_words_of_a_list_of_texts(key: str, words: list[str] | None) -> None:
    source = Source("x.yaml", SOURCE.text.replace("!u v", "v"))
    scanned = Steps.of(scan(source)[0])
    assert scanned is not None
    assert Outline(scanned, source, Reading()).words(key) == words
    looking = Reading(closed=lambda node: node)  # every list is looked into
    assert Outline(scanned, source, looking).words(key) is None


def test_all_parts_built_at_once_are_the_same() -> None:
    for outline in outlines(Reading()):
        early = outline.get("a")
        outline.build_all()
        assert outline.get("a") is early
        assert emit(outline.whole()) == emit(build(scan(SOURCE)[0], SOURCE, Reading()))


def test_what_is_wrong_with_a_part_is_found_when_it_is_asked_for() -> None:
    source = Source("x.yaml", "a: 1\nb: {c: 1, c: 2}\n")
    outline = Outline.of(scan(source)[0], source, Reading())
    assert isinstance(outline, Outline)
    outline.build_all()
    assert outline.get("a") is not None
    with pytest.raises(PlaitError, match="PL1102"):
        outline.get("b")


def test_a_front_that_looks_into_containers_sees_each_once() -> None:
    seen: list[str] = []

    def closed(node: Node) -> Node:
        seen.append(str(node.origin))
        return node

    for outline in outlines(Reading(closed=closed)):
        seen.clear()
        below = outline.below("d")
        assert below is not None
        outline.build_all()
        assert seen == []
        outline.get("d")
        assert seen == ["x.yaml:5:10", "x.yaml:5:21", "x.yaml:5:6", "x.yaml:7:7", "x.yaml:7:5", "x.yaml:5:3"]


WHOLE = [
    "- a\n",
    "x\n",
    "",
    "a: &b 1\n",
    "a: 1\nb: *a\n",
    "? [a]\n: b\n",
    "a: 1\na: 2\n",
    "<<: {a: 1}\n",
    "a: {}\n? b\n: &c d\n",
]


@pytest.mark.parametrize("text", WHOLE)
def test_documents_that_cannot_be_taken_apart(text: str) -> None:
    programs = scan(Source("x.yaml", text))
    assert [Steps.of(program) for program in programs] == [None] * len(programs)


def test_a_document_that_the_cache_keeps_by_its_parts_can_be_put_together() -> None:
    program = scan(SOURCE)[0]
    scanned = Steps.of(program)
    assert scanned is not None
    for levels in (1, 2, 3):
        assert columns(whole(Pack(scanned.packed(levels)))) == columns(program)


BRACES = [
    ("'{a}': 1\n", True),
    ("b: '{a}'\n", False),
    ("b: {c: {'x{y}': 1}}\n", True),
    ("- '{a}'\n- {b: '{c}'}\n", False),
    ("- {'{c}': b}\n", True),
    ("? {'{a}': b}\n: c\n", True),
    ("? ['{a}']\n: {d: '{e}'}\n", False),
    ("a: !t {b: !u '{c}', !v '{d}': e}\n", True),
]


@pytest.mark.parametrize(("text", "expected"), BRACES)
def test_whether_a_key_has_a_brace(text: str, expected: bool) -> None:
    program = scan(Source("x.yaml", text))[0]
    assert has_braces(program) is expected
    scanned = Steps.of(program)
    if scanned is not None:
        assert has_braces(Pack(scanned.packed())) is expected


PATHS: list[tuple[str, dict[str, Path]]] = [
    (
        "a: one\nb: [two, {c: three, d: [four]}]\n",
        {
            "one": ("a",),
            "[two": ("b",),
            "two": ("b", 0),
            "{c": ("b", 1),
            "three": ("b", 1, "c"),
            "[four": ("b", 1, "d"),
            "four": ("b", 1, "d", 0),
        },
    ),
    (
        "- - one\n  - two\n- !t three\n- {}\n",
        {"- -": (), "- one": (0,), "one": (0, 0), "two": (0, 1), "!t": (1,), "{}": (2,)},
    ),
    ("one\n", {"one": ()}),
    ("'': one\n~: two\n1: {}\n", {"one": ("",), "two": ("~",), "{}": ("1",)}),
]


@pytest.mark.parametrize(("text", "found"), PATHS)
def test_the_paths_of_values_at_places(text: str, found: dict[str, Path]) -> None:
    program = scan(Source("x.yaml", text))[0]
    places = {text.index(words): path for words, path in found.items()}
    assert paths_at(program, [*places, len(text)]) == places
    assert {at: paths_at(program, [at]) for at in places} == {at: {at: path} for at, path in places.items()}


def test_there_are_no_paths_below_a_key_that_is_a_list() -> None:
    assert paths_at(scan(Source("x.yaml", "? [a]\n: b\n"))[0], [2]) is None


def keys_of(program: Program) -> list[str | None]:
    return [program.texts[step] for step in key_steps(program)]


def test_keys() -> None:
    assert keys_of(scan(Source("x.yaml", "a: {b: [c, {d: e}], !t f: g}\n? {h: i}\n: {j: k}\nl:\n"))[0]) == [
        "a",
        "b",
        "d",
        "f",
        "h",
        "j",
        "l",
    ]
