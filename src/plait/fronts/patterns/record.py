"""What was generated last: the record that tells other people's changes from the generator's own.

It lies in `.plait-meta.yaml` beside the generated files and is meant to be committed with them. After a run it holds what was
*generated*, not what was written: a disagreement is loud once, and an ordinary preserved line afterwards.
"""

from __future__ import annotations

from _blake2 import blake2b

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Key, Mapping, Node, Scalar, Sequence, key_text, rewrite, text
from plait.core.path import Path, PathError, format_path, parse_path
from plait.core.resource import Identity
from plait.core.source import Source
from plait.fronts.patterns.resources import Document, Text
from plait.report.catalog import RECORD_DAMAGED, RECORD_NEWER
from plait.yaml.emit import Style, emit, flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = ".plait-meta.yaml"
FORMAT = 1
HEADER = "# What plait generated last, to tell your changes from its own. Commit it with the files beside it.\n"
REPAIR = "restore it from version control, or remove it: the next run then keeps whatever differs"


def digest(*nodes: Node | None) -> str:
    """A short sign for values: the same for the same type and value, however they were written."""
    texts = [
        "-" if node is None else flow(rewrite(node, _plainly), Style(sort_keys=True, reveal=True)) for node in nodes
    ]
    return blake2b("\0".join(texts).encode(), digest_size=6).hexdigest()


def _plainly(node: Node) -> Node:
    """Without the way it was written: `0x10` and `16` are the same."""
    return (
        Scalar(node.value, "", tag=node.tag) if isinstance(node, Scalar) and not isinstance(node.value, str) else node
    )


class Remembered:
    """One resource as it was generated. Its text is read only where it differs from what is generated now."""

    __slots__ = ("file", "identity", "node", "number", "written")

    @classmethod
    def of(cls, document: Document) -> Remembered:
        return cls(document.identity, document.text.name, document.number, document.written, document.node)

    def __init__(
        self, identity: Identity | None, file: str, number: int, written: str, node: Node | None = None
    ) -> None:
        self.identity = identity
        self.file = file
        self.number = number
        self.written = written
        self.node = node

    @property
    def key(self) -> tuple[str, ...]:
        return self.identity.exact if self.identity is not None else (self.file, str(self.number))

    def tree(self, document: Document) -> Node:
        """Its tree; the document's own where the text is the same."""
        if self.node is None:
            if self.written == document.written:
                return document.node
            documents = Text(NAME, Source(f"{NAME} ({document.label})", self.written)).documents
            self.node = documents[0].node if documents else Mapping({})
        return self.node


class Record:
    """What is remembered of earlier runs of one pattern. `known` is False where nothing is."""

    def __init__(
        self, resources: Iterable[Remembered] = (), *, known: bool = False, pattern: str = "", version: str = "",
        inputs: dict[str, Node] | None = None,
    ) -> None:  # fmt: skip
        self.known = known
        self.pattern = pattern
        self.version = version
        self.inputs = inputs or {}
        self.user: dict[str, list[tuple[Path, Node]]] = {}
        self.accepted: dict[str, dict[str, str]] = {}
        self._exact: dict[tuple[str, ...], Remembered] = {}
        self._loose: dict[tuple[str, ...], list[Remembered]] = {}
        for resource in resources:
            self._exact[resource.key] = resource
            if resource.identity is not None:
                self._loose.setdefault(resource.identity.loose, []).append(resource)

    @classmethod
    def of_texts(cls, texts: Iterable[Text]) -> Record:
        """The record that somebody kept as files: the output of the last run."""
        return cls((Remembered.of(document) for one in texts for document in one.documents), known=True)

    def find(self, document: Document) -> Remembered | None:
        """What is remembered of a resource."""
        found = self._exact.get(document.key)
        if found is None and document.identity is not None:
            near = self._loose.get(document.identity.loose, [])
            found = near[0] if len(near) == 1 else None
        return found

    def base(self, document: Document) -> Node | None:
        """What was generated for a resource; None where nothing was."""
        found = self.find(document)
        return found.tree(document) if found is not None else None


# The file


class Ledger:
    """The file itself: the records of all patterns that were run in a folder."""

    def __init__(self, source: Source | None = None) -> None:
        self.source = source
        self.patterns: dict[Key, Node] = _patterns(source) if source is not None else {}

    def record(self, pattern: str) -> Record:
        node = self.patterns.get(pattern)
        if node is None:
            return Record(pattern=pattern)
        return _Reader(self.source or Source(NAME)).record(pattern, node)

    def with_record(self, pattern: str, node: Node) -> str:
        """The text of the file once a pattern's record is replaced."""
        patterns = {**self.patterns, pattern: node}
        root = Mapping({"plait-meta": Scalar(FORMAT, str(FORMAT)), "patterns": Mapping(patterns)})
        return HEADER + emit(root, reveal=True)


