"""Texts: cut, pad, change case, split and join."""

from __future__ import annotations

from plait.core.quoting import from_bytes, quote, to_bytes
from plait.notations.gotemplate.casts import SPACES, to_text, to_texts
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.format import display
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.sprig.words import (
    camel_case,
    characters,
    joined_words,
    lower_character,
    title_character,
    upper_character,
)
from plait.notations.gotemplate.values import NilStrings, StringMap, Strings, is_list, is_nil

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

STRINGS = FunctionGroup("strings", "Texts")
function = STRINGS.function


@function("hello", "func() string", "A greeting.", "{{ hello }}", "Hello!")
def hello() -> str:
    return "Hello!"


# -- case


@function("upper", "func(string) string", "Capital letters.", '{{ upper "ab" }}', "AB")
def upper(text: str) -> str:
    return text.upper() if text.isascii() else "".join(map(upper_character, characters(text)))


@function("lower", "func(string) string", "Small letters.", '{{ lower "AB" }}', "ab")
def lower(text: str) -> str:
    return text.lower() if text.isascii() else "".join(map(lower_character, characters(text)))


def _separates(character: str) -> bool:
    if character.isalnum() or character == "_":
        return False
    return character < "\x80" or character in SPACES


def _with_previous(text: str) -> Iterator[tuple[str, str]]:
    """Each character with the one before it; a space before the first."""
    return zip(" " + characters(text), characters(text), strict=False)


@function(
    "title", "func(string) string", "A capital at the start of every word.", '{{ title "hello world" }}', "Hello World"
)
def title(text: str) -> str:
    return "".join(title_character(c) if _separates(b) else c for b, c in _with_previous(text))


@function("untitle", "func(string) string", "A small letter at the start of every word.",
          '{{ untitle "Hello World" }}', "hello world")  # fmt: skip
def untitle(text: str) -> str:
    return "".join(lower_character(c) if b in SPACES else c for b, c in _with_previous(text))


@function("swapcase", "func(string) string", "Small letters for capitals, and the other way round.",
          '{{ swapcase "aBc" }}', "AbC")  # fmt: skip
def swapcase(text: str) -> str:
    from unicodedata import category

    out: list[str] = []
    begins = True
    for character in characters(text):
        kind = category(character)
        if kind in ("Lu", "Lt"):
            out.append(lower_character(character))
        elif kind == "Ll":
            out.append(title_character(character) if begins else upper_character(character))
        else:
            out.append(character)
        begins = character in SPACES
    return "".join(out)


@function(
    "snakecase", "func(string) string", "Words joined by underscores.", '{{ snakecase "HTTPServer" }}', "http_server"
)
def snakecase(text: str) -> str:
    return joined_words(characters(text), "_")


@function("kebabcase", "func(string) string", "Words joined by dashes.", '{{ kebabcase "HTTPServer" }}', "http-server")
def kebabcase(text: str) -> str:
    return joined_words(characters(text), "-")


@function(
    "camelcase",
    "func(string) string",
    "Words joined, each with a capital.",
    '{{ camelcase "http_server" }}',
    "HttpServer",
)
def camelcase(text: str) -> str:
    return camel_case(characters(text))


# -- trimming and cutting


@function("trim", "func(string) string", "Without space at both ends.", '{{ trim "  a " }}', "a")
def trim(text: str) -> str:
    return text.strip(SPACES)


@function("trimAll trimall", "func(string, string) string", "Without certain characters at both ends.",
          '{{ trimAll "$" "$5$" }}', "5")  # fmt: skip
def trim_all(characters: str, text: str) -> str:
    return text.strip(characters) if characters else text


@function("trimSuffix", "func(string, string) string", "Without an ending.", '{{ trimSuffix "-" "a-" }}', "a")
def trim_suffix(suffix: str, text: str) -> str:
    return text.removesuffix(suffix)


@function("trimPrefix", "func(string, string) string", "Without a beginning.", '{{ trimPrefix "-" "-a" }}', "a")
def trim_prefix(prefix: str, text: str) -> str:
    return text.removeprefix(prefix)


_SPACES = frozenset(b"\t\n\v\f\r \x85\xa0")


