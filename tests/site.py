"""`make docs` ends with this: the pages of the built site are opened in a real browser, and nothing is broken."""

from __future__ import annotations

import json
import sys
import threading
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.browser import MISSING, browser, installed

ROOT = Path(__file__).parents[1] / "site"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing for each request."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """A browser that goes to the next page reads no more of this one."""
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)


def pages() -> list[str]:
    """Every page; of the pages of diagnostics, which are made alike, a few."""
    names = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.rglob("*.html")) if path.name != "404.html"]
    alike = [name for name in names if "diagnostics/PL" in name]
    return [name for name in names if name not in alike[5:]]


ASKED = {
    "merge driver": "merge3.html",
    "install": "index.html#install",
    "github action": "review.html",
    "pull request comment": "review.html",
    "vs code": "editors.html",
    "exit status": "versioning.html",
    "secrets": "outside.html",
}
"""What people type into the search, and how the address of the first answer begins."""


def unanswered() -> list[str]:
    """Return the questions for which the search, with the weights of the site, puts another page first."""
    from lunr import lunr

    documents = json.loads((ROOT / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    fields = [{"field_name": "title", "boost": 1000}, {"field_name": "text", "boost": 1}]
    index = lunr(ref="location", fields=fields, documents=[(one, {"boost": one.get("boost", 1)}) for one in documents])
    found = []
    for words, wanted in ASKED.items():
        answers = [answer["ref"] for answer in index.search(" ".join(f"+{word}" for word in words.split()))]
        if not answers or not answers[0].startswith(wanted):
            found.append(f"the search for {words!r} answers {answers[:5]}, and not {wanted}")
    return found


def problems(address: str, chromium: Any) -> list[str]:
    """What is wrong with the pages, as the browser sees them."""
    found: list[str] = []
    page = chromium.new_page()
    page.on("pageerror", lambda error: found.append(f"{page.url}: {error}"))
    page.on("response", lambda response: response.status >= 400 and found.append(f"{response.url}: {response.status}"))
    for name in pages():
        page.goto(f"{address}/{name}", wait_until="domcontentloaded")
        if not page.locator("h1").first.inner_text().strip():
            found.append(f"{name}: no heading")
        if page.locator("pre code").count() and "```" in page.locator("article").inner_text():
            found.append(f"{name}: a block is not closed")
    page.goto(f"{address}/index.html")
    page.locator("input.md-search__input").fill("circular reference")
    page.wait_for_selector(".md-search-result__item", timeout=15000)
    return found


def main() -> int:
    if found := unanswered():
        print("\n".join(found), file=sys.stderr)
        return 1
    if not installed():
        print(f"the site is built; it is not opened in a browser: {MISSING}")
        return 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(ROOT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with browser() as chromium:
        found = problems(f"http://127.0.0.1:{server.server_port}", chromium)
    server.shutdown()
    print("\n".join(found) or f"{len(pages())} pages opened in the browser, searched, nothing broken")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
