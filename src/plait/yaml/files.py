"""Files to text: one read, one decoding, and a clear answer for everything that is not a readable text.

UTF-8 and UTF-16 (and UTF-32) are read, with or without a byte order mark. Characters that YAML forbids are refused
here, with their place, so that no later stage sees them. `-` is standard input.
"""

from __future__ import annotations

from plait.access.door import SIZE_LIMIT, Door
from plait.access.unquoted import Uncommitted, Unquoted
from plait.core.diagnostic import Label, PlaitError
from plait.core.lazy import LazyPattern
from plait.core.source import Source
from plait.report.catalog import NOT_TEXT, YAML_SYNTAX

STDIN = "<stdin>"

BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WIDE = (("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1))
"""Encodings of several bytes a character: how many, and which of them an ASCII letter fills."""

_LEGAL_BYTES = bytes(byte for byte in range(256) if (byte >= 32 and byte != 127) or byte in b"\t\n\r")
_FORBIDDEN = LazyPattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_FORBIDDEN_WIDE = LazyPattern("[\x80-\x84\x86-\x9f\ufffe\uffff]")
"""Not compiled before a text needs it: most are ASCII, and the look at their bytes is enough."""


ESCAPED = "YAML allows it only as an escape in double quotes"
_COMMENT = LazyPattern(r'"(?:[^"\\\n]|\\.)*"?|(?<![^\s{\[,])(//|/\*)')
"""A string of JSON, to the end of its line at most, or the beginning of a comment outside of one."""


def read_source(name: str, shown: str = "", size_limit: int = SIZE_LIMIT, door: Door | None = None) -> Source:
    """The text of a file, or of standard input for `-`. `shown` is what reports call it. Without a door, the user
    names the file."""
    data = read_bytes(name, size_limit=size_limit, door=door)
    kind = kind_of(name, door) if door is not None else Source
    source = decode(STDIN if name == "-" else shown or name, data, kind)
    held = door.held(name) if door is not None and door.holds_texts else None
    if held is not None and held == source.text:
        source.text = held
    return source


def kind_of(name: str, door: Door) -> type[Source]:
    """What the text of a file is as a source: its lines may not be shown, or nothing that is made of it."""
    return Uncommitted if door.is_uncommitted(name) else Unquoted if door.is_foreign(name) else Source


def read_bytes(name: str, *, size_limit: int = SIZE_LIMIT, door: Door | None = None) -> bytes:
    """The bytes of a file that holds still while it is read."""
    return (door or Door()).read(name, size_limit)


def encoding_of(data: bytes) -> tuple[str, int]:
    """How bytes encode text, and the length of the byte order mark."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    if b"\0" in data[:4]:
        for encoding, width, filled in _WIDE:
            if _looks_wide(data[:64], width, filled) and len(data) % width == 0:
                return encoding, 0
    return "utf-8", 0


def _looks_wide(head: bytes, width: int, filled: int) -> bool:
    """Whether most characters are ASCII letters padded with NULs: YAML's own way to tell encodings apart."""
    empty = b"".join(head[place::width] for place in range(width) if place != filled)
    return 0 not in head[filled::width] and 4 * empty.count(0) > 3 * len(empty)


def decode(name: str, data: bytes, kind: type[Source] = Source) -> Source:
    """Bytes as a source, or a diagnostic with the place of what is not text."""
    encoding, skip = encoding_of(data)
    try:
        text = str(memoryview(data)[skip:] if skip else data, encoding)
    except UnicodeDecodeError as trouble:
        raise _undecodable(
            kind(name, data[skip:].decode(encoding, "replace")), data[skip:], encoding, trouble
        ) from None
    controls = data.translate(None, _LEGAL_BYTES) if encoding == "utf-8" else b"\0"
    found = None
    if controls:
        found = _FORBIDDEN.search(text)
    elif not text.isascii():
        found = _FORBIDDEN_WIDE.search(text)
    source = kind(name, text)
    if found is not None:
        raise _forbidden(source, found.start())
    if name.endswith(".json") and ("//" in text or "/*" in text):
        _check_comments(source)
    return source


def _check_comments(source: Source) -> None:
    """Refuse comments of other languages in JSON: to YAML, they would be a part of the next key."""
    for found in _COMMENT.compiled().finditer(source.text):
        if found[1]:
            hint = "remove it, or rename the file to .yaml and write `# ...`"
            raise YAML_SYNTAX.error(Label.at(source, found.start(1)), why="JSON has no comments", hint=hint)


def _undecodable(shown: Source, data: bytes, encoding: str, trouble: UnicodeDecodeError) -> PlaitError:
    at = len(data[: trouble.start].decode(encoding, "replace"))
    why = f"byte {data[trouble.start]:#04x} at offset {trouble.start} is not valid {encoding[:6].rstrip('-').upper()}"
    return NOT_TEXT.error(Label.at(shown, at), name=shown.name, why=why, hint="save the file as UTF-8")


def _forbidden(source: Source, at: int) -> PlaitError:
    why = f"it contains {_character(source.text[at])}"
    return NOT_TEXT.error(Label.at(source, at), name=source.name, why=why, hint=ESCAPED)


def check_characters(source: Source) -> None:
    """Refuse what no YAML may contain, in a text that was not read from a file."""
    found = _FORBIDDEN.search(source.text)
    if found is not None:
        why = f"{_character(source.text[found.start()])} is not allowed"
        raise YAML_SYNTAX.error(Label.at(source, found.start()), why=why, hint=ESCAPED)


def _character(character: str) -> str:
    code = ord(character)
    if code == 0:
        return "a NUL byte"
    return f"U+{code:04X} (not a character)" if code >= 0xFFFE else f"the control character U+{code:04X}"
