"""The files: who imports whom, what each contributes, and the text of one with the fate of each line."""

from __future__ import annotations

import os
from collections import Counter
from time import monotonic

from plait.apps.web.graph import Box, drawing
from plait.apps.web.links import FILES
from plait.apps.web.markup import NOTHING, h
from plait.apps.web.pages.frame import Page, counted, crumbs, in_targets, place
from plait.apps.web.pages.lines import coloured
from plait.core.diagnostic import without
from plait.core.path import format_path
from plait.core.source import NOT_IN_COMMIT
from plait.core.visible import visible
from plait.report.catalog import NO_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.survey.survey import Fate, FileShare

LEGEND = (
    "Lines lead from a file to the files that it imports, on its right. The stronger the colour of a box, the more"
    " values come from it; none comes from a dashed box."
)
DRAWN = 60
"""Up to so many files are drawn one by one; of more, their folders."""
NEAR = 11
"""How many importers and imports of one file are drawn."""
PATIENCE = 0.6
"""Seconds that one answer may look at targets that were not looked at yet."""
SHOWN = 12
"""How many places a line lists."""
WINS, OVERRIDDEN, READ, STEERS = "wins", "overridden", "read", "steers"


# All files


def files_page(state: State, links: Links, words: str = "", folder: str = "") -> Page:
    edges = state.survey.links()
    looked = look_on(state, state.targets)
    shares = state.survey.shares()
    names = [name for name in sorted(edges) if name.startswith(folder)]
    shown = [name for name in names if all(word in name.lower() for word in words.lower().split())]
    return Page(
        "Files",
        FILES,
        h("h1", counted(len(names), "file"), h("small", f" in {folder}" if folder else "")),
        h("div", overview(state, links, names, shares, looked), class_="drawing panel", tabindex="0", role="region",
          aria_label="Imports"),
        h("p", LEGEND, class_="quiet"),
        _unfinished(looked, len(state.targets), state.kind),
        h("p", h("label", "Find ", h("input", type="search", id="find", value=words, autocomplete="off",
                                     placeholder="a file")), class_="controls"),
        _table(state, links, shown, shares),
    )  # fmt: skip


def look_on(state: State, targets: list[str], seconds: float = PATIENCE) -> int:
    """Look at targets for a moment; how many of these have been looked at now."""
    until = monotonic() + (seconds if not state.patient else 1e9)
    for target in targets:
        if not state.survey.is_known(target) and monotonic() < until:
            state.survey.uses(target)
    return sum(map(state.survey.is_known, targets))


def _unfinished(done: int, total: int, kind: str) -> Html:
    if done == total:
        return NOTHING
    return h("p", f"counted in {done} of {counted(total, kind)} so far", class_="quiet", data_more=True)


def overview(state: State, links: Links, names: list[str], shares: dict[str, FileShare], looked: int) -> Html:
    """Imports as a drawing: of files, or of folders where there are many."""
    edges = state.survey.links()
    known = set(names)
    if len(names) <= DRAWN:
        most = max((shares[name].wins for name in names if name in shares), default=0)
        complete = looked == len(state.targets)
        boxes = {name: _box(name, links, shares.get(name), most, complete) for name in names}
        return drawing(boxes, {name: [to for to in edges[name] if to in known] for name in names}, "Imports of files")
    return _folders(links, names, edges, shares)


def _box(name: str, links: Links, share: FileShare | None, most: int, complete: bool) -> Box:
    wins, lost = (share.wins, share.lost) if share is not None else (0, 0)
    kind = "dead" if complete and not wins else _strength(wins, most)
    return Box(name, links.file(name), kind, f"{counted(wins, 'value')} won, {lost} overridden")


def _strength(wins: int, most: int) -> str:
    if not wins or not most:
        return ""
    return "many" if wins * 3 > most else "some" if wins * 10 > most else "few"


