"""What each word of a pattern means, and what is said about a pattern that means nothing."""

from __future__ import annotations

import pytest

from plait.core.meter import Budgets, Meter, Overrun
from plait.regexp import BadPattern, Regexp, expand, quote_meta

FOUND: list[tuple[str, str, list[str | None] | None]] = [  # the match and its groups; None where there is none
    ("(a)|(b)", "b", ["b", None, "b"]),
    ("a|ab", "ab", ["a"]),
    ("(?:a|b|cd)+", "xcdab", ["cdab"]),
    ("a||b", "b", [""]),
    ("(a|b*)*", "ab", ["ab", "b"]),
    ("(a*)*", "b", ["", ""]),
    ("(a*)+", "b", ["", ""]),
    ("(a|b)*?c", "abc", ["abc", "b"]),
    ("a{2}", "aaa", ["aa"]),
    ("a{2,}", "aaa", ["aaa"]),
    ("a{2,}?", "aaa", ["aa"]),
    ("a{0,1}b", "aab", ["ab"]),
    ("a{0}b", "ab", ["b"]),
    ("(?:a{3}){4}", "a" * 12, ["a" * 12]),
    ("a{,2}", "a{,2}", ["a{,2}"]),
    ("a{x", "a{x", ["a{x"]),
    ("a??b", "ab", ["ab"]),
    ("a+?", "aa", ["a"]),
    ("(?U)a+", "aa", ["a"]),
    ("(?U)a+?", "aa", ["aa"]),
    ("(?i)aß", "AẞÀ", ["Aẞ"]),
    ("(?i)[k]", "\u212a", ["\u212a"]),
    ("(?i)s", "\u017f", ["\u017f"]),
    ("(?i:a)b", "Ab", ["Ab"]),
    ("(?i:a)b", "AB", None),
    ("(?i)a(?-i)b", "AB", None),
    ("(?i)a(?-i)b", "Ab", ["Ab"]),
    ("(?:(?i)a)b", "AB", None),
    ("(?is-m:a.)b", "A\nb", ["A\nb"]),
    ("a.b", "a\nb", None),
    ("(?s)a.b", "a\nb", ["a\nb"]),
    ("(?P<a>x)(?P<a>y)", "xy", ["xy", "x", "y"]),
    ("x(a)(?i)*", "xaa", ["xaa", "a"]),
    ("^b", "a\nb", None),
    ("(?m)^b", "a\nb", ["b"]),
    ("a$", "a\nb", None),
    ("(?m)a$", "a\nb", ["a"]),
    ("(?m)^$", "a\n\nb", [""]),
    (r"(?m)\Ab", "a\nb", None),
    (r"(?m)a\z", "a\nb", None),
    (r"b\z", "a\nb", ["b"]),
    (r"\bb", "ab b", ["b"]),
    (r"\Bb", "b ab", ["b"]),
    (r"\bé", "é", None),
    (r"\Q.*\E+", "..**", [".**"]),
    (r"\Qa.b", "axb a.b", ["a.b"]),
    (r"a\Q\Eb", "ab", ["ab"]),
    (r"\Qab\E{2}|c", "ababb", ["abb"]),
    (r"(?:\Qab\E){2}", "abab", ["abab"]),
    (r"\d+\D", "a12b", ["12b"]),
    (r"\w+\W", "a_1-", ["a_1-"]),
    (r"\s\S", "a\tb", ["\tb"]),
    (r"\s", "\v", None),
    (r"[[:space:]]", "\v", ["\v"]),
    (r"[[:^alpha:]]+", "ab12", ["12"]),
    (r"[^[:alpha:]]+", "ab12", ["12"]),
    (r"[[:word:]-]+", "!a-_1!", ["a-_1"]),
    (r"[[:xdigit:]]+", "gfA09", ["fA09"]),
    (r"[[:punct:]]+", "a!/:@[`{~", ["!/:@[`{~"]),
    (r"[[:blank:]]+", "a \t\n", [" \t"]),
    (r"[[:cntrl:]]", "a\x7f", ["\x7f"]),
    (r"[[:graph:]]+", " !~\x7f", ["!~"]),
    (r"[[:print:]]+", "\x1f !~\x7f", [" !~"]),
    (r"[[:lower:]][[:upper:]]", "aAb", ["aA"]),
    (r"[[:alnum:]]+", "_aZ09_", ["aZ09"]),
    (r"[[:ascii:]]+", "é\x00\x7f", ["\x00\x7f"]),
    (r"\pL+", "1éa2", ["éa"]),
    (r"\PL+", "é12a", ["12"]),
    (r"\p{Lu}+", "aÉA", ["ÉA"]),
    (r"\p{^Lu}+", "Aa1", ["a1"]),
    (r"\P{^Lu}+", "aAb", ["A"]),
    (r"\p{Greek}+", "aαβ", ["αβ"]),
    (r"\p{Han}", "a中", ["中"]),
    (r"\p{Any}", "\n", ["\n"]),
    (r"[\pN\d-]+", "a-1Ⅷ", ["-1Ⅷ"]),
    (r"[^\d]+", "1ab2", ["ab"]),
    ("[]a]+", "x]a", ["]a"]),
    ("[^]a]+", "]xa", ["x"]),
    ("[a-]+", "b-a", ["-a"]),
    ("[-a]+", "b-a", ["-a"]),
    ("[a-c-]+", "xb-", ["b-"]),
    (r"[\]\-\\]+", r"a]-\b", [r"]-\ "[:-1]]),
    (r"[\x41-\x{43}]+", "xABC", ["ABC"]),
    ("[+--]+", "a+,-.", ["+,-"]),
    ("[[:]+", "a[:", ["[:"]),
    (r"\x61\x{62}\141\07", "aba\x07", ["aba\x07"]),
    (r"\0", "\x00", ["\x00"]),
    (r"\18", "\x018", None),
    (r"\a\f\n\r\t\v", "\x07\f\n\r\t\v", ["\x07\f\n\r\t\v"]),
    (r"\.\*\-\_", ".*-_", [".*-_"]),
    ("(?P<first>a)(?<second>b)", "ab", ["ab", "a", "b"]),
    ("((a)(b)?)", "a", ["a", "a", "a", None]),
    ("x*", "aaa", [""]),
    ("", "a", [""]),
]
NOT_GO = (r"\18", r"(?<second>b)", "aß")
"""What the C++ library reads otherwise than Go, or depends on its version."""


