"""A tree of resources that have attributes beside their children, as cases describe it."""

from __future__ import annotations

from plait.core.node import Bound, MapNode, Node
from plait.core.scope import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Scope


class Resource:
    """A described resource: a name, attributes, children."""

    __slots__ = ("attributes", "children", "name")

    def __init__(self, name: str, attributes: MapNode, children: list[Resource] | None = None) -> None:
        self.name = name
        self.attributes = attributes
        self.children = children or []


class Described:
    """A tree of described resources. Each has a place of its own, the root of its attributes."""

    star = False

    def __init__(self, top: Resource) -> None:
        self.homes: dict[tuple[Node, Place], Place] = {}
        self.names: dict[Place, str] = {}
        self.places: dict[str, Place] = {}
        self.parents: dict[Place, Place | None] = {}
        self.below: dict[Place, list[Place]] = {}
        self.top = self._add(top, None)
        queue = [(top, self.top)]
        while queue:
            resource, place = queue.pop(0)
            inner = [(child, self._add(child, place)) for child in resource.children]
            self.below[place] = [child for _, child in inner]
            queue.extend(inner)

    def _add(self, resource: Resource, parent: Place | None) -> Place:
        place = Place(node=resource.attributes)
        self.names[place] = resource.name
        self.places[resource.name] = place
        self.parents[place] = parent
        return place

    def place_of(self, name: str) -> Place:
        """Where a resource is. KeyError where there is none."""
        return self.places[name]

    def named(self, scope: Scope, place: Place, name: str) -> Node | None:
        found = self.places.get(name)
        return Bound(self.node(scope, found), found) if found is not None else None

    def resource(self, scope: Scope, place: Place) -> Place:
        return place.root

    def is_resource(self, node: Node, place: Place | None) -> bool:
        return place in self.names

    def node(self, scope: Scope, place: Place) -> Node:
        assert place.node is not None
        return place.node

    def name(self, place: Place) -> str:
        return self.names[place]

    def parent(self, scope: Scope, place: Place) -> Place | None:
        return self.parents.get(place.root)

    def children(self, scope: Scope, place: Place) -> list[Place]:
        return self.below[place.root]

    def everything(self, scope: Scope, place: Place) -> Node:
        ordered: list[Place] = []
        stack = [self.top]
        while stack:
            at = stack.pop()
            ordered.append(at)
            stack.extend(reversed(self.below[at]))
        return MapNode({self.names[at]: Bound(self.node(scope, at), at) for at in ordered}, live=True)
