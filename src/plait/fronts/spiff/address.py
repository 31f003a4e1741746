"""A path in the stubs, with what each of them has there.

An address is walked along with the template, so that nothing is ever looked up from the root, and a list of named items is
indexed once. The first stub from the left that has anything at a path wins.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node, Sequence
from plait.core.scope import Place
from plait.notations.dynaml.lookup import key_field, text_of, unmarked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Scope


class Stubs:
    """The finished stubs of a stage, left to right, and the indices of their lists."""

    __slots__ = ("_indices", "roots")

    def __init__(self, roots: tuple[Node, ...]) -> None:
        self.roots = roots
        self._indices: dict[tuple[int, str], dict[str, Node]] = {}

    def step(self, node: Node, step: str) -> Node | None:
        """What a step leads to: a key, `[0]`, the value of an item's key field, or `field:value`."""
        if isinstance(node, Mapping):
            return node.entries.get(step)
        if not isinstance(node, Sequence):
            return None
        if step.startswith("["):
            index = int(step[1:-1])
            return node.items[index] if 0 <= index < len(node.items) else None
        field, colon, value = step.partition(":")
        return (
            self.by_field(node, field).get(value) if colon and field else self.by_field(node, key_field(node)).get(step)
        )

    def by_field(self, node: Sequence, field: str) -> dict[str, Node]:
        """The items of a list by the text of a field; of several the first."""
        key = (id(node), field)
        if key not in self._indices:
            index: dict[str, Node] = {}
            for item in node.items:
                name = text_of(item.entries.get(field)) if isinstance(item, Mapping) else None
                if name is not None:
                    index.setdefault(name, item)
            self._indices[key] = index
        return self._indices[key]


class Address:
    """One path, and the nodes that the stubs have there. `moved` says that a redirecting merge led here."""

    __slots__ = ("_parent", "_step", "moved", "nodes", "stubs")

    def __init__(
        self, stubs: Stubs, nodes: tuple[Node, ...], parent: Address | None = None, step: str = "", moved: bool = False
    ) -> None:
        self.stubs = stubs
        self.nodes = nodes
        self.moved = moved
        self._parent = parent
        self._step = step

    @classmethod
    def root(cls, stubs: Stubs, moved: bool = False) -> Address:
        return cls(stubs, stubs.roots, moved=moved)

    def child(self, step: str) -> Address:
        nodes = self.nodes
        if nodes:
            found = [self.stubs.step(node, step) for node in nodes]
            nodes = tuple([node for node in found if node is not None])
        return Address(self.stubs, nodes, self, step, self.moved)

    def elsewhere(self, path: tuple[str, ...]) -> Address:
        address = Address.root(self.stubs, moved=True)
        for step in path:
            address = address.child(step)
        return address

    def found(self) -> Node | None:
        return unmarked(self.nodes[0]) if self.nodes else None

    def settled(self, scope: Scope) -> Address:
        return self

    @property
    def path(self) -> tuple[str, ...]:
        steps: list[str] = []
        address = self
        while address._parent is not None:
            steps.append(address._step)
            address = address._parent
        return tuple(reversed(steps))


class Later:
    """The address of something in a list item whose name is computed: known when the name is."""

    __slots__ = ("field", "index", "parent", "place", "step")

    def __init__(
        self, parent: Address | Later, step: str = "", place: Place | None = None, field: str = "", index: int = 0
    ) -> None:
        self.parent = parent
        self.step = step
        self.place = place
        self.field = field
        self.index = index

    def child(self, step: str) -> Address | Later:
        if self.place is not None and step == self.field:
            return self.parent.child(f"[{self.index}]").child(step)  # the name itself cannot wait for itself
        return Later(self, step)

    def settled(self, scope: Scope) -> Address:
        chain: list[Later] = []
        at: Address | Later = self
        while isinstance(at, Later):
            chain.append(at)
            at = at.parent
        for link in reversed(chain):
            at = at.child(link.step if link.place is None else link.named(scope, link.place))
        return at

    def named(self, scope: Scope, place: Place) -> str:
        """The step to the item: by its name if that is a text, else by its position."""
        item = place.node
        assert isinstance(item, Mapping)
        name = text_of(scope.known(item.entries[self.field], place.child(self.field)))
        return f"[{self.index}]" if name is None else f"{self.field}:{name}"
