"""The native reader: the same columns as the careful reader, byte for byte, or none at all; the same nodes; the same
errors. The native emitter: the same text as the one in Python, or the same error."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plait.apps.cli import main
from plait.core import alike, native
from plait.core.diagnostic import PlaitError
from plait.core.meter import Budgets, Meter
from plait.core.node import Failure, Key, ListNode, MapNode, Mark, Node, Overlay, Parts, Scalar, children, in_place_of
from plait.core.policy import ListRule, MergePolicy
from plait.core.source import Source
from plait.core.walk import places_for_a_look, places_of
from plait.fronts.stacks.answers.describe import DescribeFilter
from plait.fronts.stacks.answers.pages import DEPTH, JsonPages, YamlPages
from plait.merging import combine
from plait.notations.dynaml.parse import _cut
from plait.report.render import render_one
from plait.yaml.build import Reading, WrittenMap, build
from plait.yaml.emit import WIDE, Style, emit_styled
from plait.yaml.events import documents, reading_carefully, reading_events
from plait.yaml.layout import Layout, all_documents
from plait.yaml.outline import columns, spans_of
from plait.yaml.places import Written
from plait.yaml.program import END, MAP, PROPS, SEQ, Program
from plait.yaml.readers import READERS
from plait.yaml.scan import scan
from plait.yaml.schema import CORE, Schema
from plait.yaml.spelling import _END
from plait.yaml.texts import _known_texts
from plait.yaml.words import _WORD
from tests.examples import examples
from tests.native.texts import FILES, texts
from tests.yaml.nodes import core, trees

built = pytest.mark.skipif(native.scan is None, reason="the native reader was not built, or is turned off")


def by_native(text: str, depth: int = 50) -> list[tuple[object, ...]] | None:
    assert native.scan is not None
    found = native.scan(text, depth)
    return None if found is None else [columns(Program(*one)) for one in found]


def by_hand(text: str, depth: int = 50) -> list[tuple[object, ...]]:
    return [columns(program) for program in reading_carefully(Source("x", text), depth, documents)]


@built
@given(texts)
@settings(max_examples=examples(49))
def test_the_columns_are_the_same(text: str) -> None:
    found = by_native(text)
    if found is not None:
        assert found == by_hand(text)


def facts(layout: Layout) -> tuple[object, ...]:
    """All that an edit asks of a document: steps with their ends, partners and brackets."""
    rows = []
    for step, kind in enumerate(layout.kinds):
        bare, flow = kind & ~PROPS, layout.is_flow(step)
        end = layout.ends[step] if bare not in (MAP, SEQ) and (bare != END or flow) else None  # a block has none
        rows.append((kind, layout.ats[step], layout.texts[step], layout.pairs[step], flow, end))
    return rows, layout.props, layout.opened, layout.closed


def places_by_native(text: str) -> list[tuple[object, ...]] | None:
    assert native.places is not None
    found = native.places(text, 50)
    return None if found is None else [facts(Layout.scanned(Source("x", text), columns)) for columns in found]


def places_by_events(text: str) -> list[tuple[object, ...]]:
    return [facts(layout) for layout in reading_events(Source("x", text), 50, all_documents)]


@built
@given(texts)
@settings(max_examples=examples(29))
def test_the_places_are_the_same(text: str) -> None:
    found = places_by_native(text)
    assert found is None or found == places_by_events(text)


@built
@pytest.mark.parametrize("text", FILES)
def test_usual_files_have_the_same_places(text: str) -> None:
    assert places_by_native(text) == places_by_events(text)


@built
@pytest.mark.parametrize("text", FILES)
def test_usual_files_are_read(text: str) -> None:
    """What it hands over costs time: nothing that people usually write may be among it."""
    assert by_native(text) == by_hand(text)


def record(node: Node) -> list[tuple[object, ...]]:
    """Everything that a tree holds, places included, in order; it asks for every map."""
    rows: list[tuple[object, ...]] = []
    stack = [node]
    while stack:
        one = stack.pop()
        rows.append((one.__class__, one.at, one.live, getattr(one, "tag", None), getattr(one, "value", None)))
        if isinstance(one, MapNode):
            rows.append((*one.entries, *one.marks, one.alone, one.parts))
            stack += [child for child in one.entries.values() if isinstance(child, Node)]
        elif isinstance(one, ListNode):
            stack += one.items
    return rows


def tree(text: str, by_parts: bool, reading: Reading) -> list[list[tuple[object, ...]]] | tuple[str, ...]:
    """The documents of a text, or what is wrong with them."""
    source = Source("x", text)
    layouts = [Layout.scanned(source, columns) for columns in native.places(text, 50) or ()] if native.places else []
    try:
        return [record(build(layout.program(), source, reading, by_parts)) for layout in layouts]
    except PlaitError as error:
        return tuple(map(str, error.diagnostics))


READINGS = [Reading(), Reading(text_keys=True), *(Reading(one.schema, keys=one.keys) for one in READERS.values())]
NAMES = "a:\n  name: {no: 1, 1: on}\n  null: {True: {~: x, yes: y}}\n  list: [{n: 1, nothing: {o: 2, 08: 3}}]\n"


@built
@example(NAMES, READINGS[-1])
@example(NAMES, Reading(keys=lambda node: f"<{node.at}>"))
@given(texts, st.sampled_from(READINGS))
@settings(max_examples=examples(60))
def test_a_tree_that_is_built_by_parts_is_the_same(text: str, reading: Reading) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plait.yaml.build.LEAST_STEPS", 2)
        assert tree(text, True, reading) == tree(text, False, reading)


def looked_at(rows: Iterator[tuple[tuple[Key | int, ...], Node]]) -> list[tuple[object, ...]]:
    return [(path, one.__class__, one.at, getattr(one, "value", None), getattr(one, "marks", ())) for path, one in rows]


@built
@given(texts)
@settings(max_examples=examples(29))
def test_a_look_at_maps_that_are_not_built_sees_the_same_and_builds_none(text: str) -> None:
    source = Source("x", text)
    with pytest.MonkeyPatch.context() as patch, suppress(PlaitError):
        patch.setattr("plait.yaml.build.LEAST_STEPS", 2)
        for columns in native.places(text, 50) or () if native.places else ():
            program = Layout.scanned(source, columns).program()
            later, whole = (build(program, source, Reading(), by_parts) for by_parts in (True, False))
            unbuilt = [one for _, one in places_of(later, below_built) if isinstance(one, MapNode) and one.is_unbuilt]
            assert looked_at(places_for_a_look(later)) == looked_at(places_of(whole, once=True))
            assert all(one.is_unbuilt for one in unbuilt)


def below_built(node: Node) -> Iterable[tuple[Key | int, Node]]:
    return () if isinstance(node, MapNode) and node.is_unbuilt else children(node)


@built
@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("a: {b: 1, c: 2}\n", 1),
        ("- {b: 1, c: 2}\n- {b: [x, y]}\n", 2),
        ("a: {b: 1, 'b': 2}\n", 0),
        ("a: {b: 1, <<: 2}\n", 0),
        ("a: {b: 1, 2: 2}\n", 0),
        ("a: {name: 1, type: 2}\n", 1),
        ("a: {name: 1, true: 2}\n", 0),
        ("a: {name: 1, Null: 2}\n", 0),
        ("a: {name: 1, .inf: 2}\n", 0),
        ("a: {b: !x 1, c: 2}\n", 0),
        ("a: {b: &x 1, c: 2}\n", 0),
        ('a: {b: 1, "\\x63": 2}\n', 0),
        ('a: {b: "\\x63", d: 2}\n', 1),
    ],
)
def test_only_maps_in_which_nothing_can_be_wrong_are_built_later(
    text: str, later: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plait.yaml.build.LEAST_STEPS", 2)
    monkeypatch.setattr("plait.yaml.build.MOST_STEPS", 6)
    source, found = Source("x", text), []
    monkeypatch.setattr("plait.yaml.build.WrittenMap", lambda *given: found.append(given) or WrittenMap(*given))
    layout = Written(source).layouts[0]
    with suppress(PlaitError):
        build(layout.program(), source, Reading(), by_parts=True)
    assert len(found) == later


READ = [
    "",
    "# only a comment\n",
    "a",
    "- a",
    "a: 1",
    "a:\n- b\n",
    "a:\n  b:\nc:\n",
    "- - a\n  - b\n",
    "a: 'x'\n",
    "a: b # c\n",
    "a: é\nb: 日本\n",
]
READ += [
    '"a b": c\n',
    "a: [\n  1,\n]\n",
    "a: {b, c: , d: 1}\n",
    "a: {{ x }}\n",
    "- {[x, y], {z: 1}\n  , {}}\n",
    "a: !t\nb: &x\nc: 1\n",
    "a: x\n  y\n\n  z\n",
    "a: http://x/y#z\n",
    "a: -1\n",
]
READ += ["a:  # c\n  b: 1  # d\n", "-  # c\n  - a\n", "a: !t # c\n  b: 1\n", "- a # b\n- 'c' # d\n- [e] # f\n"]
READ += [
    "a: 1\r\n",
    "# c\r\na: # d\r\n- b\r\n\r\n- |\r\n  x\r\n\r\n   y\r\n- 'c'\r\n",
    "a: >-\r\n  x\r\n  y\r\n\r\n  z\r\nb: [1,\r\n  2]\r\n---\r\nc: x\r\n  y\r\n",
    "a: b\tc\t# d\n",
    "a: 'b'\t\n",
    "a: 'x\n  y'\n",
    "a: 'x  \r\n\r\n  y'\r\nb: 1\r\n",
    '- "x\\\n  y\\n \n\n  z "\n- ["a\n  b", c]\n',
    'a: "x\\\r\n  y"\r\n',
]
READ += ["---\n", "---", "--- # c\n\n  # d\n---\na: 1\n---\n", "a: 1\r\n---\r\n---\r\n"]
READ += [
    "a: |2\n  x\n",
    "a:\n  b: |2-\n\n\n     x\n\n    y\nc: 1\n",
    "- >-1\n   x\n\n  y\n",
    "a: |\n\n\n  x\n",
    "a: >\n\n  x\n   y\n",
]
HANDED_OVER = [
    "\ta: 1\n",
    "a: 1\r",
    "a: 1\rb: 2\n",
    "a:\tb\n",
    "a\t: b\n",
    "? a\n",
    "[a: b]\n",
    "%YAML 1.2\n---\na\n",
    "a: 'x\ny'\n",
    "a: 'x\n",
    "'x\n y': a\n",
    "{'x\n y': a}\n",
    "{{x}: a}\n",
    "{&x {y}}\n",
    "a: |\n \n  x\n",
    "a: |0\n  x\n",
    "|2\n  x\n",
    "a: x\x85y\n",
    "\ufeffa: 1\n",
]
HANDED_OVER += [
    "a: 1\n a: 2\n",
    "[a, b",
    "{a: 1",
    "a: |\n  x",
    "a: [b]c\n",
    "a: b: c\n",
    "*a: b\n",
    "a\x00b\n",
    "- a\n b: 1\n",
    "...\n",
    "---\n...\n",
]


@built
@pytest.mark.parametrize("text", READ)
def test_it_reads(text: str) -> None:
    assert by_native(text) == by_hand(text)


@built
@pytest.mark.parametrize("text", HANDED_OVER)
def test_it_hands_over(text: str) -> None:
    assert by_native(text) is None


@built
@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, "- " * 100_000, "{a: " * 50_000, "a:\n" * 3]
)
def test_depth_is_bounded(text: str) -> None:
    assert by_native(text, 1000) in (None, by_native(text, 1000))
    with pytest.raises(PlaitError):
        scan(Source("x", text + "["), 1000)


@built
def test_large_scalars() -> None:
    for text in (
        "a: " + "x" * 64_000_000 + "\n",
        "a: |\n  " + "y" * 8_000_000 + "\n",
        'a: "' + "\\n" * 4_000_000 + '"\n',
    ):
        found = native.scan(text, 10) if native.scan is not None else None
        assert found is not None
        assert len(found[0][0]) == 4


@built
@pytest.mark.parametrize(
    "text", ["é: 1\n", "日本: 1\n", "\U0001f600: [\U0001f600]\n", '"\\U0001f600": |\n  \U0001f600\n']
)
def test_every_width_of_character(text: str) -> None:
    assert by_native(text) == by_hand(text)


def shape(node: Node) -> object:
    if isinstance(node, MapNode):
        inside: object = [
            (key if isinstance(key, str) else shape(key), shape(value)) for key, value in node.entries.items()
        ]
        return ("map", inside, node.at, tuple(node.marks), node.live, node.tag, node.parts == (), node.alone)
    if isinstance(node, ListNode):
        return ("seq", [shape(item) for item in node.items], node.at, node.live, node.tag, node.parts, node.rule)
    if isinstance(node, Failure):
        return "later", node.at
    assert isinstance(node, Scalar)
    return (repr(node.value), node.value.__class__, node.text, node.at, node.tag, node.secret)


def built_by(text: str, natively: bool, monkeypatch: pytest.MonkeyPatch, reading: Reading) -> object:
    source = Source("x", text)
    with monkeypatch.context() as patch:
        if not natively:
            patch.setattr(native, "build", None)
        try:
            return [shape(build(program, source, reading)) for program in reading_events(source, 50, documents)]
        except PlaitError as error:
            return render_one(error.diagnostics[0])


def seen_by_sign(node: Scalar) -> Node:
    """A notation that makes something of texts with a sign in them."""
    return Scalar("seen", node.text, node.source, node.at) if "t" in node.text or "a:" in node.text else node


def unfinished(node: Scalar) -> Node:
    """A notation that knows some texts only later: every map and list around such a text is unfinished, too."""
    return Failure((), node.source, node.at) if "a" in node.text else node


READINGS = {
    "plain": lambda: Reading(),
    "text keys": lambda: Reading(text_keys=True),
    "last wins": lambda: Reading(duplicates="last"),
    "no merge keys": lambda: Reading(merge_keys=False),
    "closed": lambda: Reading(closed=lambda node: node),
    "marked": lambda: Reading(markers=("t",), marked=lambda node: node),
    "signed": lambda: Reading(markers=("t",), marked=seen_by_sign, signs=("t", "a:")),
    "unfinished": lambda: Reading(markers=("a",), marked=unfinished, tagged=lambda tag, node: Failure((), node.source)),
    "own keys": lambda: Reading(keys=lambda node: f"<{node.text}>" if isinstance(node, Scalar) else "?"),
    "tagged": lambda: Reading(tagged=lambda tag, node: Scalar(tag, tag, node.source, node.at)),
}


@built
@pytest.mark.parametrize("name", READINGS)
def test_the_nodes_are_the_same(name: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:

        @given(texts)
        @settings(max_examples=examples(29))
        def compare(text: str) -> None:
            ours, theirs = (built_by(text, natively, monkeypatch, READINGS[name]()) for natively in (True, False))
            assert ours == theirs

        compare()


NUMERALS = st.from_regex(r"[-+]?[0-9]{1,20}[_.:e]?[0-9]{0,2}", fullmatch=True)


@built
@pytest.mark.parametrize("name", READERS)
def test_numbers_are_the_same(name: str) -> None:
    @given(st.lists(NUMERALS, min_size=1, max_size=8))
    @settings(max_examples=examples(7))
    def compare(numerals: list[str]) -> None:
        text = "".join(f"- {numeral}\n- {{{numeral}: x}}\n" for numeral in numerals)
        with pytest.MonkeyPatch.context() as monkeypatch:
            ours, theirs = (
                built_by(text, one, monkeypatch, Reading(schema=READERS[name].schema)) for one in (True, False)
            )
        assert ours == theirs

    compare()


@built
def test_columns_that_are_wrong_are_an_exception() -> None:
    source = Source("x", "a: 1")
    for kinds, ats, texts_, props in (
        ([2], [0], [None], {}),
        ([4], [0], [None], {}),
        ([0], [0], [None], {}),
        ([0, 0], [0], ["a"], {}),
        ([10, 4], [0, 0], [None, None], {}),
    ):
        with pytest.raises((ValueError, TypeError)):
            build(Program(kinds, ats, texts_, props), source, Reading())


@pytest.mark.long
@built
def test_nothing_is_lost() -> None:
    """Reading, handing over and failing, again and again, leaves no more objects than before."""
    cases = [*FILES, *HANDED_OVER, *READ, "a: 1\na: 2\n", "a: *x\n", "a: !!int x\n"]

    def round_() -> None:
        for text in cases:
            try:
                for program in scan(Source("x", text)):
                    build(program, Source("x", text), Reading())
            except PlaitError:
                continue

    def growth() -> float:
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(40):
            round_()
        gc.collect()
        return (sys.getallocatedblocks() - before) / 40

    gc.collect()
    gc.freeze()  # what other tests left is not looked at again and again
    try:
        assert any(growth() < 1 for _ in range(12))  # Python itself keeps some blocks for later, fewer each time
    finally:
        gc.unfreeze()


def test_the_version_tells_which_reader_is_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version", "--verbose"]) == 0
    assert capsys.readouterr().out.splitlines()[2] == f"reader: {native.in_use()}"


WORDS = st.text("nNyYtTfFoO<uUeErRaAlLsS", max_size=6) | st.text("aZ09_./()@%+=<>- :#\t\n\xe9\u2028", max_size=8)


@built
@given(WORDS)
@settings(max_examples=examples(72))
def test_words_are_the_same(text: str) -> None:
    assert native.is_word is not None
    assert native.is_word(text) == (_WORD.match(text) is not None)


@built
@settings(max_examples=examples(59))
@given(st.text(" \t\r\n#:,]}ax\x85\u2003", max_size=6), st.integers(0, 7))
def test_ends_of_plain_scalars_are_the_same(text: str, at: int) -> None:
    assert native.ends_at is not None
    assert native.ends_at(text, at) == (_END.match(text, at) is not None)


@built
@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 5)), st.data())
@settings(max_examples=examples(23))
def test_known_texts_are_the_same(chosen: dict[str, int], data: st.DataObject) -> None:
    nodes: list[Node] = [Scalar(number, str(number)) for number in range(6)]
    entries: dict[Key, Node] = {key: nodes[number] for key, number in chosen.items()}
    keys: list[Key] = data.draw(st.lists(st.sampled_from(list(entries)), unique=True)) if entries else []
    pairs = data.draw(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(nodes))))
    table: dict[Key, dict[int, tuple[Node, str]]] = {}
    for key, node in pairs:
        table.setdefault(key, {})[id(node)] = (node, f"{key}: {node}")
    assert native.known_texts is not None
    here: list[int] = []
    there: list[int] = []
    assert native.known_texts(keys, entries, table, here) == _known_texts(keys, entries, table, there)
    assert here == there


PIECES_OF_REFERENCES = (
    "a",
    "Z_",
    "0",
    "9-b",
    ".",
    "[",
    "]",
    "[12]",
    "[1234567890]",
    " ",
    "\n",
    "\u2003",
    "-",
    "é",
    "x.y",
)


@built
@given(st.lists(st.sampled_from(PIECES_OF_REFERENCES), max_size=8).map("".join), st.integers(0, 3), st.integers(0, 3))
@settings(max_examples=examples(54))
def test_references_are_the_same(text: str, before: int, after: int) -> None:
    start = min(before, len(text))
    end = max(len(text) - after, start)
    assert native.reference is not None
    assert native.reference(text, start, end) == _cut(text, start, end)


@built
def test_a_reference_outside_of_its_text_is_an_exception() -> None:
    assert native.reference is not None
    for start, end in ((0, 2), (-1, 1)):
        with pytest.raises(ValueError, match="not so long"):
            native.reference("a", start, end)


@built
def test_known_texts_of_wrong_tables_are_an_exception() -> None:
    look = native.known_texts
    assert look is not None
    one: Node = Scalar(1, "1")
    with pytest.raises(KeyError, match="b"):
        look(["b"], {"a": one}, {}, [])
    for table in ({"a": {id(one): "1"}}, {"a": {id(one): (one,)}}):
        with pytest.raises(TypeError, match="a node and its text"):
            look(["a"], {"a": one}, table, [])
    with pytest.raises(TypeError, match="takes a list"):
        look(("a",), {"a": one}, {}, [])
    with pytest.raises(TypeError, match="unhashable"):
        look([[]], {"a": one}, {}, [])
    missing: list[int] = []
    assert look(["a"], {"a": one}, {"a": 1}, missing) == [""]
    assert missing == [0]


def parts_of_maps(program: Program, natively: bool) -> list[dict[str, tuple[int, int]] | None]:
    """The parts of the value at each step of a program."""
    with pytest.MonkeyPatch.context() as patch:
        if not natively:
            patch.setattr(native, "spans", None)
        return [spans_of(program, step) for step in range(len(program.kinds))]


@built
@given(texts)
@settings(max_examples=examples(22))
def test_parts_of_maps_are_the_same(text: str) -> None:
    for found in by_native(text) or by_native(FILES[0]) or ():
        for program in (Program(*found), Program([*found[0]], *found[1:])):  # type: ignore[misc, arg-type]
            assert parts_of_maps(program, True) == parts_of_maps(program, False)


@built
def test_parts_of_wrong_columns_are_an_exception() -> None:
    assert native.spans is not None
    texts_ = [None, "a", None, None]
    assert native.spans([2, 1, 0, 4], texts_, 0) == {"a": (2, 3)}
    wrong: list[tuple[object, ...]] = [
        ([2, 1, 0], texts_, 0),
        ([2, 1, 2, 0], texts_, 0),
        ([2, 1, 4, 4], texts_, 0),
        (b"\2\1", texts_, 0),
        ([2, 1, 99, 4], texts_, 0),
        ([2, 1, "x", 4], texts_, 0),
        ([2, 4], texts_, 2),
        ([2, 4], texts_, -1),
        ((2, 4), texts_, 0),
        ([2, 4], (None, None), 0),
        ([2, 4], texts_, None),
        ([2, 4], texts_),
    ]
    for arguments in wrong:
        with pytest.raises((TypeError, ValueError)):
            native.spans(*arguments)


class OtherScalar(Scalar):
    """A value that is not merged as a single value: only its own class is looked at."""

    __slots__ = ()


def drawn(kind: int, number: int) -> Node:
    """A value of one of the kinds that a merge of maps tells apart."""
    text, source = str(number), Source("x", "")
    source.secrets.add("s")
    kinds: tuple[Node, ...] = (
        Scalar(number, text),
        Scalar(text, text, source, 0, None, True),
        MapNode({text: Scalar("s", "s", source, 0, None, True)}, source),
        ListNode([Scalar(number, text)]),
        Mark(source, number),
        Mark(source, number, taken=Scalar(None, "")),
        OtherScalar(number, text),
        Overlay((Scalar(number, text), MapNode({})), MergePolicy()),
    )
    return kinds[kind]


VALUES = st.builds(drawn, st.integers(0, 7), st.integers(0, 3))
MAPS = st.dictionaries(st.sampled_from("abcd") | st.integers(0, 1).map(lambda n: Scalar(n, str(n))), VALUES, max_size=5)


@built
@given(st.lists(MAPS.map(MapNode), min_size=1, max_size=5))
@settings(max_examples=examples(72))
def test_unions_are_the_same(group: list[MapNode]) -> None:
    assert native.union is not None
    hidden: dict[int, Node] = {}

    def instead(value: Node, *below: Node) -> Node:
        """The same new node for both, where there is one."""
        made = in_place_of(value, *below)
        return made if made is value else hidden.setdefault(id(value), made)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(combine, "in_place_of", instead)
        theirs = combine._union(group)
    ours = native.union(group, instead, Mark)
    for one, other in zip(ours, theirs, strict=True):
        assert list(one) == list(other)
    assert [*map(id, ours[0].values())] == [*map(id, theirs[0].values())]
    assert [[*map(id, nodes)] for nodes in ours[1].values()] == [[*map(id, nodes)] for nodes in theirs[1].values()]


@built
def test_unions_of_what_is_no_map_are_an_exception() -> None:
    assert native.union is not None
    low = MapNode({"a": MapNode({})})
    wrong: list[tuple[object, ...]] = [
        ([low, Scalar(1, "1")], in_place_of, Mark),
        ([MapNode.__new__(MapNode), low], in_place_of, Mark),
        ([low, low], in_place_of, None),
        ((low, low), in_place_of, Mark),
        ([low, low], in_place_of),
        ([low, MapNode({"a": Scalar(1, "1")})], None, Mark),
    ]
    for arguments in wrong:
        with pytest.raises((TypeError, AttributeError)):
            native.union(*arguments)


FLOATS = st.floats().map(lambda number: Scalar(number, str(number)))
TREES = st.recursive(
    VALUES | FLOATS | st.sampled_from("ab").map(lambda tag: Scalar(1, "1", tag=tag)),
    lambda inner: (
        st.lists(inner, max_size=3).map(ListNode)
        | st.dictionaries(st.sampled_from("ab"), inner, max_size=2).map(MapNode)
    ),
    max_leaves=12,
)


@built
@given(st.lists(TREES, min_size=1, max_size=6), st.data())
@settings(max_examples=examples(72))
def test_what_is_soon_equal_is_the_same(pool: list[Node], data: st.DataObject) -> None:
    entries, others = (data.draw(st.dictionaries(st.sampled_from("abc"), st.sampled_from(pool))) for _ in range(2))
    assert alike.unlike(entries, others) == [
        key for key, node in entries.items() if not alike._soon_equal(node, others.get(key))
    ]
    for one in (*pool, None):
        for other in (*pool, *map(copied, pool), None):
            assert alike.soon_equal(one, other) is alike._soon_equal(one, other)


def copied(node: Node) -> Node:
    """The same values in other containers."""
    if isinstance(node, MapNode):
        return MapNode({key: copied(one) for key, one in node.entries.items()})
    return ListNode([copied(one) for one in node.items]) if isinstance(node, ListNode) else node


def inside(text: str, schema: Schema = CORE) -> MapNode:
    """The map in a text of one field, not built yet."""
    source = Source("x", text)
    root = build(Written(source).layouts[0].program(), source, Reading(schema), by_parts=True)
    assert isinstance(root, MapNode)
    found = root.entries["a"]
    assert isinstance(found, MapNode)
    return found


@built
def test_maps_that_are_not_built_are_left_to_whoever_compares_them_by_what_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plait.yaml.build.LEAST_STEPS", 2)
    one, other = (inside("a: {b: 1, c: 2}\n") for _ in range(2))
    assert not alike.soon_equal(one, other)
    assert alike.unlike({"a": one}, {"a": other}) == ["a"]
    assert not alike._soon_equal(one, other)
    assert one.is_unbuilt
    assert other.is_unbuilt
    assert len(one.entries) == 2
    assert alike.soon_equal(one, other)
    assert alike._soon_equal(one, other)


FIELDS = st.dictionaries(
    st.sampled_from(["b", "c", "d", "name", "ü", "e f"]),
    st.sampled_from(["1", "'1'", '"1"', "01", "x", "'x'", '"\\x78"', "[1, 2]", "[1, {n: 2}]", "{f: 1, g: {h: ü}}",
                     "{f: 1, g: {h: u}}", "{g: {h: u}, f: 1}", "true", "''", "~"]),
    max_size=5,
)  # fmt: skip


@built
@given(FIELDS, FIELDS, st.booleans())
@settings(max_examples=examples(200))
def test_fields_that_are_written_alike_are_left_out_and_no_others(
    one: dict[str, str], other: dict[str, str], nearly: bool
) -> None:
    other = {**one, **dict(list(other.items())[:2])} if nearly else other
    texts_ = [
        "a: {z: 0, " + ", ".join(f"{key}: {value}" for key, value in some.items()) + "}\n" for some in (one, other)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plait.yaml.build.LEAST_STEPS", 2)
        here, there = map(inside, texts_)
        unbuilt = here.is_unbuilt and there.is_unbuilt
        found = here.fields_unlike(there)
        whole = [inside(text).entries for text in texts_]
    if found is None:
        assert not unbuilt or [key for key in one if key in other] != [key for key in other if key in one]
        return
    for side, some, entries in zip(found, (one, {**one, **other}), whole, strict=True):
        unlike = [key for key in some if one.get(key) != other.get(key) and not same_style(one, other, key)]
        assert [*side] == [key for key in unlike if key in entries]
        for key, node in side.items():
            assert record(node) == record(entries[key])


def same_style(one: dict[str, str], other: dict[str, str], key: str) -> bool:
    """Whether two values are texts in quotes of two kinds."""
    return {one.get(key), other.get(key)} == {"'1'", '"1"'}


@built
def test_what_is_written_alike_is_not_compared_where_two_schemas_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plait.yaml.build.LEAST_STEPS", 2)
    text = "a: {b: yes, c: 2}\n"
    assert inside(text).fields_unlike(inside(text)) == ({}, {})
    assert inside(text).fields_unlike(inside(text, Schema("other", CORE.words, CORE.number))) is None


@built
def test_steps_that_are_no_map_are_an_exception() -> None:
    assert native.differing is not None
    program = Written(Source("x", "a: {b: 1}\n")).layouts[0].program()
    columns = (program.kinds, program.ats, program.texts.columns())  # type: ignore[union-attr]
    for wrong in ((columns, 0, columns, 99), (columns, -1, columns, 0), (columns, 0, columns, 1)):
        with pytest.raises(ValueError, match="no map"):
            native.differing(*wrong)
    with pytest.raises(ValueError, match="differ in length"):
        native.differing(columns, 0, (program.kinds[:1], *columns[1:]), 0)


@built
def test_comparing_what_is_no_map_is_an_exception() -> None:
    assert native.unlike is not None
    for wrong in ((None, {}, 3), ({}, None, 3), ({}, {}), ({}, {}, "3")):
        with pytest.raises(TypeError):
            native.unlike(*wrong)  # type: ignore[arg-type]


def nested(values: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Maps and lists of some values: maps that say something about how they are merged, too."""
    entries = st.dictionaries(st.sampled_from("abc") | st.just(Scalar(1, "1")), values, max_size=4)
    flags = st.sampled_from((None, None, None, "!t")), st.booleans(), st.sampled_from((False, False, True))
    source = Source("y", "")
    maps_ = st.builds(
        lambda found, tag, live, alone: MapNode(found, source, 1, tag, live, alone=alone), entries, *flags
    )
    return maps_ | maps_ | st.lists(values, max_size=3).map(ListNode)


