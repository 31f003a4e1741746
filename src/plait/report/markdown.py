"""Text from files inside Markdown: no character of it becomes a link, markup or HTML."""

from __future__ import annotations

from plait.core.visible import one_line

MEANINGFUL = "\\`*_[]<>#|&~@!"
"""What Markdown, HTML and code hosts (mentions, references) read as more than text."""
SIMPLE = ":._-/ "
"""What a name may have besides letters and digits to be shown as it is."""


def code_span(text: str) -> str:
    """Text as code."""
    text = one_line(text)
    if not text.strip():
        return ""
    ticks = "`" * (1 + max((len(run) for run in _runs(text)), default=0))
    edge = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{ticks}{edge}{text}{edge}{ticks}"


def _runs(text: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in text).split() if run]


def running_text(text: str) -> str:
    """Text as a part of a sentence."""
    return "".join(f"&#{ord(c)};" if c in MEANINGFUL else c for c in one_line(text))


def name(text: str) -> str:
    """A name: as it is where it is a simple one, else as code."""
    simple = all(c.isalnum() or c in SIMPLE for c in text) and "//" not in text and "www." not in text.lower()
    return text if simple else code_span(text)
