"""Every syntax error gets a hint, whatever the text is and wherever the reader stops."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.source import Source
from plait.report.render import render_one
from plait.yaml.build import Reading
from plait.yaml.hints import advise, advise_on_text
from plait.yaml.load import load

TEXTS = st.text(alphabet="ab: -{}[]'\"\n\r\t#&*!|>%@`\\,=<.?1\u201c", max_size=60)


@given(TEXTS, st.integers(0, 80))
def test_there_is_always_a_hint_at_a_place_of_the_text(text: str, at: int) -> None:
    for look in (advise, advise_on_text):
        advice = look(text, at)
        assert advice.hint
        assert 0 <= advice.at <= len(text)


def test_a_long_line_takes_no_longer_than_a_short_one() -> None:
    """Lines are cut before any pattern sees them: this would take minutes otherwise."""
    assert advise("a" * 3_000_000 + ":b" + "\n" + " " * 3_000_000 + "x", 3_000_001).hint


CHECK = "check the quotes, brackets and indentation of this line and the one above it"
GIVEN = [
    (" a: 1\nb: 2\n", "2:1", "this line is not indented, but all lines above are", "indent it by 1 space, as"),
    ("x\n  y: 1\n", "2:3", "this line continues the text above it", "do not indent it, like the line above\n"),
    ("  x\n   y: 1\n", "2:4", "this line continues the text above it", "indent it by 2 spaces, as the line above\n"),
    ("a: 1\n}\n", "2:1", "an unquoted value cannot begin with `}`", 'put it in quotes: "}"'),
    ("}x\t\n", "1:1", "an unquoted value cannot begin with `}`", 'put it in quotes: "}x"'),
    ("a: ?\n", "1:4", "a key cannot begin here", CHECK),
    ("\na: - 2\n", "2:4", "a list cannot begin here", CHECK),
    ("a\nb: 1\n", "2:1", "this line continues the text above it, so a key is not allowed here", CHECK),
    ("a:\n  \tb: 1\n", "2:3", "a tab in the indentation, at column 3", "indent with spaces"),
    ("a: 1\n- b\n", "2:1", "a list below a key that has a value", "`a` has the value `1` already"),
    ("a:\r\n x: 1\r\n-\r\n", "3:1", "a list item among keys", "indent the item like the others of its list"),
    ("- x\na: }\n", "2:1", "a key between list items", "indent the key like the others of its item"),
    ("- x\nx\n", "2:1", "a key without a colon", "write `x:`; or, if it belongs to the line above, indent it"),
    ("a: 1\nb\nc: 2\n", "2:1", "a key without a colon", "write `b:`; or, if it belongs to the line above, indent it"),
    ("%foo\n\n", "1:1", "a line that begins with `%` is a directive", "put the line in quotes, or remove it"),
    ("\n%1\n", "2:1", "a line that begins with `%` is a directive", "put the line in quotes, or remove it"),
    (
        "a:\n  b: 1\n# x\n\n   c: 2\n",
        "5:4",
        "this line is indented below a key that has a value",
        "`b` has the value `1`",
    ),
]
INDENTED = [
    ("a:\n  b:\n      c: 1\n  d:\n    e: 1\n   f: 1\n", "6:4", "3 spaces", "0 or 2 or 4 spaces"),
    ("a:\n  b:\n    c: 1\n    d: 2\n   e: 1\n", "5:4", "3 spaces", "0 or 2 or 4 spaces"),
    ("  a: 1\n b: 2\n", "2:2", "1 space", "2 spaces"),
    ("a:\n    b: 1\n  c: 2\n", "3:3", "2 spaces", "0 or 4 spaces"),
    ("a:\n  b: 1\n\n # x\n c: 2\n", "5:2", "1 space", "0 or 2 spaces"),
    ("a:\n  - b: 1\n    c: 2\n   d: 3\n", "4:4", "3 spaces", "0 or 2 or 4 spaces"),
]
"""What has an indentation of its own, and those that it could have: those that are open above it."""
GIVEN += [
    (
        text,
        place,
        f"an indentation of {its} does not match any line above",
        f"indent it by {others}, as the lines above\n",
    )
    for text, place, its, others in INDENTED
]


@pytest.mark.parametrize(("text", "place", "why", "hint"), GIVEN)
def test_what_is_said_of_a_mistake(text: str, place: str, why: str, hint: str) -> None:
    with pytest.raises(PlaitError) as caught:
        load(Source("x.yaml", text), Reading())
    said = render_one(caught.value.diagnostics[0])
    assert said.startswith(f"error PL1101: invalid YAML: {why}")
    assert f"\n  x.yaml:{place}\n" in said
    assert f"\n  {hint}" in said


ON_TEXTS = [
    ("a = 1\n", 0, "write `a: 1`"),
    ("  a.b-c = x y  \n", 0, "write `a.b-c: x y`"),
    ("image:nginx\n", 5, "write `image: nginx`"),
    ("words\n", 0, "a layer is a map (`key: value`) or a list (`- item`); check the name of the file"),
    ("a=\n", 0, "a layer is a map (`key: value`) or a list (`- item`); check the name of the file"),
    ("x\n<<<<<<< HEAD\ny\n", 2, "keep one of the two versions"),
    ("{{ x }}\n", 0, "render it first, or put the text in quotes"),
]


@pytest.mark.parametrize(("text", "at", "hint"), ON_TEXTS)
def test_what_is_said_of_a_document_that_is_one_text(text: str, at: int, hint: str) -> None:
    advice = advise_on_text(text, 0)
    assert (advice.at, advice.hint[: len(hint)]) == (at, hint)
