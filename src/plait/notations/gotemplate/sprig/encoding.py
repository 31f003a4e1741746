"""Texts for other programs: JSON, base64, base32, checksums."""

from __future__ import annotations

from plait.core.quoting import from_bytes, to_bytes
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.json import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENCODING = FunctionGroup("encoding", "Encoding")
function = ENCODING.function


@function(
    "toJson",
    "func(interface {}) string",
    "A value as JSON; empty where that cannot be.",
    '{{ dict "a" 1 | toJson }}',
    '{"a":1}',
)
def to_json(value: Any) -> str:
    return _or_empty(value)


@function(
    "mustToJson", "func(interface {}) (string, error)", "A value as JSON.", '{{ list 1 "a" | mustToJson }}', '[1,"a"]'
)
def must_to_json(value: Any) -> str:
    return encode(value)


@function("toPrettyJson", "func(interface {}) string", "A value as JSON with one item a line.",
          "{{ list 1 | toPrettyJson }}", "[\n  1\n]")  # fmt: skip
def to_pretty_json(value: Any) -> str:
    return _or_empty(value, indent="  ")


@function("mustToPrettyJson", "func(interface {}) (string, error)", "A value as JSON with one item a line.",
          "{{ list 1 | mustToPrettyJson }}", "[\n  1\n]")  # fmt: skip
def must_to_pretty_json(value: Any) -> str:
    return encode(value, indent="  ")


@function(
    "toRawJson mustToRawJson",
    "func(interface {}) (string, error)",
    "A value as JSON with the signs of HTML as they are.",
    '{{ toRawJson "<a>" }}',
    '"<a>"',
)
def to_raw_json(value: Any) -> str:
    return encode(value, escape_html=False)


def _or_empty(value: Any, indent: str = "") -> str:
    try:
        return encode(value, indent)
    except CallError:
        return ""


@function(
    "mustFromJson",
    "func(string) (interface {}, error)",
    "What a JSON text says.",
    '{{ (mustFromJson "{\\"a\\":1}").a }}',
    "1",
)
def must_from_json(text: str) -> Any:
    return decode(text)


@function(
    "fromJson",
    "func(string) interface {}",
    "What a JSON text says; nil where it is none.",
    '{{ (fromJson "{\\"a\\":1}").a }}',
    "1",
)
def from_json(text: str) -> Any:
    try:
        return decode(text)
    except CallError:
        return None


# -- base64, base32

_ALPHABETS = {
    4: ("base64", frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")),
    8: ("base32", frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")),
}
_FULL = {4: (2, 3), 8: (2, 4, 5, 7)}
"""How many characters of the last group may precede its padding."""


def _fault(raw: bytes, group: int) -> int | None:
    """Where an encoded text goes wrong, by Go's count of bytes; None where it does not."""
    alphabet = _ALPHABETS[group][1]
    inside = padded = 0
    for at, byte in enumerate(raw):
        if byte in b"\r\n":
            continue
        if padded:
            if byte != 61 and (group, inside, padded) == (4, 2, 1):
                return at - 1  # the sign before it
            if byte != 61 or inside + padded >= group:
                return at
            padded += 1
        elif byte == 61:
            if inside not in _FULL[group]:
                return at
            padded = 1
        elif byte in alphabet:
            inside = (inside + 1) % group
        else:
            return at
    if padded and inside + padded < group:
        return len(raw)
    return len(raw) - inside if inside and not padded else None


def base64_fault(raw: bytes) -> int | None:
    """Where a text in base64 goes wrong; None where it does not."""
    return _fault(raw, 4)


def _decoded(text: str, group: int) -> str:
    raw = to_bytes(text)
    fault = _fault(raw, group)
    if fault is not None:
        return f"illegal {_ALPHABETS[group][0]} data at input byte {fault}"
    from base64 import b32decode, b64decode

    return from_bytes((b64decode if group == 4 else b32decode)(raw.translate(None, b"\r\n")))


@function("b64enc", "func(string) string", "A text in base64.", '{{ b64enc "hello" }}', "aGVsbG8=")
def b64enc(text: str) -> str:
    from base64 import b64encode

    return b64encode(to_bytes(text)).decode()


@function(
    "b64dec",
    "func(string) string",
    "Decodes base64; an error message if it is invalid.",
    '{{ b64dec "aGVsbG8=" }}',
    "hello",
)
def b64dec(text: str) -> str:
    return _decoded(text, 4)


@function("b32enc", "func(string) string", "A text in base32.", '{{ b32enc "hello" }}', "NBSWY3DP")
def b32enc(text: str) -> str:
    from base64 import b32encode

    return b32encode(to_bytes(text)).decode()


@function(
    "b32dec",
    "func(string) string",
    "Decodes base32; an error message if it is invalid.",
    '{{ b32dec "NBSWY3DP" }}',
    "hello",
)
def b32dec(text: str) -> str:
    return _decoded(text.replace("\r", "").replace("\n", ""), 8)


# -- checksums


def _digest(name: str, text: str) -> str:
    import hashlib

    return hashlib.new(name, to_bytes(text), usedforsecurity=False).hexdigest()


@function(
    "sha1sum",
    "func(string) string",
    "The SHA-1 checksum.",
    '{{ sha1sum "a" }}',
    "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
)
def sha1sum(text: str) -> str:
    return _digest("sha1", text)


@function("sha256sum", "func(string) string", "The SHA-256 checksum.", '{{ sha256sum "a" | trunc 8 }}', "ca978112")
def sha256sum(text: str) -> str:
    return _digest("sha256", text)


@function("sha512sum", "func(string) string", "The SHA-512 checksum.", '{{ sha512sum "a" | trunc 8 }}', "1f40fc92")
def sha512sum(text: str) -> str:
    return _digest("sha512", text)


@function("adler32sum", "func(string) string", "The Adler-32 checksum.", '{{ adler32sum "a" }}', "6422626")
def adler32sum(text: str) -> str:
    from zlib import adler32

    return str(adler32(to_bytes(text)))
