"""What a search gathers after files have changed: little is looked at again, and it is what a new explorer finds."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.earlier import MovedLines
from plait.apps.web.explorer import Explorer, State
from tests.examples import examples
from tests.model.repositories import manifests, repositories, written
from tests.model.stacks import Data


def opened() -> Explorer:
    args: Any = read_words(COMMAND, ["--no-cache"])
    return explorer_of(args)


def gathered(explorer: Explorer) -> tuple[dict[str, Any], int]:
    """Everything that is found, and how many documents were looked at for it."""

    def asked(state: State) -> tuple[dict[str, Any], int]:
        state.gathered.seek(["x"], state.searched)
        list(state.gathered.rest())
        texts = state.gathered.texts
        found = {
            document: {path: {text: sorted(places) for text, places in values.items()} for path, values in rows.items()}
            for document, rows in texts.items()
            if rows
        }
        return found, state.gathered.looked

    return explorer.ask(asked).result()


def refresh(explorer: Explorer) -> None:
    explorer.ask(lambda state: explorer.refresh()).result()


def afresh() -> dict[str, Any]:
    other = opened()
    try:
        return gathered(other)[0]
    finally:
        other.close()


def rewrite(name: str, text: str) -> None:
    """Another text, also for who looks at the time and the size of a file."""
    path, count = Path(name), os.stat(name).st_mtime_ns
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(count + 10**9, count + 10**9))


EDITS = [
    ("stacks/deploy/eu/prod.yaml", "memory: 4096", "memory: 4097", 4),
    ("stacks/catalog/api.yaml", "memory: 1024", "memory: 1025", 4),
    ("stacks/catalog/service.yaml", "memory: 512", "size: 3\n        memory: 512", 8),
    ("stacks/deploy/eu/prod.yaml", "import:", "# first\nimport:", 4),
    ("stacks/catalog/service.yaml", "locals:", "# first\n\nlocals:", 14),
    ("stacks/deploy/us/dev.yaml", "environment: us", "environment: uk", 14),
    ("stacks/deploy/us/dev.yaml", "environment: us", "environment: eu", 14),
]
"""A file, words in it before and after, and how many documents may be looked at again at the most."""


@pytest.mark.parametrize(("file", "old", "new", "most"), EDITS)
def test_little_is_looked_at_again(file: str, old: str, new: str, most: int, shop: Path) -> None:
    explorer = opened()
    try:
        assert gathered(explorer)[1] == 14
        text = Path(file).read_text()
        assert old in text
        rewrite(file, text.replace(old, new, 1))
        refresh(explorer)
        found, looked = gathered(explorer)
        assert found == afresh()
        assert 1 <= looked <= most
    finally:
        explorer.close()


@pytest.mark.long
@given(repositories(), st.data())
@settings(max_examples=examples(10), deadline=None)
def test_after_any_change_a_search_finds_what_a_new_explorer_finds(files: dict[str, Data], data: st.DataObject) -> None:
    with written(files, "replace"):
        explorer = opened()
        try:
            gathered(explorer)
            for _ in range(2):
                name = data.draw(st.sampled_from(sorted(set(files) - {"all"})))
                earlier = [one for one in files if one < name and not one.startswith("deploy")]
                made = {**files[name], **data.draw(manifests(earlier))}
                rewrite(f"stacks/{name}.yaml", json.dumps(made, indent=data.draw(st.sampled_from([None, 1]))))
                refresh(explorer)
                assert gathered(explorer)[0] == afresh()
        finally:
            explorer.close()


def test_lines_above_and_below_a_change_are_known() -> None:
    lines = MovedLines("a\nb\nc\nd\n", "a\nx\ny\nc\nd\n")
    assert [lines.now(line) for line in (1, 2, 3, 4)] == [1, None, 4, 5]
    same = MovedLines("a\na\na\n", "a\na\n")
    assert [same.now(line) for line in (1, 2)] == [1, 2]
