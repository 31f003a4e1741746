"""The tree of resources that a question is asked in.

In a document every map is a resource: its name is its key, its parent the nearest map around it, its children the
maps in it. The root is called `root`; `::name` is a key of the root. Other trees (resources that have attributes
beside their children) are described by the code that has them.
"""

from __future__ import annotations

from plait.core.find import entry_key, step_into
from plait.core.node import Bound, MapNode, Node, Scalar, key_text
from plait.core.scope import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from plait.core.scope import Scope

    class Tree(Protocol):
        """How resources hang together."""

        star: bool
        """Whether `*` on a resource gives the values in it."""
        homes: dict[tuple[Node, Place], Place]
        """Where the resource is that an expression, seen from a place, refers to."""

        def resource(self, scope: Scope, place: Place) -> Place:
            """The resource at or around a place."""
            ...

        def is_resource(self, node: Node, place: Place | None) -> bool: ...
        def node(self, scope: Scope, place: Place) -> Node: ...
        def name(self, place: Place) -> str: ...
        def parent(self, scope: Scope, place: Place) -> Place | None: ...
        def children(self, scope: Scope, place: Place) -> list[Place]: ...
        def everything(self, scope: Scope, place: Place) -> Node:
            """What `::` starts from: all resources by name."""
            ...

        def named(self, scope: Scope, place: Place, name: str) -> Node | None:
            """One of them."""
            ...


ROOT = "root"


class ResourceTree:
    """A document in which every map is a resource."""

    star = True

    def __init__(self) -> None:
        self.homes: dict[tuple[Node, Place], Place] = {}

    def node(self, scope: Scope, place: Place) -> Node:
        """What is at a place, known at its outermost."""
        return self._asked(scope.known, place)

    def _asked(self, known: Callable[[Node, Place], Node], place: Place) -> Node:
        missing: list[Place] = []
        at: Place = place
        while at.node is None and at.parent is not None:
            missing.append(at)
            at = at.parent
        assert at.node is not None
        node = known(at.node, at)
        for inner in reversed(missing):
            child = step_into(node, inner.step)
            if child is None:  # a place that shows nowhere: the value of a directive
                return Scalar(None, "null", node.source, node.at)
            node = known(child, inner)
        return node

    def is_resource(self, node: Node, place: Place | None) -> bool:
        return place is not None and isinstance(node, MapNode)

    def resource(self, scope: Scope, place: Place) -> Place:
        """The nearest map. What waits for the one who asks (a list that an expression is spliced into, a map whose
        directive it is) is not asked."""
        found: Place | None = place
        while (
            found is not None and found.parent is not None and not isinstance(self._asked(scope.peek, found), MapNode)
        ):
            found = found.parent
        return found or place.root

    def name(self, place: Place) -> str:
        step = place.step
        if place.parent is None:
            return ROOT
        return key_text(step) if isinstance(step, str | Node) else str(step)

    def parent(self, scope: Scope, place: Place) -> Place | None:
        return self.resource(scope, place.parent) if place.parent is not None else None

    def children(self, scope: Scope, place: Place) -> list[Place]:
        node = self.node(scope, place)
        if not isinstance(node, MapNode):
            return []
        places = [(place.child(key), child) for key, child in node.entries.items()]
        return [inner for inner, child in places if isinstance(scope.known(child, inner), MapNode)]

    def everything(self, scope: Scope, place: Place) -> Node:
        root = place.root
        node = self.node(scope, root)
        entries = (
            {key: Bound(child, root.child(key)) for key, child in node.entries.items()}
            if isinstance(node, MapNode)
            else {}
        )
        whole: dict[object, Node] = {ROOT: Bound(node, root)}
        return MapNode({**whole, **entries}, node.source, node.at, live=True)  # type: ignore[dict-item]

    def named(self, scope: Scope, place: Place, name: str) -> Node | None:
        root = place.root
        node = self.node(scope, root)
        key = entry_key(node, name) if isinstance(node, MapNode) else None
        if key is not None and isinstance(node, MapNode):
            return Bound(node.entries[key], root.child(key))
        return Bound(node, root) if name == ROOT else None
