"""The explorer in a real browser: pages while files change, and changes that are made on a page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from plait.apps.cli.run import read_words
from plait.apps.cli.run import run as main
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.export import export
from tests.web.serving import serving
from tests.web.shop import commit
from tests.web.visit import Visit


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_saved_file_updates_the_page_and_marks_what_changed(shop: Path, chromium: Any) -> None:
    """What somebody is doing on the page stays: the focus, what is open, what was typed."""
    with serving() as server:
        visit = Visit(chromium, server.address)
        visit.go("/value?target=eu-prod&document=api")
        page, line = visit.page, visit.row("vars.memory")
        line.locator("summary").click()
        line.get_by_label("what if it were").fill("64")
        line.locator(".card.winner .place").focus()
        visit.remember_news()
        replace(shop / "stacks/deploy/eu/prod.yaml", "memory: 4096", "memory: 8192")
        visit.expect(line.locator(".card.winner pre")).to_have_text("8192")
        visit.hear("stacks/deploy/eu/prod.yaml changed: 1 line on this page differs")
        visit.expect(page.locator(".changed")).to_have_attribute("data-key", "vars.memory")
        visit.expect(line.locator(".card.winner .place")).to_be_focused()
        visit.expect(line.get_by_label("what if it were")).to_have_value("64")
        visit.close()


def test_a_saved_file_marks_cells_of_the_map_and_leaves_the_focus_there(shop: Path, chromium: Any) -> None:
    with serving() as server:
        visit = Visit(chromium, server.address)
        page = visit.page
        cell = page.get_by_label(re.compile("^web in us-dev: .* 2 override others$"))
        cell.focus()
        page.get_by_label(re.compile("^queue in us-prod: ")).wait_for()
        visit.remember_news()
        more = "components: {terraform: {web: {vars: {memory: 1}}}}\n"
        file = shop / "stacks/deploy/us/dev.yaml"
        file.write_text(file.read_text() + more)
        visit.see_focus("aria-label", re.compile("^web in us-dev: .* 3 override others, just changed$"))
        visit.hear("stacks/deploy/us/dev.yaml changed: 1 cell on this page differs")
        visit.see_count("#cells a.marked", 1)
        file.write_text(file.read_text() + "# a comment\n")
        visit.hear("stacks/deploy/us/dev.yaml changed: nothing on this page differs")
        visit.see_focus("aria-label", re.compile("^web in us-dev: "))
        visit.see_count("#cells a.marked", 0)
        visit.close()


def test_what_would_happen_then_written_then_taken_back(shop: Path, chromium: Any) -> None:
    file = shop / "stacks/deploy/eu/prod.yaml"
    before = file.read_bytes()
    with serving("--edit") as server:
        visit = Visit(chromium, server.address)
        visit.go("/value?target=eu-prod&document=web&path=vars.memory")
        page = visit.page
        line = visit.row("vars.memory")
        line.get_by_label("what if it were").fill("640")
        line.get_by_role("button", name="Show").click()
        heads = line.locator(".trials .head")
        visit.expect(heads.first).to_have_text(
            "stacks/deploy/eu/prod.yaml:16 this component changes 1 value in eu-prod", use_inner_text=True
        )
        everywhere = "stacks/catalog/service.yaml:9 base component service-defaults changes 4 values in 4 stacks"
        visit.expect(line.locator(".trials")).to_contain_text(everywhere, use_inner_text=True)
        visit.expect(line.locator(".trials .diff").first).to_contain_text("+      vars: {replicas: 3, memory: 640}")
        visit.expect(line.get_by_role("button", name="Show")).to_be_focused()
        page.evaluate("() => scrollTo(0, 330)")
        visit.picture("explorer-what-if")
        assert file.read_bytes() == before, "asking writes nothing"
        line.locator(".trials li").first.get_by_role("button", name="Write it here").click()
        page.wait_for_selector(".outcome:has-text('written: stacks/deploy/eu/prod.yaml:16')")
        assert file.read_bytes() == before.replace(b"{replicas: 3}", b"{replicas: 3, memory: 640}")
        page.wait_for_selector('[data-key="vars.memory"].changed .outcome')
        visit.expect(page.get_by_role("button", name="Undo")).to_be_focused()
        page.get_by_role("button", name="Undo").click()
        page.wait_for_selector(".outcome:has-text('undone')")
        assert file.read_bytes() == before
        visit.close()


def test_the_export_is_opened_from_disk(shop: Path, chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    commit(shop)
    replace(shop / "stacks/catalog/service.yaml", "memory: 512", "memory: 768")
    folder = tmp_path_factory.mktemp("site")
    assert main(["serve", "--export", str(folder), "--base", "HEAD", "--target", "eu-prod", "--target", "eu-dev"]) == 0
    visit = Visit(chromium, (folder / "index.html").as_uri())
    visit.root = folder.as_uri()
    page, line = visit.page, visit.row("vars.memory")
    visit.see("h1", "2 stacks, 4 components 7 instances")
    visit.see_count("#cells a.new", 2)
    page.get_by_label(re.compile("^api in eu-prod: ")).click()
    line.locator("summary").click()
    visit.expect(line.locator(".card")).to_have_count(3)
    line.locator(".card").first.get_by_text("stacks/catalog/service.yaml:9").click()
    page.wait_for_selector("#L9:target")
    visit.see("#L9 .fate summary", "wins in 2 stacks, overridden in 2 stacks")
    page.go_back()
    across = line.get_by_text("the same value in all stacks")
    visit.expect(line).to_be_visible()
    if not across.is_visible():  # a browser may remember that the line was open
        line.locator("summary").first.click()
    across.click()
    visit.expect(page.locator("#p-vars\\.memory .folded-value")).to_have_text(
        ["1024 in eu-dev stacks/catalog/api.yaml:8", "4096 in eu-prod stacks/deploy/eu/prod.yaml:14"],
        use_inner_text=True,
    )
    page.get_by_role("link", name="Change", exact=True).click()
    visit.see(".cause tbody tr td:nth-child(-n+2)", ["web vars.memory", "512 -> 768"])
    visit.close()


@pytest.mark.long
def test_an_export_grows_with_the_repository_and_no_faster(
    shop: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Twice the stacks: twice the pages, and pages of one component that are as large as before."""

    def exported(count: int) -> tuple[int, dict[str, int]]:
        for number in range(count):
            text = f"import: [defaults, catalog/network, catalog/api]\nvars: {{environment: x{number:02}, stage: s}}\n"
            (shop / f"stacks/deploy/x{number:02}.yaml").write_text(text)
        folder = tmp_path_factory.mktemp("site")
        explorer = explorer_of(read_words(COMMAND, ["--no-cache"]))  # type: ignore[arg-type]
        explorer.ask(lambda state: export(state, str(folder))).result()
        forced = explorer.state.workspace.counters.forced
        explorer.close()
        return forced, {file.name: file.stat().st_size for file in folder.iterdir()}

    (evaluated, small), (evaluated_twice, large) = exported(10), exported(24)  # with the shop's own: 14 and 28 stacks
    names = small.keys() & large.keys()
    assert evaluated_twice < 2.3 * evaluated
    assert len(large) < 2.1 * len(small)
    assert sum(large.values()) < 2.3 * sum(small.values())
    documents = [name for name in names if name.startswith("value-")]
    assert documents
    assert all(large[name] < 1.05 * small[name] for name in documents)
