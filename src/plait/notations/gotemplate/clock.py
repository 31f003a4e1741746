"""Go's time: moments with a zone, layouts that are an example date, durations.

A layout shows how the reference time, Mon Jan 2 15:04:05 MST 2006, would look; each piece of it that a layout
holds is replaced by the same piece of another moment.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from plait.core.durations import SECOND, UNITS, BadDuration, duration_length, duration_text
from plait.core.quoting import quote
from plait.notations.gotemplate.casts import wrap
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import methods
from plait.notations.gotemplate.literals import INT_MAX, INT_MIN
from plait.notations.gotemplate.values import Int64, Object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_PIECES = re.compile(
    r"January|Jan|Monday|Mon|MST|2006|-07:00:00|-07:00|-070000|-0700|-07|Z07:00:00|Z07:00|Z070000|Z0700|Z07"
    r"|01|02|002|__2|03|04|05|06|15|_2006|_2|PM|pm|1|2|3|4|5|[.,](?:0++|9++)(?![0-9])"
)


def local_zone(seconds: float) -> tuple[tzinfo, str]:
    """The zone of this machine at a moment, and what it is called then."""
    import time

    parts = time.localtime(seconds)
    name = parts.tm_zone
    return timezone(timedelta(seconds=parts.tm_gmtoff), name), name


def zone(name: str) -> tzinfo | None:
    """A zone by name; None for the local one. Unknown names are UTC, as in Sprig."""
    if name in ("", "UTC"):
        return UTC
    if name == "Local":
        return None
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return UTC


class Time(Object):
    """A moment: seconds since 1970, nanoseconds, and its time zone."""

    __slots__ = ("nanoseconds", "seconds", "where")
    go_type = "time.Time"

    def __init__(self, seconds: int, nanoseconds: int = 0, where: tzinfo | None = UTC) -> None:
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.where = where

    @property
    def is_early(self) -> bool:
        """Whether Python's calendar, which begins with the year 1, may not have it: a time without a date is in the
        year 0."""
        return self.seconds < EARLY

    def local(self) -> datetime:
        """Month to second, in the time zone of the moment; one that is early has another year, of the same days."""
        try:
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds + self.is_early * CYCLE)
            return moment.astimezone(self.where or local_zone(self.seconds)[0])
        except OverflowError:
            raise CallError("the year is outside of 0 to 9999") from None

    def year(self) -> int:
        return self.local().year - 400 * self.is_early

    def zone_name(self) -> str:
        moment = self.local()
        name = moment.tzname() or "UTC"
        if name.startswith("UTC") and len(name) > 3:
            return _offset(moment, "", "")
        return name

    def go_string(self) -> str:
        return formatted(self, "2006-01-02 15:04:05.999999999 -0700 MST")

    def data(self) -> str:
        return formatted(self, "2006-01-02T15:04:05.999999999Z07:00")


CYCLE = 146_097 * 86_400
"""The seconds of 400 years, after which the calendar is the same."""
ZERO = Time(-62135596800)
EARLY = ZERO.seconds + 86_400
"""Go's zero time: the first of January of the year 1."""


class Duration(Int64, Object):
    """A span of time in nanoseconds."""

    __slots__ = ()
    go_type = "time.Duration"
    go_kind = "int64"

    def go_string(self) -> str:
        return duration_text(int(self))

    def data(self) -> int:
        return int(self)


def _offset(moment: datetime, zulu: str, colon: str, seconds: bool = False, hours_only: bool = False) -> str:
    shift = moment.utcoffset() or timedelta()
    total = int(shift.total_seconds())
    if zulu and total == 0:
        return zulu
    sign = "-" if total < 0 else "+"
    total = abs(total)
    text = f"{sign}{total // 3600:02d}"
    if not hours_only:
        text += f"{colon}{total // 60 % 60:02d}"
    return f"{text}{colon}{total % 60:02d}" if seconds else text


