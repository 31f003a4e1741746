"""The reference pages say what the code declares, and the declarations themselves hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plait.apps.cli.command import LIMITS
from plait.apps.cli.commands import COMMANDS, load
from plait.core.meter import BUDGETS
from tests.reference import FOLDER, PAGES
from tests.stacks.flags import PAGE, page


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name](), "run: python -m tests.reference"


def test_the_flags_of_atmos_are_listed_as_they_are_declared() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.reference"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_declared_whole(name: str) -> None:
    command = load(name)
    assert command.name == name
    assert command.summary.endswith(".")
    assert command.examples
    assert all(f"plait {name}" in example for example in command.examples)
    flags = [flag for option in command.options for flag in option.flags]
    assert len(flags) == len(set(flags))
    assert {"--quiet", "--verbose"} <= {*flags}


def test_every_budget_has_a_flag() -> None:
    assert tuple(BUDGETS) == tuple(LIMITS)


def test_a_name_of_the_catalog_is_one_code() -> None:
    """A second one of the same name would take its place in modules that are not about it."""
    text = (Path(__file__).parents[1] / "src/plait/report/catalog.py").read_text()
    names = re.findall(r"^([A-Z_]+) = Code\(", text, re.MULTILINE)
    assert len(names) > 100
    assert [name for name in set(names) if names.count(name) > 1] == []
