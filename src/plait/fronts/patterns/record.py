"""What was generated last: the record that distinguishes other people's changes from the generator's own.

It is the file `.plait-meta.yaml` beside the generated files, to be committed with them. Each instance of a pattern
has a record of its own in it. After a run the record holds what was *generated*, not what was written: a conflict is
reported as one once, and as an ordinary preserved change afterwards.

The file merges line by line: every input, every field and every line of a generated resource is a line of it. Where
git leaves conflict markers, both versions are read, and each resource is compared with the version that is nearer to
the files.
"""

from __future__ import annotations

import re
from _blake2 import blake2b

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, equal, key_text, rewrite, text
from plait.core.path import Path, PathError, format_path, parse_path
from plait.core.resource import Identity
from plait.core.source import Source
from plait.core.struct import struct
from plait.fronts.patterns.resources import ResourceDocument, TextFile
from plait.merging.threeway import with_base
from plait.report.catalog import RECORD_DAMAGED, RECORD_NEWER
from plait.yaml.emit import Style, emit, flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    from plait.merging.differing import Span

    T = TypeVar("T")

NAME = ".plait-meta.yaml"
FORMAT = 2
HEADER = "# What plait generated last, to distinguish your changes from its own. Commit it with the files beside it.\n"
REPAIR = "restore it from version control, or delete it: the next run then keeps everything that differs"


def digest(*nodes: Node | None) -> str:
    """A short hash of values: the same for the same type and value, however they were written."""
    texts = [
        "-" if node is None else flow(rewrite(node, _plainly), Style(sort_keys=True, reveal=True)) for node in nodes
    ]
    return digest_of(texts)


def digest_of(texts: Iterable[str]) -> str:
    """A short hash of texts."""
    return blake2b("\0".join(texts).encode(), digest_size=6).hexdigest()


def _plainly(node: Node) -> Node:
    """Without the way it was written: `0x10` and `16` are the same."""
    return (
        Scalar(node.value, "", tag=node.tag) if isinstance(node, Scalar) and not isinstance(node.value, str) else node
    )


class Remembered:
    """One resource as it was generated. Its text is parsed only where it differs from what is generated now.

    `other` is the same resource in the other version of a record that git could not merge.
    """

    __slots__ = ("file", "identity", "is_orphan", "node", "number", "other", "written")

    @classmethod
    def of(cls, document: ResourceDocument, tree: bool = True) -> Remembered:
        node = document.node if tree else None
        return cls(document.identity, document.text.name, document.number, document.written, node)

    def __init__(
        self, identity: Identity | None, file: str, number: int, written: str, node: Node | None = None
    ) -> None:
        self.identity = identity
        self.file = file
        self.number = number
        self.written = written
        self.node = node
        self.other: Remembered | None = None
        self.is_orphan = False
        """Whether the last run did not generate it any more."""

    @property
    def key(self) -> tuple[str, ...]:
        return self.identity.exact if self.identity is not None else (self.file, str(self.number))

    def is_same(self, other: Remembered) -> bool:
        mine, theirs = ((one.file, one.written, one.is_orphan) for one in (self, other))
        return mine == theirs

    def tree(self, document: ResourceDocument) -> Node:
        """Its tree; the document's own where the text is the same."""
        if self.node is None:
            if self.written == document.written:
                return document.node
            documents = TextFile(self.file, Source(f"{NAME} ({document.label})", self.written)).documents
            self.node = documents[0].node if documents else MapNode({})
        return self.node


@struct
class InputOrigin:
    """How an input got its value: by which option, by whom, and on which day.

    `version` is the last version of the pattern that used it, for one that the pattern no longer has.
    """

    option: str = ""
    by: str = ""
    day: str = ""
    version: str = ""

    def last_used_by(self, version: str) -> InputOrigin:
        return InputOrigin(self.option, self.by, self.day, version)


@struct
class Refusal:
    """What the generator wanted and did not get, because somebody else had changed the field too.

    `base` is what it generated before (None: nothing): merges begin with that until somebody decides. `version`, `day`
    and `by` say which run it was. `pairs` says which items of `base` those of a list without keys are, here and in what
    is generated: items that are there twice do not say it themselves.
    """

    base: Node | None
    version: str = ""
    day: str = ""
    by: str = ""
    pairs: str = ""

    def known_changes(self, here: Node | None, fresh: Node | None) -> tuple[list[Span] | None, list[Span] | None]:
        """What both sides changed in a list, of those that are as the last run left them."""
        words = self.pairs.split(" ")
        if len(words) != 4 or not isinstance(self.base, ListNode):
            return None, None
        count = len(self.base.items)
        ours, theirs = (
            _spans(written, count, len(side.items)) if isinstance(side, ListNode) and digest(side) == sign else None
            for side, sign, written in ((here, words[0], words[2]), (fresh, words[1], words[3]))
        )
        return ours, theirs

    def __str__(self) -> str:
        known = (self.version and f"version {self.version}", self.day, self.by and f"by {self.by}")
        return ", ".join(filter(None, known))


