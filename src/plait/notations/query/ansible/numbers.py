"""Filters on numbers: powers, and sizes as people write them."""

from __future__ import annotations

import math

from plait.notations.query.bounds import ARITHMETIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.meter import Meter

SIZES: dict[str, int] = {letter: 2 ** (10 * power) for power, letter in enumerate("BKMGTPEZY")}
"""What the letter of a unit stands for."""


def log(meter: Meter, value: Any, base: float = math.e) -> float:
    return math.log10(value) if base == 10 else math.log(value, base)


def power(meter: Meter, value: Any, exponent: Any) -> object:
    return ARITHMETIC["**"](float(value), float(exponent), meter)


def root(meter: Meter, value: Any, base: float = 2) -> float:
    return math.sqrt(value) if base == 2 else math.pow(value, 1.0 / float(base))


def human_readable(meter: Meter, value: Any, isbits: bool = False, unit: str | None = None) -> str:
    """A number of bytes in the largest unit that fits, or in a given one."""
    word = "bits" if isbits else "Bytes"
    number = float(value)
    letter = next((one for one in reversed(SIZES) if abs(number) >= SIZES[one]), "B")
    if unit is not None and (not unit or unit[0].upper() not in SIZES):
        raise ValueError(f"human_readable: there is no unit {unit!r}; available: {', '.join(SIZES)}")
    letter = unit[0].upper() if unit else letter
    shown = word if letter == "B" else letter + word[0]
    return f"{number / SIZES[letter]:.2f} {shown}"


def human_to_bytes(meter: Meter, value: Any, default_unit: str | None = None, isbits: bool = False) -> int:
    """The number of bytes that a text such as `1.5 GB` stands for."""
    text = str(value).strip()
    length = next((at for at, one in enumerate(text) if not (one.isdecimal() or one == ".")), len(text))
    number, unit = text[:length], text[length:].strip() or str(default_unit or "")
    if not number or number.count(".") > 1 or number == ".":
        raise ValueError(f"human_to_bytes: `{value}` does not begin with a number")
    if unit and unit[0].upper() not in SIZES:
        raise ValueError(f"human_to_bytes: there is no unit `{unit}`; available: {', '.join(SIZES)}")
    if len(unit) > 1 and _is_of_bits(unit) is not isbits:
        raise ValueError(f"human_to_bytes: `{unit}` is no unit of {'bits' if isbits else 'bytes'}")
    return round(float(number) * SIZES[unit[0].upper() if unit else "B"])


def _is_of_bits(unit: str) -> bool:
    return unit.lower().startswith("bit") or (unit[0].upper() != "B" and unit[1] != "B")


FILTERS: dict[str, Callable[..., object]] = {
    "log": log,
    "pow": power,
    "root": root,
    "human_readable": human_readable,
    "human_to_bytes": human_to_bytes,
}
