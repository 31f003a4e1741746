"""The explorer for everybody: axe-core's checks in both colour schemes and on a phone, the keyboard, paper."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import serving
from tests.web.shop import commit, write_shop
from tests.web.visit import Visit

AXE = Path(sys.prefix) / "servers" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = (
    "/",
    "/file?name=stacks/catalog/service.yaml",
    "/across?document=api&path=vars.replicas",
    "/files",
    "/change?base=HEAD",
    "/value?target=nope&document=api",
    "/value?target=eu-prod&document=api&path=vars.memory",
)
CHECK = """async () => (await axe.run({ resultTypes: ["violations"] })).violations
  .map((one) => `${one.id}: ${one.nodes.map((n) => n.html).join()}`)"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_shop(tmp_path))
    commit(tmp_path)
    file = tmp_path / "stacks/catalog/service.yaml"
    file.write_text(file.read_text().replace("memory: 512", "memory: 768"))
    return tmp_path


def violations(visit: Visit) -> list[str]:
    """What axe-core says about the page that is open."""
    visit.page.add_script_tag(path=AXE)
    found: list[str] = visit.page.evaluate(CHECK)
    return found


needs_axe = pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: make services")


@needs_axe
def test_axe_finds_nothing(shop: Path, chromium: Any) -> None:
    with serving("--edit", "--base", "HEAD") as server:
        visit = Visit(chromium, server.address, bypass_csp=True)
        found = {}
        for address in PAGES:
            visit.go(address)
            if address == "/":
                visit.page.wait_for_selector("#cells a.new")
            if "memory" in address:
                visit.page.get_by_label("what if it were").fill("1")
                visit.page.get_by_role("button", name="Show").click()
                visit.page.wait_for_selector(".trials")
            found[address] = violations(visit)
        assert found == {address: [] for address in PAGES}
        visit.context.close()


@needs_axe
def test_a_phone_at_night(shop: Path, chromium: Any) -> None:
    with serving("--base", "HEAD") as server:
        size = {"width": 390, "height": 800}
        visit = Visit(chromium, server.address, bypass_csp=True, color_scheme="dark", viewport=size)
        for address in PAGES:
            visit.go(address)
            wide = visit.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{address} is {wide} pixels wider than the window"
        assert violations(visit) == []
        visit.context.close()


def test_everything_is_reached_with_the_keyboard_and_prints_without_controls(shop: Path, chromium: Any) -> None:
    with serving() as server:
        visit = Visit(chromium, server.address)
        page = visit.page
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.textContent") == "Skip to content"
        page.locator("#cells tbody a").first.focus()
        for key in ("ArrowDown", "ArrowRight"):
            page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.getAttribute('aria-label')").startswith("api in eu-prod")
        page.keyboard.press("Enter")
        page.wait_for_selector('[data-key="vars.memory"]')
        page.locator('[data-key="vars.memory"] summary').focus()
        page.keyboard.press("Enter")
        page.wait_for_selector('[data-key="vars.memory"] .card.winner')
        page.emulate_media(media="print")
        assert [page.locator(part).first.is_visible() for part in (".top", ".controls")] == [False, False]
        assert page.locator('[data-key="vars.memory"]').is_visible()
        visit.close()
