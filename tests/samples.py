"""Plain scalars that readers of YAML disagree about: for the tests of each reader, and for the reference."""

from __future__ import annotations

SAMPLES = (
    "true", "TRUE", "yes", "No", "on", "off", "y", "N", "null", "Null", "~", "nUll",
    "12", "+12", "-0", "010", "08", "0o17", "0x1F", "0X1F", "0b101", "1_000", "_1", "1__0", "0_8",
    "12:30", "1:30:15", "1.10", "1.", ".5", "-.5", "1e3", "1.5e3", "1.5e+3", ".5e3", "1e400", "1_0.5",
    "18446744073709551615", "123456789012345678901234567890",
    "2001-12-14", "1.2.3", "=", "<<", "0b", "0x", ".e5", "0o8", "+.5", "1:2.5", "0.", "-", "+", "00", "0",
)  # fmt: skip
