"""Rows of plain data under columns: which columns, in which order, and as which text."""

from __future__ import annotations

import re

from plait.core.diagnostic import Label
from plait.core.meter import like
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.struct import struct
from plait.notations.gotemplate.errors import TemplateError
from plait.report.catalog import BAD_CONFIG, BAD_OPTION
from plait.report.columns import columns
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.diagnostic import PlaitError
    from plait.fronts.stacks.language.templates import Templates

Row = dict[str, object]
COLUMN = re.compile(r"(?P<name>[^={}]*[^={}\s])\s*=\s*(?P<value>\S.*)", re.DOTALL)
FIELD = re.compile(r"\.?(?P<path>[A-Za-z_][\w-]*(?:\.[\w/-]+)*)")
OUTSIDE_BRACES = re.compile(r",(?![^{]*\}\})")
FORM = "a field (`stack`, `vars.region`), or a name and a template (`Region={{ .vars.region }}`)"


@struct
class Column:
    """A heading, and where its values come from: a path in the row, or a template over it."""

    name: str
    steps: tuple[str, ...] = ()
    template: str = ""


def column(name: str, value: str) -> Column:
    """A column whose value is a template, or a path in the row."""
    if "{{" in value:
        return Column(name, template=value)
    path = FIELD.fullmatch(value)
    if path is None:
        raise ValueError(value)
    return Column(name, tuple(path["path"].split(".")))


def columns_of(words: Iterable[str]) -> list[Column]:
    """The columns that flags ask for; several may be in one word, separated by commas."""
    given = [part.strip() for word in words for part in OUTSIDE_BRACES.split(word)]
    return [_read(word) for word in given]


def _read(word: str) -> Column:
    named = COLUMN.fullmatch(word)
    try:
        if named is not None:
            return column(named["name"].strip(), named["value"].strip())
        if "{{" not in word:
            return column(word.lstrip(".").replace("_", " ").title(), word)
        raise ValueError(word)
    except ValueError:
        raise BAD_OPTION.error(why=f"cannot read the column `{word}`", hint=f"a column is {FORM}") from None


def configured_columns(node: Node | None) -> list[Column]:
    """The columns of a configuration: a list of `{name: Stack, value: "{{ .stack }}"}`."""
    if node is None:
        return []
    if not isinstance(node, ListNode):
        raise _misconfigured(node)
    return [_configured(item) for item in node.items]


def _configured(item: Node) -> Column:
    name, value = (item.entries.get(key) if isinstance(item, MapNode) else None for key in ("name", "value"))
    if not isinstance(name, Scalar) or not isinstance(value, Scalar):
        raise _misconfigured(item)
    try:
        return column(name.text, str(value.value))
    except ValueError:
        raise _misconfigured(value) from None


def _misconfigured(node: Node) -> PlaitError:
    return BAD_CONFIG.error(
        Label(node.origin), why="invalid column", hint='write `{name: Region, value: "{{ .vars.region }}"}`'
    )


class TextTable:
    """Rows under columns."""

    def __init__(self, templates: Templates, columns: list[Column]) -> None:
        self._templates = templates
        self.columns = columns

    def fields(self) -> frozenset[str] | None:
        """The fields of a row that the columns read; None where they may read all of it."""
        fields: set[str] = set()
        for one in self.columns:
            tops = self._tops(one) if one.template else frozenset(one.steps[:1])
            if tops is None:
                return None
            fields |= tops
        return frozenset(fields)

    def _tops(self, one: Column) -> frozenset[str] | None:
        try:
            return self._templates.parse(one.template).tops
        except TemplateError as error:
            raise _bad_template(one, error) from None

    def cell(self, row: Row, one: Column) -> object:
        """The value of a column in a row: a template gives text, a path what is there."""
        if not one.template:
            return at(row, one.steps)
        try:
            return self._templates.render(one.template, row)
        except TemplateError as error:
            raise _bad_template(one, error) from None

    def cells(self, rows: list[Row]) -> list[list[object]]:
        for one in self.columns:
            if rows and one.steps and all(one.steps[0] not in row for row in rows):
                raise no_column(one.steps[0], rows)
        return [[self.cell(row, one) for one in self.columns] for row in rows]

    def sorted(self, rows: list[Row], keys: str) -> list[Row]:
        """Rows in another order, by columns or fields: `component,stack:desc`."""
        by_name = {one.name.lower(): one for one in self.columns}
        for word in reversed([word.strip() for word in keys.split(",") if word.strip()]):
            name, _, order = word.partition(":")
            if order not in ("", "asc", "desc"):
                raise BAD_OPTION.error(why=f"cannot sort by `{word}`", hint="write NAME, NAME:asc or NAME:desc")
            one = by_name.get(name.lower()) or _field(name, rows)
            rows = sorted(rows, key=lambda row, one=one: _rank(self.cell(row, one)), reverse=order == "desc")  # type: ignore[misc]
        return rows

    def as_data(self, rows: list[Row]) -> list[Row]:
        names = [one.name for one in self.columns]
        return [dict(zip(names, cells, strict=True)) for cells in self.cells(rows)]

    def texts(self, rows: list[Row]) -> list[list[str]]:
        return [[word(cell) for cell in line] for line in self.cells(rows)]

    def separated(self, rows: list[Row], sign: str, header: bool) -> str:
        lines = [[one.name for one in self.columns]] if header else []
        lines += self.texts(rows)
        return "".join(sign.join(_quoted(cell, sign) for cell in line) + "\n" for line in lines)

    def aligned(self, rows: list[Row]) -> str:
        lines = columns([[one.name for one in self.columns], *self.texts(rows)], gap=2)
        return "".join(f"{line}\n" for line in lines)


