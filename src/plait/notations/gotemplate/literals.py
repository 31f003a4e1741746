"""The value of a literal in a template: Go's quoted texts, characters and numbers."""

from __future__ import annotations

from plait.notations.gotemplate.tree import Number

_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}
_HEX, _OCTAL = frozenset("0123456789abcdefABCDEF"), frozenset("01234567")
INT_MAX, INT_MIN, UINT_MAX = 2**63 - 1, -(2**63), 2**64 - 1


def unquote(text: str) -> str:
    """The value of a quoted text. Raises ValueError for an escape that Go does not know."""
    body = text[1:-1]
    if text[0] == "`":
        return body.replace("\r", "")
    if "\\" not in body:
        return body
    out: list[str | bytes] = []
    at = 0
    while at < len(body):
        value, at = _character(body, at, '"')
        out.append(value)
    return join(out)


def join(parts: list[str | bytes]) -> str:
    """Texts and raw bytes as one text; bytes that are not UTF-8 stay as escapes that printing undoes."""
    raw = b"".join(p if isinstance(p, bytes) else p.encode("utf-8", "surrogateescape") for p in parts)
    return raw.decode("utf-8", "surrogateescape")


def _character(body: str, at: int, quote: str) -> tuple[str | bytes, int]:
    """One character, or one byte, and where the next begins."""
    if body[at] != "\\":
        end = body.find("\\", at) if quote == '"' else at + 1
        end = len(body) if end < 0 else end
        return body[at:end], end
    sign = body[at + 1 : at + 2]
    if sign in _ESCAPES:
        return _ESCAPES[sign], at + 2
    if sign and sign == quote:
        return quote, at + 2
    if sign in _HEX_LENGTH and sign:
        length = _HEX_LENGTH[sign]
        digits = body[at + 2 : at + 2 + length]
        if len(digits) != length or not _HEX.issuperset(digits):
            raise ValueError("invalid syntax")
        code = int(digits, 16)
        if sign == "x":
            return bytes([code]), at + 4
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise ValueError("invalid syntax")
        return chr(code), at + 2 + length
    digits = body[at + 1 : at + 4]
    if len(digits) == 3 and _OCTAL.issuperset(digits) and int(digits, 8) < 256:
        return bytes([int(digits, 8)]), at + 4
    raise ValueError("invalid syntax")


def character(at: int, text: str) -> Number:
    """A character constant: an integer to every function."""
    body = text[1:-1]
    if not body:
        raise ValueError("invalid syntax")
    value, end = _character(body, 0, "'")
    if end != len(body):
        raise ValueError(f"malformed character constant: {text}")
    code = value[0] if isinstance(value, bytes) else ord(value)
    number = Number(at, text)
    number.as_int = number.as_uint = code
    number.as_float = float(code)
    return number


def complex_number(at: int, text: str) -> Number:
    """1+2i"""
    cut = max(text.rfind("+"), text.rfind("-"))
    if text[cut - 1] in "eEpP":
        cut = max(text.rfind("+", 0, cut), text.rfind("-", 0, cut))
    real, imaginary = parse_float(text[:cut]), parse_float(text[cut:-1])
    if real is None or imaginary is None:
        raise ValueError("syntax error scanning complex number")
    return _simplified(Number(at, text), complex(real, imaginary))


def _simplified(number: Number, value: complex) -> Number:
    number.as_complex = value
    if value.imag == 0:
        number.as_float = value.real
        _whole(number, value.real)
    return number


def _whole(number: Number, value: float) -> None:
    if value == value and abs(value) < 2.0**63 and int(value) == value:
        number.as_int = int(value)
    if 0 <= value < 2.0**64 and int(value) == value:
        number.as_uint = int(value)


def number(at: int, text: str) -> Number:
    """A number, with every type it fits."""
    result = Number(at, text)
    if text.isdecimal() and text.isascii() and (text[0] != "0" or text == "0") and len(text) < 19:
        result.as_int = result.as_uint = int(text)
        result.as_float = float(result.as_int)
        return result
    if text[-1:] == "i":
        imaginary = parse_float(text[:-1])
        if imaginary is not None:
            return _simplified(result, complex(0, imaginary))
    whole = parse_int(text)
    if whole is not None and INT_MIN <= whole <= UINT_MAX:
        result.as_int = whole if whole <= INT_MAX else None
        result.as_uint = whole if whole >= 0 and (text[0] not in "+-" or whole == 0) else None
        if result.as_int is not None or result.as_uint is not None:
            result.as_float = float(whole)
            return result
    real = parse_float(text)
    if real is None:
        raise ValueError(f'illegal number syntax: "{text}"')
    if not any(sign in text for sign in ".eEpP"):
        raise ValueError(f'integer overflow: "{text}"')
    result.as_float = real
    _whole(result, real)
    return result


_BASES = {"x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2}


def parse_int(text: str, base: int = 0) -> int | None:
    """Go's ParseInt without its range: base 0 reads prefixes and underscores. None if it is not an integer."""
    sign = -1 if text[:1] == "-" else 1
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits or not digits.isascii():
        return None
    if base == 0:
        base, digits = _prefixed(digits)
        if "_" in digits and not _underscores_fit(text):
            return None
        digits = digits.replace("_", "")
    if not digits or not digits.isalnum():
        return None
    try:
        return sign * int(digits, base)
    except ValueError:
        return None


def _prefixed(digits: str) -> tuple[int, str]:
    if digits[0] == "0" and len(digits) > 1:
        base = _BASES.get(digits[1])
        return (base, digits[2:]) if base else (8, digits[1:])
    return 10, digits


def _underscores_fit(text: str) -> bool:
    """Underscores are between digits, or between a prefix and the first digit."""
    body = text.lstrip("+-").lower()
    prefixed = body[:2] in ("0x", "0o", "0b")
    digits = "0123456789abcdef" if body[:2] == "0x" else "0123456789"
    before = "0" if prefixed else "^"
    for sign in body[2:] if prefixed else body:
        if sign in digits:
            before = "0"
        elif sign == "_" and before == "0":
            before = "_"
        elif sign == "_" or before == "_":
            return False
        else:
            before = "!"
    return before != "_"


def parse_float(text: str) -> float | None:
    """Go's ParseFloat: decimal or hexadecimal, None if it is not a number, or one that is out of range."""
    if "_" in text:
        if not _underscores_fit(text):
            return None
        text = text.replace("_", "")
    body = text.lstrip("+-")
    if len(text) - len(body) > 1 or not text.isascii() or text != text.strip():
        return None
    if body[:2].lower() == "0x":
        return _hexadecimal_float(text)
    named = body.lower() in ("inf", "infinity", "nan")
    if not named and not (body[:1].isdigit() or body[:1] == "."):
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if named or abs(value) != float("inf") else None


def _hexadecimal_float(text: str) -> float | None:
    if "p" not in text.lower():
        return None
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError):
        return None
