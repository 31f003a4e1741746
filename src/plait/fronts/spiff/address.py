"""A path in the stubs, with what each of them has there.

An address is walked along with the template, so that nothing is ever looked up from the root, and a list of named
items is indexed once. The first stub from the left that has anything at a path wins.
"""

from __future__ import annotations

from bisect import bisect_left

from plait.core.node import ListNode, MapNode, Node
from plait.core.scope import Place
from plait.core.struct import struct
from plait.notations.dynaml.items import addressed, key_field, position, text_of
from plait.notations.dynaml.lookup import mark_tag, marked, marks_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from plait.core.scope import Scope


FEW = 4
"""So many stubs are asked one by one; of more, an index by path is made."""


INHERITED = ("temporary", "state")
"""The marks of a stub's value that what it overrides gets too."""
PUT_IN = frozenset(("inject", "default"))
"""The marks of what a stub puts into documents by itself."""


class Level:
    """What stubs have at one path, the rightmost first, each with the number of its stage.

    What is below is indexed when it is asked for.
    """

    __slots__ = ("_below", "_indexed", "nodes", "turns")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.turns: list[int] = []
        self._below: dict[tuple[str, str], Level] = {}
        self._indexed: dict[str, int] = {}

    def add(self, node: Node, turn: int) -> None:
        self.nodes.append(node)
        self.turns.append(turn)

    def before(self, turn: int) -> int:
        """How many of them were there before a stage."""
        return bisect_left(self.turns, turn)

    def child(self, step: str) -> Level:
        """What they have one step further. Each node is indexed once, however many stages ask."""
        kind = kind_of(step)
        for at in range(self._indexed.get(kind, 0), len(self.nodes)):
            for name, inner in steps_of(self.nodes[at], kind):
                level = self._below.get((kind, name))
                if level is None:
                    level = self._below[kind, name] = Level()
                level.add(inner, self.turns[at])
        self._indexed[kind] = len(self.nodes)
        return self._below.get((kind, step)) or Level()


def kind_of(step: str) -> str:
    """How a step names an item: by position `[`, by a field, or by the key field of its list, which is the empty
    text."""
    if step.startswith("["):
        return "["
    field, colon, _ = step.partition(":")
    return field if colon else ""


def steps_of(node: Node, kind: str) -> Iterable[tuple[str, Node]]:
    """The steps of a kind that lead further, and where: keys, positions or names."""
    if isinstance(node, MapNode):
        return ((key, child) for key, child in node.entries.items() if isinstance(key, str))
    if not isinstance(node, ListNode):
        return ()
    if kind == "[":
        return ((f"[{index}]", item) for index, item in enumerate(node.items))
    prefix = f"{kind}:" if kind else ""
    return ((prefix + name, item) for name, item in by_field(node, kind or key_field(node)).items())


def by_field(node: ListNode, field: str) -> dict[str, Node]:
    """The items of a list by the text of a field; of several the first."""
    index: dict[str, Node] = {}
    for item in node.items:
        name = text_of(item.entries.get(field)) if isinstance(item, MapNode) else None
        if name is not None:
            index.setdefault(name, item)
    return index


class Stubs:
    """The finished stubs, and the indices of their lists.

    They are added from right to left, each before the next stage begins. `keeps` are the marks that a value keeps when
    it comes from a stub.
    """

    __slots__ = ("_indices", "injects", "keeps", "level")

    def __init__(self, keeps: tuple[str, ...] = ()) -> None:
        self.level = Level()
        self.keeps = keeps
        self.injects = False
        """Whether a stub has values that it puts in by itself."""
        self._indices: dict[tuple[int, str], dict[str, Node]] = {}

    def add(self, root: Node) -> None:
        self.level.add(root, len(self.level.nodes))

    def step(self, node: Node, step: str) -> Node | None:
        """What a step leads to: a key, `[0]`, the value of an item's key field, or `field:value`."""
        if isinstance(node, MapNode):
            return node.entries.get(step)
        if not isinstance(node, ListNode):
            return None
        if step.startswith("["):
            index = position(len(node.items), step)
            return None if index is None else node.items[index]
        field, value = addressed(node, step)
        key = (id(node), field)
        if key not in self._indices:
            self._indices[key] = by_field(node, field)
        return self._indices[key].get(value)


