"""The resources in a text: which documents it has, where each begins and ends, and what each is called.

A resource is known by apiVersion, kind, namespace and name, in whatever file of the folder it is: others may have moved
it. Where the exact apiVersion is nowhere, the only one of the same group, kind, namespace and name is meant. A document
without kind and name is known by its file and its position there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, pairwise

from plait.core import native
from plait.core.diagnostic import Fault, Label
from plait.core.node import Node, Scalar
from plait.core.resource import Identity
from plait.core.source import DATA_ENDINGS, Source
from plait.report.catalog import CONFLICT_MARKER, RESOURCE_TWICE
from plait.yaml.build import Reading, build
from plait.yaml.load import built
from plait.yaml.program import MAP, PROPS, SEQ
from plait.yaml.scan import scan, scan_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from plait.yaml.program import Program

LARGE = 4_000_000
"""How many characters of files are held as trees: the files after them let go of their trees until they are asked for,
which takes more time and less memory."""
AGAIN = 1
"""How often a file that let go of its trees reads them again and lets go of them: resources of one file may be all over
the files of the other side."""
_CONFLICT = re.compile(r"^(?:<<<<<<<|>>>>>>>)(?= |\r?$)", re.M)
_HEAD = re.compile(r"\A(?:[ \t]*\r?\n)*---[ \t]*\r?\n")
_NOTHING = re.compile(r"(?:[ \t]*(?:#[^\n]*|%[^\n]*)?\r?(?:\n|\Z))*")

BOM = "\ufeff"
"""A byte order mark says how a text is encoded, and is no part of it."""


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
            self._node = self.text.tree(self.index)
        return self._node

    @node.setter
    def node(self, node: Node) -> None:
        """Another tree than its text has: the file keeps it."""
        self._node = node
        self.text.is_read_once = True

    def let_go(self) -> None:
        """Forget the tree."""
        self._node = None

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
        whole = self.text.source.text
        text = whole[self.start : self.end]
        if self.text.lines or text[:1] not in ("-", "\n", "\r"):
            return text
        return text[4:] if text.startswith("---\n") else _HEAD.sub("", text)

    def may_have(self, word: str) -> bool:
        """Whether a scalar of it may be a word without spaces: it is in its text, which may be escaped."""
        whole = self.text.source.text
        return whole.find(word, self.start, self.end) >= 0 or whole.find("\\", self.start, self.end) >= 0

    @property
    def head(self) -> str:
        """The separator before it, where its text has one."""
        return self.text.source.text[self.start : self.end - len(self.written)]


class TextFile:
    """A file, there already or to be written. `name` is relative to the output folder.

    `lines` says that it is text, and no YAML. `prefix` is what its documents without a name are called by, where
    several files have such documents. `unread` says that it let go of its trees: most runs ask for no more than the
    texts of most documents. Trees are built by parts, because of two versions only what differs is looked at.
    """

    __slots__ = (
        "_programs", "_times", "depth", "documents", "has_tags", "is_read_once", "lines", "name", "prefix", "reading",
        "source", "unread",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        source: Source,
        depth: int = 1000,
        reading: Reading | None = None,
    ) -> None:
        self.name = name
        self.source = source
        self.prefix = ""
        self.depth = depth
        self.reading = reading or Reading()
        self.unread = False
        self._programs: list[Program] = []
        self._times = 0
        """How often it was read again."""
        self.lines = is_text(name, source)
        self.has_tags = "!" in source.text
        """Whether it may have tags: without any, nothing in it is secret."""
        self.is_read_once = self.lines
        """Whether its trees are kept: they are not what is read in the text."""
        _no_conflict_markers(source)
        if self.lines:
            whole = Scalar(source.text, source.text, source)
            self.documents: list[ResourceDocument] = [ResourceDocument(self, 0, 1, whole, 0, len(source.text))]
            return
        programs = scan_once(source, depth)
        spans = _spans(source.text, [program.ats[0] for program in programs])
        nodes = built(programs, source, self.reading, by_parts=True)
        self.documents = []
        for index, (node, span) in enumerate(zip(nodes, spans, strict=True)):
            if not _empty(node):
                self.documents.append(ResourceDocument(self, index, len(self.documents) + 1, node, *span))

    @classmethod
    def like(cls, other: TextFile, source: Source) -> TextFile:
        """A file of the name and the text of one that is unread."""
        made = cls.__new__(cls)
        made.name, made.source, made.prefix, made.lines = other.name, source, "", False
        made.depth, made.reading, made.unread, made.is_read_once = 1000, Reading(), True, False
        made._programs, made._times, made.has_tags = [], 0, other.has_tags
        made.documents = [document.copied(made) for document in other.documents]
        return made

    def let_go(self) -> None:
        """Forget the trees, unless they are others than the text has, or are asked for again and again."""
        if self.is_read_once or self._times > AGAIN:
            return
        self.unread, self._programs = True, []
        for document in self.documents:
            document.let_go()

    def tree(self, index: int) -> Node:
        """The tree of a document of a file that let go of it."""
        if not self._programs:
            self._programs = scan_once(self.source, self.depth)
            self._times += 1
        return build(self._programs[index], self.source, self.reading, by_parts=True)


def held(sources: Mapping[str, Source]) -> set[str]:
    """The files whose trees are held together. In Python alone these are all: it reads slowly."""
    sizes = accumulate(len(source.text) for source in sources.values())
    return {name for name, size in zip(sources, sizes, strict=True) if size <= LARGE or native.places is None}


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


def _separators(text: str) -> Iterator[int]:
    """Where the lines begin that are `---`, alone or before something else."""
    after_break = f"\n{text}"
    at = after_break.find("\n---")
    while at >= 0:
        if after_break[at + 4 : at + 5] in ("", " ", "\t", "\r", "\n"):
            yield at
        at = after_break.find("\n---", at + 1)


def _spans(text: str, roots: list[int]) -> list[tuple[int, int]]:
    """Where each document begins and ends. A separator at the start of a line is one wherever it is."""
    if len(roots) <= 1:
        return [(0, len(text))] * len(roots)
    cuts = [*_separators(text)]
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
        key = document.key
        first = self.exact.setdefault(key, document)
        if first is not document:
            raise RESOURCE_TWICE.error(
                Label(first.node.origin),
                Label(document.node.origin),
                name=document.label,
                hint="remove or rename one of them: it is not clear which one to update",
            )
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
