"""What is at a place of a document, and the written parts that it was merged from, as a look at all documents needs it:
plain maps key by key, and single values of which the highest wins."""

from __future__ import annotations

from plait.core.node import Bound, Container, Deferred, MapNode, Mark, Scalar, Suspension, unbound
from plait.evaluate.engine import MERGE
from plait.merging.account import policy_of
from plait.merging.combine import combine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import TypeGuard

    from plait.core.node import Key, Node
    from plait.core.policy import MergePolicy
    from plait.core.scope import Place
    from plait.evaluate.unmerged import UnmergedDocument
    from plait.merging.account import Tracer


ALONE = (Scalar, Suspension)
"""What one part writes as a whole."""


class Merged:
    """What is at a place of a document: the node, and the parts that it was merged from, lowest first."""

    __slots__ = ("_at", "_node", "_place", "parts", "policy", "values")

    def __init__(
        self,
        node: Node | None,
        place: Place | None,
        parts: list[Node],
        policy: MergePolicy | None,
        at: tuple[Merged, Key] | None = None,
    ) -> None:
        """Few places are asked for, and few nodes of documents that nobody merged: it is at a key of another."""
        self._node = node
        self._place = place
        self._at = at
        self.parts = parts
        """As they are written."""
        self.values = parts
        """As they are known, which is the same where they were not computed."""
        self.policy = policy
        """How they were merged; None for a shallow merge."""

    @classmethod
    def of(cls, node: Node, place: Place | None, at: tuple[Merged, Key] | None = None) -> Merged:
        """What a node was merged from."""
        parts = node.parts if isinstance(node, MapNode) else ()
        return cls(node, place, list(parts), policy_of(node), at) if parts else cls(node, place, [node], None, at)

    @property
    def is_open(self) -> bool:
        """Whether its node is known."""
        return self._node is not None

    @property
    def node(self) -> Node:
        if self._node is None:
            self._open()
        assert self._node is not None
        return self._node

    def _open(self) -> None:
        way: list[Merged] = []
        one = self
        while one._node is None and one.values is one.parts and one._at is not None:
            way.append(one)
            one = one._at[0]
        if one._node is None:
            one._make()
        for below in reversed(way):
            assert below._at is not None
            above, key = below._at
            assert isinstance(above._node, MapNode)
            below._node = above._node.entries[key]
            if isinstance(below._node, Bound):
                below._node, below._place = unbound(below._node, above.place)

    def _make(self) -> None:
        """Merge what is known of it."""
        assert self.policy is not None
        self._node = combine(self.values, self.policy)

    def take(self, value_of: Callable[[Node], Node | None]) -> bool:
        """Take what is deferred as far as it is known without the document; whether that is enough: all of it are maps,
        which are merged in the usual way."""
        if self._node is not None or self.policy is None or not self.policy.usual:
            return False
        values: list[Node] = []
        for part in self.parts:
            value = value_of(part) if isinstance(part, Deferred) else part
            if value is None or not _is_known_map(value):
                return False
            values.append(value)
        self.values = values
        return True

    def force(self, tracer: Tracer) -> None:
        """Compute what is deferred."""
        if not any(isinstance(part, Deferred) for part in self.parts):
            return
        node, place, policy = self.node, self.place, self.policy
        self.values = [
            tracer.force(*unbound(part, place)) if isinstance(part, Deferred) else part for part in self.parts
        ]
        if policy is not None and policy.usual and all(map(_is_known_map, self.values)):
            tracer.meter.make(MERGE)
            self._node = combine(self.values, policy)
        else:
            self._node = tracer.force(node, place)

    @property
    def place(self) -> Place:
        keys: list[Key] = []
        one = self
        while one._place is None:
            if one._node is None:
                one._open()
                continue
            assert one._at is not None
            one, key = one._at
            keys.append(key)
        place = one._place
        for key in reversed(keys):
            place = place.child(key)
        self._place = place
        return place

    @property
    def is_single(self) -> bool:
        """Whether one part wrote it, and its value decides nothing about the parts."""
        return len(self.parts) == 1 and is_single(self.parts[0])

    @property
    def is_scalar(self) -> bool:
        """Whether all parts are single values, of which the highest wins."""
        is_strict = self.policy is not None and self.policy.strict
        return not is_strict and all(value.__class__ is Scalar for value in self.values)

    def rows(self) -> dict[Key, list[Node]] | None:
        """The keys of maps that are merged key by key, each with what the parts have there; None where a part is
        something else, or merged in another way."""
        policy = self.policy
        if (policy is not None and policy.word is not None) or (self.is_open and not isinstance(self.node, MapNode)):
            return None
        rows = rows_of(self.values, policy)
        return rows if rows is not None and self.has(rows.keys(), all(map(is_usual, self.values))) else None

    def has(self, names: Collection[Key], are_usual: bool) -> bool:
        """Whether it is a map with the keys of all its parts. Where nobody merged it, that is known of usual maps that
        are merged in the usual way."""
        if self._node is None and are_usual and self.policy is not None and self.policy.usual:
            return True
        node = self.node
        return isinstance(node, MapNode) and names == node.entries.keys()

    def below(self, key: Key, parts: list[Node]) -> Merged:
        """What is at a key."""
        policy = self.policy if self.policy is None or self.policy.uniform else self.policy.child(key)
        if self._node is None:
            return Merged(None, None, parts, policy, (self, key))
        assert isinstance(self._node, MapNode)
        node = self._node.entries[key]
        if isinstance(node, Bound):
            return Merged(*unbound(node, self.place), parts, policy)
        return Merged(node, None, parts, policy, (self, key))


