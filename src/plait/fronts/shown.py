"""Values of a copy of the repository, as they are shown: with the paths of the repository itself."""

from __future__ import annotations

from plait.core.node import Container, Node, Scalar, Unknown, rewrite


def as_in(node: Node, tree: str, shown: str) -> Node:
    """A tree of values with paths below its own folder shown as paths below another: the same in every copy."""
    if tree == shown:
        return node

    def leaf(at: Node) -> Node:
        if isinstance(at, Unknown):
            inputs = tuple(as_in(one, tree, shown) for one in at.inputs)
            known = as_in(at.known, tree, shown) if at.known is not None else None
            assert known is None or isinstance(known, Container)
            return at.with_inputs(inputs, known)
        if isinstance(at, Scalar) and isinstance(at.value, str) and tree in at.value:
            moved = at.value.replace(tree, shown)
            return at.but(value=moved, text=moved)
        return at

    return rewrite(node, leaf)