class Address:
    """One path, and the nodes that the stubs have there, leftmost first.

    `moved` says that a redirecting merge led here.
    """

    __slots__ = ("_parent", "_step", "moved", "nodes", "seen", "stubs", "turn")

    def __init__(
        self,
        stubs: Stubs,
        nodes: tuple[Node, ...],
        turn: int,
        parent: Address | None = None,
        step: str = "",
        moved: bool = False,
    ) -> None:
        self.stubs = stubs
        self.nodes = nodes
        self.turn = turn
        """The number of the stage that the address belongs to: it sees the stubs that were resolved before."""
        self.moved = moved
        self.seen: tuple[tuple[Node, bool], ...] = tuple((node, False) for node in nodes) if stubs.injects else ()
        """Where stubs put values in: all that they have there, and whether it is part of a default."""
        self._parent = parent
        self._step = step

    @classmethod
    def root(cls, stubs: Stubs, turn: int, moved: bool = False) -> Address:
        return reached(stubs, stubs.level, turn, None, "", moved)

    def child(self, step: str) -> Address:
        if self.stubs.injects:
            return self._beside_defaults(step)
        nodes = self.nodes
        if nodes:
            steps = [self.stubs.step(node, step) for node in nodes]
            nodes = tuple([node for node in steps if node is not None])
        return Address(self.stubs, nodes, self.turn, self, step, self.moved)

    def _beside_defaults(self, step: str) -> Address:
        """The same where stubs put values in: defaults, and what is inside of them, override nothing."""
        below = [(self.stubs.step(node, step), inside or "default" in marks_of(node)) for node, inside in self.seen]
        seen = tuple([(node, inside) for node, inside in below if node is not None])
        nodes = tuple([node for node, inside in seen if not inside and not _is_default(node)])
        made = Address(self.stubs, nodes, self.turn, self, step, self.moved)
        made.seen = seen
        return made

    def nearest(self) -> Node | None:
        """What the leftmost stub has there. A part of a default counts only if it is one itself."""
        return next((node for node, inside in self.seen if not inside or "default" in marks_of(node)), None)

    def injected(self, known: Container[object]) -> list[tuple[str, Node]]:
        """The entries that stubs put into a map that does not have them; from then on they override."""
        nearest = self.nearest()
        entries = nearest.entries.items() if isinstance(nearest, MapNode) else ()
        return [
            (key, marked(child, mark_tag((*marks_of(child), "inject"))))
            for key, child in entries
            if isinstance(key, str) and key not in known and is_put_in(child)
        ]

    def injected_items(self) -> list[Node]:
        """The items that stubs put in front of a list."""
        nearest = self.nearest()
        return [item for item in nearest.items if is_put_in(item)] if isinstance(nearest, ListNode) else []

    def elsewhere(self, path: tuple[str, ...]) -> Address:
        address = Address.root(self.stubs, self.turn, moved=True)
        for step in path:
            address = address.child(step)
        return address

    def nowhere(self) -> Address:
        """An address at which no stub has anything."""
        return Address(self.stubs, (), self.turn, self._parent, self._step, self.moved)

    def unmerged(self) -> Address:
        """An address at which no stub overrides anything: only `merge` finds what is there."""
        return Unmerged(self)

    def found(self) -> Node | None:
        return self._without_marks(self.nodes[0] if self.nodes else None)

    def asked(self) -> Node | None:
        return self._without_marks(self.nodes[0] if self.nodes else self.nearest())

    def _without_marks(self, node: Node | None) -> Node | None:
        if node is None:
            return None
        marks = marks_of(node)
        if not marks:
            return node
        return marked(node, mark_tag(tuple(mark for mark in marks if mark in self.stubs.keeps)))

    def inherited(self) -> tuple[str, ...]:
        """The marks that a container gets from what the nearest stub has in its place."""
        if not self.nodes or "temporary" not in self.stubs.keeps:
            return ()
        return tuple(mark for mark in marks_of(self.nodes[0]) if mark in INHERITED)

    def known(self, scope: Scope) -> Address:
        """The address, once the names on the way are known."""
        return self

    @property
    def path(self) -> tuple[str, ...]:
        steps: list[str] = []
        address = self
        while address._parent is not None:
            steps.append(address._step)
            address = address._parent
        return tuple(reversed(steps))


class Unmerged(Address):
    """An address below `merge none`."""

    __slots__ = ("behind",)

    def __init__(self, behind: Address) -> None:
        super().__init__(behind.stubs, (), behind.turn, behind._parent, behind._step, behind.moved)
        self.behind = behind

    def child(self, step: str) -> Address:
        return Unmerged(self.behind.child(step))

    def asked(self) -> Node | None:
        return self.behind.asked()


class Behind(Address):
    """The address of a list in front of whose items others are put: an item takes what stubs have at its position
    now, or else before."""

    __slots__ = ("first", "plain")

    def __init__(self, plain: Address, first: int) -> None:
        super().__init__(plain.stubs, plain.nodes, plain.turn, plain._parent, plain._step, plain.moved)
        self.seen = plain.seen
        self.plain = plain
        self.first = first

    def child(self, step: str) -> Address:
        if not step.startswith("["):
            return self.plain.child(step)
        index, now = int(step[1:-1]) - self.first, self.plain.child(step)
        return self.nowhere() if index < 0 else now if now.nodes else self.plain.child(f"[{index}]")


def is_put_in(node: Node) -> bool:
    """Whether a stub puts a value into documents by itself."""
    return not PUT_IN.isdisjoint(marks_of(node))


def _is_default(node: Node) -> bool:
    return PUT_IN.intersection(marks_of(node)) == {"default"}


class Indexed(Address):
    """An address at which many stubs have something. `nodes` is only the first of them."""

    __slots__ = ("level",)
    level: Level

    def child(self, step: str) -> Address:
        return reached(self.stubs, self.level.child(step), self.turn, self, step, self.moved)


def reached(stubs: Stubs, level: Level, turn: int, parent: Address | None, step: str, moved: bool) -> Address:
    """The address of a level, as the stage of a turn sees it."""
    count = level.before(turn)
    if count <= FEW or stubs.injects:
        return Address(stubs, tuple(reversed(level.nodes[:count])), turn, parent, step, moved)
    address = Indexed(stubs, (level.nodes[count - 1],), turn, parent, step, moved)
    address.level = level
    return address


@struct
class Later:
    """The address of something in a list item whose name is computed: known when the name is."""

    parent: Address | Later
    step: str = ""
    place: Place | None = None
    field: str = ""
    index: int = 0

    def child(self, step: str) -> Address | Later:
        if self.place is not None and step == self.field:
            return self.parent.child(f"[{self.index}]").child(step)  # the name itself cannot wait for itself
        return Later(self, step)

    def known(self, scope: Scope) -> Address:
        """The address itself."""
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
        assert isinstance(item, MapNode)
        name = text_of(scope.known(item.entries[self.field], place.child(self.field)))
        return f"[{self.index}]" if name is None else f"{self.field}:{name}"
