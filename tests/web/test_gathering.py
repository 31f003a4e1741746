"""What the explorer gathers of all documents: in which order, and what it says before all are known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.explorer import Explorer, State
from plait.apps.web.links import Links
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.overview import different_values


@pytest.fixture
def explorer(shop: Path) -> Iterator[Explorer]:
    args: Any = read_words(COMMAND, ["--no-cache"])
    explorer = explorer_of(args)
    yield explorer
    explorer.close()


def test_a_search_begins_with_the_stacks_whose_files_have_its_words(explorer: Explorer) -> None:
    def order(state: State, *words: str) -> list[str]:
        state.gathered.seek(list(words), state.instances)
        assert sorted(state.gathered.order) == sorted(state.instances)
        return list(dict.fromkeys(target for target, _ in state.gathered.order))

    assert explorer.ask(lambda state: order(state, "4096")).result() == ["eu-prod", "eu-dev", "us-dev", "us-prod"]
    assert explorer.ask(lambda state: order(state, "vars.cidr", "10.2")).result()[0] == "us-prod"


def test_a_stack_that_was_not_looked_at_is_not_said_to_have_no_value(explorer: Explorer) -> None:
    def missing(state: State, count: int) -> list[str]:
        known = state.instances[:count]
        state.gathered.look(known, 1e9)
        rows = different_values(state, state.instances)
        return sorted({target for row in rows for target in row.missing})

    assert explorer.ask(lambda state: missing(state, 1)).result() == []
    assert explorer.ask(lambda state: missing(state, 100)).result() == ["eu-dev", "eu-prod", "us-dev"]


def test_pages_are_the_same_after_all_values_were_gathered(explorer: Explorer) -> None:
    def pages(state: State) -> list[tuple[str, str]]:
        return [DocumentView(state, Links(), *one).page("").texts for one in state.instances]

    def gathered(state: State) -> dict[str, Any]:
        state.gathered.seek(["memory"], state.instances)
        assert len(list(state.gathered.rest())) == len(state.instances)
        return state.gathered.texts

    first = explorer.ask(gathered).result()
    assert len(first["api"]["vars.memory"]) == 2
    before = explorer.ask(pages).result()
    args: Any = read_words(COMMAND, ["--no-cache"])
    other = explorer_of(args)
    assert other.ask(pages).result() == before
    assert other.ask(gathered).result() == first
    assert other.ask(pages).result() == before
    other.close()
