"""Differences of texts, line by line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.report.lines import difference
from tests.examples import examples

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=30).map("".join)


@settings(max_examples=examples(35))
@given(LINES, LINES, st.integers(0, 20))
def test_a_difference_names_every_line_where_it_is(before: str, after: str, around: int) -> None:
    """Applying it by its line numbers alone gives the other text."""
    ends = "".join(f"{number}\n" for number in range(around))
    old, new = (f"{ends}{text}{ends}" for text in (before, after))
    assert applied(old, difference(old, new, "a", "b")) == new


def applied(text: str, patch: str) -> str:
    made, rest, at = list[str](), text.splitlines(keepends=True), 0
    for line in patch.splitlines(keepends=True)[2:]:
        if line.startswith("@@"):
            given = line.split()[1].removeprefix("-").split(",")
            start = int(given[0]) - (len(given) == 1 or given[1] != "0")
            made += rest[at:start]
            at = start
        elif line.startswith("+"):
            made.append(line[1:])
        else:
            assert rest[at] == line[1:]
            made += rest[at : at + 1] if line.startswith(" ") else []
            at += 1
    return "".join([*made, *rest[at:]])


def test_one_line_of_many_that_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines before and after what differs are not compared with each other."""
    import difflib

    compared: list[int] = []
    real = difflib.unified_diff

    def counted(old: list[str], new: list[str], *names: str) -> object:
        compared.append(len(old) + len(new))
        return real(old, new, *names)

    monkeypatch.setattr(difflib, "unified_diff", counted)
    old = "a: 1\nb: 2\n" * 5000
    new = old[:40000] + "c: 3\n" + old[40005:]
    patch = difference(old, new, "x", "x")
    assert compared[0] < 20
    assert applied(old, patch) == new
