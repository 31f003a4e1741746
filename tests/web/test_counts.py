"""Numbers of the explorer agree: the cells of the map, the heads of sections, and the badges of lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.explorer import State
from plait.apps.web.links import Links
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.files import NEAR, file_page
from plait.apps.web.pages.map import cells_data
from tests.web.shop import write_shop

LOW = "zones: [a, b]\nm: {x: 1, y: 2}\nz: [1, 2, 3]\nq: {deep: {r: 1}}\n"
HIGH = "zones: [c]\nm: !replace {x: 2}\nz: text\nq: 4\n"
"""Lists and maps that are replaced as a whole, by their own kind and by another one."""


def numbers(state: State) -> list[tuple[str, list[int], list[int]]]:
    """Of each document: its values and overrides as the map has them, and as its page has them."""
    rows = []
    for target in state.targets:
        for document, found in cells_data(state, [target])[target].items():  # type: ignore[attr-defined]
            html = DocumentView(state, Links(), target, document).page().texts[1]
            values = sum(int(one) for one in re.findall(r"<small> (\d+) values?", html))
            overrides = sum(int(one) for one in re.findall(r"values?, (\d+) override", html))
            badges = len(re.findall(r'badge">overrides ', html))
            rows.append((f"{document} in {target}", [found[0], found[1], found[1]], [values, overrides, badges]))
    return rows


@pytest.mark.parametrize("files", [(), ("low.yaml", "high.yaml")], ids=["stacks", "layers"])
def test_the_map_and_the_pages_count_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...]
) -> None:
    write_shop(tmp_path, {"low.yaml": LOW, "high.yaml": HIGH})
    monkeypatch.chdir(tmp_path)
    explorer = explorer_of(read_words(COMMAND, ["--no-cache", *files]))  # type: ignore[arg-type]
    try:
        rows = explorer.ask(numbers).result()
    finally:
        explorer.close()
    assert len(rows) == (1 if files else 14)
    assert [(name, cell) for name, cell, page in rows if cell != page] == []
    assert sum(cell[1] for _, cell, _ in rows) >= 3


@pytest.mark.parametrize(("readers", "note"), [(2, ""), (NEAR, ""), (NEAR + 3, "and 3 more")])
def test_the_page_of_a_file_says_how_many_neighbours_it_does_not_draw(
    readers: int, note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"l{number:02}.yaml" for number in range(readers)]
    rows = [f"- {{name: t{number}, layers: [base.yaml, {name}]}}" for number, name in enumerate(names)]
    for name in ("base.yaml", *names):
        (tmp_path / name).write_text("a: 1\n")
    (tmp_path / "plait.yaml").write_text("targets:\n" + "\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    explorer = explorer_of(read_words(COMMAND, ["--no-cache"]))  # type: ignore[arg-type]
    try:
        html = explorer.ask(lambda state: "".join(file_page(state, Links(), "base.yaml").texts)).result()
    finally:
        explorer.close()
    assert re.findall(r"and \d+ more", html) == ([note] if note else [])
