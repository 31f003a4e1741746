"""The resources in a text: which documents it has, where each begins and ends, and what each is called.

A resource is known by apiVersion, kind, namespace and name, in whatever file of the folder it is: others may have moved
it. Where the exact apiVersion is nowhere, the only one of the same group, kind, namespace and name is meant. A document
without kind and name is known by its file and its position there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from plait.core.diagnostic import Fault, Label
from plait.core.node import Node, Scalar
from plait.core.resource import Identity
from plait.core.source import DATA_ENDINGS, Source
from plait.report.catalog import CONFLICT_MARKER, RESOURCE_TWICE
from plait.yaml.build import Reading
from plait.yaml.load import built
from plait.yaml.program import MAP, PROPS, SEQ
from plait.yaml.scan import scan, scan_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_SEPARATOR = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.M)
_CONFLICT = re.compile(r"^(?:<<<<<<<|>>>>>>>)(?= |\r?$)", re.M)
_NOTHING = re.compile(r"(?:[ \t]*(?:#[^\n]*|%[^\n]*)?\r?(?:\n|\Z))*")


class ResourceDocument:
    """One document of a text that is not empty.

    `index` counts all documents, `number` those that are not empty, from 1. `place` is its number after the run, by
    which reports and flags call it, and `was` is its number in what was generated last (0: it is new).
    """

    __slots__ = ("_node", "end", "identity", "index", "number", "place", "start", "text", "was")

    def __init__(self, text: TextFile, index: int, number: int, node: Node, start: int, end: int) -> None:
        self.text = text
        self.index = index
        self.number = self.place = self.was = number
        self._node: Node | None = node
        self.start = start
        self.end = end
        self.identity = Identity.of(node)

    @property
    def node(self) -> Node:
        """Its tree, read again where the file let go of it."""
        if self._node is None:
            self._node = self.text.nodes()[self.index]
        return self._node

    @node.setter
    def node(self, node: Node | None) -> None:
        self._node = node

    def copied(self, text: TextFile) -> ResourceDocument:
        """The same document in another file of the same text; its tree is read where somebody asks for it."""
        made = ResourceDocument.__new__(ResourceDocument)
        made.text, made._node, made.identity, made.index = text, None, self.identity, self.index
        made.number = made.place = made.was = self.number
        made.start, made.end = self.start, self.end
        return made

    @property
    def label(self) -> str:
        """What reports call it."""
        if self.identity is not None:
            return self.identity.label
        return self.text.name if self.text.lines else f"{self.text.prefix}document {self.place}"

    @property
    def recorded(self) -> str:
        """What the record calls it."""
        return (
            self.label if self.identity is not None or self.text.lines else f"{self.text.name} document {self.number}"
        )

    @property
    def recorded_last(self) -> str:
        """What the record of the last run calls it."""
        named = self.identity is not None or self.text.lines
        return self.label if named else f"{self.text.name} document {self.was}"

    @property
    def short(self) -> str:
        """What people call it."""
        return self.identity.name if self.identity is not None else self.label

    def called(self, name: str) -> bool:
        """Whether people may call it so: `Kind/namespace/name`, `Kind/name`, or its name alone."""
        if self.identity is None:
            only = len(self.text.documents) == 1
            long = f"{self.text.name} document {self.place}"
            return name in (self.label, long, *([self.text.name] if only else []))
        return name == self.label or name in self.identity.names

    @property
    def key(self) -> tuple[str, ...]:
        """What finds it again: its identity, else its place."""
        return self.identity.exact if self.identity is not None else (self.text.name, str(self.number))

    @property
    def last_key(self) -> tuple[str, ...]:
        """What finds it in what was generated last."""
        return self.identity.exact if self.identity is not None else (self.text.name, str(self.was))

    @property
    def written(self) -> str:
        """Its text, without the separator before it."""
        text = self.text.source.text[self.start : self.end]
        return text if self.text.lines else re.sub(r"\A---[ \t]*\r?\n", "", text)

    @property
    def head(self) -> str:
        """The separator before it, where its text has one."""
        return self.text.source.text[self.start : self.end - len(self.written)]


class TextFile:
    """A file, there already or to be written. `name` is relative to the output folder.

    `lines` says that it is text, and no YAML. `prefix` is what its documents without a name are called by, where
    several files have such documents. `unread` says that it has no trees: what is generated, here and remembered has
    one text, and most runs ask for no more than that.
    """

    __slots__ = ("_nodes", "depth", "documents", "lines", "name", "prefix", "reading", "source", "unread")

    def __init__(self, name: str, source: Source, depth: int = 1000, reading: Reading | None = None) -> None:
        self.name = name
        self.source = source
        self.prefix = ""
        self.depth = depth
        self.reading = reading or Reading()
        self.unread = False
        self._nodes: list[Node] = []
        self.lines = is_text(name, source)
        _no_conflict_markers(source)
        if self.lines:
            whole = Scalar(source.text, source.text, source)
            self.documents: list[ResourceDocument] = [ResourceDocument(self, 0, 1, whole, 0, len(source.text))]
            return
        programs = scan_once(source, depth)
        nodes = built(programs, source, self.reading)
        self.documents = []
        spans = _spans(source.text, [program.ats[0] for program in programs])
        for index, (node, span) in enumerate(zip(nodes, spans, strict=True)):
            if not _empty(node):
                self.documents.append(ResourceDocument(self, index, len(self.documents) + 1, node, *span))

    @classmethod
    def like(cls, other: TextFile, source: Source) -> TextFile:
        """A file of the name and the text of one that is unread."""
        made = cls.__new__(cls)
        made.name, made.source, made.prefix, made.lines = other.name, source, "", False
        made.depth, made.reading, made.unread, made._nodes = 1000, Reading(), True, []
        made.documents = [document.copied(made) for document in other.documents]
        return made

    def let_go(self) -> None:
        """Forget the trees."""
        self.unread = True
        for document in self.documents:
            document.node = None

    def nodes(self) -> list[Node]:
        """The trees of all documents of a file that let go of them, read once more."""
        if not self._nodes:
            self._nodes = built(scan_once(self.source, self.depth), self.source, self.reading)
        return self._nodes


def only_document(text: str) -> Node | None:
    """The document of a text; None where it is not YAML, or has not just one."""
    try:
        found = TextFile("", Source("", text)).documents
    except Fault:
        return None
    return found[0].node if len(found) == 1 else None


def is_text(name: str, source: Source) -> bool:
    """Whether a file is merged by lines: its name, or without an ending its text, says that it is no YAML."""
    base = name.rpartition("/")[2]
    if not base or base.startswith(".") or base.endswith(DATA_ENDINGS):
        return False
    if "." in base:
        return True
    try:
        return any(one.kinds[0] & ~PROPS not in (MAP, SEQ) and one.texts[0] for one in scan(source))
    except Fault:
        return True


def name_apart(texts: Iterable[TextFile]) -> None:
    """Let documents without a name be called by their file, where several files have some."""
    all_texts = list(texts)
    if len({one.name for one in all_texts for document in one.documents if document.identity is None}) > 1:
        for one in all_texts:
            one.prefix = f"{one.name} "


def _empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None and not node.text


def _no_conflict_markers(source: Source) -> None:
    if "<<<<<<<" in source.text or ">>>>>>>" in source.text:
        match = _CONFLICT.search(source.text)
        if match:
            raise CONFLICT_MARKER.error(
                Label.at(source, match.start(), length=7),
                name=source.name,
                hint="resolve the merge first, then run again",
            )


def _spans(text: str, roots: list[int]) -> list[tuple[int, int]]:
    """Where each document begins and ends. A separator at the start of a line is one wherever it is."""
    if len(roots) <= 1:
        return [(0, len(text))] * len(roots)
    cuts = [found.start() for found in _SEPARATOR.finditer(text)]
    begins = _NOTHING.match(text)
    if cuts and begins is not None and begins.end() >= cuts[0]:
        cuts[0] = 0  # comments above the first separator belong to the first document
    else:
        cuts.insert(0, 0)
    cuts.append(len(text))
    if len(cuts) - 1 != len(roots):  # a document may also end with `...`
        cuts = sorted({cuts[bisect_right(cuts, root) - 1] for root in roots} | {len(text)})
        cuts = cuts if len(cuts) - 1 == len(roots) else [*roots, len(text)]
    return list(pairwise(cuts))


class DocumentIndex:
    """Documents by what they are called."""

    def __init__(self, documents: Iterable[ResourceDocument]) -> None:
        self.exact: dict[tuple[str, ...], ResourceDocument] = {}
        self._by_group: dict[tuple[str, ...], list[ResourceDocument]] = {}
        for document in documents:
            self._add(document)

    def _add(self, document: ResourceDocument) -> None:
        first = self.exact.get(document.key)
        if first is not None:
            raise RESOURCE_TWICE.error(
                Label(first.node.origin),
                Label(document.node.origin),
                name=document.label,
                hint="remove or rename one of them: it is not clear which one to update",
            )
        self.exact[document.key] = document
        if document.identity is not None:
            self._by_group.setdefault(document.identity.without_version, []).append(document)

    def find(self, document: ResourceDocument) -> ResourceDocument | None:
        """The document that is called the same."""
        found = self.exact.get(document.key)
        if found is not None or document.identity is None:
            return found
        near = self._by_group.get(document.identity.without_version, [])
        return near[0] if len(near) == 1 else None

    def named(self, label: str) -> ResourceDocument | None:
        """The only document that people call so: `Kind/name`, `Kind/namespace/name`."""
        documents = [document for document in self if document.label == label]
        return documents[0] if len(documents) == 1 else None

    def __iter__(self) -> Iterator[ResourceDocument]:
        return iter(self.exact.values())
