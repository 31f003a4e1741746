"""Walking a tree, in the order of its text, and making it again with something changed. Without recursion: trees may be
deeper than Python's stack."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Scalar, children, key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from plait.core.node import Key, Node

    Steps = tuple[Key | int, ...]
    S = TypeVar("S")
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


def places_for_a_look(root: Node) -> Iterator[tuple[Steps, Node]]:
    """Every node of a document with its path, each before what is in it; what an alias shows again is left out.

    For somebody who keeps none of them: maps that are not built yet are built for the look alone. No alias leads to
    what is in them.
    """
    seen: set[int] = set()
    stack: list[tuple[Steps, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, MapNode) and node.is_unbuilt:
            yield from (((*path, *below), one) for below, one in places_of(node.for_a_look()))
            continue
        yield path, node
        stack.extend([((*path, step), child) for step, child in children(node)][::-1])


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
        below = (
            [*node.entries.values()]
            if isinstance(node, MapNode)
            else node.items
            if isinstance(node, ListNode)
            else None
        )
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


def remade(
    root: Node, visit: Callable[[Node, S], tuple[Node, bool]], state: S, below: Callable[[S, Key | int], S]
) -> Node:
    """The same tree made again from the top: `visit` says what stands in the place of a node, and whether what is in
    that is made again as well. `below` gives what is known at a step of a container, from what is known of it."""
    holder: list[Node] = [root]
    work: list[tuple[dict[Key, Node] | list[Node], Key | int, S]] = [(holder, 0, state)]
    while work:
        target, key, known = work.pop()
        node, is_open = visit(target[key], known)  # type: ignore[index]
        if is_open and isinstance(node, MapNode):
            entries = dict(node.entries)
            work.extend([(entries, name, below(known, name)) for name in entries])
            node = node.but(entries=entries)
        elif is_open and isinstance(node, ListNode):
            items = list(node.items)
            work.extend([(items, index, below(known, index)) for index in range(len(items))])
            node = node.but(items=items)
        target[key] = node  # type: ignore[index]
    return holder[0]


def nothing_known(known: None, step: Key | int) -> None:
    """For `remade`, where nothing has to be known of a place."""