def _folders(links: Links, names: list[str], edges: dict[str, dict[str, int]], shares: dict[str, FileShare]) -> Html:
    folders: dict[str, int] = {}
    wins: dict[str, int] = {}
    groups = _grouped(names)
    for name in names:
        folders[groups[name]] = folders.get(groups[name], 0) + 1
        wins[groups[name]] = wins.get(groups[name], 0) + (shares[name].wins if name in shares else 0)
    most = max(wins.values(), default=0)
    lines: dict[str, dict[str, None]] = {}
    for name in names:
        for to in edges[name]:
            if to in groups and groups[to] != groups[name]:
                lines.setdefault(groups[name], {})[groups[to]] = None
    boxes = {
        folder: Box(f"{folder} ({count})", links.page(FILES, folder=f"{folder}/"), _strength(wins[folder], most),
                    f"{counted(count, 'file')}, {counted(wins[folder], 'value')} won")
        for folder, count in folders.items()
    }  # fmt: skip
    return drawing(boxes, lines, "Imports of folders")


def _grouped(names: list[str]) -> dict[str, str]:
    """Each file with a folder that stands for it. The largest folder is opened, together with those beside it that
    are about as large, as long as there are not too many."""
    groups = dict.fromkeys(names, "")
    closed: set[str] = set()
    while True:
        sizes = Counter(groups.values())
        largest = max((folder for folder in sizes if folder not in closed), key=lambda one: sizes[one], default=None)
        if largest is None:
            return {name: folder or "." for name, folder in groups.items()}
        beside = {
            folder
            for folder, size in sizes.items()
            if os.path.dirname(folder) == os.path.dirname(largest) and size > 0.8 * sizes[largest]
        }
        opened = {name: _below(name, folder) if folder in beside else folder for name, folder in groups.items()}
        if opened == groups or len(set(opened.values())) > DRAWN:
            closed |= beside
        else:
            groups = opened


def _below(name: str, folder: str) -> str:
    """The folder of a file that is one step below another one; that one itself where the file is in it."""
    rest = name[len(folder) + 1 :] if folder else name
    return os.path.join(folder, rest.partition("/")[0]) if "/" in rest else folder


def _table(state: State, links: Links, names: list[str], shares: dict[str, FileShare]) -> Html:
    edges = state.survey.links()
    importers: dict[str, int] = {}
    for rows in edges.values():
        for name in rows:
            importers[name] = importers.get(name, 0) + 1
    head = ("file", f"{state.kind}s", "imports", "imported by", "values that win", "values overridden")
    body = []
    wins = {name: shares[name].wins if name in shares else 0 for name in names}
    for name in sorted(names, key=lambda name: (-wins[name], name)):
        share = shares.get(name)
        numbers = (len(state.survey.readers(name)), len(edges[name]), importers.get(name, 0))
        both = (share.wins, share.lost) if share is not None else (0, 0)
        cells = [h("td", f"{number:,}" if number else "", class_="number") for number in (*numbers, *both)]
        body.append(h("tr", h("td", place(name, 0, links)), *cells, data_key=name))
    table = h("table", h("thead", h("tr", *(h("th", text, scope="col") for text in head))),
              h("tbody", *body, class_="lines"), class_="rows")  # fmt: skip
    return h("div", table, class_="panel scroll", tabindex="0", role="region", aria_label="Files")


# One file


def file_page(state: State, links: Links, name: str) -> Page:
    check_known(state, name)
    importers = state.survey.importers(name)
    imports = state.survey.links()[name]
    readers = state.survey.readers(name)
    return Page(
        name,
        FILES,
        crumbs(("Files", links.page(FILES)), (name, "")),
        h("h1", h("code", name), h("small", f" {in_targets(list(readers), state.kind)}")),
        _neighbours(links, name, importers, imports),
        file_text(state, links, name),
    )


def check_known(state: State, name: str) -> None:
    """Only files that the repository's targets are made of are shown."""
    if name not in state.survey.links():
        raise NO_FILE.error(name=name, hint="it is not part of any target")