class MergedLater(Merged):
    """A whole document of which only layers of sections are known, as long as nothing else is asked for."""

    __slots__ = ("_document",)

    def __init__(self, document: UnmergedDocument) -> None:
        super().__init__(None, None, [], None)
        self._document = document

    def _make(self) -> None:
        tree = self._document.tree
        self._node, self._place = tree.root, tree.top

    def section(self, name: str, parts: list[Node], policy: MergePolicy) -> Merged:
        """What is in a section."""
        if len(parts) == 1:
            return Merged.of(parts[0], None, (self, name))
        return Merged(None, None, parts, policy, (self, name))


def _is_known_map(node: Node) -> bool:
    return node.__class__ is MapNode and not node.live


def is_written_map(node: Node) -> TypeGuard[MapNode]:
    """Whether a node is a map that nobody merged, and no mark in it says how it is merged."""
    if node.__class__ is not MapNode or node.parts:
        return False
    return not node.live or Mark not in {child.__class__ for child in node.entries.values()}


def is_usual(node: Node) -> bool:
    """Whether a map, and everything that it was merged from, says nothing about how it is merged."""
    stack = [node]
    while stack:
        one = stack.pop()
        if one.__class__ is not MapNode or one.tag is not None or one.alone:
            return False
        if one.parts:
            policy = policy_of(one)
            if policy is None or not policy.usual:
                return False
            stack += one.parts
    return True


def rows_of(parts: list[Node], policy: MergePolicy | None) -> dict[Key, list[Node]] | None:
    """The keys of some maps that are merged by a policy, each with what they have there, lowest first; None where one
    is something else, or merged in another way."""
    rows: dict[Key, list[Node]] = {}
    stack = parts[::-1]
    while stack:
        part = stack.pop()
        if part.__class__ is not MapNode:
            return None
        assert isinstance(part, MapNode)
        if not part.parts:
            if Mark in {child.__class__ for child in part.entries.values()}:
                return None
            if not rows:
                rows = {key: [child] for key, child in part.entries.items()}
                continue
            for key, child in part.entries.items():
                if key in rows:
                    rows[key].append(child)
                else:
                    rows[key] = [child]
        elif policy is not None and policy_of(part) is policy:
            stack.extend(reversed(part.parts))
        else:
            return None
    return rows


def is_single(part: Node) -> bool:
    """Whether one part that wrote a value decides all of it."""
    return isinstance(part, ALONE) or (isinstance(part, Container) and not part.parts)
