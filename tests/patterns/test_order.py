"""The order of what is generated again: files that nobody touched, new items, fields and documents, and both sides at
one place."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

import plait
from tests.examples import every
from tests.patterns.documents import changed, document, documents, text_of
from tests.patterns.triples import Unique, of_git


def data_of(text: str) -> list[Any] | None:
    """The documents of a text, with the order of keys in them; None where it is no YAML."""
    try:
        return list(yaml.load_all(text, Unique))
    except yaml.YAMLError:
        return None


@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_what_nobody_touched_becomes_what_is_generated(first: int) -> None:
    for seed in range(first, first + 50, every(2)):
        chance = random.Random(seed)
        docs = documents(chance)
        fresh = changed(chance, docs, chance.randint(1, 8))
        if chance.random() < 0.3:
            fresh.insert(chance.randint(0, len(fresh)), document(chance, "added"))
        if chance.random() < 0.2:
            chance.shuffle(fresh)
        made = plait.regenerate(text_of(docs), text_of(fresh), text_of(docs))
        assert made.text == text_of(fresh), seed
        assert not made.conflicts


@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_where_git_merges_cleanly_data_and_order_are_those_of_git(first: int, tmp_path: Path) -> None:
    clean = 0
    seed = first * 100
    while clean < 50 / every(5):
        seed += 1
        chance = random.Random(seed)
        docs = documents(chance)
        sides = tuple(changed(chance, docs, chance.randint(1, 3)) for _ in range(2))
        base, ours, theirs = (text_of(side) for side in (docs, *sides))
        git = of_git((base, ours, theirs), tmp_path)
        wanted = data_of(git) if git is not None else None
        if wanted is None or data_of(base) is None:
            continue
        clean += 1
        for here, fresh in ((ours, theirs), (theirs, ours)):
            made = plait.regenerate(here, fresh, base)
            assert data_of(made.text) == wanted, (seed, made.text)
            assert not made.conflicts, seed
            assert plait.merge3(base, here, fresh).text == git, seed
