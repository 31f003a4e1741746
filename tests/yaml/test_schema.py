"""What plain scalars mean, in YAML 1.2 and in YAML 1.1."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.source import Source
from plait.yaml.build import Reading
from plait.yaml.emit import emit, emit_json
from plait.yaml.load import load
from plait.yaml.schema import CORE, LONGEST, SIXTIES, YAML11, Digits, Schema

BOTH = {
    "12": 12,
    "-1": -1,
    "+5": 5,
    "1.5": 1.5,
    "true": True,
    "False": False,
    "~": None,
    "null": None,
    ".inf": float("inf"),
    ".Inf": float("inf"),
    "-.Inf": float("-inf"),
}
ONLY_12 = {
    "yes": "yes",
    "012": 12,
    "0o17": 15,
    "0x1F": 31,
    "1_000": "1_000",
    "1e3": 1000.0,
    "0b1": "0b1",
    "-0x1": "-0x1",
    ".": ".",
}
ONLY_11 = {"yes": True, "off": False, "012": 10, "0b11": 3, "1_000": 1000, "0x1F": 31, "-0x1": -1, "1_0.5": 10.5}
NEITHER = ["0b_", "0x_", "0o", "._", ".e5", "+.", "-", "+", "_", "0b", "1.2.3", "--1", "٣"]


@pytest.mark.parametrize("text", [*BOTH, *ONLY_12])
def test_core(text: str) -> None:
    wanted = {**BOTH, **ONLY_12}[text]
    assert (CORE.resolve(text), CORE.resolve(text).__class__) == (wanted, wanted.__class__)


@pytest.mark.parametrize("text", [*BOTH, *ONLY_11])
def test_yaml_11(text: str) -> None:
    wanted = {**BOTH, **ONLY_11}[text]
    assert (YAML11.resolve(text), YAML11.resolve(text).__class__) == (wanted, wanted.__class__)


@pytest.mark.parametrize("text", NEITHER)
def test_what_is_no_number(text: str) -> None:
    assert CORE.resolve(text) == text
    assert YAML11.resolve(text) == text


@given(st.text("0123456789_+-.eExobXyn:", max_size=8))
def test_any_text_has_a_meaning(text: str) -> None:
    for schema in (CORE, YAML11):
        assert isinstance(schema.resolve(text), str | int | float | None)


@given(st.from_regex(r"[-+]?[0-9]{1,6}(\.[0-9]{1,4})?", fullmatch=True))
def test_numbers_are_those_of_yaml_11(text: str) -> None:
    assert YAML11.resolve(text) == yaml.safe_load(text) or text.lstrip("+-").startswith("0")


@pytest.mark.parametrize("schema", [CORE, YAML11, SIXTIES])
def test_long_integers_are_passed_on_digit_for_digit(schema: Schema) -> None:
    """A million digits cost no more than a text of that length: they are not converted."""
    for text in ("9" * 1_000_000, "-" + "8" * 1_000_000, "+7" + "0" * 1_000_000):
        node = load(Source("x", f"a: {text}\n"), Reading(schema=schema))[0]
        assert emit(node) == f"a: {text}\n"
        assert emit_json(node).split() == ["{", '"a":', text.lstrip("+"), "}"]
    assert schema.resolve("1" * LONGEST) == int("1" * 4000) * 10**6000 + int("1" * 4000) * 10**2000 + int("1" * 2000)


def test_long_integers_of_another_base_are_not_converted() -> None:
    node = load(Source("x", "a: 0x" + "f" * 1_000_000 + "\n"), Reading())[0]
    assert emit(node) == "a: 0x" + "f" * 1_000_000 + "\n"
    with pytest.raises(PlaitError, match="cannot be written as JSON"):
        emit_json(node)


BY_SIXTIES = {
    "1:30": 90,
    "-1:30": -90,
    "+1:30": 90,
    "1:00:00": 3600,
    "1:0:0": 3600,
    "1_0:30": 630,
    "1:30.5": 90.5,
    "0:30.5": 30.5,
    "-0:0.5": -0.5,
    "0:30": "0:30",
    "1:60": "1:60",
    "1:": "1:",
    ":30": ":30",
    "1:3 0": "1:3 0",
    "12": 12,
    "0x1F": 31,
    "yes": True,
    "a:b": "a:b",
}


@pytest.mark.parametrize("text", BY_SIXTIES)
def test_numbers_to_the_base_of_60(text: str) -> None:
    value = SIXTIES.resolve(text)
    assert (type(value), value) == (type(BY_SIXTIES[text]), BY_SIXTIES[text])


def test_where_numbers_are_computed_with() -> None:
    for size in (3999, 4000, 4001, 8001, LONGEST - 1):
        for sign, factor in (("", 1), ("+", 1), ("-", -1)):
            digits = "12" * (size // 2) + "0" * (size % 2)
            expected = factor * sum(int(digit) * 10**at for at, digit in enumerate(reversed(digits)))
            assert CORE.resolve(sign + digits) == YAML11.resolve(sign + digits) == expected
    for schema in (CORE, YAML11):
        assert isinstance(schema.resolve("1" * LONGEST), int)
        assert isinstance(schema.resolve("1" * (LONGEST + 1)), Digits)
        assert schema.resolve("0x" + "f" * (LONGEST - 2)) == 16 ** (LONGEST - 2) - 1
        assert isinstance(schema.resolve("0x" + "f" * (LONGEST - 1)), Digits)
    assert isinstance(SIXTIES.resolve("1:" + "0" * (LONGEST - 2)), str)
