"""One value in every target, equal ones folded."""

from __future__ import annotations

from plait.apps.cli.explanation import Masks
from plait.apps.web.all_values import shown_value
from plait.apps.web.links import ACROSS, MAP, anchor_of
from plait.apps.web.markup import NOTHING, h
from plait.apps.web.pages.frame import Page, counted, crumbs, document_name, in_targets, path_code, place
from plait.core.path import format_path
from plait.fronts.front import WHOLE
from plait.report.catalog import NO_COMPONENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.survey.survey import FoldedValue

FEW = 8
"""Up to so many targets are named at once."""
NAMED, PLACES = 3, 4
"""Beside each place of a value, so many targets are named; so many places are shown."""


def across_page(state: State, links: Links, document: str, path: str) -> Page:
    """One value of a document in every target; without a path, all of its values."""
    return _one(state, links, document, path) if path else _all(state, links, document)


def _one(state: State, links: Links, document: str, path: str) -> Page:
    from plait.fronts.typed import typed_path

    name = document_name(document)
    found = state.survey.values(document, typed_path(path), state.targets)
    masks = Masks([one.value for one in found if one.value is not None], state.choices.reveal)
    total = sum(len(one.places) for one in found)
    return Page(
        path if document == WHOLE else f"{path} of {document}",
        MAP,
        crumbs(("Map", links.page(MAP)), (name, links.page(ACROSS, document=document)), (path, "")),
        h(
            "h1",
            h("code", path),
            h("small", "" if document == WHOLE else f" of {document}", f" in {counted(total, state.kind)}"),
        ),
        h("p", "the same value everywhere" if len(found) == 1 else f"{len(found)} different values", class_="quiet"),
        h("ol", *(_row(state, links, document, path, one, masks, total) for one in found), class_="folded"),
    )


def _all(state: State, links: Links, document: str) -> Page:
    values = state.survey.all_values(document, state.targets)
    by_path = {format_path(path): rows for path, rows in values.items()}
    having = [target for target in state.targets if state.survey.called(target, document)]
    total = len(having)
    if not total:
        raise NO_COMPONENT.error(component=document, stack="any target", hint="the map shows all of them")
    same = {path: rows for path, rows in by_path.items() if len(rows) == 1 and len(rows[0].places) == total}
    different = {path: rows for path, rows in by_path.items() if path not in same}
    differ = "differs" if len(different) == 1 else "differ"
    return Page(
        f"{document_name(document)} everywhere",
        MAP,
        crumbs(("Map", links.page(MAP)), (document_name(document), "")),
        h("h1", document_name(document), h("small", f" {in_targets(having, state.kind)}")),
        h("p", h("label", "Find ", h("input", type="search", id="find", autocomplete="off",
                                     placeholder="a path or a value")), class_="controls"),
        _table(state, links, document, f"{counted(len(different), 'value')} {differ}", different, having),
        _table(state, links, document, f"{counted(len(same), 'value')} the same everywhere", same, having),
    )  # fmt: skip


def _table(
    state: State, links: Links, document: str, title: str, folded: dict[str, list[FoldedValue]], having: list[str]
) -> Html:
    def cell(path: str, values: list[FoldedValue]) -> Html:
        shown = (
            folded_value(state, links, document, path, shown_value(one, state.choices.reveal), one.places)
            for one in values
        )
        return h("td", *shown, _unset(state, values, having))

    rows = [
        h("tr", h("td", path_code(path)), cell(path, values), id=anchor_of(path), data_key=path)
        for path, values in folded.items()
    ]
    table = h("table", h("tbody", *rows, class_="lines"), class_="rows found")
    return h("section", h("h2", title), table, class_="panel") if rows else NOTHING


def folded_value(
    state: State, links: Links, document: str, path: str, shown: str, places: list[tuple[str, str]]
) -> Html:
    """A value, and each place that it comes from with the targets that have it from there."""
    by_place: dict[str, list[str]] = {}
    for target, where in places:
        by_place.setdefault(where, []).append(target)
    everywhere = links.page(ACROSS, document=document, path=path)
    rows = [
        h("span", _named(state, links, document, path, targets), " ", _place(where, links) if where else None)
        for where, targets in [*by_place.items()][:PLACES]
    ]
    hidden = len(by_place) - PLACES
    more = counted(hidden, "more place") if hidden > 0 else ""
    rows += [h("span", "and ", h("a", more, href=everywhere) if everywhere else more)] if more else []
    return h("div", h("code", shown), *([" ", row] for row in rows), class_="folded-value")


def _named(state: State, links: Links, document: str, path: str, targets: list[str]) -> list[object]:
    """In which targets: a few by their names, each of which leads to the value there."""
    if len(targets) > NAMED:
        address = links.page(ACROSS, document=document, path=path) or _address(state, links, targets[0], document, path)
        return [h("a", in_targets(targets, state.kind), href=address, title=", ".join(targets[:20]))]
    names = [h("a", target, href=_address(state, links, target, document, path)) for target in targets]
    return ["in ", [[", ", name] if at else name for at, name in enumerate(names)]]


def _address(state: State, links: Links, target: str, document: str, path: str) -> str:
    """The page of a value in a target, which may call the document otherwise."""
    return links.document(target, state.survey.called(target, document) or document, path)


def _unset(state: State, values: list[FoldedValue], having: list[str]) -> Html:
    present = {target for one in values for target in one.targets}
    missing = [target for target in having if target not in present]
    return h("div", f"not set {in_targets(missing, state.kind)}", class_="quiet") if missing else NOTHING


def _row(state: State, links: Links, document: str, path: str, one: FoldedValue, masks: Masks, total: int) -> Html:
    shown = masks.brief(one.value) if one.value is not None else (f"error: {one.error}" if one.error else "not set")
    places = sorted({where for _, where in one.places if where})
    written = [_place(where, links) for where in places[:3]]
    more = f" and {len(places) - 3} more places" if len(places) > 3 else None
    items = [h("li", h("a", target, href=_address(state, links, target, document, path))) for target in one.targets]
    return h(
        "li",
        h("div", h("code", shown, class_="value" if one.value is not None else "value none"),
          h("span", f" {in_targets(one.targets, state.kind)}", class_="count"),
          _bar(len(one.places), total), class_="head"),
        h("p", "from ", [[", ", item] if at else item for at, item in enumerate(written)], more, class_="quiet")
        if written else None,
        _names(state, items),
        class_="card",
    )  # fmt: skip


def _bar(count: int, total: int) -> Html:
    """How many of all targets share a value, as a bar; the number beside it says the same."""
    bar = h("rect", width=f"{100 * count / total:.1f}", height=4)
    return h("svg", bar, viewBox="0 0 100 4", preserveAspectRatio="none", class_="share", aria_hidden="true")


def _names(state: State, items: list[Html]) -> Html:
    """The targets that share a value; of many, only when they are asked for."""
    names = h("ul", *items, class_="names")
    return (
        names if len(items) <= FEW else h("details", h("summary", f"show the {counted(len(items), state.kind)}"), names)
    )


def _place(where: str, links: Links) -> Html:
    file, _, line = where.rpartition(":")
    return place(file, int(line), links)
