"""Text from files, made safe to show to people.

Escape sequences, control characters and bidirectional overrides can hide or fake what a report says. They are shown as
escapes (`\\x1b`, `\\u202e`). Data output does not come here: its format has escaping rules of its own.
"""

from __future__ import annotations

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


def harmless(line: str) -> str:
    """A line that a CI system does not read as a command in its log (`::error::`, `##[...]`)."""
    return f"\\{line}" if line.lstrip().startswith(("::", "##[")) else line


def code_escapes(text: str) -> str:
    """Invisible characters as `\\uXXXX`, which can be typed."""
    return text if text.isprintable() else "".join(f"\\u{ord(c):04x}" if ord(c) in _BREAKS else c for c in text)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 item`, `2 items`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
