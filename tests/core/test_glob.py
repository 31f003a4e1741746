"""Patterns of file names: documented forms, and a comparison with a simple matcher."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.core.glob import Glob, GlobError, literal_prefix

ROWS = [
    ("*.yaml", "a.yaml", True),
    ("*.yaml", "d/a.yaml", False),
    ("**/*.yaml", "a.yaml", True),
    ("**/*.yaml", "d/e/a.yaml", True),
    ("d/**/a.yaml", "d/a.yaml", True),
    ("d/**/a.yaml", "d/x/y/a.yaml", True),
    ("d/**/a.yaml", "da.yaml", False),
    ("d/**", "d/x/y", True),
    ("d/**", "d", True),
    ("d/**", "dx", False),
    ("**", "anything/at/all", True),
    ("?.yaml", "a.yaml", True),
    ("?.yaml", "ab.yaml", False),
    ("[ev]*", "east", True),
    ("[!a]*", "east", True),
    ("[!a]*", "apple", False),
    ("[^a-c]x", "bx", False),
    ("[a-c]x", "bx", True),
    ("{dev,prod}.yaml", "prod.yaml", True),
    ("{dev,prod}.yaml", "test.yaml", False),
    ("{a,b{c,d}}", "bd", True),
    ("{a,b{c,d}}", "b", False),
    ("{a/*,b}/x", "a/q/x", True),
    ("a.{yaml,yml}", "a.yml", True),
    (r"\*.yaml", "*.yaml", True),
    (r"\*.yaml", "a.yaml", False),
    ("a*b*c", "aXbYc", True),
    ("a**b", "aXb", True),
    ("a**b", "a/b", False),
]


@pytest.mark.parametrize(("pattern", "name", "expected"), ROWS)
def test_forms(pattern: str, name: str, expected: bool) -> None:
    assert Glob(pattern).matches(name) is expected


@pytest.mark.parametrize("pattern", ["[a", "{a,b", "a\\", "{" * 40 + "}" * 40])
def test_what_cannot_be_read_is_refused(pattern: str) -> None:
    with pytest.raises(GlobError):
        Glob(pattern)


def reference(pattern: list[str], names: list[str]) -> bool:
    """Whether names match a pattern, name by name; `**` is tried with every number of names."""
    if not pattern:
        return not names
    if pattern[0] == "**":
        return any(reference(pattern[1:], names[count:]) for count in range(len(names) + 1))
    return bool(names) and within(pattern[0], names[0]) and reference(pattern[1:], names[1:])


def within(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(within(pattern[1:], name[count:]) for count in range(len(name) + 1))
    return bool(name) and pattern[0] in ("?", name[0]) and within(pattern[1:], name[1:])


PIECES = st.lists(st.sampled_from(["**", "a", "*", "?", "a*", "*b", "ab"]), min_size=1, max_size=4)
NAMES = st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=4)


@given(PIECES, NAMES)
def test_it_agrees_with_a_simple_matcher(pattern: list[str], names: list[str]) -> None:
    assert Glob("/".join(pattern)).matches("/".join(names)) is reference(pattern, names)


def test_no_pattern_is_slow() -> None:
    assert not Glob("*a" * 40 + "b").matches("a" * 2000)


def test_where_a_search_begins() -> None:
    assert literal_prefix("orgs/acme/**/*.yaml") == "orgs/acme"
    assert literal_prefix("*.yaml") == ""
