"""What `list` shows: the rows of each kind of list, as plain data.

A row has every fact about a component; its sections are computed when they are read.
"""

from __future__ import annotations

import re
from functools import partial

from plait.core.diagnostic import Fault
from plait.core.node import Mark, plain_value, rewrite, text
from plait.fronts.stacks.answers import whole
from plait.fronts.stacks.answers.describe import depends_on
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.answers.table import word
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.parts import SECTIONS
from plait.fronts.stacks.ground.globs import PathPattern, is_pattern
from plait.fronts.stacks.ground.nodes import source_text
from plait.report.catalog import BAD_OPTION, STACK_QUERY, UNKNOWN_COMPONENT
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.node import Node
    from plait.core.scope import Place
    from plait.fronts.stacks.read.manifest import Manifest

Row = dict[str, object]
COMPUTED = (
    *(name for name in SECTIONS if name != "metadata"),
    "backend",
    "backend_type",
    "workspace",
    "imports",
    "command",
)
"""The fields of a row that are computed when they are read."""
FACTS = ("component", "stack", "type", "component_folder", "enabled", "locked", "abstract", "metadata")
"""The fields that a row is printed with as data, where no columns are chosen."""
FORMATS = ("table", "json", "yaml", "csv", "tsv", "tree", "matrix")
WORD = re.compile(r"\w+")


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
        return all(key in known and word(known[key]) == value for key, value in self.labels.items())


def metadata_of(component: Component) -> Row:
    """A component's metadata as plain data; what cannot be computed is left as it is written."""
    node, ground = component.metadata, component.shared.ground
    try:
        made = ground.finished(node, component.place.child("metadata")) if node.live else node
    except Fault:
        made = rewrite(node, lambda at: text(source_text(at), at.source, at.at) if at.live else at)
    ground.secrets.add(made)
    found = plain_value(made, reveal=node.live)
    return found if isinstance(found, dict) else {}


