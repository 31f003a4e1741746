"""What directives brought where, so that one that would bring itself in again is an error and not an endless document.

A landing is one directive at one place. The map with the directive was itself written there, or was brought there by
other landings: those whose parts contain it, at the place where it would be in them. A directive that recurs in
the chain of landings that brought it is a cycle. The same part twice side by side, or inside itself by another way,
is none.
"""

from __future__ import annotations

from plait.core.node import Bound, ListNode, MapNode, Node, Overlay, Suspension, children
from plait.core.scope import Place
from plait.notations.directives.expand import Use, endless, shape, unmarked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.meter import Meter
    from plait.core.node import Key

    Parents = dict[int, list[tuple[Node, Key | int]]]


class Landing:
    """A directive that brought something to a place, and the landings that brought the directive there."""

    __slots__ = ("before", "depth", "nodes", "use")
    depth: int

    def __init__(self, use: Use, before: list[Landing]) -> None:
        self.use = use
        self.before = before
        self.depth = 1 + max((landing.depth for landing in before), default=0)
        """How many directives there are on the longest way here."""
        self.nodes: dict[int, Node] = {}
        """What was brought, by identity: one that was merged for a lookup is made again each time."""


class Landings:
    """All landings of a document."""

    __slots__ = ("_by_part", "_by_use", "_meter")

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._by_use: dict[tuple[Place, Use], Landing] = {}
        self._by_part: dict[tuple[Place, int], list[Landing]] = {}

    def add(self, use: Use, node: Node, place: Place, by: Suspension, parents: Parents) -> Landing:
        """A directive of a map brings a node to a place. An error where the directive brought itself there."""
        landing = self._by_use.get((place, use))
        if landing is None:
            landing = Landing(use, self._bringing(by, place, parents))
            self._check(landing)
            self._by_use[place, use] = landing
        if id(node) not in landing.nodes:
            landing.nodes[id(node)] = node
            for part in parts_of(node):
                self._by_part.setdefault((place, id(part)), []).append(landing)
        return landing

    def _bringing(self, by: Suspension, place: Place, parents: Parents) -> list[Landing]:
        """The landings that brought a map to a place: of the map itself, or of a part that has the map just there."""
        landings: dict[Landing, None] = {}
        stack: list[tuple[Node, Place]] = [(by, place)]
        while stack:
            node, at = stack.pop()
            self._meter.step()
            landings.update(dict.fromkeys(self._by_part.get((at, id(node)), ())))
            if at.parent is not None:
                stack += [(outer, at.parent) for outer, step in parents.get(id(node), ()) if _same(step, at.step)]
        return list(landings)

    def _check(self, landing: Landing) -> None:
        later: dict[Landing, Landing] = dict.fromkeys(landing.before, landing)
        queue = list(later)
        for earlier in queue:
            self._meter.step()
            if earlier.use is landing.use:
                raise endless([each.use for each in _chain(earlier, landing, later)])
            new = [each for each in earlier.before if each not in later]
            later.update(dict.fromkeys(new, earlier))
            queue += new


def _chain(first: Landing, last: Landing, later: dict[Landing, Landing]) -> list[Landing]:
    chain = [first]
    while chain[-1] is not last:
        chain.append(later[chain[-1]])
    return chain


def _same(written: object, step: object) -> bool:
    """Whether a step in a file leads to a place. Merging may move the items of a list."""
    return written == step or (isinstance(written, int) and isinstance(step, int))


def parts_of(node: Node) -> list[Node]:
    """A node, and the written parts that it was merged of."""
    parts: list[Node] = []
    stack = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, Bound):
            stack.append(node.node)
            continue
        parts.append(node)
        if isinstance(node, Overlay | MapNode | ListNode):
            stack += node.parts
    return parts


def written_in(root: Node | None) -> Parents:
    """For each part of a file in which something is still to be worked out, the containers it is in, with its
    step there."""
    parents: Parents = {}
    stack = [root] if root is not None else []
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        for step, child in children(shape(node)):
            part = unmarked(child)
            if part.live:
                parents.setdefault(id(part), []).append((node, step))
                stack.append(part)
    return parents