_WRITERS: dict[str, Callable[[datetime], str]] = {
    "January": lambda m: MONTHS[m.month - 1],
    "Jan": lambda m: MONTHS[m.month - 1][:3],
    "Monday": lambda m: DAYS[m.weekday()],
    "Mon": lambda m: DAYS[m.weekday()][:3],
    "01": lambda m: f"{m.month:02d}",
    "1": lambda m: str(m.month),
    "02": lambda m: f"{m.day:02d}",
    "_2": lambda m: f"{m.day:2d}",
    "2": lambda m: str(m.day),
    "002": lambda m: f"{m.timetuple().tm_yday:03d}",
    "__2": lambda m: f"{m.timetuple().tm_yday:3d}",
    "15": lambda m: f"{m.hour:02d}",
    "03": lambda m: f"{(m.hour % 12) or 12:02d}",
    "3": lambda m: str((m.hour % 12) or 12),
    "04": lambda m: f"{m.minute:02d}",
    "4": lambda m: str(m.minute),
    "05": lambda m: f"{m.second:02d}",
    "5": lambda m: str(m.second),
    "PM": lambda m: "PM" if m.hour >= 12 else "AM",
    "pm": lambda m: "pm" if m.hour >= 12 else "am",
    "-07:00": lambda m: _offset(m, "", ":"),
    "-0700": lambda m: _offset(m, "", ""),
    "-07": lambda m: _offset(m, "", "", hours_only=True),
    "-07:00:00": lambda m: _offset(m, "", ":", seconds=True),
    "-070000": lambda m: _offset(m, "", "", seconds=True),
    "Z07:00": lambda m: _offset(m, "Z", ":"),
    "Z0700": lambda m: _offset(m, "Z", ""),
    "Z07": lambda m: _offset(m, "Z", "", hours_only=True),
    "Z07:00:00": lambda m: _offset(m, "Z", ":", seconds=True),
    "Z070000": lambda m: _offset(m, "Z", "", seconds=True),
}


def pieces(layout: str) -> list[tuple[str, str]]:
    """A layout as literal texts and pieces: pairs of (literal before, piece); the last piece is empty."""
    out: list[tuple[str, str]] = []
    at = start = 0
    while True:
        match = _PIECES.search(layout, at)
        if match is None:
            out.append((layout[start:], ""))
            return out
        piece = match.group()
        if piece in ("Mon", "Jan") and "a" <= layout[match.end() : match.end() + 1] <= "z":
            at = match.end()
            continue
        out.append((layout[start : match.start()], piece))
        at = start = match.end()


_YEARS: dict[str, Callable[[int], str]] = {
    "2006": lambda year: f"{'-' * (year < 0)}{abs(year):04d}",
    "_2006": lambda year: f"_{year:04d}",
    "06": lambda year: f"{max(year, 0) % 100:02d}",
}


def formatted(moment: Time, layout: str) -> str:
    """A moment by a layout."""
    when = moment.local()
    out: list[str] = []
    for literal, piece in pieces(layout):
        out.append(literal)
        if not piece:
            continue
        writer = _WRITERS.get(piece)
        if writer is not None:
            out.append(writer(when))
        elif piece in _YEARS:
            out.append(_YEARS[piece](moment.year()))
        elif piece == "MST":
            out.append(moment.zone_name())
        else:
            out.append(_fraction(moment.nanoseconds, piece))
    return "".join(out)


def _fraction(nanoseconds: int, piece: str) -> str:
    digits = f"{nanoseconds:09d}"[: len(piece) - 1]
    if piece[1] == "9":
        digits = digits.rstrip("0")
        return piece[0] + digits if digits else ""
    return piece[0] + digits


# -- reading