def _characters(raw: Iterable[int]) -> str:
    return "".join(map(chr, raw))


@function("nospace", "func(string) string", "Without any space.", '{{ nospace "a b c" }}', "abc")
def nospace(text: str) -> str:
    """Sprig takes each byte for a character, once there is anything to remove."""
    raw = to_bytes(text)
    return _characters(byte for byte in raw if byte not in _SPACES) if not _SPACES.isdisjoint(raw) else text


@function("trunc", "func(int, string) string", "The first bytes of a string; the last for a negative number.",
          '{{ trunc 2 "hello" }}', "he")  # fmt: skip
def trunc(count: int, text: str) -> str:
    raw = to_bytes(text)
    if count < 0 and len(raw) + count > 0:
        return from_bytes(raw[count:])
    return from_bytes(raw[:count]) if 0 <= count < len(raw) else text


def _sliced(raw: bytes, start: int, end: int) -> str:
    if end > len(raw):
        raise CallError(f"runtime error: slice bounds out of range [:{end}] with length {len(raw)}")
    if start > end or end < 0:
        shown = f"[{start}:{end}]" if end >= 0 else f"[:{end}]"
        raise CallError(f"runtime error: slice bounds out of range {shown}")
    return from_bytes(raw[start:end])


@function("substr", "func(int, int, string) string", "The bytes from a start up to an end.",
          '{{ substr 1 3 "hello" }}', "el")  # fmt: skip
def substr(start: int, end: int, text: str) -> str:
    raw = to_bytes(text)
    if start < 0:
        return _sliced(raw, 0, end)
    return _sliced(raw, start, len(raw) if end < 0 or end > len(raw) else end)


def abbreviated(raw: bytes, offset: int, width: int) -> bytes:
    """At most `width` bytes of a text, from about `offset`, with dots for what is left out."""
    while len(raw) > width:
        offset = max(min(offset, len(raw)), 0)
        if len(raw) - offset < width - 3:
            offset = len(raw) - (width - 3)
        if offset <= 4:
            return raw[: width - 3] + b"..."
        if offset + width - 3 >= len(raw):
            return b"..." + raw[len(raw) - (width - 3) :]
        return b"..." + abbreviated(raw[offset:], 0, width - 3)
    return raw


@function(
    "abbrev", "func(int, string) string", "Shortened to a width, with dots.", '{{ abbrev 5 "hello world" }}', "he..."
)
def abbrev(width: int, text: str) -> str:
    return text if width < 4 else from_bytes(abbreviated(to_bytes(text), 0, width))


@function("abbrevboth", "func(int, int, string) string", "Shortened at both ends, with dots.",
          '{{ abbrevboth 5 10 "1234 5678 9123" }}', "...5678...")  # fmt: skip
def abbrevboth(offset: int, width: int, text: str) -> str:
    if width < 4 or (offset > 0 and width < 7):
        return text
    return from_bytes(abbreviated(to_bytes(text), offset, width))


@function("initials", "func(string) string", "The first letter of each word.", '{{ initials "First Try" }}', "FT")
def initials(text: str) -> str:
    """Sprig takes each byte for a character."""
    raw = to_bytes(text)
    pairs = zip(b" " + raw, raw, strict=False)
    return _characters(byte for before, byte in pairs if before in _SPACES and byte not in _SPACES)


# -- questions


@function(
    "contains",
    "func(string, string) bool",
    "Whether a string contains another.",
    '{{ contains "cat" "catch" }}',
    "true",
)
def contains(part: str, text: str) -> bool:
    return part in text


@function(
    "hasPrefix",
    "func(string, string) bool",
    "Whether a string has the prefix.",
    '{{ hasPrefix "cat" "catch" }}',
    "true",
)
def has_prefix(prefix: str, text: str) -> bool:
    return text.startswith(prefix)


@function(
    "hasSuffix", "func(string, string) bool", "Whether a string has the suffix.", '{{ hasSuffix "ch" "catch" }}', "true"
)
def has_suffix(suffix: str, text: str) -> bool:
    return text.endswith(suffix)


# -- building


