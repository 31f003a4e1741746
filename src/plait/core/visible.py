"""Text from files, made safe to show to people.

Escape sequences, control characters and bidirectional overrides can hide or fake what a report says. They are shown as
escapes (`\\x1b`, `\\u202e`). YAML and CSV have escaping rules of their own; JSON leaves such characters as they are
unless `in_json` escapes them. What reaches a terminal comes through `on_terminal`, whatever it is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

_CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]
_DIRECTIONS = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_INVISIBLE = [0x2028, 0x2029, 0xFEFF]
_ESCAPES = {code: f"\\x{code:02x}" for code in _CONTROLS}
_ESCAPES |= {code: f"\\u{code:04x}" for code in (*_DIRECTIONS, *_INVISIBLE)}
_ESCAPES |= {ord("\t"): "\t", ord("\n"): "\n"}


def visible(text: str) -> str:
    """The same text with everything that could deceive a reader escaped; tabs and line breaks stay."""
    return text if text.isascii() and text.isprintable() else text.translate(_ESCAPES)


_BREAKS = {**_ESCAPES, ord("\t"): "\\t", ord("\n"): "\\n"}


def one_line(text: str) -> str:
    """The same on one line: a name with a line break could forge a line of a report, or a command in a CI log."""
    return text if text.isprintable() and text.isascii() else text.translate(_BREAKS)


_JSON = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), *_DIRECTIONS, *_INVISIBLE)}
DECEIVING = "".join(map(chr, _JSON))
"""The characters that JSON allows in a text, and that a terminal or a reader would take for something else."""


def in_json(text: str) -> str:
    """JSON that means the same, in which no character can deceive a reader: outside of texts it has none of them."""
    return text if text.isascii() and "\x7f" not in text else text.translate(_JSON)


ESCAPE, END = "\x1b[", "m"


def on_terminal(text: str, styles: Container[str]) -> str:
    """A text as a terminal may get it: it changes colours in the ways that plait does, and nothing else."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    plain, *pieces = text.split(ESCAPE)
    shown = [visible(plain)]
    for piece in pieces:
        style, end, rest = piece.partition(END)
        ours = end and style in styles
        shown.append(f"{ESCAPE}{style}{END}{visible(rest)}" if ours else visible(ESCAPE + piece))
    return "".join(shown)


def harmless(line: str) -> str:
    """A line that a CI system does not read as a command in its log (`::error::`, `##[...]`)."""
    return f"\\{line}" if line.lstrip().startswith(("::", "##[")) else line


def code_escapes(text: str) -> str:
    """Invisible characters as `\\uXXXX`, which can be typed."""
    return text if text.isprintable() else "".join(f"\\u{ord(c):04x}" if ord(c) in _BREAKS else c for c in text)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 item`, `2 items`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