def _patterns(source: Source) -> dict[Key, Node]:
    try:
        documents = Text(NAME, source).documents
    except PlaitError as trouble:
        found = trouble.diagnostics[0]
        raise RECORD_DAMAGED.error(*found.labels, name=source.name, why=found.message, hint=REPAIR) from None
    reader = _Reader(source)
    root = reader.mapping(documents[0].node if documents else None, "it is empty")
    written = root.entries.get("plait-meta")
    if not isinstance(written, Scalar) or not isinstance(written.value, int):
        raise reader.damaged(root, "it does not say `plait-meta: 1`")
    if written.value > FORMAT:
        raise RECORD_NEWER.error(Label.of(written), name=source.name, hint="use a newer plait; nothing was changed")
    return reader.mapping(root.entries.get("patterns", Mapping({})), "`patterns` is no mapping").entries


class _Reader:
    """Reads a record, and says where it is not as it should be."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def damaged(self, node: Node | None, why: str) -> PlaitError:
        label = Label.of(node) if node is not None else Label.at(self.source, 0)
        return RECORD_DAMAGED.error(label, name=self.source.name, why=why, hint=REPAIR)

    def mapping(self, node: Node | None, why: str) -> Mapping:
        if not isinstance(node, Mapping):
            raise self.damaged(node, why)
        return node

    def text(self, node: Mapping, key: str, otherwise: str | None = None) -> str:
        field = node.entries.get(key)
        if isinstance(field, Scalar) and isinstance(field.value, str):
            return field.value
        if field is None and otherwise is not None:
            return otherwise
        raise self.damaged(field or node, f"`{key}` is no text")

    def record(self, pattern: str, node: Node) -> Record:
        entries = self.mapping(node, f"`{pattern}` is no mapping").entries
        resources = entries.get("resources")
        if not isinstance(resources, Sequence):
            raise self.damaged(resources or node, "`resources` is no list")
        inputs = self.mapping(entries.get("inputs", Mapping({})), "`inputs` is no mapping").entries
        record = Record(
            [self.resource(item) for item in resources.items],
            known=True,
            pattern=pattern,
            version=self.text(self.mapping(node, ""), "version", ""),
            inputs={key_text(key): value for key, value in inputs.items()},
        )
        self.remember(record, entries)
        return record

    def resource(self, node: Node) -> Remembered:
        item = self.mapping(node, "a resource is no mapping")
        number = item.entries.get("document")
        identity = None
        if number is None:
            names = (self.text(item, "apiVersion", ""), self.text(item, "kind"), self.text(item, "namespace", ""))
            identity = Identity(*names, self.text(item, "name"))
        at = number.value if isinstance(number, Scalar) and isinstance(number.value, int) else 0
        return Remembered(identity, self.text(item, "file"), at, self.text(item, "generated"))

    def remember(self, record: Record, entries: dict[Key, Node]) -> None:
        """The paths that were set, and those that were agreed to."""
        for key, node in self.mapping(entries.get("set", Mapping({})), "`set` is no mapping").entries.items():
            fields = self.mapping(node, "`set` holds mappings").entries.items()
            record.user[key_text(key)] = [(self.path(name, node), value) for name, value in fields]
        for key, node in self.mapping(entries.get("accepted", Mapping({})), "`accepted` is no mapping").entries.items():
            fields = self.mapping(node, "`accepted` holds mappings").entries.items()
            record.accepted[key_text(key)] = {
                key_text(name): str(getattr(value, "value", "")) for name, value in fields
            }

    def path(self, key: Key, node: Node) -> Path:
        try:
            return parse_path(key_text(key))
        except PathError as trouble:
            raise self.damaged(node, f"`{key_text(key)}` is no path: {trouble.message}") from None


def record_node(
    version: str,
    inputs: dict[str, Node],
    user: dict[str, list[tuple[Path, Node]]],
    accepted: dict[str, dict[str, str]],
    resources: Iterable[Remembered],
) -> Node:
    """A pattern's record, to be written."""
    entries: dict[Key, Node] = {"version": text(version), "inputs": _mapping(inputs)}
    if any(user.values()):
        entries["set"] = _by_resource(
            {label: {format_path(path): value for path, value in u} for label, u in user.items()}
        )
    if any(accepted.values()):
        signs: dict[str, dict[str, Node]] = {
            label: {path: text(sign) for path, sign in a.items()} for label, a in accepted.items()
        }
        entries["accepted"] = _by_resource(signs)
    entries["resources"] = Sequence([_resource_node(resource) for resource in resources])
    return Mapping(entries)


def _by_resource(fields: dict[str, dict[str, Node]]) -> Node:
    return _mapping({label: _mapping(inner) for label, inner in fields.items() if inner})


def _mapping(fields: dict[str, Node]) -> Node:
    return Mapping(dict(fields.items()))


def _resource_node(resource: Remembered) -> Node:
    entries: dict[Key, Node] = {}
    identity = resource.identity
    if identity is None:
        entries["document"] = Scalar(resource.number, str(resource.number))
    else:
        names = (
            ("apiVersion", identity.api),
            ("kind", identity.kind),
            ("namespace", identity.namespace),
            ("name", identity.name),
        )
        entries.update((key, text(value)) for key, value in names if value)
    entries["file"] = text(resource.file)
    entries["generated"] = text(resource.written)
    return Mapping(entries)
