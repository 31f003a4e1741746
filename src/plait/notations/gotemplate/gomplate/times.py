"""`time`: moments, spans of time, and layouts for them."""

from __future__ import annotations

from plait.core.quoting import quote
from plait.notations.gotemplate.casts import wrap
from plait.notations.gotemplate.clock import Duration, Time, between, parse_duration, parsed, zone
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import Function, FunctionGroup
from plait.notations.gotemplate.gomplate.casts import read_int, text, whole
from plait.notations.gotemplate.sprig.dates import now
from plait.notations.gotemplate.values import GoText, Uint64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

TIMES = FunctionGroup("gomplate times", "gomplate: time")
function = TIMES.function
LAYOUTS = {
    "ANSIC": "Mon Jan _2 15:04:05 2006",
    "Kitchen": "3:04PM",
    "RFC1123": "Mon, 02 Jan 2006 15:04:05 MST",
    "RFC1123Z": "Mon, 02 Jan 2006 15:04:05 -0700",
    "RFC3339": "2006-01-02T15:04:05Z07:00",
    "RFC3339Nano": "2006-01-02T15:04:05.999999999Z07:00",
    "RFC822": "02 Jan 06 15:04 MST",
    "RFC822Z": "02 Jan 06 15:04 -0700",
    "RFC850": "Monday, 02-Jan-06 15:04:05 MST",
    "RubyDate": "Mon Jan 02 15:04:05 -0700 2006",
    "Stamp": "Jan _2 15:04:05",
    "StampMicro": "Jan _2 15:04:05.000000",
    "StampMilli": "Jan _2 15:04:05.000",
    "StampNano": "Jan _2 15:04:05.000000000",
    "UnixDate": "Mon Jan _2 15:04:05 MST 2006",
}
UNITS = {
    "Nanosecond": 1,
    "Microsecond": 1_000,
    "Millisecond": 1_000_000,
    "Second": 1_000_000_000,
    "Minute": 60_000_000_000,
    "Hour": 3_600_000_000_000,
}


def _declare(name: str, signature: str, about: str, example: str, output: str, call: Callable[..., Any]) -> None:
    item = Function(name, signature, about, example, output, call)
    item.group = TIMES.name
    TIMES.functions[name] = item


for _name, _layout in LAYOUTS.items():
    _declare(f"time.{_name}", "func() string", "A layout.", f"{{{{ time.{_name} }}}}", _layout, lambda it=_layout: it)
for _name, _unit in UNITS.items():
    _declare(
        f"time.{_name}", "func(interface {}) time.Duration", "A span of time.",
        f"{{{{ (time.{_name} 2).Nanoseconds }}}}", str(2 * _unit),
        lambda count, unit=_unit: Duration(wrap(whole(count) * unit)),
    )  # fmt: skip


@function("time.Parse", "func(string, interface {}) (time.Time, error)", "A date parsed from a string by a layout.",
          '{{ (time.Parse time.RFC3339 "2020-02-29T12:30:00Z").Format "Jan 2 15:04" }}', "Feb 29 12:30")  # fmt: skip
def time_parse(layout: str, value: Any) -> Time:
    return parsed(layout, text(value), zone("UTC"))


@function("time.ParseLocal", "func(string, interface {}) (time.Time, error)", "The same; in the local time zone.",
          '{{ (time.ParseLocal "2006-01-02" "2020-02-29").Day }}', "29")  # fmt: skip
def time_parse_local(layout: str, value: Any) -> Time:
    return parsed(layout, text(value))


@function("time.ParseInLocation", "func(string, string, interface {}) (time.Time, error)",
          "The same; in a time zone.",
          '{{ (time.ParseInLocation "2006-01-02" "Europe/Berlin" "2020-02-29").UTC.Hour }}', "23")  # fmt: skip
def time_parse_in(layout: str, name: str, value: Any) -> Time:
    return parsed(layout, text(value), zone(name))


@function("time.Unix", "func(interface {}) (time.Time, error)",
          "A moment by the seconds since 1970: an integer, or a text with a fraction.",
          '{{ (time.Unix "86400.5").UTC.Format "2006-01-02T15:04:05.0" }}', "1970-01-02T00:00:00.5")  # fmt: skip
def time_unix(seconds: Any) -> Time:
    if isinstance(seconds, float):
        raise CallError(f"can not parse floating point number ({seconds:f}) - use a string instead")
    if isinstance(seconds, GoText):
        seconds = seconds.go_string()
    if seconds.__class__ is not str:
        return Time(int(seconds) if seconds.__class__ in (int, Uint64) else 0, 0, None)
    whole_part, point, fraction = seconds.partition(".")
    if "." in fraction:
        raise CallError(f"can not parse '{seconds}' as a number - too many decimal points")
    return Time(_integer(whole_part), _integer(fraction.ljust(9, "0")[:9]) if point else 0, None)


def _integer(written: str) -> int:
    found = read_int(written)
    if found is None:
        raise CallError(f"strconv.ParseInt: parsing {quote(written)}: invalid syntax")
    return found


@function("time.ParseDuration", "func(interface {}) (time.Duration, error)", "A duration parsed from a string.",
          '{{ time.ParseDuration "1h15m" }}', "1h15m0s")  # fmt: skip
def time_parse_duration(value: Any) -> Duration:
    return Duration(parse_duration(text(value)))


@function("time.Since", "func(time.Time) time.Duration", "How long ago a moment was.",
          '{{ gt (time.Since (time.Unix 0)).Hours 1.0 }}', "true", context=True)  # fmt: skip
def time_since(frame: Any, moment: Time) -> Duration:
    return between(now(frame), moment)


@function("time.Until", "func(time.Time) time.Duration", "How far away a moment is.",
          '{{ lt (time.Until (time.Unix 0)).Hours 1.0 }}', "true", context=True)  # fmt: skip
def time_until(frame: Any, moment: Time) -> Duration:
    return between(moment, now(frame))


@function("time.ZoneName", "func() string", "The name of the local time zone.", "{{ gt (len time.ZoneName) 0 }}",
          "true", context=True)  # fmt: skip
def time_zone_name(frame: Any) -> str:
    return now(frame).zone_name()


@function("time.ZoneOffset", "func() int", "How far the local time zone is ahead of UTC, in seconds.",
          "{{ lt time.ZoneOffset 90000 }}", "true", context=True)  # fmt: skip
def time_zone_offset(frame: Any) -> int:
    shift = now(frame).local().utcoffset()
    return int(shift.total_seconds()) if shift is not None else 0


@function("time.Now", "func() time.Time", "The time.", "{{ gt time.Now.Unix 1000000000 }}", "true", context=True)
def time_now(frame: Any) -> Time:
    return now(frame)
