"""What is at a place of a document, and the written parts that it was merged from, as a look at all documents needs it:
plain maps key by key, and single values of which the highest wins."""

from __future__ import annotations

from plait.core.node import Bound, Container, Deferred, MapNode, Mark, Scalar, Suspension, unbound
from plait.evaluate.engine import MERGE
from plait.merging.account import policy_of
from plait.merging.combine import combine

TYPE_CHECKING = False
if TYPE_CHECKING:
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
        """Few places are asked for: without one, it is at a key of another."""
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
    def of(cls, node: Node, place: Place) -> Merged:
        """What a node was merged from."""
        parts = node.parts if isinstance(node, MapNode) else ()
        return cls(node, place, list(parts), policy_of(node)) if parts else cls(node, place, [node], None)

    def force(self, tracer: Tracer) -> None:
        """Compute what is deferred."""
        if not any(isinstance(part, Deferred) for part in self.parts):
            return
        place, policy = self.place, self.policy
        self.values = [
            tracer.force(*unbound(part, place)) if isinstance(part, Deferred) else part for part in self.parts
        ]
        if policy is not None and policy.usual and all(map(_is_known_map, self.values)):
            tracer.meter.make(MERGE)
            self.node = combine(self.values, policy)
        else:
            self.node = tracer.force(self.node, place)

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
        policy, node = self.policy, self.node
        if not isinstance(node, MapNode) or (policy is not None and policy.word is not None):
            return None
        rows = rows_of(self.values, policy)
        return rows if rows is not None and rows.keys() == node.entries.keys() else None

    def below(self, key: Key, parts: list[Node]) -> Merged:
        """What is at a key."""
        assert isinstance(self.node, MapNode)
        policy = self.policy if self.policy is None or self.policy.uniform else self.policy.child(key)
        node = self.node.entries[key]
        if isinstance(node, Bound):
            return Merged(*unbound(node, self.place), parts, policy)
        return Merged(node, None, parts, policy, (self, key))


def _is_known_map(node: Node) -> bool:
    return node.__class__ is MapNode and not node.live


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
            for key, child in part.entries.items():
                if child.__class__ is Mark:
                    return None
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
