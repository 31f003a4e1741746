"""Amounts with a unit (`500 kb`, `2 min`), and ports (`80:81`)."""

from __future__ import annotations

import builtins
import math
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
        "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
        "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
    },
    "time": {
        "ns": Decimal("1e-9"), "us": Decimal("1e-6"), "ms": Decimal("1e-3"), "s": 1,
        "m": 60, "h": 3600, "d": 86400,
    },
    "frequency": {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9},
    "bitrate": {
        "bps": 1, "Kbps": 10**3, "Mbps": 10**6, "Gbps": 10**9, "Tbps": 10**12,
        "Kibps": 2**10, "Mibps": 2**20, "Gibps": 2**30, "Tibps": 2**40,
    },
}  # fmt: skip
"""What each unit is, in the base of its kind."""

_AMOUNT = re.compile(r"\s*([-+]?[0-9]*\.?[0-9]+)(?:\s*\*)?\s*([A-Za-z]+)\s*\Z")
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
        if match is None:
            raise ValueError(f"`{text}` is not a number with a unit, such as 500 kB")
        kind, unit, base = _unit(match[2])
        return cls(Decimal(match[1]) * base, kind, unit)

    def in_unit(self, unit: str | None) -> Decimal:
        kind, name, base = _unit(unit or self.unit)
        if kind != self.kind:
            raise ValueError(f"`{name}` is not a unit of {self.kind}; available: {', '.join(UNITS[self.kind])}")
        return self.base / base

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

    def __floordiv__(self, number: object) -> Amount:
        return self._made(self.base // _divisor(_number(number)))

    def __mod__(self, number: object) -> Amount:
        return self._made(self.base % _divisor(_number(number)))

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


def scalar(value: object) -> Amount | None:
    """An amount; None for what has no number, or no unit."""
    text = str(value).strip()
    has_number = text.lstrip("+-.")[:1].isdecimal()
    return Amount.parse(value) if has_number and not _BARE.match(text) else None


def scalar_value(value: object, unit: str | None = None, round: int | str | None = None) -> float | int | None:
    """The number of an amount in a unit, or in its own. A number without a unit is in the smallest one. It is rounded
    as asked for, otherwise to a whole number where it is at least 1."""
    bare = _BARE.match(str(value)) if not isinstance(value, Amount) else None
    amount = scalar(value) if bare is None else None
    if bare is None and amount is None:
        return None
    if amount is not None:
        number = float(amount.in_unit(unit))
    else:
        assert bare is not None
        number = float(bare[1]) / (float(_unit(unit)[2]) if unit is not None else 1)
    if round is None:
        return number if abs(number) < 1 else builtins.round(number)
    if isinstance(round, str):
        if round not in ROUNDED:
            raise ValueError(f"`round` is a number of digits, or {' or '.join(ROUNDED)}, not `{round}`")
        return ROUNDED[round](number)
    return builtins.round(number, round)


_BARE = re.compile(r"\s*([-+]?[0-9]*\.?[0-9]+)\s*\Z")
ROUNDED = {"ceil": math.ceil, "floor": math.floor}


def _unit(name: str) -> tuple[str, str, Decimal | int]:
    """The kind of a unit, how it is written, and what it is in the base of its kind."""
    for kind, units in UNITS.items():
        for unit, base in units.items():
            if unit.lower() == name.lower():
                return kind, unit, base
    raise ValueError(
        f"there is no unit `{name}`; available: {', '.join(unit for units in UNITS.values() for unit in units)}"
    )


PORT = ("protocol", "source", "source_range", "target", "target_range")
"""What can be said of a port."""


def port(value: object) -> dict[str, object] | None:
    """`source:target/protocol` in its parts; source and target may be ranges: `8000-8010`. None for nothing."""
    if isinstance(value, list):
        raise ValueError("a port is a number, a text such as 80:8080/udp, or a map")
    if not value:
        return None
    made = value if isinstance(value, dict) else _written_port(str(value))
    unknown = sorted(str(name) for name in made if name not in PORT)
    if unknown:
        raise ValueError(f"`{unknown[0]}` is not a part of a port; available: {', '.join(PORT)}")
    return {name: _checked(name, made.get(name)) for name in PORT}


def _written_port(text: str) -> dict[str, object]:
    ports, _, protocol = text.partition("/")
    source, _, target = ports.partition(":")
    made: dict[str, object] = {"protocol": protocol or "tcp"}
    for name, part in (("source", source), ("target", target or source)):
        made |= {f"{name}_range": part.split("-")} if "-" in part else {name: part}
    return made


def _checked(name: str, part: object) -> object:
    """A part of a port: one that is a number must be one."""
    if part is None or name == "protocol":
        return part
    numbers = part if isinstance(part, list) else [part]
    for number in map(str, numbers):
        if not number.isdecimal() or not 1 <= int(number[:6]) <= LAST_PORT:
            raise ValueError(f"`{number}` is not a port: a number from 1 to {LAST_PORT}")
    return part if isinstance(part, list) else int(str(part))


LAST_PORT = 65535