def pairs_text(here: Node, fresh: Node, ours: list[Span], theirs: list[Span]) -> str:
    """What both sides changed in a list, as a record keeps it."""
    spans = (",".join("-".join(map(str, span)) for span in side) or "-" for side in (ours, theirs))
    return " ".join((digest(here), digest(fresh), *spans))


def _spans(written: str, before: int, now: int) -> list[Span] | None:
    """The changes that a record has between lists of so many items; None where it is not as plait writes it."""
    numbers = [span.split("-") for span in written.split(",")] if written != "-" else []
    if any(len(span) != 4 or not all(map(str.isdecimal, span)) for span in numbers):
        return None
    found: list[Span] = [tuple(map(int, span)) for span in numbers]  # type: ignore[misc]
    i = j = 0
    for a, b, c, d in [*found, (before, before, now, now)]:
        if not i <= a <= b <= before or not j <= c <= d <= now or a - i != c - j:
            return None
        i, j = b, d
    return found


class Record:
    """What is remembered of earlier runs of one instance of a pattern. `known` is False where there is no record."""

    def __init__(
        self, resources: Iterable[Remembered] = (), *, known: bool = False, pattern: str = "", version: str = "",
        inputs: dict[str, Node] | None = None,
    ) -> None:  # fmt: skip
        self.known = known
        self.pattern = pattern
        self.version = version
        self.digest = ""
        """The hash of the pattern's own files."""
        self.inputs = inputs or {}
        self.given: dict[str, InputOrigin] = {}
        self.defaults: list[str] = []
        """The inputs of the pattern that were not given. Each has a line of its own, so that branches that give some
        can merge."""
        self.disputed: dict[str, tuple[Node, Node]] = {}
        """Inputs on which two versions of the record disagree."""
        self.user: dict[str, list[tuple[Path, Node]]] = {}
        self.over: dict[str, dict[Path, Node | None]] = {}
        """What the pattern had for such fields when they were set, where it had something else last."""
        self.pins: list[str] = []
        """The paths that are left to others for good, as `--pin` was given them."""
        self.taken: list[str] = []
        """What the last decision for the generator named: it may be gone, and be named again."""
        self.accepted: dict[str, dict[str, str]] = {}
        self.refused: dict[str, dict[Path, Refusal]] = {}
        self.resources: dict[tuple[str, ...], Remembered] = {}
        self._by_group: dict[tuple[str, ...], list[Remembered]] = {}
        for resource in resources:
            self.resources[resource.key] = resource
            if resource.identity is not None:
                self._by_group.setdefault(resource.identity.without_version, []).append(resource)

    @classmethod
    def of_texts(cls, texts: Iterable[TextFile]) -> Record:
        """The record that is kept as files: the output of the last run."""
        return cls((Remembered.of(document) for one in texts for document in one.documents), known=True)

    def fields_set(self) -> list[tuple[str, Path]]:
        """The fields that earlier runs set, each with its resource."""
        return [(label, path) for label, fields in self.user.items() for path, _ in fields]

    def find(self, document: ResourceDocument) -> Remembered | None:
        """What is remembered of a resource."""
        remembered = self.resources.get(document.last_key)
        if remembered is None and document.identity is not None:
            near = self._by_group.get(document.identity.without_version, [])
            remembered = near[0] if len(near) == 1 else None
        return remembered

    def bases(self, document: ResourceDocument) -> list[Node]:
        """What was generated for a resource: nothing, one tree, or two where git could not merge the record."""
        found = self.find(document)
        trees = [one.tree(document) for one in (found, found.other if found is not None else None) if one is not None]
        refused = of_resource(self.refused, document) or {}
        for path, refusal in refused.items() if trees else ():
            trees[0] = with_base(trees[0], path, refusal.base)
        return trees

    def base(self, document: ResourceDocument) -> Node | None:
        """What was generated for a resource; None where nothing was."""
        return next(iter(self.bases(document)), None)

    def with_version(self, other: Record) -> Record:
        """This record and another version of it, where git could not merge the two."""
        for key, resource in other.resources.items():
            known = self.resources.setdefault(key, resource)
            if known.written != resource.written:
                known.other = resource
        for label, fields in other.user.items():
            self.user.setdefault(label, fields)
        self.pins = [*dict.fromkeys([*self.pins, *other.pins])]
        self.taken = [*dict.fromkeys([*self.taken, *other.taken])]
        for label, refused in other.refused.items():
            self.refused[label] = {**refused, **self.refused.get(label, {})}
        for name, node in other.inputs.items():
            mine = self.inputs.setdefault(name, node)
            self.given.setdefault(name, other.given.get(name, InputOrigin()))
            if not equal(mine, node):
                self.disputed[name] = (mine, node)
        return self

    def says(self, other: Record) -> bool:
        """Whether it says the same as another record, resources in their order included."""
        mine, theirs = self.resources, other.resources
        return (
            (self.pattern, self.version, self.digest) == (other.pattern, other.version, other.digest)
            and (self.inputs, self.given, sorted(self.defaults)) == (other.inputs, other.given, sorted(other.defaults))
            and (self.user, self.accepted, self.refused) == (other.user, other.accepted, other.refused)
            and (self.over, self.pins, self.taken) == (other.over, other.pins, other.taken)
            and [*mine] == [*theirs]
            and all(one.is_same(theirs[key]) for key, one in mine.items())
        )