@function("repeat", "func(int, string) string", "A text several times.", '{{ repeat 3 "ab" }}', "ababab", context=True)
def repeat(frame: Any, count: int, text: str) -> str:
    if count < 0:
        raise CallError("strings: negative Repeat count")
    frame.make(count * len(text))
    return text * count


@function("quote", "func(...interface {}) string", "Each argument in double quotes; nil is left out.",
          '{{ quote "a" 1 }}', '"a" "1"')  # fmt: skip
def quote_all(*values: Any) -> str:
    if len(values) == 1 and values[0].__class__ is str:
        return quote(values[0])
    return " ".join(quote(to_text(value)) for value in values if value is not None)


@function("squote", "func(...interface {}) string", "Each argument in single quotes; nil is left out.",
          '{{ squote "a" 1 }}', "'a' '1'")  # fmt: skip
def squote(*values: Any) -> str:
    return " ".join(f"'{display(value)}'" for value in values if value is not None)


@function("cat", "func(...interface {}) string", "The arguments, with spaces between; nil is left out.",
          '{{ cat "a" 1 true }}', "a 1 true")  # fmt: skip
def cat(*values: Any) -> str:
    return " ".join(display(value) for value in values if value is not None)


@function(
    "indent",
    "func(int, string) string",
    "Every line moved to the right.",
    '{{ indent 2 "a\\nb" }}',
    "  a\n  b",
    context=True,
)
def indent(frame: Any, spaces: int, text: str) -> str:
    if spaces < 0:
        raise CallError("strings: negative Repeat count")
    frame.make(len(text) + spaces * (text.count("\n") + 1))
    pad = " " * spaces
    return pad + text.replace("\n", "\n" + pad)


@function("nindent", "func(int, string) string", "Every line moved to the right, after a new line.",
          '{{ nindent 2 "a" }}', "\n  a", context=True)  # fmt: skip
def nindent(frame: Any, spaces: int, text: str) -> str:
    return "\n" + indent(frame, spaces, text)


@function("replace", "func(string, string, string) string", "Replaces every occurrence of one text by another.",
          '{{ "a.b" | replace "." "-" }}', "a-b", context=True)  # fmt: skip
def replace(frame: Any, old: str, new: str, text: str) -> str:
    places = text.count(old) if old else len(text) + 1
    frame.make(len(text) + places * len(new))
    return text.replace(old, new)


@function("plural", "func(string, string, int) string", "One word for one, another for any other number.",
          '{{ plural "egg" "eggs" 2 }}', "eggs")  # fmt: skip
def plural(one: str, many: str, count: int) -> str:
    return one if count == 1 else many


def wrapped(text: str, width: int, newline: str, breaks_words: bool) -> str:
    raw, gap = to_bytes(text), to_bytes(newline)
    width = max(width, 1)
    out, at = [], 0
    while len(raw) - at > width:
        if raw[at : at + 1] == b" ":
            at += 1
            continue
        space = raw.rfind(b" ", at, at + width + 1)
        if space < 0 and not breaks_words:
            space = raw.find(b" ", at + width)
            if space < 0:
                break
        end = at + width if space < 0 else space
        out.append(raw[at:end] + gap)
        at = end if space < 0 else end + 1
    out.append(raw[at:])
    return from_bytes(b"".join(out))


@function("wrap", "func(int, string) string", "Lines of at most a width; long words stay whole.",
          '{{ wrap 5 "Hello World" }}', "Hello\nWorld")  # fmt: skip
def wrap(width: int, text: str) -> str:
    return wrapped(text, width, "\n", False)


@function("wrapWith", "func(int, string, string) string", "Lines of at most a width, with a separator of your own.",
          '{{ wrapWith 5 "|" "Hello World" }}', "Hello|World", context=True)  # fmt: skip
def wrap_with(frame: Any, width: int, newline: str, text: str) -> str:
    frame.make(len(text) * (1 + len(newline)))
    return wrapped(text, width, newline or "\n", True)


# -- splitting and joining


