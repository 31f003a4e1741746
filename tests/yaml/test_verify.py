"""Reading a part of a text says what reading all of it says, whatever is written into the part."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from yaml import YAMLError

from plait.core.diagnostic import PlaitError
from plait.core.node import Scalar
from plait.core.source import Source
from plait.yaml.edits import Insert, Replace
from plait.yaml.events import documents, reading_quickly
from plait.yaml.layout import lay_out
from plait.yaml.patch import patch
from plait.yaml.program import END, Program
from plait.yaml.scan import scan
from plait.yaml.verify import StepChange, joined, read_part, smallest_part, verified
from tests.examples import examples

LINES = [
    "a:",
    "b: 1",
    "c: [1, {x: y}]",
    "- d: 2",
    "  e: 3",
    "- f",
    "-",
    "? g",
    ": h",
    "&i j: *k",
    "!t l: &m",
    "n: |",
    "  o",
    "p: >-",
    "'q': \"r",
    's"',
    "t: u",
    "v",
    "{w: x}: y",
    "# z",
    "---",
    "...",
    "",
    "%TAG ! x",
    "\ta: b",
    "a: 'b",
    "c'",
    "- - a: 1",
    "- ? a",
    "&x",
    "!!str b: c",
    "d: [",
    "]",
    "e: \ufeff",
    "f: a # b",
    "g: |+",
    "h: a:",
    "\u2028i: j",
    "k: *l",
    "- &m n: o",
    "*p : q",
    "r: {",
    "}",
    "s: |2",
    "t: >1-",
]
lines = st.builds(lambda column, line: " " * column + line, st.integers(0, 4), st.sampled_from(LINES))
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", ""])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Maps in maps and lists, with all kinds of lines at the end of some of them."""
    made: list[str] = []
    for column in draw(st.lists(st.sampled_from([0, 0, 2, 2, 4]), min_size=2, max_size=8)):
        head = draw(st.sampled_from(["", "", "", "- "])) if column else ""
        made.append(
            " " * column
            + head
            + draw(st.sampled_from(["a{}:", "b{}: 1", "c{}: |", "d{}: [x]", "- e{}: 1", "f{}: x"])).format(len(made))
        )
        if draw(st.integers(0, 3)) == 0:
            made.append(draw(lines))
    return draw(ends).join(made) if draw(st.integers(0, 9)) == 0 else "\n".join(made) + draw(ends)


scraps = st.lists(
    st.one_of(lines, st.sampled_from([" ", ": ", "x", "\n", "#", "'", '"', "- ", "? ", "{", "]", ","])), max_size=3
).map("\n".join)


def columns(program: Program) -> list[object]:
    """Everything but where containers end: nothing is written there."""
    ats = [None if kind == END else at for kind, at in zip(program.kinds, program.ats, strict=True)]
    return [list(program.kinds), ats, list(program.texts), program.props]


def as_a_whole(text: str) -> list[Program] | None:
    try:
        return reading_quickly(Source("all", text), 1000, documents)
    except (YAMLError, PlaitError):
        return None


def part_against_whole(text: str, start: int, stop: int, scrap: str) -> bool:
    """Whether a part was enough; if it was, it must say what the whole says."""
    try:
        layouts = lay_out(Source("old", text))
    except PlaitError:
        return False
    part = smallest_part(layouts[0], start, stop) if len(layouts) == 1 else None
    if part is None:
        return False
    result = text[:start] + scrap + text[stop:]
    read = read_part(layouts[0], part, result)
    if read is None:
        return False
    whole = as_a_whole(result)
    assert whole is not None, result
    assert len(whole) == 1
    assert columns(joined(layouts[0], read, part, len(result) - len(text))) == columns(whole[0])
    return True


@settings(max_examples=examples(40))
@given(text=texts(), at=st.integers(0, 60), length=st.integers(0, 20), scrap=scraps)
@example("? a\nb: 1\n", 5, 1, ": x")
@example("a: 1\nb: 2\n", 4, 0, "\n...\n")
@example("a:\n  b: 1\n: c\n", 6, 1, "\n  ? d")
def test_a_part_says_what_the_whole_says(text: str, at: int, length: int, scrap: str) -> None:
    start = min(at, len(text))
    part_against_whole(text, start, min(start + length, len(text)), scrap)


def test_small_edits_of_block_mappings_need_a_part_only() -> None:
    text = "a:\n  b:\n  - c: 1\n    d: 2\n  e: {f: g}\nh: i\n"
    for old, new in (("2", "3"), ("g", "[k]"), ("1", "x: y\n    z"), ("i", "|\n  j")):
        assert part_against_whole(text, text.index(old), text.index(old) + 1, new) is (new != "x: y\n    z")