def of_resource(section: dict[str, T], document: ResourceDocument) -> T | None:
    """What a section of a record has about a resource. Documents were called by their number alone."""
    if not section:
        return None
    found = section.get(document.recorded_last)
    return section.get(f"document {document.was}") if found is None and document.identity is None else found


def is_called(label: str, scope: str) -> bool:
    """Whether people may call a resource of the record so; without a scope, every one is meant."""
    kind, _, name = label.rpartition("/")
    return scope in ("", label, name, f"{kind.partition('/')[0]}/{name}")


# The file


class Ledger:
    """The file itself: the records of all instances of patterns in a folder."""

    def __init__(self, source: Source | None = None) -> None:
        self.source = source
        self.records: dict[str, Record] = {}
        """By the name of the instance: `web-service/shop`, or the pattern's name alone."""
        self.versions: tuple[Source, ...] = ()
        """Both versions of a file in which git left conflict markers."""
        self.is_old = False
        """Whether the file is of an older format."""
        if source is not None:
            self.versions = _versions(source)
            first, *others = [_records(one) for one in self.versions or (source,)]
            self.is_old, self.records = first
            for _, other in others:
                for name, record in other.items():
                    self.records[name] = self.records[name].with_version(record) if name in self.records else record

    def of_pattern(self, pattern: str) -> dict[str, Record]:
        return {name: record for name, record in self.records.items() if record.pattern == pattern}

    def owner(self, document: ResourceDocument, but: str = "") -> str:
        """The instance, other than the one named, that a resource belongs to; nothing where there is none."""
        found = (name for name, record in self.records.items() if name != but and record.find(document) is not None)
        return next(found, "")

    def bases(self, document: ResourceDocument) -> list[Node]:
        """What was generated for a resource, by whatever instance."""
        return next((found for record in self.records.values() if (found := record.bases(document))), [])

    def text(self, changes: dict[str, Record | None]) -> str:
        """The text of the file once some records are replaced, or taken out (None)."""
        records = {name: record for name, record in {**self.records, **changes}.items() if record is not None}
        if self.source is not None and self._says(records):
            return self.source.text
        instances: dict[str, Node] = {name: _record_node(records[name]) for name in sorted(records)}
        root = MapNode({"plait-meta": Scalar(FORMAT, str(FORMAT)), "instances": _mapping(instances)})
        return HEADER + emit(root, reveal=True)

    def _says(self, records: dict[str, Record]) -> bool:
        """Whether the file has these records as it is."""
        if self.is_old or self.versions or records.keys() != self.records.keys():
            return False
        return all(record is self.records[name] or record.says(self.records[name]) for name, record in records.items())


_MARKER = re.compile(r"^(<{7}|\|{7}|={7}|>{7})(?: .*)?\r?\n?\Z")


def _versions(source: Source) -> tuple[Source, ...]:
    """The two versions of a text with conflict markers; nothing for any other text."""
    if "\n<<<<<<<" not in source.text and not source.text.startswith("<<<<<<<"):
        return ()
    texts: tuple[list[str], list[str]] = ([], [])
    inside = ""
    for line in source.text.splitlines(keepends=True):
        marker = _MARKER.match(line)
        if marker is not None:
            inside = "" if marker[1][0] == ">" else marker[1][0]
            continue
        for side, hidden in zip(texts, ("|=", "<|"), strict=True):
            if not inside or inside not in hidden:
                side.append(line)
    return tuple(Source(source.name, "".join(text)) for text in texts)


