"""The explorer for everybody: axe-core's checks of all kinds of pages, wide by day and on a phone at night."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import ExplorerServer
from tests.web.visit import Visit

AXE = Path(sys.prefix) / "servers" / "node_modules" / "axe-core" / "axe.min.js"
VALUE = "/value?target=eu-prod&document=api&path=vars.memory"
PAGES = {
    "/": "#cells a.new",
    "/file?name=stacks/catalog/service.yaml": "#text:not([data-more])",
    "/across?document=api&path=vars.replicas": "main h1",
    "/across?document=api": ".found",
    "/search": "#find-all",
    "/compare": ".sides",
    "/files": "svg.graph",
    "/layers?target=eu-prod": ".bands",
    "/compare?a=eu-dev&b=eu-prod": ".sides",
    "/search?find=replicas": ".found",
    "/tidy": ".simpler",
    "/change?base=HEAD": ".cause",
    "/value?target=nope&document=api": ".problems",
    VALUE: ".card.winner",
}
"""Each page, and what it has when it is complete."""
CHECK = """async (rules) => (await axe.run({ resultTypes: ["violations"], ...rules })).violations
  .map((one) => `${one.id}: ${one.nodes.map((n) => n.html).join()}`)"""
SIZES: dict[str, dict[str, Any]] = {
    "by day": {},
    "on a phone at night": {"color_scheme": "dark", "viewport": {"width": 390, "height": 800}},
}


@pytest.mark.long
@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: make services")
@pytest.mark.parametrize("options", SIZES.values(), ids=SIZES)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    reading: ExplorerServer, chromium: Any, options: dict[str, Any]
) -> None:
    visit = Visit(chromium, reading.address, bypass_csp=True, **options)
    rules = {"runOnly": ["color-contrast", "target-size"]} if options else {}  # the others see the same again
    found = {}
    for address, complete in PAGES.items():
        visit.go(address)
        visit.page.wait_for_selector(complete)
        if address == VALUE:
            visit.page.get_by_label("what if it were").fill("1")
            visit.page.get_by_role("button", name="Show").click()
            visit.page.wait_for_selector(".trials")
            visit.see_count(".pending", 0)
        wide = visit.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{address} is {wide} pixels wider than the window"
        visit.page.add_script_tag(path=AXE)
        found[address] = visit.page.evaluate(CHECK, rules)
    visit.context.close()
    assert found == {address: [] for address in PAGES}