@pytest.mark.parametrize(("pattern", "text", "expected"), FOUND)
def test_what_a_pattern_finds(pattern: str, text: str, expected: list[str | None] | None) -> None:
    if pattern == r"\18":
        with pytest.raises(BadPattern, match=r"invalid escape sequence: `\\1`"):
            Regexp(pattern)
        return
    found = Regexp(pattern).search(text)
    told = found and [None if start < 0 else text[start:end] for start, end in found.spans]
    assert told == expected
    assert Regexp(pattern).found_in(text) == (expected is not None)
    re2 = pytest.importorskip("re2")
    if not any(words in pattern for words in NOT_GO) and (text.isascii() or r"\b" not in pattern):
        theirs = re2.search(pattern, text)
        assert (theirs and [theirs[0], *theirs.groups()]) == expected


WRONG = {
    "(": "missing closing ): `(`",
    "(?": "missing closing ): `(?`",
    "(?i": "missing closing ): `(?i`",
    "a)": "unexpected ): `a)`",
    "*": "missing argument to repetition operator: `*`",
    "a|+?": "missing argument to repetition operator: `+?`",
    r"\Q\E*": "missing argument to repetition operator: `*`",
    "(?i)*": "missing argument to repetition operator: `*`",
    "a**": "invalid nested repetition operator: `**`",
    "a{2}{3}": "invalid nested repetition operator: `{2}{3}`",
    "a{2,1}": "invalid repeat count: `{2,1}`",
    "a{1001}": "invalid repeat count: `{1001}`",
    "a{1,1001}?": "invalid repeat count: `{1,1001}`",
    "(?:a{10}){101}": "invalid repeat count: `{101}`",
    "(?:(?:a{10}){2}){51,}": "invalid repeat count: `{51,}`",
    "(?z)": "invalid or unsupported Perl syntax: `(?z`",
    "(?i--s)": "invalid or unsupported Perl syntax: `(?i--`",
    "(?=a)": "invalid or unsupported Perl syntax: `(?=`",
    "(?P<a-b>x)": "invalid named capture: `(?P<a-b>`",
    "(?<>x)": "invalid named capture: `(?<>`",
    "(?P<a": "invalid named capture: `(?P<a`",
    r"a\Cb": r"invalid escape sequence: `\C`",
    "a|(?i)*": "missing argument to repetition operator: `*`",
    "[a": "missing closing ]: `[a`",
    "[": "missing closing ]: `[`",
    "b[]": "missing closing ]: `[]`",
    "[b-a]": "invalid character class range: `b-a`",
    "[[:no:]]": "invalid character class range: `[:no:]`",
    r"\p{No_Such}": r"invalid character class range: `\p{No_Such}`",
    r"\pX": r"invalid character class range: `\pX`",
    r"\p{L": r"invalid character class range: `\p{L`",
    r"\y": r"invalid escape sequence: `\y`",
    r"\1": r"invalid escape sequence: `\1`",
    r"\8": r"invalid escape sequence: `\8`",
    r"\x{110000}": r"invalid escape sequence: `\x{`",
    r"\xg": r"invalid escape sequence: `\xg`",
    "\\é": "invalid escape sequence: `\\é`",
    "\\": "trailing backslash at end of expression: ``",
    "(" * 101 + ")" * 101: "expression nests too deeply",
}


