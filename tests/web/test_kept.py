"""What an earlier run left, the map and pages: what is read to show it, and when it is not true any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.explorer import Explorer, State
from plait.apps.web.links import DOCUMENT
from plait.apps.web.markup import joined
from plait.apps.web.pages.map import Grid, cells_data
from plait.apps.web.site import PAGES
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


# One component

QUEUE = {"target": "us-prod", "document": "queue", "path": ""}
INCLUDING = f"{FILES['stacks/deploy/us/prod.yaml']}      settings: {{note: !include ../../../note.txt}}\n"


def shown(found: Explorer) -> str:
    """The page of one component."""
    return found.ask(lambda state: joined(PAGES[DOCUMENT](state, QUEUE).content)).result()


def files_read(found: Explorer) -> int:
    return found.state.workspace.counters.files


def test_a_component_is_found_without_the_other_stacks_and_kept_for_the_next_run(shop: Path) -> None:
    first = explorer()
    page = shown(first)
    everything = files_read(first)
    first.close()
    again = explorer()
    assert shown(again) == page
    assert files_read(again) < 5, "the configuration is read, no stack"
    other = again.ask(lambda state: state.tree("eu-dev", "network")).result()
    assert other.root
    assert files_read(again) < everything, "only what one stack is made of"
    again.close()


def test_what_was_read_in_advance_is_not_read_again(shop: Path) -> None:
    ready = explorer("--no-cache")
    ready.ask(lambda state: list(state.prepared())).result()
    everything = files_read(ready)
    assert "retention_days" in shown(ready)
    assert files_read(ready) == everything
    ready.close()


def test_a_server_reads_in_advance_and_again_after_a_change(shop: Path) -> None:
    ready = explorer("--no-cache")
    ready.prepare()
    while len(ready.state.survey._documents) < 4:
        ready.ask(lambda state: None).result()
    file = shop / "stacks/deploy/us/dev.yaml"
    file.write_text(file.read_text() + "# a comment\n")
    ready.ask(lambda state: ready.refresh()).result()
    while len(ready.state.survey._documents) < 4:
        ready.ask(lambda state: None).result()
    assert ready.state.number == 2
    ready.close()


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [("stacks/catalog/queue.yaml", "true", "false"), ("note.txt", "kind words", "other words")],
)
def test_a_kept_page_is_not_shown_when_something_that_it_depends_on_has_changed(
    shop: Path, file: str, before: str, after: str
) -> None:
    """The map depends on the first file as well, on the second one only the page does."""
    (shop / "stacks/deploy/us/prod.yaml").write_text(INCLUDING)
    (shop / "note.txt").write_text("kind words")
    first = explorer()
    old = shown(first)
    assert before in old
    first.close()
    path = shop / file
    text = path.read_text()
    path.write_text(text.replace(before, after))
    living = explorer()
    assert after in shown(living)
    path.write_text(text)
    living.ask(lambda state: living.refresh()).result()
    assert shown(living) == old
    living.close()


def test_a_page_that_may_show_secrets_is_not_kept(shop: Path) -> None:
    for words in (["--reveal"], ["--reveal"], []):
        found = explorer(*words)
        assert "retention_days" in shown(found)
        assert files_read(found) > 5, "made anew"
        found.close()
