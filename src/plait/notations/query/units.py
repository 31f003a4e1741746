"""Amounts with a unit (`500 kb`, `2 min`), and ports (`80:81`)."""

from __future__ import annotations

import re
from decimal import Decimal

from plait.core.node import Scalar
from plait.core.plain import scalar_of
from plait.notations.query.data import TemplateValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.source import Computed, Source

UNITS: dict[str, dict[str, Decimal | int]] = {
    "size": {
        "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
        "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
    },
    "time": {
        "ns": Decimal("1e-9"), "us": Decimal("1e-6"), "ms": Decimal("1e-3"), "s": 1,
        "m": 60, "h": 3600, "d": 86400,
    },
    "frequency": {"hz": 1, "khz": 10**3, "mhz": 10**6, "ghz": 10**9},
    "bitrate": {
        "bps": 1, "kbps": 10**3, "mbps": 10**6, "gbps": 10**9, "tbps": 10**12,
        "kibps": 2**10, "mibps": 2**20, "gibps": 2**30, "tibps": 2**40,
    },
}  # fmt: skip
"""What each unit is, in the base of its kind."""

_AMOUNT = re.compile(r"\s*([-+]?[0-9]*\.?[0-9]+)\s*([A-Za-z]+)\s*\Z")
LARGEST = Decimal("1e30")
"""An amount beyond this is a mistake, and its digits would only cost time."""


class Amount(TemplateValue):
    """A number with a unit. Amounts of one kind can be added, subtracted, compared and divided by each other; a number
    multiplies or divides an amount. A string that is an amount counts as one. The result has the unit of the first."""

    __slots__ = ("base", "kind", "unit")

    def __init__(self, base: Decimal, kind: str, unit: str) -> None:
        if not abs(base) < LARGEST:
            raise ValueError(f"an amount must be smaller than {LARGEST} in its smallest unit")
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
                return cls(Decimal(match[1]) * units[match[2].lower()], kind, match[2])
        raise ValueError(f"`{text}` is not a number with a unit, such as 500 kb")

    def in_unit(self, unit: str | None) -> Decimal:
        unit = (unit or self.unit).lower()
        if unit not in UNITS[self.kind]:
            raise ValueError(f"`{unit}` is not a unit of {self.kind}; available: {', '.join(UNITS[self.kind])}")
        return self.base / UNITS[self.kind][unit]

    def _like(self, other: object) -> Amount:
        """Another amount of the same kind."""
        amount = Amount.parse(other)
        if amount.kind != self.kind:
            raise ValueError(f"{self} and {amount} are of different kinds")
        return amount

    def _made(self, base: Decimal) -> Amount:
        return Amount(base, self.kind, self.unit)

    def __add__(self, other: object) -> Amount:
        return self if other == 0 else self._made(self.base + self._like(other).base)

    def __radd__(self, other: object) -> Amount:
        return self if other == 0 else Amount.parse(other) + self

    def __sub__(self, other: object) -> Amount:
        return self._made(self.base - self._like(other).base)

    def __rsub__(self, other: object) -> Amount:
        return Amount.parse(other) - self

    def __mul__(self, number: object) -> Amount:
        return self._made(self.base * _number(number))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Amount | float:
        if isinstance(other, Amount | str):
            return float(self.base / _divisor(self._like(other).base))
        return self._made(self.base / _divisor(_number(other)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) and _AMOUNT.match(other):
            other = Amount.parse(other)
        return isinstance(other, Amount) and (self.kind, self.base) == (other.kind, other.base)

    def __hash__(self) -> int:
        return hash((self.kind, self.base))

    def __lt__(self, other: object) -> bool:
        return self.base < self._like(other).base

    def __le__(self, other: object) -> bool:
        return self.base <= self._like(other).base

    def __gt__(self, other: object) -> bool:
        return self.base > self._like(other).base

    def __ge__(self, other: object) -> bool:
        return self.base >= self._like(other).base

    def __str__(self) -> str:
        number = f"{self.in_unit(None):f}"
        return f"{number.rstrip('0').rstrip('.') if '.' in number else number} {self.unit}"


def _number(value: object) -> Decimal:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST:
        return Decimal(str(value))
    raise ValueError(f"an amount is multiplied or divided by a number smaller than {LARGEST}")


def _divisor(number: Decimal) -> Decimal:
    if not number:
        raise ZeroDivisionError("division by zero")
    return number


class Measured(Scalar):
    """An amount in a tree: written as text, and still an amount where it is computed with."""

    __slots__ = ("amount",)

    def __init__(self, amount: Amount, source: Source | Computed, at: int) -> None:
        super().__init__(str(amount), str(amount), source, at)
        self.amount = amount


def measured(value: object, source: Source | Computed, at: int) -> Scalar:
    """A single value that was computed, as a node."""
    return Measured(value, source, at) if isinstance(value, Amount) else scalar_of(value, source, at)


def computable(node: Scalar) -> object:
    """What a node's value is in a computation."""
    return node.amount if isinstance(node, Measured) else node.value


def scalar_value(value: object, unit: str | None = None, round: int | None = None) -> float | int:
    """The number of an amount in a unit."""
    number = float(Amount.parse(value).in_unit(unit))
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
