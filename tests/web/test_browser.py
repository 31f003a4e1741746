"""The explorer in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from plait.apps.cli.run import run as main
from tests.web.serving import serving
from tests.web.shop import FILES, commit, write_shop
from tests.web.visit import Visit


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_shop(tmp_path))
    return tmp_path


def test_the_map_leads_to_a_component_and_its_layers(shop: Path, chromium: Any) -> None:
    with serving() as server:
        visit = Visit(chromium, server.address)
        page = visit.page
        assert "token" not in page.url
        assert page.text_content("h1") == "4 stacks, 4 components 14 instances"
        cell = page.get_by_label(re.compile("^api in eu-prod: [0-9]+ values, 5 override others$"))
        cell.wait_for()
        assert cell.text_content() == "5"
        visit.picture("explorer-map", 400)
        cell.click()
        page.wait_for_selector("h1")
        assert page.text_content("h1").startswith("api in eu-prod")
        line = page.locator('[data-key="vars.memory"]')
        assert line.locator(".origin .place").text_content() == "stacks/deploy/eu/prod.yaml:14"
        line.locator("summary").click()
        page.wait_for_selector('[data-key="vars.memory"] .card.winner')
        cards = [" ".join(text.split()) for text in line.locator(".stack .card").all_inner_texts()]
        assert [card.partition(" imported")[0] for card in cards] == [
            "stacks/catalog/service.yaml:9 base component `service-defaults` overridden: the component overrides its"
            " base 512",
            "stacks/catalog/api.yaml:8 import overridden: later layer 1024",
            "stacks/deploy/eu/prod.yaml:14 layer wins 4096",
        ]
        visit.picture("explorer-layers")
        visit.close()


def test_a_saved_file_updates_the_page_and_marks_what_changed(shop: Path, chromium: Any) -> None:
    with serving() as server:
        visit = Visit(chromium, server.address)
        visit.go("/value?target=eu-prod&document=api")
        page = visit.page
        page.locator('[data-key="vars.memory"] summary').click()
        page.wait_for_selector('[data-key="vars.memory"] .card.winner')
        file = shop / "stacks/deploy/eu/prod.yaml"
        file.write_text(file.read_text().replace("memory: 4096", "memory: 8192"))
        page.wait_for_selector('[data-key="vars.memory"].changed .card.winner')
        assert [line.get_attribute("data-key") for line in page.locator(".changed").all()] == ["vars.memory"]
        assert "8192" in page.locator('[data-key="vars.memory"] .card.winner').inner_text()
        assert "stacks/deploy/eu/prod.yaml changed: 1 line" in page.locator("#live").inner_text()
        visit.close()


def test_filters_are_in_the_address(shop: Path, chromium: Any) -> None:
    with serving() as server:
        visit = Visit(chromium, server.address)
        page = visit.page
        page.get_by_label("stacks", exact=True).fill("PROD eu")
        page.get_by_label("components", exact=True).fill("qu")
        page.wait_for_function("() => location.search === '?targets=PROD+eu&documents=qu'")
        assert page.locator("#summary").inner_text() == "1 stack and 1 instance shown"
        page.reload()
        assert page.locator("#cells tbody th").all_inner_texts() == ["eu-prod"]
        assert page.locator("#cells thead th").all_inner_texts()[1:] == ["queue"]
        visit.close()


def test_a_reference_leads_to_what_it_reads(shop: Path, chromium: Any) -> None:
    with serving() as server:
        visit = Visit(chromium, server.address)
        visit.go("/value?target=eu-prod&document=web")
        page = visit.page
        page.locator('[data-key="vars.upstream"] summary').click()
        page.locator('[data-key="vars.upstream"] .inputs a.follow').click()
        page.wait_for_selector('[data-key="vars.url"] details[open] .card.winner')
        page.wait_for_function("() => location.hash === '#p-vars.url'")
        assert "locals.domain" in page.locator('[data-key="vars.url"] .inputs').inner_text()
        visit.close()


def test_a_file_has_the_fate_of_each_line(shop: Path, chromium: Any) -> None:
    with serving() as server:
        visit = Visit(chromium, server.address)
        visit.go("/files")
        page = visit.page
        assert page.locator("svg.graph a").count() == 12
        page.locator("table.rows").get_by_text("stacks/catalog/service.yaml").click()
        page.wait_for_selector("#L13")
        assert [page.locator(f"#L{line} .fate").inner_text() for line in (2, 6, 8, 10)] == [
            "read by expressions",
            "",
            "wins in 3 stacks, overridden in 2",
            "overridden everywhere",
        ]
        page.locator("#L10 .fate summary").click()
        assert "overridden in 4 places by stacks/catalog/api.yaml:7" in page.locator("#L10 .places").inner_text()
        visit.picture("explorer-file", 620)
        visit.close()


def test_the_review_against_a_base_revision(shop: Path, chromium: Any) -> None:
    commit(shop)
    file = shop / "stacks/catalog/service.yaml"
    file.write_text(file.read_text().replace("memory: 512", "memory: 768"))
    with serving("--base", "HEAD") as server:
        visit = Visit(chromium, server.address)
        page = visit.page
        page.wait_for_selector('#cells a.new[aria-label$="1 change"]')
        page.wait_for_function("() => document.querySelectorAll('#cells a.new').length === 4")
        page.get_by_label("show").select_option("errors")
        page.wait_for_function("() => !document.querySelector('#cells tbody th')")
        page.get_by_label("show").select_option("")
        page.get_by_role("link", name="Change", exact=True).click()
        page.wait_for_selector(".cause")
        assert page.locator("main h2").first.inner_text().startswith("4 values change in 4 of 4 stacks; 1 cause")
        assert page.locator(".cause .place").inner_text() == "stacks/catalog/service.yaml:9"
        assert page.locator(".cause tbody tr").inner_text().split("\t")[:2] == ["web vars.memory", "512 -> 768"]
        visit.picture("explorer-change", 430)
        visit.close()


def test_what_would_happen_then_written_then_taken_back(shop: Path, chromium: Any) -> None:
    file = shop / "stacks/deploy/eu/prod.yaml"
    before = file.read_bytes()
    with serving("--edit") as server:
        visit = Visit(chromium, server.address)
        visit.go("/value?target=eu-prod&document=web&path=vars.memory")
        page = visit.page
        line = page.locator('[data-key="vars.memory"]')
        line.get_by_label("what if it were").fill("640")
        line.get_by_role("button", name="Show").click()
        page.wait_for_selector(".trials")
        heads = [" ".join(text.split()) for text in line.locator(".trials .head").all_inner_texts()]
        assert heads[0] == "stacks/deploy/eu/prod.yaml:16 this component 1 value in 1 stack"
        assert "stacks/catalog/service.yaml:9 base component `service-defaults` 4 values in 4 stacks" in heads
        assert "+      vars: {replicas: 3, memory: 640}" in line.locator(".trials .diff").first.inner_text()
        line.scroll_into_view_if_needed()
        page.evaluate("() => scrollTo(0, 330)")
        visit.picture("explorer-what-if")
        assert file.read_bytes() == before, "asking writes nothing"
        line.locator(".trials li").first.get_by_role("button", name="Write it here").click()
        page.wait_for_selector(".outcome:has-text('written: stacks/deploy/eu/prod.yaml:16')")
        assert file.read_bytes() == before.replace(b"{replicas: 3}", b"{replicas: 3, memory: 640}")
        page.wait_for_selector('[data-key="vars.memory"].changed .outcome')
        page.get_by_role("button", name="Undo").click()
        page.wait_for_selector(".outcome:has-text('taken back')")
        assert file.read_bytes() == before
        visit.close()


def test_the_export_is_opened_from_disk(shop: Path, chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    commit(shop)
    file = shop / "stacks/catalog/service.yaml"
    file.write_text(file.read_text().replace("memory: 512", "memory: 768"))
    folder = tmp_path_factory.mktemp("site")
    assert main(["serve", "--export", str(folder), "--base", "HEAD", "--target", "eu-prod", "--target", "eu-dev"]) == 0
    visit = Visit(chromium, (folder / "index.html").as_uri())
    visit.root = folder.as_uri()
    page = visit.page
    assert page.text_content("h1") == "2 stacks, 4 components 7 instances"
    assert page.locator("#cells a.new").count() == 2
    page.get_by_label(re.compile("^api in eu-prod: ")).click()
    page.locator('[data-key="vars.memory"] summary').click()
    assert page.locator('[data-key="vars.memory"] .card').count() == 3
    page.locator('[data-key="vars.memory"] .card').first.get_by_text("stacks/catalog/service.yaml:9").click()
    page.wait_for_selector("#L9:target")
    assert page.locator("#L9 .fate summary").inner_text() == "wins in 2 stacks, overridden in 2"
    page.go_back()
    page.locator('[data-key="vars.memory"] summary').first.click()
    page.locator('[data-key="vars.memory"]').get_by_text("the same value in all stacks").click()
    assert page.locator("#p-vars\\.memory").inner_text().split("\t")[1].strip().splitlines() == [
        "1024 in 1 stack stacks/catalog/api.yaml:8",
        "4096 in 1 stack stacks/deploy/eu/prod.yaml:14",
    ]
    page.get_by_role("link", name="Change", exact=True).click()
    assert page.locator(".cause tbody tr").inner_text().split("\t")[:2] == ["web vars.memory", "512 -> 768"]
    visit.close()


def test_a_large_map_draws_only_what_is_visible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Any) -> None:
    """Eight thousand instances: few of them are in the page, and of few of them anything is evaluated."""
    monkeypatch.chdir(tmp_path)
    names = "".join(f"    c{number:02}: {{vars: {{size: {number}}}}}\n" for number in range(40))
    files = {f"stacks/deploy/s{number:03}.yaml": STACK.format(number) for number in range(200)}
    for old in FILES:
        if old.startswith("stacks/deploy/"):
            files[old] = "vars: {}\n"
    write_shop(tmp_path, {**files, "stacks/catalog/all.yaml": f"components:\n  terraform:\n{names}"})
    with serving() as server:
        visit = Visit(chromium, server.address)
        page = visit.page
        assert page.text_content("h1") == "200 stacks, 40 components 8,000 instances"
        assert page.locator("#cells td a").count() < 2500
        page.get_by_label("c39 in x-s000: ", exact=False).wait_for()
        assert page.locator("#cells tr[data-name='x-s199']").count() == 0
        page.evaluate("() => { document.getElementById('grid').scrollTop = 1e6; }")
        page.get_by_label("c39 in x-s199: ", exact=False).wait_for()
        assert page.locator("#cells tr[data-name='x-s000']").count() == 0
        assert page.locator("#cells td a").count() < 2500
        visit.close()


STACK = "import: [catalog/all]\nvars: {{environment: x, stage: s{:03}}}\n"