_READERS: dict[str, tuple[str, str]] = {
    "January": ("month_name", "|".join(MONTHS)),
    "Jan": ("month_short", "|".join(m[:3] for m in MONTHS)),
    "Monday": ("", "|".join(DAYS)),
    "Mon": ("", "|".join(d[:3] for d in DAYS)),
    "2006": ("year", r"\d{4}"),
    "_2006": ("year", r"_\d{4}"),
    "06": ("short_year", r"\d{2}"),
    "01": ("month", r"\d{2}"),
    "1": ("month", r"\d{1,2}"),
    "02": ("day", r"\d{2}"),
    "_2": ("day", r" ?\d{1,2}"),
    "2": ("day", r"\d{1,2}"),
    "002": ("day_of_year", r"\d{3}"),
    "__2": ("day_of_year", r" {0,2}\d{1,3}"),
    "15": ("hour", r"\d{1,2}"),
    "03": ("hour12", r"\d{2}"),
    "3": ("hour12", r"\d{1,2}"),
    "04": ("minute", r"\d{2}"),
    "4": ("minute", r"\d{1,2}"),
    "05": ("second", r"\d{2}"),
    "5": ("second", r"\d{1,2}"),
    "PM": ("half", "AM|PM"),
    "pm": ("half", "am|pm"),
    "MST": ("zone", r"UTC|[A-Z]{3,4}(?:[+-]\d{1,2})?|[+-]\d{2,4}"),
    "-07:00": ("offset", r"[+-]\d{2}:\d{2}"),
    "-0700": ("offset", r"[+-]\d{4}"),
    "-07": ("offset", r"[+-]\d{2}"),
    "-07:00:00": ("offset", r"[+-]\d{2}:\d{2}:\d{2}"),
    "-070000": ("offset", r"[+-]\d{6}"),
    "Z07:00": ("offset", r"Z|[+-]\d{2}:\d{2}"),
    "Z0700": ("offset", r"Z|[+-]\d{4}"),
    "Z07": ("offset", r"Z|[+-]\d{2}"),
    "Z07:00:00": ("offset", r"Z|[+-]\d{2}:\d{2}:\d{2}"),
    "Z070000": ("offset", r"Z|[+-]\d{6}"),
}
_UNASKED = r"(?:[.,]\d+)?"
"""A fraction of a second that a text has and its layout has not."""
_RANGES = {"month": (1, 12), "hour": (0, 23), "hour12": (0, 12), "minute": (0, 59), "second": (0, 59)}


def _read(layout: str, text: str) -> dict[str, str]:
    """The pieces of a text that follows a layout."""
    parts: dict[str, str] = {}
    at = 0
    asked = list(pieces(layout))
    for number, (literal, piece) in enumerate(asked, 1):
        at, whole = _past_literal(literal, text, at)
        if not whole:
            raise _mismatch(layout, text, text[at:], literal)
        if not piece:
            break
        name, pattern = _READERS.get(piece) or (
            "fraction",
            _UNASKED if piece[1] == "9" else rf"[.,]\d{{{len(piece) - 1}}}",
        )
        if name == "second" and not any(after and after not in _READERS for _, after in asked[number : number + 1]):
            pattern += _UNASKED
        match = re.compile(pattern, re.IGNORECASE | re.ASCII if name.startswith("month_") else re.ASCII).match(text, at)
        if match is None:
            raise _mismatch(layout, text, text[at:], piece)
        if name:
            parts[name] = match.group()
        if name in _RANGES:
            _check_range(name, match.group(), text)
        at = match.end()
    if at < len(text):
        raise CallError(f"parsing time {quote(text)}: extra text: {quote(text[at:])}")
    return parts


_SPACES = re.compile(" *")


def _past_literal(literal: str, text: str, at: int) -> tuple[int, bool]:
    """Where a text goes on after a literal, and whether it has all of it. Spaces stand for any number of them,
    for none at the end of the text."""
    read = 0
    while read < len(literal):
        if literal[read] == " " and text[at : at + 1] in ("", " "):
            read, at = _past_spaces(literal, read), _past_spaces(text, at)
        elif text[at : at + 1] == literal[read]:
            at, read = at + 1, read + 1
        else:
            break
    return at, read == len(literal)


