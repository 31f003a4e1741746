"""gomplate's `time`, `tmpl`, `jq` and the passwords and keys of `crypto`."""

from __future__ import annotations

import hashlib

from plait.notations.gotemplate.casts import to_float, to_int, to_text
from plait.notations.gotemplate.clock import Duration, Time, between, parse_duration, parsed, zone
from plait.notations.gotemplate.errors import CallError, TemplateFault
from plait.notations.gotemplate.execute import Output, run
from plait.notations.gotemplate.function import Function, FunctionGroup
from plait.notations.gotemplate.quoting import to_bytes
from plait.notations.gotemplate.sprig.crypto import bcrypt_hash, decrypt_aes, encrypt_aes, gen_private_key
from plait.notations.gotemplate.sprig.dates import now
from plait.notations.gotemplate.template import make
from plait.notations.gotemplate.values import Int64, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MORE = FunctionGroup("gomplate more", "gomplate: time, tmpl, jq and keys")
function = MORE.function
NESTED = 20
"""How deep templates may render others through `tmpl`: unlike `template`, that takes some of Python's stack."""
ROUNDS = 10_000_000
"""The most iterations of a key's derivation."""
LONGEST = 100_000
"""The longest key, in bytes."""
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


# -- time


def _declare(name: str, signature: str, about: str, example: str, output: str, call: Callable[..., Any]) -> None:
    item = Function(name, signature, about, example, output, call)
    item.group = MORE.name
    MORE.functions[name] = item


for _name, _layout in LAYOUTS.items():
    _declare(f"time.{_name}", "func() string", "A layout.", f"{{{{ time.{_name} }}}}", _layout, lambda it=_layout: it)
for _name, _unit in UNITS.items():
    _declare(
        f"time.{_name}", "func(interface {}) time.Duration", "A span of time.",
        f"{{{{ (time.{_name} 2).Nanoseconds }}}}", str(2 * _unit),
        lambda count, unit=_unit: Duration(int(to_float(count) * unit)),
    )  # fmt: skip


@function("time.Parse", "func(string, interface {}) (time.Time, error)", "A date parsed from a string by a layout.",
          '{{ (time.Parse time.RFC3339 "2020-02-29T12:30:00Z").Format "Jan 2 15:04" }}', "Feb 29 12:30")  # fmt: skip
def time_parse(layout: str, value: Any) -> Time:
    return parsed(layout, to_text(value), zone("UTC"))


@function("time.ParseLocal", "func(string, interface {}) (time.Time, error)", "The same; in the local time zone.",
          '{{ (time.ParseLocal "2006-01-02" "2020-02-29").Day }}', "29")  # fmt: skip
def time_parse_local(layout: str, value: Any) -> Time:
    return parsed(layout, to_text(value))


@function("time.ParseInLocation", "func(string, string, interface {}) (time.Time, error)",
          "The same; in a time zone.",
          '{{ (time.ParseInLocation "2006-01-02" "Europe/Berlin" "2020-02-29").UTC.Hour }}', "23")  # fmt: skip
def time_parse_in(layout: str, name: str, value: Any) -> Time:
    return parsed(layout, to_text(value), zone(name))


@function("time.Unix", "func(interface {}) (time.Time, error)", "A moment by the seconds since 1970.",
          '{{ (time.Unix 86400).UTC.Format "2006-01-02" }}', "1970-01-02")  # fmt: skip
def time_unix(seconds: Any) -> Time:
    whole, fraction = divmod(to_float(seconds), 1)
    return Time(int(whole), int(fraction * UNITS["Second"]), None)


@function("time.ParseDuration", "func(interface {}) (time.Duration, error)", "A duration parsed from a string.",
          '{{ time.ParseDuration "1h15m" }}', "1h15m0s")  # fmt: skip
def time_parse_duration(value: Any) -> Duration:
    return Duration(parse_duration(to_text(value)))


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
def time_zone_offset(frame: Any) -> Int64:
    shift = now(frame).local().utcoffset()
    return Int64(int(shift.total_seconds()) if shift is not None else 0)


# -- templates in templates


def _rendered(frame: Any, program: Any, block: Any, context: Any) -> str:
    """What a block makes, as text."""
    outer = frame.state
    if outer.inner >= NESTED:
        raise CallError(f"templates call each other through `tmpl` more than {NESTED} deep")
    output = Output(outer.meter.budgets.size)
    run(outer.apart(program, output), block, context)
    return output.text()


@function("tmpl.Exec", "func(string, ...interface {}) (string, error)", "What a template that is defined here makes.",
          '{{ define "t" }}<{{ . }}>{{ end }}{{ tmpl.Exec "t" "x" | upper }}', "<X>", context=True)  # fmt: skip
def tmpl_exec(frame: Any, name: str, *context: Any) -> str:
    program = frame.state.program
    block = program.block(name)
    if block is None:
        raise CallError(f'template "{name}" not defined')
    return _rendered(frame, program, block, context[0] if context else frame.root)


