"""Each reader of YAML, compared with the program it stands for. helm and docker compose are asked by tests/judges."""

from __future__ import annotations

import datetime
import io
import sys
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plait.yaml.readers import READERS
from tests.examples import examples
from tests.samples import SAMPLES

SCALARS = st.text(alphabet="0123456789+-._:eExXobBnNyY", min_size=1, max_size=7).filter(
    lambda text: text not in ("---", "...")  # which are no scalars: they begin and end a document
)


def _pyyaml(text: str) -> Any:
    return yaml.safe_load(text)


def _omegaconf(text: str) -> Any:
    package = pytest.importorskip("omegaconf")
    home = sys.modules.get("omegaconf._yaml", package._utils)  # where 2.4 has it, and where 2.3 does
    return yaml.load(text, Loader=home.get_yaml_loader())


def _ruamel(text: str) -> Any:
    ruamel = pytest.importorskip("ruamel.yaml")
    return ruamel.YAML(typ="safe", pure=True).load(io.StringIO(text))


ASKED: dict[str, Callable[[str], Any]] = {"pyyaml": _pyyaml, "omegaconf": _omegaconf, "ruamel": _ruamel}
ODD = (ValueError, yaml.YAMLError, IndexError)
"""What these readers raise for scalars that their own patterns match and their own code cannot read."""


def same(reader: str, text: str) -> None:
    try:
        wanted = ASKED[reader](text)
    except Exception as trouble:
        if isinstance(trouble, ODD) or type(trouble).__module__.startswith("ruamel"):
            return
        raise
    actual = READERS[reader].schema.resolve(text)
    if isinstance(wanted, list | dict):
        return  # `- 1` and `1: 2`: no scalar
    if isinstance(wanted, datetime.date):
        assert (READERS[reader].times, actual) == ("time", text)
    else:
        assert (type(actual), actual) == (type(wanted), wanted)


@pytest.mark.parametrize("reader", ASKED)
@pytest.mark.parametrize("text", SAMPLES)
def test_samples_mean_what_the_reader_says(reader: str, text: str) -> None:
    same(reader, text)


@pytest.mark.parametrize("reader", ASKED)
@settings(max_examples=examples(50), deadline=None)
@example(text="1:2_0")
@given(text=SCALARS)
def test_scalars_mean_what_the_reader_says(reader: str, text: str) -> None:
    same(reader, text)


@pytest.mark.parametrize("reader", ASKED)
def test_duplicate_keys_do_what_the_row_says(reader: str) -> None:
    text = "a: 1\na: 2\n"
    if READERS[reader].duplicates == "error":
        with pytest.raises(Exception, match=r"(?i)duplicate"):
            ASKED[reader](text)
    else:
        assert ASKED[reader](text) == {"a": 2}


@pytest.mark.parametrize("reader", ASKED)
def test_merge_keys_merge(reader: str) -> None:
    assert ASKED[reader]("a: &x {b: 1}\nc: {<<: *x, d: 2}\n")["c"] == {"b": 1, "d": 2}


BY_GO: dict[str, object] = {
    "12": 12,
    "-12": -12,
    "+12": 12,
    "0": 0,
    "-0": 0,
    "1_000": 1000,
    "1__2": 12,
    "010": 8,
    "0o17": 15,
    "-0o17": -15,
    "0b11": 3,
    "0x1F": 31,
    "-0X1f": -31,
    "0x_1": 1,
    "08": 8.0,
    "1e3": 1000.0,
    ".5": 0.5,
    "1.": 1.0,
    "1_0.5": 10.5,
    "._5": "._5",
    "1e400": "1e400",
    "-1e400": "-1e400",
    "0x": "0x",
    "+": "+",
    "-": "-",
    "0b2": "0b2",
    "1a": "1a",
    "٣": "٣",
    "0o8": "0o8",
    "18446744073709551615": 2**64 - 1,
    "18446744073709551616": 2.0**64,
    "-9223372036854775808": -(2**63),
    "-9223372036854775809": -(2.0**63),
    "+9223372036854775807": 2**63 - 1,
    "+9223372036854775808": 2.0**63,
}
"""What go-yaml makes of numbers: `strconv.ParseInt(text, 0, 64)` without underscores, `ParseUint`, then a float."""


@pytest.mark.parametrize("text", BY_GO)
def test_numbers_as_go_reads_them(text: str) -> None:
    value = READERS["go-yaml-3"].schema.resolve(text)
    assert (type(value), value) == (type(BY_GO[text]), BY_GO[text])


def test_very_long_integers_stay_text() -> None:
    for reader in ASKED:
        assert READERS[reader].schema.resolve("1" * 4000) == int("1" * 4000)
        assert READERS[reader].schema.resolve("1" * 4001) == "1" * 4001
