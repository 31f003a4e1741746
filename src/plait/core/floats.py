"""How Go writes floating-point numbers: in texts of templates, and where Compose makes a text of a value."""

from __future__ import annotations


def digits_of(value: float) -> tuple[str, int]:
    """The shortest decimal digits of a finite number, and the position of the point: 0.00123 is ("123", -2)."""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    point = len(whole) + int(exponent or 0)
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    stripped = stripped.rstrip("0")
    return (stripped, point) if stripped else ("0", 1)


def shortest(value: float, low: int = -4, high: int = 6) -> str:
    """Go's %g with as few digits as needed; exponents outside low..high are written as such."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "+Inf" if value > 0 else "-Inf"
    sign = "-" if repr(value)[0] == "-" else ""  # of zero, too
    digits, point = digits_of(value)
    exponent = point - 1 if value else 0
    if exponent < low or exponent >= high:
        fraction = "." + digits[1:] if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}" if value else sign + "0"
    if len(digits) <= point:
        return sign + digits + "0" * (point - len(digits))
    return f"{sign}{digits[:point]}.{digits[point:]}"
