"""Results in which a key has another name: the proof that a rename changes nothing else."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import entry_key, item_index
from plait.core.node import ListNode, MapNode, key_text
from plait.core.path import split_prefix
from plait.core.source import Source
from plait.fronts.front import at
from plait.fronts.typed import typed_path
from plait.report.catalog import CANNOT_RENAME
from plait.review.causes import TargetResult
from plait.tidy.proof import TidyProof
from plait.yaml.schema import CORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.front import DocumentId, Target, World
    from plait.tidy.written import WrittenFile

PUNCTUATION = frozenset(" \t\r\n:#{}[],&*!|>'\"%@`().")


class RenameProof(TidyProof):
    """The proof that results differ in the name of one key only."""

    def __init__(self, world: World, files: dict[str, WrittenFile], rename: KeyRename) -> None:
        super().__init__(world, files)
        self.rename = rename

    def expected(self, before: TargetResult, after: TargetResult) -> TargetResult:
        rename, documents = self.rename, {}
        for document, node in before.documents.items():
            paths = {rename.path} if document in rename.documents else set()
            if document in after.documents and (not rename.only or document in rename.documents):
                paths.update(copies(node, after.documents[document], rename.old, rename.key))
            for path in sorted(paths, key=len, reverse=True):
                node = renamed(node, path, rename.key)
            documents[document] = node
            rename.copied.update((document, path) for path in paths if path != rename.path)
        made = TargetResult(documents, before.errors, before.tree)
        made.unknown = before.unknown
        return made

    def again(self, world: World) -> RenameProof:
        return RenameProof(world, self.files, self.rename)


class KeyRename:
    """A key of some documents, and its new name."""

    def __init__(self, text: str, key: str) -> None:
        self.only, rest = split_prefix(text)
        self.path: Path = typed_path(rest if self.only else text)
        self.key = key
        self.documents: dict[DocumentId, None] = {}
        """Those that have the key."""
        self.copied: set[tuple[DocumentId, Path]] = set()
        """Where else results have it: what refers to the map that it is in."""
        given = Label.at(Source("the path", text, given=True), 0)
        if not self.path or not isinstance(self.path[-1], str):
            raise CANNOT_RENAME.error(given, why="the path does not end in a key", hint="name a key, as in net.cidr")
        if not key or key.startswith("-") or any(letter in PUNCTUATION for letter in key):
            raise CANNOT_RENAME.error(given, why=f"`{key}` cannot be the name of a key here")
        if not isinstance(CORE.resolve(key), str):
            raise CANNOT_RENAME.error(given, why=f"YAML does not read `{key}` as text", hint="take a word")
        self.old: str = self.path[-1]

    @property
    def new(self) -> Path:
        return (*self.path[:-1], self.key)

    def means(self, target: Target, document: DocumentId | None) -> bool:
        """Whether a document of a target is meant."""
        names = (target.name, *(document.names if document is not None else ()))
        return not self.only or self.only in names


def copies(before: Node, after: Node, old: str, new: str) -> Iterator[Path]:
    """The places where a key has the new name afterwards instead of the old one: also what refers to the map."""
    stack: list[tuple[Path, Node, Node]] = [((), before, after)]
    while stack:
        path, one, two = stack.pop()
        if isinstance(one, MapNode) and isinstance(two, MapNode):
            names = {key: key for key in one.entries}
            own = entry_key(one, old)
            if own is not None and new not in one.entries and new in two.entries and own not in two.entries:
                yield (*path, old)
                names[own] = new
            pairs = [(key_text(key), child, two.entries.get(names[key])) for key, child in one.entries.items()]
            stack.extend(((*path, key), child, there) for key, child, there in pairs if there is not None)
        elif isinstance(one, ListNode) and isinstance(two, ListNode):
            stack.extend(
                ((*path, number), *pair) for number, pair in enumerate(zip(one.items, two.items, strict=False))
            )


def renamed(node: Node, path: Path, key: str) -> Node:
    """A finished value in which the key at a path has another name."""
    above: list[tuple[Node, object]] = []
    for step in path[:-1]:
        below = at(node, (step,))
        if below is None:
            return _rebuilt(node, above)
        found = entry_key(node, step) if isinstance(node, MapNode) else step
        above.append((node, found))
        node = below
    if isinstance(node, MapNode):
        old = entry_key(node, path[-1])
        entries = {key if one == old else one: child for one, child in node.entries.items()}
        node = MapNode(entries, node.source, node.at, node.tag)
    return _rebuilt(node, above)


def _rebuilt(node: Node, above: list[tuple[Node, object]]) -> Node:
    for parent, step in reversed(above):
        if isinstance(parent, MapNode):
            entries = {one: node if one == step else child for one, child in parent.entries.items()}
            node = MapNode(entries, parent.source, parent.at, parent.tag)
        elif isinstance(parent, ListNode):
            index = item_index(parent, step)  # type: ignore[arg-type]
            items = [node if number == index else one for number, one in enumerate(parent.items)]
            node = ListNode(items, parent.source, parent.at, parent.tag)
    return node
