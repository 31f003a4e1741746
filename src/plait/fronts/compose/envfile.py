"""Env files: `NAME=value` line by line, with quotes around values that may have several lines."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.source import Source

    Row = tuple[str, str | None, bool, int]
    """A name, its value, whether variables are filled in it, and where its line begins; no value is that of the
    variable itself."""

QUOTES = ("'", '"')
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "$": "$$"}
"""What a letter after a backslash means between double quotes; any other letter means itself."""


def rows(source: Source) -> Iterator[Row]:
    """The lines of an env file."""
    text, at = source.text, 0
    while at < len(text):
        end = _end_of_line(text, at)
        words = text[at:end].strip()
        if not words or words.startswith("#"):
            at = end + 1
            continue
        name, sign, value = _split(words)
        if " " in name or "\t" in name:
            why = f"`{name}` is not the name of a variable"
            raise COMPOSE.error(Label.at(source, at), why=why, hint="a line is NAME=value")
        if value[:1] in QUOTES and value:
            start = text.index(value, at)
            end = _closing(source, start)
            yield name, *_quoted(text[start + 1 : end], value[0]), at
            end = _end_of_line(text, end)
        else:
            yield name, value.split(" #", 1)[0].strip() if sign else None, True, at
        at = end + 1


def raw_rows(source: Source) -> Iterator[Row]:
    """The same where values are as they are written."""
    at = 0
    for line in source.text.splitlines(keepends=True):
        name, sign, value = line.rstrip("\r\n").partition("=")
        if name.strip() and not name.lstrip().startswith("#"):
            yield name.strip(), value if sign else None, False, at
        at += len(line)


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _split(words: str) -> tuple[str, str, str]:
    """The name, the sign after it, and the rest."""
    words = words.removeprefix("\ufeff").removeprefix("export ").strip()
    at = min((place for place in (words.find("="), words.find(":")) if place > 0), default=len(words))
    return words[:at].strip(), words[at : at + 1], words[at + 1 :].strip()


def _closing(source: Source, start: int) -> int:
    """Where the quote that begins at a place ends."""
    text, at = source.text, start + 1
    while at < len(text):
        if text[at] == text[start]:
            return at
        at += 2 if text[at] == "\\" else 1
    why = "this quote is not closed"
    raise COMPOSE.error(Label.at(source, start), why=why, hint=f"end the value with {text[start]}")


def _quoted(inner: str, quote: str) -> tuple[str, bool]:
    if quote == "'":
        return inner.replace("\\'", "'"), False
    out: list[str] = []
    at = 0
    while at < len(inner):
        letter = inner[at]
        if letter == "\\" and at + 1 < len(inner):
            at += 1
            letter = ESCAPES.get(inner[at], inner[at])
        out.append(letter)
        at += 1
    return "".join(out), True
