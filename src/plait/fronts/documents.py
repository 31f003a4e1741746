"""Files with several documents: which document of one layer is merged with which of another.

Kubernetes resources are paired by apiVersion, kind, namespace and name, in whatever order they are written. For
other files with several documents the user has to choose: `layers` (each document is a layer of its own), `pair` (by
position), or the number of one document.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Node, Scalar
from plait.core.path import split_prefix
from plait.core.resource import Identity
from plait.core.source import Source
from plait.core.visible import counted
from plait.report.catalog import BAD_OPTION, NO_SUCH_DOCUMENT, RESOURCE_TWICE, SEVERAL_DOCUMENTS, WHICH_DOCUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol, TypeVar

    class Named(Protocol):
        """A document that an address can name."""

        @property
        def names(self) -> tuple[str, ...]:
            """What people may call it; first the whole name."""
            ...

    Called = TypeVar("Called", bound=Named)
    Layer = tuple[str, list[Node]]
    """The name of a layer, and its documents that are not empty."""

CHOICES = ("layers", "pair")
HOW = "--documents layers merges them all into one, --documents pair merges by position, --documents 2 takes the second"


class DocumentGroup:
    """The documents that are merged with each other, lowest first. `number` counts groups from 1."""

    __slots__ = ("documents", "identity", "number")

    def __init__(self, number: int, identity: Identity | None, documents: list[Node]) -> None:
        self.number = number
        self.identity = identity
        self.documents = documents

    @property
    def label(self) -> str:
        return self.identity.label if self.identity is not None else f"document {self.number}"

    @property
    def names(self) -> tuple[str, ...]:
        """What people may call it."""
        return self.identity.names if self.identity is not None else (str(self.number),)


def grouped(layers: Sequence[Layer], how: str = "") -> list[DocumentGroup]:
    """The documents of all layers in groups. Without `how`, resources are paired and single documents are merged."""
    layers = [(name, [document for document in documents if not is_empty(document)]) for name, documents in layers]
    if how and how not in CHOICES and not (how.isdigit() and int(how)):
        from plait.report.near import did_you_mean

        hint = did_you_mean(how, CHOICES) or f"available: {', '.join(CHOICES)}, or a number from 1"
        raise BAD_OPTION.error(why=f"unknown value `{how}` for --documents", hint=hint)
    if how == "layers":
        return [_one(layers)]
    if how.isdigit():
        return [_one([(name, _numbered(name, documents, int(how))) for name, documents in layers])]
    if _all_resources(layers):
        return _by_identity(layers)
    if how == "pair":
        return _by_position(layers)
    _refuse_several(layers)
    return [_one(layers)]


def is_empty(node: Node) -> bool:
    """Whether a document holds nothing, not even `null`."""
    return isinstance(node, Scalar) and node.value is None and not node.text


def _one(layers: Iterable[Layer]) -> DocumentGroup:
    return DocumentGroup(1, None, [document for _, documents in layers for document in documents])


def _numbered(name: str, documents: list[Node], number: int) -> list[Node]:
    """One document of a file that has several; a file with a single document is used whatever the number."""
    if len(documents) < 2:
        return documents
    if number > len(documents):
        last = Label(documents[-1].origin)
        raise NO_SUCH_DOCUMENT.error(
            last, name=name, number=number, hint=f"it has {counted(len(documents), 'document')}"
        )
    return [documents[number - 1]]


def _all_resources(layers: Sequence[Layer]) -> bool:
    documents = [document for _, documents in layers for document in documents]
    return bool(documents) and all(Identity.of(document) is not None for document in documents)


def _by_identity(layers: Iterable[Layer]) -> list[DocumentGroup]:
    groups = Groups()
    for _, documents in layers:
        seen: dict[tuple[str, ...], Node] = {}
        for document in documents:
            identity = Identity.of(document)
            assert identity is not None
            if identity.exact in seen:
                first = Label(seen[identity.exact].origin)
                hint = "rename or remove one of them"
                raise RESOURCE_TWICE.error(first, Label(document.origin), name=identity.label, hint=hint)
            seen[identity.exact] = document
            groups.add(identity, document)
    return groups.made


class Groups:
    """Groups found by identity: the exact one, else the only one that differs in the version alone."""

    def __init__(self) -> None:
        self.made: list[DocumentGroup] = []
        self._exact: dict[tuple[str, ...], DocumentGroup] = {}
        self._by_group: dict[tuple[str, ...], list[DocumentGroup]] = {}

    def find(self, identity: Identity) -> DocumentGroup | None:
        near = self._by_group.get(identity.without_version, [])
        return self._exact.get(identity.exact) or (near[0] if len(near) == 1 else None)

    def add(self, identity: Identity, document: Node) -> None:
        group = self.find(identity)
        if group is not None:
            group.documents.append(document)
            return
        group = DocumentGroup(len(self.made) + 1, identity, [document])
        self.made.append(group)
        self._exact[identity.exact] = group
        self._by_group.setdefault(identity.without_version, []).append(group)


def _by_position(layers: Sequence[Layer]) -> list[DocumentGroup]:
    count = max((len(documents) for _, documents in layers), default=0)
    return [
        DocumentGroup(at + 1, None, [documents[at] for _, documents in layers if at < len(documents)])
        for at in range(count)
    ] or [DocumentGroup(1, None, [])]


def _refuse_several(layers: Sequence[Layer]) -> None:
    """Several documents that are not all resources: what belongs together cannot be known."""
    for name, documents in layers:
        if len(documents) > 1:
            other = next((d for _, all_of in layers for d in all_of if Identity.of(d) is None), None)
            labels = [Label(documents[1].origin, "the second document")]
            if other is not None and any(Identity.of(d) is not None for d in documents):
                labels.append(Label(other.origin, "this document has no kind and name, so it matches no resource"))
            raise SEVERAL_DOCUMENTS.error(*labels, name=name, count=len(documents), hint=HOW)


class Pair:
    """A document before and after; one of them is None where it was added or removed."""

    __slots__ = ("after", "before", "label", "number")

    def __init__(self, label: str, number: int, before: Node | None, after: Node | None) -> None:
        self.label = label
        self.number = number
        self.before = before
        self.after = after


def paired(before: list[Node], after: list[Node]) -> list[Pair]:
    """The documents of two files: resources by identity, others by position. A lone pair has no label and no number."""
    if len(before) <= 1 and len(after) <= 1:
        return [Pair("", 0, *_ends(before, after, 0))] if before or after else []
    groups = Groups()
    known = [Identity.of(document) for document in (*before, *after)]
    if None not in known and len({identity.exact for identity in known[: len(before)] if identity}) == len(before):
        return _paired_by_identity(groups, before, after)
    count = max(len(before), len(after))
    return [Pair(f"document {at + 1}", at + 1, *_ends(before, after, at)) for at in range(count)]


def _ends(before: list[Node], after: list[Node], at: int) -> tuple[Node | None, Node | None]:
    return (before[at] if at < len(before) else None, after[at] if at < len(after) else None)


def _paired_by_identity(groups: Groups, before: list[Node], after: list[Node]) -> list[Pair]:
    for document in before:
        groups.add(Identity.of(document), document)  # type: ignore[arg-type]
    pairs = {id(group): Pair(group.label, 0, group.documents[0], None) for group in groups.made}
    for document in after:
        identity = Identity.of(document)
        assert identity is not None
        group = groups.find(identity)
        pair = pairs.get(id(group)) if group is not None else None
        if pair is not None and pair.after is None:
            pair.after = document
        else:
            pairs[id(document)] = Pair(identity.label, 0, None, document)
    return list(pairs.values())


def choose(documents: Sequence[Called], address: str) -> tuple[Called, str]:
    """The document that an address names, and the path in it: `Deployment/web:spec.replicas`. The only document need
    not be named."""
    from plait.report.near import did_you_mean

    name, rest = split_prefix(address)
    named = [one for one in documents if name and name in one.names]
    exact = [one for one in named if one.names[0] == name]  # one without a namespace, beside one with it
    if len(named) == 1 or len(exact) == 1:
        return (exact or named)[0], rest
    if len(documents) == 1 and not named and "/" not in name:
        return documents[0], address
    labels = [one.names[0] for one in named or documents]
    if len(named) > 1:
        why = f"several documents are named `{name}`"
    elif name and "/" in name:
        why = f"document not found: `{name}`"
    else:
        why = f"the path does not name one of the {len(documents)} documents"
    hint = f"write DOCUMENT:PATH; available: {', '.join(labels[:12])}{', ...' if len(labels) > 12 else ''}"
    if not named:
        hint = did_you_mean(name, [other for one in documents for other in one.names] if name else ()) or hint
    if len(documents) == 1 and "/" not in labels[0]:
        hint = f"there is one document, without kind and name: write `{rest}`"
    raise WHICH_DOCUMENT.error(Label.at(Source("the path", address, given=True), 0), why=why, hint=hint)
