"""The rows of each kind of `list`, as plain data.

A row contains every fact about a component; its sections are computed when they are read.
"""

from __future__ import annotations

import re
from functools import partial

from plait.core.diagnostic import Fault
from plait.core.node import COMPUTED as UNKNOWN
from plait.core.node import Mark, plain_value, rewrite, text
from plait.fronts.stacks.answers import usable
from plait.fronts.stacks.answers.dependents import Needs, instances, key_of, links_of
from plait.fronts.stacks.answers.describe import depends_on
from plait.fronts.stacks.answers.kept_rows import Rows
from plait.fronts.stacks.answers.repository import Repository, check_any
from plait.fronts.stacks.answers.table import word
from plait.fronts.stacks.answers.unknown import Hidden, hidden_parts, hidden_stacks
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.section_layers import SECTIONS, sections_among
from plait.fronts.stacks.session.globs import PathPattern, is_pattern
from plait.fronts.stacks.session.nodes import source_text
from plait.report.catalog import BAD_OPTION, STACK_QUERY, UNKNOWN_COMPONENT
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    from plait.core.node import Node
    from plait.core.scope import Place
    from plait.fronts.stacks.answers.dependents import Instance
    from plait.fronts.stacks.answers.kept_rows import Compute, Item
    from plait.fronts.stacks.read.manifest import Manifest

    T = TypeVar("T")

Row = dict[str, object]
COMPUTED = (
    *(name for name in SECTIONS if name != "metadata"),
    "backend",
    "backend_type",
    "workspace",
    "imports",
    "command",
)
"""The fields of a row that are computed when they are read, empty where a component has none; so is any other section
that it has."""
EVERYTHING = "*"
"""Stands for all fields of a row."""
FACTS = ("component", "stack", "type", "component_folder", "enabled", "locked", "abstract", "metadata")
"""The fields of a row that are printed as data, if no columns are chosen."""
KNOWN = frozenset(
    (
        *FACTS,
        *("component_type", "atmos_component", "atmos_stack", "atmos_component_type", "atmos_stack_file"),
        *("atmos_manifest", "stacks", "stack_count", "depends_on_stack", "uri"),
    )
)
"""The fields of a row that are facts, not sections."""
FORMATS = ("table", "json", "yaml", "csv", "tsv", "tree", "matrix")
WHOLE = "(all)"
"""Stands for the key of a component that cannot be shown as a whole."""
LATER = True
"""Marks a component that is not the first one of its name, and so has no row."""
WORD = re.compile(r"\w+")
FIELD = re.compile(r"""(?<![\w\])"'])\.(\w+)|^(\w+)|,\s*(\w+)""")
"""The first name of a path in an expression or a list of fields."""


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
        dependencies: int = 0,
        dependents: int = 0,
    ) -> None:
        self.stack = PathPattern(stack) if stack and is_pattern(stack) else None
        self.name = stack if stack and not is_pattern(stack) else ""
        self.type = type
        self.enabled = enabled
        self.locked = locked
        self.tags = {tag.strip() for group in tags for tag in group.split(",") if tag.strip()}
        self.labels = dict(_pair(label) for group in labels for label in group.split(",") if label.strip())
        self.dependencies = dependencies
        """How many levels of what the components depend on are listed too."""
        self.dependents = dependents
        """The same of what depends on them."""

    @property
    def expands(self) -> bool:
        return bool(self.dependencies or self.dependents)

    @property
    def looks_at_components(self) -> bool:
        """Whether the components of a stack decide if it is listed."""
        return bool(self.tags or self.labels)

    def stack_named(self, name: str) -> bool:
        if self.stack is not None:
            return self.stack.match(name)
        return not self.name or self.name == name

    def takes(self, component: Component) -> bool:
        if self.enabled and component.flag("enabled", True) not in (UNKNOWN, self.enabled == "true"):
            return False
        if self.locked and component.flag("locked", False) not in (UNKNOWN, self.locked == "true"):
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


class Among(Chosen):
    """The components that are listed, named one by one."""

    def __init__(self, keys: set[Instance]) -> None:
        super().__init__()
        self.keys = keys
        self.stacks = {stack for stack, _, _ in keys}

    looks_at_components = True

    def stack_named(self, name: str) -> bool:
        return name in self.stacks

    def takes(self, component: Component) -> bool:
        return key_of(component) in self.keys


def expanded(repository: Repository, chosen: Chosen, only: str = "") -> Among:
    """The chosen components with what they depend on, and what depends on them."""
    components = instances(repository).values()
    start = {key_of(one) for one in components if only in ("", one.name) and chosen.takes(one)}
    needs = Needs(map(links_of, components))
    return Among(needs.forward(start, chosen.dependencies) | needs.backward(start, chosen.dependents))


