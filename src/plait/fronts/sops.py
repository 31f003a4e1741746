"""Files that SOPS encrypted: read through the `sops` command where it is installed and may be run.

Decrypted values are secrets and keep the places of the file as it is written. Without `sops`, or where running
commands is not allowed, a value is the text `(encrypted)`, and everything else of the file can be used. A result
that is written to a file has unchanged values as they were encrypted, and the section of SOPS with the
keys to them.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import step_into
from plait.core.node import Key, ListNode, MapNode, Node, Scalar
from plait.core.path import Step
from plait.core.scope import CommandFailed, NoCommand
from plait.core.source import Source
from plait.core.walk import remade
from plait.fronts.project import Project
from plait.report.catalog import SOPS_FAILED, SOPS_TWICE
from plait.yaml.build import Reading
from plait.yaml.load import load

SECTION = "sops"
MARKS = ("mac", "lastmodified", "version")
"""Keys of the section that SOPS writes; one of them is enough to tell it from a key of the user's own."""
PREFIX = "ENC["
HIDDEN = "(encrypted)"
SECONDS = 30.0


def is_encrypted(document: Node) -> bool:
    """Whether SOPS wrote a document."""
    section = document.entries.get(SECTION) if isinstance(document, MapNode) else None
    return isinstance(section, MapNode) and any(mark in section.entries for mark in MARKS)


def opened(project: Project, name: str, documents: list[Node]) -> list[Node]:
    """The documents of a file, decrypted where SOPS encrypted them and may be asked."""
    if not any(map(is_encrypted, documents)):
        return documents
    project.trace.unfollow("sops")  # the keys, and whether it may be run, are not in the trace
    clear = _decrypted(project, name, documents[0])
    return [
        _without_section(_merged(document, clear[at] if at < len(clear) else None))
        if is_encrypted(document)
        else document
        for at, document in enumerate(documents)
    ]


def _decrypted(project: Project, name: str, document: Node) -> list[Node]:
    """What `sops` makes of the file; nothing where it is not there, or not allowed."""
    source = document.source
    if not isinstance(source, Source) or not project.door.is_file(name) or not project.guard.permits("exec", source):
        return []
    try:
        text = project.door.run(["sops", "--decrypt", "--output-type", "yaml", "--", name], SECONDS, document)
    except NoCommand:
        return []
    except CommandFailed as trouble:
        hint = "check that you have the key; without --allow exec its values are shown as (encrypted)"
        raise SOPS_FAILED.error(Label(document.origin), name=name, why=str(trouble), hint=hint) from None
    return load(Source(name, text), Reading())


def _merged(document: Node, clear: Node | None) -> Node:
    """The document as it is written, with each encrypted value exchanged for the clear one, or for a word."""
    section = document.entries.get(SECTION) if isinstance(document, MapNode) else None

    def cleared(node: Node, other: Node | None) -> tuple[Node, bool]:
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.value.startswith(PREFIX):
            return _clear(node, other), False
        return node, node is not section

    return remade(document, cleared, clear, _below)


def _below(node: Node | None, step: Step) -> Node | None:
    return step_into(node, step) if node is not None else None


def _clear(node: Scalar, other: Node | None) -> Scalar:
    if isinstance(other, Scalar):
        return Scalar(other.value, other.text, node.source, node.at, None, True)
    return Scalar(HIDDEN, HIDDEN, node.source, node.at)


def _without_section(document: Node) -> Node:
    assert isinstance(document, MapNode)
    entries = {key: child for key, child in document.entries.items() if key != SECTION}
    marks = tuple(mark for mark, key in zip(document.marks, document.entries, strict=False) if key != SECTION)
    return document.but(entries=entries, marks=marks)


def sealed(root: Node, encrypted: list[Node]) -> Node:
    """A result to be written: values of encrypted documents as they were written there, with the section of SOPS.

    SOPS ties a value to the keys that lead to it, so only a value at its old path can be decrypted again. The keys
    of one document do not open the values of another.
    """
    written = {place: (document, found) for document in encrypted for place, found in _written(document).items()}
    used: dict[int, Node] = {}

    def restored(node: Node, keys: tuple[Key, ...]) -> tuple[Node, bool]:
        if isinstance(node, MapNode | ListNode) or (id(node.source), node.at) not in written:
            return node, True
        document, (place, value) = written[id(node.source), node.at]
        if place != keys:
            return node, False
        used[id(document)] = document
        return value, False

    top: tuple[Key, ...] = ()
    made = remade(root, restored, top, lambda keys, step: keys if isinstance(step, int) else (*keys, step))
    return _with_section(made, list(used.values()))


def _with_section(root: Node, used: list[Node]) -> Node:
    """A result with the section of the one document that its encrypted values come from."""
    if len(used) > 1:
        hint = "merge one of them at a time, or write clear text with --reveal"
        raise SOPS_TWICE.error(*(Label(one.origin) for one in used[:2]), hint=hint)
    if not used or not isinstance(root, MapNode):
        return root
    assert isinstance(used[0], MapNode)
    return MapNode({**root.entries, SECTION: used[0].entries[SECTION]}, root.source, root.at, root.tag, root.live)


def _written(document: Node) -> dict[tuple[int, int], tuple[tuple[Key, ...], Scalar]]:
    """The encrypted values of a document by place, each with the keys that lead to it.

    Items of a list share those of the list.
    """
    scalars: dict[tuple[int, int], tuple[tuple[Key, ...], Scalar]] = {}
    work: list[tuple[Node, tuple[Key, ...]]] = [(document, ())]
    while work:
        node, keys = work.pop()
        if isinstance(node, MapNode):
            work += [(child, (*keys, key)) for key, child in node.entries.items() if keys or key != SECTION]
        elif isinstance(node, ListNode):
            work += [(item, keys) for item in node.items]
        elif isinstance(node, Scalar) and isinstance(node.value, str) and node.value.startswith(PREFIX):
            scalars[id(node.source), node.at] = keys, node
    return scalars
