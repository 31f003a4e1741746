"""All paths and values of all targets, searched by words."""

from __future__ import annotations

from itertools import islice

from plait.apps.web.links import ACROSS, SEARCH
from plait.apps.web.markup import h
from plait.apps.web.pages.across import folded_value
from plait.apps.web.pages.frame import Page, counted, path_code, place_text, progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.apps.web.all_values import Places
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html

    Row = tuple[str, str, list[tuple[str, Places]]]

MOST, VALUES = 200, 8
"""How many paths are shown, and how many different values of each."""
PATIENCE = 0.3
"""Seconds that documents are evaluated for before an answer is given; the rest is looked at between the questions."""


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
    instances = state.searched
    state.gathered.seek(words, instances)
    done = state.gathered.look(state.gathered.order, PATIENCE)
    rows = list(islice(_matching(state, words), MOST + 1))
    return [_count(len(rows), done == len(instances)), progress(done, len(instances), state.part),
            _table(state, links, rows[:MOST]) if rows else None]  # fmt: skip


def _count(found: int, complete: bool) -> Html:
    if not found:
        return h("p", "No path and no value has these words." if complete else "Nothing found yet.", role="status")
    return h("p", f"the first {MOST} paths" if found > MOST else counted(found, "path"), role="status")


def _matching(state: State, words: list[str]) -> Iterator[Row]:
    """The values that fit, by document and path, the most frequent first; of a path that fits, all of them."""
    for document, by_path in state.gathered.texts.items():
        for path, values in by_path.items():
            name = f"{document} {path}".lower()
            left = [word for word in words if word not in name]
            fitting = [one for one in values.items() if all(word in one[0].lower() for word in left)]
            if fitting:
                yield document, path, sorted(fitting, key=lambda one: -len(one[1]))


def _table(state: State, links: Links, rows: list[Row]) -> Html:
    head = h("tr", *(h("th", text, scope="col") for text in ("path", "value")))
    body = h("tbody", *(_row(state, links, *row) for row in rows), class_="lines")
    return h("div", h("table", h("thead", head), body, class_="rows found"), class_="panel scroll", tabindex="0",
             role="region", aria_label="What was found")  # fmt: skip


def _row(state: State, links: Links, document: str, path: str, values: list[tuple[str, Places]]) -> Html:
    address = links.page(ACROSS, document=document, path=path)
    name = h("a", path_code(place_text(document, path)), href=address)
    shown = [folded_value(state, links, document, path, *one) for one in values[:VALUES]]
    more = h("a", f"and {counted(len(values) - VALUES, 'more value')}", href=address) if values[VALUES:] else None
    return h("tr", h("td", name), h("td", *shown, more), data_key=f"{document}: {path}")
