"""Go's fmt: how values look when they are printed, and all the verbs of `printf`.

Values inside lists and maps are written from a stack, so the depth of the data does not matter.
"""

from __future__ import annotations

from plait.core.floats import shortest
from plait.core.quoting import quote, to_bytes
from plait.notations.gotemplate.values import (
    FIRST_PARTS,
    LIST_CLASSES,
    MAP_CLASSES,
    MISSING,
    GoText,
    GoType,
    Object,
    StructFields,
    is_nil,
    lookup,
    parts_left,
    plain,
    sorted_keys,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_WIDTH = 1_000_000
"""Go's own bound for widths and precisions."""
LEAST_POWER = -1074
"""The power of two that the smallest floats are counted in."""
USUAL = 10**18
"""Whole numbers below this have few digits."""


class VerbFlags:
    """The flags, width and precision between `%` and the verb."""

    __slots__ = ("go_syntax", "minus", "plus", "plus_v", "precision", "sharp", "space", "width", "zero")

    def __init__(self) -> None:
        self.minus = self.plus = self.sharp = self.space = self.zero = False
        self.plus_v = self.go_syntax = False
        self.width: int | None = None
        self.precision: int | None = None

    def pad(self, text: str) -> str:
        missing = (self.width or 0) - len(text)
        if missing <= 0:
            return text
        if self.minus:
            return text + " " * missing
        return ("0" if self.zero else " ") * missing + text


_DEFAULT = VerbFlags()


# -- numbers


def _finite(value: float) -> bool:
    return value == value and value not in (float("inf"), float("-inf"))


def _hexadecimal(value: float, precision: int | None, upper: bool) -> str:
    """%x of a float: 0x1.8p+01."""
    import math

    mantissa, exponent = math.frexp(abs(value))
    bits = int(mantissa * 2**53)
    power = exponent - 1 if value else 0
    if precision is None:
        whole, fraction = bits >> 52, f"{bits & (1 << 52) - 1:013x}".rstrip("0")
    else:
        drop = 52 - 4 * precision
        bits = bits << -drop if drop <= 0 else _half_even(bits, drop)
        whole, fraction = bits >> 4 * precision, f"{bits & (1 << 4 * precision) - 1:0{precision}x}" if precision else ""
        if whole == 2:
            whole, power = 1, power + 1
    sign = "-" if math.copysign(1, value) < 0 else ""
    point = "." if fraction else ""
    out = f"{sign}0x{whole}{point}{fraction}p{'-' if power < 0 else '+'}{abs(power):02d}"
    return out.upper() if upper else out


def _half_even(bits: int, drop: int) -> int:
    kept, rest, half = bits >> drop, bits & ((1 << drop) - 1), 1 << (drop - 1)
    return kept + (rest > half or (rest == half and kept & 1))


def _binary_exponent(value: float) -> str:
    """%b of a float: mantissa and power of two."""
    import math

    exponent = math.frexp(value)[1]
    power = max(exponent - 53, LEAST_POWER) if value else LEAST_POWER
    sign = "-" if math.copysign(1, value) < 0 else ""
    return f"{sign}{int(math.ldexp(abs(value), -power))}p{power:+d}"


def _float_digits(value: float, verb: str, flags: VerbFlags) -> str:
    precision = flags.precision
    if not _finite(value):
        return shortest(value).lstrip("+")
    if verb in "xX":
        return _hexadecimal(value, precision, verb == "X")
    if verb == "b":
        return _binary_exponent(value)
    if verb in "vgG" and precision is None:
        text = shortest(value)
        return text.upper() if verb == "G" else text
    kind = {"v": "g", "F": "f"}.get(verb, verb)
    return f"%.{6 if precision is None else precision}{kind}" % value


def _with_point(text: str, verb: str, precision: int | None) -> str:
    """A number with a decimal point and, by some verbs, the zeros at its end, as `#` wants it."""
    hexadecimal = verb in "xX"
    mark = next((at for at, letter in enumerate(text) if letter in ("pP" if hexadecimal else "eE")), len(text))
    number, tail = text[:mark], text[mark:]
    digits = number.lstrip("+-").replace(".", "")
    missing = (6 if precision is None else precision) if verb in "vgGx" else 0
    missing -= len(digits.lstrip("0"))
    if "." not in number:
        missing -= digits == "0"
        number += "."
    return number + "0" * missing + tail


def _float(value: float, verb: str, flags: VerbFlags) -> str | None:
    if verb not in "vbgGxXfFeE":
        return None
    digits = _float_digits(value, verb, flags)
    if flags.sharp and verb != "b" and _finite(value):
        digits = _with_point(digits, verb, flags.precision)
    return _signed(digits, _finite(value), flags)


def _signed(text: str, zeros: bool, flags: VerbFlags) -> str:
    """A number with its sign, padded; zeros go between the sign and the digits."""
    sign = text[0] if text[0] in "+-" else ""
    text = text[len(sign) :]
    if not sign and flags.plus:
        sign = "+"
    elif not sign and flags.space:
        sign = " "
    if text == "Inf" and not sign:
        sign = "+"
    if flags.zero and not flags.minus and zeros and flags.width:
        return sign + text.rjust(flags.width - len(sign), "0")
    zero, flags.zero = flags.zero, False
    padded = flags.pad(sign + text)
    flags.zero = zero
    return padded


def _complex(value: complex, verb: str, flags: VerbFlags) -> str | None:
    if verb not in "vbgGxXfFeE":
        return None
    real = _float(value.real, verb, flags)
    plus, flags.plus = flags.plus, True
    imaginary = _float(value.imag, verb, flags)
    flags.plus = plus
    return f"({real}{imaginary}i)"


_BASES = {"d": 10, "b": 2, "o": 8, "O": 8, "x": 16, "X": 16}
_PREFIXES = {2: "0b", 8: "0", 10: "", 16: "0x"}
_FORMATS = {2: "b", 8: "o", 10: "d", 16: "x"}


def _integer(value: int, verb: str, flags: VerbFlags) -> str | None:
    if verb == "v":
        verb = "d"
        if flags.go_syntax and type_name(value).startswith("uint"):
            flags.sharp, verb = True, "x"
    if verb in _BASES:
        return _integer_digits(value, verb, flags)
    if verb in "cqU":
        return {"c": _character, "q": _quoted_character, "U": _unicode}[verb](value, flags)
    return None


def _integer_digits(value: int, verb: str, flags: VerbFlags) -> str:
    base = _BASES[verb]
    sign = "-" if value < 0 else "+" if flags.plus else " " if flags.space else ""
    least = flags.precision or 0
    if flags.precision == 0 and value == 0:
        return " " * (flags.width or 0)
    if flags.precision is None and flags.zero and not flags.minus and flags.width:
        least = flags.width - len(sign)
    text = format(abs(value), _FORMATS[base]).rjust(least, "0")
    if flags.sharp and not (base == 8 and text[0] == "0"):
        text = _PREFIXES[base] + text
    if verb == "O":
        text = "0o" + text
    if verb == "X":
        text = text.upper()
    zero, flags.zero = flags.zero, False
    padded = flags.pad(sign + text)
    flags.zero = zero
    return padded


def _rune(value: int) -> str:
    return chr(value) if 0 <= value <= 0x10FFFF and not 0xD800 <= value < 0xE000 else "\ufffd"


def _character(value: int, flags: VerbFlags) -> str:
    return flags.pad(_rune(value))


def _quoted_character(value: int, flags: VerbFlags) -> str:
    return flags.pad(quote(_rune(value), "'", flags.plus))


def _unicode(value: int, flags: VerbFlags) -> str:
    shown = f"U+{value & (2**64 - 1):0{max(4, flags.precision or 0)}X}"
    if flags.sharp and 0 <= value <= 0x10FFFF and chr(value).isprintable():
        shown += f" '{chr(value)}'"
    zero, flags.zero = flags.zero, False
    padded = flags.pad(shown)
    flags.zero = zero
    return padded


# -- texts and truth


def _text(value: str, verb: str, flags: VerbFlags) -> str | None:
    if verb == "v":
        verb = "q" if flags.go_syntax else "s"
    if verb in "xX":
        return _hexadecimal_bytes(to_bytes(value), verb == "X", flags)
    if verb not in "sq":
        return None
    if flags.precision is not None:
        value = value[: flags.precision]
    if verb == "s":
        return flags.pad(value)
    if flags.sharp and _can_backquote(value):
        return flags.pad(f"`{value}`")
    return flags.pad(quote(value, '"', flags.plus))


def _can_backquote(value: str) -> bool:
    return all(c == "\t" or (c not in "`\x7f\ufeff" and c >= " " and not "\udc80" <= c <= "\udcff") for c in value)


def _hexadecimal_bytes(raw: bytes, upper: bool, flags: VerbFlags) -> str:
    raw = raw if flags.precision is None else raw[: flags.precision]
    prefix = "0x" if flags.sharp and raw else ""
    text = prefix + (f" {prefix}" if flags.space else "").join(f"{byte:02x}" for byte in raw)
    return flags.pad(text.upper() if upper else text)


def _boolean(value: bool, verb: str, flags: VerbFlags) -> str | None:
    return flags.pad("true" if value else "false") if verb in "tv" else None


def _raw(value: bytes, verb: str, flags: VerbFlags) -> str | None:
    if verb in "xX":
        return _hexadecimal_bytes(value, verb == "X", flags)
    if verb in "sq":
        return _text(value.decode("utf-8", "surrogateescape"), verb, flags)
    return "[" + " ".join(str(_integer(byte, verb, flags)) for byte in value) + "]"


_LEAVES: dict[type, Callable[[Any, str, VerbFlags], str | None]] = {
    str: _text, bool: _boolean, int: _integer, float: _float, complex: _complex, bytes: _raw,
}  # fmt: skip


def _leaf(value: Any, verb: str, flags: VerbFlags) -> str | None:
    """A value that holds no others; None where the verb does not suit it."""
    writer = _LEAVES.get(value.__class__)
    if writer is None:
        if isinstance(value, GoText):
            if verb in "vsxXq" and not flags.go_syntax:
                return _text(value.go_string(), "s" if verb == "v" else verb, flags)
            writer = _integer if isinstance(value, int) else None
        else:
            writer = _integer if isinstance(value, int) else None
    if writer is None:
        return (
            _text(value.go_string() if isinstance(value, Object) else str(value), "s", flags) if verb in "vs" else None
        )
    return writer(value, verb, flags)


# -- anything


def _bad_verb(value: Any, verb: str, flags: VerbFlags) -> str:
    """A value whose verb does not fit: as `%v` prints it, with the width and flags that were given."""
    if value is None or value is MISSING:
        return f"%!{verb}(<nil>)"
    return f"%!{verb}({type_name(value)}={formatted(value, 'v', flags)})"


def _inside_leaf(value: Any, verb: str, flags: VerbFlags) -> str:
    if value is None or value is MISSING:
        return "interface {}(nil)" if flags.go_syntax else "<nil>"
    text = _leaf(value, verb, flags)
    return _bad_verb(value, verb, flags) if text is None else text


def _listed(items: Any, flags: VerbFlags, name: str) -> list[Any]:
    """What a list prints as: texts, and values in a box of their own."""
    if flags.go_syntax and is_nil(items):
        return [f"{name}(nil)"]
    out: list[Any] = [f"{name}{{" if flags.go_syntax else "["]
    gap = ", " if flags.go_syntax else " "
    for index, item in enumerate(items):
        if index:
            out.append(gap)
        out.append((item,))
    out.append("}" if flags.go_syntax else "]")
    return out


def _mapped(mapping: Any, flags: VerbFlags, name: str) -> list[Any]:
    if flags.go_syntax and is_nil(mapping):
        return [f"{name}(nil)"]
    out: list[Any] = [f"{name}{{" if flags.go_syntax else "map["]
    gap = ", " if flags.go_syntax else " "
    for index, key in enumerate(sorted_keys(mapping)):
        if index:
            out.append(gap)
        out.append((key,))
        out.append(":")
        out.append((lookup(mapping, key),))
    out.append("}" if flags.go_syntax else "]")
    return out


def _structured(fields: dict[str, Any], flags: VerbFlags, name: str) -> list[Any]:
    """What a struct prints as; one that is pointed to, with `&`."""
    pointer = "&" if name[0] == "*" else ""
    out: list[Any] = [f"{pointer}{name.removeprefix('*')}{{" if flags.go_syntax else f"{pointer}{{"]
    gap = ", " if flags.go_syntax else " "
    for index, (field, value) in enumerate(fields.items()):
        label = f"{field}:" if flags.go_syntax or flags.plus_v else ""
        out += [f"{gap if index else ''}{label}", (value,)]
    return [*out, "}"]


def formatted(value: Any, verb: str, flags: VerbFlags) -> str:
    """A value by a verb, all the way down."""
    out: list[str] = []
    stack: list[Any] = [(value,)]
    left = FIRST_PARTS
    while stack:
        part = stack.pop()
        if part.__class__ is str:
            out.append(part)
            continue
        left -= 1
        if left < 0:
            left = parts_left(value)
        item = part[0]
        if isinstance(item, LIST_CLASSES):
            stack.extend(reversed(_listed(item, flags, type_name(item))))
        elif isinstance(item, MAP_CLASSES):
            stack.extend(reversed(_mapped(item, flags, type_name(item))))
        elif item.__class__ in _LEAVES or item is None or item is MISSING:
            out.append(_inside_leaf(item, verb, flags))
        elif isinstance(item, Object) and (inside := item.printed()) is not None:
            write = _structured if isinstance(inside, StructFields) else _mapped
            stack.extend(reversed(write(inside, flags, type_name(item))))
        elif isinstance(item, GoType):
            out.append(_inside_leaf(item, verb, flags))
        else:
            stack.append((plain(item),))
    return "".join(out)


def display(value: Any) -> str:
    """A value as `print` and an action write it (%v)."""
    cls = value.__class__
    if cls is str:
        return value  # type: ignore[no-any-return]
    if cls is int:
        return int.__repr__(value)
    if cls is bool:
        return "true" if value else "false"
    if cls is float:
        return shortest(value)
    return formatted(value, "v", _DEFAULT)


def sprint(values: tuple[Any, ...]) -> str:
    """`print`: a space between two values of which neither is a text."""
    out: list[str] = []
    before_is_text = True
    for value in values:
        is_text = value.__class__ is str
        if not is_text and not before_is_text:
            out.append(" ")
        out.append(display(value))
        before_is_text = is_text
    return "".join(out)


def sprintln(values: tuple[Any, ...]) -> str:
    return " ".join(map(display, values)) + "\n"


class _Printf:
    """One call of printf: the position in the format and in the arguments."""

    __slots__ = ("after_index", "args", "at", "flags", "format", "good", "make", "next", "reordered")

    def __init__(self, format: str, args: tuple[Any, ...], make: Callable[[int], None] | None) -> None:
        self.format = format
        self.make = make
        self.args = args
        self.at = 0
        self.next = 0
        self.reordered = False
        self.good = True
        self.after_index = False
        self.flags = VerbFlags()

    def formatted(self) -> str:
        out: list[str] = []
        text = self.format
        while self.at < len(text):
            percent = text.find("%", self.at)
            if percent < 0:
                out.append(text[self.at :])
                break
            out.append(text[self.at : percent])
            self.at = percent + 1
            out.append(self.verb())
        if not self.reordered and self.next < len(self.args):
            out.append(self.extra())
        return "".join(out)

    def extra(self) -> str:
        rest = [
            "<nil>" if value is None else f"{type_name(value)}={display(value)}" for value in self.args[self.next :]
        ]
        return f"%!(EXTRA {', '.join(rest)})"

    def verb(self) -> str:
        self.flags = VerbFlags()
        self.good = True
        self.read_flags()
        self.index()
        wrong = self.width()
        wrong += self.precision()
        if not self.after_index:
            self.index()
        if self.at >= len(self.format):
            return wrong + "%!(NOVERB)"
        verb = self.format[self.at]
        self.at += 1
        return wrong + self.write(verb)

    def write(self, verb: str) -> str:
        if verb == "%":
            return "%"
        if not self.good:
            return f"%!{verb}(BADINDEX)"
        if self.next >= len(self.args):
            return f"%!{verb}(MISSING)"
        value = self.args[self.next]
        self.next += 1
        if self.make is not None and (self.flags.width or self.flags.precision):
            wide = (self.flags.width or 0) + (self.flags.precision or 0)
            self.make(wide * value_count(value))
        if verb in "vw":
            self.flags.go_syntax, self.flags.sharp = self.flags.sharp, False
            self.flags.plus_v, self.flags.plus = self.flags.plus, False
        return argument(value, verb, self.flags)

    def read_flags(self) -> None:
        names = {"#": "sharp", "0": "zero", "+": "plus", "-": "minus", " ": "space"}
        while self.at < len(self.format) and self.format[self.at] in names:
            setattr(self.flags, names[self.format[self.at]], True)
            self.at += 1

    def index(self) -> None:
        """`[n]`: the next argument is the n-th."""
        self.after_index = False
        text, start = self.format, self.at
        if text[start : start + 1] != "[":
            return
        self.reordered = True
        close = text.find("]", start)
        if close < 0 or len(text) - start < 3:
            self.good = False
            self.at += 1
            return
        self.at = start + 1
        number = self.number()
        self.after_index = number is not None and self.at == close
        self.at = close + 1
        if number is not None and self.after_index and 1 <= number <= len(self.args):
            self.next = number - 1
        else:
            self.good = False

    def star(self) -> int | None:
        """The value of a `*`: None if it is not a usable integer."""
        if self.next >= len(self.args):
            return None
        value = self.args[self.next]
        self.next += 1
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_WIDTH:
            return None
        return int(value)

    def number(self) -> int | None:
        """The digits that follow. Go gives up the whole format where they are far too many."""
        start, found = self.at, 0
        while self.at < len(self.format) and self.format[self.at] in "0123456789":
            if found > MAX_WIDTH:
                self.at = len(self.format)
                return None
            found = found * 10 + int(self.format[self.at])
            self.at += 1
        return None if start == self.at else found

    def width(self) -> str:
        if self.format[self.at : self.at + 1] == "*":
            self.at += 1
            width = self.star()
            self.after_index = False
            if width is None:
                return "%!(BADWIDTH)"
            if width < 0:
                self.flags.minus, self.flags.zero, width = True, False, -width
            self.flags.width = width
            return ""
        self.flags.width = self.number()
        if self.after_index and self.flags.width is not None:
            self.good = False
        return ""

    def precision(self) -> str:
        if self.format[self.at : self.at + 1] != ".":
            return ""
        self.at += 1
        if self.after_index:
            self.good = False
        self.index()
        if self.format[self.at : self.at + 1] == "*":
            self.at += 1
            precision = self.star()
            self.after_index = False
            if precision is None or precision < 0:
                return "%!(BADPREC)"
            self.flags.precision = precision
            return ""
        self.flags.precision = self.number() or 0
        return ""


def value_count(value: Any) -> int:
    """How many values a value is made of: each is padded by itself."""
    count, todo = 0, [value]
    while todo:
        item = todo.pop()
        count += 1
        if count == FIRST_PARTS:
            parts_left(value)
        if isinstance(item, LIST_CLASSES):
            todo.extend(item)
        elif isinstance(item, MAP_CLASSES):
            todo.extend(lookup(item, key) for key in item.keys())  # noqa: SIM118
    return count


def argument(value: Any, verb: str, flags: VerbFlags) -> str:
    """One argument of printf by its verb."""
    if verb == "T":
        return flags.pad("<nil>" if value is None else type_name(value)[: flags.precision])
    if value is None or value is MISSING:
        return flags.pad("<nil>") if verb == "v" else _bad_verb(None, verb, flags)
    if verb in "pw":
        return _bad_verb(value, verb, flags)
    if isinstance(value, LIST_CLASSES + MAP_CLASSES) or (isinstance(value, Object) and value.printed() is not None):
        return formatted(value, verb, flags)
    text = _leaf(value, verb, flags)
    return _bad_verb(value, verb, flags) if text is None else text


def sprintf(format: str, args: tuple[Any, ...], make: Callable[[int], None] | None = None) -> str:
    """`printf`. `make` is called with the width of each verb before it is written."""
    usual = _by_bare_verbs(format, args)
    return _Printf(format, args, make).formatted() if usual is None else usual


def _by_bare_verbs(format: str, args: tuple[Any, ...]) -> str | None:
    """What a format gives whose verbs have no flags, for texts and numbers as they are, as nearly always; None for any
    other."""
    text, *pieces = format.split("%")
    if len(pieces) != len(args):
        return None
    out = [text]
    for piece, value in zip(pieces, args, strict=True):
        verb, cls = piece[:1], value.__class__
        if cls is str and verb in ("s", "v"):
            out.append(value)
        elif cls is int and verb in ("d", "v") and -USUAL < value < USUAL:
            out.append(int.__repr__(value))
        else:
            return None
        out.append(piece[1:])
    return "".join(out)
