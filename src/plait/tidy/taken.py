"""Values of stubs that a template takes, and that repeat what it would take without them."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import Scalar, equal
from plait.tidy.meant import is_pin
from plait.tidy.proposal import removal
from plait.tidy.shrinking import REDUNDANT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.evaluate.tree import Tree
    from plait.fronts.front import Target
    from plait.merging.account import Account
    from plait.tidy.layering import Looked
    from plait.tidy.proposal import Proposal
    from plait.tidy.written import WrittenFile, WrittenValue

OR = "||"
"""What begins a value that an expression takes instead."""


def taken(looked: Looked) -> Iterator[Proposal]:
    """The values of stubs that another stub has, too, or that an expression would give anyway."""
    targets = looked.uses.world.targets
    found: dict[tuple[str, int], Proposal] = {}
    for address in targets.names():
        if targets[address].takes:
            for spot, path, why in _repeated(targets[address]):
                file = looked.files.get(spot[0]) or looked.open(os.path.relpath(spot[0]), spot[0])
                value = file.at.get(spot[1]) if file is not None else None
                if file is not None and value is not None and value.steps and not _is_meant(file, value):
                    made = found.setdefault(spot, removal(REDUNDANT, file, value, why))
                    made.places.append((address, path))
    yield from found.values()


def _is_meant(file: WrittenFile, value: WrittenValue) -> bool:
    return is_pin(value) or bool(file.comment(value) or file.comment_above(value))


def _repeated(target: Target) -> Iterator[tuple[tuple[str, int], Path, str]]:
    try:
        trees = [opened() for _, opened in target.each()]
        rows = [(path, leaf, tree) for tree in trees for path, leaf in tree.account().leaves()]
    except Fault:
        return
    for path, leaf, tree in rows:
        nodes = [node for node, _ in tree.taken(leaf)]
        why = _reason(leaf, tree, nodes)
        if why and nodes[0].origin.computed is None and not nodes[0].origin.source.given:
            yield (os.path.realpath(target.place_of(nodes[0].origin.file)), nodes[0].at), path, why


def _reason(leaf: Account, tree: Tree, nodes: list[Node]) -> str:
    """Why the first of some nodes that an expression takes need not be there; empty where it may be needed."""
    if not nodes or nodes[0].live:
        return ""
    if len(nodes) > 1 and equal(nodes[0], nodes[1]):
        return f"{nodes[1].origin.file}:{nodes[1].origin.line} sets the same"
    node, origin = nodes[0], leaf.winner.node.origin
    line = origin.source.text.splitlines()[origin.line - 1 :][:1]
    other = line[0].partition(OR)[2] if line else ""
    if isinstance(node, Scalar) and node.text and node.text in other:
        return f"{origin.file}:{origin.line} gives the same without it"
    return ""
