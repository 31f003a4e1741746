"""Values of a copy of the repository, as they are shown: with the paths of the repository itself."""

from __future__ import annotations

from plait.core.node import Node, Scalar, rewrite


def as_in(node: Node, tree: str, shown: str) -> Node:
    """A tree of values with paths below its own folder shown as paths below another: the same in every copy."""
    if tree == shown:
        return node

    def leaf(at: Node) -> Node:
        if isinstance(at, Scalar) and isinstance(at.value, str) and tree in at.value:
            moved = at.value.replace(tree, shown)
            return Scalar(moved, moved, at.source, at.at, at.tag, at.secret)
        return at

    return rewrite(node, leaf)
