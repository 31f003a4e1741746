"""How texts are laid out: rows that are wider than the terminal, columns, and text of files inside of Markdown."""

from __future__ import annotations

import pytest

from plait.report.columns import columns
from plait.report.markdown import code_span, name, running_text
from plait.report.wrap import row, sentence, shown_length

RED, END = "\x1b[31m", "\x1b[0m"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 0, ["one two three"]),  # no terminal, no limit
        ("one two three", 13, ["one two three"]),
        ("one two three", 12, ["one two", "    three"]),
        ("one two three four", 9, ["one two", "    three", "    four"]),
        ("run `plait set a b` now", 20, ["run `plait set a b`", "    now"]),
        ("run it: `plait set a b` now", 19, ["run it:", "    `plait set a b`", "    now"]),  # code stays together
        ("run it: `plait set a b` now", 18, ["run it: `plait set", "    a b` now"]),  # where it fits
        ("run `plait set a b`", 14, ["run `plait set", "    a b`"]),
        ("see https://example.test/a/long/way now", 12, ["see https://example.test/a/long/way", "    now"]),
        ("    deep and more", 9, ["    deep", "    and", "    more"]),
        (f"one {RED}two three{END} four", 9, [f"one {RED}two{END}", f"    {RED}three{END}", "    four"]),
    ],
)
def test_a_sentence_is_broken_between_words(text: str, width: int, lines: list[str]) -> None:
    assert sentence(text, width) == lines


@pytest.mark.parametrize(
    ("line", "width", "lines"),
    [
        ("a    b", 0, ["a    b"]),
        ("a    b", 6, ["a    b"]),
        ("name          value    where", 22, ["name          value", "    where"]),
        ("name          value    where", 18, ["name    value", "    where"]),
        ("  name    a value of words", 12, ["  name", "      a value", "        of", "        words"]),
        (f"{RED}name{END}    value", 13, [f"{RED}name{END}    value"]),  # colours take no room
    ],
)
def test_a_row_is_broken_between_cells(line: str, width: int, lines: list[str]) -> None:
    assert row(line, width) == lines


def test_colours_have_no_length() -> None:
    assert shown_length(f"{RED}ab{END}\x1b[1;32mc") == 3


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert columns([("a", "long one", "x"), ("bcd", "e", "")]) == ["a      long one    x", "bcd    e"]
    assert columns([("a", "b\nc")], gap=1) == ["a b\\nc"]
    assert columns([]) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "`a`"),
        ("a `b` c", "``a `b` c``"),
        ("``", "``` `` ```"),
        ("`a", "`` `a ``"),
        ("a`", "`` a` ``"),
        (" a", "`  a `"),
        ("a ", "` a  `"),
        ("  ", ""),
        ("", ""),
        ("a\nb", "`a\\nb`"),
    ],
)
def test_text_as_code(text: str, shown: str) -> None:
    assert code_span(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("stacks/dev.yaml:3", "stacks/dev.yaml:3"),
        ("a-b_c 1", "a-b_c 1"),
        ("a*b", "`a*b`"),
        ("http://x", "`http://x`"),
        ("WWW.x", "`WWW.x`"),
    ],
)
def test_names_in_markdown(text: str, shown: str) -> None:
    assert name(text) == shown


def test_text_in_a_sentence() -> None:
    assert running_text("see @me [x](y) #1 a_b") == "see &#64;me &#91;x&#93;(y) &#35;1 a&#95;b"
