"""What plain scalars mean, in YAML 1.2 and in YAML 1.1."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from plait.yaml.schema import CORE, YAML11

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