def metadata_of(component: Component) -> Row:
    """A component's metadata as plain data; a value that cannot be computed stays as it is written."""
    node, session = component.metadata, component.shared.session
    try:
        made = session.finished(node, component.place.child("metadata")) if node.live else node
    except Fault:
        made = rewrite(node, lambda at: text(source_text(at), at.source, at.at) if at.live else at)
    session.secrets.add(made)
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
        asked = set(fields)
        self.everything = EVERYTHING in asked
        self.fields = [name for name in COMPUTED if self.everything or name in asked]
        self.others = sorted(name for name in asked.difference(COMPUTED) if name.lower() not in KNOWN)
        """Fields that may be sections of some components."""

    def rows(self, kind: str) -> list[Row]:
        return KINDS[kind].rows(self)

    def stacks(self) -> list[Row]:
        """One row for each stack; if a component is named, only stacks that have it. Evaluates only stack names."""
        names: Iterable[str] = self.repository.names()
        if self.chosen.looks_at_components:
            names = sorted({str(row["stack"]) for row in self.instances()})
        elif self.component:
            check_defined(self.repository, self.component)
            found = [one.stack for one in self.repository.components(self.component)]
            names = sorted({*found, *(one.stack for one in hidden(self.repository, self.chosen, self.component))})
        else:
            names = sorted({*names, *hidden_stacks(self.repository)})
        return [{"stack": name, "atmos_stack": name} for name in names if self.chosen.stack_named(name)]

    def components(self) -> list[Row]:
        """One row for each component, with the facts of its first instance, and in how many stacks it is."""
        groups = self._groups(self._items(self._first_rows))
        if any(group[0] is LATER for group in groups.values()):  # the earlier first one is not listed any more
            groups = self._groups(self._items(self._first_rows, reuse=False))
        for row in self._hidden_rows():
            groups.setdefault((str(row["component"]), str(row["type"])), []).append(row)
        counts = [(sum(map(bool, group)), next(filter(_has_facts, group), None)) for _, group in sorted(groups.items())]
        return [{**row, "stacks": count, "stack_count": count} for count, row in counts if row]

    def _first_rows(self, components: Iterable[Component]) -> Iterator[tuple[Component, Row | bool]]:
        """The row of the first instance of each component; empty if it cannot be computed."""
        seen: set[tuple[str, str]] = set()
        for component in components:
            key = (component.name, component.type)
            yield component, LATER if key in seen else (self._row(component) or {})
            seen.add(key)

    @staticmethod
    def _groups(items: list[Item]) -> dict[tuple[str, str], list[Any]]:
        by_name: dict[tuple[str, str], list[Any]] = {}
        for _, type, name, row in items:
            by_name.setdefault((name, type), []).append(row)
        return by_name

    def instances(self) -> list[Row]:
        """One row for each component of each stack."""
        rows: list[Row] = [row for *_, row in self._items(self._rows)]
        rows += self._hidden_rows()
        return sorted(rows, key=lambda row: (str(row["component"]), str(row["stack"])))

    def with_metadata(self) -> list[Row]:
        """The same, with each key of the metadata as a field of its own."""
        return [{**(data if isinstance(data := row["metadata"], dict) else {}), **row} for row in self.instances()]

    def _hidden_rows(self) -> Iterator[Row]:
        """A row for each component that is there, but cannot be shown as a whole."""
        for one in hidden(self.repository, self.chosen, self.component):
            yield {**hidden_facts(one), **dict.fromkeys(self.fields, one.word)}

    def _rows(self, components: Iterable[Component]) -> Iterator[tuple[Component, Row]]:
        for component in components:
            row = self._row(component)
            if row is not None:
                yield component, row

    def dependencies(self) -> list[Row]:
        """One row for each component that another one declares to depend on."""
        rows: list[Row] = [row for *_, group in self._items(self._needs) for row in group]
        return sorted(rows, key=lambda row: tuple(str(row[name]) for name in ("stack", "component", "depends_on")))

    def dependents(self) -> list[Row]:
        """One row for each component that declares to depend on one of the chosen."""
        everything = Listing(self.repository, Chosen(type=self.chosen.type)).dependencies()
        rows: list[Row] = [
            {
                "component": row["depends_on"],
                "stack": row["depends_on_stack"],
                "required_by": row["component"],
                "required_by_stack": row["stack"],
            }
            for row in everything
            if self.component in ("", row["depends_on"]) and self.chosen.stack_named(str(row["depends_on_stack"]))
        ]
        return sorted(rows, key=lambda row: tuple(map(str, row.values())))

    def both_directions(self) -> list[Row]:
        """One row for each component that one of the chosen depends on, or that depends on it."""
        forward = [(row, "depends on", row["depends_on"], row["depends_on_stack"]) for row in self.dependencies()]
        backward = [(row, "required by", row["required_by"], row["required_by_stack"]) for row in self.dependents()]
        rows: list[Row] = [
            {**row, "direction": way, "other": other, "other_stack": stack}
            for row, way, other, stack in forward + backward
        ]
        return sorted(rows, key=lambda row: (str(row["component"]), str(row["stack"]), str(row["direction"])))

    def _needs(self, components: Iterable[Component]) -> Iterator[tuple[Component, list[Row]]]:
        for component in usable.intact(self.repository, components):
            row = self._row(component)
            needs = depends_on(component) if row is not None else ()
            yield (
                component,
                [
                    {**(row or {}), "depends_on": name, "depends_on_stack": stack or component.stack}
                    for name, stack in needs
                ],
            )

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

    def _items(self, compute: Compute, reuse: bool = True) -> list[Item]:
        return listed(self.repository, self.chosen, self.component, compute, reuse)

    def _row(self, component: Component) -> Row | None:
        """Everything about a component; None, and an entry in the report, if it cannot be computed."""
        repository = self.repository
        try:
            row = repository.session.answer(partial(facts, component))
            return row | self._computed(repository.whole(component)) if self.fields or self.others else row
        except Fault as error:
            repository.broken.component(component.manifest.name, component.type, component.name, error)
            return None

    def _computed(self, component: Component) -> Row:
        entries, row = component.root.entries, Row()
        others = entries if self.everything else [name for name in self.others if name in entries]
        for name in dict.fromkeys((*self.fields, *sections_among(others, component.type))):
            node = entries.get(name)
            made = self.repository.session.complete(node, component.place.child(name)) if node is not None else None
            row[name] = plain_value(made) if made is not None and not isinstance(made, Mark) else {}
        return row


