"""The map that an earlier run left: what is read to show it, and when it is not true any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.explorer import Explorer, State
from plait.apps.web.pages.map import Grid, cells_data
from tests.web.shop import FILES, write_shop

LONG = f"{FILES['stacks/catalog/queue.yaml']}# {'long enough to be worth keeping ' * 800}\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(write_shop(tmp_path / "shop", {"stacks/catalog/queue.yaml": LONG}))
    return Path()


def explorer(*words: str) -> Explorer:
    args: Any = read_words(COMMAND, [*words])
    return explorer_of(args)


def rows(found: Explorer) -> dict[str, list[str]]:
    def asked(state: State) -> dict[str, list[str]]:
        grid = Grid(state)
        return {name: [grid.columns[at] for at in row] for name, row in grid.rows.items()}

    return found.ask(asked).result()


def test_the_map_is_kept_and_little_is_read_for_it(shop: Path) -> None:
    first = explorer()
    shown = rows(first)
    read = first.state.workspace.counters.files
    first.close()
    again = explorer()
    assert rows(again) == shown
    assert again.state.workspace.counters.files < read / 5, "the configuration is read, no stack"
    cells = again.ask(lambda state: cells_data(state, ["eu-dev"])).result()
    assert list(cells) == ["eu-dev"]
    assert again.state.workspace.counters.files < read, "only what one stack is made of"
    again.close()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("stacks/deploy/us/dev.yaml", "vars: {environment: us, stage: test}\nimport: [catalog/queue]\n"),
        ("stacks/deploy/us/new.yaml", "vars: {environment: us, stage: new}\nimport: [catalog/queue]\n"),
        ("stacks/catalog/queue.yaml", LONG.replace("queue-legacy:", "queue-other:").replace("type: abstract", "")),
        ("atmos.yaml", FILES["atmos.yaml"].replace("deploy/**/*", "deploy/eu/*")),
    ],
)
def test_a_changed_repository_has_another_map(shop: Path, file: str, text: str) -> None:
    before = explorer()
    old = rows(before)
    before.close()
    living = explorer()
    assert rows(living) == old
    (shop / file).write_text(text)
    living.ask(lambda state: living.refresh()).result()
    fresh = explorer("--no-cache")
    wanted = rows(fresh)
    assert wanted != old
    assert rows(living) == wanted, "an open page"
    living.close()
    later = explorer()
    assert rows(later) == wanted, "the next run"
    for one in (fresh, later):
        one.close()


def test_what_is_shown_does_not_decide_what_is_kept(shop: Path) -> None:
    first = explorer("--target", "eu-prod", "--edit", "--port", "1")
    assert list(rows(first)) == ["eu-prod"]
    first.close()
    other = explorer()
    assert list(rows(other)) == ["eu-dev", "eu-prod", "us-dev", "us-prod"]
    assert other.state.workspace.counters.files < 5
    other.close()