@pytest.mark.parametrize("pattern", WRONG, ids=lambda pattern: pattern[:20])
def test_what_is_said_about_a_wrong_pattern(pattern: str) -> None:
    with pytest.raises(BadPattern) as trouble:
        Regexp(pattern)
    assert f"error parsing regexp: {WRONG[pattern]}" in str(trouble.value)


@pytest.mark.long
def test_what_is_just_within_a_limit() -> None:
    assert Regexp("(" * 100 + ")" * 100).found_in("")
    assert Regexp("(?:a{10}){100}").found_in("a" * 1000)
    assert not Regexp("(?:a{10}){100}").found_in("a" * 999)
    assert Regexp("(a)()" * 60).found_in("a" * 60)


def test_matches_one_after_the_other() -> None:
    """None is empty right after another; a count stops it."""
    for pattern, text, expected in (
        ("a*", "baac", ["", "aa", ""]),
        ("a", "banana", ["a", "a", "a"]),
        ("", "ab", ["", "", ""]),
        ("x", "ab", []),
        (r"\b", "a b", ["", "", "", ""]),
    ):
        assert [found.whole() for found in Regexp(pattern).matches(text)] == expected
        for count in range(-1, 4):
            shown = [found.whole() for found in Regexp(pattern).find_all(text, count)]
            assert shown == (expected[:count] if count >= 0 else expected)


@pytest.mark.parametrize(
    ("pattern", "text", "count", "pieces"),
    [
        (",", "a,b,c", -1, ["a", "b", "c"]),
        (",", "a,b,c", 2, ["a", "b,c"]),
        (",", "a,b,c", 1, ["a,b,c"]),
        (",", "a,b,c", 0, []),
        (",", ",a,", -1, ["", "a", ""]),
        (",", "", -1, [""]),
        ("", "abc", -1, ["a", "b", "c"]),
        ("", "abc", 2, ["a", "bc"]),
        ("", "", -1, []),
        ("b*", "abbc", -1, ["a", "c"]),
        ("x", "abc", 5, ["abc"]),
    ],
)
def test_splitting(pattern: str, text: str, count: int, pieces: list[str]) -> None:
    assert Regexp(pattern).split(text, count) == pieces


def test_replacing() -> None:
    meter = Meter()
    pattern = Regexp("(?P<key>[a-z]+)=([0-9]*)")
    for template, expected in (
        ("$2=$key", "1=a;;2=b"),
        ("${2}x$1x", "1x;;2x"),
        ("$$1-$9-${key}", "$1--a;;$1--b"),
        ("$", "$;;$"),
    ):
        assert pattern.replace("a=1;;b=2", lambda found, used=template: expand(used, found, meter), meter) == expected  # type: ignore[misc]
    assert Regexp("a*").replace("baac", lambda found: "-") == "-b-c-"
    assert quote_meta(r"a.b\c-d[{^$|") == r"a\.b\\c-d\[\{\^\$\|"


def test_each_piece_that_is_put_in_is_charged() -> None:
    """Two pieces of 400 are more than 500 together; a text that stays is a part of the size, too."""
    for text, piece in (("aa", "x" * 400), ("a" + "b" * 499 + "a", "x")):
        with pytest.raises(Overrun):
            Regexp("a").replace(text, lambda found, put=piece: put, Meter(Budgets(size=500)))  # type: ignore[misc]
    assert len(Regexp("a").replace("aa", lambda found: "x" * 250, Meter(Budgets(size=500)))) == 500
