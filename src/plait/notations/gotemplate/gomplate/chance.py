"""`random` and `uuid`. Every random value is a request to the host."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category

from plait.core.quoting import quote
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup, methods
from plait.notations.gotemplate.gomplate.casts import items, real, text, whole, wrong_count
from plait.notations.gotemplate.literals import parse_int
from plait.notations.gotemplate.sprig.crypto import uuid_text, uuidv4
from plait.notations.gotemplate.sprig.patterns import compiled
from plait.notations.gotemplate.sprig.strings import random_numbers
from plait.notations.gotemplate.values import Int64, Object, Uint32
from plait.regexp import BadPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHANCE = FunctionGroup("gomplate chance", "gomplate: random and uuid")
function = CHANCE.function
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
ASCII = "".join(map(chr, range(32, 127)))
USUAL = "-." + DIGITS + LETTERS[:26] + "_" + LETTERS[26:]
"""What a random text is made of, where nothing is said of it."""
ALL = 100_000
"""Steps for finding every character that can be printed."""
ASSIGNED = ((0, 0x3FFFF), (0xE0000, 0xEFFFF))
"""Where characters are that can be printed; the rest is free, or private."""
LAST = 0x10FFFF
SPREAD = 2**62 - 1
"""How far apart the limits of a random number may be."""


# -- texts


def _random(frame: Any, letters: str, count: int) -> str:
    if count < 0:
        raise CallError("runtime error: makeslice: len out of range")
    return "".join(letters[number % len(letters)] for number in random_numbers(frame, count))


@lru_cache(maxsize=8)
def _between(low: int, high: int) -> str:
    """The characters of a range that can be printed."""
    return "".join(filter(_is_printed, map(chr, range(max(low, 0), min(high, LAST) + 1))))


def _is_printed(character: str) -> bool:
    kind = category(character)
    return kind[0] in "LMNPS" or kind == "Zs"


@function("random.ASCII", "func(interface {}) (string, error)", "Random letters, digits and signs of ASCII.",
          "{{ random.ASCII 8 | len }}", "8", context=True)  # fmt: skip
def random_ascii(frame: Any, count: Any) -> str:
    return _random(frame, ASCII, whole(count))


@function("random.Alpha", "func(interface {}) (string, error)", "Random letters.", '{{ random.Alpha "8" | len }}', "8",
          context=True)  # fmt: skip
def random_alpha(frame: Any, count: Any) -> str:
    return _random(frame, LETTERS, whole(count))


@function("random.AlphaNum", "func(interface {}) (string, error)", "Random letters and digits.",
          "{{ random.AlphaNum 8 | len }}", "8", context=True)  # fmt: skip
def random_alphanum(frame: Any, count: Any) -> str:
    return _random(frame, DIGITS + LETTERS, whole(count))


@function("random.String", "func(interface {}, ...interface {}) (string, error)",
          "Random characters: COUNT, and a pattern that each matches, or the first and last of a range.",
          '{{ random.String 4 "a" "a" }} {{ random.String 9 | len }}', "aaaa 9", context=True)  # fmt: skip
def random_string(frame: Any, count: Any, *wanted: Any) -> str:
    number = whole(count)
    if number == 0:
        raise CallError("count must be greater than 0")
    if len(wanted) > 2:
        raise wrong_count("1 to 3", (count, *wanted))
    letters = USUAL
    if len(wanted) == 1 and text(wanted[0]):
        letters = _by_pattern(frame, text(wanted[0]))
    elif len(wanted) == 2:
        low, high = _bounds(*wanted)
        frame.meter.step(max(0, min(high, LAST) - low) // 2)
        letters = _between(low, high)
    if not letters:
        raise CallError("no printable codepoints found")
    return _random(frame, letters, number)


def _by_pattern(frame: Any, pattern: str) -> str:
    frame.meter.step(ALL)
    try:
        return compiled(pattern).each_of("".join(_between(*block) for block in ASSIGNED), frame.meter)
    except BadPattern as problem:
        raise CallError(str(problem)) from None


def _bounds(low: Any, high: Any) -> tuple[int, int]:
    """The first and last character of a range: characters, or their numbers."""
    if low.__class__ is not str or high.__class__ is not str:
        return whole(low), whole(high)
    if len(low) == len(high) == 1:
        return ord(low), ord(high)
    numbers = []
    for written in (low, high):
        number = parse_int(written)
        if number is None or not -(2**31) <= number < 2**31:
            raise CallError(f"strconv.ParseInt: parsing {quote(written)}: invalid syntax")
        numbers.append(number)
    return numbers[0], numbers[1]


# -- items and numbers


@function("random.Item", "func(interface {}) (interface {}, error)", "A random item of a list.",
          "{{ random.Item (list 7 7) }}", "7", context=True)  # fmt: skip
def random_item(frame: Any, value: Any) -> Any:
    found = items(value)
    if not found:
        raise CallError("expected a non-empty array or slice")
    return found[frame.host.random_below(len(found)) if len(found) > 1 else 0]


@function("random.Number", "func(...interface {}) (int64, error)",
          "A random integer: of 0 to 100, to MAX, or of MIN to MAX.", '{{ random.Number "4" 4 }}', "4",
          context=True)  # fmt: skip
def random_number(frame: Any, *limits: Any) -> Int64:
    low, high = (whole(limit) for limit in _limits(limits, (0, 100)))
    if low > high:
        raise CallError(f"min must not be greater than max (was {low}, {high})")
    if high - low >= SPREAD:
        raise CallError(f"spread between min and max too high - must not be greater than {SPREAD}")
    return Int64(low + frame.host.random_below(high - low + 1))


@function("random.Float", "func(...interface {}) (float64, error)",
          "A random float: of 0 to 1, to MAX, or of MIN to MAX.", "{{ random.Float 1.5 1.5 }}", "1.5",
          context=True)  # fmt: skip
def random_float(frame: Any, *limits: Any) -> float:
    low, high = (real(limit) for limit in _limits(limits, (0.0, 1.0)))
    return float(low + frame.host.random_below(2**53) / 2**53 * (high - low))


def _limits(given: tuple[Any, ...], usual: tuple[Any, Any]) -> tuple[Any, Any]:
    if len(given) == 1:
        return usual[0], given[0]
    return (given[0], given[1]) if len(given) == 2 else usual


# -- UUIDs


class Uuid(Object):
    """A UUID in its parts."""

    __slots__ = ("number",)
    go_type = "uuid.UUID"
    go_kind = "array"

    def __init__(self, number: int) -> None:
        self.number = number

    def go_string(self) -> str:
        return uuid_text(self.number.to_bytes(16, "big"))

    def version(self) -> str:
        return f"VERSION_{self.number >> 76 & 15}"

    def domain(self) -> str:
        kind = self.number >> 48 & 255
        return ("Person", "Group", "Org")[kind] if kind < 3 else f"Domain{kind}"

    def variant(self) -> str:
        """What the first bits of the ninth byte say."""
        first = self.number >> 61 & 7
        return "Reserved" if first < 4 else "RFC4122" if first < 6 else "Microsoft" if first == 6 else "Future"


Uuid.methods = methods(
    ("String", "func() string", "The text.", Uuid.go_string),
    ("URN", "func() string", "The text as a URN.", lambda uuid: f"urn:uuid:{uuid.go_string()}"),
    ("Version", "func() uuid.Version", "Its version, as VERSION_4.", Uuid.version),
    ("Variant", "func() uuid.Variant", "Which standard it follows.", Uuid.variant),
    ("Domain", "func() uuid.Domain", "Whom one of version 2 is about.", Uuid.domain),
    ("ID", "func() uint32", "The number of whom it is about.", lambda uuid: Uint32(uuid.number >> 96)),
    ("ClockSequence", "func() int", "The number of its clock.", lambda uuid: uuid.number >> 48 & 0x3FFF),
)
_HEX = frozenset("0123456789abcdefABCDEF")


def _read(written: str) -> Uuid:
    """The UUID of a text in one of the four forms that are known."""
    body = written
    if len(written) == 45:
        if written[:9].lower() != "urn:uuid:":
            raise CallError(f"invalid urn prefix: {quote(written[:9])}")
        body = written[9:]
    elif len(written) == 38:
        body = written[1:-1]
    elif len(written) not in (36, 32):
        raise CallError(f"invalid UUID length: {len(written)}")
    if len(body) == 36:
        if any(body[at] != "-" for at in (8, 13, 18, 23)):
            raise CallError("invalid UUID format")
        body = body[:8] + body[9:13] + body[14:18] + body[19:23] + body[24:]
    if not _HEX.issuperset(body):
        raise CallError("invalid UUID format")
    return Uuid(int(body, 16))


@function("uuid.Nil", "func() (string, error)", "The UUID of zeros.", "{{ uuid.Nil }}",
          "00000000-0000-0000-0000-000000000000")  # fmt: skip
def uuid_nil() -> str:
    return Uuid(0).go_string()


@function("uuid.Parse", "func(interface {}) (uuid.UUID, error)", "A UUID, with methods such as Version and URN.",
          '{{ (uuid.Parse "{2f4b7a9e-6c1d-4e8f-9a3b-5d7c8e1f0a2b}").Version }}', "VERSION_4")  # fmt: skip
def uuid_parse(value: Any) -> Uuid:
    return _read(text(value))


@function("uuid.IsValid", "func(interface {}) (bool, error)", "Whether a text is a UUID.",
          '{{ uuid.IsValid "x" }} {{ uuid.IsValid "urn:uuid:2f4b7a9e-6c1d-4e8f-9a3b-5d7c8e1f0a2b" }}',
          "false true")  # fmt: skip
def uuid_is_valid(value: Any) -> bool:
    try:
        _read(text(value))
    except CallError:
        return False
    return True


@function("uuid.V4", "func() (string, error)", "A random UUID.", "{{ uuid.V4 | len }}", "36", context=True)
def uuid_v4(frame: Any) -> str:
    return uuidv4(frame)


EPOCH = 0x01B21DD213814000
"""1970 in the time of UUIDs, which counts tenths of microseconds since 1582."""


@function("uuid.V1", "func() (string, error)", "A UUID of the time; what tells machines apart is random.",
          "{{ (uuid.Parse uuid.V1).Version }}", "VERSION_1", context=True)  # fmt: skip
def uuid_v1(frame: Any) -> str:
    when = int(frame.host.now() * 10_000_000) + EPOCH
    node = bytearray(frame.host.random_bytes(8))
    node[0], node[2] = node[0] & 63 | 128, node[2] | 1
    high = when >> 48 & 0xFFF | 0x1000
    parts = ((when & 0xFFFFFFFF).to_bytes(4, "big"), (when >> 32 & 0xFFFF).to_bytes(2, "big"), high.to_bytes(2, "big"))
    return uuid_text(b"".join(parts) + bytes(node))
