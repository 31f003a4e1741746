"""A page of a running explorer, in a browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.browser import OpenPage

PICTURES = Path(__file__).parents[2] / "docs" / "images"


class Visit:
    """A window of its own."""

    def __init__(self, chromium: Any, address: str, **options: Any) -> None:
        size = {"width": 1200, "height": 760}
        self.context = chromium.new_context(**{"viewport": size, "reduced_motion": "reduce", **options})
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

    def picture(self, name: str, height: int = 760) -> None:
        """A picture for the documentation, where PLAIT_PICTURES asks for one."""
        if os.environ.get("PLAIT_PICTURES"):
            PICTURES.mkdir(exist_ok=True)
            clip = {"x": 0, "y": 0, "width": 1200, "height": height}
            self.page.screenshot(path=PICTURES / f"{name}.png", clip=clip)

    def close(self) -> None:
        """Nothing went wrong in the page, and nothing was fetched from elsewhere."""
        problems = self.opened.problems
        elsewhere = [url for url in self.opened.fetched if not url.startswith(self.root)]
        self.context.close()
        assert problems == []
        assert elsewhere == []
