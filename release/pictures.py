"""`make pictures`: the picture of the README, made of the explorer and the playground as they are, by a browser.

Both show an example: the explorer the stacks of `examples/stacks`, the playground its first example, with the layers of
a value open. Needs chromium, playwright and the built site (`make services docs`).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.server import ExplorerServer

ROOT = Path(__file__).parents[1]
SITE = ROOT / "site"
PICTURE = ROOT / "docs" / "images" / "explorer-playground.png"
SIZE = {"width": 1130, "height": 700}
TOGETHER = {"width": 1600, "height": 500}
STYLE = """
body { margin: 0; padding: 14px; background: #f0f2f5; display: grid; grid-template-columns: 1fr 1fr; gap: 14px; }
figure { margin: 0; } img { width: 100%; display: block; border: 1px solid #c9d0da; border-radius: 8px; }
figcaption { font: 15px/1.7 system-ui, "DejaVu Sans", sans-serif; color: #566173; text-align: center; }
"""


class Quiet(SimpleHTTPRequestHandler):
    """Hands out the site without a line for each request."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def explorer() -> Iterator[str]:
    """The address of an explorer of a copy of the example."""
    with tempfile.TemporaryDirectory() as folder:
        shop = Path(folder) / "shop"
        shutil.copytree(ROOT / "examples" / "stacks", shop)
        words: Any = read_words(COMMAND, ["--no-cache", "-C", str(shop)])
        server = ExplorerServer(explorer_of(words))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        yield server.address
        server.stop()
        thread.join(60)


@contextmanager
def playground() -> Iterator[str]:
    """The address of the built playground."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/playground/"
    server.shutdown()


def of_the_explorer(browser: Any) -> bytes:
    with explorer() as address:
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        page.wait_for_selector(".layered .card", timeout=120_000)
        page.wait_for_selector(".differ .chip", timeout=120_000)
        page.wait_for_function("() => !document.querySelector('#cells a.unknown, [data-more]')", timeout=120_000)
        return bytes(page.screenshot())


def of_the_playground(browser: Any) -> bytes:
    with playground() as address:
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        page.wait_for_selector("body[data-answers]", timeout=120_000)
        page.locator("#result .line details summary", has_text="memory").first.click()
        page.wait_for_selector("#result .card.winner", timeout=120_000)
        return bytes(page.screenshot())


def together(browser: Any, pictures: dict[str, bytes]) -> bytes:
    """Several pictures side by side, each with its name."""
    figures = "".join(
        f'<figure><img src="data:image/png;base64,{b64encode(data).decode()}"><figcaption>{name}</figcaption></figure>'
        for name, data in pictures.items()
    )
    page = browser.new_page(viewport=TOGETHER)
    page.set_content(f"<style>{STYLE}</style>{figures}")
    return bytes(page.screenshot(full_page=True))


def main() -> int:
    command = shutil.which("chromium")
    if command is None or not (SITE / "playground" / "python.snapshot.gz").exists():
        print("no picture is made: this needs make services docs", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=command, args=["--no-sandbox"])
        shown = {
            "plait serve: the explorer": of_the_explorer(browser),
            "the playground, in the browser alone": of_the_playground(browser),
        }
        PICTURE.write_bytes(together(browser, shown))
        browser.close()
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
