"""Every function's own example, and what every declaration must have."""

from __future__ import annotations

import pytest

from plait.gotemplate import Function, builtins, parse, sprig

TABLES = {"builtins": builtins(), "sprig": sprig()}
FUNCTIONS = [(name, item) for name, table in TABLES.items() for item in table.functions.values()]
EXAMPLES = [(table, item) for table, item in FUNCTIONS if item.example]
WITHOUT = {"call", "fail", "getHostByName", "buildCustomCert", "genCA", "genSelfSignedCert", "genSignedCert"}
"""Functions whose example would be an error, go to the network, or take seconds."""


@pytest.mark.parametrize(("table", "item"), EXAMPLES, ids=[f"{table}-{item.name}" for table, item in EXAMPLES])
def test_the_example_is_true(table: str, item: Function) -> None:
    functions = sprig() if item.name not in ("slice",) else TABLES[table]
    assert parse(item.example, functions=functions).render({}) == item.output


@pytest.mark.parametrize(("table", "item"), FUNCTIONS, ids=[f"{table}-{item.name}" for table, item in FUNCTIONS])
def test_every_function_says_what_it_does(table: str, item: Function) -> None:
    assert item.description.endswith((".", ".*"))
    assert item.signature.text.startswith("func(")
    assert item.group
    assert bool(item.example) is (item.name not in WITHOUT)
    assert not item.example or item.name in item.example


def test_sprig_is_whole() -> None:
    assert len(sprig().functions) >= 219
