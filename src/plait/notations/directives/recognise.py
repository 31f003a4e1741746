"""What a container becomes when it is read: a suspension where directives are in it, a mark where it is a merge
instruction.

Written containers are kept: a directive looks at what is written before it looks at what is merged, and saving
restores it.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Key, ListNode, MapNode, Mark, Node, Scalar, Suspension
from plait.core.policy import ListRule
from plait.notations.directives.expand import Directed, Spliced, Use
from plait.notations.directives.grammar import NAME, STRATEGY, parse_directive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.notations.directives.expand import DirectiveFile


def closed(node: Node, written: DirectiveFile) -> Node:
    """A container as the tree has it."""
    if isinstance(node, MapNode):
        for key in node.entries:
            if key.__class__ is str and key[:1] == "+":
                return _mapping(node, written)
        return node
    return _sequence(node, written) if isinstance(node, ListNode) and node.items else node


def _mapping(node: MapNode, written: DirectiveFile) -> Node:
    marks = node.marks or [node.at] * len(node.entries)
    pairs = zip(marks, node.entries.items(), strict=False)
    uses = [use for at, (key, value) in pairs if (use := _use(node, at, key, value)) is not None]
    made: Node = node
    if uses:
        keys = {use.directive.key for use in uses} | {NAME, STRATEGY}
        made = Suspension(Directed(node, _without(node, keys), uses), node.source, node.at, written)
        written.found(made)
    elif NAME in node.entries:
        made = _without(node, {NAME})
    name = node.entries.get(NAME)
    if isinstance(name, Scalar):
        written.named(name.text, made)
    return _word(made) if isinstance(made, MapNode) and STRATEGY in made.entries else made


def _use(node: MapNode, at: int, key: Key, value: Node) -> Use | None:
    if not isinstance(key, str) or key[:1] != "+":
        return None
    directive = parse_directive(key, Label.at(node.source, at, length=len(key)))
    return Use(directive, value, node.source, at) if directive is not None else None


def _without(node: MapNode, keys: set[str]) -> MapNode:
    marks = tuple(mark for mark, key in zip(node.marks, node.entries, strict=False) if key not in keys)
    entries = {key: child for key, child in node.entries.items() if key not in keys}
    return MapNode(entries, node.source, node.at, node.tag, node.live, marks)


def _word(node: MapNode) -> Node:
    strategy = node.entries[STRATEGY]
    word = strategy.text if isinstance(strategy, Scalar) else ""
    if word == "whiteout":
        return Mark(node.source, node.at, taken=Mark(node.source, node.at), data=node)
    if word == "nullout":
        return Mark(node.source, node.at, taken=Scalar(None, "null", node.source, node.at), data=node)
    return node


def _sequence(node: ListNode, written: DirectiveFile) -> Node:
    rule = _list_rule(node)
    items = node.items[1:] if rule is not None and rule.strategy == "set" else node.items
    live = any(item.live for item in items) if len(items) != len(node.items) else node.live
    made = node if rule is None else ListNode(items, node.source, node.at, node.tag, live, (), rule)
    if any(
        isinstance(item, Suspension) and isinstance(item.expression, Directed) and item.expression.may_replace
        for item in items
    ):
        return Suspension(Spliced(node, made), node.source, node.at, written)
    return made


def _list_rule(node: ListNode) -> ListRule | None:
    """What the items of a list say about merging it."""
    head = node.items[0]
    if isinstance(head, MapNode) and len(head.entries) == 1 and _says(head, "append"):
        return ListRule("set")
    if any(_says(item, "merge") for item in node.items):
        return ListRule("where asked", (STRATEGY,))
    return None


def _says(node: Node, word: str) -> bool:
    strategy = node.entries.get(STRATEGY) if isinstance(node, MapNode) else None
    return isinstance(strategy, Scalar) and strategy.text == word
