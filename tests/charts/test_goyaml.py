"""YAML as go-yaml writes it, letter for letter: what `toYaml` of the real helm 3.17 gave for these values."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.notations.gotemplate.goyaml import encode
from plait.notations.gotemplate.toml import encode as toml_encode

WRITTEN = [
    ("a: b", "'a: b'"),
    ("yes", '"yes"'),
    ("12:30", '"12:30"'),
    ("1_000", '"1_000"'),
    ("0o17", '"0o17"'),
    ("2024-01-01", '"2024-01-01"'),
    ("2024-13-01", "2024-13-01"),
    ("<<", "<<"),
    ("", '""'),
    ("- a", "'- a'"),
    ("a\tb", '"a\\tb"'),
    ("é", "é"),
    ("\u00a0\t", '"\u00a0\\t"'),
    ("😀", '"\\U0001F600"'),
    ("two\nlines", "|-\n  two\n  lines"),
    (" lead\nx", "|2-\n   lead\n  x"),
    ("tail \nx", '"tail \\nx"'),
    ("abc " * 19 + "abcd efg h", "abc " * 19 + "abcd efg\n  h"),
    ({"k": "word " * 18}, "k: '" + ("word " * 16)[:-1] + "\n  word word '"),
    (1.0, "1"),
    (1e20, "1e+20"),
    (1234567.0, "1234567"),
    (0.5, "0.5"),
    ({"a10": 1, "a2": 2, "B": 3}, "B: 3\na2: 2\na10: 1"),
    ({"l": [1, {"x": [], "y": {}}], "m": None}, 'l:\n- 1\n- x: []\n  "y": {}\nm: null'),
    ([["a"], [["b"]]], "- - a\n- - - b"),
]


READ_AS_TEXT = """
a:b a#b -a ?a :a it's a'b a"b a,b a]b a!b 0x 0b 0o 1e e1 1e+ . .. +. -. 1.2.3 1-2 1:60 1:99 0b2 0x1g yess nil None
2023-02-29 1900-02-29 2100-02-29 2024-00-01 2024-13-01 2024-01-00 2024-01-32 2024-04-31 2024-06-31 2024-09-31
2024-11-31 24-01-01 2024-1 2024-01-01x 2024-01-01T10:00:00
2024-01-01T24:00:00Z 2024-01-01T23:60:00Z 2024-01-01T23:59:60Z
"""
QUOTED_ONCE = """
#a ,a [a ]a {a }a &a *a !a |a >a %a @a `a 'a "a - ? : a: --- ---a ... ...a
"""
"""Signs with which no plain text begins, or ends."""
READ_AS_MORE = """
y Y n N yes Yes YES no No NO on On ON off Off OFF true True TRUE false False FALSE null Null NULL ~
.nan .NaN .NAN .inf .Inf .INF +.inf -.inf -.INF 0 -0 +1 12 1_000 017 08 0o17 0O17 0x1F 0X1f 0b11 0B11 .5 5. 1.5 1e3 1E3
1e-3 1e+3 -1.5e3 +.5 1:59 1:5 -1:30:59 1:30.5 2024-02-29 2000-02-29 2024-1-1 2024-01-31 2024-12-31 2023-02-28 2024-04-30
2024-01-01T10:00:00Z 2024-01-01t10:00:00.5+02:00 2024-01-01T00:00:00-00:30 2024-01-01T23:59:59Z
"""
"""What a reader of YAML 1.1 takes for a boolean, null, a number, a number in base 60, or a date."""


def test_a_text_is_quoted_where_it_would_be_read_as_something_else() -> None:
    written = {text: text for text in READ_AS_TEXT.split()} | {text: f'"{text}"' for text in READ_AS_MORE.split()}
    written |= {text: "'" + text.replace("'", "''") + "'" for text in QUOTED_ONCE.split()}
    assert {text: encode(text) for text in written} == written
    spaced = [" a", "a ", "- a", "? a", ": a", "a: b", "a #b", "a # b"]
    assert [encode(text) for text in spaced] == [f"'{text}'" for text in spaced]
    assert encode("2024-01-01 10:00:00") == '"2024-01-01 10:00:00"'
    assert encode("2024-01-01 10:00:60") == "2024-01-01 10:00:60"


@pytest.mark.parametrize(
    ("character", "escape"),
    [
        ("\x00", "0"), ("\x07", "a"), ("\x08", "b"), ("\t", "t"), ("\x0b", "v"), ("\x0c", "f"), ("\r", "r"),
        ("\x1b", "e"), ("\x85", "N"), ("\u2028", "L"), ("\u2029", "P"), ("\x01", "x01"), ("\x1f", "x1F"),
        ("\x7f", "x7F"), ("\x9f", "x9F"), ("\ue000\x01", "x01"), ("\uffff", "uFFFF"), ("\U00010000", "U00010000"),
        ('"\x01', "x01"), ("\\\x01", "x01"),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_escaped(character: str, escape: str) -> None:
    before = {'"': '\\"', "\\": "\\\\", "\ue000": "\ue000"}.get(character[:-1], "")
    assert encode(f"a{character}b") == f'"a{before}\\{escape}b"'


@pytest.mark.parametrize(("value", "text"), WRITTEN, ids=[repr(value)[:40] for value, _ in WRITTEN])
def test_value(value: object, text: str) -> None:
    assert encode(value) == text


TOML = [
    ({"a": {"b": {"c": 1.0}, "x": 1e21}}, "[a]\n  x = 1000000000000000000000.0\n  [a.b]\n    c = 1.0\n"),
    ({"a": [{"b": 1e-07}, {"b": None}]}, "[[a]]\n  b = 0.0000001\n\n[[a]]\n"),
    ({"a": ["x", {"n": None, "m": {"k": "v"}, "z": True}]}, 'a = ["x", {z = true, m = {k = "v"}}]\n'),
    ("yes", '"yes"'),
]
"""What `toToml` of the real helm 3.17 gave for these values."""


@pytest.mark.parametrize(("value", "text"), TOML, ids=[repr(value)[:40] for value, _ in TOML])
def test_toml(value: object, text: str) -> None:
    assert toml_encode(value) == text


def in_order(keys: Iterable[str]) -> list[str]:
    """The keys as they are written, without their quotes."""
    return [line.partition(":")[0].strip('"') for line in encode(dict.fromkeys(keys, 0)).splitlines()]


@given(
    st.sets(st.integers(0, 2000), min_size=1), st.sampled_from(["", "a", "a-", "0x"]), st.sampled_from(["", "-b", ".b"])
)
def test_numbers_in_keys_are_in_the_order_of_numbers(numbers: set[int], before: str, after: str) -> None:
    assert in_order(f"{before}{number}{after}" for number in numbers) == [
        f"{before}{number}{after}" for number in sorted(numbers)
    ]


def test_keys_with_signs_numbers_and_letters() -> None:
    """Signs, then numbers, then letters; of the same number the one with fewer zeros before it."""
    keys = ["A", "a", "a-b", "a.b", "a0", "a1", "a01", "a001", "a2", "a10", "aB", "ab", "b", "ä"]
    assert in_order(reversed(keys)) == keys


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1e19, "10000000000000000000"),
        (-1e18, "-1000000000000000000"),
        (123456789.0, "123456789"),
        (2.0**63, "9223372036854776000"),
        (-(2.0**63), "-9.223372036854776e+18"),
        (2.0**64, "1.8446744073709552e+19"),
        (1e20, "1e+20"),
        (1e21, "1e+21"),
        (1234567.5, "1.2345675e+06"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (2**64 - 1, "18446744073709551615"),
        (-(2**63), "-9223372036854775808"),
    ],
)
def test_a_whole_number_that_fits_in_64_bits_is_written_in_digits(number: float, text: str) -> None:
    """As few digits as tell it apart, and then zeros: what JSON has between a value and its YAML."""
    assert encode(number).rstrip() == text
