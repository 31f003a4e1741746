"""How one scalar is written, so that every reader reads it back as it is.

A text stays plain where YAML 1.2 and YAML 1.1 both read it as that text; otherwise it is quoted, singly where that is
enough and doubly where it holds something that only an escape can say. Numbers keep the text they were written with.
"""

from __future__ import annotations

from plait.core import native
from plait.core.diagnostic import Label, PlaitError, placed
from plait.core.lazy import LazyPattern
from plait.core.node import Node, Scalar
from plait.report.catalog import NO_TEXT
from plait.yaml.schema import CORE, DIGITS_AT_ONCE, Digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_WORD = LazyPattern(
    r"(?![nNyYtTfFoO<][uUeErRaAnNfFoO<]?[lLsSuU]?[lLsSeEfF]?[eE]?\Z)"
    r"[A-Za-z_/(<][A-Za-z0-9_./()@%+=<>-]*(?: [A-Za-z0-9_./(][A-Za-z0-9_./()@%+=<>-]*)*\Z"
)
is_word: Callable[[str], object] = native.is_word or _WORD.compiled().match
"""The usual case, recognised at once; what this does not match is examined more closely."""

_AMBIGUOUS_WORDS = frozenset({"", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<"})
_UNSAFE_STARTS = frozenset("-?:,[]{}#&*!|>'\"%@` ")
_UNSAFE_IN_FLOW = frozenset("[]{},")

_ESCAPES = {
    **{chr(code): f"\\x{code:02x}" for code in (*range(32), *range(127, 160))},
    **{
        sign: "\\" + letter
        for sign, letter in zip('\0\a\b\t\n\v\f\r\x1b"\\\x85\xa0\u2028\u2029', '0abtnvfre"\\N_LP', strict=True)
    },
}
_TAG_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_;/?:@&=+$.~*'()#")
_YAML_TAG = "tag:yaml.org,2002:"
_NUMBERS = LazyPattern(
    r"(?i:[-+]?(?:0[box][0-9a-f_]+|(?:[0-9][0-9_]*(?::[0-9_]+)*)?\.?[0-9_]*(?:e[-+]?[0-9]+)?|\.inf|\.nan)\Z"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[t \t].*)?\Z)"
)
"""What one of the two versions of YAML reads as a number or a date."""
_LITERAL = LazyPattern(r"[^\n\t][^\n]*(?:\n(?:[^\n\t][^\n]*)?)*\Z")
_BLANK_LINE = LazyPattern(r"(?m:^[ \t]+$)")


def is_plain(text: str) -> bool:
    """Whether a text can be written as it is, in a block."""
    if is_word(text):
        return True
    return text.lower() not in _AMBIGUOUS_WORDS and not _may_be_number(text) and can_be_plain(text)


def _may_be_number(text: str) -> bool:
    """Whether some reader takes a text for a number or a date; go-yaml leaves out underscores wherever they are."""
    return bool(_NUMBERS.match(text) or ("_" in text and _NUMBERS.match(text.replace("_", ""))))


def can_be_plain(text: str) -> bool:
    """Whether YAML's grammar allows a text as it is, in a block, whatever it means."""
    if not text or not text.isprintable():
        return False
    if text[0] in _UNSAFE_STARTS and not (text[0] == "-" and text[1:2].isalnum()):
        return False
    return not text.startswith("...") and ": " not in text and " #" not in text and text[-1] not in ": "


def is_plain_in_flow(text: str) -> bool:
    """Whether a text can be written as it is between brackets."""
    quoted_value = ':"' in text or ":'" in text
    return is_plain(text) and _UNSAFE_IN_FLOW.isdisjoint(text) and not quoted_value


def quoted(text: str, prefer: str = "'") -> str:
    """A text in quotes: single ones where nothing in it needs an escape."""
    if not text.isprintable():
        return double_quoted(text)
    doubles = '"' in text or "\\" in text
    if prefer == '"':
        return f"'{text}'" if doubles and "'" not in text else double_quoted(text)
    if "'" in text and not doubles:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def double_quoted(text: str) -> str:
    """A text in double quotes, on one line, with an escape for everything that is not a plain character."""
    return '"' + "".join([sign if sign.isprintable() and sign not in '"\\' else _escape(sign) for sign in text]) + '"'


