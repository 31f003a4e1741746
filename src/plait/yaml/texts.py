"""Texts of parts that many trees share, found again by the identity of their nodes."""

from __future__ import annotations

from plait.core import native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.node import Key, Node

    KnownTexts = dict[Key, dict[int, tuple[Node, str]]]
    """By key and by the identity of a node: the node, which keeps it, and its text after that key."""


def _known_texts(keys: list[Key], entries: dict[Key, Node], table: KnownTexts, missing: list[int]) -> list[str]:
    """The texts that a table has for the entries of some keys; an empty one for any other, whose number is added to
    `missing`."""
    texts: list[str] = []
    for number, key in enumerate(keys):
        node, by_node = entries[key], table.get(key)
        found = by_node.get(id(node)) if by_node is not None else None
        if found is None:
            missing.append(number)
        texts.append("" if found is None else found[1])
    return texts


known_texts: Callable[[list[Key], dict[Key, Node], KnownTexts, list[int]], list[str]]
known_texts = native.known_texts or _known_texts
