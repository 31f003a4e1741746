"""The explorer in a real browser."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import OpenPage, browser
from tests.web.serving import serving
from tests.web.shop import write_shop

PICTURES = Path(__file__).parents[2] / "docs" / "images"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_shop(tmp_path))
    return tmp_path


class Visit:
    """A page of a running explorer in a browser window of its own."""

    def __init__(self, chromium: Any, address: str, **options: Any) -> None:
        self.context = chromium.new_context(viewport={"width": 1200, "height": 760}, **options)
        self.opened = OpenPage(self.context.new_page())
        self.page = self.opened.page
        self.root = address.partition("/?")[0]
        self.page.goto(address)

    def go(self, path: str) -> None:
        self.page.goto(self.root + path)

    def picture(self, name: str) -> None:
        """A picture for the documentation, where PLAIT_PICTURES asks for one."""
        if os.environ.get("PLAIT_PICTURES"):
            PICTURES.mkdir(exist_ok=True)
            self.page.screenshot(path=PICTURES / f"{name}.png")

    def close(self) -> None:
        problems = self.opened.problems
        elsewhere = [url for url in self.opened.fetched if not url.startswith(self.root)]
        self.context.close()
        assert problems == []
        assert elsewhere == []


def test_the_map_leads_to_a_component_and_its_layers(shop: Path, chromium: Any) -> None:
    with serving() as server:
        visit = Visit(chromium, server.address)
        page = visit.page
        assert "token" not in page.url
        assert page.text_content("h1") == "4 stacks, 4 components 14 instances"
        cell = page.get_by_label(re.compile("^api in eu-prod: [0-9]+ values, 5 override others$"))
        cell.wait_for()
        assert cell.text_content() == "5"
        visit.picture("explorer-map")
        cell.click()
        page.wait_for_selector("h1")
        assert page.text_content("h1") == "api in eu-prod"
        line = page.locator('[data-key="vars.memory"]')
        assert line.locator("summary .place").text_content() == "stacks/deploy/eu/prod.yaml:14"
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
