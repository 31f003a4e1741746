"""All paths and values of all targets, searched by words."""

from __future__ import annotations

from itertools import islice
from time import monotonic

from plait.apps.web.links import ACROSS, SEARCH
from plait.apps.web.markup import h
from plait.apps.web.pages.across import folded_value, shown_value
from plait.apps.web.pages.frame import Page, counted
from plait.core.path import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html

    Places = list[tuple[str, str]]
    Row = tuple[str, str, list[tuple[str, Places]]]

MOST = 200
"""How many paths are shown."""
PATIENCE = 1.0
"""Seconds that documents are evaluated for before an answer is given."""


def search_page(state: State, links: Links, wanted: str) -> Page:
    """The values whose document, path or text has all of some words."""
    words = wanted.lower().split()
    field = h("input", type="search", name="find", id="find-all", value=wanted, autocomplete="off",
              placeholder="a path or a value", autofocus=not words)  # fmt: skip
    form = h("form", h("label", "Search ", field), h("button", "Search", type="submit"), class_="controls",
             role="search", action=links.page(SEARCH), method="get")  # fmt: skip
    about = h("p", f"Every path and value of every {state.kind}; words in any order.", class_="quiet")
    return Page("Search", SEARCH, h("h1", "Search"), form, *(_found(state, links, words) if words else [about]))


def _found(state: State, links: Links, words: list[str]) -> list[object]:
    documents = list(dict.fromkeys(one for target in state.targets for one in state.cells.rows.get(target, ())))
    done = _look_on(state, documents)
    rows = list(islice(_matching(state, documents, words), MOST + 1))
    missing = len(documents) - done if len(rows) <= MOST else 0
    return [_count(len(rows), missing), _unfinished(done, len(documents), state.part) if missing else None,
            _table(state, links, rows[:MOST]) if rows else None]  # fmt: skip


def _count(found: int, missing: int) -> Html:
    if not found:
        return h("p", "Nothing found yet." if missing else "No path and no value has these words.", role="status")
    return h("p", f"the first {MOST} paths" if found > MOST else counted(found, "path"), role="status")


def _unfinished(done: int, total: int, part: str) -> Html:
    return h("p", f"searched {done:,} of {counted(total, part)} so far", class_="quiet", data_more=True)


def _look_on(state: State, documents: list[str]) -> int:
    """Evaluate documents for a moment, and keep what they have as texts; how many are known now."""
    until = monotonic() + PATIENCE
    for document in documents:
        if document not in state.texts and monotonic() < until:
            state.texts[document] = _texts(state, document)
    return len(state.texts)


def _texts(state: State, document: str) -> list[Row]:
    return [
        (document, format_path(steps), [(shown_value(state, one), one.places) for one in values])
        for steps, values in state.survey.all_values(document, state.targets).items()
        if steps[:1] != ("imports",)
    ]


def _matching(state: State, documents: list[str], words: list[str]) -> Iterator[Row]:
    """The values that fit, by document and path; of a path that fits, all of them."""
    for document in documents:
        for _, path, values in state.texts.get(document, ()):
            name = f"{document} {path}".lower()
            left = [word for word in words if word not in name]
            fitting = [one for one in values if all(word in one[0].lower() for word in left)]
            if fitting:
                yield document, path, fitting


def _table(state: State, links: Links, rows: list[Row]) -> Html:
    head = h("tr", *(h("th", text, scope="col") for text in ("path", "value")))
    body = h("tbody", *(_row(state, links, *row) for row in rows), class_="lines")
    return h("div", h("table", h("thead", head), body, class_="rows found"), class_="panel scroll", tabindex="0",
             role="region", aria_label="What was found")  # fmt: skip


def _row(state: State, links: Links, document: str, path: str, values: list[tuple[str, Places]]) -> Html:
    name = h("a", h("code", f"{document}: {path}"), href=links.page(ACROSS, document=document, path=path))
    return h("tr", h("td", name), h("td", *(folded_value(state, links, document, path, *one) for one in values)),
             data_key=f"{document}: {path}")  # fmt: skip
