"""Small steps on nodes that every floor takes: the entry of a map, the items of a list, the text of a leaf."""

from __future__ import annotations

from plait.core.node import MapNode, Node, Scalar, Suspension
from plait.core.role import FACT
from plait.core.source import Source

DERIVED = Source("plait", given=True, role=FACT)
"""The origin of facts that no file holds: the name of the stack, the component's folder."""


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
    return "{...}" if isinstance(node, MapNode) else "[...]"
