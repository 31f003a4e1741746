"""A comment on a pull request is never longer than it may be, and says what it leaves out."""

from __future__ import annotations

from plait.apps.reviews.markdown import LIMIT, _within


def test_a_long_comment_ends_with_a_whole_line_and_says_that_it_is_cut() -> None:
    lines = [f"- row {number}" for number in range(20_000)]
    text = _within("\n".join(lines))
    kept, _, note = text.partition("\n\n**")
    assert len(text) <= LIMIT
    assert kept.split("\n") == lines[: kept.count("\n") + 1]
    assert "--full" in note


def test_a_short_comment_is_left_as_it_is() -> None:
    assert _within("short\n") == "short\n"
