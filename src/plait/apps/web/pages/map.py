"""The map: stacks by components, or targets by documents.

The page has the first rows; the script of the page draws those that come into view, from the list of all cells that
the page brings as data, and asks for what is known about them.
"""

from __future__ import annotations

import os
from shlex import join

from plait.apps.web.links import LAYERS, MAP
from plait.apps.web.markup import NOTHING, data_block, h
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.frame import Page, counted, problem_text, prose
from plait.apps.web.pages.overview import overview
from plait.core.visible import visible
from plait.fronts.catalog import yaml_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html

FIRST = 24
"""How many rows are in the page itself."""
WIDE = 12
"""Up to so many columns have their names written across."""
SHOWN = {"": "everything", "errors": "errors", "overrides": "overrides", "changes": "changes"}


class Filters:
    """What of the map is shown: words that names of targets and documents contain, and a kind of cells."""

    __slots__ = ("base", "documents", "show", "targets")

    def __init__(self, targets: str = "", documents: str = "", show: str = "", base: str = "") -> None:
        self.targets = targets
        self.documents = documents
        self.show = show if show in SHOWN else ""
        self.base = base
        """The revision that cells are compared with."""


class Grid:
    """All cells: the names of the rows and columns, and for each row the columns that it has."""

    __slots__ = ("columns", "labels", "rows")

    def __init__(self, state: State) -> None:
        columns: dict[str, int] = {}
        self.rows: dict[str, list[int]] = {}
        self.labels: dict[str, dict[str, str]] = {}
        """By row, what a column is called there, where that is another name."""
        for target in state.targets:
            names = {state.cells.column(target, name): name for name in state.cells.rows[target]}
            self.rows[target] = [columns.setdefault(name, len(columns)) for name in names]
            if own := {column: name for column, name in names.items() if column != name}:
                self.labels[target] = own
        self.columns = list(columns)

    def document(self, target: str, at: int) -> str:
        """The document of a cell."""
        return self.labels.get(target, {}).get(self.columns[at], self.columns[at])

    @property
    def size(self) -> int:
        return sum(map(len, self.rows.values()))

    def as_data(self) -> dict[str, object]:
        """For the script: runs of columns instead of single ones."""
        rows = [[name, runs(row)] for name, row in self.rows.items()]
        return {"columns": self.columns, "rows": rows, "labels": self.labels}


def runs(numbers: list[int]) -> list[list[int]]:
    """Numbers as pairs of first and last, sorted."""
    pairs: list[list[int]] = []
    for number in sorted(numbers):
        if pairs and pairs[-1][1] == number - 1:
            pairs[-1][1] = number
        else:
            pairs.append([number, number])
    return pairs


def map_page(state: State, links: Links, filters: Filters) -> Page:
    grid = Grid(state)
    if not grid.rows:
        return _nothing_page(state, links)
    if state.choices.files and grid.size == 1:  # the layers that the user named: there is nothing to choose
        return DocumentView(state, links, *next((target, row[0]) for target, row in state.cells.rows.items())).page()
    title = f"{counted(len(grid.rows), state.kind)}, {counted(len(grid.columns), state.part)}"
    return Page(
        "Map",
        MAP,
        h("h1", title, " ", h("small", counted(grid.size, "instance"), class_="whole")),
        problem_text(state.cells.problems, "Files with errors"),
        _controls(state, filters, links),
        h("p", "", id="summary", role="status", class_="quiet"),
        h("div", _table(state, grid, filters, links), class_="grid", id="grid", tabindex="0", role="region",
          aria_label=f"{state.kind}s by {state.part}s"),
        _legend(state),
        overview(state, links),
        data_block("map", {**grid.as_data(), "kind": state.kind, "part": state.part,
                           **_static(state, grid, links)}),
    )  # fmt: skip


LOOKED_FOR = (
    ("a plait.yaml with `targets`", "as in `targets: [{name: prod, layers: [base.yaml, prod.yaml]}]`"),
    ("an atmos.yaml", "with stacks"),
    ("charts, kustomizations, Compose files", "each with its environments"),
    ("manifests of Argo CD and Flux, helmfiles", "and what they deploy"),
    ("inventories of Ansible, configurations of Hydra", "hosts, and the defaults list"),
)
EXAMPLE = ["base.yaml", "prod.yaml"]
OWN_FILES = ("plait.yaml", "atmos.yaml")
"""Files that say what there is: they are no layers."""
MOST_FILES, MOST_FOLDERS = 200, 20
"""How many files of a folder without targets are named, and how many folders inside it."""


def _nothing_page(state: State, links: Links) -> Page:
    """What was looked for where no target was found, and what the folder has."""
    project = state.workspace.project
    root, here = (os.path.realpath(one) for one in (project.root, state.choices.folder))
    below = [os.path.relpath(os.path.join(root, name), here) for name in yaml_files(project)]
    files = [name for name in below if not name.startswith(os.pardir)]
    rows = [h("li", *prose(what), h("span", " ", *prose(how), class_="quiet")) for what, how in LOOKED_FOR]
    names = [h("li", h("code", name)) for name in files[:MOST_FILES]]
    more = h("p", f"and {len(files) - MOST_FILES:,} more", class_="quiet") if files[MOST_FILES:] else None
    return Page(
        "Nothing to show yet",
        MAP,
        h("h1", "There are no targets in this folder"),
        problem_text(state.cells.problems, "Files with errors"),
        h("section", h("h2", "What plait looked for"), h("ul", *rows), class_="panel"),
        h("section", h("h2", "What the folder has ", h("small", counted(len(files), "YAML file"))),
          h("ul", *names, class_="names"), more, class_="panel nothing"),
        _own_folders(files),
        h("p", *prose(f"Two files as layers, without any configuration: `plait serve {_two_of(files)}`. "
                      "`plait init` writes down what it finds.")),
    )  # fmt: skip


