"""`strings`: texts cut, changed, split, quoted and wrapped."""

from __future__ import annotations

from plait.core.quoting import from_bytes, quote, to_bytes
from plait.notations.gotemplate.casts import SPACES
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate.casts import text, whole
from plait.notations.gotemplate.gomplate.words import camel_case, joined_words, slugged, titled
from plait.notations.gotemplate.sprig.strings import abbreviated, pieces, wrapped
from plait.notations.gotemplate.values import Strings, is_list, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STRINGS = FunctionGroup("gomplate strings", "gomplate: strings")
function = STRINGS.function
WIDTH = 80
"""How wide lines are that are wrapped to no certain width."""


# -- case


@function("strings.ToUpper toUpper", "func(interface {}) string", "Capital letters.",
          '{{ strings.ToUpper "straße" }}', "STRASSE")  # fmt: skip
def to_upper(value: Any) -> str:
    return text(value).upper()


@function("strings.ToLower toLower", "func(interface {}) string", "Small letters.", '{{ strings.ToLower "AB" }}', "ab")
def to_lower(value: Any) -> str:
    return text(value).lower()


@function("strings.Title", "func(interface {}) string", "A capital at the start of every word, small letters after it.",
          '{{ strings.Title "hello WORLD" }}', "Hello World")  # fmt: skip
def title(value: Any) -> str:
    return titled(text(value))


@function("strings.CamelCase", "func(interface {}) (string, error)",
          "Words joined, each with a capital; the first letter stays as it is.",
          '{{ strings.CamelCase "hello jello" }}', "helloJello")  # fmt: skip
def strings_camel_case(value: Any) -> str:
    return camel_case(text(value))


@function("strings.SnakeCase", "func(interface {}) (string, error)",
          "Words joined by underscores; the first letter stays as it is.",
          '{{ strings.SnakeCase "Hello, World!" }}', "Hello_world")  # fmt: skip
def strings_snake_case(value: Any) -> str:
    return joined_words(text(value), "_")


@function("strings.KebabCase", "func(interface {}) (string, error)",
          "Words joined by dashes; the first letter stays as it is.",
          '{{ strings.KebabCase "Hello, World!" }}', "Hello-world")  # fmt: skip
def strings_kebab_case(value: Any) -> str:
    return joined_words(text(value), "-")


@function("strings.Slug", "func(interface {}) string", "A text as a part of an address.",
          '{{ strings.Slug "Hello, World & me_too!" }}', "hello-world-and-me_too")  # fmt: skip
def slug(value: Any) -> str:
    return slugged(text(value))


# -- trimming and cutting


@function("strings.TrimSpace trimSpace", "func(interface {}) string", "Without space at both ends.",
          '{{ strings.TrimSpace " a " }}', "a")  # fmt: skip
def trim_space(value: Any) -> str:
    return text(value).strip(SPACES)


@function("strings.Trim", "func(string, interface {}) string", "Without certain characters at both ends.",
          '{{ strings.Trim "_-" "_-a-_" }}', "a")  # fmt: skip
def trim(characters: str, value: Any) -> str:
    return text(value).strip(characters) if characters else text(value)


@function("strings.TrimLeft", "func(string, interface {}) string", "Without certain characters at the start.",
          '{{ strings.TrimLeft "_-" "_-a-_" }}', "a-_")  # fmt: skip
def trim_left(characters: str, value: Any) -> str:
    return text(value).lstrip(characters) if characters else text(value)


@function("strings.TrimRight", "func(string, interface {}) string", "Without certain characters at the end.",
          '{{ strings.TrimRight "_-" "_-a-_" }}', "_-a")  # fmt: skip
def trim_right(characters: str, value: Any) -> str:
    return text(value).rstrip(characters) if characters else text(value)


@function("strings.TrimPrefix", "func(string, interface {}) string", "Without a beginning.",
          '{{ strings.TrimPrefix "v" "v12" }}', "12")  # fmt: skip
def trim_prefix(prefix: str, value: Any) -> str:
    return text(value).removeprefix(prefix)


@function("strings.TrimSuffix", "func(string, interface {}) string", "Without an ending.",
          '{{ strings.TrimSuffix "2" 12 }}', "1")  # fmt: skip
