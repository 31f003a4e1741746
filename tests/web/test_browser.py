"""The explorer in a real browser: what its pages show, and where they lead."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import serving
from tests.web.shop import FILES, write_shop
from tests.web.visit import Visit


def test_the_map_leads_to_a_component_and_its_layers(visit: Visit) -> None:
    page = visit.page
    assert "token" not in page.url
    visit.see("h1", "4 stacks, 4 components 14 instances")
    cell = page.get_by_label(re.compile("^api in eu-prod: [0-9]+ values, 5 override others$"))
    visit.expect(cell).to_have_text("5")
    visit.see_count("#cells a.new", 4)
    page.wait_for_selector(".layered .card")
    page.wait_for_selector(".differ .chip")
    visit.picture("explorer-map")
    cell.click()
    visit.see("h1", re.compile("^api in eu-prod"))
    line = visit.row("vars.memory")
    visit.expect(line.locator(".origin .place")).to_have_text("stacks/deploy/eu/prod.yaml:14")
    line.locator("summary").click()
    cards = [
        "stacks/catalog/service.yaml:9 base component service-defaults overridden: the component overrides its base"
        " 768 imported by stacks/deploy/eu/prod.yaml \u2192 stacks/catalog/api.yaml",
        "stacks/catalog/api.yaml:8 from an import overridden: later layer 1024 imported by stacks/deploy/eu/prod.yaml",
        "stacks/deploy/eu/prod.yaml:14 layer wins 4096",
    ]
    visit.see('[data-key="vars.memory"] .stack .card', cards)
    visit.picture("explorer-layers")


def test_the_first_page_shows_where_stacks_differ_and_the_layers_of_one(visit: Visit) -> None:
    page = visit.page
    row = page.locator('.differ [data-key="api: vars.replicas"]')
    visit.expect(row.locator(".chip")).to_have_text(["12 stacks", "6eu-prod", "4us-prod"])
    visit.see_count(".differ [data-key$='vars.namespace']", 0)
    visit.expect(page.locator('.differ [data-key="network: vars.stage"] small')).to_have_text("3 components")
    bands = page.locator(".layered .card")
    visit.expect(bands.first).to_contain_text("stacks/deploy/eu/prod.yamldecides 13 values")
    visit.expect(bands.filter(has_text="overrides 4 of stacks/defaults.yaml")).to_have_count(1)
    visit.expect(bands.last).to_contain_text("stacks/defaults.yaml")
    visit.see_count(".arcs path", 6)
    row.get_by_text("eu-prod").click()
    page.wait_for_selector('[data-key="vars.replicas"] .card.winner')


def test_filters_are_in_the_address(visit: Visit) -> None:
    page = visit.page
    page.get_by_label("stacks", exact=True).fill("PROD eu")
    page.get_by_label("components", exact=True).fill("qu")
    page.wait_for_function("() => location.search === '?targets=PROD+eu&documents=qu&base=HEAD'")
    visit.see("#summary", "1 stack and 1 instance shown")
    page.reload()
    visit.see("#cells tbody th", ["eu-prod"])
    visit.see("#cells thead th:not(.corner)", ["queue"])


def test_a_reference_leads_to_what_it_reads_and_on_to_what_that_reads(visit: Visit) -> None:
    visit.ask(**{"": "/value", "target": "eu-prod", "document": "web"})
    page = visit.page
    visit.row("vars.upstream").locator("summary").click()
    visit.row("vars.upstream").locator(".inputs a.follow").click()
    page.wait_for_selector('[data-key="vars.url"] details[open] .card.winner')
    page.wait_for_function("() => location.hash === '#p-vars.url'")
    visit.expect(visit.row("vars.url").locator("summary")).to_be_focused()
    visit.expect(visit.row("vars.url").locator(".inputs")).to_contain_text("locals.domain")


def test_a_file_has_the_fate_of_each_line(visit: Visit) -> None:
    visit.go("/files")
    page = visit.page
    visit.see_count("svg.graph a", 12)
    page.locator("table.rows").get_by_text("stacks/catalog/service.yaml").click()
    fates = {
        2: "read by expressions",
        6: "",
        8: "wins in 3 stacks, overridden in 2 stacks",
        10: "overridden everywhere",
    }
    for line, fate in fates.items():
        visit.expect(page.locator(f"#L{line} .fate")).to_have_text(fate, use_inner_text=True)
    page.locator("#L10 .fate summary").click()
    places = page.locator("#L10 .places")
    visit.expect(places).to_contain_text("overridden in 4 places by stacks/catalog/api.yaml:7", use_inner_text=True)
    visit.picture("explorer-file", 620)


def test_the_review_against_a_base_revision(visit: Visit) -> None:
    page = visit.page
    visit.see_count('#cells a.new[aria-label$="1 change"]', 4)
    page.get_by_label("show").select_option("errors")
    visit.see_count("#cells tbody th", 0)
    page.get_by_label("show").select_option("")
    visit.see_count("#cells tbody th", 4)
    page.get_by_role("link", name="Change", exact=True).click()
    visit.see(".cause .place", "stacks/catalog/service.yaml:9")
    visit.expect(page.locator("main h2").first).to_contain_text("4 values change in 4 of 4 stacks; 1 cause")
    visit.see(".cause tbody tr td:nth-child(-n+2)", ["web vars.memory", "512 -> 768"])
    visit.picture("explorer-change", 430)


# The keyboard


def test_what_could_be_simpler_is_shown_with_its_lines_and_its_proof(visit: Visit) -> None:
    visit.go("/tidy")
    visit.see("h1", "What could be simpler")
    visit.see(".simpler h2", ["redundant 1 change"])
    card = visit.page.locator(".simpler .card").first
    visit.expect(card.locator(".place")).to_have_text("stacks/deploy/us/prod.yaml:12")
    card.locator("summary").click()
    visit.expect(card.locator("ins")).to_contain_text("!append [c]")
    visit.expect(card).to_contain_text("every result of us-prod stays")


def test_everything_is_reached_with_the_keyboard_and_prints_without_controls(visit: Visit) -> None:
    page = visit.page
    page.keyboard.press("Tab")
    visit.expect(page.locator(":focus")).to_have_text("Skip to content")
    page.locator("#cells a[aria-label]").first.focus()
    page.keyboard.press("ArrowDown")
    visit.see_focus("aria-label", re.compile("^network in eu-prod"))
    page.keyboard.press("ArrowRight")
    visit.see_focus("aria-label", re.compile("^api in eu-prod"))
    page.keyboard.press("Enter")
    visit.row("vars.memory").locator("summary").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-key="vars.memory"] .card.winner')
    page.emulate_media(media="print")
    for part in (".top", ".controls"):
        visit.expect(page.locator(part).first).to_be_hidden()
    visit.expect(visit.row("vars.memory")).to_be_visible()


def test_a_value_that_is_opened_before_the_script_is_there_is_loaded(visit: Visit) -> None:
    page, held = visit.page, list[Any]()
    page.goto("about:blank")  # no request of an earlier page is held
    page.route("**/explorer.js*", lambda route: held.append(route))
    page.goto(f"{visit.root}/value?target=eu-prod&document=api", wait_until="commit")
    visit.row("vars.memory").locator("summary").click()
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.wait_for_selector('[data-key="vars.memory"] .card.winner')
    page.unroute("**/explorer.js*")


def test_the_focus_stays_when_cells_become_known(visit: Visit) -> None:
    """The answer about the rows comes when the focus is already in one of them."""
    page, held, released = visit.page, list[Any](), list[bool]()
    page.goto("about:blank")  # no request of an earlier page is held
    page.route("**/cells?*", lambda route: route.continue_() if released else held.append(route))
    visit.go("/")
    page.locator("#cells a[aria-label='api in eu-prod']").focus()
    visit.see_focus("aria-label", "api in eu-prod")
    while not held:
        page.wait_for_timeout(10)
    released.append(True)
    held[0].continue_()
    visit.see_focus("aria-label", re.compile("^api in eu-prod: [0-9]+ values"))


# A large repository


@pytest.mark.long
def test_a_large_map_draws_only_what_is_visible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Any) -> None:
    """Four thousand instances: few of them are in the page, and of few of them anything is evaluated."""
    monkeypatch.chdir(tmp_path)
    names = "".join(f"    c{number:02}: {{vars: {{size: {number}}}}}\n" for number in range(40))
    files = {f"stacks/deploy/s{number:03}.yaml": STACK.format(number) for number in range(100)}
    for old in FILES:
        if old.startswith("stacks/deploy/"):
            files[old] = "vars: {}\n"
    write_shop(tmp_path, {**files, "stacks/catalog/all.yaml": f"components:\n  terraform:\n{names}"})
    with serving() as server:
        visit = Visit(chromium, server.address)
        page = visit.page
        visit.see("h1", "100 stacks, 40 components 4,000 instances")
        page.get_by_label("c39 in x-s000: ", exact=False).focus()
        page.evaluate("() => { document.getElementById('grid').scrollTop = 1e6; }")
        page.get_by_label("c39 in x-s099: ", exact=False).wait_for()
        visit.see_count("#cells tr[data-name='x-s000']", 0)
        assert page.locator("#cells td a").count() < 2500
        visit.see_focus("id", "grid")
        page.keyboard.press("ArrowDown")
        visit.see_focus("aria-label", re.compile("^c39 in x-s001"))
        visit.see_count("#cells tr[data-name='x-s099']", 0)
        assert page.locator("#cells td a").count() < 2500
        visit.close()


STACK = "import: [catalog/all]\nvars: {{environment: x, stage: s{:03}}}\n"
