"""What all pages have: the frame around their content, and how places, values and counts are shown."""

from __future__ import annotations

import re

from plait.apps.web.links import CHANGE, COMPARE, FILES, MAP, SEARCH, TIDY
from plait.apps.web.markup import NOTHING, h, joined
from plait.core.unknown import unknown_of
from plait.fronts.front import WHOLE
from plait.report.render import render_one
from plait.report.unknown import UnknownValue, not_known_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.core.diagnostic import Diagnostic, NotKnown
    from plait.core.node import Node

SECTIONS = {MAP: "Map", SEARCH: "Search", FILES: "Files", COMPARE: "Compare", TIDY: "Simpler", CHANGE: "Change"}
STATIC_POLICY = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' data:"
"""For pages that are opened from a folder; a server sends a stricter one itself."""
ALL_VALUES = "All values"
BETWEEN_KEYS = re.compile(r"(?<=[.:/])(?=[^.:/ ])").split
BETWEEN_FOLDERS = re.compile("(?<=/)(?=[^/])").split


class Page:
    """A page before its frame: its title, the section that it belongs to, and its content."""

    __slots__ = ("content", "section", "status", "title")

    def __init__(self, title: str, section: str, *content: object, status: int = 200) -> None:
        self.title = title
        self.section = section
        self.content = content
        self.status = status

    @property
    def texts(self) -> tuple[str, str]:
        """The title and the content, as texts that can be kept."""
        return self.title, joined(self.content)


def framed(page: Page, state: State, links: Links) -> str:
    """The whole document."""
    head = h(
        "head",
        h("meta", charset="utf-8"),
        h("meta", http_equiv="Content-Security-Policy", content=STATIC_POLICY) if links.static else None,
        h("meta", name="viewport", content="width=device-width, initial-scale=1"),
        h("meta", name="referrer", content="no-referrer"),
        h("title", f"{page.title} - {state.repository} - plait"),
        h("link", rel="stylesheet", href=links.asset("style.css")),
        h("link", rel="icon", href=links.asset("icon.svg"), type="image/svg+xml"),
        h("script", src=links.asset("explorer.js"), defer=True),
    )
    body = h(
        "body",
        h("a", "Skip to content", href="#content", class_="skip"),
        h("header", h("a", "plait", href=links.page(MAP), class_="brand"), _navigation(page, links),
          h("p", state.repository, h("span", "editing", class_="badge") if state.choices.edit else None,
            class_="repository"), class_="top"),
        h("main", *page.content, id="content", tabindex="-1"),
        h("div", id="live", role="status", aria_live="polite", class_="live"),
        data_state=state.number,
        data_live=not links.static,
    )  # fmt: skip
    return f"<!doctype html>\n{h('html', head, body, lang='en')}\n"


def _navigation(page: Page, links: Links) -> Html:
    items = [
        h("a", text, href=address, aria_current="page" if kind == page.section else None)
        for kind, text in SECTIONS.items()
        if (address := links.page(kind))
    ]
    return h("nav", *items, aria_label="Sections")


# What pages show


def crumbs(*steps: tuple[str, str]) -> Html:
    """The way to a page: texts with their addresses; the last one has none."""
    items = [h("li", h("a", text, href=address) if address else h("span", text)) for text, address in steps]
    return h("nav", h("ol", *items), class_="crumbs", aria_label="You are here")


def place(file: str, line: int, links: Links, class_: str = "place") -> Html:
    """A file and a line of it, which lead to its text."""
    text = broken_path(f"{file}:{line}" if line else file)
    address = links.file(file, line)
    return h("a", text, href=address, class_=class_) if address else h("span", text, class_=class_)


def place_of(node: Node, links: Links) -> Html:
    """Where a value was written; facts of plait have no place."""
    origin = node.origin
    if origin.source.given:
        return h("span", origin.file, class_="place given")
    return place(origin.file, origin.line, links)


def document_name(document: str) -> str:
    """What a document is called in titles; the only one of a target has no name."""
    return ALL_VALUES if document == WHOLE else document


def place_text(document: str, path: str) -> str:
    """A place of a target: the document, where it has more than one, and the path in it."""
    return path or document if document in ("", WHOLE) else f"{document}: {path}" if path else document


def path_code(path: str) -> Html:
    """A path, which is broken between its keys where it is too long for a line."""
    return h("code", _broken(BETWEEN_KEYS(path)))


def broken_path(file: str) -> list[object]:
    """The name of a file, which is broken between its folders where it is too long for a line."""
    return _broken(BETWEEN_FOLDERS(file))


def _broken(parts: list[str]) -> list[object]:
    return [[h("wbr") if at else None, part] for at, part in enumerate(parts)]


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def in_targets(names: list[str], kind: str) -> str:
    """In which targets: the name of one, the number of several."""
    return f"in {names[0]}" if len(names) == 1 else f"in {counted(len(names), kind)}"


def progress(done: int, total: int, noun: str) -> Html:
    """How far a question is that the server goes on with; nothing when it is answered."""
    if done >= total:
        return NOTHING
    text = f"looked at {done:,} of {counted(total, noun)} so far"
    return h("p", h("progress", value=done, max=total, aria_label=text), f" {text}", class_="quiet", data_more=True)


def prose(text: str) -> list[object]:
    """A sentence with names between backticks, which are shown as code."""
    parts = text.split("`")
    return [h("code", part) if at % 2 else part for at, part in enumerate(parts)] if len(parts) % 2 else [text]


def problems(diagnostics: Iterable[Diagnostic], title: str = "") -> Html:
    """Errors and warnings, as the command line prints them."""
    return problem_text("\n".join(map(render_one, diagnostics)), title)


def unknown_page(error: NotKnown) -> Page:
    """The page of something of which nothing is known here: the value that decides it, and what would make it known."""
    title = "This is not known here"
    found = not_known_here([UnknownValue((), unknown_of(error), " of this page")])
    hints = [finding.hint for finding in error.diagnostics if finding.hint]
    how = h("pre", "\n".join(dict.fromkeys(hints)), class_="quiet") if hints else None
    return Page(title, "", h("h1", title), problems(found), how)


def problem_text(text: str, title: str = "") -> Html:
    """The same, where it is text already."""
    if not text.strip():
        return NOTHING
    return h("section", h("h2", title) if title else None, h("pre", text.strip()), class_="problems")
