"""Lists and maps as everybody reads them: marks of the merge (`!unset`, `- !merge-by name`) do not exist.

A merge needs the marks of its parts, so that the tree keeps them. Whoever looks something up, counts items or prints
reads through `Views`: a step of a path means the same thing to a reference, a template, `--path`, the library and the
printed result. Law: for every path of a printed result, the value at that path is what the result has there.
"""

from __future__ import annotations

from plait.core.node import Container, Failure, Key, ListNode, MapNode, Mark, Node, Scalar, Suspension
from plait.core.scope import Place
from plait.merging.combine import items_of, misplaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    Seen = tuple[int, bool]
    """The identity of a container, and whether it is inside a list: there, a mark that its notation wrote as data is
    data."""


_SINGLE = frozenset({Scalar, Suspension})
"""What is no mark, and has none below: nearly all that is in containers."""


class Views:
    """The containers of one run without the marks in and below them, each made once. Without recursion."""

    __slots__ = ("_made", "_marked", "_plain")

    def __init__(self) -> None:
        self._plain: dict[int, Node] = {}
        """Containers without a mark, by identity, as nearly all are."""
        self._made: dict[Seen, tuple[Node, Node]] = {}
        """The others, and what is seen of them."""
        self._marked: dict[int, tuple[Node, Node]] = {}
        """What is seen, by identity, and what it is seen of."""

    def mark(self) -> int:
        """How many containers without a mark are known by now; see `forget`."""
        return len(self._plain)

    def forget(self, mark: int) -> None:
        """Let go of the containers without a mark that were seen since: they are seen again if they are asked for."""
        while len(self._plain) > mark:
            self._plain.popitem()

    def of(self, node: Node, place: Place) -> Node:
        """A known node as it is read at a place."""
        if not node.live or id(node) in self._plain or not isinstance(node, Container):
            return node
        return self._view(node, _in_list(place))

    def part(self, node: Node) -> Node:
        """What a merge takes for something that was read: the same with its marks."""
        marked = self._marked.get(id(node))
        return node if marked is None else marked[1]

    def _view(self, node: Container, inside: bool) -> Node:
        stack = [(node, inside)]
        while stack:
            at, within = stack[-1]
            inner = within or isinstance(at, ListNode)
            others = [child for child in _below(at) if child.__class__ not in _SINGLE]
            todo = [(child, inner) for child in others if child.live and isinstance(child, Container)]
            todo = [one for one in todo if self._found(*one) is None]
            if todo:
                stack.extend(todo)
                continue
            stack.pop()
            if self._found(at, within) is None:
                made = self._unmarked(at, within)
                if made is at:
                    self._plain[id(at)] = at
                else:
                    self._made[id(at), within] = at, made
                    self._marked[id(made)] = made, at
        found = self._found(node, inside)
        assert found is not None
        return found

    def _found(self, node: Node, inside: bool) -> Node | None:
        if id(node) in self._plain:
            return node
        made = self._made.get((id(node), inside))
        return made[1] if made is not None else None

    def _unmarked(self, node: Container, inside: bool) -> Node:
        """A container as it is seen: itself where nothing in it is a mark."""
        others = [child for child in _below(node) if child.__class__ not in _SINGLE]
        if all(not isinstance(child, Mark) and self._is_plain(child) for child in others):
            return node
        if isinstance(node, ListNode):
            items = [seen for item in items_of(node) if (seen := self._seen(item, True, data=False)) is not None]
            return ListNode(items, node.source, node.at, node.tag, _any_live(items), node.parts, node.rule)
        assert isinstance(node, MapNode)
        rows = (
            (key, self._of_key(child, inside) if isinstance(child, Mark) else self._seen(child, inside, data=inside))
            for key, child in node.entries.items()
        )
        entries: dict[Key, Node] = {key: seen for key, seen in rows if seen is not None}
        live = _any_live(list(entries.values()))
        return MapNode(entries, node.source, node.at, node.tag, live, node.marks, node.parts, node.alone)

    def _is_plain(self, child: Node) -> bool:
        """Whether there is no mark below a child."""
        return not _has_more(child) or id(child) in self._plain

    def _of_key(self, child: Mark, inside: bool) -> Node | None:
        if child.item is not None:
            return Failure((misplaced(child),), child.source, child.at)
        return self._seen(child, inside, data=inside)

    def _seen(self, child: Node, inside: bool, data: bool) -> Node | None:
        """What a child is seen as, None for nothing; a `!merge-by` that heads no list is an error."""
        if _has_more(child):
            return self._found(child, inside)
        if not isinstance(child, Mark):
            return child
        if data and child.data is not None:
            return child.data
        return Failure((misplaced(child),), child.source, child.at) if child.rule else None


def _has_more(node: Node) -> bool:
    """Whether there may be a mark in or below a node."""
    return node.live and isinstance(node, Container)


def _below(node: Node) -> list[Node]:
    if isinstance(node, MapNode):
        return list(node.entries.values())
    return node.items if isinstance(node, ListNode) else []


def _any_live(nodes: list[Node]) -> bool:
    return any(node.live for node in nodes)


def _in_list(place: Place) -> bool:
    """Whether a place is inside a list."""
    at: Place | None = place
    while at is not None:
        if isinstance(at.step, int):
            return True
        at = at.parent
    return False
