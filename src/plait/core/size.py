"""How large a tree is when every part that is shared is written out."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.meter import Meter
from plait.core.node import ListNode, MapNode, Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


def check_size(tree: Node, meter: Meter) -> None:
    """Refuse a tree whose shared parts, written out, are more values or characters than may be."""
    nodes, size, distinct = written_out(tree)
    if nodes - distinct > meter.budgets.nodes:
        raise meter.overrun("nodes", meter.budgets.nodes, Label(tree.origin))
    if size > meter.max_printed:
        raise meter.overrun("output", meter.max_printed, Label(tree.origin))


def multiplied(tree: Node) -> int:
    """How many values a tree has only because parts of it are shared."""
    nodes, _, distinct = written_out(tree)
    return nodes - distinct


def written_out(root: Node) -> tuple[int, int, int]:
    """How many values and characters a tree has when every shared part is written out, and how many values are
    distinct.

    Every value is indented by two characters for each container that it is in.
    """
    sizes: dict[int, tuple[int, int]] = {}
    stack = [root]
    distinct = 0
    while stack:
        node = stack[-1]
        if id(node) in sizes:
            stack.pop()
            continue
        below = _below(node)
        missing = [child for child in below if isinstance(child, MapNode | ListNode) and id(child) not in sizes]
        if missing:
            stack.extend(missing)
            continue
        inner = [sizes.get(id(child)) or (1, _length(child)) for child in below]
        distinct += 1 + sum(not isinstance(child, MapNode | ListNode) for child in below)
        count = sum(nodes for nodes, _ in inner)
        sizes[id(node)] = 1 + count, _length(node) + 2 * count + sum(size for _, size in inner)
    return (*sizes[id(root)], distinct)


def _below(node: Node) -> Collection[Node]:
    return node.entries.values() if isinstance(node, MapNode) else node.items if isinstance(node, ListNode) else ()


def _length(node: Node) -> int:
    """About how many characters a node takes by itself: its text, or the names of its entries."""
    if isinstance(node, MapNode):
        return sum(len(key) + 2 if isinstance(key, str) else 2 for key in node.entries)
    return len(node.text) + 2 if isinstance(node, Scalar) else 2
