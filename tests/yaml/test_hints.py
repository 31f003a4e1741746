"""Every syntax error gets a hint, whatever the text is and wherever the reader stops."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plait.yaml.hints import advise, advise_on_text

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