def test_an_edit_gives_its_documents_as_they_are_read_again() -> None:
    text = "# head\na: &x\n  b: 1\n  c: |\n    text\nd: *x\ne: !t\n- {f: g}\n"
    for edits in (
        [Replace(("a", "b"), Scalar(2, "2"))],
        [Insert(("a", "z"), Scalar("v", "v")), Replace(("e", 0, "f"), Scalar(None, "null"))],
    ):
        made = patch(Source("x", text), list(edits))
        again = as_a_whole(made.text)
        assert again is not None
        assert [columns(program) for program in made.programs] == [columns(program) for program in again]


OLD = "a: &x {p: q}\nb: [1, 2]\nc: !t {d: *x}\n"
AFTER = {
    "a": {  # what may be and what may not be in the text after `a` became 5
        "a: &x 5\nb: [1, 2]\nc: !t {d: *x}\n": True,
        "# more\na: &x 0x5\nb:\n- 1\n- 2\nc: !t\n  d: *x": True,
        "a: 5\nb: [1, 2]\nc: !t {d: *x}\n": False,
        "a: &y 5\nb: [1, 2]\nc: !t {d: *x}\n": False,
        "a: &x\nb: [1, 2]\nc: !t {d: *x}\n": False,
        "a: &x 6\nb: [1, 2]\nc: !t {d: *x}\n": False,
        "a: &x '5'\nb: [1, 2]\nc: !t {d: *x}\n": False,
        "a: &x [5]\nb: [1, 2]\nc: !t {d: *x}\n": False,
        "b: [1, 2]\nc: !t {d: *x}\n": False,
        "{}": False,
        "": False,
    },
    "b": {
        "a: &x {p: q}\nb: 5\nc: !t {d: *x}\n": True,
        "a: &x {p: q}\nb: &y 5\nc: !t {d: *x}\n": False,
        "a: &x {p: q}\nb:\nc: !t {d: *x}\n": False,
        "a: &x {p: q}\nb: 5\nc: !t {d: *x}\ne: 1\n": False,
        "a: &x {p: q}\nb: 5\n": False,
        "a: &x {p: q}\nb: 5\nc: {d: *x}\n": False,
        "a: &x {p: q}\nb: 5\nc: !t {d: *y}\n": False,
        "a: &x {p: q}\nb: 5\nc: !t {e: *x}\n": False,
        "a: &x {p: q}\nb: 5\nc: !t [d, *x]\n": False,
        "a: {p: q}\nb: 5\nc: !t {d: *x}\n": False,
        "a: &x {p: r}\nb: 5\nc: !t {d: *x}\n": False,
        "a: &x {p: q}\nb: 5\nc: !t {d: *x}\n---\n": False,
        "a: &x {p: q}\nb: 5]\nc: !t {d: *x}\n": False,
    },
}
"""For a key whose value is to be 5, and nothing else another one: whether that is what a text says."""


@pytest.mark.parametrize(("key", "text"), [(key, text) for key, texts in AFTER.items() for text in texts])
def test_what_a_text_after_an_edit_must_say(key: str, text: str) -> None:
    layouts = lay_out(Source("old", OLD))
    member = layouts[0].named(0, key)
    assert member is not None
    change = StepChange(member.value, layouts[0].after(member.value), [Scalar(5, "5")])
    assert (verified(layouts, {0: [change]}, text) is not None) is AFTER[key][text]


AFTER_RAW = {  # the same where `a` became the text `[1, !t {x: "y"}]`
    'a: &x [1, !t {x: "y"}]\nb: [1, 2]\nc: !t {d: *x}\n': True,
    "a: &x\n- 1\n- !t\n  x: 'y'\nb: [1, 2]\nc: !t {d: *x}\n": True,
    'a: [1, !t {x: "y"}]\nb: [1, 2]\nc: !t {d: *x}\n': False,
    'a: &x [2, !t {x: "y"}]\nb: [1, 2]\nc: !t {d: *x}\n': False,
    'a: &x ["1", !t {x: "y"}]\nb: [1, 2]\nc: !t {d: *x}\n': False,
    "a: &x [1, !t {x: y}]\nb: [1, 2]\nc: !t {d: *x}\n": False,
    'a: &x [1, !t [x, "y"]]\nb: [1, 2]\nc: !t {d: *x}\n': False,
    "a: &x [1]\nb: [1, 2]\nc: !t {d: *x}\n": False,
    'a: &x [1, !t {x: "y"}, z]\nb: [1, 2]\nc: !t {d: *x}\n': False,
}


@pytest.mark.parametrize("text", AFTER_RAW)
def test_what_a_text_must_say_after_an_edit_with_text(text: str) -> None:
    layouts = lay_out(Source("old", OLD))
    member = layouts[0].named(0, "a")
    assert member is not None
    (raw,) = scan(Source("new", '[1, !t {x: "y"}]'))
    change = StepChange(member.value, layouts[0].after(member.value), [raw])
    assert (verified(layouts, {0: [change]}, text) is not None) is AFTER_RAW[text]
