"""Small steps on nodes that every floor takes: the entry of a map, the items of a list, the text of a leaf."""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar, Sequence, Suspension
from plait.core.role import FACT
from plait.core.source import Source

DERIVED = Source("plait", given=True, role=FACT)
"""The origin of facts that no file holds: the name of the stack, the component's folder."""


def entry(node: Node | None, *path: Key) -> Node | None:
    """The node at a path of keys, where every step is a map that is known; None otherwise."""
    for key in path:
        node = node.entries.get(key) if isinstance(node, Mapping) else None
    return node


def text_at(node: Node | None, *path: Key) -> str:
    """The text at a path of keys; empty where there is none."""
    found = entry(node, *path)
    return found.text if isinstance(found, Scalar) else ""


def items_of(node: Node | None) -> list[Node]:
    """The items of a list; none for anything else."""
    return list(node.items) if isinstance(node, Sequence) else []


def leaf_texts(value: object) -> list[str]:
    """The texts of all single values in plain data."""
    texts: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif item is not None and not isinstance(item, bool):
            texts.append(str(item))
    return texts


def source_text(node: Node) -> str:
    """What was written, on one line."""
    if isinstance(node, Suspension):
        return node.told
    if isinstance(node, Scalar):
        return node.text
    return "{...}" if isinstance(node, Mapping) else "[...]"