def _past_spaces(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    assert found is not None
    return found.end()


def _check_range(name: str, found: str, text: str) -> None:
    """Refuse a number that a piece cannot have."""
    low, high = _RANGES[name]
    if not low <= int(found[:2].rstrip(".,")) <= high:
        raise CallError(f"parsing time {quote(text)}: {'hour' if name == 'hour12' else name} out of range")


def _mismatch(layout: str, text: str, rest: str, piece: str) -> CallError:
    return CallError(f"parsing time {quote(text)} as {quote(layout)}: cannot parse {quote(rest)} as {quote(piece)}")


def _number(fields: dict[str, str], name: str, default: int) -> int:
    return int(fields[name].strip(" _")) if name in fields else default


def _month(fields: dict[str, str]) -> int:
    for name, length in (("month_name", 99), ("month_short", 3)):
        if name in fields:
            return [m[:length].lower() for m in MONTHS].index(fields[name].lower()) + 1
    return _number(fields, "month", 1)


def _year(fields: dict[str, str]) -> int:
    if "short_year" in fields:
        short = int(fields["short_year"])
        return short + (1900 if short >= 69 else 2000)
    return int(fields["year"].strip("_")) if "year" in fields else 0


def _hour(fields: dict[str, str]) -> int:
    hour = _number(fields, "hour", _number(fields, "hour12", 0))
    half = fields.get("half", "").upper()
    if half == "PM" and hour < 12:
        return hour + 12
    return 0 if half == "AM" and hour == 12 else hour


def _seconds(fields: dict[str, str]) -> tuple[int, int]:
    whole, _, fraction = fields.get("second", "0").replace(",", ".").partition(".")
    fraction = fraction or fields.get("fraction", "")[1:]
    return int(whole), int(fraction[:9].ljust(9, "0")) if fraction else 0


def _shift(text: str) -> int:
    """An offset in seconds."""
    if text == "Z":
        return 0
    digits = text[1:].replace(":", "").ljust(6, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:6])
    return -seconds if text[0] == "-" else seconds


def parsed(layout: str, text: str, where: tzinfo | None = None) -> Time:
    """The moment that a text gives in a layout; a text without a time zone is in `where`."""
    found = _read(layout, text)
    year, month = _year(found), _month(found)
    day = _number(found, "day", 1)
    second, nanoseconds = _seconds(found)
    clock = (_hour(found), _number(found, "minute", 0), second)
    if "day_of_year" in found:
        first = datetime(max(year, 1), 1, 1) + timedelta(days=int(found["day_of_year"]) - 1)
        month, day = first.month, first.day
    try:
        plain = datetime(year or 1, month, day, *clock)
    except ValueError:
        raise CallError(f"parsing time {quote(text)}: day out of range") from None
    seconds = int((plain - datetime(1970, 1, 1)).total_seconds())
    if year == 0:
        seconds -= 366 * 86400
    return _placed(found, plain, seconds, nanoseconds, where)


def _placed(fields: dict[str, str], plain: datetime, seconds: int, nanoseconds: int, where: tzinfo | None) -> Time:
    if "offset" in fields:
        shift = _shift(fields["offset"])
        name = {} if shift else {"name": "UTC"}
        return Time(seconds - shift, nanoseconds, timezone(timedelta(seconds=shift), **name))
    if fields.get("zone") == "UTC":
        return Time(seconds, nanoseconds, UTC)
    here = plain.replace(tzinfo=where or local_zone(seconds)[0]).utcoffset() or timedelta()
    return Time(seconds - int(here.total_seconds()), nanoseconds, where)


# -- durations


def parse_duration(text: str) -> int:
    """Nanoseconds of a text like 1h30m; raises CallError where it is none."""
    try:
        return duration_length(text)
    except BadDuration as problem:
        raise CallError(str(problem)) from None


# -- methods of moments and durations


class Named(Int64, Object):
    """An integer that prints as a name: a month or a weekday."""

    go_kind = "int"
    name: str

    def go_string(self) -> str:
        return self.name


class Month(Named):
    go_type = "time.Month"


class Weekday(Named):
    go_type = "time.Weekday"


def _named(cls: type[Named], number: int, name: str) -> Named:
    made = cls(number)
    made.name = name
    return made


def _weekday(moment: Time) -> Named:
    day = moment.local().weekday()
    return _named(Weekday, (day + 1) % 7, DAYS[day])


def _month_of(moment: Time) -> Named:
    month = moment.local().month
    return _named(Month, month, MONTHS[month - 1])