LAYERS = st.lists(st.recursive(VALUES, nested, max_leaves=12) | MAPS.map(MapNode), min_size=2, max_size=5)


def assert_same(ours: Node, theirs: Node) -> None:
    """That two merges gave the same: the same nodes, or new ones that were made of the same in the same way."""
    pairs = [(ours, theirs)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        assert one.__class__ is other.__class__
        assert (one.source, one.at, one.live) == (other.source, other.at, other.live)
        if isinstance(one, Failure):
            assert [*map(render_one, one.diagnostics)] == [*map(render_one, other.diagnostics)]  # type: ignore[attr-defined]
            continue
        if isinstance(one, MapNode) and isinstance(other, MapNode):
            assert [*one.entries] == [*other.entries]
            assert (one.tag, one.alone, one.marks) == (other.tag, other.alone, other.marks)
            pairs += zip(one.entries.values(), other.entries.values(), strict=True)
        elif isinstance(one, ListNode) and isinstance(other, ListNode):
            assert (one.tag, one.rule) == (other.tag, other.rule)
            pairs += zip(one.items, other.items, strict=True)
        else:
            assert isinstance(one, Overlay)
            assert isinstance(other, Overlay)
            assert one.policy is other.policy
        assert getattr(one.parts, "policy", None) is getattr(other.parts, "policy", None)
        assert one.parts.__class__ is other.parts.__class__
        pairs += zip(one.parts, other.parts, strict=True)


@built
@given(LAYERS, st.sampled_from(("replace", "append", "index")), st.sampled_from(("replace", "error")))
@settings(max_examples=examples(54))
def test_merges_are_the_same(layers: list[Node], lists: str, kinds: str) -> None:
    """What the native merge of plain maps leaves to Python is merged there; nothing is lost on the way."""
    policy, hidden = MergePolicy(ListRule(lists), kinds), dict[int, Node]()

    def instead(value: Node, *below: Node) -> Node:
        made = in_place_of(value, *below)
        return made if made is value else hidden.setdefault(id(value), made)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(combine, "in_place_of", instead)
        ours = combine.combine(layers, policy)
        patch.setattr(native, "merge", None)
        theirs = combine.combine(layers, policy)
    assert_same(ours, theirs)


@built
def test_merges_of_what_is_not_plain_are_left_alone() -> None:
    assert native.merge is not None
    rest = (MergePolicy(), in_place_of, Mark, Parts)
    low = MapNode({"a": MapNode({"b": Scalar(1, "1")})})
    for high in (MapNode({}, tag="!t"), MapNode({}, alone=True), ListNode([]), MapNode.__new__(MapNode)):
        assert native.merge([low, high], *rest) is None
    assert native.merge([low], *rest) is None
    made = native.merge([low, MapNode({"a": ListNode([])})], *rest)
    assert made is not None
    assert [(key, len(nodes)) for _, key, nodes, _ in made[1]] == [("a", 2)]
    wrong: list[tuple[object, ...]] = [
        ((low, low), *rest),
        ([low, low], *rest[:3], None),
        ([low, low], *rest[:2], None, Parts),
        ([low, low], *rest[:3]),
        ([low, MapNode({"a": Scalar(1, "1")})], MergePolicy(), None, Mark, Parts),
    ]
    for arguments in wrong:
        with pytest.raises((TypeError, AttributeError)):
            native.merge(*arguments)


def merged_maps(values: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Maps, some of which were merged for the one who has them, and some of which are in several places."""
    entries = st.dictionaries(st.sampled_from("abc") | st.just(Scalar(1, "1")), values, max_size=4)
    parts = st.sampled_from(((), (MapNode({}),)))
    return st.builds(lambda found, made: MapNode(found, parts=made), entries, parts)


@built
@given(st.recursive(trees, merged_maps, max_leaves=12), st.recursive(trees, merged_maps, max_leaves=6), st.booleans())
@settings(max_examples=examples(36))
def test_pages_are_the_same(one: Node, other: Node, json: bool) -> None:
    """Maps that are written in parts, the same ones again among them."""

    def written(natively: bool) -> list[str | list[str]]:
        pages = (JsonPages if json else YamlPages)(Style(), DescribeFilter(), True)
        shared = MapNode({"x": one, "y": MapNode({"z": one, "b": other}, parts=(MapNode({}),))}, parts=(MapNode({}),))
        with pytest.MonkeyPatch.context() as patch:
            if not natively:
                patch.setattr(native, "split_map", None)
            found: list[str | list[str]] = []
            for node in (shared, MapNode({"x": one, "y": other, "z": shared}), shared):
                try:
                    found.append(pages.line("vars", node, DEPTH, True))
                except PlaitError as error:
                    found.append([render_one(finding) for finding in error.diagnostics])
            return found

    assert written(True) == written(False)


@built
def test_a_page_of_something_else_is_an_exception() -> None:
    assert native.split_map is not None
    node, ask = MapNode({"a": Scalar(1, "1"), "b": ListNode([])}), lambda *_: "text"
    tables: tuple[object, ...] = ([{}], [{}], [{}], ["<"], [">"], ",", 1)
    assert native.split_map(node, 0, tables, ask) == "<text,text>"
    assert native.split_map(Scalar(1, "1"), 0, tables, ask) is None
    assert native.split_map(MapNode({Scalar(1, "1"): node}), 0, tables, ask) is None
    wrong: list[tuple[object, ...]] = [
        (node, 1, tables, ask),
        (node, -1, tables, ask),
        (node, 0, tables[:5], ask),
        (node, 0, (*tables[:3], [1], *tables[4:]), ask),
        (node, 0, ([{}], [[]], *tables[2:]), ask),
        (node, 0, ([{}], [{}], [{"b": {id(node.entries["b"]): 1}}], *tables[3:]), ask),
        (node, 0, tables, lambda *_: None),
        (node, 0, tables, None),
    ]
    for arguments in wrong:
        with pytest.raises((TypeError, ValueError)):
            native.split_map(*arguments)


def printed(node: Node, natively: bool, **style: object) -> str | list[str]:
    """A tree as one of the two emitters writes it, with a fresh style; or what it says is wrong."""
    with pytest.MonkeyPatch.context() as patch:
        if not natively:
            patch.setattr(native, "emit", None)
        try:
            return emit_styled(node, Style(**style))  # type: ignore[arg-type]
        except PlaitError as error:
            return [render_one(finding) for finding in error.diagnostics]


def odd(node: Node, marks: int) -> Node:
    """The same tree with a scalar that is secret, or that is written with another text."""
    if isinstance(node, ListNode):
        return ListNode([odd(item, marks // 3) for item in node.items], tag=node.tag)
    if isinstance(node, MapNode):
        return MapNode({key: odd(child, marks // 3) for key, child in node.entries.items()}, tag=node.tag)
    assert isinstance(node, Scalar)
    text = ("", node.text, "0x1", "yes", "+7")[marks % 5]
    return Scalar(node.value, text, tag=node.tag, secret=marks % 7 == 0)


@built
@given(trees, st.integers(1, 4), st.integers(0, 4), st.integers(1, 4), st.integers(0, 127), st.integers(0, 3**9))
@settings(max_examples=examples(29))
def test_the_text_is_the_same(node: Node, indent: int, dash: int, item: int, bits: int, marks: int) -> None:
    schema: Schema | None = CORE if bits & 1 else None
    style = {"indent": indent, "dash": dash, "item": item, "schema": schema, "prefer": "'\""[bits >> 1 & 1]}
    style |= {"sort_keys": bool(bits & 4), "always": bool(bits & 8), "reveal": bool(bits & 16)}
    tree = ListNode([node, odd(node, marks)]) if bits & 32 else MapNode({"a": node, "b": odd(node, marks)})
    assert printed(tree, True, **style) == printed(tree, False, **style)


@built
@pytest.mark.parametrize("text", FILES)
def test_usual_files_are_printed_the_same(text: str) -> None:
    for program in scan(Source("x", text)):
        node = build(program, Source("x", text), Reading())
        for style in ({}, {"schema": CORE}, {"sort_keys": True, "dash": 2}):
            assert printed(node, True, **style) == printed(node, False, **style)


@built
def test_wide_indentation_is_charged_before_it_is_made() -> None:
    node: Node = Scalar("x" * 30, "x" * 30)
    for _ in range(3000):
        node = ListNode([node, node])
    budgets = Budgets(output=100_000)
    texts = [printed(node, natively, meter=Meter(budgets)) for natively in (True, False)]
    assert texts[0] == texts[1]
    assert "--max-output" in texts[0][0]


@built
def test_depth_does_not_touch_the_stack() -> None:
    node = core("[" * 900 + "{a: 1}" + "]" * 900)
    assert printed(node, True) == printed(node, False) == "- " * 900 + "a: 1\n"
    assert WIDE < 900


@built
def test_nodes_that_are_not_made_as_nodes_are_an_exception() -> None:
    wrong: list[object] = [MapNode({"a": None}), ListNode([1]), MapNode([1]), ListNode({"a": 1}), ListNode([object()])]  # type: ignore[dict-item, list-item, arg-type]
    unset = Scalar.__new__(Scalar)
    for node in (*wrong, ListNode([unset]), MapNode({"a": MapNode.__new__(MapNode)})):
        with pytest.raises((TypeError, AttributeError)):
            printed(node, True)  # type: ignore[arg-type]
    assert native.emit is not None
    for arguments in ((), (None, Scalar(1, "1"), 0, [], {}, set(), (2, 0, 2, 40, 1000, False, False), None)):
        with pytest.raises((TypeError, ValueError)):
            native.emit(*arguments)