def trim_suffix(suffix: str, value: Any) -> str:
    return text(value).removesuffix(suffix)


@function("strings.Trunc", "func(int, interface {}) string", "The first bytes; all for a negative number.",
          '{{ strings.Trunc 2 "hello" }} {{ strings.Trunc -2 "hello" }}', "he hello")  # fmt: skip
def trunc(count: int, value: Any) -> str:
    raw = to_bytes(text(value))
    return from_bytes(raw[:count]) if count >= 0 else from_bytes(raw)


@function("strings.Abbrev", "func(...interface {}) (string, error)",
          "Shortened to a width, with dots: [OFFSET] WIDTH TEXT.",
          '{{ strings.Abbrev 6 9 "foobarbazquxquux" }}', "...baz...")  # fmt: skip
def abbrev(*values: Any) -> str:
    if len(values) not in (2, 3):
        raise CallError("abbrev requires a 'maxWidth' and 'input' argument")
    offset = whole(values[0]) if len(values) == 3 else 0
    width, raw = whole(values[-2]), to_bytes(text(values[-1]))
    if len(raw) <= width:
        return from_bytes(raw)
    if width < 4:
        raise CallError("stringutils illegal argument: Minimum abbreviation width is 4")
    if min(offset, len(raw) - width + 3) > 4 and width < 7:
        raise CallError("stringutils illegal argument: Minimum abbreviation width with offset is 7")
    return from_bytes(abbreviated(raw, offset, width))


@function("strings.SkipLines", "func(int, string) (string, error)", "A text without its first lines.",
          '{{ strings.SkipLines 1 "a\\nb\\nc" }}', "b\nc")  # fmt: skip
def skip_lines(count: int, value: str) -> str:
    if count < 0:
        raise CallError("skip must be >= 0")
    lines = value.split("\n", count)
    return lines[count] if count < len(lines) else ""


# -- questions


@function("strings.Contains", "func(string, interface {}) bool", "Whether a text contains another.",
          '{{ strings.Contains "2" 123 }}', "true")  # fmt: skip
def contains(part: str, value: Any) -> bool:
    return part in text(value)


@function("strings.HasPrefix", "func(string, interface {}) bool", "Whether a text has a beginning.",
          '{{ strings.HasPrefix "1" 123 }}', "true")  # fmt: skip
def has_prefix(prefix: str, value: Any) -> bool:
    return text(value).startswith(prefix)


@function("strings.HasSuffix", "func(string, interface {}) bool", "Whether a text has an ending.",
          '{{ strings.HasSuffix "1" 123 }}', "false")  # fmt: skip
def has_suffix(suffix: str, value: Any) -> bool:
    return text(value).endswith(suffix)


@function("strings.RuneCount", "func(...interface {}) (int, error)", "The number of characters in texts.",
          '{{ strings.RuneCount "añb" 12 }}', "5")  # fmt: skip
def rune_count(*values: Any) -> int:
    return sum(len(text(value)) for value in values)


# -- building


@function("strings.ReplaceAll replaceAll", "func(string, string, interface {}) string",
          "Replaces every occurrence of one text by another.",
          '{{ strings.ReplaceAll "." "-" "a.b" }}', "a-b", context=True)  # fmt: skip
def replace_all(frame: Any, old: str, new: str, value: Any) -> str:
    given = text(value)
    places = given.count(old) if old else len(given) + 1
    frame.make(len(given) + places * len(new))
    return given.replace(old, new)


@function("strings.Repeat", "func(int, interface {}) (string, error)", "A text several times.",
          '{{ strings.Repeat 3 "ab" }}', "ababab", context=True)  # fmt: skip
def repeat(frame: Any, count: int, value: Any) -> str:
    if count < 0:
        raise CallError(f"negative count {count}")
    given = text(value)
    frame.make(count * len(given))
    return given * count


@function("strings.Indent", "func(...interface {}) (string, error)",
          "Every line that is not empty moved to the right: [WIDTH] [INDENT] TEXT.",
          '{{ strings.Indent 2 "-" "a\\n\\nb" }}', "--a\n\n--b", context=True)  # fmt: skip
