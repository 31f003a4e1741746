"""Amounts with a unit (`500 kb`, `2 min`), and ports (`80:81`)."""

from __future__ import annotations

import re

from plait.notations.query.data import TemplateValue

UNITS: dict[str, dict[str, float]] = {
    "size": {
        "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
        "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
    },
    "time": {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400},
    "frequency": {"hz": 1, "khz": 10**3, "mhz": 10**6, "ghz": 10**9},
    "bitrate": {
        "bps": 1, "kbps": 10**3, "mbps": 10**6, "gbps": 10**9, "tbps": 10**12,
        "kibps": 2**10, "mibps": 2**20, "gibps": 2**30, "tibps": 2**40,
    },
}  # fmt: skip
"""What each unit is, in the base of its kind."""

_AMOUNT = re.compile(r"\s*([-+]?[0-9]*\.?[0-9]+)\s*([A-Za-z]+)\s*\Z")


class Amount(TemplateValue):
    """A number with a unit."""

    __slots__ = ("base", "kind", "unit")

    def __init__(self, base: float, kind: str, unit: str) -> None:
        self.base = base
        self.kind = kind
        self.unit = unit

    @classmethod
    def parse(cls, text: object) -> Amount:
        if isinstance(text, Amount):
            return text
        match = _AMOUNT.match(str(text))
        for kind, units in UNITS.items():
            if match and match[2].lower() in units:
                return cls(float(match[1]) * units[match[2].lower()], kind, match[2])
        raise ValueError(f"`{text}` is not a number with a unit, such as 500 kb")

    def in_unit(self, unit: str | None) -> float:
        unit = (unit or self.unit).lower()
        if unit not in UNITS[self.kind]:
            raise ValueError(f"`{unit}` is not a unit of {self.kind}; available: {', '.join(UNITS[self.kind])}")
        return self.base / UNITS[self.kind][unit]

    def __add__(self, other: object) -> Amount:
        return self._with(other, 1)

    def __sub__(self, other: object) -> Amount:
        return self._with(other, -1)

    def _with(self, other: object, sign: int) -> Amount:
        amount = Amount.parse(other)
        if amount.kind != self.kind:
            raise ValueError(f"{self} and {amount} are of different kinds")
        return Amount(self.base + sign * amount.base, self.kind, self.unit)

    def __str__(self) -> str:
        number = self.in_unit(None)
        return f"{int(number) if number == int(number) else number} {self.unit}"


def scalar_value(value: object, unit: str | None = None, round: int | None = None) -> float | int:
    """The number of an amount in a unit."""
    number = Amount.parse(value).in_unit(unit)
    if round is not None:
        number = _rounded(number, round)
    return int(number) if round == 0 else number


def _rounded(number: float, digits: int) -> float:
    return round(number, digits)


def port(text: object) -> dict[str, object]:
    """`source:target/protocol` in its parts."""
    spec, _, protocol = str(text).partition("/")
    source, colon, target = spec.partition(":")
    return {
        "source": int(source) if source.isdecimal() else None,
        "target": int(target) if colon and target.isdecimal() else None,
        "protocol": protocol or "tcp",
    }
