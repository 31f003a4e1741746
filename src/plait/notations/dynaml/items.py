"""Items of lists by their names.

An item is addressed by the text of its key field, also where that text is an expression: a lookup by name waits
for it as for anything else. A name that waits for the one who looks is none, and the item has only its
position.
"""

from __future__ import annotations

from plait.core.node import Bound, Deferred, ListNode, MapNode, Node, Scalar, Suspension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Place, Scope


class Items:
    """The items of lists by name.

    A list is read once; a name that is an expression is asked for when no written one fits.
    """

    __slots__ = ("_lists",)

    def __init__(self) -> None:
        self._lists: dict[tuple[int, str], _Names] = {}

    def find(self, node: ListNode, step: str, scope: Scope, place: Place) -> int | None:
        """The item that a step means: `[0]`, the value of its key field, or `field:value`."""
        if step.startswith("["):
            return position(len(node.items), step)
        field, value = addressed(node, step)
        return self._of(node, field).find(value, scope, place)

    def names(self, node: ListNode) -> dict[str, int]:
        """The names of a list that are known."""
        return self._of(node, key_field(node)).known

    def _of(self, node: ListNode, field: str) -> _Names:
        names = self._lists.get((id(node), field))
        if names is None:
            names = self._lists[id(node), field] = _Names(node, field)
        return names


class _Names:
    """The names of one list: those that are known, and the positions of items whose names are not, last first."""

    __slots__ = ("field", "known", "node", "waiting")

    def __init__(self, node: ListNode, field: str) -> None:
        self.node = node
        self.field = field
        self.known: dict[str, int] = {}
        self.waiting: list[int] = []
        for index, item in enumerate(node.items):
            name = item.entries.get(field) if isinstance(item, MapNode) else None
            if isinstance(item, Deferred) or isinstance(name, Deferred):
                self.waiting.append(index)
            elif (text := text_of(name)) is not None:
                self.known.setdefault(text, index)
        self.waiting.reverse()

    def find(self, name: str, scope: Scope, place: Place) -> int | None:
        if name in self.known:
            return self.known[name]
        for at in range(len(self.waiting) - 1, -1, -1):
            index = self.waiting[at]
            found, certain = name_of(self.node.items[index], self.field, scope, place.child(index))
            if certain:
                del self.waiting[at]
            if found is not None:
                self.known.setdefault(found, index)
            if found == name:
                return index
        return None


def name_of(item: Node, field: str, scope: Scope, place: Place) -> tuple[str | None, bool]:
    """The name of an item, and whether it is the same from every place: to one that it waits for, it has none."""
    seen = scope.peek(item, place) if isinstance(item, Deferred) else item
    certain = not (isinstance(item, Deferred) and _is_source(seen, item))
    name = seen.entries.get(field) if isinstance(seen, MapNode) else None
    if not isinstance(name, Deferred):
        return text_of(name), certain
    found = scope.peek(name, place.child(field))
    return (None, False) if _is_source(found, name) else (text_of(found), certain)


def _is_source(seen: Node, written: Node) -> bool:
    """Whether one was shown the text of an expression instead of its value, which never looks like an expression."""
    while isinstance(written, Bound):
        written = written.node
    if not isinstance(seen, Scalar) or not isinstance(written, Suspension):
        return False
    return seen.text.startswith("((") and seen.text == written.expression.text


def position(count: int, step: str) -> int | None:
    """The index that `[0]` means in a list of so many items, if there is such; a negative one counts from the end."""
    digits = step[1:-1]
    index = int(digits) if len(digits) < 12 else count
    index += count if index < 0 else 0
    return index if 0 <= index < count else None


def addressed(node: ListNode, step: str) -> tuple[str, str]:
    """The field and the value that a step to an item names."""
    field, colon, value = step.partition(":")
    return (field, value) if colon and field else (key_field(node), step)


def key_field(node: ListNode) -> str:
    """The field that names the items of a list."""
    return node.rule.keys[0] if node.rule is not None and node.rule.keys else "name"


def text_of(node: Node | None) -> str | None:
    """The text of a text scalar."""
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None
