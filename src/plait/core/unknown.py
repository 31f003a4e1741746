"""Values that are not known, in a finished tree: where they are, and how the tree is shown around them."""

from __future__ import annotations

from plait.core.node import COMPUTED, FAILED, Failure, Mapping, Node, Sequence, Unknown, key_text, rewrite, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.path import Path


def unknown_values(root: Node) -> Iterator[tuple[Path, Unknown]]:
    """Every value of a finished tree that is not known, with its path."""
    stack: list[tuple[Path, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, Unknown):
            yield path, node
            if node.known is None:
                continue
            node = node.known
        if isinstance(node, Mapping):
            stack.extend(((*path, key_text(key)), child) for key, child in reversed(node.entries.items()))
        elif isinstance(node, Sequence):
            stack.extend(((*path, index), node.items[index]) for index in reversed(range(len(node.items))))


def presented(root: Node) -> Node:
    """A finished tree as it is shown: of what is partly known the known part, and words for the rest."""
    return rewrite(root, _leaf)


def _leaf(node: Node) -> Node:
    if not isinstance(node, Failure):
        return node
    if not isinstance(node, Unknown):
        return text(FAILED, node.source, node.at)
    return presented(node.known) if node.known is not None else text(COMPUTED, node.source, node.at)


def mistakes(failures: Iterable[Failure]) -> list[Failure]:
    """Those of some failures that are mistakes in the files."""
    return [failure for failure in failures if not isinstance(failure, Unknown)]
