"""What the first page shows beside the map: where targets differ, and the layers of one of them."""

from __future__ import annotations

from itertools import chain

from plait.apps.web.links import ACROSS, COMPARE, LAYERS
from plait.apps.web.markup import NOTHING, h
from plait.apps.web.pages.frame import counted, in_targets, path_code, progress
from plait.apps.web.picture import layers_picture
from plait.fronts.front import WHOLE
from plait.survey.survey import target_shares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.web.all_values import ByPath, Places
    from plait.apps.web.earlier import Instance
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html

PATIENCE = 0.4
"""Seconds that documents are evaluated for before an answer is given."""
MOST_COMPARED = 400
"""How many documents of a large repository are compared on the first page."""
ROWS, CHIPS, BANDS, OTHERS = 12, 4, 10, 8
"""How many differences, values of one, layers and names of other targets are shown."""


class DifferentValue:
    """A path whose value is not the same in all targets, in all the documents that have the same differences."""

    __slots__ = ("documents", "label", "missing", "path", "values")

    def __init__(self, label: str, path: str, values: list[tuple[str, Places]], missing: list[str]) -> None:
        self.label = label
        """What some target calls the first of the documents."""
        self.path = path
        self.values = values
        self.missing = missing
        """The targets that have the document and not the value."""
        self.documents: list[str] = []


def overview(state: State, links: Links) -> Html:
    """Both parts; a server is asked for them when the page is there."""
    if links.static:
        return h("div", differences(state, links), picture(state, links, ""), class_="overview")
    boxes = [h("div", data_source=f"/{name}", data_now=True) for name in ("differences", "picture")]
    return h("div", *boxes, class_="overview")


# Where targets differ


def differences(state: State, links: Links) -> Html:
    """The paths that have another value in another target."""
    if len(state.targets) < 2:
        return NOTHING
    instances = state.instances
    compared = instances[:MOST_COMPARED]
    done = state.gathered.look(compared, PATIENCE if not state.patient else 1e9)
    rows = different_values(state, compared)
    title = h("h2", f"Where {state.kind}s differ", h("small", f" {counted(len(rows), 'value')}"))
    more = len(rows) - ROWS
    compare = links.page(COMPARE)
    beside = h("a", f"compare two {state.kind}s", href=compare) if compare else None
    rest = h("p", f"and {more:,} more: " if more > 0 else None, beside)
    left_out = len(instances) - len(compared)
    return h(
        "section",
        title,
        progress(done, len(compared), "document"),
        h("p", f"of the first {counted(len(compared), 'document')}", class_="quiet") if left_out else None,
        h("table", h("tbody", *(_row(state, links, row) for row in rows[:ROWS])), class_="rows differ")
        if rows else h("p", _same(state, done < len(compared))),
        rest if more > 0 or not rows else None,
        class_="panel",
    )  # fmt: skip


def _same(state: State, unfinished: bool) -> str:
    """What is said where nothing differs: documents that only one target has are not compared."""
    if unfinished:
        return "Nothing differs so far."
    names = [state.cells.column(*one) for one in state.instances]
    if len(set(names)) == len(names):
        return f"No {state.part} is in two {state.kind}s."
    return "Every value is the same."


def different_values(state: State, documents: list[Instance]) -> list[DifferentValue]:
    """What differs, as far as it is known: what differs alike in several documents is one row, and comes first."""
    found: dict[object, DifferentValue] = {}
    for name, (label, by_path, having) in _things(state, documents).items():
        for path, values in by_path.items() if len(having) > 1 else ():
            present = {target for places in values.values() for target, _ in places}
            missing = [target for target in having if target not in present]
            if len(values) > 1 or missing:
                ordered = sorted(values.items(), key=lambda one: -len(one[1]))
                key = (path, *((text, tuple(target for target, _ in places)) for text, places in ordered))
                found.setdefault(key, DifferentValue(label, path, ordered, missing)).documents.append(name)
    return sorted(found.values(), key=lambda row: -len(row.documents))


def _things(state: State, documents: list[Instance]) -> dict[str, tuple[str, ByPath, list[str]]]:
    """What is known of each column of the map: what some target calls it, its values by path, and the targets."""
    labels: dict[str, dict[str, list[str]]] = {}
    for target, document in documents:
        if state.gathered.is_known(target, document):
            labels.setdefault(state.cells.column(target, document), {}).setdefault(document, []).append(target)
    texts = state.gathered.texts
    return {
        name: (next(iter(own)), _together([texts.get(one, {}) for one in own]), [*chain(*own.values())])
        for name, own in labels.items()
    }


def _together(several: list[ByPath]) -> ByPath:
    """The values of documents that are the same thing."""
    if len(several) == 1:
        return several[0]
    found: ByPath = {}
    for by_path in several:
        for path, values in by_path.items():
            by_text = found.setdefault(path, {})
            for text, places in values.items():
                by_text[text] = [*by_text.get(text, ()), *places]
    return found


def _row(state: State, links: Links, row: DifferentValue) -> Html:
    first, title = row.label, row.documents[0]
    path = path_code(row.path)
    address = links.page(ACROSS, document=first, path=row.path)
    names = _name(title) if len(row.documents) == 1 else counted(len(row.documents), state.part)
    chips = [_chip(state, links, first, row.path, text, places) for text, places in row.values[:CHIPS]]
    more = h("span", f"and {len(row.values) - CHIPS} more values", class_="quiet") if row.values[CHIPS:] else None
    missing = h("span", f"not set {in_targets(row.missing, state.kind)}", class_="quiet") if row.missing else None
    whose = h("small", names, class_="quiet") if names else None
    return h("tr", h("td", h("a", path, href=address) if address else path, whose),
             h("td", *chips, more, missing), data_key=f"{title}: {row.path}")  # fmt: skip


def _name(document: str) -> str:
    """The name of a document; nothing where targets have only one."""
    return "" if document == WHOLE else document


def _chip(state: State, links: Links, document: str, path: str, text: str, places: Places) -> Html:
    """A value, and who has it; it leads to its layers."""
    targets = [target for target, _ in places]
    where = targets[0] if len(targets) == 1 else counted(len(targets), state.kind)
    own = state.survey.called(targets[0], document) or document
    return h("a", h("code", text), h("span", where), href=links.document(targets[0], own, path), class_="chip",
             title=", ".join(targets[:20]))  # fmt: skip


# The layers of one target


def picture(state: State, links: Links, name: str) -> Html:
    """The layers of a target, and the way to those of others. The one with the most documents stands for all."""
    name = name or max(state.targets, key=lambda target: len(state.cells.rows[target]))
    shares = target_shares(state.survey.of.find(name))
    others = [h("a", other, href=links.page(LAYERS, target=other)) for other in state.targets if other != name][:OTHERS]
    beside = h("p", "Others: ", [[one, " "] for one in others], class_="quiet others") if others else None
    decided = sum(share.wins for share in shares)
    return h(
        "section",
        h("h2", "Layers of ", h("a", name, href=links.page(LAYERS, target=name)),
          h("small", f" {counted(decided, 'value')} from {counted(len(shares), 'file')}")),
        layers_picture(shares, links.file, BANDS),
        beside,
        class_="panel",
    )  # fmt: skip