def at(row: object, steps: tuple[str, ...]) -> object:
    """The value at a path of plain data; None where there is none."""
    for step in steps:
        row = row.get(step) if isinstance(row, dict) else None
    return row


def _field(name: str, rows: list[Row]) -> Column:
    steps = tuple(name.split("."))
    if rows and all(steps[0] not in row for row in rows):
        raise no_column(name, rows)
    return Column(name, steps)


def _rank(value: object) -> tuple[int, float, str]:
    """Numbers by size and before texts."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (0, value, "")
    return (1, 0, word(value))


def in_order(kind: str, rows: list[Row], table: TextTable) -> list[Row]:
    """Instances under columns of one's own: by component, then stack, where columns have these names; else by stack."""
    if kind != "instances":
        return rows
    if {"Component", "Stack"} <= {one.name for one in table.columns}:
        return table.sorted(rows, "Component,Stack")
    return sorted(rows, key=lambda row: (str(row["stack"]), str(row["component"])))


def no_column(name: str, rows: list[Row]) -> PlaitError:
    known = list(dict.fromkeys(field for row in rows for field in row))
    return BAD_OPTION.error(
        why=f"unknown column `{name}`", hint=did_you_mean(name, known) or f"columns: {', '.join(known)}"
    )


def _bad_template(one: Column, error: TemplateError) -> PlaitError:
    why = f"cannot read the column `{one.name}={one.template}`: {error.message}"
    return like(error, BAD_OPTION(why=why, hint=f"a column is {FORM}"))


def word(value: object) -> str:
    """A value on one line: a single one as people write it in YAML, others as JSON."""
    if isinstance(value, dict | list | bool):
        import json

        return json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else str(value)


def _quoted(cell: str, sign: str) -> str:
    """A cell in a line of cells, quoted where it holds a sign that would end it."""
    return '"' + cell.replace('"', '""') + '"' if re.search(rf'[{re.escape(sign)}"\n\r]', cell) else cell


def tree(paths: Iterable[tuple[str, ...]]) -> str:
    """Paths as a tree, in their order: what begins alike is shown once."""
    root: dict[str, object] = {}
    for path in paths:
        node = root
        for step in path:
            node = node.setdefault(step, {})  # type: ignore[assignment]
    lines: list[str] = []
    stack: list[tuple[str, str, dict[str, object], bool]] = [("", name, root[name], True) for name in reversed(root)]  # type: ignore[misc]
    while stack:
        prefix, name, below, top = stack.pop()
        lines.append(f"{prefix}{name}")
        inner = "" if top else prefix.replace("├── ", "│   ").replace("└── ", "    ")
        names = list(below)
        for index in range(len(names) - 1, -1, -1):
            mark = "└── " if index == len(names) - 1 else "├── "
            stack.append((inner + mark, names[index], below[names[index]], False))  # type: ignore[arg-type]
    return "".join(f"{line}\n" for line in lines)


def matrix(rows: list[Row]) -> str:
    """The rows as a matrix for continuous integration: {"include": [...]}."""
    import json

    flat = [{key: value for key, value in row.items() if not isinstance(value, dict)} for row in rows]
    return json.dumps({"include": flat}) + "\n"
