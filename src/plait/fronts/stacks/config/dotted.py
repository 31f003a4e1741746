"""Keys that are paths: `stacks.base_path: x` means `stacks: {base_path: x}`.

In atmos.yaml always; in manifests where `settings.yaml.key_delimiter` names the sign, and there only for keys
without quotes.
"""

from __future__ import annotations

from plait.core.node import Key, ListNode, MapNode, Node
from plait.core.policy import MergePolicy
from plait.merging.combine import combine


def expanded(root: Node, sign: str = ".", quotes: bool = False) -> Node:
    """A tree with such keys written out. `quotes`: a key in quotes is a name and no path. Without recursion."""
    order: list[Node] = [root]
    for node in order:  # grows while it is walked: parents before children
        order.extend(_below(node))
    if not any(_has_paths(node, sign) for node in order):
        return root
    made: dict[int, Node] = {}
    for node in reversed(order):
        made[id(node)] = _written_out(node, made, sign, quotes)
    return made[id(root)]


def _has_paths(node: Node, sign: str) -> bool:
    return isinstance(node, MapNode) and any(isinstance(key, str) and sign in key for key in node.entries)


def _below(node: Node) -> list[Node]:
    if isinstance(node, MapNode):
        return list(node.entries.values())
    return list(node.items) if isinstance(node, ListNode) else []


def _written_out(node: Node, made: dict[int, Node], sign: str, quotes: bool) -> Node:
    if isinstance(node, ListNode):
        items = [made[id(item)] for item in node.items]
        return node.but(items=items)
    if not isinstance(node, MapNode):
        return node
    entries: dict[Key, Node] = {key: made[id(child)] for key, child in node.entries.items()}
    paths = [_path(node, key, sign, quotes) for key in entries]
    if all(len(path) == 1 for path in paths):
        return node.but(entries=entries)
    whole = combine([_nested(path, child) for path, child in zip(paths, entries.values(), strict=True)], MergePolicy())
    assert isinstance(whole, MapNode)
    return MapNode(whole.entries, node.source, node.at, node.tag, node.live)


def _path(node: MapNode, key: Key, sign: str, quotes: bool) -> list[Key]:
    """The names that a key stands for."""
    names = key.split(sign) if isinstance(key, str) else []
    if len(names) < 2 or not all(names) or (quotes and _is_quoted(node, key)):
        return [key]
    return list(names)


def _is_quoted(node: MapNode, key: Key) -> bool:
    origin = node.key_origin(key)
    return origin.source.text[origin.at : origin.at + 1] in ("'", '"')


def _nested(path: list[Key], child: Node) -> Node:
    for name in reversed(path):
        child = MapNode({name: child}, child.source, child.at, None, child.live)
    return child