def facts(component: Component) -> Row:
    """The facts about a component that do not depend on its values."""
    return {
        "component": component.name,
        "stack": component.stack,
        "type": component.type,
        "component_folder": component.folder_name,
        "enabled": component.flag("enabled", True),
        "locked": component.flag("locked", False),
        "abstract": component.abstract,
        "metadata": metadata_of(component),
        "component_type": component.type,
        "atmos_component": component.name,
        "atmos_stack": component.stack,
        "atmos_component_type": component.type,
        "atmos_stack_file": component.manifest.name,
        "atmos_manifest": component.manifest.name,
    }


def _has_facts(row: Row | bool) -> bool:
    return row is not LATER and bool(row)


DECIDED = ("component_folder", "enabled", "locked", "abstract", "metadata", "atmos_stack_file", "atmos_manifest")


def hidden_facts(hidden: Hidden) -> Row:
    """The same about a component that cannot be shown as a whole; a word stands for what is not known."""
    name, type, stack = hidden.name, hidden.type, hidden.stack
    names = {"component": name, "stack": stack, "type": type, "component_type": type}
    same = {"atmos_component": name, "atmos_stack": stack, "atmos_component_type": type}
    return {**names, **dict.fromkeys(DECIDED, hidden.word), **same}


def listed(
    repository: Repository,
    chosen: Chosen,
    only: str,
    compute: Compute,
    reuse: bool = True,
) -> list[Item]:
    """The rows of the selected components. A component that its manifest alone rules out is not assembled."""
    if only:
        check_any(repository)
        check_defined(repository, only)

    named: dict[Manifest, bool] = {}

    def wanted(manifest: Manifest, type: str, name: str) -> bool:
        if manifest not in named:
            named[manifest] = any(map(chosen.stack_named, repository.names_of(manifest)))
        if not named[manifest]:
            return False
        return chosen.type == "all" or usable.is_abstract(repository, manifest, type, name) == (
            chosen.type == "abstract"
        )

    rows = Rows(repository, wanted, chosen.takes, compute, only)
    if not reuse:
        rows.start_over()
    return rows.all()


def hidden(repository: Repository, chosen: Chosen, only: str = "") -> Iterator[Hidden]:
    """The selected components that cannot be shown as a whole; once the others were computed."""
    for one in hidden_parts(repository):
        if one.type and only in ("", one.name) and chosen.stack_named(one.stack) and _may_be(repository, chosen, one):
            yield one


def _may_be(repository: Repository, chosen: Chosen, hidden: Hidden) -> bool:
    """Whether a component is of the selected kind, or cannot be asked."""
    if chosen.type == "all" or hidden.manifest is None:
        return True
    try:
        return usable.is_abstract(repository, hidden.manifest, hidden.type, hidden.name) == (chosen.type == "abstract")
    except Fault:
        return True


