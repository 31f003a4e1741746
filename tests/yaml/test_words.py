"""How one scalar is written: a text as it is where both versions of YAML read it so, else in quotes, else escaped."""

from __future__ import annotations

import pytest
import yaml

from plait.core.diagnostic import PlaitError
from plait.core.node import Scalar
from plait.core.source import Source
from plait.yaml.words import double_quoted, inline_value, is_plain_in_flow, literal, number_text, quoted, tag_text

TEXTS = {
    "word": "word",
    "two words": "two words",
    "a/b-c_d.e": "a/b-c_d.e",
    "-x": "-x",
    "--": "'--'",
    "-": "'-'",
    "-1x": "-1x",
    "": "''",
    "~": "'~'",
    "null": "'null'",
    "True": "'True'",
    "yes": "'yes'",
    "No": "'No'",
    "off": "'off'",
    "y": "'y'",
    "<<": "'<<'",
    "=": "'='",
    "nul": "nul",
    "truer": "truer",
    "1": "'1'",
    "1.5": "'1.5'",
    "0x1f": "'0x1f'",
    "1e3": "'1e3'",
    "1:30": "'1:30'",
    "1_0": "'1_0'",
    ".5": "'.5'",
    ".inf": "'.inf'",
    "1e_3": "'1e_3'",
    "0_x1F": "'0_x1F'",
    "+_1": "'+_1'",
    "_1": "_1",
    ".nan": "'.nan'",
    "1.2.3": "1.2.3",
    "2001-12-14": "'2001-12-14'",
    "2001-12-14t1": "'2001-12-14t1'",
    "2001-12-14x": "2001-12-14x",
    "a: b": "'a: b'",
    "a:b": "a:b",
    "a:": "'a:'",
    "a #b": "'a #b'",
    "a#b": "a#b",
    "a ": "'a '",
    " a": "' a'",
    "...": "'...'",
    "....": "'....'",
    "..": "..",
    "it's": "it's",
    "'a": '"\'a"',
    "'a\"": "'''a\"'",
    "[a": "'[a'",
    "a[": "a[",
    "*a": "'*a'",
    "!a": "'!a'",
    "a\nb": '"a\\nb"',
    "a\tb": '"a\\tb"',
    "\x07\x1b\0": '"\\a\\e\\0"',
    "\x01\x9f": '"\\x01\\x9f"',
    "\u2028\xa0\x85": '"\\L\\_\\N"',
    "\ufeff": '"\\ufeff"',
    "\U000e0001": '"\\U000e0001"',
    "é": "é",
    "\\": "\\",
    "a\\b": "a\\b",
    "? a": "'? a'",
    "?a": "'?a'",
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_on_one_line(text: str) -> None:
    written = inline_value(Scalar(text, text))
    assert written == TEXTS[text]
    assert yaml.safe_load(f"a: {written}\n") == {"a": text}, "PyYAML, a reader of YAML 1.1, reads it so"


def test_quotes() -> None:
    """Single quotes where nothing needs an escape, or those that are preferred."""
    assert [quoted(text) for text in ("a", "it's", "it's \"", "\n")] == ["'a'", '"it\'s"', "'it''s \"'", '"\\n"']
    assert [quoted(text, '"') for text in ("a", 'say "x"', "a\\", 'it\'s "x"')] == [
        '"a"',
        "'say \"x\"'",
        "'a\\'",
        '"it\'s \\"x\\""',
    ]
    assert double_quoted('a"b\\é') == '"a\\"b\\\\é"'


def test_between_brackets_more_needs_quotes() -> None:
    assert [is_plain_in_flow(text) for text in ("a", "a:b", "a,b", "a]", 'a:"b', "a:'b", "yes")] == [
        True,
        True,
        False,
        False,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("value", "text", "written"),
    [
        (7, "7", "7"),
        (7, "0x7", "0x7"),
        (7, "8", "7"),
        (7, "", "7"),
        (-7, "x", "-7"),
        (1.5, "1.50", "1.50"),
        (1.5, "1", "1.5"),
        (1.0, "1", "1.0"),
        (1, "1.0", "1"),
        (float("nan"), ".NaN", ".NaN"),
        (float("nan"), "1.5", ".nan"),
        (1e300, "", "1.0e+300"),
        (float("inf"), "", ".inf"),
        (-float("inf"), "", "-.inf"),
        (1.5e300, "", "1.5e+300"),
        (10**18, str(10**18), str(10**18)),
        (-(10**18), str(-(10**18)), str(-(10**18))),
    ],
)
def test_a_number_keeps_its_text_while_that_means_it(value: float, text: str, written: str) -> None:
    assert number_text(value, text) == written


def test_a_number_of_thousands_of_digits() -> None:
    assert number_text(10**6000 + 7, "") == "1" + "0" * 5999 + "7"
    assert number_text(-(10**6000), "") == "-1" + "0" * 6000


def test_other_scalars() -> None:
    assert inline_value(Scalar(None, "~")) == "null"
    assert inline_value(Scalar(None, "", tag="!x")) == ""
    assert inline_value(Scalar(None, "~", tag="!x")) == "null"
    assert (inline_value(Scalar(True, "yes")), inline_value(Scalar(False, "no"))) == ("true", "false")
    assert inline_value(Scalar(b"\x00\xff", "")) == "!!binary 'AP8='"
    secret = Scalar("hush", "hush", secret=True)
    assert (inline_value(secret), inline_value(secret, reveal=True)) == ("<sensitive>", "hush")


def test_half_of_a_character_is_no_text() -> None:
    for letter in ("\ud800", "\udfff"):
        with pytest.raises(PlaitError) as caught:
            inline_value(Scalar(letter, letter, Source("a.yaml", "x: 1"), 3))
        (found,) = caught.value.diagnostics
        assert f"U+{ord(letter):04X}" in found.message
        assert str(found.labels[0].origin) == "a.yaml:1:4"
    assert inline_value(Scalar("\ue000", "")) == '"\\ue000"'


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\nb\n", "|\n  a\n  b"),
        ("a\nb", "|-\n  a\n  b"),
        ("a\n\n", "|+\n  a\n"),
        ("a\n\n\n", "|+\n  a\n\n"),
        ("a\n\nb\n", "|\n  a\n\n  b"),
        (" a\nb\n", "|2\n   a\n  b"),
        ("\na\n", None),
        ("a\n b\n", "|\n  a\n   b"),
        ("a\n \nb\n", None),
        ("a\n\tb\n", None),
        ("\ta\n", None),
        ("a\x07\n", None),
        ("\n", None),
        ("\n\n", None),
        (" \n", None),
        ("a\tb\n", "|\n  a\tb"),
    ],
)
def test_a_text_as_a_block(text: str, written: str | None) -> None:
    assert literal(text, 2, "  ") == written
    if written is not None:
        assert yaml.safe_load(f"a:\n  b: {written.replace(chr(10) + '  ', chr(10) + '    ')}\n")["a"]["b"] == text


def test_where_a_block_cannot_be() -> None:
    assert literal(" a\n", 2, "", root=True) is None
    assert literal("a\n", 2, "", root=True) == "|\na"
    assert [literal("a\n", indent, " ") is None for indent in (0, 1, 9, 10)] == [True, False, False, True]


@pytest.mark.parametrize(
    ("tag", "written"),
    [
        ("tag:yaml.org,2002:str", "!!str"),
        ("tag:yaml.org,2002:", "!<tag:yaml.org,2002:>"),
        ("!a", "!a"),
        ("!a b", "!a%20b"),
        ("!", "!<!>"),
        ("!a!b", "!<!a!b>"),
        ("x,y", "!<x,y>"),
        ("!é", "!%C3%A9"),
        ("tag:yaml.org,2002:a b", "!!a%20b"),
        ("!a,b", "!a%2Cb"),
    ],
)
def test_tags(tag: str, written: str) -> None:
    assert tag_text(tag) == written
