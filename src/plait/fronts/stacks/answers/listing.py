"""What `list` shows: rows of plain data, in the format that is asked for."""

from __future__ import annotations

import re
from functools import partial

from plait.core.diagnostic import PlaitError
from plait.core.node import Mark, plain_value, rewrite, text
from plait.fronts.stacks.answers import whole
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.ground.globs import PathPattern, is_pattern
from plait.fronts.stacks.ground.nodes import source_text
from plait.report.catalog import BAD_OPTION, STACK_QUERY, UNKNOWN_COMPONENT
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.node import Node
    from plait.core.scope import Place

Row = dict[str, object]

COLUMNS = {
    "stacks": {"Stack": "stack"},
    "components": {"Component": "component", "Type": "type", "Stacks": "stacks"},
    "instances": {"Component": "component", "Stack": "stack"},
}
"""The columns of a table where nobody chooses others."""
FORMATS = ("table", "json", "yaml", "csv", "tsv", "tree", "matrix")


class Chosen:
    """Which components are listed."""

    def __init__(
        self,
        stack: str = "",
        type: str = "real",
        enabled: str = "",
        locked: str = "",
        tags: Iterable[str] = (),
        labels: Iterable[str] = (),
    ) -> None:
        self.stack = PathPattern(stack) if stack and is_pattern(stack) else None
        self.name = stack if stack and not is_pattern(stack) else ""
        self.type = type
        self.enabled = enabled
        self.locked = locked
        self.tags = {tag.strip() for group in tags for tag in group.split(",") if tag.strip()}
        self.labels = dict(_pair(label) for group in labels for label in group.split(",") if label.strip())

    def stack_named(self, name: str) -> bool:
        if self.stack is not None:
            return self.stack.match(name)
        return not self.name or self.name == name

    def takes(self, component: Component) -> bool:
        if self.type != "all" and component.abstract != (self.type == "abstract"):
            return False
        if self.enabled and (component.fact("enabled") is not False) != (self.enabled == "true"):
            return False
        if self.locked and (component.fact("locked") is True) != (self.locked == "true"):
            return False
        return self.stack_named(component.stack) and self._labelled(component)

    def _labelled(self, component: Component) -> bool:
        if not self.tags and not self.labels:
            return True
        metadata = metadata_of(component)
        tags, labels = metadata.get("tags"), metadata.get("labels")
        if self.tags and not self.tags & set(map(str, tags if isinstance(tags, list) else ())):
            return False
        known = labels if isinstance(labels, dict) else {}
        return all(key in known and _word(known[key]) == value for key, value in self.labels.items())


def metadata_of(component: Component) -> Row:
    """A component's metadata as plain data; what cannot be computed stands as it is written."""
    node, ground = component.metadata, component.shared.ground
    try:
        made = ground.finished(node, component.place.child("metadata")) if node.live else node
    except PlaitError:
        made = rewrite(node, lambda at: text(source_text(at), at.source, at.at) if at.live else at)
    ground.secrets.add(made)
    found = plain_value(made, reveal=node.live)
    return found if isinstance(found, dict) else {}


def _word(value: object) -> str:
    """A value on one line: a single one as people write it in YAML, others as JSON."""
    if isinstance(value, dict | list | bool):
        import json

        return json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else str(value)


