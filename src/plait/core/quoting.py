"""Go's quotes: how a text or a character looks as a Go literal.

A Go string is bytes. Here it is a Python text in which a byte that is not UTF-8 is Python's own escape
for such bytes (U+DC80 to U+DCFF), so that ordinary texts cost nothing and odd ones survive.
"""

from __future__ import annotations

_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\",
}  # fmt: skip


def to_bytes(text: str) -> bytes:
    """The bytes of a Go string."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a pair, which no UTF-8 holds: Go has the replacement character here
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def from_bytes(raw: bytes) -> str:
    """The Go string of some bytes."""
    return raw.decode("utf-8", "surrogateescape")


def quote(text: str, sign: str = '"', ascii_only: bool = False) -> str:
    """A text as a Go literal."""
    if text.isprintable() and sign not in text and "\\" not in text and (not ascii_only or text.isascii()):
        return f"{sign}{text}{sign}"
    if text.isascii():
        return f"{sign}{text.translate(_TABLES[sign])}{sign}"
    return sign + "".join(_escaped(c, sign, ascii_only) for c in text) + sign


def _escaped(character: str, sign: str, ascii_only: bool) -> str:
    if character == sign:
        return "\\" + sign
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if character.isprintable() and (not ascii_only or code < 127):
        return character
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_TABLES = {
    sign: {code: _escaped(chr(code), sign, True) for code in range(128) if _escaped(chr(code), sign, True) != chr(code)}
    for sign in ('"', "'", "`")
}
"""How characters of ASCII are written between quotes, where that is not as they are."""
