"""A page of a running explorer, in a browser. Every look at a page waits for what it expects: pages settle in time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.browser import OpenPage

PICTURES = Path(__file__).parents[2] / "docs" / "images"
PATIENCE = 120_000
"""Milliseconds that a condition may take to become true: far more than a slow machine needs."""
SIZE = {"width": 1200, "height": 760}
REMEMBER_NEWS = """() => {
  window.news = [];
  new MutationObserver(() => window.news.push(document.getElementById("live").textContent))
    .observe(document.getElementById("live"), { childList: true, characterData: true, subtree: true });
}"""


class Visit:
    """A page in a window of its own."""

    def __init__(self, chromium: Any, address: str, **options: Any) -> None:
        from playwright.sync_api import expect

        expect.set_options(timeout=PATIENCE)
        self.expect = expect
        self.context = chromium.new_context(**{"viewport": SIZE, "reduced_motion": "reduce", **options})
        self.context.set_default_timeout(PATIENCE)
        self.opened = OpenPage(self.context.new_page())
        self.page = self.opened.page
        self.root = address.partition("/?")[0]
        self.page.goto(address)

    def go(self, path: str) -> None:
        self.page.goto(self.root + path)

    def ask(self, **words: str) -> None:
        """A page by the words of its address; the word without a name is its path."""
        path = words.pop("", "/")
        self.go(f"{path}?{urlencode(words)}")

    # What is seen

    def see(self, part: str, text: Any) -> Any:
        """Wait until a part of the page has a text, or several parts have a list of texts."""
        found = self.page.locator(part)
        self.expect(found).to_have_text(text, use_inner_text=True)
        return found

    def see_count(self, part: str, count: int) -> None:
        """Wait until so many parts of the page are there."""
        self.expect(self.page.locator(part)).to_have_count(count)

    def see_focus(self, attribute: str, value: Any) -> None:
        """Wait until what has the focus has an attribute."""
        self.expect(self.page.locator(":focus")).to_have_attribute(attribute, value)

    def row(self, key: str) -> Any:
        """A line of a document."""
        return self.page.locator(f'[data-key="{key}"]')

    def remember_news(self) -> None:
        """Remember what the page announces from now on: announcements go away after a while."""
        self.page.evaluate(REMEMBER_NEWS)

    def hear(self, news: str) -> None:
        """Wait until the page has announced something."""
        self.page.wait_for_function("(text) => window.news.some((one) => one.includes(text))", arg=news)

    def picture(self, name: str, height: int = 760) -> None:
        """A picture for the documentation, where PLAIT_PICTURES asks for one."""
        if os.environ.get("PLAIT_PICTURES"):
            PICTURES.mkdir(exist_ok=True)
            clip = {"x": 0, "y": 0, "width": 1200, "height": height}
            self.page.screenshot(path=PICTURES / f"{name}.png", clip=clip)

    def close(self) -> None:
        """Nothing went wrong in the page, and nothing was fetched from elsewhere."""
        problems = self.opened.problems
        elsewhere = [url for url in self.opened.fetched if not url.removeprefix("blob:").startswith(self.root)]
        self.context.close()
        assert problems == []
        assert elsewhere == []
