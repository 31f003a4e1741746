"""Lists about stacks as text: rows and values in the columns, the order and the format that were asked for."""

from __future__ import annotations

from plait.core.find import entry
from plait.core.plain import from_plain
from plait.fronts.stacks.answers import listing
from plait.fronts.stacks.answers.printing import Printer, Shape
from plait.fronts.stacks.answers.table import (
    Column,
    TextTable,
    column,
    columns_of,
    configured_columns,
    in_order,
    matrix,
    tree,
    word,
)
from plait.fronts.stacks.read.imports import files_of
from plait.fronts.stacks.session.nodes import DERIVED
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.assembly import Assembly


class Asked:
    """How a list of rows is shown: which columns, rows and order, in which format."""

    __slots__ = ("columns", "delimiter", "files", "filter", "form", "query", "sort", "terminal")

    def __init__(
        self,
        form: str = "",
        columns: Iterable[str] = (),
        sort: str = "",
        filter: str = "",
        query: str = "",
        terminal: bool = False,
        delimiter: str = "",
        files: bool = False,
    ) -> None:
        self.form = form
        self.columns = list(columns)
        self.sort = sort
        self.filter = filter
        """A predicate for each row."""
        self.query = query
        """An expression over all rows."""
        self.terminal = terminal
        self.delimiter = delimiter
        """What is between two cells of csv and tsv; empty for the usual sign."""
        self.files = files
        """Whether a tree also shows the files that each row is made of."""


LISTED = ("stacks", "components", "instances")
"""The lists whose columns the configuration may choose."""


class ListTexts:
    """The lists about the stacks of one repository."""

    def __init__(self, assembly: Assembly, repository: Repository, printer: Printer) -> None:
        self._config = assembly.config
        self._templates = assembly.language.templates
        self._session = assembly.session
        self._repository = repository
        self._printer = printer

    def affected(self, rows: list[listing.Row], form: str, query: str = "") -> str:
        """Rows of affected components, in a format."""
        if form == "matrix":
            kept = ("component", "stack", "stack_slug", "component_path", "affected")
            return matrix([{name: row[name] for name in kept} for row in rows])
        if form == "table":
            return self._table("affected", Asked())[0].aligned(rows)
        return self._printer.printed(from_plain(rows, DERIVED), Shape(form, query))

    def text(self, kind: str, chosen: listing.Chosen, asked: Asked, component: str = "") -> str:
        """A list of rows as text."""
        self._session.options.listing = True
        self._session.options.section = "list"
        table, given = self._table(kind, asked)
        fields = table.fields()
        read = listing.fields_in((asked.sort, asked.filter, asked.query))
        read |= {listing.EVERYTHING} if fields is None else fields
        if chosen.expands:
            chosen, component = listing.expanded(self._repository, chosen, component), ""
        rows = listing.Listing(self._repository, chosen, component, read).rows(kind)
        return self.rows_text(kind, rows, asked, (table, given))

    def _table(self, kind: str, asked: Asked) -> tuple[TextTable, bool]:
        """The columns chosen by flags or by the configuration, otherwise the default ones; and whether they were
        chosen."""
        columns = columns_of(asked.columns)
        if not columns:
            section = "stacks" if kind == "stacks" else "components"
            self._config.get(section, "list")
            columns = configured_columns(entry(self._config.tree, section, "list", "columns")) if kind in LISTED else []
        default = [column(name, field) for name, field in listing.KINDS[kind].columns.items()]
        return TextTable(self._templates, columns or default), bool(columns)

    def rows_text(
        self, kind: str, rows: list[listing.Row], asked: Asked, columns: tuple[TextTable, bool] | None = None
    ) -> str:
        """Rows as text: filtered, sorted, in a format."""
        table, given = columns or self._table(kind, asked)
        rows = listing.filtered(rows, asked.filter) if asked.filter else rows
        rows = listing.queried(rows, asked.query) if asked.query else rows
        rows = table.sorted(rows, asked.sort) if asked.sort else in_order(kind, rows, table) if given else rows
        form = asked.form or self._list_format(kind) or ("table" if asked.terminal else "bare")
        shown = listing.KINDS[kind].shown
        if form in ("json", "yaml"):
            return self._printer.printed(
                from_plain(table.as_data(rows) if given else shown(rows), DERIVED), Shape(form)
            )
        header = form != "table" and (form != "bare" or kind == "instances")
        writers: dict[str, Callable[[], str]] = {
            "table": lambda: table.aligned(rows) if asked.terminal else table.separated(rows, "\t", False),
            "bare": lambda: table.separated(rows, "," if header else "\t", header),
            "csv": lambda: table.separated(rows, asked.delimiter or ",", True),
            "tsv": lambda: table.separated(rows, asked.delimiter or "\t", True),
            "tree": lambda: self._tree(kind, rows, asked.files),
            "matrix": lambda: matrix(table.as_data(rows) if given else shown(rows)),
        }
        if form not in writers:
            raise BAD_OPTION.error(why=f"unknown format `{form}`", hint=f"formats: {', '.join(listing.FORMATS)}")
        return writers[form]()

    def _tree(self, kind: str, rows: list[listing.Row], files: bool) -> str:
        """Rows as a tree; if asked for, each with the files that its manifests are made of, the nearest first."""
        if not files:
            return tree(sorted(listing.KINDS[kind].paths(rows)))
        by_manifest = {one.name: [file.name for file in files_of(one)] for one in self._repository.manifests()}
        by_stack: dict[str, list[str]] = {}
        for manifest in self._repository.manifests():
            for name in self._repository.names_of(manifest):
                by_stack.setdefault(name, []).extend(by_manifest[manifest.name])
        paths = zip(rows, listing.KINDS[kind].paths(rows), strict=True)
        return tree(
            (*path, file)
            for row, path in sorted(paths, key=lambda pair: pair[1])
            for file in by_manifest.get(str(row.get("atmos_manifest"))) or by_stack.get(str(row["stack"]), [])
        )

    def _list_format(self, kind: str) -> str:
        return self._config.text("stacks" if kind == "stacks" else "components", "list", "format")

    def values(
        self, section: str, chosen: listing.Chosen, component: str, shape: Shape, delimiter: str = "", most: int = 0
    ) -> str:
        """A section in every stack: as data, as a table with a column for each stack, or as a tree. `most` is how many
        stacks a table has; 0 for all."""
        self._session.options.listing = True
        self._session.options.section = "list"
        if shape.form in ("yaml", "json") and not shape.query and not component:
            page = listing.NestedText(lambda data: self._printer.printed(from_plain(data, DERIVED), shape))
            texts = listing.shown_values(self._repository, chosen, section, "", shape.reveal, page.member)
            return "".join(page.whole(texts))
        found = listing.values(self._repository, chosen, section, component, shape.reveal)
        if shape.form in ("yaml", "json"):
            return self._printer.printed(from_plain(found, DERIVED), shape)
        if shape.query:
            raise BAD_OPTION.error(why=f"--query gives data, not a {shape.form}", hint="use --format yaml or json")
        if shape.form == "tree":
            return tree(sorted((*path[:-1], f"{path[-1]}: {word(value)}") for path, value in listing.leaves(found)))
        columns = [Column("Key", ("Key",)), *(Column(stack, (stack,)) for stack in list(found)[: most or None])]
        table = TextTable(self._templates, columns)
        rows = listing.by_key(found)
        if shape.form == "table":
            return table.aligned(rows)
        return table.separated(rows, delimiter or ("," if shape.form == "csv" else "\t"), True)
