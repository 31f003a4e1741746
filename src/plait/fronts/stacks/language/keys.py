"""Keys that are templates: a mapping with such keys is an expression, whose value is the mapping with its keys
rendered."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.expression import Expression
from plait.core.node import Key, ListNode, MapNode, Node, Suspension, children, rewrite, text
from plait.fronts.stacks.language.scope import FileScope
from plait.fronts.stacks.language.templates import DELIMITERS
from plait.fronts.stacks.language.view import TemplateView
from plait.fronts.stacks.session.secrets import secret_name
from plait.report.catalog import KEYS_COLLIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Place, Scope


class TemplatedKeys(Expression):
    """A mapping with keys that are templates: an expression whose value is the mapping with its keys rendered."""

    __slots__ = ("early", "mapping", "text")

    def __init__(self, mapping: MapNode) -> None:
        self.mapping = mapping
        self.early = mapping
        """What its own keys see of it."""
        self.text = ", ".join(str(key) for key in mapping.entries if DELIMITERS[0] in str(key))

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """The values below its keys, and what the keys read."""
        read = [
            one
            for key in self.mapping.entries
            if DELIMITERS[0] in str(key)
            for one in TemplateView(scope, text(str(key), self.mapping.source)).named(str(key))
        ]
        return [*read, *((child, scope.place.child(key)) for key, child in self.mapping.entries.items())]

    def evaluate(self, scope: Scope) -> Node:
        entries: dict[Key, Node] = {}
        for key, child in self.mapping.entries.items():
            asker = text(str(key), self.mapping.source, self.mapping.key_origin(key).at)
            name = TemplateView(scope, asker).rendered(str(key))
            if scope.secrets:
                raise secret_name("a key", Label(asker.origin))
            if name in entries:
                raise KEYS_COLLIDE.error(Label(asker.origin), key=name, hint="rename one of them")
            entries[name] = child
        made = self.mapping
        return MapNode(entries, made.source, made.at, None, made.live, made.marks)


def with_templated_keys(root: Node, written: FileScope) -> Node:
    """The same tree with every mapping that has a templated key made a suspension."""
    return rebuilt(root, lambda node: _keyed(node, written))


def _keyed(node: Node, written: FileScope) -> Node:
    if isinstance(node, MapNode) and any(DELIMITERS[0] in str(key) for key in node.entries):
        return Suspension(TemplatedKeys(node), node.source, node.at, written)
    return node


def rebuilt(root: Node, change: Callable[[Node], Node]) -> Node:
    """The same tree with every node exchanged for what `change` makes of it, from the leaves up. Without recursion."""
    order: list[Node] = [root]
    for node in order:  # grows while it is walked: parents before children
        order.extend(child for _, child in children(node))
    made: dict[int, Node] = {}
    for node in reversed(order):
        made[id(node)] = change(_with_children(node, made))
    return made[id(root)]


def _with_children(node: Node, made: dict[int, Node]) -> Node:
    if isinstance(node, MapNode):
        entries = {key: made[id(child)] for key, child in node.entries.items()}
        live = any(child.live for child in entries.values())
        return node.but(entries=entries, live=live)
    if isinstance(node, ListNode):
        items = [made[id(child)] for child in node.items]
        return node.but(items=items, live=any(item.live for item in items))
    return node


def scoped(node: Node, scope: FileScope) -> Node:
    """The same tree with its expressions written in an inner scope."""
    if not node.live:
        return node

    def leaf(at: Node) -> Node:
        if isinstance(at, Suspension):
            if isinstance(at.expression, TemplatedKeys):
                inner = scoped(at.expression.mapping, scope)
                assert isinstance(inner, MapNode)
                return Suspension(TemplatedKeys(inner), at.source, at.at, scope)
            return Suspension(at.expression, at.source, at.at, scope)
        return at

    return rewrite(node, leaf)
