"""Numbers with a fraction as Go writes them: as few digits as needed, and an exponent from seven digits on."""

from __future__ import annotations

import pytest

from plait.gotemplate import parse

WRITTEN = {
    1e20: "1e+20",
    1e21: "1e+21",
    123456789.0: "1.23456789e+08",
    0.0001: "0.0001",
    0.00001: "1e-05",
    -2.5: "-2.5",
    -0.0: "-0",
    100000.0: "100000",
    1000000.0: "1e+06",
    1.5e300: "1.5e+300",
    float("inf"): "+Inf",
}


@pytest.mark.parametrize("number", WRITTEN)
def test_a_number_as_go_prints_it(number: float) -> None:
    assert parse("{{ .x }}").render({"x": number}) == WRITTEN[number]
