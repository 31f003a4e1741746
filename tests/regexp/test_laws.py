"""Regular expressions find what RE2 finds, and no pattern costs more than the text times the pattern."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plait.core.meter import Budgets, Meter, Overrun
from plait.regexp import BadPattern, Regexp
from tests.examples import examples

PATTERNS = st.recursive(
    st.sampled_from(
        [
            "a",
            "b",
            "é",
            ".",
            "[ab]",
            "[^a]",
            r"\d",
            r"\w",
            r"\s",
            "^",
            "$",
            r"\b",
            r"\B",
            "(?i)B",
            "(?:)",
            r"\pL",
            r"[[:alpha:]]",
            r"\x61",
            "[a-c]",
        ]
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        inner.map("({})".format),
        inner.map("(?:{})*".format),
        inner.map("(?:{})+?".format),
        inner.map("(?:{}){{1,2}}".format),
        inner.map("(?s:{})?".format),
    ),
    max_leaves=6,
)


@settings(max_examples=examples(60), deadline=None)
@given(PATTERNS, st.text(alphabet="abBAé1 \n_kK\u212a", max_size=12), st.integers(0, 4))
def test_patterns_find_what_re2_finds(pattern: str, text: str, start: int) -> None:
    re2 = pytest.importorskip("re2")
    assume(
        text.isascii() or r"\B" not in pattern
    )  # the C++ library also looks between the bytes of a character; Go does not
    try:
        theirs = re2.compile(pattern)
    except re2.error:
        with pytest.raises(BadPattern):
            Regexp(pattern)
        return
    ours = Regexp(pattern)
    found = theirs.search(text)
    match = ours.search(text)
    assert (match and match.spans[0]) == (found and found.span())
    assert ours.found_in(text) == (found is not None)
    if match is not None and found is not None:
        assert match.spans == [found.span(group) for group in range(len(ours.groups) + 1)]
    if start <= len(text):
        later, theirs_later = ours.search(text, start), theirs.search(text, start)
        assert (later and later.spans[0]) == (theirs_later and theirs_later.span())


EACH = "abBAé1 \n_kK\u212a²Ⅷ-"


@settings(max_examples=examples(35), deadline=None)
@given(PATTERNS)
def test_characters_are_found_together_as_they_are_found_alone(pattern: str) -> None:
    try:
        made = Regexp(pattern)
    except BadPattern:
        return
    assert made.each_of(EACH, Meter()) == "".join(c for c in EACH if made.found_in(c))


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|a)*b", "(a*)*c", "(.*)(.*)(.*)(.*)(.*)x", "(a?){30}a{30}b", "[a-z]*1", "(a|b)*a(a|b){12}c", "a*b"],
)
def test_work_grows_with_the_text(pattern: str) -> None:
    def charged(count: int) -> int:
        meter = Meter()
        assert not Regexp(pattern).found_in("a" * count + "!", meter)
        return meter.steps

    small, large = charged(4_000), charged(16_000)
    assert large <= 4.5 * small + 1000


def test_a_pattern_that_is_too_large_is_refused() -> None:
    with pytest.raises(BadPattern, match="too large"):
        Regexp("(?:x{1000})" * 60)


def test_work_is_charged() -> None:
    with pytest.raises(Overrun):
        Regexp("(a|b)*a(a|b){10}c").found_in("ab" * 100_000, Meter(Budgets(steps=1000)))


def test_replacing_is_charged_before_the_text_is_made() -> None:
    with pytest.raises(Overrun):
        Regexp("a").replace("a" * 1000, lambda found: "x" * 1000, Meter(Budgets(size=500)))
