"""What targets of every kind say in the same way: their errors and their files, the same in every copy of a tree."""

from __future__ import annotations

import os

from plait.core.diagnostic import PlaitError
from plait.core.node import Node
from plait.evaluate.engine import NotThere
from plait.evaluate.explain import explain
from plait.report.render import in_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.path import Path
    from plait.evaluate.explain import Leaf
    from plait.evaluate.tree import Tree

EVERYWHERE = ("plait.yaml", "atmos.yaml")
"""Settings that any target may depend on, by the name of their file."""


def is_everywhere(name: str) -> bool:
    return name.rsplit("/", 1)[-1] in EVERYWHERE


def messages(error: PlaitError, tree: str) -> tuple[str, ...]:
    """Errors as lines that are the same in every copy of a tree."""
    found = []
    for diagnostic in in_order(error.diagnostics):
        place = f"{diagnostic.labels[0].origin}: " if diagnostic.labels else ""
        found.append(f"{place}{diagnostic.code} {diagnostic.message}")
    prefixes = (tree + os.sep, os.path.relpath(tree) + os.sep)
    return tuple(_without(prefixes, line) for line in found)


def _without(prefixes: tuple[str, ...], line: str) -> str:
    for prefix in prefixes:
        line = line.replace(prefix, "") if prefix != f".{os.sep}" else line
    return line


def account_of(tree: Tree | None, place: Path, node: Node) -> list[str]:
    """Where a value comes from and what it overrides: one line for each place; of a large value, the first few."""
    if tree is not None:
        try:
            return [_line(leaf) for leaf in explain(tree, place).leaves[:LEAVES]]
        except (PlaitError, NotThere):
            pass  # made by the front itself
    return [] if node.origin.source.given else [str(node.origin)]


def _line(leaf: Leaf) -> str:
    lost = [f"overrides {contribution.node.origin}: {reason}" for contribution, reason in leaf.losers]
    return "; ".join([str(leaf.winner.node.origin), *lost])


LEAVES = 3


def inside(names: set[str], tree: str) -> frozenset[str]:
    """Files as paths from the root of a tree."""
    return frozenset(os.path.relpath(os.path.abspath(name), tree) for name in names)
