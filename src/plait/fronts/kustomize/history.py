"""What became of each value while a kustomization was built: by which step, asked for by which line, over which value.

A build changes its own copies of the resources in place. Whatever it sets is a node of its own, so that the node names
its change.
"""

from __future__ import annotations

from plait.core.node import Key, ListNode, MapNode, Node, Scalar, in_place_of, is_null
from plait.core.struct import struct
from plait.core.walk import nothing_known, remade

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.meter import Meter

    Holder = MapNode | ListNode


HASHED = "hash of the data"


@struct
class Change:
    """One step of a value: `word` says what it did, `asked` is the node of a kustomization that asked for it.

    `before` is the value that was there; `wrote` is where the new value is written, where that is another place than
    that of the old one. `reads` are what it was made from.
    """

    node: Node
    word: str
    asked: Node | None
    before: Node | None
    wrote: Node | None
    reads: tuple[Node, ...] = ()


class History:
    """The changes of one build, by the nodes that they left."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.changes: dict[int, Change] = {}
        self.gone: dict[int, list[tuple[str | int, Node, Node | None]]] = {}
        """What was removed from a container: its key, the value, and the node that removed it."""
        self._kept: list[Node] = []

    def put(
        self,
        holder: Holder,
        key: str | int,
        node: Node,
        word: str,
        asked: Node | None,
        wrote: Node | None = None,
        reads: tuple[Node, ...] = (),
    ) -> None:
        """Set a value that nobody else holds. It is secret where something is that it was made from or replaces."""
        before = child(holder, key)
        sources = [*filter(None, (before, wrote, asked if isinstance(asked, Scalar) else None)), *reads]
        node = in_place_of(node, *sources) if word != HASHED else node
        if isinstance(node, Scalar):
            self.meter.make(len(node.text))
        self.changes[id(node)] = Change(node, word, asked, before, wrote, reads)
        place(holder, key, node)

    def take(self, node: Node, word: str, asked: Node | None, before: Node | None, wrote: Node | None) -> None:
        """A value that was set as a part of something larger."""
        self.changes[id(node)] = Change(node, word, asked, before, wrote)

    def retype(self, holder: Holder, key: Key | int, node: Node) -> None:
        """Set the same value in another type: what became of it before is still true."""
        target = holder.entries if isinstance(holder, MapNode) else holder.items
        before = target[key]  # type: ignore[index]
        change = self.changes.get(id(before))
        if change is not None:
            self.changes[id(node)] = Change(node, change.word, change.asked, change.before, change.wrote, change.reads)
        self._kept.append(before)
        target[key] = node  # type: ignore[index]

    def remove(self, holder: Holder, key: str | int, by: Node | None) -> None:
        """Take a value away."""
        found = holder.entries.pop(str(key)) if isinstance(holder, MapNode) else holder.items.pop(int(key))
        self._kept.append(holder)
        self.gone.setdefault(id(holder), []).append((key, found, by))

    def of(self, node: Node) -> list[Change]:
        """The changes of a value, the last one first."""
        found: list[Change] = []
        change = self.changes.get(id(node))
        while change is not None:
            found.append(change)
            before = change.before
            change = self.changes.get(id(before)) if before is not None and change.wrote is None else None
        return found


def child(holder: Node, key: str | int) -> Node | None:
    """What a container has at a key or an index."""
    if isinstance(holder, MapNode):
        return holder.entries.get(str(key))
    items = holder.items if isinstance(holder, ListNode) else []
    return items[key] if isinstance(key, int) and key < len(items) else None


def place(holder: Holder, key: str | int, node: Node) -> None:
    if isinstance(holder, MapNode):
        holder.entries[str(key)] = node
    elif int(key) < len(holder.items):
        holder.items[int(key)] = node
    else:
        holder.items.append(node)


COPIED = 3
"""Steps for a value that is copied: each copy of a copy has all of them."""


def copied(root: Node) -> Node:
    """A copy with containers of its own; single values are shared."""
    return remade(root, _bare, None, nothing_known)


def own(node: Node, history: History, word: str, asked: Node | None) -> Node:
    """A copy of something that is written elsewhere, each value of which knows that it was taken from there."""

    def taken(one: Node, known: None) -> tuple[Node, bool]:
        history.meter.step(COPIED)
        if not isinstance(one, Scalar):
            return _bare(one, known)
        mine = one.but()
        history.take(mine, word, asked, None, one)
        return mine, False

    return remade(node, taken, None, nothing_known)


def _bare(node: Node, _: None) -> tuple[Node, bool]:
    """A container without tag and parts."""
    if isinstance(node, MapNode):
        return MapNode(node.entries, node.source, node.at), True
    return (ListNode(node.items, node.source, node.at), True) if isinstance(node, ListNode) else (node, False)


def string(value: str, like: Node) -> Scalar:
    """A text at the place of another node."""
    return Scalar(value, value, like.source, like.at, None, isinstance(like, Scalar) and like.secret)


def is_absent(node: Node | None) -> bool:
    """Whether a field is not there, or null, which means the same here."""
    return node is None or is_null(node)