def pieces(separator: str, count: int, text: str) -> list[str]:
    """Go's SplitN: at most `count` pieces; all of them for a negative count."""
    if count == 0:
        return []
    if separator:
        return text.split(separator, count - 1 if count > 0 else -1)
    characters = list(text)
    if 0 < count < len(characters):
        characters[count - 1 :] = ["".join(characters[count - 1 :])]
    return characters


def _numbered(pieces: list[str]) -> StringMap:
    return StringMap({f"_{index}": piece for index, piece in enumerate(pieces)})


@function("split", "func(string, string) map[string]string", "The pieces of a string, as a map with keys _0, _1, ...",
          '{{ (split "-" "a-b")._1 }}', "b")  # fmt: skip
def split(separator: str, text: str) -> StringMap:
    return _numbered(pieces(separator, -1, text))


@function(
    "splitn",
    "func(string, int, string) map[string]string",
    "At most n pieces of a string, as a map with the keys _0, _1, ...",
    '{{ (splitn "-" 2 "a-b-c")._1 }}',
    "b-c",
)
def splitn(separator: str, count: int, text: str) -> StringMap:
    return _numbered(pieces(separator, count, text))


@function(
    "splitList",
    "func(string, string) []string",
    "The pieces of a string, as a list.",
    '{{ splitList "-" "a-b" }}',
    "[a b]",
)
def split_list(separator: str, text: str) -> Strings:
    return Strings(pieces(separator, -1, text))


@function(
    "join",
    "func(string, interface {}) string",
    "The items of a list as one text.",
    '{{ list "a" 1 | join "-" }}',
    "a-1",
    context=True,
)
def join(frame: Any, separator: str, value: Any) -> str:
    texts = to_texts(value)
    frame.make(len(texts) * len(separator) + sum(map(len, texts)))
    return separator.join(texts)


@function("sortAlpha", "func(interface {}) []string", "The items of a list as strings, in order.",
          '{{ list "b" "a" | sortAlpha }}', "[a b]")  # fmt: skip
def sort_alpha(value: Any) -> Strings:
    if is_nil(value):
        return NilStrings()
    return Strings(sorted(to_texts(value)) if is_list(value) else [to_text(value)])


@function("toString", "func(interface {}) string", "Any value as text.", "{{ toString 1.5 }}", "1.5")
def to_string(value: Any) -> str:
    return to_text(value)


@function(
    "toStrings", "func(interface {}) []string", "The items of a list as strings.", "{{ list 1 2 | toStrings }}", "[1 2]"
)
def to_strings(value: Any) -> Strings:
    return value if isinstance(value, Strings) else Strings(to_texts(value))


# -- chance

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = "0123456789"


def random_numbers(frame: Any, count: int) -> Iterator[int]:
    """Random numbers, each of 64 bits, of one request to the host."""
    frame.make(32 * count)
    frame.meter.step(2 * count)
    raw = frame.host.random_bytes(8 * count)
    return (int.from_bytes(raw[at : at + 8], "big") for at in range(0, len(raw), 8))


def _random(alphabet: str) -> Callable[[Any, int], str]:
    def make(frame: Any, count: int) -> str:
        if count < 0:
            raise CallError(f"Requested random string length {count} is less than 0.")
        return "".join(alphabet[number % len(alphabet)] for number in random_numbers(frame, count))

    return make


for _name, _alphabet, _what in (
    ("randAlphaNum", _LETTERS + _DIGITS, "letters and digits"),
    ("randAlpha", _LETTERS, "letters"),
    ("randNumeric", _DIGITS, "digits"),
    ("randAscii", "".join(map(chr, range(32, 127))), "printable characters"),
):
    function(_name, "func(int) string", f"Random {_what}.", f"{{{{ {_name} 5 | len }}}}", "5", context=True)(
        _random(_alphabet)
    )


@function(
    "shuffle",
    "func(string) string",
    "The characters of a string in random order.",
    '{{ shuffle "aaa" }}',
    "aaa",
    context=True,
)
def shuffle(frame: Any, text: str) -> str:
    rest = list(text)
    for at, number in enumerate(random_numbers(frame, len(rest))):
        other = at + number % (len(rest) - at)
        rest[at], rest[other] = rest[other], rest[at]
    return "".join(rest)