def _neighbours(links: Links, name: str, importers: dict[str, int], imports: dict[str, int]) -> Html:
    if not importers and not imports:
        return NOTHING
    many = [*list(importers)[:NEAR], *list(imports)[:NEAR]]
    boxes = {one: Box(one, links.file(one), "few" if one != name else "some") for one in (*many, name)}
    edges: dict[str, list[str]] = {one: [name] for one in importers}
    edges[name] = list(imports)
    shown = drawing(boxes, edges, f"What imports {name}, and what it imports")
    more = len(importers) + len(imports) + 1 - len(boxes)
    note = h("p", f"and {more} more", class_="quiet") if more > 0 else None
    return h("div", shown, note, class_="drawing panel", tabindex="0", role="region", aria_label="Imports")


def file_text(state: State, links: Links, name: str) -> Html:
    """The text of a file with the fate of each line; as far as targets have been looked at."""
    check_known(state, name)
    readers = [target for target in state.survey.readers(name) if target in state.targets]
    done = look_on(state, readers)
    fates = state.survey.fates(name, [target for target in readers if state.survey.is_known(target)])
    lines = shown_text(state, name).split("\n")
    rows = [
        _line(state, links, number, line, fates.get(number), done == len(readers))
        for number, line in enumerate(lines if lines[-1] else lines[:-1], 1)
    ]
    more = done < len(readers)
    return h("div", _unfinished(done, len(readers), state.kind), h("div", *rows, class_="text panel"),
             id="text", data_more=links.page("fates", name=name) if more else None)  # fmt: skip


def shown_text(state: State, name: str) -> str:
    """The text of a file, secrets masked unless they are to be shown."""
    source = state.survey.source(name)
    text = source.text
    if state.choices.reveal:
        return text
    if source.is_withheld:
        return NOT_IN_COMMIT
    return without(state.workspace.editor.shown(name, text), state.survey.secrets(name))


def _line(state: State, links: Links, number: int, text: str, fate: Fate | None, complete: bool) -> Html:
    kind, words = verdict(state, fate, complete)
    margin: Html = h("span", words)
    if fate is not None and words and (fate.wins or fate.overridden or fate.read):
        margin = h("details", h("summary", words), _places(links, fate))
    return h(
        "div",
        h("a", number, href=f"#L{number}", class_="no", aria_label=f"line {number}"),
        h("div", margin, class_="fate"),
        h("code", *coloured(visible(text))),
        class_=f"row {kind}".strip(), id=f"L{number}", data_key=f"{number}",
    )  # fmt: skip


def verdict(state: State, fate: Fate | None, complete: bool) -> tuple[str, str]:
    """What a line decides, as a word for the style and in words for people."""
    if fate is None:
        return "", ""
    won, lost, kind = fate.winning_targets, fate.losing_targets, fate.kind
    if kind == WINS:
        over = f", overridden {in_targets(lost, state.kind)}" if lost else ""
        return "wins", f"wins {in_targets(won, state.kind)}{over}"
    if kind == READ:
        return "read", "read by expressions"
    if kind == STEERS:
        return "steers", ""
    if kind == OVERRIDDEN:
        return "dead", "overridden everywhere" if complete else f"overridden {in_targets(lost, state.kind)}"
    return ("dead", "never read") if complete else ("", "")


def _places(links: Links, fate: Fate) -> Html:
    """Where a line wins, and what overrides it."""
    rows = [h("li", "wins: ", _value(links, *spot)) for spot in fate.wins[:SHOWN]]
    rows += [h("li", "read by: ", _value(links, *spot)) for spot in fate.read[: SHOWN - len(rows)]]
    for by, spots in list(fate.overridden.items())[:SHOWN]:
        where = place(by[0], by[1], links) if by is not None else "another layer"
        rows.append(h("li", f"overridden in {counted(len(spots), 'place')} by ", where))
    hidden = len(fate.wins) + len(fate.read) - SHOWN
    return h("ul", *rows, h("li", f"and {hidden} more") if hidden > 0 else None, class_="places")


def _value(links: Links, target: str, document: str, path: tuple[object, ...]) -> Html:
    shown = format_path(path)  # type: ignore[arg-type]
    return h("a", f"{document} {shown} in {target}", href=links.document(target, document, shown))
