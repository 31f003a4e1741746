"""How far above itself a part of a document looks, so that what many bring in is worked out once.

What is brought in is seen from where it lands, because a relative path in it means its new surroundings. If all of
its paths lead to surroundings that its own place and the new one have in common, it is the same from both. The reach
of a part is the highest level, counted from the part itself, that any path in it starts from, through everything
that it brings in: 0 for the part itself, -1 for what surrounds it, and so on; without any relative path there is
none, and the part is the same wherever it lands.
"""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Mark, Node, Scalar, Suspension, children
from plait.core.scope import Place
from plait.notations.directives.expand import Directed, Spliced, Use, entry, shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from plait.core.node import Key

    class Document(Protocol):
        """What a document knows of its files without working anything out."""

        def included_root(self, node: Node, use: Use) -> Node | None:
            """The tree of the file that a directive includes as a whole."""
            ...

        def home(self, use: Use, place: Place) -> Place | None:
            """The place in the document that a directive refers to."""
            ...


NEVER, UNKNOWN = float("-inf"), float("inf")
NOTHING = Scalar(None, "")
FILES = 4
"""How many files, each including the next, are looked into for what is at a place."""


class ReachedPart:
    """A node at a place, in a part that asks: how deep in it, and where it lands there, if it is brought in from
    elsewhere."""

    __slots__ = ("deep", "key", "lands", "node", "place")

    def __init__(self, node: Node, place: Place, deep: int = 1, lands: Place | None = None) -> None:
        self.node = node
        self.place = place
        self.deep = deep
        self.lands = lands
        self.key = (id(node), place)


class Reach:
    """The reach of the parts of one document, each worked out once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._known: dict[tuple[int, Place], float] = {}
        self._kept: list[Node] = []

    def same(self, node: Node, home: Place, place: Place) -> bool:
        """Whether a node is the same from its own place and from another one."""
        self._kept.append(node)  # one that was merged for a lookup must not leave its identity to another
        return _in_common(self.of(ReachedPart(node, home)), home, place)

    def of(self, part: ReachedPart) -> float:
        """The reach of a part. Without recursion; a part that contains itself has none that we know."""
        stack: list[tuple[ReachedPart, list[ReachedPart] | None]] = [(part, None)]
        while stack:
            now, inner = stack.pop()
            if inner is not None:
                self._known[now.key] = max([_own(now.node), *(self._seen(part) for part in inner)])
            elif now.key not in self._known:
                self._known[now.key] = UNKNOWN
                inner = self._inner(now)
                stack += [(now, inner), *((part, None) for part in inner)] if inner is not None else []
        return self._known[part.key]

    def _seen(self, part: ReachedPart) -> float:
        """The reach of an inner part, as one of the part around it."""
        reach = self._known[part.key]
        if part.lands is not None and not _in_common(reach, part.place, part.lands):
            return UNKNOWN
        return reach + part.deep

    def _inner(self, part: ReachedPart) -> list[ReachedPart] | None:
        """What is in a part, and what is brought into it; None where that is not written anywhere."""
        node, place = part.node, part.place
        below = children(shape(node))
        parts = [
            ReachedPart(child, place.child(step)) for step, child in below if child.live and not isinstance(child, Mark)
        ]
        for use in (
            node.expression.uses if isinstance(node, Suspension) and isinstance(node.expression, Directed) else ()
        ):
            brought = self._brought(node, use, place) if not use.raw else ReachedPart(NOTHING, place)
            if brought is None:
                return None
            parts.append(brought)
        return parts

    def _brought(self, node: Node, use: Use, place: Place) -> ReachedPart | None:
        if use.directive.include:
            root = self.document.included_root(node, use)
            return ReachedPart(root, place, 0) if root is not None else None
        home = self.document.home(use, place)
        found = self._at(home) if home is not None else None
        return ReachedPart(found, home, 0, place) if found is not None and home is not None else None

    def _at(self, place: Place) -> Node | None:
        """What is written at a place, in the document or in a file that is included on the way."""
        node = place.root.node
        for step in place.path:
            node = self._step(node, step) if node is not None and isinstance(step, str | int | Node) else None
        return node

    def _step(self, node: Node, step: Key | int | str) -> Node | None:
        for _ in range(FILES):
            own = entry(shape(node), step)
            if own is not None or not isinstance(node, Suspension) or not isinstance(node.expression, Directed):
                return own
            uses = node.expression.uses
            root = self.document.included_root(node, uses[0]) if len(uses) == 1 and uses[0].directive.include else None
            if root is None:
                return None
            node = root
        return None


def _own(node: Node) -> float:
    """The reach of a node by itself. Of what is neither data nor a directive, nothing is known."""
    if isinstance(node, Suspension) and isinstance(node.expression, Directed):
        return max(1 - use.directive.up if use.directive.up else NEVER for use in node.expression.uses)
    if isinstance(node, Suspension) and isinstance(node.expression, Spliced):
        return NEVER
    return NEVER if isinstance(node, MapNode | ListNode) or not node.live else UNKNOWN


def _in_common(reach: float, home: Place, place: Place) -> bool:
    """Whether two places have everything in common that is within reach."""
    if reach == NEVER or reach >= 0:
        return reach == NEVER
    return _above(home, -int(reach)) is _above(place, -int(reach))


def _above(place: Place, levels: int) -> Place:
    for _ in range(levels):
        place = place.parent or place
    return place
