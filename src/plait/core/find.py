"""What a step of a path leads to in a known container, and small questions about one. Marks of the merge are no items:
they are not counted."""

from __future__ import annotations

from plait.core.node import Key, ListNode, MapNode, Mark, Node, Scalar, key_text
from plait.core.path import Keyed, Step, Wildcard, WrittenItem

MARKS = frozenset({"!merge-by", "!unset"})
"""The tags of marks, for text that is read as it was written."""


def step_into(node: Node, step: Step) -> Node | None:
    """The child that a step leads to in a known container, or None."""
    if isinstance(node, MapNode):
        key = entry_key(node, step)
        child = None if key is None else node.entries[key]
        return None if isinstance(child, Mark) else child
    if isinstance(node, ListNode):
        index = item_index(node, step)
        return None if index is None else node.items[index]
    return None


def entry_key(node: MapNode, step: Step) -> Key | None:
    """The key of a mapping that a step means: the text itself, else a key of another type written that way, or a
    number written otherwise."""
    if isinstance(step, Node):
        return step if step in node.entries else None
    if isinstance(step, Keyed | Wildcard):
        return None
    name = str(step)
    if name in node.entries:
        return name
    for key in node.entries:
        if not isinstance(key, str) and (key_text(key) == name or is_number(key, name)):
            return key
    return None


def is_number(key: Node, name: str) -> bool:
    """Whether a key is a whole number: `+1`, `0x1` and `1` are one key."""
    return isinstance(key, Scalar) and key.value.__class__ is int and str(key.value) == name


def item_index(node: ListNode, step: Step) -> int | None:
    """The index in a list of the item that a step means."""
    if isinstance(step, Keyed):
        return next((index for index, item in enumerate(node.items) if is_meant(item, step)), None)
    if isinstance(step, WrittenItem):
        return int(step) if step < len(node.items) else None
    there = [index for index, item in enumerate(node.items) if not is_mark(item)]
    found = position(len(there), step)
    return None if found is None else there[found]


def position(count: int, step: Step) -> int | None:
    """Which of so many items a step means by its number."""
    if isinstance(step, str) and step.lstrip("-").isdigit():
        step = int(step)
    return step % count if isinstance(step, int) and -count <= step < count else None


def is_mark(node: Node) -> bool:
    """Whether an item is an instruction to the merge, and not a value."""
    return isinstance(node, Mark) or (node.__class__ is Scalar and node.tag in MARKS)


def numbers(items: list[Node]) -> list[int]:
    """The numbers that paths give the items of a list; a mark has that of the item after it."""
    found: list[int] = []
    number = 0
    for item in items:
        found.append(number)
        number += item.__class__ is not Mark
    return found


def without_marks(node: Node) -> Node:
    """A list without its marks; any other node as it is."""
    if not isinstance(node, ListNode) or not any(map(is_mark, node.items)):
        return node
    items = [item for item in node.items if not is_mark(item)]
    return node.but(items=items)


def is_meant(item: Node, step: Keyed) -> bool:
    """Whether a list item is the one that a step means."""
    if step.names == ("",):
        return isinstance(item, Scalar) and item.text == step.values[0]
    if not isinstance(item, MapNode):
        return False
    fields = zip(map(item.entries.get, step.names), step.values, strict=True)
    return all(isinstance(field, Scalar) and field.text == value for field, value in fields)


# By keys alone


def entry(node: Node | None, *path: Key) -> Node | None:
    """The node at a path of keys, where every step is a map that is known; None otherwise."""
    for key in path:
        node = node.entries.get(key) if isinstance(node, MapNode) else None
    return node


def word(node: Node | None, *path: Key) -> str:
    """The text of a single value at a path of keys; empty where there is none, or null."""
    found = entry(node, *path)
    return found.text if isinstance(found, Scalar) and found.value is not None else ""


def items_of(node: Node | None, *path: Key) -> list[Node]:
    """The items of a list at a path of keys; none for anything else."""
    found = entry(node, *path)
    return list(found.items) if isinstance(found, ListNode) else []


def members_of(node: Node | None, *path: Key) -> dict[str, Node]:
    """The members of a map at a path of keys, by the texts of their own keys; none for anything else."""
    found = entry(node, *path)
    return {key_text(key): child for key, child in found.entries.items()} if isinstance(found, MapNode) else {}
