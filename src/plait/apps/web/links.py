"""Where the pages of the explorer are: addresses of a server, or names of files in an exported folder."""

from __future__ import annotations

import re
from hashlib import sha256
from urllib.parse import quote_plus

MAP, DOCUMENT, ACROSS, FILES, FILE, CHANGE = "map", "value", "across", "files", "file", "change"
LAYERS, COMPARE, TIDY, SEARCH = "layers", "compare", "tidy", "search"
"""The kinds of pages."""
SAFE = re.compile(r"[A-Za-z0-9_.~/-]*").fullmatch
"""Whether a word of an address needs no quoting."""
ANCHOR = re.compile(r"[A-Za-z0-9_.-]*").fullmatch


def quoted(word: str) -> str:
    """A word of an address."""
    return word if SAFE(word) else quote_plus(word, safe="/")


class Links:
    """The addresses of a server."""

    static = False

    def page(self, kind: str, **words: str) -> str:
        """The address of a page; `at` is a place on it."""
        at = words.pop("at", "")
        query = "&".join([f"{name}={quoted(word)}" for name, word in words.items() if word])
        path = "/" if kind == MAP else f"/{kind}"
        return path + (f"?{query}" if query else "") + (f"#{at}" if at else "")

    def asset(self, name: str) -> str:
        return f"/assets/{name}"

    def document(self, target: str, document: str, path: str = "") -> str:
        return self.page(DOCUMENT, target=target, document=document, path=path)

    def file(self, name: str, line: int = 0) -> str:
        return self.page(FILE, name=name, at=f"L{line}" if line else "")


class FileLinks(Links):
    """The names of exported files, all in one folder. A page that is not exported has no address."""

    static = True

    def __init__(self, pages: dict[str, str] | None = None) -> None:
        self.pages = pages if pages is not None else {}
        """The name of the file of each page, by the address that a server would have."""

    def page(self, kind: str, **words: str) -> str:
        at, path = words.pop("at", ""), words.pop("path", "")
        name = self.pages.get(super().page(kind, **words), "")
        anchor = at or (anchor_of(path) if path else "")
        return name + (f"#{anchor}" if name and anchor else "")

    def asset(self, name: str) -> str:
        return name

    def add(self, kind: str, **words: str) -> str:
        """A file for a page: a readable name, made unique by a digest."""
        address = super().page(kind, **words)
        if address not in self.pages:
            readable = "-".join(
                "".join(c if c.isascii() and c.isalnum() else "-" for c in word) for word in words.values()
            )
            digest = sha256(address.encode("utf-8", "surrogatepass")).hexdigest()[:8]
            self.pages[address] = "index.html" if address == "/" else f"{kind}-{readable[:60]}-{digest}.html"
        return self.pages[address]


def anchor_of(path: str) -> str:
    """The place of a path on the page of its document."""
    if ANCHOR(path):
        return f"p-{path}"
    return "p-" + "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else f"~{ord(c):x}" for c in path)