@function("tmpl.Inline tpl", "func(...interface {}) (string, error)",
          "A string rendered as a template: [NAME] TEXT [CONTEXT].",
          '{{ tmpl.Inline "<{{ .a }}>" (dict "a" 1) }}', "<1>", context=True)  # fmt: skip
def tmpl_inline(frame: Any, *words: Any) -> str:
    texts = [word for word in words[:2] if isinstance(word, str)]
    if not texts or len(words) > len(texts) + 1:
        raise CallError("expected [NAME] TEXT [CONTEXT]")
    context = words[-1] if len(words) > len(texts) else frame.root
    frame.meter.step(len(texts[-1]))
    try:
        program = make(texts[-1], frame.state.program.table, texts[0] if len(texts) > 1 else "inline")
    except TemplateFault as error:
        raise CallError(error.message) from None
    return _rendered(frame, program, program.main, context)


# -- queries


@function("coll.JQ jq", "func(string, interface {}) (interface {}, error)",
          "What an expression finds: the language of `--query`.", "", "", context=True)  # fmt: skip
def coll_jq(frame: Any, expression: str, data: Any) -> Any:
    return frame.host.query(expression, plain(data, frame.state.reader))


# -- passwords and keys


@function("crypto.PBKDF2", "func(string, string, int, int, ...string) (string, error)",
          "A key of a password: PASSWORD SALT ROUNDS BYTES [HASH], in hexadecimal digits.",
          '{{ crypto.PBKDF2 "password" "salt" 2 20 }}', "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957",
          context=True)  # fmt: skip
def pbkdf2(frame: Any, password: str, salt: str, rounds: int, size: int, *name: str) -> str:
    kind = (name[0] if name else "SHA-1").replace("-", "").replace("_", "").lower()
    if kind not in ("sha1", "sha224", "sha256", "sha384", "sha512"):
        raise CallError(f"unknown hash `{name[0]}`: SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512")
    if not 0 < rounds <= ROUNDS or not 0 < size <= LONGEST:
        raise CallError(f"at least 1 and at most {ROUNDS} rounds and {LONGEST} bytes")
    frame.meter.step(rounds)
    return hashlib.pbkdf2_hmac(kind, to_bytes(password), to_bytes(salt), rounds, size).hex()


@function("crypto.WPAPSK", "func(string, string) (string, error)", "The key of a wireless network: SSID PASSWORD.",
          '{{ crypto.WPAPSK "IEEE" "password" | trunc 16 }}', "f42c6fc52df0ebef", context=True)  # fmt: skip
def wpa_psk(frame: Any, ssid: str, password: str) -> str:
    return pbkdf2(frame, password, ssid, 4096, 32)


@function("crypto.Bcrypt", "func(...interface {}) (string, error)", "A password's hash: [COST] PASSWORD.",
          '{{ crypto.Bcrypt "x" | strings.HasPrefix "$2a$10$" }}', "true", context=True)  # fmt: skip
def crypto_bcrypt(frame: Any, *words: Any) -> str:
    cost = to_int(words[0]) if len(words) > 1 else 10
    if not words or not 4 <= cost <= 14:
        raise CallError("expected [COST] PASSWORD, with a cost of 4 to 14")
    return bcrypt_hash(frame, to_text(words[-1]), cost)


@function("crypto.EncryptAES", "func(string, string) (string, error)", "A text, encrypted, in base64.",
          '{{ crypto.EncryptAES "k" "text" | crypto.DecryptAES "k" }}', "text", context=True)  # fmt: skip
def crypto_encrypt(frame: Any, key: str, text: str) -> str:
    return encrypt_aes(frame, key, text)


@function("crypto.DecryptAES", "func(string, string) (string, error)", "The text that was encrypted.",
          '{{ crypto.DecryptAES "k" (crypto.EncryptAES "k" "text") }}', "text")  # fmt: skip
def crypto_decrypt(key: str, text: str) -> str:
    return decrypt_aes(key, text)


@function("crypto.RSAGenerateKey", "func() (string, error)", "A new private key of RSA, as PEM.",
          '{{ crypto.RSAGenerateKey | strings.HasPrefix "-----BEGIN" }}', "true", context=True)  # fmt: skip
def rsa_key(frame: Any) -> str:
    return gen_private_key(frame, "rsa")


@function("crypto.ECDSAGenerateKey", "func() (string, error)", "A new private key of an elliptic curve, as PEM.",
          '{{ crypto.ECDSAGenerateKey | strings.HasPrefix "-----BEGIN" }}', "true", context=True)  # fmt: skip
def ecdsa_key(frame: Any) -> str:
    return gen_private_key(frame, "ecdsa")


@function("crypto.Ed25519GenerateKey", "func() (string, error)", "A new private key of Ed25519, as PEM.",
          '{{ crypto.Ed25519GenerateKey | strings.HasPrefix "-----BEGIN" }}', "true", context=True)  # fmt: skip
def ed25519_key(frame: Any) -> str:
    return gen_private_key(frame, "ed25519")
