"""Parts of a document that take in others: a map with `<<`, a list with `- <<`, a map with a control key."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Node
from plait.core.walk import nodes_of

INSERT, INSERT_TOO = "<<", "<<<"


def insertion_key(mapping: MapNode) -> str:
    """The key by which a map takes in others; empty where it does not."""
    entries = mapping.entries
    return INSERT if INSERT in entries else INSERT_TOO if INSERT_TOO in entries else ""


def is_insertion(item: Node) -> bool:
    """Whether a list item is a `- <<: ...` and nothing else."""
    return isinstance(item, MapNode) and len(item.entries) == 1 and bool(insertion_key(item))


def control_keys(mapping: MapNode) -> list[str]:
    """The keys of a map that look like control keys: `<<` and a word."""
    return [key for key in mapping.entries if isinstance(key, str) and key[:2] == INSERT and key[2:3].isalpha()]


def takes_in(node: Node, control: bool) -> bool:
    """Whether a map or list has its entries or items only when others are taken in. `control`: are there controls?"""
    if isinstance(node, MapNode):
        return bool(insertion_key(node) or (control and control_keys(node)))
    if isinstance(node, ListNode):
        maps = [item for item in node.items if isinstance(item, MapNode)]
        return any(is_insertion(item) or (control and control_keys(item)) for item in maps)
    return False


def is_plain(node: Node, control: bool) -> bool:
    """Whether a part of a document is what is written there: nothing in it is computed or taken in."""
    return not node.live and not any(takes_in(part, control) for part in nodes_of(node))
