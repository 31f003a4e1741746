"""What nobody touched is printed so that every reader sees what it saw before."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.node import equal
from plait.core.source import Source
from plait.yaml.build import Reading
from plait.yaml.emit import Style, emit_styled
from plait.yaml.load import load
from plait.yaml.readers import READERS
from tests.examples import examples

WORDS = [
    "no",
    "No",
    "off",
    "on",
    "yes",
    "y",
    "n",
    "~",
    "null",
    "NULL",
    "true",
    "0644",
    "0o17",
    "1:30",
    "1_000",
    ".5",
    "1e3",
    "0x1F",
    "2001-12-14",
    "a-b",
    "x",
    ".inf",
    "-1",
    "+2",
    "0b11",
]
PLAIN = st.sampled_from(WORDS)
SCALAR = PLAIN | PLAIN.map(lambda word: f"'{word}'") | PLAIN.map(lambda word: f'"{word}"')
KEYS = st.lists(PLAIN, min_size=1, max_size=4, unique_by=lambda word: str(yaml.safe_load(word)))


@st.composite
def documents(draw: st.DrawFn) -> str:
    lines = []
    for key in draw(KEYS):
        shape = draw(st.sampled_from(["scalar", "flow", "list", "comment"]))
        items = draw(st.lists(SCALAR, min_size=1, max_size=3))
        if shape == "scalar":
            lines.append(f"{key}: {items[0]}")
        elif shape == "comment":
            lines.append(f"{key}: {items[0]}  # why")
        elif shape == "flow":
            lines.append(f"{key}: [{', '.join(items)}]")
        else:
            lines += [f"{key}:", *(f"- {item}" for item in items)]
    return "\n".join(lines) + "\n"


def _comparable(value: Any) -> str:
    return repr(value)


@settings(max_examples=examples(35), deadline=None)
@pytest.mark.parametrize("version", READERS)
@given(documents())
def test_every_reader_sees_what_it_saw_before(version: str, text: str) -> None:
    schema = READERS[version].schema
    reading = Reading(schema=schema, text_keys=version != "1.2")
    before = load(Source("x", text), reading)[0]
    printed = emit_styled(before, Style(schema=schema))
    again = load(Source("y", printed), Reading(schema=schema, text_keys=version != "1.2"))[0]
    assert equal(before, again), printed
    assert _comparable(yaml.safe_load(text)) == _comparable(yaml.safe_load(printed)), printed
