"""Durations are read and printed as Go does both: measured with Go 1.24."""

from __future__ import annotations

import pytest

from plait.core.durations import BadDuration, duration_length, duration_text

LENGTHS = {
    "0": "0s",
    "-0": "0s",
    "1s": "1s",
    "+1s": "1s",
    "-1.5h": "-1h30m0s",
    ".5s": "500ms",
    "1.s": "1s",
    "1m.5s": "1m0.5s",
    "1h1h": "2h0m0s",
    "1ns1h": "1h0m0.000000001s",
    "1us": "1µs",
    "1\u00b5s": "1µs",
    "1\u03bcs": "1µs",
    "1.5ms": "1.5ms",
    "0.3ns": "0s",
    "1.0000000001s": "1s",
    "0.100000000000000000000h": "6m0s",
    "0.9223372036854775807h": "55m20.413933267s",
    "00000000000000000000000000s": "0s",
    "2562047h47m16.854775807s": "2562047h47m16.854775807s",
    "-9223372036854775808ns": "-2562047h47m16.854775808s",
}
"""Texts, and how Go prints what they are."""

FAULTS = {
    "": 'invalid duration ""',
    "-": 'invalid duration "-"',
    "s": 'invalid duration "s"',
    ".s": 'invalid duration ".s"',
    "--1s": 'invalid duration "--1s"',
    " 1s": 'invalid duration " 1s"',
    "9223372036854775808ns": 'invalid duration "9223372036854775808ns"',
    "2562048h": 'invalid duration "2562048h"',
    f"{'9' * 5000}s": f'invalid duration "{"9" * 5000}s"',
    "1": 'missing unit in duration "1"',
    "1h30": 'missing unit in duration "1h30"',
    "1.1.1s": 'missing unit in duration "1.1.1s"',
    "1d": 'unknown unit "d" in duration "1d"',
    "1 s": 'unknown unit " s" in duration "1 s"',
    "1h-1m": 'unknown unit "h-" in duration "1h-1m"',
    '1"': 'unknown unit "\\"" in duration "1\\""',
    "٣s": 'invalid duration "\\xd9\\xa3s"',
    "1\n": 'unknown unit "\\x0a" in duration "1\\x0a"',
}
"""Texts, and why they are no durations."""


@pytest.mark.parametrize(("text", "printed"), LENGTHS.items())
def test_a_duration_has_a_length(text: str, printed: str) -> None:
    assert duration_text(duration_length(text)) == printed


@pytest.mark.parametrize(("text", "fault"), FAULTS.items(), ids=lambda text: text[:40])
def test_a_text_is_no_duration(text: str, fault: str) -> None:
    with pytest.raises(BadDuration) as caught:
        duration_length(text)
    assert str(caught.value) == f"time: {fault}"
