"""One value in every target, equal ones folded."""

from __future__ import annotations

from plait.apps.cli.explain import Masks
from plait.apps.web.links import MAP
from plait.apps.web.markup import h
from plait.apps.web.pages.frame import Page, counted, crumbs, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.workspace import FoldedValue


def across_page(state: State, links: Links, document: str, path: str) -> Page:
    from plait.workspace import read_path

    found = state.survey.values(document, read_path(path), state.targets)
    masks = Masks([one.value for one in found if one.value is not None], state.choices.reveal)
    total = sum(len(one.places) for one in found)
    return Page(
        f"{path} of {document}",
        MAP,
        crumbs(("Map", links.page(MAP)), (document, links.page(MAP, documents=document)), (path, "")),
        h("h1", h("code", path), h("small", f" of {document} in {counted(total, state.kind)}")),
        h("p", f"{counted(len(found), 'different value')}", class_="quiet"),
        h("ol", *(_row(state, links, document, path, one, masks) for one in found), class_="folded"),
    )


def _row(state: State, links: Links, document: str, path: str, one: FoldedValue, masks: Masks) -> Html:
    shown = masks.brief(one.value) if one.value is not None else (f"error: {one.error}" if one.error else "not set")
    places = sorted({where for _, where in one.places if where})
    written = [_place(where, links) for where in places[:3]]
    more = f" and {len(places) - 3} more places" if len(places) > 3 else None
    items = [h("li", h("a", target, href=links.document(target, document, path))) for target in one.targets]
    return h(
        "li",
        h("div", h("code", shown, class_="value" if one.value is not None else "value none"),
          h("span", f" in {counted(len(one.places), state.kind)}", class_="count"), class_="head"),
        h("p", "from ", [[", ", item] if at else item for at, item in enumerate(written)], more, class_="quiet")
        if written else None,
        h("details", h("summary", f"{state.kind}s"), h("ul", *items, class_="names"),
          open=len(one.places) <= 8),
        class_="card",
    )  # fmt: skip


def _place(where: str, links: Links) -> Html:
    file, _, line = where.rpartition(":")
    return place(file, int(line), links)
