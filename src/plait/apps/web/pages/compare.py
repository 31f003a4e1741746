"""The layers of one target as a picture, and what differs between two targets, each value with its place."""

from __future__ import annotations

from plait.apps.cli.explanation import Masks
from plait.apps.web.links import COMPARE, MAP
from plait.apps.web.markup import NOTHING, h
from plait.apps.web.pages.frame import Page, counted, crumbs, path_code, place, place_text
from plait.apps.web.picture import layers_picture
from plait.core.path import format_path
from plait.core.visible import visible
from plait.fronts.front import VALUES, WHOLE, label
from plait.review.between import differing
from plait.review.reads import DifferenceCauses, Read
from plait.survey.survey import target_shares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.core.node import Node
    from plait.core.source import Origin
    from plait.merging.diff import ValueDifference as TreeDifference
    from plait.review.between import DocumentDifference
    from plait.review.reads import ValueCause

MOST = 500
"""How many differences are shown."""
NAMED = 3
"""How many causes are named beside a difference."""
HIGH_FIRST = "The lowest file is at the bottom."
LINES = "A line leads from a file to those whose values it overrides."


def layers_page(state: State, links: Links, name: str) -> Page:
    """The layers of one target as bands, the highest on top: how many values each decides, and how many it loses."""
    shares = target_shares(state.survey.of.find(name))
    decided = sum(share.wins for share in shares)
    beside = (
        h("a", "Compare it with another", href=links.page(COMPARE, a=name) or links.page(COMPARE))
        if len(state.targets) > 1 and links.page(COMPARE)
        else None
    )
    given = state.survey.document(name, VALUES) is not None and links.document(name, VALUES)
    values = h("a", "All values", href=given) if given else None
    return Page(
        f"Layers of {name}",
        MAP,
        crumbs(("Map", links.page(MAP)), (name, "")),
        h("h1", name, h("small", f" {counted(decided, 'value')} from {counted(len(shares), 'file')}")),
        h("p", HIGH_FIRST, h("span", f" {LINES}", class_="of-arcs"), " ", values, " ", beside, class_="quiet"),
        layers_picture(shares, links.file),
    )


def compare_page(state: State, links: Links, a: str, b: str) -> Page:
    """What differs between two targets. Without a second one, the choice of it."""
    if len(state.targets) < 2:
        why = f"This needs two {state.kind}s; there is one, or none."
        return Page("Compare", COMPARE, h("h1", "Compare"), h("p", why, class_="quiet"))
    first = a or state.targets[0]
    second = b or next(name for name in state.targets if name != first)
    before, after = (state.survey.of.find(name) for name in (first, second))
    found = differing(before, after, state.workspace.policy())
    choice = _choice(state, links, first, second)
    return Page(
        f"{first} beside {second}",
        COMPARE,
        h("h1", "Compare"),
        choice,
        *_differences(state, links, found, DifferenceCauses(before, after), (first, second)),
    )


def _choice(state: State, links: Links, first: str, second: str) -> Html:
    def select(name: str, chosen: str) -> Html:
        options = [h("option", one, value=one, selected=one == chosen) for one in state.targets]
        return h("label", f"{'this' if name == 'a' else 'with this'} {state.kind} ", h("select", *options, name=name))

    if links.static:
        pairs = [(first, other) for other in state.targets if other not in (first, second)]
        pairs += [(other, second) for other in state.targets if other not in (first, second)]
        items = [h("li", h("a", f"{a} with {b}", href=links.page(COMPARE, a=a, b=b))) for a, b in pairs]
        return h("div", h("p", f"{first} with {second}"), h("ul", *items, class_="names"))
    swap = h("a", "the other way round", href=links.page(COMPARE, a=second, b=first))
    return h("form", select("a", first), select("b", second), h("button", "Compare", type="submit"), swap,
             class_="controls", action=links.page(COMPARE), method="get")  # fmt: skip


def _differences(
    state: State, links: Links, found: list[DocumentDifference], causes: DifferenceCauses, sides: tuple[str, str]
) -> list[object]:
    rows = [(one, difference) for one in found for difference in one.differences]
    if not rows:
        return [h("p", "Every value is the same.", role="status")]
    known = [causes.of(one, row) for one, row in rows[:MOST]]
    values = [node for _, row in rows for node in (row.before, row.after) if node is not None]
    values += [cause.value for both in known for side in both for cause in side if isinstance(cause, Read)]
    masks = Masks(values, state.choices.reveal)
    shown = [
        _row(state, links, masks, sides, one, row, why) for (one, row), why in zip(rows[:MOST], known, strict=True)
    ]
    first, second = sides
    head = h("thead", h("tr", h("th", "path", scope="col"), h("th", first, scope="col"), h("th", second, scope="col")))
    more = (
        h("p", f"and {len(rows) - MOST:,} more: plait diff --target {first} --target {second}")
        if rows[MOST:]
        else NOTHING
    )
    count = h("p", f"{counted(len(rows), 'value')} differ{'s' if len(rows) == 1 else ''}", role="status")
    find = h("p", h("label", "Find ", h("input", type="search", id="find", autocomplete="off",
                                        placeholder="a path or a value")), class_="controls")  # fmt: skip
    table = h("table", head, h("tbody", *shown, class_="lines"), class_="rows sides")
    return [
        count,
        find,
        h("div", table, class_="panel scroll", tabindex="0", role="region", aria_label="Differences"),
        more,
    ]


def _row(
    state: State,
    links: Links,
    masks: Masks,
    sides: tuple[str, str],
    one: DocumentDifference,
    row: TreeDifference,
    causes: tuple[list[ValueCause], list[ValueCause]],
) -> Html:
    inner = format_path(row.path)
    target, document = sides[row.after is not None], one.sides[row.after is not None]
    known = label(document, state.survey.of[target]) if document is not None else ""
    path = place_text(known or WHOLE, inner)
    address = links.document(target, known or WHOLE, inner)
    name = h("a", path_code(path), href=address) if address else path_code(path)
    cells = [_side(links, masks, *side) for side in zip((row.before, row.after), causes, strict=True)]
    return h("tr", h("td", name), *cells, data_key=path)


def _side(links: Links, masks: Masks, node: Node | None, causes: list[ValueCause]) -> Html:
    """A value with its place, and what made it that the other side has otherwise."""
    shown = [_cause(links, masks, cause) for cause in causes[:NAMED]]
    shown += [h("p", f"and {len(causes) - NAMED} more", class_="chain")] if causes[NAMED:] else []
    if node is None:
        return h("td", h("span", "not set", class_="quiet"), *shown)
    return h("td", h("code", masks.brief(node)), " ", _written(links, node.origin), *shown)


def _cause(links: Links, masks: Masks, cause: ValueCause) -> Html:
    where = _written(links, cause.origin)
    if not isinstance(cause, Read):
        return h("p", f"{cause.word} ", where, " ", h("code", visible(masks.words(cause.text))), class_="chain")
    name, value = path_code(format_path(cause.path)), h("code", masks.brief(cause.value))
    return h("p", f"{cause.word} ", name, " ", value, " ", where, class_="chain")


def _written(links: Links, origin: Origin) -> Html | None:
    return place(origin.file, origin.line, links) if origin.file and not origin.source.given else None
