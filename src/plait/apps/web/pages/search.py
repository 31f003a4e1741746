"""All paths and values of all targets, searched by words."""

from __future__ import annotations

from plait.apps.cli.explain import brief
from plait.apps.web.links import ACROSS, SEARCH
from plait.apps.web.markup import h
from plait.apps.web.pages.across import folded_value
from plait.apps.web.pages.frame import Page, counted
from plait.core.path import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.workspace import FoldedValue

MOST = 200
"""How many paths are shown."""


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
    rows: list[Html] = []
    more = False
    for document, path, values in _matching(state, words):
        more = len(rows) == MOST
        if more:
            break
        rows.append(_row(state, links, document, path, values))
    if not rows:
        return [h("p", "No path and no value has these words.", role="status")]
    count = f"the first {MOST}" if more else counted(len(rows), "path")
    head = h("tr", *(h("th", text, scope="col") for text in ("path", "value")))
    table = h("table", h("thead", head), h("tbody", *rows, class_="lines"), class_="rows found")
    return [
        h("p", count, role="status"),
        h("div", table, class_="panel scroll", tabindex="0", role="region", aria_label="What was found"),
    ]


def _matching(state: State, words: list[str]) -> Iterator[tuple[str, str, list[FoldedValue]]]:
    """The values that fit, by document and path; of a path that fits, all of them."""
    documents = dict.fromkeys(one for target in state.targets for one in state.survey.documents(target))
    for document in documents:
        for steps, values in state.survey.all_values(document, state.targets).items():
            path = format_path(steps)
            name = f"{document} {path}".lower()
            left = [word for word in words if word not in name]
            fitting = [one for one in values if all(word in _text(state, one) for word in left)]
            if fitting:
                yield document, path, fitting


def _text(state: State, one: FoldedValue) -> str:
    """A value as people see it: a secret is not found by its text."""
    return (brief(one.value, state.choices.reveal) if one.value is not None else one.error).lower()


def _row(state: State, links: Links, document: str, path: str, values: list[FoldedValue]) -> Html:
    name = h("a", h("code", f"{document}: {path}"), href=links.page(ACROSS, document=document, path=path))
    return h("tr", h("td", name), h("td", *(folded_value(state, links, document, path, one) for one in values)),
             data_key=f"{document}: {path}")  # fmt: skip