def _pair(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key.strip(), value.strip()


# Rows


class Listing:
    """One list: which components, and which of the computed fields are read."""

    def __init__(self, repository: Repository, chosen: Chosen, component: str = "", fields: Iterable[str] = ()) -> None:
        self.repository = repository
        self.chosen = chosen
        self.component = component
        self.fields = [name for name in COMPUTED if name in set(fields)]

    def rows(self, kind: str) -> list[Row]:
        return KINDS[kind].rows(self)

    def stacks(self) -> list[Row]:
        """One row for each stack; only those with a component, where one is named. Nothing is evaluated but names."""
        names: Iterable[str] = self.repository.names()
        if self.component:
            check_defined(self.repository, self.component)
            names = sorted({found.stack for found in self.repository.components(self.component)})
        return [{"stack": name, "atmos_stack": name} for name in names if self.chosen.stack_named(name)]

    def components(self) -> list[Row]:
        """One row for each component, with the facts of its first instance, and in how many stacks it is."""
        by_name: dict[tuple[str, str], list[Component]] = {}
        for component in self.members():
            by_name.setdefault((component.name, component.type), []).append(component)
        firsts = [(len(group), self._row(group[0])) for _, group in sorted(by_name.items())]
        return [{**row, "stacks": count, "stack_count": count} for count, row in firsts if row is not None]

    def instances(self) -> list[Row]:
        """One row for each component of each stack."""
        rows = [row for component in self.members() if (row := self._row(component)) is not None]
        return sorted(rows, key=lambda row: (str(row["component"]), str(row["stack"])))

    def dependencies(self) -> list[Row]:
        """One row for each component that another one declares to depend on."""
        rows = []
        for component in whole.intact(self.repository, self.members()):
            row = self._row(component)
            for name, stack in depends_on(component) if row is not None else ():
                rows.append({**(row or {}), "depends_on": name, "depends_on_stack": stack or component.stack})
        return sorted(rows, key=lambda row: tuple(str(row[name]) for name in ("stack", "component", "depends_on")))

    def sources(self) -> list[Row]:
        """One row for each component whose code comes from elsewhere: those with a `source`."""
        self.fields = list(dict.fromkeys((*self.fields, "source")))
        rows = []
        for row in self.instances():
            source = row.get("source")
            if source:
                given = source if isinstance(source, dict) else {"uri": source}
                rows.append({**row, "uri": given.get("uri"), "version": given.get("version")})
        return rows

    def members(self) -> Iterable[Component]:
        if self.component:
            check_defined(self.repository, self.component)
        return members(self.repository, self.chosen, self.component)

    def _row(self, component: Component) -> Row | None:
        """Everything about a component; None where that cannot be computed, which is recorded."""
        repository = self.repository
        try:
            row = repository.ground.answer(partial(facts, component))
            return row | self._computed(repository.whole(component)) if self.fields else row
        except Fault as error:
            repository.broken.component(component.manifest.name, component.name, error)
            return None

    def _computed(self, component: Component) -> Row:
        row: Row = {}
        for name in self.fields:
            node = component.root.entries.get(name)
            made = self.repository.ground.complete(node, component.place.child(name)) if node is not None else None
            row[name] = plain_value(made) if made is not None and not isinstance(made, Mark) else {}
        return row


def facts(component: Component) -> Row:
    """What is known about a component without its values."""
    return {
        "component": component.name,
        "stack": component.stack,
        "type": component.type,
        "component_folder": component.folder_name,
        "enabled": component.fact("enabled") is not False,
        "locked": component.fact("locked") is True,
        "abstract": component.abstract,
        "metadata": metadata_of(component),
        "component_type": component.type,
        "atmos_component": component.name,
        "atmos_stack": component.stack,
        "atmos_component_type": component.type,
        "atmos_stack_file": component.manifest.name,
        "atmos_manifest": component.manifest.name,
    }


def members(repository: Repository, chosen: Chosen, only: str = "") -> Iterable[Component]:
    """The components that are chosen. One that the manifest alone rules out is not put together."""
    named = {one for one in repository.manifests() if any(map(chosen.stack_named, repository.names_of(one)))}

    def wanted(manifest: Manifest, type: str, name: str) -> bool:
        if manifest not in named:
            return False
        return chosen.type == "all" or whole.is_abstract(repository, manifest, type, name) == (
            chosen.type == "abstract"
        )

    return whole.chosen(repository, repository.components(only, wanted), chosen.takes)


def fields_in(expressions: Iterable[str]) -> set[str]:
    """The computed fields that expressions name; all of them where one reads a whole row."""
    words = {found for text in expressions for found in WORD.findall(text)}
    return set(COMPUTED) if words & {"keys", "to_entries", "toJson", "to_json"} else words


class Kind:
    """One list: how its rows are made, the columns and fields that it shows by itself, and the branches of its tree."""

    __slots__ = ("branch", "columns", "data", "rows")

    def __init__(
        self, rows: Callable[[Listing], list[Row]], columns: Row, data: Iterable[str], branch: Iterable[str]
    ) -> None:
        self.rows = rows
        self.columns = {name: str(field) for name, field in columns.items()}
        self.data = tuple(data)
        self.branch = tuple(branch)

    def paths(self, rows: list[Row]) -> list[tuple[str, ...]]:
        """The rows as paths of a tree."""
        return [tuple(word(row.get(name)) for name in self.branch) for row in rows]

    def shown(self, rows: list[Row]) -> list[Row]:
        """The rows with the fields that are printed as data."""
        return [{name: row[name] for name in self.data if name in row} for row in rows] if self.data else rows


KINDS = {
    "stacks": Kind(Listing.stacks, {"Stack": "stack"}, ("stack",), ("stack",)),
    "components": Kind(
        Listing.components, {"Component": "component", "Type": "type", "Stacks": "stacks"},
        ("component", "type", "stacks"), ("type", "component"),
    ),
    "instances": Kind(Listing.instances, {"Component": "component", "Stack": "stack"}, FACTS, ("stack", "component")),
    "dependencies": Kind(
        Listing.dependencies,
        {"Component": "component", "Stack": "stack", "Depends On": "depends_on", "In Stack": "depends_on_stack"},
        ("component", "stack", "type", "depends_on", "depends_on_stack"),
        ("stack", "component", "depends_on_stack", "depends_on"),
    ),
    "sources": Kind(
        Listing.sources, {"Component": "component", "Stack": "stack", "URI": "uri", "Version": "version"},
        ("component", "stack", "type", "component_folder", "uri", "version"), ("uri", "version", "stack", "component"),
    ),
    "affected": Kind(
        lambda listing: [], {"Component": "component", "Stack": "stack", "Affected": "affected"}, (),
        ("stack", "component", "affected"),
    ),
}  # fmt: skip
"""Every list of rows. Those of `affected` are made by comparing with another revision."""


def check_defined(repository: Repository, component: str) -> None:
    """That some stack has a component."""
    known = {name for manifest in repository.manifests() for type in manifest.types() for name in manifest.names(type)}
    if component not in known:
        hint = did_you_mean(component, sorted(known)) or "plait list components --type all shows them"
        raise Fault(UNKNOWN_COMPONENT(name=component, hint=hint), *repository.problems())


# Values


def values(repository: Repository, chosen: Chosen, section: str, component: str = "", reveal: bool = False) -> Row:
    """A section of a component (or of all) in every stack: {STACK: {COMPONENT: section}}, or {STACK: section}."""
    if component:
        check_defined(repository, component)
    by_stack: dict[str, dict[str, object]] = {}
    wanted: list[tuple[Component, Node, Place]] = []
    for instance in whole.intact(repository, members(repository, chosen, component)):
        root = instance.root
        node = root.entries.get(section) if section else root
        if node is not None:
            wanted.append((instance, node, instance.place.child(section) if section else instance.place))
    repository.ground.evaluator.begin((node, place) for _, node, place in wanted)
    for instance, node, place in wanted:
        try:
            made = repository.ground.complete(node, place)
        except Fault as error:
            repository.broken.component(instance.manifest.name, instance.name, error)
            continue
        by_stack.setdefault(instance.stack, {})[instance.name] = (
            plain_value(made, reveal) if not isinstance(made, Mark) else {}
        )
    if component:
        return {stack: members[component] for stack, members in by_stack.items()}
    return dict(by_stack)


def leaves(data: object) -> list[tuple[tuple[str, ...], object]]:
    """Every value of nested maps with its path; a list is one value."""
    pairs: list[tuple[tuple[str, ...], object]] = []
    stack: list[tuple[tuple[str, ...], object]] = [((), data)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict) and value:
            stack.extend(((*path, str(key)), child) for key, child in reversed(value.items()))
        else:
            pairs.append((path, value))
    return pairs


def by_key(data: Row) -> list[Row]:
    """Values by stack as rows of a table: one for each key, with a field for each stack."""
    rows: dict[str, Row] = {}
    for stack, section in data.items():
        for path, value in leaves(section):
            key = ".".join(path)
            rows.setdefault(key, {"Key": key})[stack] = value
    return [rows[key] for key in sorted(rows)]


# Filters


def filtered(rows: list[Row], predicate: str) -> list[Row]:
    """The rows for which a yq expression is true: `.stack == "prod"`."""
    if re.match(r"\s*\.\[", predicate):
        raise BAD_OPTION.error(
            why=f"`--filter` applies to each row, but `{predicate}` needs a list",
            hint='write a predicate such as .stack == "prod"; --query takes an expression over all rows',
        )
    return [row for row in rows if any(value not in (None, False) for value in asked(predicate, row))]


def queried(rows: list[Row], query: str) -> list[Row]:
    """The rows that a yq expression over all of them gives."""
    items = [item for value in asked(query, rows) for item in (value if isinstance(value, list) else [value])]
    rows = [item for item in items if isinstance(item, dict)]
    if len(rows) != len(items):
        raise BAD_OPTION.error(
            why="the result of the query is not a list of rows", hint='for example: .[] | select(.stack == "prod")'
        )
    return rows


def asked(query: str, data: object) -> list[object]:
    """All results of a yq expression."""
    from plait.notations.yq import YqError, results

    try:
        return list(results(query, data))
    except YqError as trouble:
        raise STACK_QUERY.error(
            text=query, why=trouble.message, hint="`plait help stacks` lists what is supported"
        ) from None
