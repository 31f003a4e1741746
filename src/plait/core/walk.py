"""Walking a tree, in the order of its text and without recursion: trees may be deeper than Python's stack."""

from __future__ import annotations

from plait.core.node import Scalar, children, key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.node import Key, Node

    Steps = tuple[Key | int, ...]
    Below = Callable[[Node], Iterable[tuple[Key | int, Node]]]


def places_of(root: Node, below: Below = children, once: bool = False) -> Iterator[tuple[Steps, Node]]:
    """Every node with its path, each before what is in it.

    `below` says what is in a node; `once` leaves out what an alias shows again.
    """
    seen: set[int] = set()
    stack: list[tuple[Steps, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        if once:
            if id(node) in seen:
                continue
            seen.add(id(node))
        yield path, node
        stack.extend([((*path, step), child) for step, child in below(node)][::-1])


def nodes_of(root: Node, below: Below = children) -> Iterator[Node]:
    """Every node, each before what is in it."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend([child for _, child in below(node)][::-1])


def leaf_nodes(root: Node) -> list[Node]:
    """The nodes with nothing below them."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        kind = node.__class__
        if kind is Scalar:
            found.append(node)
            continue
        below = [child for _, child in children(node)]
        if below:
            stack += below[::-1]
        else:
            found.append(node)
    return found


def leaves_of(root: Node) -> Iterator[tuple[Steps, Node]]:
    """The nodes with nothing below them, each with its path."""
    stack: list[tuple[Steps, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        below = list(children(node))
        if not below:
            yield path, node
        stack.extend(((*path, step), child) for step, child in reversed(below))


def pairs_of(root: Node, other: Node | None) -> Iterator[tuple[Steps, Node, Node | None]]:
    """Every node with its path and what another tree has there; what both trees share is left out."""
    stack: list[tuple[Steps, Node, Node | None]] = [((), root, other)]
    while stack:
        path, node, beside = stack.pop()
        if node is beside:
            continue
        yield path, node, beside
        there = dict(children(beside)) if beside is not None else {}
        stack.extend([((*path, step), child, there.get(step)) for step, child in children(node)][::-1])


def live_children(node: Node) -> Iterable[tuple[Key | int, Node]]:
    """What is in a node in which something is to be computed."""
    return children(node) if node.live else ()


def text_steps(path: Steps) -> tuple[str | int, ...]:
    """A path in which keys that are no text, such as numbers, are written as one."""
    return tuple(step if isinstance(step, int) else key_text(step) for step in path)