def _escape(sign: str) -> str:
    known = _ESCAPES.get(sign)
    if known is not None:
        return known
    code = ord(sign)
    if 0xD800 <= code < 0xE000:
        raise NO_TEXT.error(
            code=f"U+{code:04X}", hint="it is half of a character: the text was cut, or read with the wrong encoding"
        )
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def inline_text(text: str, prefer: str = "'") -> str:
    """A text on one line of a block."""
    return text if is_plain(text) else quoted(text, prefer)


def literal(text: str, indent: int, pad: str, root: bool = False) -> str | None:
    """A text of several lines as a literal block below `pad`, from its `|` on; None where a block cannot say it.

    `indent` is how far the block is indented inside its parent: written in the header where the text itself begins
    with a space.
    """
    if not text.replace("\n", "").replace("\t", "").isprintable() or not _LITERAL.match(text):
        return None
    if _BLANK_LINE.search(text) or not 0 < indent < 10:
        return None
    header = "|"
    if text[0] == " ":
        if root:
            return None
        header += str(indent)
    body = text.rstrip("\n")
    if not body.strip():
        return None
    newlines = len(text) - len(body)
    header += ("-", "")[newlines] if newlines < 2 else "+"
    lines = [pad + line if line else "" for line in body.split("\n")]
    return header + "\n" + "\n".join(lines) + "\n" * max(0, newlines - 1)


def number_text(value: int | float, text: str) -> str:
    """A number: the text it was written with where that still means it, else the shortest that does."""
    if value.__class__ is int and -(10**18) < value < 10**18 and text == str(value):
        return text
    read = CORE.resolve(text) if text else None
    if read.__class__ is value.__class__ and (read == value or (read != read and value != value)):
        return text
    return _decimal(value) if isinstance(value, int) else _float(value)


def _decimal(value: int) -> str:
    """A decimal integer of any length."""
    sign, rest = ("-", -value) if value < 0 else ("", value)
    pieces: list[str] = []
    unit = 10**DIGITS_AT_ONCE
    while rest >= unit:
        rest, piece = divmod(rest, unit)
        pieces.append(f"{piece:0{DIGITS_AT_ONCE}d}")
    return sign + "".join([str(rest), *reversed(pieces)])


def _float(value: float) -> str:
    if value != value:
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def inline_value(node: Scalar, reveal: bool = False, prefer: str = "'") -> str:
    """A scalar's value on one line of a block, without its tag."""
    if node.secret and not reveal:
        return node.mask
    value = node.value
    if value.__class__ is Digits:
        return str(value)
    if isinstance(value, str):
        try:
            return inline_text(value, prefer)
        except Exception as trouble:
            raise _placed(trouble, node) from None
    if value is None:
        return "" if node.tag is not None and node.text == "" else "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        from binascii import b2a_base64

        return "!!binary " + quoted(b2a_base64(value, newline=False).decode())
    return number_text(value, node.text)


def _placed(trouble: Exception, node: Node) -> Exception:
    """The same error, with the place of the value."""
    return placed(trouble, Label(node.origin)) if isinstance(trouble, PlaitError) else trouble


def tag_text(tag: str) -> str:
    """A tag as it is written before its value."""
    if tag.startswith(_YAML_TAG):
        short = "!!" + _percent(tag[len(_YAML_TAG) :])
        if len(short) > 2:
            return short
    if tag.startswith("!") and len(tag) > 1 and "!" not in tag[1:]:
        return "!" + _percent(tag[1:])
    return f"!<{_percent(tag, '!,[]')}>"


def _percent(text: str, also: str = "") -> str:
    return "".join(
        [
            sign if sign in _TAG_LETTERS or sign in also else "".join(f"%{byte:02X}" for byte in sign.encode())
            for sign in text
        ]
    )