def _pair(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key.strip(), value.strip()


def stack_rows(repository: Repository, chosen: Chosen, component: str = "") -> list[Row]:
    """One row for each stack; only those with a component, where one is named. Nothing is evaluated but names."""
    if not component:
        return [{"stack": name} for name in repository.names() if chosen.stack_named(name)]
    check_defined(repository, component)
    names = {
        found.stack for manifest in repository.manifests() for found in repository.components_of(manifest, component)
    }
    return [{"stack": name} for name in sorted(names) if chosen.stack_named(name)]


def component_rows(repository: Repository, chosen: Chosen) -> list[Row]:
    """One row for each component, and in how many stacks it is."""
    stacks: dict[tuple[str, str], set[str]] = {}
    for component in _instances(repository, chosen):
        stacks.setdefault((component.name, component.type), set()).add(component.stack)
    return [{"component": name, "type": type, "stacks": len(where)} for (name, type), where in sorted(stacks.items())]


def instance_rows(repository: Repository, chosen: Chosen) -> list[Row]:
    """One row for each component of each stack."""
    answer = repository.ground.answer
    rows = [answer(partial(_row, component)) for component in _instances(repository, chosen)]
    return sorted(rows, key=lambda row: (str(row["component"]), str(row["stack"])))


def _row(component: Component) -> Row:
    return {
        "component": component.name,
        "stack": component.stack,
        "type": component.type,
        "component_folder": component.folder_name,
        "enabled": component.fact("enabled") is not False,
        "locked": component.fact("locked") is True,
        "abstract": component.abstract,
        "metadata": metadata_of(component),
    }


def _instances(repository: Repository, chosen: Chosen, only: str = "") -> Iterable[Component]:
    return whole.chosen(repository, repository.components(only), chosen.takes)


def check_defined(repository: Repository, component: str) -> None:
    """That some stack has a component."""
    known = {name for manifest in repository.manifests() for type in manifest.types() for name in manifest.names(type)}
    if component not in known:
        hint = did_you_mean(component, sorted(known)) or "plait list components --type all names them"
        raise PlaitError(UNKNOWN_COMPONENT(name=component, hint=hint), *repository.problems())


def values(repository: Repository, chosen: Chosen, section: str, component: str = "", reveal: bool = False) -> Row:
    """A section of a component (or of all) in every stack: {STACK: {COMPONENT: section}}, or {STACK: section}."""
    if component:
        check_defined(repository, component)
    found: dict[str, dict[str, object]] = {}
    wanted: list[tuple[Component, Node, Place]] = []
    for instance in whole.intact(repository, _instances(repository, chosen, component)):
        root = instance.root
        node = root.entries.get(section) if section else root
        if node is not None:
            wanted.append((instance, node, instance.place.child(section) if section else instance.place))
    repository.ground.evaluator.begin((node, place) for _, node, place in wanted)
    for instance, node, place in wanted:
        try:
            made = repository.ground.complete(node, place)
        except PlaitError as error:
            repository.broken.component(instance.manifest.name, instance.name, error)
            continue
        found.setdefault(instance.stack, {})[instance.name] = (
            plain_value(made, reveal) if not isinstance(made, Mark) else {}
        )
    if component:
        return {stack: members[component] for stack, members in found.items()}
    return dict(found)


# Formats


def columns_of(words: Iterable[str]) -> dict[str, str]:
    """The columns that are asked for: `field`, or `Name={{ .field }}`."""
    made: dict[str, str] = {}
    for word in words:
        name, equals, template = word.partition("=")
        made[name.strip() if equals else name.strip().replace("_", " ").title()] = (
            template.strip() if equals else name.strip()
        )
    return made


def configured_columns(given: object) -> dict[str, str]:
    """The columns of a configuration: `{name: Stack, value: "{{ .stack }}"}`."""
    rows = [row for row in given if isinstance(row, dict)] if isinstance(given, list) else []
    return {str(row["name"]): str(row["value"]) for row in rows if "name" in row and "value" in row}


def sorted_rows(rows: list[Row], keys: str) -> list[Row]:
    """Rows in another order: `component,stack:desc`."""
    for word in reversed([word.strip() for word in keys.split(",") if word.strip()]):
        name, _, order = word.partition(":")
        name = name.lower()
        if rows and name not in rows[0]:
            raise no_column(name, rows)
        rows = sorted(rows, key=lambda row: str(row.get(name)), reverse=order == "desc")
    return rows


def no_column(name: str, rows: list[Row]) -> PlaitError:
    return BAD_OPTION.error(
        why=f"unknown column `{name}`", hint=did_you_mean(name, rows[0]) or f"columns: {', '.join(rows[0])}"
    )


class TextTable:
    """Rows under columns, as text."""

    def __init__(self, repository: Repository, columns: dict[str, str]) -> None:
        self.repository = repository
        self.columns = columns

    def cell(self, row: Row, column: str) -> str:
        if "{{" in column:
            return self.repository.index.shared.language.templates.render(column, row)
        value: object = row
        for step in column.lstrip(".").split("."):
            value = value.get(step) if isinstance(value, dict) else None
        return _word(value)

    def rows(self, rows: list[Row]) -> list[list[str]]:
        for column in self.columns.values():
            field = column.lstrip(".").partition(".")[0]
            if rows and "{{" not in column and field not in rows[0]:
                raise no_column(field, rows)
        return [[self.cell(row, column) for column in self.columns.values()] for row in rows]

    def as_data(self, rows: list[Row]) -> list[Row]:
        return [dict(zip(self.columns, cells, strict=True)) for cells in self.rows(rows)]

    def separated(self, rows: list[Row], sign: str, header: bool) -> str:
        lines = [list(self.columns)] if header else []
        lines += self.rows(rows)
        return "".join(sign.join(_quoted(cell, sign) for cell in line) + "\n" for line in lines)

    def aligned(self, rows: list[Row]) -> str:
        lines = [list(self.columns), *self.rows(rows)]
        widths = [max(len(line[index]) for line in lines) for index in range(len(self.columns))]
        return "".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n"
            for line in lines
        )


def _quoted(cell: str, sign: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if sign == "," and re.search(r'[,"\n]', cell) else cell


def tree(rows: list[Row]) -> str:
    """Stacks with their components below them."""
    below: dict[str, list[str]] = {}
    for row in rows:
        below.setdefault(str(row.get("stack", row.get("component"))), []).append(
            str(row["component"]) if "stack" in row and "component" in row else ""
        )
    lines = []
    for head, members in sorted(below.items()):
        lines.append(head)
        named = sorted(filter(None, members))
        lines += [f"{'└── ' if index == len(named) - 1 else '├── '}{name}" for index, name in enumerate(named)]
    return "\n".join(lines) + "\n" if lines else ""


def matrix(rows: list[Row]) -> str:
    """The rows as a matrix for continuous integration: {"include": [...]}."""
    import json

    return (
        json.dumps(
            {"include": [{key: value for key, value in row.items() if not isinstance(value, dict)} for row in rows]}
        )
        + "\n"
    )


def filtered(rows: list[Row], query: str) -> list[Row]:
    """The rows that a yq expression gives."""
    from plait.notations.yq import YqError
    from plait.notations.yq import query as ask

    try:
        found = ask(query, rows)
    except YqError as trouble:
        raise STACK_QUERY.error(
            text=query, why=trouble.message, hint="see docs/fronts/stacks.md for what is understood"
        ) from None
    items = found if isinstance(found, list) else [found]
    rows = [item for item in items if isinstance(item, dict)]
    if len(rows) != len(items):
        raise _no_rows()
    return rows


def _no_rows() -> PlaitError:
    return BAD_OPTION.error(why="the filter must give rows again", hint='as in .[] | select(.stack == "prod")')