def _own_folders(files: list[str]) -> Html:
    """The folders inside that say themselves what they have."""
    names = sorted({os.path.dirname(name) for name in files if os.path.basename(name) in OWN_FILES} - {""})
    if not names:
        return NOTHING
    rows = [h("li", h("code", visible(join(["plait", "serve", "-C", name])))) for name in names[:MOST_FOLDERS]]
    return h("section", h("h2", "Folders with a configuration of their own"), h("ul", *rows, class_="names"),
             class_="panel nothing")  # fmt: skip


def _two_of(files: list[str]) -> str:
    """Two files of one folder that may be layers, as words of a command; the ones of the documentation where there are
    none."""
    folders: dict[str, list[str]] = {}
    for name in files:
        if os.path.basename(name) not in OWN_FILES:
            folders.setdefault(os.path.dirname(name), []).append(name)
    pairs = (names[:2] for names in folders.values() if names[1:])
    return visible(join(next(pairs, EXAMPLE)))


def _static(state: State, grid: Grid, links: Links) -> dict[str, object]:
    """What no server can be asked for: the addresses of all cells, and what is known about them."""
    if not links.static:
        return {}
    addresses = {
        row: [links.document(row, grid.document(row, at)) for at in sorted(own)] for row, own in grid.rows.items()
    }
    return {"links": addresses, "cells": cells_data(state, list(grid.rows), state.choices.base)}


def _controls(state: State, filters: Filters, links: Links) -> Html:
    choices = [h("option", text, value=value, selected=filters.show == value) for value, text in SHOWN.items()]
    return h(
        "form",
        h("label", f"{state.kind}s ", h("input", type="search", name="targets", value=filters.targets,
                                        placeholder="prod eu", autocomplete="off")),
        h("label", f"{state.part}s ", h("input", type="search", name="documents", value=filters.documents,
                                        placeholder="vpc", autocomplete="off")),
        h("label", "show ", h("select", *choices, name="show")),
        None if links.static else h("label", "compared with ", h(
            "input", type="search", name="base", value=filters.base, placeholder="a revision", autocomplete="off",
            class_="short")),
        h("noscript", h("button", "Filter", type="submit")),
        class_="controls", role="search", id="filters", action=links.page(MAP), method="get",
    )  # fmt: skip


def _table(state: State, grid: Grid, filters: Filters, links: Links) -> Html:
    columns = [at for at, name in enumerate(grid.columns) if matches(name, filters.documents)]
    rows = [name for name in grid.rows if matches(name, filters.targets)]
    head = [h("th", h("span", grid.columns[at]), scope="col") for at in columns]
    corner = h("th", state.kind, scope="col", class_="corner")
    body = [_row(name, set(grid.rows[name]), columns, grid, links) for name in rows[:FIRST]]
    return h("table", h("thead", h("tr", corner, *head)), h("tbody", *body), id="cells", data_own=True,
             class_="wide" if len(grid.columns) <= WIDE else None, aria_rowcount=len(rows) + 1)  # fmt: skip


def _row(name: str, cells: set[int], columns: list[int], grid: Grid, links: Links) -> Html:
    def cell(at: int) -> Html:
        if at not in cells:
            return h("td")
        address = links.document(name, grid.document(name, at))
        about = h("span", f"{grid.columns[at]} in {name}", class_="hidden")
        return h("td", h("a", about, href=address, class_="unknown"))

    address = links.page(LAYERS, target=name)
    title = h("a", name, href=address) if address else name
    return h("tr", h("th", title, scope="row"), *map(cell, columns), data_name=name)


def matches(name: str, words: str) -> bool:
    """Whether a name has all of some words, in any order."""
    low = name.lower()
    return all(word in low for word in words.lower().split())


def _legend(state: State) -> Html:
    rows = {
        "": "no value overrides another",
        "few": "1 to 4 values override others",
        "some": "5 to 19",
        "many": "20 and more",
        "bad": "has errors",
        "new": "differs from the base",
        "unknown": "not counted yet",
    }
    items = [h("li", h("span", "", class_=f"swatch {name}".strip()), text) for name, text in rows.items()]
    return h("ul", *items, class_="legend", aria_label="Colours")


def cells_data(state: State, targets: list[str], base: str = "") -> dict[str, object]:
    """What is known about the cells of some rows: values, overrides, errors and changes, by column."""
    changed = changes_by_cell(state, base) if base else {}
    return {
        target: {
            state.cells.column(target, document): [
                uses.values,
                uses.overrides,
                uses.errors[:3],
                changed.get((target, document), 0),
            ]
            for document, uses in state.survey.uses(target).items()
        }
        for target in targets
        if target in state.targets
    }


def changes_by_cell(state: State, base: str) -> dict[tuple[str, str], int]:
    """How many values of each cell differ from a base revision."""
    counts: dict[tuple[str, str], int] = {}
    for effect in state.review(base).effects:
        key = (effect.target, effect.document or state.part)
        counts[key] = counts.get(key, 0) + 1
    return counts
