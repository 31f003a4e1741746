"""What is at a place of a document, and the written parts that it was merged from, as a look at all documents needs it:
plain maps key by key, and single values of which the highest wins."""

from __future__ import annotations

from plait.core.node import Bound, Container, Deferred, MapNode, Mark, Scalar, Suspension, unbound
from plait.evaluate.engine import MERGE
from plait.merging.account import policy_of
from plait.merging.combine import combine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import TypeGuard

    from plait.core.node import Key, Node
    from plait.core.policy import MergePolicy
    from plait.core.scope import Place
    from plait.merging.account import Tracer


ALONE = (Scalar, Suspension)
"""What one part writes as a whole."""


class Merged:
    """What is at a place of a document: the node, and the parts that it was merged from, lowest first."""

    __slots__ = ("_at", "_place", "node", "parts", "policy", "values")

    def __init__(
        self,
        node: Node,
        place: Place | None,
        parts: list[Node],
        policy: MergePolicy | None,
        at: tuple[Merged, Key] | None = None,
    ) -> None:
        """Few places are asked for: it is at a key of another."""
        self.node = node
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
            self.node = combine(self.values, policy)
        else:
            self.node = tracer.force(node, place)

    @property
    def place(self) -> Place:
        keys: list[Key] = []
        one = self
        while one._place is None:
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
        if (policy is not None and policy.word is not None) or not isinstance(self.node, MapNode):
            return None
        rows = rows_of(self.values, policy)
        return rows if rows is not None and self.has_keys(rows.keys()) else None

    def has_keys(self, names: Collection[Key]) -> bool:
        """Whether it is a map with exactly these keys."""
        return isinstance(self.node, MapNode) and names == self.node.entries.keys()

    def below(self, key: Key, parts: list[Node]) -> Merged:
        """What is at a key."""
        policy = self.policy if self.policy is None or self.policy.uniform else self.policy.child(key)
        assert isinstance(self.node, MapNode)
        node = self.node.entries[key]
        if isinstance(node, Bound):
            return Merged(*unbound(node, self.place), parts, policy)
        return Merged(node, None, parts, policy, (self, key))


def _is_known_map(node: Node) -> bool:
    return node.__class__ is MapNode and not node.live


def is_written_map(node: Node) -> TypeGuard[MapNode]:
    """Whether a node is a map that nobody merged, and no mark in it says how it is merged."""
    if node.__class__ is not MapNode or node.parts:
        return False
    return not node.live or Mark not in {child.__class__ for child in node.entries.values()}


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