def _records(source: Source) -> tuple[bool, dict[str, Record]]:
    """Whether a file is of an older format, and the records in it."""
    try:
        documents = TextFile(NAME, source).documents
    except Fault as trouble:
        found = trouble.diagnostics[0]
        raise RECORD_DAMAGED.error(*found.labels, name=source.name, why=found.message, hint=REPAIR) from None
    reader = _Reader(source)
    root = reader.mapping(documents[0].node if documents else None, "it is empty")
    written = root.entries.get("plait-meta")
    if not isinstance(written, Scalar) or not isinstance(written.value, int):
        raise reader.damaged(root, f"it does not begin with `plait-meta: {FORMAT}`")
    if written.value > FORMAT:
        raise RECORD_NEWER.error(
            Label(written.origin), name=source.name, hint="install a newer version of plait; nothing was changed"
        )
    reader.blocks = written.value > 1
    section = "instances" if reader.blocks else "patterns"  # the first format had one instance of each pattern
    listed = reader.mapping(root.entries.get(section, MapNode({})), f"`{section}` must be a mapping").entries
    records = {key_text(key): reader.record(key_text(key), node) for key, node in listed.items()}
    return written.value < FORMAT, records


class _Reader:
    """Reads a record, and reports where it is not as it should be."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.blocks = True
        """Whether an input is a block with its value and who gave it."""

    def damaged(self, node: Node | None, why: str) -> PlaitError:
        label = Label(node.origin) if node is not None else Label.at(self.source, 0)
        return RECORD_DAMAGED.error(label, name=self.source.name, why=why, hint=REPAIR)

    def mapping(self, node: Node | None, why: str) -> MapNode:
        if not isinstance(node, MapNode):
            raise self.damaged(node, why)
        return node

    def text(self, node: MapNode, key: str, otherwise: str | None = None) -> str:
        field = node.entries.get(key)
        if isinstance(field, Scalar) and isinstance(field.value, str):
            return field.value
        if field is None and otherwise is not None:
            return otherwise
        raise self.damaged(field or node, f"`{key}` must be a string")

    def record(self, name: str, node: Node) -> Record:
        root = self.mapping(node, f"`{name}` must be a mapping")
        entries = root.entries
        resources = entries.get("resources")
        if not isinstance(resources, ListNode):
            raise self.damaged(resources or node, "`resources` must be a list")
        record = Record(
            [self.resource(item) for item in resources.items],
            known=True,
            pattern=self.text(root, "pattern", name),
            version=self.text(root, "version", ""),
        )
        record.digest = self.text(root, "pattern-hash", "")
        self.inputs(record, self.mapping(entries.get("inputs", MapNode({})), "`inputs` must be a mapping"))
        self.remember(record, entries)
        return record

    def inputs(self, record: Record, inputs: MapNode) -> None:
        """The inputs that were given. In the first format each was just its value."""
        for key, node in inputs.entries.items():
            name = key_text(key)
            value = (
                self.mapping(node, f"the input `{name}` must be a mapping").entries.get("value")
                if self.blocks
                else node
            )
            if value is None:
                record.defaults.append(name)
            else:
                record.inputs[name] = value
                about = node if self.blocks and isinstance(node, MapNode) else MapNode({})
                record.given[name] = InputOrigin(*(self.text(about, field, "") for field in GIVEN_FIELDS))

    def resource(self, node: Node) -> Remembered:
        item = self.mapping(node, "a resource must be a mapping")
        number = item.entries.get("document")
        identity = None
        if number is None:
            names = (self.text(item, "apiVersion", ""), self.text(item, "kind"), self.text(item, "namespace", ""))
            identity = Identity(*names, self.text(item, "name"))
        at = number.value if isinstance(number, Scalar) and isinstance(number.value, int) else 0
        made = Remembered(identity, self.text(item, "file"), at, self.text(item, "generated"))
        made.is_orphan = "orphan" in item.entries
        return made

    def remember(self, record: Record, entries: dict[Key, Node]) -> None:
        """The paths that were set, and those that were accepted."""
        for name, node in self.section(entries, "set"):
            fields = node.entries.items()
            record.user[name] = [(self.path(key, node), value) for key, value in fields]
        record.pins, record.taken = self.texts(entries, "pinned"), self.texts(entries, "taken")
        for name, node in self.section(entries, "set-over"):
            record.over[name] = {self.path(key, node): self.optional(value) for key, value in node.entries.items()}
        for name, node in self.section(entries, "refused"):
            record.refused[name] = {self.path(key, node): self.refusal(value) for key, value in node.entries.items()}
        for name, node in self.section(entries, "accepted"):
            fields = node.entries.items()
            record.accepted[name] = {
                key_text(key): str(value.value if isinstance(value, Scalar) else "") for key, value in fields
            }

    def texts(self, entries: dict[Key, Node], name: str) -> list[str]:
        """A list of texts in a record."""
        found = entries.get(name, ListNode([]))
        if not isinstance(found, ListNode):
            raise self.damaged(found, f"`{name}` must be a list")
        return [one.text for one in found.items if isinstance(one, Scalar)]

    def optional(self, node: Node) -> Node | None:
        """A value in a list, or nothing."""
        if not isinstance(node, ListNode):
            raise self.damaged(node, "what the pattern had must be a list")
        return next(iter(node.items), None)

    def refusal(self, node: Node) -> Refusal:
        about = self.mapping(node, "what was refused must be a mapping")
        return Refusal(about.entries.get("was"), *(self.text(about, field, "") for field in REFUSAL_FIELDS))

    def section(self, entries: dict[Key, Node], name: str) -> Iterator[tuple[str, MapNode]]:
        """The mappings in one section of a record."""
        for key, node in self.mapping(entries.get(name, MapNode({})), f"`{name}` must be a mapping").entries.items():
            yield key_text(key), self.mapping(node, f"`{name}` must hold mappings")

    def path(self, key: Key, node: Node) -> Path:
        try:
            return parse_path(key_text(key)) if key_text(key) != WHOLE else ()
        except PathError as trouble:
            raise self.damaged(node, f"`{key_text(key)}` is not a path: {trouble.message}") from None


REFUSAL_FIELDS = ("version", "day", "by", "pairs")
WHOLE = "."
"""The path of a whole document."""
GIVEN_FIELDS = ("option", "by", "day", "version")


def path_text(path: Path) -> str:
    """A path as the record writes it."""
    return format_path(path) or WHOLE


def _record_node(record: Record) -> Node:
    """A record, to be written. Maps are sorted, so that two branches that add to one merge where they can."""
    names = (("pattern", record.pattern), ("version", record.version), ("pattern-hash", record.digest))
    entries: dict[Key, Node] = {name: text(value) for name, value in names if value}
    not_given: Node = MapNode({"given": Scalar(False, "false")})
    given = {name: _input_node(node, record.given.get(name, InputOrigin())) for name, node in record.inputs.items()}
    entries["inputs"] = _mapping({**dict.fromkeys(record.defaults, not_given), **given})
    sections: tuple[tuple[str, dict[str, dict[str, Node]]], ...] = (
        ("set", {label: {format_path(p): node for p, node in fields} for label, fields in record.user.items()}),
        ("set-over", {label: _optional_nodes(fields) for label, fields in record.over.items()}),
        (
            "refused",
            {
                label: {path_text(p): _refusal_node(r) for p, r in fields.items()}
                for label, fields in record.refused.items()
            },
        ),
        ("accepted", {label: {p: text(sign) for p, sign in a.items()} for label, a in record.accepted.items()}),
    )
    for name, fields in sections:
        filled = {label: _mapping(inner) for label, inner in fields.items() if inner}
        if filled:
            entries[name] = _mapping(filled)
    for name, listed in (("pinned", record.pins), ("taken", record.taken)):
        if listed:
            entries[name] = ListNode([text(path) for path in sorted(listed)])
    entries["resources"] = ListNode([_resource_node(resource) for resource in record.resources.values()])
    return MapNode(entries)


def _optional_nodes(fields: dict[Path, Node | None]) -> dict[str, Node]:
    return {format_path(path): ListNode([] if node is None else [node]) for path, node in fields.items()}


def _refusal_node(refusal: Refusal) -> Node:
    about: dict[Key, Node] = {name: text(getattr(refusal, name)) for name in REFUSAL_FIELDS if getattr(refusal, name)}
    return MapNode({**({"was": refusal.base} if refusal.base is not None else {}), **about})


def _input_node(node: Node, given: InputOrigin) -> Node:
    about: dict[Key, Node] = {name: text(getattr(given, name)) for name in GIVEN_FIELDS if getattr(given, name)}
    return MapNode({"value": node, **about})


def _mapping(fields: dict[str, Node]) -> Node:
    return MapNode(dict(sorted(fields.items())))


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
    if resource.is_orphan:
        entries["orphan"] = Scalar(True, "true")
    entries["generated"] = text(resource.written)
    return MapNode(entries)