def shifted(moment: Time, nanoseconds: int) -> Time:
    total = moment.seconds * SECOND + moment.nanoseconds + nanoseconds
    return Time(total // SECOND, total % SECOND, moment.where)


def between(left: Time, right: Time) -> Duration:
    """The time between two moments; the longest that there is where it is longer."""
    found = (left.seconds - right.seconds) * SECOND + left.nanoseconds - right.nanoseconds
    return Duration(max(INT_MIN, min(found, INT_MAX)))


def _add_date(moment: Time, years: int, months: int, days: int) -> Time:
    when = moment.local()
    month = when.month - 1 + months
    first = when.replace(year=when.year + years + month // 12, month=month % 12 + 1, day=1)
    there = first + timedelta(days=when.day - 1 + days)
    return Time(int(there.timestamp()) - moment.is_early * CYCLE, moment.nanoseconds, moment.where)


Time.methods = methods(
    ("Format", "func(string) string", "The moment by a layout.", formatted),
    ("String", "func() string", "The moment as Go prints it.", Time.go_string),
    ("Year", "func() int", "The year.", Time.year),
    ("Month", "func() time.Month", "The month.", _month_of),
    ("Day", "func() int", "The day of the month.", lambda t: t.local().day),
    ("YearDay", "func() int", "The day of the year.", lambda t: t.local().timetuple().tm_yday),
    ("Weekday", "func() time.Weekday", "The day of the week.", _weekday),
    ("Hour", "func() int", "The hour.", lambda t: t.local().hour),
    ("Minute", "func() int", "The minute.", lambda t: t.local().minute),
    ("Second", "func() int", "The second.", lambda t: t.local().second),
    ("Nanosecond", "func() int", "The nanosecond.", lambda t: t.nanoseconds),
    ("Unix", "func() int64", "Seconds since 1970.", lambda t: Int64(t.seconds)),
    (
        "UnixMilli",
        "func() int64",
        "Milliseconds since 1970.",
        lambda t: Int64(t.seconds * 1000 + t.nanoseconds // 1_000_000),
    ),
    ("UnixNano", "func() int64", "Nanoseconds since 1970.", lambda t: Int64(wrap(t.seconds * SECOND + t.nanoseconds))),
    ("UTC", "func() time.Time", "The same moment in UTC.", lambda t: Time(t.seconds, t.nanoseconds, UTC)),
    (
        "Local",
        "func() time.Time",
        "The same moment in the local time zone.",
        lambda t: Time(t.seconds, t.nanoseconds, None),
    ),
    (
        "IsZero",
        "func() bool",
        "Whether it is the zero time.",
        lambda t: t.seconds == ZERO.seconds and not t.nanoseconds,
    ),
    ("AddDate", "func(int, int, int) time.Time", "Years, months and days later.", _add_date),
    ("Add", "func(time.Duration) time.Time", "A duration later.", lambda t, d: shifted(t, int(d))),
    ("Sub", "func(time.Time) time.Duration", "The time between two moments.", between),
    ("After", "func(time.Time) bool", "Whether it is later.", lambda t, o: between(t, o) > 0),
    ("Before", "func(time.Time) bool", "Whether it is earlier.", lambda t, o: between(t, o) < 0),
    ("Equal", "func(time.Time) bool", "Whether it is the same moment.", lambda t, o: between(t, o) == 0),
)

Named.methods = methods(("String", "func() string", "The name.", Named.go_string))

Duration.methods = methods(
    ("Hours", "func() float64", "In hours.", lambda d: int(d) / UNITS["h"]),
    ("Minutes", "func() float64", "In minutes.", lambda d: int(d) / UNITS["m"]),
    ("Seconds", "func() float64", "In seconds.", lambda d: int(d) / SECOND),
    ("Milliseconds", "func() int64", "In whole milliseconds.", lambda d: Int64(int(d) // UNITS["ms"])),
    ("Microseconds", "func() int64", "In whole microseconds.", lambda d: Int64(int(d) // UNITS["us"])),
    ("Nanoseconds", "func() int64", "In nanoseconds.", lambda d: Int64(int(d))),
    ("String", "func() string", "As Go prints it.", Duration.go_string),
)