def indent(frame: Any, *values: Any) -> str:
    width, pad = _indentation(values)
    given = text(values[-1])
    if width <= 0 or "\n" in pad:
        return given
    frame.make(len(given) + width * len(pad) * (given.count("\n") + 1))
    pad *= width
    return "\n".join(pad + line if line else line for line in given.split("\n"))


def _indentation(values: tuple[Any, ...]) -> tuple[int, str]:
    """How often which text is put before a line."""
    wrong = CallError("indent: invalid arguments")
    if not values:
        raise wrong
    if len(values) == 2:
        if values[0].__class__ is str:
            return 1, values[0]
        if values[0].__class__ is not int:
            raise wrong
        return values[0], " "
    if len(values) == 3:
        if values[0].__class__ is not int or values[1].__class__ is not str:
            raise wrong
        return values[0], values[1]
    return 1, " "


@function("strings.WordWrap", "func(...interface {}) (string, error)",
          "Lines of at most a width; long words stay whole: [WIDTH] [BREAK] TEXT.",
          '{{ strings.WordWrap 5 "|" "Hello wide World" }}', "Hello|wide|World", context=True)  # fmt: skip
def word_wrap(frame: Any, *values: Any) -> str:
    if not 1 <= len(values) <= 3:
        raise CallError(f"expected 1, 2, or 3 args, got {len(values)}")
    width, newline = 0, ""
    if len(values) == 3:
        width, newline = whole(values[0]), text(values[1])
    elif len(values) == 2 and values[0].__class__ is str:
        newline = values[0]
    elif len(values) == 2:
        width = whole(values[0])
    given = text(values[-1])
    frame.make(len(given) * (1 + len(newline)))
    return wrapped(given, width or WIDTH, newline or "\n", False)


@function("strings.Quote", "func(interface {}) string", "A value in double quotes.", "{{ strings.Quote 1 }}", '"1"')
def strings_quote(value: Any) -> str:
    return quote(text(value))


@function("strings.Squote", "func(interface {}) string", "A value in single quotes, those in it doubled.",
          '{{ strings.Squote "it\'s" }}', "'it''s'")  # fmt: skip
def squote(value: Any) -> str:
    return "'" + text(value).replace("'", "''") + "'"


@function("strings.ShellQuote shellQuote", "func(interface {}) string", "A text, or the items of a list, for a shell.",
          '{{ strings.ShellQuote (list "a b" 1) }}', "'a b' '1'")  # fmt: skip
def shell_quote(value: Any) -> str:
    texts = [text(item) for item in value] if is_list(value) else [text(value)]
    return " ".join("'" + one.replace("'", "'\"'\"'") + "'" for one in texts)


# -- lists of texts


@function("strings.Split", "func(string, interface {}) []string", "The pieces of a text.",
          '{{ strings.Split "-" "a-b" }}', "[a b]")  # fmt: skip
def split(separator: str, value: Any) -> Strings:
    return Strings(pieces(separator, -1, text(value)))


@function("strings.SplitN", "func(string, int, interface {}) []string", "At most n pieces of a text.",
          '{{ index (strings.SplitN "-" 2 "a-b-c") 1 }}', "b-c")  # fmt: skip
def split_n(separator: str, count: int, value: Any) -> Strings:
    return Strings(pieces(separator, count, text(value)))


@function("splitN", "func(string, string, int) []string", "At most n pieces of a text; the text comes first.",
          '{{ index (splitN "a-b-c" "-" 2) 1 }}', "b-c")  # fmt: skip
def split_n_of(value: str, separator: str, count: int) -> Strings:
    return Strings(pieces(separator, count, value))


@function("strings.Sort", "func(interface {}) ([]string, error)", "The items of a list as texts, in order.",
          '{{ strings.Sort (list "b" 10 9) }}', "[10 9 b]")  # fmt: skip
def sort(value: Any) -> Strings:
    if type_name(value) not in ("[]string", "[]interface {}"):
        raise CallError(f"wrong type for value; expected []string; got {type_name(value)}")
    return Strings(sorted(map(text, value), key=to_bytes))
