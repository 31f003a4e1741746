"""Dates and durations."""

from __future__ import annotations

from plait.core.durations import SECOND, duration_text
from plait.notations.gotemplate.clock import (
    ZERO,
    Duration,
    Time,
    between,
    formatted,
    parse_duration,
    parsed,
    shifted,
    zone,
)
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.literals import parse_int
from plait.notations.gotemplate.values import Int32, Int64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DATES = FunctionGroup("dates", "Dates")
function = DATES.function


def _now(frame: Any) -> Time:
    seconds, fraction = divmod(frame.host.now(), 1)
    return Time(int(seconds), int(fraction * SECOND), None)


def _moment(frame: Any, value: Any) -> Time:
    """A date or a number of seconds as a moment; anything else is now."""
    if isinstance(value, Time):
        return value
    if value.__class__ in (int, Int64, Int32):
        return Time(int(value), 0, None)
    return _now(frame)


@function("now", "func() time.Time", "This moment.", '{{ now | date "2006" | len }}', "4", context=True)
def now(frame: Any) -> Time:
    return _now(frame)


@function("date", "func(string, interface {}) string", "A date by a layout.",
          '{{ toDate "2006-01-02" "2020-02-29" | date "Jan 2" }}', "Feb 29", context=True)  # fmt: skip
def date(frame: Any, layout: str, value: Any) -> str:
    return date_in_zone(frame, layout, value, "Local")


@function("dateInZone date_in_zone", "func(string, interface {}, string) string", "A date in a layout and a time zone.",
          '{{ dateInZone "15:04" 0 "UTC" }}', "00:00", context=True)  # fmt: skip
def date_in_zone(frame: Any, layout: str, value: Any, name: str) -> str:
    moment = _moment(frame, value)
    return formatted(Time(moment.seconds, moment.nanoseconds, zone(name)), layout)


@function("htmlDate", "func(interface {}) string", "A date as an HTML date field wants it.",
          '{{ toDate "2006-01-02" "2020-02-29" | htmlDate }}', "2020-02-29", context=True)  # fmt: skip
def html_date(frame: Any, value: Any) -> str:
    return date_in_zone(frame, "2006-01-02", value, "Local")


@function("htmlDateInZone", "func(interface {}, string) string", "A date for an HTML date field, in a time zone.",
          '{{ htmlDateInZone 0 "UTC" }}', "1970-01-01", context=True)  # fmt: skip
def html_date_in_zone(frame: Any, value: Any, name: str) -> str:
    return date_in_zone(frame, "2006-01-02", value, name)


@function("mustToDate", "func(string, string) (time.Time, error)", "A date parsed from a string by a layout.",
          '{{ (mustToDate "2006-01-02" "2020-02-29").Year }}', "2020")  # fmt: skip
def must_to_date(layout: str, text: str) -> Time:
    return parsed(layout, text)


@function(
    "toDate",
    "func(string, string) time.Time",
    "A date parsed from a string by a layout; the year 1 if it does not match.",
    '{{ (toDate "2006-01-02" "2020-02-29").Day }}',
    "29",
)
def to_date(layout: str, text: str) -> Time:
    try:
        return parsed(layout, text)
    except CallError:
        return ZERO


@function("mustDateModify must_date_modify", "func(string, time.Time) (time.Time, error)", "A date, a duration later.",
          '{{ (toDate "2006-01-02" "2020-02-28" | mustDateModify "24h").Day }}', "29")  # fmt: skip
def must_date_modify(duration: str, moment: Time) -> Time:
    return shifted(moment, parse_duration(duration))


@function(
    "dateModify date_modify",
    "func(string, time.Time) time.Time",
    "A date, a duration later; the same date where that is none.",
    '{{ (toDate "2006-01-02" "2020-02-28" | dateModify "24h").Day }}',
    "29",
)
def date_modify(duration: str, moment: Time) -> Time:
    try:
        return must_date_modify(duration, moment)
    except CallError:
        return moment


@function("unixEpoch", "func(time.Time) string", "Seconds since 1970.",
          '{{ toDate "2006-01-02 MST" "1970-01-02 UTC" | unixEpoch }}', "86400")  # fmt: skip
def unix_epoch(moment: Time) -> str:
    return str(moment.seconds)


@function("ago", "func(interface {}) string", "How long ago a moment was.", "{{ now | ago }}", "0s", context=True)
def ago(frame: Any, value: Any) -> str:
    passed = between(_now(frame), _moment(frame, value))
    return duration_text((passed + SECOND // 2) // SECOND * SECOND)


@function(
    "duration", "func(interface {}) string", "Seconds, given as text, as a duration.", '{{ duration "95" }}', "1m35s"
)
def duration(value: Any) -> str:
    seconds = (parse_int(value, 10) or 0) if value.__class__ is str else value if value.__class__ is Int64 else 0
    return duration_text((int(seconds) * SECOND + 2**63) % 2**64 - 2**63)


_ROUND = (("y", 365 * 86400), ("mo", 30 * 86400), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def _span(frame: Any, value: Any) -> int:
    if value.__class__ is str:
        try:
            return parse_duration(value)
        except CallError:
            return 0
    if isinstance(value, Time):
        return between(_now(frame), value)
    return int(value) if value.__class__ in (Int64, Duration) else 0


@function(
    "durationRound",
    "func(interface {}) string",
    "A duration in its largest unit.",
    '{{ durationRound "2h10m5s" }}',
    "2h",
    context=True,
)
def duration_round(frame: Any, value: Any) -> str:
    span = abs(_span(frame, value))
    for unit, seconds in _ROUND:
        if span > seconds * SECOND:
            return f"{span // (seconds * SECOND)}{unit}"
    return "0s"