def fields_in(expressions: Iterable[str]) -> set[str]:
    """The computed fields that expressions name; all of them if an expression reads a whole row."""
    texts = list(expressions)
    words = {found for text in texts for found in WORD.findall(text)}
    if words & {"keys", "to_entries", "toJson", "to_json"}:
        return {EVERYTHING}
    return words.intersection(COMPUTED) | {
        name for text in texts for found in FIELD.findall(text) for name in found if name
    }


class Kind:
    """One kind of list: how its rows are computed, its default columns and fields, and the branches of its tree."""

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
    "dependencies reverse": Kind(
        Listing.dependents,
        {"Component": "component", "Stack": "stack", "Required By": "required_by", "In Stack": "required_by_stack"},
        (), ("stack", "component", "required_by_stack", "required_by"),
    ),
    "dependencies both": Kind(
        Listing.both_directions,
        {
            "Component": "component", "Stack": "stack", "Direction": "direction", "Other": "other",
            "In Stack": "other_stack",
        },
        ("component", "stack", "direction", "other", "other_stack"),
        ("stack", "component", "direction", "other_stack", "other"),
    ),
    "metadata": Kind(
        Listing.with_metadata, {"Component": "component", "Stack": "stack"}, FACTS, ("stack", "component"),
    ),
    "workflows": Kind(
        lambda listing: [], {"File": "file", "Workflow": "workflow", "Description": "description"}, (),
        ("file", "workflow"),
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
    by_stack = shown_values(repository, chosen, section, component, reveal, lambda _, value: value)
    if component:
        return {stack: members[component] for stack, members in by_stack.items()}
    return dict(by_stack)


def shown_values(
    repository: Repository,
    chosen: Chosen,
    section: str,
    component: str,
    reveal: bool,
    show: Callable[[str, object], T],
) -> dict[str, dict[str, T]]:
    """A section of components in every stack, each as `show` gives it for a name and a value."""
    by_stack: dict[str, dict[str, T]] = {}

    def compute(components: Iterable[Component]) -> Iterator[tuple[Component, tuple[str, T]]]:
        for instance, value in computed(repository, components, section, reveal):
            yield instance, (instance.stack, show(instance.name, value))

    for _, _, name, (stack, value) in listed(repository, chosen, component, compute):
        by_stack.setdefault(stack, {})[name] = value
    for one in hidden(repository, chosen, component):
        by_stack.setdefault(one.stack, {}).setdefault(one.name, show(one.name, one.word))
    return by_stack


class NestedText:
    """Prints {STACK: {COMPONENT: value}} component by component, so that the text of each component can be cached."""

    def __init__(self, printed: Callable[[object], str]) -> None:
        sample = printed({"s": {"c": 0}})
        self._printed = printed
        self._start = 1 + sample.rindex("\n", 0, sample.index("c"))
        """Where the first component begins after a stack whose name is one letter."""
        self._end = sample[sample.index("0") + 1 :]
        """The text after the last component of the last stack."""
        self._least = sample[self._start :]
        json = sample.startswith("{")
        self._open, self._between = ("{\n", ",\n") if json else ("", "\n")
        self._after_stack, self._close = self._end.rsplit("\n", 2)[0] if json else "", "\n}\n" if json else "\n"

    def member(self, name: str, value: object) -> str:
        """One component, as it is printed below a stack."""
        return self._printed({"s": {name: value}})[self._start : -len(self._end)]

    def whole(self, texts: dict[str, dict[str, str]]) -> list[str]:
        """All stacks, of the texts of their components."""
        if not texts:
            return [self._printed({})]
        stacks = [self._stack(name, texts[name]) for name in sorted(texts)]
        return [self._open, self._between.join(stacks), self._close]

    def _stack(self, name: str, members: dict[str, str]) -> str:
        head = self._printed({name: {"c": 0}})[len(self._open) : -len(self._least)]
        return head + self._between.join(members[key] for key in sorted(members)) + self._after_stack


def computed(
    repository: Repository, components: Iterable[Component], section: str, reveal: bool
) -> Iterator[tuple[Component, object]]:
    """A section of each component as plain data. All external calls are started before the first result is awaited."""
    wanted: list[tuple[Component, Node, Place]] = []
    for instance in usable.intact(repository, components):
        root = instance.root
        node = root.entries.get(section) if section else root
        if node is not None:
            wanted.append((instance, node, instance.place.child(section) if section else instance.place))
    repository.session.evaluator.begin((node, place) for _, node, place in wanted)
    for instance, node, place in wanted:
        try:
            made = repository.session.complete(node, place)
        except Fault as error:
            repository.broken.component(instance.manifest.name, instance.type, instance.name, error)
            continue
        yield instance, plain_value(made, reveal) if not isinstance(made, Mark) else {}


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
            key = ".".join(path) or WHOLE
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
