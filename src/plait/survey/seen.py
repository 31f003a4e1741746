"""The values of one document, each with its place, as quickly as they can be had: for who looks at all documents.

Nobody asks here what a value overrides. So the account of a place is only worked out where an expression or a merged
list is; of a map that layers were merged to, every entry is the one that won.
"""

from __future__ import annotations

from sys import intern

from plait.core.node import ListNode, MapNode, Mark, Remade, Scalar, unbound
from plait.core.source import UNKNOWN
from plait.core.struct import struct
from plait.merging.account import ACCOUNT, Tracer
from plait.merging.align import names_in
from plait.yaml.emit import emit_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from plait.core.node import Node
    from plait.core.path import Path, Step
    from plait.core.scope import Place
    from plait.core.source import Origin
    from plait.evaluate.tree import Tree
    from plait.merging.account import Account


@struct
class SeenValue:
    """A value of one document: its path, the value itself, why there is none, and its file and line."""

    path: Path
    value: Node | None
    error: str
    where: str

    @property
    def key(self) -> str:
        """Its identity: that of an equal value is the same."""
        return f"error {self.error}" if self.value is None else f"value {emit_json(self.value, reveal=True)}"


class Seer:
    """Looks at the values of documents. A section that several documents share, and that nothing in them can change,
    is looked at once."""

    def __init__(self) -> None:
        self._shared: dict[tuple[str, int], tuple[Node, list[SeenValue]]] = {}
        """By the name of the section and the identity of its node, which is kept with it."""

    def sections(self, tree: Tree, names: tuple[str, ...]) -> Iterator[list[SeenValue]]:
        """Some sections of a document, or all of it as one."""
        root, evaluator = tree.root, tree.evaluator
        if not names or not isinstance(root, MapNode):
            yield list(_accounted(tree, (), tree.account()))
            return
        tracer = Tracer(evaluator.force, meter=evaluator.meter)
        for name in names:
            if name in root.entries:
                yield self._section(tree, tracer, name, root.entries[name])

    def _section(self, tree: Tree, tracer: Tracer, name: str, node: Node) -> list[SeenValue]:
        place, key = tree.top.child(name), (name, id(node))
        if node.live:
            return list(_below(tree, tracer, (name,), node, place))
        if key not in self._shared:
            self._shared[key] = (node, list(_below(tree, tracer, (name,), node, place)))
        return self._shared[key][1]


def _below(tree: Tree, tracer: Tracer, path: Path, node: Node, place: Place) -> Iterator[SeenValue]:
    """The values at or below a place of the result."""
    stack = [(path, node, place)]
    while stack:
        at, node, place = stack.pop()
        node, place = unbound(node, place)
        tracer.meter.step(ACCOUNT + len(at))
        if node.__class__ is Scalar:
            yield SeenValue(at, node, "", where_of(node.origin))
        elif isinstance(node, MapNode) and node.entries and not isinstance(node.parts, Remade):
            stack += [((*at, step), child, place.child(step)) for step, child in node.entries.items()][::-1]
        elif isinstance(node, ListNode) and node.items and not (node.live or node.parts or node.rule):
            steps: Sequence[Step] = names_in(node.items) or range(len(node.items))
            stack += [((*at, step), child, place) for step, child in zip(steps, node.items, strict=True)][::-1]
        elif not isinstance(node, Mark):
            yield from _accounted(tree, at, tracer.account(node, place))


def _accounted(tree: Tree, above: Path, part: Account) -> Iterator[SeenValue]:
    for path, leaf in part.leaves(above):
        value, failures = tree.evaluator.finish(leaf.node, leaf.place)
        message = failures[0].diagnostics[0].message if failures else ""
        yield SeenValue(path, None if failures else value, message, where_of(leaf.winner.node.origin))


def where_of(origin: Origin) -> str:
    """The file and line of a value; nothing for one that no file has."""
    return "" if origin.source.given or origin.source is UNKNOWN else intern(f"{origin.file}:{origin.line}")
