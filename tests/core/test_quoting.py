"""Texts as Go writes them between quotes."""

from __future__ import annotations

import pytest

from plait.gotemplate import parse

QUOTED = {
    ("%q", "a\tb"): r'"a\tb"',
    ("%q", 'say "no" \\'): r'"say \"no\" \\"',
    ("%q", "é"): '"é"',
    ("%+q", "é"): r'"\u00e9"',
    ("%+q", "plain"): '"plain"',
    ("%+q", "\uffff"): r'"\uffff"',
    ("%+q", "\U00010000"): r'"\U00010000"',
    ("%q", "\x01\x7f"): r'"\x01\x7f"',
    ("%q", "\u200b"): r'"\u200b"',
}


@pytest.mark.parametrize(("verb", "text"), QUOTED)
def test_a_text_between_quotes(verb: str, text: str) -> None:
    assert parse("{{ printf .verb .text }}").render({"verb": verb, "text": text}) == QUOTED[verb, text]
